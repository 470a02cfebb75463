/**
 * What may this page ask, and what must come back? The other half of app/messages.py.
 *
 * Every message is one JSON object {name, …fields}; the answer comes in an envelope:
 *
 *     {"ok": true, "value": {…}}
 *     {"ok": false, "error": {"kind": "…", "say": "…", "hint": "…"}}
 *     {"ok": false, "superseded": true}          a newer search overtook this one
 *
 * Answers are checked here, once: what passes has every field named below, of the right kind, so
 * the rest of the page never asks whether something is there. Offsets count characters (code
 * points), as Python does.
 *
 * @typedef {[number, number]} Range            [start, end)
 * @typedef {{heading: string, trail: string[], kind: string, page: ?number, line: ?number}} Location
 * @typedef {{rank: number, id: string, path: string, title: string, score: number,
 *   keyword_score: number, semantic_score: number, snippet: string, highlights: Range[],
 *   location: Location, chunk: number, kind: string, modified: number, size: number,
 *   matched: string[], terms: string[], title_highlights: Range[], path_highlights: Range[],
 *   freshness: string, pinned: boolean, opened: string}} Result   matched: name, word, meaning
 * @typedef {{id: string, kind: string, label: string, text: string}} Chip
 *   kind: kind, folder, date, language …; text: the words of the query that it was read from
 * @typedef {{text: string, query: string}} Suggestion
 * @typedef {{query: string, sequence: number, query_time_ms: number, total: number,
 *   results: Result[], chips: Chip[], suggestions: Suggestion[], auto_fuzzy: string,
 *   nothing_relevant: boolean, coverage: {indexed: number, total: number, waiting: number},
 *   semantic: {on: boolean, reason: string}}} SearchReply
 *   auto_fuzzy: the query that was searched instead, empty when it was not needed
 * @typedef {{header: string[], rows: string[][], marks: [number, number, number, number][],
 *   hit: ?number}} Table             marks: row, column, start, end; hit: the row that matched best
 * @typedef {{title: string, path: string, trail: string[], kind: string, before: string,
 *   passage: string, after: string, highlights: Range[], meaning_range: ?Range, page: ?number,
 *   pages: ?number, line: ?number, language: string, code: boolean, table: ?Table,
 *   image_url: string}} PreviewReply
 *   language: of the code, or of the text; image_url: a data: address, or a path of this service
 * @typedef {{value: number, what: string, parts: Explanation[]}} Explanation
 * @typedef {{path: string, files: number, left_out: number, waiting: number, paused: boolean,
 *   problem: string}} Root
 * @typedef {{state: string, phase: string, files_done: number, files_total: number,
 *   passages_done: number, passages_total: number, documents: number, not_searchable: number,
 *   semantic: {on: boolean, reason: string}, folders: string[], problem: string, hint: string, remedy: string,
 *   problems: string[]}} StatusReply    remedy: repair, when a click can mend it
 *   state: starting, idle, indexing, paused, problem; problems: sentences, search goes on
 * @typedef {{key: string, kind: string, label: string, help: string, value: *,
 *   choices: {value: string, label: string}[], low: ?number, high: ?number, step: ?number,
 *   unit: string, action: string, press: string, confirm: string}} Field
 *   press: what stands on a button; without it its label
 *   kind: toggle, choice, number, slider, text, list, hotkey, button; folders, tokens and learned
 *   stand alone and have messages of their own
 * @typedef {{name: string, title: string, help: string, fields: Field[]}} Pane
 * @typedef {{path: string, state: string, reason: string, hint: string, kind: string, size: number,
 *   modified: number}} LedgerRow
 * @typedef {{state: string, reason: string, count: number}} Tally
 * @typedef {{name: string, indexed: number, left_out: number}} Share
 */

/** What `auto_fuzzy` says when the service names no query of its own. */
export const SIMILAR = "similar words";

/** The page understood the service, but the service says no; `hint` is what to do. */
export class Refusal extends Error {
  constructor(say, hint = "", kind = "", position = null) {
    super(say);
    this.name = "Refusal";
    this.hint = hint;
    this.kind = kind;
    this.position = position;
  }
}

/** A newer search overtook this one: nobody waits for its answer any more. */
export class Superseded extends Error {}

/** Nothing answers, or what answers is not our service. */
export class Unreachable extends Error {}

/** The answer is not what the contract says. */
export class Malformed extends Error {}

