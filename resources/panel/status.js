/** How far is the index? One honest line, and the keys that help right now. */
import { told } from "./dialog.js";
import { el, replace } from "./dom.js";
import { formatCount, formatNumber, formatShare, shortPaths } from "./format.js";
import { glyph } from "./icons.js";
import { keyLabel, SHORTCUTS } from "./keys.js";

/** The sentences of the status line: {text, bar: 0..1 or null, off: why meaning is off}. */
export function statusText(status) {
  const { state, files_done, files_total, passages_done, passages_total } = status;
  const meaning = passages_total > 0 && passages_done < passages_total;
  const parts = [];
  if (state === "starting") parts.push("Starting…");
  if (state === "paused") parts.push("Paused");
  if (state === "indexing" && files_total > 0 && files_done < files_total) {
    parts.push(`Indexing ${formatCount(files_done)} of ${formatCount(files_total)}`);
  } else if (state !== "starting") {
    parts.push(status.folders.length === 0 && status.documents === 0 ? "No folders yet" : formatNumber(status.documents, "file"));
  }
  if (status.semantic.on && meaning) parts.push(`meaning ${formatShare(passages_done, passages_total)}`);
  const share = meaning && status.semantic.on
    ? passages_done / passages_total
    : state === "indexing" && files_total > 0 ? files_done / files_total : null;
  return { text: parts.join(" · "), bar: share, off: status.semantic.on ? "" : status.semantic.reason || "Searching by meaning is off" };
}

/** Draws the status line; `openCoverage` is called from the number of files left out. */
export function drawStatus(root, status, { openCoverage, repair }) {
  if (!status) {
    replace(root);
    return;
  }
  if (status.state === "problem") {
    replace(root, el("span", { class: "off", title: status.hint }, glyph("warn", 13),
      el("span", {}, shortPaths(status.problem || "Something is wrong"), status.remedy ? "" : ` ${status.hint}`)),
    status.remedy === "repair" ? el("button", { class: "link", type: "button", onclick: repair }, "Repair…") : null);
    return;
  }
  const { text, bar, off } = statusText(status);
  const meter = bar === null ? null : el("span", {
    class: "bar", role: "progressbar", "aria-label": "Indexing", "aria-valuemin": "0",
    "aria-valuemax": "100", "aria-valuenow": Math.floor(bar * 100),
  }, el("i"));
  meter?.style.setProperty("--done", `${(bar * 100).toFixed(1)}%`);
  replace(root, meter, el("span", {}, text),
    status.not_searchable > 0 && text ? el("span", { class: "dot", "aria-hidden": "true" }, "·") : null,
    status.not_searchable > 0
      ? el("button", { class: "link", type: "button", onclick: openCoverage, title: "Show which, and why" },
        `${formatCount(status.not_searchable)} not searchable`) : null,
    off ? el("span", { class: "off", title: off }, glyph("warn", 13), el("span", {}, `Meaning off: ${short(off)}`)) : null,
    problemsButton(status.problems.map(shortPaths)));
}

/* The first problem as a sentence; a click tells all of them whole. */
function problemsButton(problems) {
  if (problems.length === 0) return null;
  return el("button", {
    class: "off problems", type: "button", title: problems.join("\n"), onclick: () => told(formatNumber(problems.length, "thing") + " to know", problems),
  }, glyph("warn", 13), el("span", {}, problems[0]),
    problems.length > 1 ? el("b", {}, `+${problems.length - 1}`) : null);
}

const short = (reason) => reason.replace(/^searching by meaning is off:?\s*/i, "");

/** Draws the key hints; `acts` maps names of SHORTCUTS to what a click does. */
export function drawHints(root, acts, { list = true, picked = 0, byHand = false } = {}) {
  const state = `${list} ${picked} ${byHand}`;
  if (root.dataset.state === state) return;
  root.dataset.state = state;
  const hint = (label, name, more = false, keys = SHORTCUTS[name]) => el("button", {
    class: `hint${more ? " more" : ""}`, type: "button", tabindex: "-1", "data-act": name,
    onmousedown: (event) => event.preventDefault(), onclick: acts[name],
  }, label, el("kbd", {}, keyLabel(keys)));
  const gear = el("button", { class: "icon-button", type: "button", "aria-label": "Settings", title: `Settings ${keyLabel(SHORTCUTS.settings)}`, onclick: acts.settings }, glyph("gear", 15));
  if (!list) {
    replace(root, gear);
    return;
  }
  replace(root,
    picked > 0 ? hint(`Pack ${picked}`, "pack") : null,
    hint("Open", "open"), hint("Reveal", "reveal", picked > 0),
    hint("Look", "look", false, byHand ? "Space" : SHORTCUTS.look), hint("Actions", "actions"),
    hint("Path", "copyPath", true), hint("Passage", "copyPassage", true), hint("Filters", "filters", true),
    gear);
}
