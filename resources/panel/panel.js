/**
 * The panel: one field, the rows that answer it, the passage of the row one is on.
 *
 * This file only joins the parts; each of them answers its own question.
 */
import { Actions } from "./actions.js";
import { arrange, keepUpTo, rowKey, SECTIONS } from "./arrange.js";
import { Asking } from "./asking.js";
import { Chips } from "./chips.js";
import { announcer, byId, replace } from "./dom.js";
import { addFolder } from "./folders.js";
import { formatCount, formatNumber } from "./format.js";
import { Ghost } from "./ghost.js";
import { drawSprite, glyph } from "./icons.js";
import { List } from "./list.js";
import { followLooks } from "./looks.js";
import { Refusal, Unreachable } from "./messages.js";
import { explanationSheet, Preview } from "./preview.js";
import { resultRow, searchRow } from "./rows.js";
import * as states from "./states.js";
import { drawHints, drawStatus } from "./status.js";
import { asked, rendered } from "./timings.js";
import { toastError } from "./toast.js";
import { openTransport } from "./transport.js";
import { listenKeys } from "./typing.js";

const LIMIT = 30;
/* Rows that have been seen this long do not move when the answer by meaning arrives; below it
   nobody can have begun to aim at one. */
const SETTLED_MS = 120;
/* While one types, the preview of the first row waits for a pause. */
const PREVIEW_PAUSE_MS = 90;
const SLOW_MS = 250;

class Panel {
  constructor(transport) {
    this.transport = transport;
    this.root = byId("panel");
    this.field = byId("query");
    this.say = announcer(byId("live"));
    this.status = null;
    this.reply = null;
    this.settledAt = 0;
    this.slow = 0;
    this.ghost = new Ghost(this.field, transport);
    this.actions = new Actions(transport, {
      query: () => this.query, picked: () => this.picked, results: () => this.results,
      showExplanation: (result, why) => this.preview.showOther(explanationSheet(result.title, why)),
      showSimilar: (result) => this.showSimilar(result), searchAgain: () => this.search(),
    });
    this.preview = new Preview(byId("preview"), transport, {
      open: (result) => this.actions.open(result), reveal: (result) => this.actions.reveal(result),
      look: (result) => this.actions.look(result),
    });
    this.list = new List(byId("results"), this.field, {
      moved: (row, byHand) => this.moved(row, byHand), chosen: (row) => this.choose(this.list.rows.indexOf(row)),
      picked: () => this.hints(), dragged: (row, event) => this.drag(row, event),
    });
    this.chips = new Chips(byId("chips"), {
      changed: () => this.search(), folders: () => this.status?.folders ?? [],
    });
    this.asking = new Asking(transport, {
      answered: (reply, stage, request) => this.answered(reply, stage, request),
      failed: (error, request) => this.failed(error, request), busy: (on) => this.busy(on),
    });
  }

  get query() {
    return this.field.value;
  }

  get result() {
    return this.list.current?.result ?? null;
  }

  get results() {
    return this.list.rows.flatMap((row) => (row.result ? [row.result] : []));
  }

  get picked() {
    return this.list.picked().map((row) => row.result);
  }

  get inPreview() {
    return byId("preview").contains(document.activeElement);
  }

  /** Has one left the typing for the rows? */
  get inList() {
    return this.list.byHand || this.inPreview;
  }

  start() {
    replace(byId("field-icon"), glyph("search", 21));
    replace(byId("clear"), glyph("close", 15));
    byId("clear").addEventListener("click", () => this.setQuery(""));
    this.field.addEventListener("input", () => this.typed());
    listenKeys(this);
    this.listenDrops();
    this.transport.listen((event) => this.happened(event));
    followLooks(this.transport);
    this.hints();
    const given = new URLSearchParams(location.search).get("q");
    if (given) this.setQuery(given);
    this.refreshStatus().then(() => given || this.showEmpty());
    this.field.focus();
  }

  /** The field has changed. */
  typed() {
    this.chips.ignored.clear();
    this.chips.similar = null;
    this.ghost.follow();
    this.search();
  }

  setQuery(text) {
    this.field.value = text;
    if (text === "") this.chips.reset();
    this.ghost.clear();
    this.focusField();
    this.typed();
  }

  search() {
    byId("clear").hidden = this.query === "";
    if (this.chips.similar) {
      this.showSimilar(this.chips.similar);
      return;
    }
    if (this.query.trim() === "" && !this.chips.any) {
      this.asking.cancel();
      this.showEmpty();
      return;
    }
    asked(this.asking.ask({ query: this.query, limit: LIMIT, ...this.chips.request() }));
  }

