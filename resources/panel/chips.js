/**
 * What narrows the search? Filters chosen here, and those that plain language was understood as:
 * both are chips, both can be taken away.
 */
import { el, replace } from "./dom.js";
import { fileName } from "./format.js";
import { glyph } from "./icons.js";
import { keyLabel, SHORTCUTS } from "./keys.js";
import { chipLabel, KINDS } from "./labels.js";
import { openMenu } from "./menu.js";

/* Label → the day from which on; days are local, as people mean them. */
const DATES = [
  ["Today", () => daysAgo(0)], ["Yesterday and today", () => daysAgo(1)],
  ["Last 7 days", () => daysAgo(7)], ["Last 30 days", () => daysAgo(30)],
  ["This year", () => `${new Date().getFullYear()}-01-01`],
  ["Last 12 months", () => daysAgo(365)],
];

export const MODES = Object.freeze([
  ["", "Best match", "names, words and meaning"], ["names", "Names", "of files and folders"],
  ["bm25", "Words", "and their forms"], ["semantic", "Meaning", "whatever the words"],
  ["exact", "Exact text", "letter by letter"], ["fuzzy", "Typos", "words that look alike"],
  ["phonetic", "Sound", "words that sound alike"],
]);

export class Chips {
  /** `changed()`: the search has to be made anew; `cut(text)`: take this out of the query. */
  constructor(root, { changed, folders, cut }) {
    this.root = root;
    this.changed = changed;
    this.folders = folders;
    this.cut = cut;
    this.understood = [];
    this.reset();
  }

  /** No filter, nothing ignored, the best mode. */
  reset() {
    this.filters = new Map();
    this.ignored = new Set();
    this.mode = "";
    this.similar = null;
  }

  /** The part of a search request that the chips are. */
  request() {
    const filters = Object.fromEntries([...this.filters].map(([name, { value }]) => [name, value]));
    return { filters, ignore_chips: [...this.ignored], mode: this.mode };
  }

  get any() {
    return this.filters.size > 0 || this.mode !== "" || this.similar !== null;
  }

  /** Shows the bar; `understood` are the chips that the service read from the query. */
  show(understood, visible) {
    this.understood = understood;
    this.root.hidden = !visible;
    if (!visible) return;
    const own = [...this.filters].map(([name, { label }]) =>
      this.chip(label, name, () => this.filters.delete(name)));
    const read = understood.filter((chip) => !this.isOwn(chip)).map((chip) =>
      this.chip(chipLabel(chip.label), chip.kind, () => this.putBack(chip), chip.text));
    replace(this.root,
      this.similar ? this.chip(`Similar to ${this.similar.title}`, "similar", () => { this.similar = null; }) : null,
      own, read,
      this.button("Kind", "kind"), this.button("Folder", "folder"), this.button("Date", "date"),
      el("span", { class: "spring" }),
      this.modeButton());
  }

  /* Chosen here and understood there: one chip is enough. */
  isOwn(chip) {
    return [...this.filters].some(([name, { value }]) => chip.id === `${name}:${value}`);
  }

  /* Words that were read as a filter become words again; a filter that was typed is taken out. */
  putBack(chip) {
    if (chip.text) this.ignored.add(chip.text);
    else this.cut(chip.label);
  }

  chip(label, name, remove, words = "") {
    const gone = () => {
      remove();
      this.changed();
    };
    return el("span", { class: "chip on", "data-chip": name, title: words ? `Read from “${words}”` : null },
      el("span", { dir: "auto" }, label),
      el("button", { class: "remove", type: "button", "aria-label": `Remove the filter ${label}`, onclick: gone }, glyph("close", 11)));
  }

  button(label, name) {
    return el("button", {
      class: "chip", type: "button", "aria-haspopup": "dialog", "aria-expanded": "false",
      "data-filter": name, onclick: (event) => this.openMenu(name, event.currentTarget),
    }, el("span", {}, label), glyph("chevron", 11));
  }

  modeButton() {
    const [, label] = MODES.find(([mode]) => mode === this.mode);
    return el("button", {
      class: "chip", type: "button", "aria-haspopup": "dialog", "aria-expanded": "false",
      "data-filter": "mode", "aria-label": `Search by: ${label}`,
      onclick: (event) => this.openMenu("mode", event.currentTarget),
    }, el("span", {}, label), glyph("chevron", 11));
  }

  /** The menu of one filter, or of all of them (⌘L). */
  openMenu(name = "", anchor = null) {
    const items = this.items().filter((item) => !name || item.name === name);
    const shown = this.root.hidden ? null : anchor ?? this.root.querySelector(`[data-filter="${name || "kind"}"]`);
    openMenu({
      title: "Filters", placeholder: `Filter by…   ${keyLabel(SHORTCUTS.filters)}`, items,
      anchor: shown ?? document.getElementById("field"),
    });
  }

  items() {
    const set = (name, value, label) => () => {
      this.filters.set(name, { value, label });
      this.changed();
    };
    const is = (name, value) => this.filters.get(name)?.value === value;
    return [
      ...KINDS.map(([value, label]) => ({ name: "kind", group: "Kind", label, on: is("kind", value), run: set("kind", value, label) })),
      ...this.folders().map((path) => ({
        name: "folder", group: "Folder", glyph: "folder", label: fileName(path) || path, note: "",
        on: is("in", path), run: set("in", path, `in ${fileName(path) || path}`),
      })),
      ...DATES.map(([label, day]) => ({ name: "date", group: "Date", glyph: "calendar", label, run: set("after", day(), label) })),
      ...MODES.map(([mode, label, note]) => ({
        name: "mode", group: "Search by", label, note, on: this.mode === mode,
        run: () => {
          this.mode = mode;
          this.changed();
        },
      })),
    ];
  }
}

function daysAgo(days) {
  const day = new Date();
  day.setDate(day.getDate() - days);
  const two = (value) => String(value).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
