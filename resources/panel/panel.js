/**
 * The panel: one field, the rows that answer it, the passage of the row one is on.
 *
 * This file only joins the parts; each of them answers its own question.
 */
import { Actions } from "./actions.js";
import { Asking } from "./asking.js";
import { Chips } from "./chips.js";
import { byId, replace } from "./dom.js";
import { addFolder } from "./folders.js";
import { Ghost } from "./ghost.js";
import { drawSprite, glyph } from "./icons.js";
import { List } from "./list.js";
import { followLooks } from "./looks.js";
import { explanationSheet, Preview } from "./preview.js";
import { Showing } from "./showing.js";
import { drawHints, drawStatus } from "./status.js";
import { asked } from "./timings.js";
import { toastError } from "./toast.js";
import { openTransport } from "./transport.js";
import { listenKeys } from "./typing.js";

const LIMIT = 30;
/* While one types, the preview of the first row waits for a pause. */
const PREVIEW_PAUSE_MS = 90;
const SLOW_MS = 250;
const REPAIR_MS = 700;
const REPAIR_TURNS = 120;

class Panel {
  constructor(transport) {
    this.transport = transport;
    this.field = byId("query");
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
      changed: () => this.search(), folders: () => this.showing.status?.folders ?? [],
      cut: (text) => { this.field.value = this.query.replace(text, "").replace(/\s+/g, " ").trim(); },
    });
    this.showing = new Showing({ list: this.list, preview: this.preview, chips: this.chips, acts: this.acts() });
    this.asking = new Asking(transport, {
      answered: (reply, stage, request) => this.showing.answered(reply, stage, request),
      failed: (error, request) => this.showing.failed(error, request), busy: (on) => this.busy(on),
    });
  }

  /* What the buttons of the states do. */
  acts() {
    return {
      ask: (text) => this.setQuery(text), retry: () => this.retry(), repair: () => this.repair(), hints: () => this.hints(), moved: () => this.inList,
      addFolder: () => this.addFolder(), openCoverage: () => this.showPage("coverage"),
      exactly: () => {
        this.chips.mode = "exact";
        this.search();
      },
      dropFilters: (reply) => {
        this.chips.reset();
        for (const chip of reply.chips) this.chips.putBack(chip);
        this.search();
      },
    };
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
    listenDrops();
    this.transport.listen((event) => this.happened(event));
    followLooks(this.transport);
    this.hints();
    const given = new URLSearchParams(location.search).get("q");
    if (given) this.setQuery(given);
    this.refreshStatus().then((fine) => fine && !this.query && this.showEmpty());
    this.field.focus();
  }

  /** The field has changed: one is no longer among the rows. */
  typed() {
    this.list.byHand = false;
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
    if (this.chips.similar) this.showSimilar(this.chips.similar);
    else if (this.query.trim() === "" && !this.chips.any) this.showEmpty();
    else asked(this.asking.ask({ query: this.query, limit: LIMIT, ...this.chips.request() }));
  }

  async retry() {
    if (await this.refreshStatus()) this.search();
    this.focusField();
  }

  /** Has the index mended; asks until the service is back, then searches again. */
  async repair() {
    this.showing.repairing();
    try {
      await this.transport.ask("repair");
    } catch (error) {
      this.showing.failed(error, { query: this.query });
      return;
    }
    for (let turn = 0; turn < REPAIR_TURNS; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, REPAIR_MS));
      const status = await this.transport.ask("status").catch(() => null);
      // What still answers is the old service, which ends now.
      if (status && turn > 0 && status.state !== "problem") break;
    }
    await this.retry();
  }

  /** The empty field: what was searched and opened before, or the first step. */
  async showEmpty() {
    this.asking.cancel();
    this.showing.clear();
    const { status } = this.showing;
    if (status && status.folders.length === 0 && status.documents === 0 && status.state !== "starting") {
      this.showing.onboarding();
      return;
    }
    const still = () => this.query.trim() === "" && !this.chips.any;
    try {
      const recent = await this.transport.ask("recent", { limit: 8 });
      if (still()) this.showing.recent(recent);
    } catch (error) {
      if (still()) this.showing.failed(error, { query: "" });
    }
  }

  moved(row, byHand) {
    this.hints();
    if (row?.result) this.preview.show(row.result, this.query, { wait_ms: byHand ? 0 : PREVIEW_PAUSE_MS });
    else if (row) this.showing.introduce();
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
      this.showing.similar(results);
    } catch (error) {
      toastError(error);
    }
  }

  /** One step back: out of the preview, of similar files, of a selection, of the query, away. */
  escape() {
    if (this.leavePreview()) return;
    if (this.chips.similar) this.typed();
    else if (this.list.unpick()) return;
    else if (this.query !== "" || this.chips.any) this.setQuery("");
    else this.transport.ask("hide").catch(() => {});
  }

  enterPreview() {
    if (this.inPreview) return this.leavePreview();
    if (!this.result) return false;
    byId("preview").focus();
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
    const inField = document.activeElement === this.field && selectionStart !== selectionEnd;
    return inField || getSelection().toString() !== "";
  }

  focusField() {
    if (document.activeElement !== this.field) this.field.focus();
  }

  /** ⌘ is held: the numbers and the other keys show themselves. */
  hold(on) {
    byId("panel").classList.toggle("held", on);
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

  /** Asks for the status line; resolves to whether something answered. */
  async refreshStatus() {
    try {
      this.setStatus(await this.transport.ask("status"));
      return true;
    } catch (error) {
      this.showing.failed(error, { query: this.query });
      return false;
    }
  }

  setStatus(status) {
    this.showing.status = status;
    drawStatus(byId("status"), status, { openCoverage: () => this.showPage("coverage"), repair: () => this.repair() });
  }

  happened(event) {
    if (event.type === "status") {
      const first = this.showing.status?.folders.length === 0 && event.folders.length > 0;
      this.setStatus(event);
      if (first && this.query === "") this.showEmpty();
    } else if (event.type === "changed") {
      this.preview.forget();
      this.refreshStatus();
      // Rows one has gone to, or scrolled to, stay; the next keystroke brings the news.
      if (!this.inList && byId("list").scrollTop === 0 && this.query !== "") this.search();
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
    this.search();
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
}

/* A folder dropped in the app is taken by its window; here it must only not replace the page. */
function listenDrops() {
  const over = (event, on) => {
    event.preventDefault();
    byId("drop").hidden = !(on && [...(event.dataTransfer?.types ?? [])].includes("Files"));
  };
  document.addEventListener("dragover", (event) => over(event, true));
  document.addEventListener("dragleave", (event) => over(event, false));
  document.addEventListener("drop", (event) => over(event, false));
}

drawSprite();
new Panel(openTransport()).start();