  answered(reply, stage, request) {
    const later = stage === "full" && this.reply?.sequence === request.sequence;
    const seen = performance.now() - this.settledAt > SETTLED_MS;
    const stay = later && this.list.index >= 0 && (this.list.byHand || seen);
    const kept = stay ? keepUpTo(this.arranged, this.list.index) : [];
    this.reply = { ...reply, sequence: request.sequence };
    this.show(arrange(reply.results, kept), {
      current: stay ? this.list.index : 0, byHand: stay && this.list.byHand, fade: later,
    });
    if (!later) this.settledAt = performance.now();
    this.around(reply);
    rendered(request.sequence, request.query, stage);
  }

  show(arranged, options) {
    this.arranged = arranged;
    this.list.show(arranged.map(({ result, section }) => ({
      key: rowKey(result), stamp: JSON.stringify(result), section: SECTIONS[section], result,
      build: () => resultRow(result),
    })), options);
  }

  /* Everything of an answer but its rows. */
  around(reply) {
    const none = reply.results.length === 0;
    const coverage = this.coverage(reply);
    this.chips.show(reply.chips, true);
    replace(byId("notices"), states.notices(reply, {
      ask: (text) => this.setQuery(text), exactly: () => this.searchExactly(),
    }));
    this.message(none ? states.nothing({ ...reply, coverage }, {
      openCoverage: () => this.showPage("coverage"), filtered: this.chips.any || reply.chips.length > 0,
      dropFilters: () => this.dropFilters(reply),
    }) : null);
    if (none) this.preview.showOther();
    const shown = `${formatCount(reply.total)} of ${formatCount(coverage.indexed)}`;
    byId("tally").textContent = none ? "" : `${shown} · ${Math.max(1, Math.round(reply.query_time_ms))} ms`;
    this.say(none ? "Nothing found" : formatNumber(reply.total, "result"));
    this.hints();
  }

  /* Of the answer, or as far as the status line knows. */
  coverage(reply) {
    if (reply.coverage.total > 0 || !this.status) return reply.coverage;
    const { documents, not_searchable, files_done, files_total } = this.status;
    return { indexed: documents, total: documents + not_searchable, waiting: Math.max(0, files_total - files_done) };
  }

  failed(error, request) {
    const syntax = error instanceof Refusal && error.kind === "QuerySyntaxError";
    if (syntax) {
      // Half a query is no mistake yet: what is on the screen stays.
      replace(byId("notices"), states.syntaxNotice(error, request.query));
      return;
    }
    const retry = () => this.retry();
    this.list.show([]);
    this.preview.showOther();
    replace(byId("notices"));
    byId("tally").textContent = "";
    this.message(error instanceof Refusal ? states.refused(error, { retry }) : states.unreachable({ retry }), { alone: true });
    this.say(error instanceof Unreachable ? "Sagasu is not answering" : error.message);
  }

  async retry() {
    await this.refreshStatus();
    this.search();
    this.focusField();
  }

  /** The empty field: what was searched and opened before. */
  async showEmpty() {
    this.reply = null;
    this.chips.show([], false);
    replace(byId("notices"));
    byId("tally").textContent = "";
    byId("clear").hidden = true;
    if (this.status && this.status.folders.length === 0 && this.status.documents === 0 && this.status.state !== "starting") {
      this.list.show([]);
      this.message(states.onboarding({ addFolder: () => this.addFolder() }), { alone: true });
      this.say("No folder is searched yet");
      return;
    }
    try {
      const recent = await this.transport.ask("recent", { limit: 8 });
      if (this.query !== "" || this.chips.any) return;
      this.message(null);
      this.list.show(recentRows(recent), { current: -1 });
      this.introduce();
    } catch (error) {
      if (this.query === "") this.failed(error, { query: "" });
    }
  }

  introduce() {
    this.preview.introduce(states.introduction({ ask: (text) => this.setQuery(text) }));
  }

  message(nodes, { alone = false } = {}) {
    this.root.classList.toggle("alone", nodes !== null && alone);
    byId("message").hidden = nodes === null;
    replace(byId("message"), nodes ?? []);
    byId("results").hidden = nodes !== null;
    this.hints();
  }

  moved(row, byHand) {
    this.hints();
    if (row?.result) this.preview.show(row.result, this.query, { wait_ms: byHand ? 0 : PREVIEW_PAUSE_MS });
    else if (row || (byHand && !row)) this.introduce();
  }

  /** Opens row `index` (or the current one): a file, or a search made before. */
  choose(index = this.list.index) {
    const row = this.list.rows[index];
    if (!row) return false;
    if (row.query !== undefined) {
      this.setQuery(row.query);
    } else {
      this.list.select(index);
      this.actions.open(row.result);
    }
    return true;
  }

  async showSimilar(result) {
    try {
      const { results } = await this.transport.ask("similar", { id: result.id, limit: LIMIT });
      this.asking.cancel();
      this.chips.similar = result;
      this.reply = null;
      replace(byId("notices"));
      this.show(results.map((one) => ({ result: one, section: 2 })), { current: 0 });
      this.chips.show([], true);
      this.message(null);
      byId("tally").textContent = formatNumber(results.length, "similar file");
      this.say(formatNumber(results.length, "similar file"));
    } catch (error) {
      toastError(error);
    }
  }

