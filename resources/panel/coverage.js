/** Which files can be found, and which cannot, and why? The ledger, with the way to change it. */
import { bars, treemap } from "./chart.js";
import { byId, el, foreign, replace } from "./dom.js";
import { fileName, formatCount, formatFolder, formatNumber, formatShare, formatSize } from "./format.js";
import { drawSprite, fileIcon, glyph } from "./icons.js";
import { kindLabel } from "./labels.js";
import { followLooks } from "./looks.js";
import { toast, toastError } from "./toast.js";
import { openTransport } from "./transport.js";

const PAGE = 100;
const STATES = { indexed: "Searchable", skipped: "Left out", failed: "Unreadable", evicted: "In the cloud", missing: "Not reachable" };

const filter = { state: "", reason: "" };
let files = [];
let place = { state: 0, offset: 0 };
let shares = [];
let turns = 0;
let transport = null;

function start() {
  drawSprite();
  transport = openTransport();
  followLooks(transport);
  if (transport.host === "browser") {
    replace(byId("back"), el("button", { class: "icon-button", type: "button", "aria-label": "Back to the search", onclick: leave }, glyph("back", 18)));
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leave();
  });
  transport.listen((event) => {
    if (event.type === "changed" && files.length <= PAGE) load();
  });
  load();
}

const leave = () => {
  if (transport.host === "app") transport.ask("hide").catch(() => {});
  else location.assign("index.html");
};

/* Without a filter the states come one after the other, the worst first; what can be found is not
   listed here. */
const wantedStates = () => (filter.state ? [filter.state] : ["failed", "evicted", "missing", "skipped"]);

async function load({ more = false } = {}) {
  const turn = ++turns;
  const from = more ? { files, place } : { files: [], place: { state: 0, offset: 0 } };
  try {
    const page = await readPage(from.place);
    // A newer load has begun meanwhile: only one may draw.
    if (turn !== turns) return;
    files = [...from.files, ...page.files];
    place = page.place;
    draw(page.found);
  } catch (error) {
    replace(byId("summary"), error.message || "Sagasu is not answering.");
    replace(byId("more"), el("button", { class: "button first", type: "button", onclick: () => load() }, "Try Again"));
  }
}

/* The next rows from `start` on, out of as many states as it takes, and where to go on. */
async function readPage(start) {
  const states = wantedStates();
  const page = { files: [], place: start, found: null };
  while (page.files.length < PAGE && page.place.state < states.length) {
    const { state, offset } = page.place;
    const limit = PAGE - page.files.length;
    page.found = await transport.ask("coverage", { state: states[state], reason: filter.reason, limit, offset });
    const full = page.found.files.length === limit;
    page.files.push(...page.found.files);
    page.place = full ? { state, offset: offset + limit } : { state: state + 1, offset: 0 };
  }
  return page;
}

function draw(found) {
  const count = (wanted) => found.tallies.filter(wanted).reduce((sum, tally) => sum + tally.count, 0);
  const total = count(() => true);
  const indexed = count((tally) => tally.state === "indexed");
  replace(byId("summary"), total === 0 ? "No file has been seen yet."
    : `${formatCount(indexed)} of ${formatNumber(total, "file")} can be found (${formatShare(indexed, total)}). ${formatCount(total - indexed)} cannot, each for a reason.`);
  drawPictures(found);
  drawFilters(found);
  replace(byId("ledger"), files.length > 0
    ? files.map(entry)
    : el("p", { class: "none" }, filter.state ? "No file is in this state." : "Everything that was seen can be found."));
  const left = count((tally) => wantedStates().includes(tally.state) && (!filter.reason || tally.reason === filter.reason)) - files.length;
  replace(byId("more"), left > 0 && place.state < wantedStates().length
    ? el("button", { class: "button", type: "button", onclick: () => load({ more: true }) }, `Show ${formatCount(Math.min(PAGE, left))} More`) : null);
}

function drawPictures(found) {
  // Only the first page of a list tells the kinds; they hold for the others.
  if (found.kinds.length > 0) shares = found.kinds;
  const kinds = shares.length > 0
    ? shares.map((share) => ({ ...share, name: kindLabel(share.name) })) : sharesByState(found.tallies);
  const legend = el("span", { class: "legend" },
    el("span", {}, el("i", { class: "key-in" }), "searchable"), el("span", {}, el("i", { class: "key-out" }), "not"));
  replace(byId("pictures"),
    kinds.length > 0 ? el("div", { class: "picture" }, el("h2", {}, shares.length > 0 ? "By kind" : "By state", legend), treemap(kinds)) : null,
    found.folders.length > 0 ? el("div", { class: "picture" }, el("h2", {}, "By folder"), bars(found.folders)) : null);
}

const sharesByState = (tallies) => Object.entries(STATES).map(([state, name]) => {
  const count = tallies.filter((tally) => tally.state === state).reduce((sum, tally) => sum + tally.count, 0);
  return { name, indexed: state === "indexed" ? count : 0, left_out: state === "indexed" ? 0 : count };
}).filter((share) => share.indexed + share.left_out > 0);

function drawFilters({ tallies }) {
  const left = tallies.filter((tally) => tally.state !== "indexed");
  const pill = (label, count, state, reason) => el("button", {
    class: "pill", type: "button", dir: "auto",
    "aria-pressed": String(filter.state === state && filter.reason === reason),
    onclick: () => {
      Object.assign(filter, { state, reason });
      load();
    },
  }, sentence(label), el("b", {}, formatCount(count)));
  replace(byId("filters"),
    pill("All that cannot be found", left.reduce((sum, tally) => sum + tally.count, 0), "", ""),
    left.map((tally) => pill(tally.reason || (STATES[tally.state] ?? tally.state), tally.count, tally.state, tally.reason)));
}

function entry(file) {
  const act = (label, run) => el("button", { class: "button", type: "button", "aria-label": `${label}: ${fileName(file.path)}`, onclick: run }, label);
  return el("div", { class: "entry", "data-path": file.path },
    fileIcon(file.kind, file.path),
    el("div", {},
      foreign("div", "name", fileName(file.path)),
      el("div", { class: "where", dir: "auto", title: file.path }, formatFolder(file.path), file.size ? ` · ${formatSize(file.size)}` : ""),
      el("div", { class: "reason", dir: "auto" }, sayReason(file), file.hint ? ` · ${file.hint}` : "")),
    file.state === "skipped"
      ? act("Include Anyway", () => change("include_anyway", { path: file.path }, "It is read now"))
      : file.state !== "indexed" ? act("Try Again", () => change("retry", { paths: [file.path] }, "It is read once more")) : null);
}

/* "In the cloud: in the cloud, not here" says it twice: then the reason stands alone. */
function sayReason({ state, reason }) {
  const name = STATES[state] ?? state;
  const same = reason.toLowerCase().startsWith(name.toLowerCase());
  return [el("b", { class: state }, same ? sentence(reason) : name), reason && !same ? `: ${reason}` : ""];
}

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

async function change(name, fields, said) {
  try {
    await transport.ask(name, fields);
    toast(said);
    load();
  } catch (error) {
    toastError(error);
  }
}

start();
