/**
 * Which picture stands for what? Symbols drawn once into a hidden sprite, used by name.
 * They are built here, not fetched: the page needs no second file to show its first row.
 */
import { el, svg } from "./dom.js";
import { extension } from "./format.js";

/* Line glyphs on a 20 × 20 grid, 1.6 wide, in the colour of the text around them. */
const GLYPHS = {
  search: "M8.5 2.7a5.8 5.8 0 1 0 0 11.6 5.8 5.8 0 0 0 0-11.6M13 13l4.6 4.6",
  clock: "M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4M10 6v4.2l2.8 1.7",
  close: "M5.5 5.5l9 9M14.5 5.5l-9 9",
  chevron: "M6 8l4 4 4-4",
  gear: "M10 7.4a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2M10 2.5v2M10 15.5v2M2.5 10h2M15.5 10h2M4.7 4.7l1.4 1.4M13.9 13.9l1.4 1.4M15.3 4.7l-1.4 1.4M6.1 13.9l-1.4 1.4",
  folder: "M2.8 6.2c0-.9.6-1.5 1.5-1.5h3.2l1.8 2h6.4c.9 0 1.5.6 1.5 1.5v6.3c0 .9-.6 1.5-1.5 1.5H4.3c-.9 0-1.5-.6-1.5-1.5z",
  plus: "M10 4v12M4 10h12",
  open: "M8 4.2H4.6c-.5 0-.9.4-.9.9v10.3c0 .5.4.9.9.9h10.3c.5 0 .9-.4.9-.9V12M11.5 3.7h4.8v4.8M16 4l-6.6 6.6",
  eye: "M2.4 10S5 4.9 10 4.9 17.6 10 17.6 10 15 15.1 10 15.1 2.4 10 2.4 10M10 7.7a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6",
  copy: "M7.2 7.2h8.6v9.1H7.2zM12.6 7V3.7H4.2v9h2.8",
  quote: "M4 5.5h12M4 9h12M4 12.5h7.5M4 16h4.5",
  similar: "M7.6 4.2a4.4 4.4 0 1 0 0 8.8 4.4 4.4 0 0 0 0-8.8M12.4 7a4.4 4.4 0 1 1-4.6 6.2",
  why: "M7.4 7.6a2.7 2.7 0 1 1 3.6 2.5c-.7.3-1 .8-1 1.6v.5M10 15.2v.1",
  block: "M10 2.9a7.1 7.1 0 1 0 0 14.2 7.1 7.1 0 0 0 0-14.2M5 5l10 10",
  pin: "M12.2 2.8l5 5-2.5.8-3 3-.4 3.6-2-2-4.9 4.5 4.5-4.9-2-2 3.6-.4 3-3z",
  pack: "M3.2 6.4L10 3l6.8 3.4v7.2L10 17l-6.8-3.4zM3.2 6.4L10 9.8l6.8-3.4M10 9.8V17",
  warn: "M10 3.4l7.3 12.8H2.7zM10 8v4M10 14.2v.1",
  check: "M4.5 10.5l3.6 3.6 7.4-8",
  back: "M12 5l-5 5 5 5",
  app: "M4 4h4.6v4.6H4zM11.4 4H16v4.6h-4.6zM4 11.4h4.6V16H4zM11.4 11.4H16V16h-4.6z",
  calendar: "M3.5 5.2h13v11.3h-13zM3.5 8.6h13M6.8 3.4v3M13.2 3.4v3",
  pause: "M7 4.8v10.4M13 4.8v10.4",
  play: "M6.5 4.5v11l9-5.5z",
  trash: "M4 5.8h12M8 5.5V3.6h4v1.9M5.4 6l.7 10.4h7.8L14.6 6M8.4 8.8v5M11.6 8.8v5",
  retry: "M15.8 8.2A6.3 6.3 0 1 0 16 12M16.2 4.2v4.2H12",
  lock: "M5 9h10v7.4H5zM7.2 9V6.4a2.8 2.8 0 0 1 5.6 0V9",
  keyboard: "M2.6 5.6h14.8v8.8H2.6zM5.4 8.4v.1M8.4 8.4v.1M11.4 8.4v.1M14.5 8.4v.1M6.8 11.8h6.4",
  sliders: "M3 6.2h7M14 6.2h3M12 4.4v3.6M3 13.8h3M10 13.8h7M8 12v3.6",
  person: "M10 3.6a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4M3.8 16.6c.6-3 3-4.5 6.2-4.5s5.6 1.5 6.2 4.5",
  sun: "M10 6.6a3.4 3.4 0 1 0 0 6.8 3.4 3.4 0 0 0 0-6.8M10 2.4v1.8M10 15.8v1.8M2.4 10h1.8M15.8 10h1.8M4.6 4.6l1.3 1.3M14.1 14.1l1.3 1.3M15.4 4.6l-1.3 1.3M5.9 14.1l-1.3 1.3",
  unplugged: "M6.2 3v3.2M10.8 3v3.2M4 6.4h9v2.2a4.5 4.5 0 0 1-9 0zM8.5 13.2V17M13.4 13.4l3.8 3.8M17.2 13.4l-3.8 3.8",
  spark: "M10 2.8l1.7 5.5 5.5 1.7-5.5 1.7L10 17.2l-1.7-5.5L2.8 10l5.5-1.7z",
};