  searchExactly() {
    this.chips.mode = "exact";
    this.search();
  }

  dropFilters(reply) {
    this.chips.reset();
    for (const chip of reply.chips) this.chips.ignored.add(chip.id);
    this.search();
  }

  escape() {
    if (this.inPreview) this.leavePreview();
    else if (this.chips.similar) this.setQuery(this.query);
    else if (this.list.unpick()) return;
    else if (this.query !== "" || this.chips.any) this.setQuery("");
    else this.transport.ask("hide").catch(() => {});
  }

  enterPreview() {
    if (!this.result || this.inPreview) return this.inPreview && this.leavePreview();
    const sheet = byId("preview").querySelector(".sheet") ?? byId("preview");
    sheet.tabIndex = -1;
    sheet.focus();
    this.hints();
    return true;
  }

  leavePreview() {
    if (!this.inPreview) return false;
    this.focusField();
    this.hints();
    return true;
  }

  scrollPreview(key) {
    const sheet = byId("preview").querySelector(".sheet");
    const page = (sheet?.clientHeight ?? 0) * 0.9;
    const by = { ArrowDown: 42, ArrowUp: -42, PageDown: page, PageUp: -page, Home: -1e7, End: 1e7 }[key];
    if (!sheet || by === undefined) return false;
    sheet.scrollBy({ top: by });
    return true;
  }

  hasSelection() {
    const { selectionStart, selectionEnd } = this.field;
    return selectionStart !== selectionEnd && document.activeElement === this.field
      || getSelection().toString() !== "";
  }

  focusField() {
    if (document.activeElement !== this.field) this.field.focus();
  }

  hold(on) {
    this.root.classList.toggle("held", on);
  }

  busy(on) {
    clearTimeout(this.slow);
    if (on) this.slow = setTimeout(() => { byId("thinking").hidden = false; }, SLOW_MS);
    else byId("thinking").hidden = true;
  }

  hints() {
    const act = (run) => () => this.result && run(this.result);
    drawHints(byId("hints"), {
      open: () => this.choose(), reveal: act((one) => this.actions.reveal(one)),
      look: act((one) => this.actions.look(one)), actions: act((one) => this.actions.openMenu(one)),
      copyPath: act((one) => this.actions.copyPath(one)), copyPassage: act((one) => this.actions.copyPassage(one)),
      pack: () => this.actions.pack(), filters: () => this.chips.openMenu(),
      settings: () => this.showPage("settings"),
    }, { list: this.result !== null, picked: this.picked.length, byHand: this.inList });
  }

  async refreshStatus() {
    try {
      this.setStatus(await this.transport.ask("status"));
    } catch (error) {
      this.failed(error, { query: this.query });
    }
  }

  setStatus(status) {
    this.status = status;
    drawStatus(byId("status"), status, { openCoverage: () => this.showPage("coverage") });
  }

  happened(event) {
    if (event.type === "status") {
      const first = this.status?.folders.length === 0 && event.folders.length > 0;
      this.setStatus(event);
      if (first && this.query === "") this.showEmpty();
    } else if (event.type === "changed") {
      this.preview.forget();
      this.refreshStatus();
      if (this.query !== "" && !this.list.byHand) this.search();
    } else if (event.type === "shown") {
      this.focusField();
      this.field.select();
      if (this.query === "") this.showEmpty();
    } else if (event.type === "query") {
      this.setQuery(event.query);
    }
  }

  async addFolder() {
    if (!(await addFolder(this.transport))) return;
    await this.refreshStatus();
    this.showEmpty();
  }

  showPage(page) {
    if (this.transport.host === "app") this.actions.tell("show_page", { page });
    else location.assign(`${page}.html`);
  }

  drag(row, event) {
    if (!row.result) return;
    const ids = (row.picked ? this.picked : [row.result]).map((result) => result.id);
    if (this.transport.host === "app") {
      event.preventDefault();
      this.actions.tell("drag", { ids });
    } else {
      event.dataTransfer.setData("text/plain", row.result.path);
    }
  }

  /* A folder dropped in the app is taken by its window; here it must only not replace the page. */
  listenDrops() {
    const over = (event, on) => {
      event.preventDefault();
      byId("drop").hidden = !(on && [...(event.dataTransfer?.types ?? [])].includes("Files"));
    };
    document.addEventListener("dragover", (event) => over(event, true));
    document.addEventListener("dragleave", (event) => over(event, false));
    document.addEventListener("drop", (event) => over(event, false));
  }
}

function recentRows({ searches, files }) {
  return [
    ...searches.map((query) => ({
      key: `search ${query}`, stamp: query, section: "Recent searches", query, build: () => searchRow(query),
    })),
    ...files.map((result) => ({
      key: rowKey(result), stamp: JSON.stringify(result), section: "Recent files", result, build: () => resultRow(result),
    })),
  ];
}

drawSprite();
new Panel(openTransport()).start();