/* A shape is a function (value, where) → the checked value; optional ones bring their default. */
const kindOf = (value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
const fail = (where, wanted, value) => {
  throw new Malformed(`${where} must be ${wanted}, not ${kindOf(value)}`);
};
const text = (value, where) => (typeof value === "string" ? value : fail(where, "text", value));
const number = (value, where) =>
  typeof value === "number" && Number.isFinite(value) ? value : fail(where, "a number", value);
const flag = (value, where) =>
  typeof value === "boolean" ? value : fail(where, "true or false", value);
const any = (value) => value;
const list = (shape) => (value, where) =>
  Array.isArray(value)
    ? value.map((one, index) => shape(one, `${where}[${index}]`))
    : fail(where, "a list", value);
const opt = (shape, otherwise) => (value, where) =>
  value === undefined || value === null
    ? typeof otherwise === "function" ? otherwise() : otherwise
    : shape(value, where);
const record = (fields) => (value, where) => {
  if (kindOf(value) !== "object") fail(where, "an object", value);
  const checked = {};
  for (const key of Object.keys(fields)) checked[key] = fields[key](value[key], `${where}.${key}`);
  return checked;
};
const range = (value, where) =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isInteger)
    ? value
    : fail(where, "[start, end]", value);

const words = opt(text, "");
const count = opt(number, 0);
const maybe = opt(number, null);
const texts = opt(list(text), () => []);
const ranges = opt(list(range), () => []);
const meaning = record({ on: flag, reason: words });

const location = record({ heading: words, trail: texts, kind: words, page: maybe, line: maybe });
const nowhere = () => location({}, "location");
const result = record({
  rank: count, id: text, path: text, title: text, score: count, keyword_score: count,
  semantic_score: count, snippet: words, highlights: ranges, location: opt(location, nowhere),
  chunk: count, kind: words, modified: count, size: count, matched: texts, terms: texts,
  title_highlights: ranges, path_highlights: ranges, freshness: words,
  pinned: opt(flag, false), opened: words,
});
const chip = record({ id: text, kind: words, label: text, text: words });
const suggestion = (value, where) =>
  typeof value === "string"
    ? { text: value, query: value }
    : record({ text, query: text })(value, where);
const covered = record({ indexed: count, total: count, waiting: count });
const allCovered = () => covered({}, "coverage");
const searchReply = record({
  query: text, sequence: count, query_time_ms: count, total: count, results: list(result),
  chips: opt(list(chip), () => []), suggestions: opt(list(suggestion), () => []),
  auto_fuzzy: (value, where) => (value === false ? "" : value === true ? SIMILAR : words(value, where)),
  nothing_relevant: opt(flag, false), coverage: opt(covered, allCovered),
  semantic: opt(meaning, () => ({ on: true, reason: "" })),
});
const table = record({
  header: texts, rows: list(list(text)), marks: opt(list(list(number)), () => []),
  hit: maybe,
});
const previewReply = record({
  title: words, path: words, trail: texts, kind: words, before: words, passage: words, after: words,
  highlights: ranges, meaning_range: opt(range, null), page: maybe, pages: maybe, line: maybe,
  language: words, code: opt(flag, false), table: opt(table, null), image_url: words,
});
const explanation = (value, where) =>
  record({ value: number, what: text, parts: opt(list(explanation), () => []) })(value, where);
const root = record({
  path: text, files: count, left_out: count, waiting: count, paused: opt(flag, false),
  problem: words,
});
const folder = (value, where) => (typeof value === "string" ? value : root(value, where).path);
const status = record({
  state: text, phase: words, files_done: count, files_total: count, passages_done: count,
  passages_total: count, documents: count, not_searchable: count,
  semantic: opt(meaning, () => ({ on: true, reason: "" })),
  folders: opt(list(folder), () => []), problem: words, hint: words, remedy: words,
  problems: texts,
});
const choice = (value, where) =>
  typeof value === "string"
    ? { value, label: value }
    : record({ value: text, label: text })(value, where);
const field = record({
  key: words, kind: text, label: text, help: words, value: opt(any, null),
  choices: opt(list(choice), () => []), low: maybe, high: maybe, step: maybe, unit: words,
  action: words, press: words, confirm: words,
});
const pane = record({ name: text, title: text, help: words, fields: list(field) });
const settings = record({
  panes: list(pane), theme: opt(text, "system"), text_size: opt(text, "medium"),
  direction: opt(text, "auto"), hotkey: words, hide_on_open: opt(flag, true),
});
const ledgerRow = record({
  path: text, state: text, reason: words, hint: words, kind: words, size: count, modified: count,
});
const tally = record({ state: text, reason: words, count: number });
const share = record({ name: text, indexed: count, left_out: count });
const coverage = record({
  tallies: list(tally), files: list(ledgerRow), total: number,
  kinds: opt(list(share), () => []), folders: opt(list(share), () => []),
});
const token = record({
  id: text, label: text, scopes: texts, created: count, used: count,
});
const step = record({
  name: text, title: text, text, button: words, action: words, done: flag,
});
const copied = record({ text: words, copied: opt(flag, false) });
const done = (value) => value ?? {};

