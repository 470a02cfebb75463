/**
 * What is on the screen for this answer? Rows, notices, counts; or why there are none.
 *
 * The panel gives its parts (list, preview, chips) and what the buttons in here do.
 */
import { arrange, followRow, keepUpTo, rowKey, SECTIONS } from "./arrange.js";
import { announcer, byId, replace } from "./dom.js";
import { formatCount, formatNumber } from "./format.js";
import { Refusal, Unreachable } from "./messages.js";
import { resultRow, searchRow } from "./rows.js";
import * as states from "./states.js";
import { rendered } from "./timings.js";

/* Rows that have been seen this long do not move when the answer by meaning arrives; below it
   nobody can have begun to aim at one. */
const SETTLED_MS = 120;

export class Showing {
  constructor({ list, preview, chips, acts }) {
    this.list = list;
    this.preview = preview;
    this.chips = chips;
    this.acts = acts;
    this.say = announcer(byId("live"));
    this.status = null;
    this.sequence = 0;
    this.arranged = [];
    this.settledAt = 0;
  }

  /**
   * An answer has come. `later` ones to the same question leave the row one is on in its place; an
   * answer to a newer question finds it again. A row one has gone to is never taken away.
   */
  answered(reply, stage, request) {
    const later = stage === "full" && this.sequence === request.sequence;
    const seen = performance.now() - this.settledAt > SETTLED_MS;
    const moved = this.acts.moved();
    const { index, byHand } = this.list;
    const stay = later && index >= 0 && (moved || seen);
    this.sequence = request.sequence;
    if (moved && !later && index >= 0) {
      const { rows, current } = followRow(arrange(reply.results), this.list.current.result, index);
      this.rows(rows, { current, byHand });
    } else {
      const kept = stay ? keepUpTo(this.arranged, index) : [];
      this.rows(arrange(reply.results, kept), { current: stay ? index : 0, byHand: stay && byHand, fade: later });
    }
    if (!later) this.settledAt = performance.now();
    this.around(reply);
    rendered(request.sequence, request.query, stage);
  }

  rows(arranged, options) {
    this.arranged = arranged;
    this.list.show(arranged.map(({ result, section }) => resultEntry(result, SECTIONS[section])), options);
  }

  /* Everything of an answer but its rows. */
  around(reply) {
    const none = reply.results.length === 0;
    const coverage = this.coverage(reply);
    this.chips.show(reply.chips, true);
    replace(byId("notices"), states.notices(reply, this.acts));
    this.message(none ? states.nothing({ ...reply, coverage }, {
      ...this.acts, filtered: this.chips.any || reply.chips.length > 0,
      dropFilters: () => this.acts.dropFilters(reply),
    }) : null, { alone: true });
    if (none) this.preview.showOther();
    const shown = `${formatCount(reply.total)} of ${formatCount(coverage.indexed)}`;
    byId("tally").textContent = none ? "" : `${shown} · ${Math.max(1, Math.round(reply.query_time_ms))} ms`;
    this.say(none ? "Nothing found" : formatNumber(reply.total, "result"));
  }

  /* Of the answer, or as far as the status line knows. */
  coverage(reply) {
    if (reply.coverage.total > 0 || !this.status) return reply.coverage;
    const { documents, not_searchable, files_done, files_total } = this.status;
    return { indexed: documents, total: documents + not_searchable, waiting: Math.max(0, files_total - files_done) };
  }

  /** The question failed. */
  failed(error, request) {
    if (error instanceof Refusal && error.kind === "QuerySyntaxError") {
      // Half a query is no mistake yet: what is on the screen stays.
      replace(byId("notices"), states.syntaxNotice(error, request.query));
      return;
    }
    this.list.show([]);
    this.preview.showOther();
    replace(byId("notices"));
    byId("tally").textContent = "";
    const state = error instanceof Refusal ? states.refused : error instanceof Unreachable ? states.unreachable : states.misunderstood;
    this.message(state(error, this.acts), { alone: true });
    this.say(error instanceof Unreachable ? "Sagasu is not answering" : error.message);
  }

  /** The index is being mended. */
  repairing() {
    this.list.show([]);
    this.message(states.repairing(), { alone: true });
    this.say("Repairing the index");
  }

  /** Nothing is asked: forget the last answer. */
  clear() {
    this.sequence = 0;
    this.chips.show([], false);
    replace(byId("notices"));
    byId("tally").textContent = "";
  }

  /** No folder is searched yet. */
  onboarding() {
    this.list.show([]);
    this.message(states.onboarding(this.acts), { alone: true });
    this.say("No folder is searched yet");
  }

  /** What was searched and opened before. */
  recent({ searches, files }) {
    this.message(null);
    this.list.show([
      ...searches.map(searchEntry), ...files.map((result) => resultEntry(result, "Recent files")),
    ], { current: -1 });
    this.introduce();
  }

  /** What can be asked. */
  introduce() {
    this.preview.introduce(states.introduction(this.acts));
  }

  /** Files close to one of the rows. */
  similar(results) {
    this.sequence = 0;
    replace(byId("notices"));
    this.rows(results.map((result) => ({ result, section: 2 })), { current: 0 });
    this.chips.show([], true);
    this.message(null);
    byId("tally").textContent = formatNumber(results.length, "similar file");
    this.say(formatNumber(results.length, "similar file"));
  }

  message(nodes, { alone = false } = {}) {
    byId("panel").classList.toggle("alone", nodes !== null && alone);
    byId("message").hidden = nodes === null;
    replace(byId("message"), nodes ?? []);
    byId("results").hidden = nodes !== null;
    this.acts.hints();
  }
}

function resultEntry(result, section) {
  return {
    key: rowKey(result), stamp: JSON.stringify(result), section, result, build: () => resultRow(result),
  };
}

function searchEntry(query) {
  return { key: `search ${query}`, stamp: query, section: "Recent searches", query, build: () => searchRow(query) };
}
