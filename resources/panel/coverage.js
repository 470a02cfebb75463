/** Which files can be found, and which cannot, and why? The ledger, with the way to change it. */
import { bars, treemap } from "./chart.js";
import { byId, el, foreign, replace } from "./dom.js";
import { fileName, formatCount, formatFolder, formatNumber, formatShare, formatSize } from "./format.js";
import { drawSprite, fileIcon, glyph } from "./icons.js";
import { followLooks } from "./looks.js";
import { toast, toastError } from "./toast.js";
import { openTransport } from "./transport.js";

const PAGE = 100;
const STATES = { indexed: "Searchable", skipped: "Left out", failed: "Unreadable", evicted: "In the cloud", missing: "Not reachable" };

const filter = { state: "", reason: "" };
let files = [];
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

async function load(offset = 0) {
  try {
    const found = await transport.ask("coverage", { ...filter, limit: PAGE, offset });
    files = offset === 0 ? found.files : [...files, ...found.files];
    draw(found);
  } catch (error) {
    replace(byId("summary"), error.message || "Sagasu is not answering.");
    replace(byId("more"), el("button", { class: "button first", type: "button", onclick: () => load() }, "Try Again"));
  }
}

function draw(found) {
  const total = found.tallies.reduce((sum, tally) => sum + tally.count, 0);
  const indexed = found.tallies.reduce((sum, tally) => sum + (tally.state === "indexed" ? tally.count : 0), 0);
  replace(byId("summary"), total === 0 ? "No file has been seen yet."
    : `${formatCount(indexed)} of ${formatNumber(total, "file")} can be found (${formatShare(indexed, total)}). ${formatCount(total - indexed)} cannot, each for a reason.`);
  drawPictures(found);
  drawFilters(found);
  const rows = files.filter((file) => filter.state === "indexed" || file.state !== "indexed");
  replace(byId("ledger"), rows.length > 0
    ? rows.map(entry)
    : el("p", { class: "none" }, filter.state || filter.reason ? "No file is in this state." : "Everything that was seen can be found."));
  replace(byId("more"), files.length < found.total
    ? el("button", { class: "button", type: "button", onclick: () => load(files.length) }, `Show ${formatCount(Math.min(PAGE, found.total - files.length))} More`) : null);
}

function drawPictures(found) {
  const kinds = found.kinds.length > 0 ? found.kinds : sharesByState(found.tallies);
  const legend = el("span", { class: "legend" },
    el("span", {}, el("i", { class: "key-in" }), "searchable"), el("span", {}, el("i", { class: "key-out" }), "not"));
  replace(byId("pictures"),
    kinds.length > 0 ? el("div", { class: "picture" }, el("h2", {}, found.kinds.length > 0 ? "By kind" : "By state", legend), treemap(kinds)) : null,
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
  }, label, el("b", {}, formatCount(count)));
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
      el("div", { class: "reason", dir: "auto" }, el("b", { class: file.state }, STATES[file.state] ?? file.state),
        file.reason ? `: ${file.reason}` : "", file.hint ? ` · ${file.hint}` : "")),
    file.state === "skipped"
      ? act("Include Anyway", () => change("include_anyway", { path: file.path }, "It is read now"))
      : file.state !== "indexed" ? act("Try Again", () => change("retry", { paths: [file.path] }, "It is read once more")) : null);
}

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