/** Every message: the fields it may carry, and the shape of its answer. */
export const MESSAGES = Object.freeze({
  search: {
    fields: ["query", "limit", "mode", "filters", "ignore_chips", "sequence", "typing", "stage"],
    reply: searchReply,
  },
  complete: { fields: ["query", "limit"], reply: record({ completions: texts }) },
  preview: { fields: ["id", "chunk", "query"], reply: previewReply },
  recent: {
    fields: ["limit"],
    reply: record({ files: opt(list(result), () => []), searches: texts }),
  },
  status: { fields: [], reply: status },
  open: { fields: ["id", "query", "page", "line"], reply: done },
  open_with: { fields: ["id", "application", "query"], reply: done },
  applications: { fields: ["id"], reply: record({ applications: texts }) },
  reveal: { fields: ["id", "query"], reply: done },
  quick_look: { fields: ["ids"], reply: done },
  drag: { fields: ["ids"], reply: done },
  copy_path: { fields: ["ids"], reply: copied },
  copy_passage: { fields: ["id", "chunk"], reply: copied },
  context_pack: {
    fields: ["query", "ids", "chunks", "budget"],
    reply: record({ markdown: text, tokens: count, copied: opt(flag, false) }),
  },
  similar: { fields: ["id", "limit"], reply: record({ results: list(result) }) },
  explain: { fields: ["query", "id"], reply: explanation },
  exclude_folder: { fields: ["id"], reply: done },
  pin: { fields: ["query", "id", "pinned"], reply: done },
  opened: { fields: ["query", "id"], reply: done },
  learned: {
    fields: ["limit"],
    reply: record({ rows: list(record({ query: text, title: text, times: number })) }),
  },
  forget: { fields: ["query"], reply: done },
  coverage: { fields: ["state", "reason", "folder", "limit", "offset"], reply: coverage },
  retry: { fields: ["paths"], reply: done },
  include_anyway: { fields: ["path"], reply: done },
  repair: { fields: [], reply: done },
  roots_list: { fields: [], reply: record({ roots: list(root) }) },
  roots_pick: { fields: [], reply: record({ roots: list(root) }) },
  roots_add: { fields: ["path"], reply: record({ roots: list(root) }) },
  roots_remove: { fields: ["path"], reply: record({ roots: list(root) }) },
  roots_pause: { fields: ["path", "paused"], reply: record({ roots: list(root) }) },
  settings_get: { fields: [], reply: settings },
  settings_set: { fields: ["key", "value"], reply: done },
  settings_do: {
    fields: ["action", "argument", "confirmed"],
    reply: opt(record({ text: words, rows: opt(list(record({ name: text, value: text })), () => []) }),
      () => ({ text: "", rows: [] })),
  },
  tokens_list: { fields: [], reply: record({ tokens: list(token), scopes: texts }) },
  tokens_create: { fields: ["label", "scopes"], reply: record({ token: text }) },
  tokens_revoke: { fields: ["id"], reply: done },
  welcome: { fields: ["finished"], reply: record({ steps: list(step), hotkey: words }) },
  hide: { fields: [], reply: done },
  show_page: { fields: ["page"], reply: done },
});

/** What the service says by itself: {type, …}. */
export const EVENTS = Object.freeze({
  status: { shape: status, says: "State and progress have changed." },
  changed: { shape: done, says: "The index has changed: what is shown may be outdated." },
  settings: { shape: done, says: "A setting has changed: looks may have to follow." },
  shown: { shape: done, says: "The panel has been called: focus the field, select its text." },
  hidden: { shape: done, says: "The panel has been put away." },
  query: { shape: record({ query: text }), says: "Search for this (menu, sagasu:// address)." },
});

/** The JSON object of a message; throws when a field is not part of it (a bug of this page). */
export function buildMessage(name, fields) {
  const message = Object.hasOwn(MESSAGES, name) ? MESSAGES[name] : null;
  if (!message) throw new Malformed(`there is no message ${name}`);
  for (const key of Object.keys(fields)) {
    if (!message.fields.includes(key)) throw new Malformed(`${name} has no field ${key}`);
  }
  return { name, ...fields };
}

/** What is inside the envelope, checked; throws Refusal, Superseded or Malformed. */
export function readReply(name, envelope) {
  if (kindOf(envelope) !== "object") fail(`the answer to ${name}`, "an object", envelope);
  if (envelope.superseded) throw new Superseded(name);
  if (envelope.ok === false || envelope.error !== undefined) throw refusalOf(envelope);
  const value = envelope.ok === true ? envelope.value : envelope;
  return MESSAGES[name].reply(value, name);
}

/** The event in `raw` (an object or its JSON text), or null when it is none that we know. */
export function readEvent(raw) {
  const event = typeof raw === "string" ? JSON.parse(raw) : raw;
  if (kindOf(event) !== "object" || !Object.hasOwn(EVENTS, event.type)) return null;
  return { ...EVENTS[event.type].shape(event, event.type), type: event.type };
}

/* The bridge says {error: {say, hint, …}}, the HTTP service {error: say, hint, …}. */
function refusalOf(envelope) {
  const { error } = envelope;
  const { say, hint, kind, position } = typeof error === "string" ? { ...envelope, say: error } : error ?? {};
  const place = Number.isInteger(position) ? position : null;
  return new Refusal(String(say || "Something went wrong."), String(hint || ""), String(kind || ""), place);
}