/* What is drawn on the sheet of a file's icon, 28 × 32, above its badge. */
const SHEETS = {
  text: "M7 9.5h9M7 13h14M7 16.5h11",
  pdf: "M7 9.5h8M7 13h14M7 16.5h14",
  sheet: "M7 9h14v9H7zM7 13.5h14M11.7 9v9",
  slides: "M7 8.5h14v8.6H7zM14 17.1v2.6M10.6 19.8h6.8",
  code: "M11.4 9.6L8 13.2l3.4 3.6M16.6 9.6l3.4 3.6-3.4 3.6",
  image: "M7 18l4.4-6 3.2 4.2 2.2-2.7L21 18zM18.3 9.6v.1",
  mail: "M7 9h14v9.4H7zM7 9.4l7 5 7-5",
  web: "M14 8.2a5.4 5.4 0 1 0 0 10.8 5.4 5.4 0 0 0 0-10.8M8.6 13.6h10.8M14 8.2c-3.4 3.2-3.4 7.6 0 10.8M14 8.2c3.4 3.2 3.4 7.6 0 10.8",
  book: "M14 9.6c-1.8-1.3-4-1.5-7-1.3v9.4c3-.2 5.2 0 7 1.3 1.8-1.3 4-1.5 7-1.3V8.3c-3-.2-5.2 0-7 1.3M14 9.6V19",
  data: "M11.5 8.4c-2 0-1.4 2-1.4 3.3S9.4 13.4 8.4 13.6c1 .2 1.7.6 1.7 1.9s-.6 3.3 1.4 3.3M16.5 8.4c2 0 1.4 2 1.4 3.3s.7 1.7 1.7 1.9c-1 .2-1.7.6-1.7 1.9s.6 3.3-1.4 3.3",
  commit: "M14 10.8a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M6.6 13.6h4.6M16.8 13.6h4.6",
  sound: "M11.4 17.2V9.4l7.6-1.5v7.6M9.4 15.4a1.9 1.9 0 1 0 0 3.8 1.9 1.9 0 0 0 0-3.8M17 13.8a1.9 1.9 0 1 0 0 3.8 1.9 1.9 0 0 0 0-3.8",
};

