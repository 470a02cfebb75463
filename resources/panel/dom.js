/**
 * How does text get onto the page? As text nodes only: nothing here, or anywhere in this folder,
 * turns a string into markup. File names, titles and contents are hostile until proven otherwise.
 */

const SVG = "http://www.w3.org/2000/svg";

/** A new element. `facts`: class, data-*, aria-*, role …; on* are listeners; children: nodes, text. */
export function el(tag, facts = {}, ...children) {
  return fill(document.createElement(tag), facts, children);
}

/** The same for SVG. */
export function svg(tag, facts = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), facts, children);
}

function fill(node, facts, children) {
  for (const [name, value] of Object.entries(facts)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  append(node, children);
  return node;
}

/** Appends nodes, texts and nested lists of them; null and false are left out. */
export function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Empties `node` and puts `children` in. */
export function replace(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

/** The element with this id; a missing one is a bug. */
export function byId(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`the page has no #${id}`);
  return node;
}

/**
 * `text` with parts of it wrapped. Layers are {start, end, tag, class}; where they overlap the
 * earlier layer is outside. Offsets count code points.
 *
 *     paint("ab cd", [{start: 3, end: 5, tag: "mark"}])  →  "ab " <mark>cd</mark>
 */
export function paint(text, layers) {
  const units = unitOffsets(text);
  const inside = [];
  for (const layer of layers) {
    const start = units(layer.start);
    const end = units(layer.end);
    if (end > start) inside.push({ ...layer, start, end });
  }
  const whole = document.createDocumentFragment();
  paintInto(whole, text, 0, text.length, inside);
  return whole;
}

function paintInto(parent, text, from, to, layers) {
  let at = from;
  while (at < to) {
    const first = layers.find((layer) => layer.start < to && layer.end > at);
    if (!first) break;
    const begin = Math.max(first.start, at);
    const end = Math.min(first.end, to);
    const others = layers.filter((layer) => layer !== first);
    if (begin > at) paintInto(parent, text, at, begin, others);
    const node = el(first.tag, { class: first.class, title: first.title });
    paintInto(node, text, begin, end, others);
    parent.append(node);
    at = end;
  }
  if (at < to) parent.append(document.createTextNode(text.slice(at, to)));
}

/* Python counts code points, JavaScript UTF-16 units; they part at the first astral character. */
function unitOffsets(text) {
  const clamp = (offset, most) => Math.min(Math.max(offset, 0), most);
  if (!/[\ud800-\udbff]/.test(text)) return (offset) => clamp(offset, text.length);
  const starts = [];
  let unit = 0;
  for (const character of text) {
    starts.push(unit);
    unit += character.length;
  }
  starts.push(unit);
  return (offset) => starts[clamp(offset, starts.length - 1)];
}

/** `ranges` as layers of <mark>. */
export function marks(ranges) {
  return [...ranges].sort((a, b) => a[0] - b[0]).map(([start, end]) => ({ start, end, tag: "mark" }));
}

/** Text of which the writing direction is unknown: its own element, its own direction. */
export function foreign(tag, name, text, ranges = []) {
  return el(tag, { class: name, dir: "auto" }, paint(text, marks(ranges)));
}

/** Says `text` to screen readers through the page's live region, once typing pauses. */
export function announcer(region, wait_ms = 350) {
  let timer = 0;
  return (text) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      region.textContent = text;
    }, wait_ms);
  };
}
