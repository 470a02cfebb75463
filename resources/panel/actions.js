/** What can be done with a result? One table: the keys, the menu and the buttons all use it. */
import { fileName } from "./format.js";
import { SHORTCUTS } from "./keys.js";
import { openMenu } from "./menu.js";
import { toast, toastError } from "./toast.js";

const PACK_TOKENS = 8000;

export class Actions {
  /** `page` gives query(), picked(), results() and shows explanations, similar files, a change. */
  constructor(transport, page) {
    this.transport = transport;
    this.page = page;
  }

  /** Asks, and says so when it did not work; resolves to the answer or null. */
  async tell(name, fields, said = "") {
    try {
      const reply = await this.transport.ask(name, fields);
      if (said) toast(said);
      return reply;
    } catch (error) {
      toastError(error);
      return null;
    }
  }

  open(result) {
    const { page, line } = result.location;
    const place = { ...(page !== null && { page }), ...(line !== null && { line }) };
    return this.tell("open", { id: result.id, query: this.page.query(), ...place });
  }

  reveal(result) {
    return this.tell("reveal", { id: result.id, query: this.page.query() });
  }

  look(result) {
    return this.tell("quick_look", { ids: this.several(result).map((one) => one.id) });
  }

  async copyPath(result) {
    const some = this.several(result);
    const reply = await this.tell("copy_path", { ids: some.map((one) => one.id) });
    await this.finishCopy(reply, reply?.text, some.length > 1 ? `${some.length} paths copied` : "Path copied");
  }

  async copyPassage(result) {
    const reply = await this.tell("copy_passage", { id: result.id, chunk: result.chunk });
    await this.finishCopy(reply, reply?.text, "Passage copied");
  }

  /** The picked rows, or the first five, as Markdown with sources for a question to an assistant. */
  async pack() {
    const picked = this.page.picked();
    const some = picked.length > 0 ? picked : this.page.results().slice(0, 5);
    if (some.length === 0) return;
    const reply = await this.tell("context_pack", {
      query: this.page.query(), ids: some.map((one) => one.id),
      chunks: some.map((one) => one.chunk), budget: PACK_TOKENS,
    });
    const passages = some.length === 1 ? "1 passage" : `${some.length} passages`;
    await this.finishCopy(reply, reply?.markdown, `${passages} copied as context, about ${reply?.tokens} tokens`);
  }

  /* In a browser window the page itself has the clipboard; in the app the app has filled it. */
  async finishCopy(reply, text, said) {
    if (!reply) return;
    try {
      if (!reply.copied) await navigator.clipboard.writeText(text);
      toast(said);
    } catch {
      toast("The browser did not allow copying.", { bad: true });
    }
  }

  async explain(result) {
    const reply = await this.tell("explain", { query: this.page.query(), id: result.id });
    if (reply) this.page.showExplanation(result, reply);
  }

  async exclude(result) {
    const folder = fileName(result.path.slice(0, result.path.lastIndexOf("/"))) || "The folder";
    const reply = await this.tell("exclude_folder", { id: result.id }, `${folder} is left out from now on`);
    if (reply) this.page.searchAgain();
  }

  async pin(result) {
    const pinned = !result.pinned;
    const said = pinned ? "Pinned for this search" : "No longer pinned";
    const reply = await this.tell("pin", { query: this.page.query(), id: result.id, pinned }, said);
    if (reply) this.page.searchAgain();
  }

  async openWith(result) {
    const reply = await this.tell("applications", { id: result.id });
    if (!reply) return;
    if (reply.applications.length === 0) {
      toast("No other application can open this.");
      return;
    }
    openMenu({
      title: "Open with", placeholder: "Open with…",
      items: reply.applications.map((application) => ({
        label: application, glyph: "app",
        run: () => this.tell("open_with", { id: result.id, application, query: this.page.query() }),
      })),
    });
  }

  /** The action list (⌘K) of a result. */
  openMenu(result) {
    const searched = this.page.query().trim() !== "";
    const items = [
      { label: "Open", glyph: "open", keys: SHORTCUTS.open, run: () => this.open(result) },
      { label: "Open with…", glyph: "app", run: () => this.openWith(result) },
      { label: "Show in folder", glyph: "folder", keys: SHORTCUTS.reveal, run: () => this.reveal(result) },
      { label: "Quick Look", glyph: "eye", keys: SHORTCUTS.look, run: () => this.look(result) },
      { label: "Copy path", glyph: "copy", keys: SHORTCUTS.copyPath, run: () => this.copyPath(result) },
      { label: "Copy passage", glyph: "quote", keys: SHORTCUTS.copyPassage, run: () => this.copyPassage(result) },
      { label: "Copy for an assistant", glyph: "pack", keys: SHORTCUTS.pack, run: () => this.pack() },
      { label: "Similar files", glyph: "similar", run: () => this.page.showSimilar(result) },
      { label: "Why this result", glyph: "why", disabled: !searched, run: () => this.explain(result) },
      { label: result.pinned ? "Unpin" : "Pin for this search", glyph: "pin", disabled: !searched, run: () => this.pin(result) },
      { label: "Exclude this folder", glyph: "block", danger: true, run: () => this.exclude(result) },
    ];
    openMenu({ title: "Actions", placeholder: "Search for actions…", items });
  }

  several(result) {
    const picked = this.page.picked();
    return picked.length > 0 ? picked : [result];
  }
}
