/**
 * When is the service asked, and which answer counts? Words at once, meaning right behind; the
 * newest answer wins and an older one never replaces it.
 *
 * A fast typist must not fill the line with questions nobody waits for: at most two of them are on
 * their way, and of those that wait only the newest is ever sent.
 */
import { Superseded } from "./messages.js";

const MOST_UNDERWAY = 2;

export class Asking {
  /** `answered(reply, stage, request)` and `failed(error, request)` are called for what counts. */
  constructor(transport, { answered, failed, busy }) {
    this.transport = transport;
    this.answered = answered;
    this.failed = failed;
    this.busy = busy;
    this.sequence = 0;
    this.shown = 0;
    this.underway = 0;
    this.next = null;
    this.full = null;
  }

  /** Asks for `request` {query, filters, ignore_chips, mode, limit}; returns its sequence. */
  ask(request) {
    const sequence = ++this.sequence;
    this.dropFull();
    this.busy(true);
    this.next = { ...request, sequence };
    this.sendNext();
    return sequence;
  }

  /** Nothing that is on its way counts any more. */
  cancel() {
    this.shown = ++this.sequence;
    this.next = null;
    this.dropFull();
    this.busy(false);
  }

  sendNext() {
    if (!this.next || this.underway >= MOST_UNDERWAY) return;
    const request = this.next;
    this.next = null;
    this.underway += 1;
    this.findWords(request);
  }

  /* The words of an older keystroke are shown while newer ones are on their way: something is
     better than nothing, as long as it never goes back. */
  async findWords(request) {
    let words = null;
    try {
      words = await this.transport.ask("search", { ...request, typing: true, stage: "words" });
    } catch (error) {
      this.fell(error, request);
    }
    this.underway -= 1;
    this.sendNext();
    if (!words || request.sequence <= this.shown) return;
    this.shown = request.sequence;
    this.answered(words, "words", request);
    if (request.sequence === this.sequence) await this.findAll(request);
  }

  async findAll(request) {
    this.full = new AbortController();
    const { signal } = this.full;
    try {
      const all = await this.transport.ask("search", { ...request, typing: true, stage: "full" }, signal);
      if (request.sequence !== this.sequence) return;
      this.busy(false);
      this.answered(all, "full", request);
    } catch (error) {
      this.fell(error, request);
    }
  }

  fell(error, request) {
    if (error instanceof Superseded || request.sequence !== this.sequence) return;
    this.busy(false);
    this.failed(error, request);
  }

  dropFull() {
    this.full?.abort();
    this.full = null;
  }
}