/* Kind of file → drawing and colour (a class of looks.css). What is not here is plain text. */
const KINDS = {
  pdf: ["pdf", "red"], word: ["text", "blue"], docx: ["text", "blue"], doc: ["text", "blue"],
  rtf: ["text", "blue"], odt: ["text", "blue"], pages: ["text", "blue"], document: ["text", "blue"],
  excel: ["sheet", "green"], xlsx: ["sheet", "green"], xls: ["sheet", "green"],
  ods: ["sheet", "green"], csv: ["sheet", "green"], tsv: ["sheet", "green"],
  spreadsheet: ["sheet", "green"], table: ["sheet", "green"], numbers: ["sheet", "green"],
  powerpoint: ["slides", "orange"], pptx: ["slides", "orange"], odp: ["slides", "orange"],
  presentation: ["slides", "orange"], key: ["slides", "orange"],
  markdown: ["text", "slate"], md: ["text", "slate"], note: ["text", "slate"],
  text: ["text", "grey"], txt: ["text", "grey"], plain: ["text", "grey"], log: ["text", "grey"],
  code: ["code", "violet"], source: ["code", "violet"], notebook: ["code", "orange"],
  ipynb: ["code", "orange"], html: ["web", "teal"], web: ["web", "teal"],
  mail: ["mail", "teal"], email: ["mail", "teal"], eml: ["mail", "teal"],
  epub: ["book", "brown"], book: ["book", "brown"], json: ["data", "slate"],
  jsonl: ["data", "slate"], yaml: ["data", "slate"], data: ["data", "slate"], xml: ["data", "slate"],
  image: ["image", "pink"], photo: ["image", "pink"], commit: ["commit", "orange"],
  audio: ["sound", "pink"], video: ["image", "violet"],
};

const CODE = new Set(("py js ts jsx tsx c h cpp hpp cc rs go java kt swift rb php cs sh lua pl r m mm "
  + "scala sql css scss vue zig hs ml ex erl clj dart jl").split(" "));

/** Draws the sprite into this document; call it once. */
export function drawSprite() {
  const line = { fill: "none", stroke: "currentColor", "stroke-linecap": "round", "stroke-linejoin": "round" };
  const symbols = Object.entries(GLYPHS).map(([name, d]) =>
    svg("symbol", { id: `g-${name}`, viewBox: "0 0 20 20" }, svg("path", { d, ...line, "stroke-width": 1.6 })));
  for (const [name, d] of Object.entries(SHEETS)) {
    symbols.push(svg("symbol", { id: `s-${name}`, viewBox: "0 0 28 32" },
      svg("path", { class: "paper", d: "M3.5 3.5c0-1.4.9-2.3 2.3-2.3h11.4l7.3 7.3v20c0 1.4-.9 2.3-2.3 2.3H5.8c-1.4 0-2.3-.9-2.3-2.3z" }),
      svg("path", { class: "fold", d: "M17.2 1.2v5.2c0 1.2.8 2.1 2.1 2.1h5.2z" }),
      svg("path", { class: "drawing", d, ...line, stroke: "inherit", "stroke-width": 1.4 })));
  }
  document.body.prepend(svg("svg", { class: "sprite", "aria-hidden": "true" }, symbols));
}

/** A line glyph by name. */
export function glyph(name, size = 16) {
  return svg("svg", { class: "glyph", width: size, height: size, "aria-hidden": "true" },
    svg("use", { href: `#g-${name}` }));
}

/** The icon of a file: its sheet, and its extension as a badge. */
export function fileIcon(kind, path) {
  const badge = extension(path);
  const [drawing, colour] = kindLooks(kind, badge);
  return el("span", { class: `file ink-${colour}`, "aria-hidden": "true" },
    svg("svg", { viewBox: "0 0 28 32" }, svg("use", { href: `#s-${drawing}` })),
    badge ? el("span", { class: "badge" }, badge) : null);
}

function kindLooks(kind, badge) {
  const suffix = badge.toLowerCase();
  const known = [kind.toLowerCase(), suffix].find((name) => Object.hasOwn(KINDS, name));
  if (CODE.has(suffix)) return KINDS.code;
  return known ? KINDS[known] : KINDS.text;
}
