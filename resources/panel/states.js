/** What is shown when there are no rows? Every such state in words, with the way out of it. */
import { el } from "./dom.js";
import { formatCount, formatNumber } from "./format.js";
import { glyph } from "./icons.js";
import { keyLabel, SHORTCUTS } from "./keys.js";
import { SIMILAR } from "./messages.js";

const button = (label, run, first = false) =>
  el("button", { class: `button${first ? " first" : ""}`, type: "button", onclick: run }, label);

/** No folder yet: nothing can be found. */
export const onboarding = ({ addFolder }) => [
  el("span", { class: "big" }, glyph("folder", 40)),
  el("h2", {}, "Choose what to search"),
  el("p", {}, "Sagasu reads only the folders that you add. Names and words are ready within seconds, meaning follows. Nothing leaves this computer."),
  el("div", { class: "acts" }, button("Add Folder…", addFolder, true)),
];

/** The service is gone. */
export const unreachable = (error, { retry }) => [
  el("span", { class: "big" }, glyph("warn", 36)),
  el("h2", {}, "Sagasu is not answering"),
  el("p", {}, "The search service has stopped or is starting. What you typed is kept."),
  el("div", { class: "acts" }, button("Try Again", retry, true)),
];

/** What answers speaks otherwise: another version, or not our service at all. */
export const misunderstood = (error, { retry }) => [
  el("span", { class: "big" }, glyph("warn", 36)),
  el("h2", {}, "The answer cannot be read"),
  el("p", {}, "The service and this page are of different versions. Starting Sagasu anew helps."),
  el("p", {}, error.message),
  el("div", { class: "acts" }, button("Try Again", retry, true)),
];

/** The index cannot be read: it can be made sound at a click. */
export const damaged = ({ repair, retry }) => [
  el("span", { class: "big" }, glyph("warn", 36)),
  el("h2", {}, "The index is damaged"),
  el("p", {}, "Your files are not touched. Sagasu puts the damaged index aside and reads your folders again; names and words are back within minutes, meaning follows."),
  el("div", { class: "acts" }, button("Repair", repair, true), button("Try Again", retry)),
];

/** The index is being mended. */
export const repairing = () => [
  el("span", { class: "big" }, glyph("retry", 36)),
  el("h2", {}, "Repairing the index…"),
  el("p", {}, "Sagasu is back in a moment."),
];

/** The service answered, and said no. */
export const refused = (error, acts) => (error.kind === "IndexDamagedError" ? damaged(acts) : plainRefusal(error, acts));

const plainRefusal = (error, { retry }) => [
  el("span", { class: "big" }, glyph("warn", 36)),
  el("h2", { dir: "auto" }, error.message),
  error.hint ? el("p", { dir: "auto" }, error.hint) : null,
  el("div", { class: "acts" }, button("Try Again", retry, true)),
];

/** Nothing fits; with what could change that. */
export function nothing(reply, { openCoverage, dropFilters, filtered }) {
  const { indexed, total, waiting } = reply.coverage;
  const left = Math.max(0, total - indexed);
  return [
    el("span", { class: "big" }, glyph("search", 36)),
    el("h2", {}, reply.nothing_relevant ? "Nothing relevant" : "Nothing found"),
    el("p", {}, reply.nothing_relevant
      ? "No file is close enough to this to be worth your time."
      : "No name, word or meaning in your files fits this."),
    waiting > 0 ? el("p", {}, `${formatNumber(waiting, "file")} ${waiting === 1 ? "is" : "are"} still being read; this list grows by itself.`) : null,
    left > 0 ? el("p", {}, `${formatCount(indexed)} of ${formatNumber(total, "file")} ${indexed === 1 ? "is" : "are"} searchable.`) : null,
    el("div", { class: "acts" },
      filtered ? button("Search Without Filters", dropFilters, true) : null,
      left > 0 ? button("Show What Is Left Out", openCoverage) : null),
  ];
}

/** The right half of the empty state. */
export function introduction({ ask }) {
  const tries = ["pdf contracts from last year", "notes about the move, last 30 days", "\"exact phrase\" -draft"];
  const rows = [
    [keyLabel(SHORTCUTS.open), "open"], [keyLabel(SHORTCUTS.reveal), "show in its folder"],
    [keyLabel(SHORTCUTS.look), "Quick Look"], [keyLabel(SHORTCUTS.filters), "filters"],
    [keyLabel(SHORTCUTS.actions), "all actions"],
  ];
  return [
    el("div", { class: "tries" },
      el("h2", {}, "Ask as you would say it"),
      tries.map((text) => el("button", { class: "link", type: "button", onclick: () => ask(text) }, text))),
    el("dl", {}, rows.flatMap(([keys, text]) => [el("dt", {}, el("kbd", {}, keys)), el("dd", {}, text)])),
  ];
}

/** “Did you mean”, and what was searched instead. */
export function notices(reply, { ask, exactly }) {
  const shown = [];
  if (reply.auto_fuzzy) {
    shown.push(el("div", { class: "notice" }, el("span", {}, reply.auto_fuzzy === SIMILAR ? "No exact match. Showing " : "No exact match. Showing results for ",
      el("bdi", {}, el("strong", {}, reply.auto_fuzzy)), "."),
    el("button", { class: "link", type: "button", onclick: exactly }, "Search as typed")));
  } else if (reply.suggestions.length > 0) {
    shown.push(el("div", { class: "notice" }, el("span", {}, "Did you mean"),
      reply.suggestions.slice(0, 3).map((one) =>
        el("button", { class: "link", type: "button", dir: "auto", onclick: () => ask(one.query) }, one.text))));
  }
  return shown;
}

/** The query cannot be read: where, and what would be right. */
export function syntaxNotice(error, query) {
  const caret = error.position === null ? null
    : el("pre", { "aria-hidden": "true" }, `${query}\n${" ".repeat(Math.min(error.position, query.length))}^`);
  return el("div", { class: "notice warn" }, glyph("warn", 14),
    el("span", { dir: "auto" }, error.message, error.hint ? ` ${error.hint}` : "", caret));
}
