/**
 * How is a filter said in a chip? As a person would say it, not as one types it.
 *
 *     kind:pdf → PDF      date:2025 → 2025      date:2026-10-20..2026-11-18 → 20 Oct – 18 Nov 2026
 *     ext:md → .md        size:>2mb → > 2 MB    lang:de → German      -in:Work → not in Work
 */

/** Kinds of files as the service names them, and as people do. */
export const KINDS = Object.freeze([
  ["pdf", "PDF"], ["word", "Word"], ["sheet", "Spreadsheet"], ["slides", "Presentation"],
  ["markdown", "Markdown"], ["text", "Plain text"], ["code", "Code"], ["mail", "Mail"],
  ["web", "Web page"], ["ebook", "Book"], ["image", "Image"], ["audio", "Sound"],
  ["video", "Video"], ["data", "Data"],
]);

/** "Spreadsheet" for "sheet"; a kind without a name of its own with a capital */
export const kindLabel = (kind) => KINDS.find(([name]) => name === kind)?.[1] ?? capital(kind);

const FILTER = /^(-?)([a-z]+):([<>]=?)?(.+)$/s;

/** The words on a chip whose label is a filter; any other label is shown as it is. */
export function chipLabel(label) {
  const found = FILTER.exec(label);
  if (!found || !Object.hasOwn(SAY, found[2])) return label;
  const [, negated, name, op = "", value] = found;
  const said = SAY[name](value, op);
  return negated ? `not ${said}` : said;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const SAY = {
  kind: kindLabel,
  ext: (value) => value.split(",").map((ending) => `.${ending.trim().replace(/^\./, "")}`).join(", "),
  in: (value) => `in ${value.split("/").filter(Boolean).at(-1) ?? value}`,
  tree: (value) => `in ${value}`,
  date: (value, op) => [OPS[op], sayDays(value)].filter(Boolean).join(" "),
  created: (value, op) => ["made", OPS[op], sayDays(value)].filter(Boolean).join(" "),
  after: (value) => `since ${sayDays(value)}`,
  before: (value) => `before ${sayDays(value)}`,
  size: (value, op) => `${op} ${value.replace(/(\d)\s*([kmgt]?)b?$/i, (all, digit, unit) => `${digit} ${unit.toUpperCase()}B`)}`.trim(),
  lang: (value) => sayLanguage(value),
  is: (value) => capital(value),
};
const OPS = { "<": "before", "<=": "until", ">": "after", ">=": "since" };

function sayLanguage(code) {
  try {
    return new Intl.DisplayNames(undefined, { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

function sayDays(value) {
  const [first, last] = value.split("..");
  if (last === undefined) return sayDay(first, true);
  if (!first || !last) return first ? `since ${sayDay(first, true)}` : `until ${sayDay(last, true)}`;
  return `${sayDay(first, first.slice(0, 4) !== last.slice(0, 4))} – ${sayDay(last, true)}`;
}

function sayDay(text, withYear) {
  const found = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?$/.exec(text);
  if (!found || !found[2]) return text;
  const [, year, month, day] = found;
  const form = { month: day ? "short" : "long", ...(day && { day: "numeric" }), ...((withYear || !day) && { year: "numeric" }) };
  return new Intl.DateTimeFormat(undefined, form).format(new Date(year, month - 1, day ?? 1));
}
