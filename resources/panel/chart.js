/**
 * How much is searchable, seen at once? A treemap by kind and bars by folder.
 *
 * Squarified (Bruls, Huizing, van Wijk 2000): rows of tiles along the shorter side, each row grown
 * as long as its worst tile gets squarer.
 */
import { el, svg } from "./dom.js";
import { formatCount, formatPath, formatShare } from "./format.js";

const WIDTH = 640;
const HEIGHT = 250;

/** Tiles [{x, y, width, height, item}] that fill the rectangle; items have a `size`. */
export function squarify(items, x, y, width, height) {
  const total = items.reduce((sum, item) => sum + item.size, 0);
  if (total <= 0 || width <= 0 || height <= 0) return [];
  const scale = (width * height) / total;
  const rest = [...items].filter((item) => item.size > 0).sort((a, b) => b.size - a.size);
  const tiles = [];
  const space = { x, y, width, height };
  while (rest.length > 0) {
    const side = Math.min(space.width, space.height);
    const row = [rest.shift()];
    while (rest.length > 0 && worst([...row, rest[0]], side, scale) <= worst(row, side, scale)) row.push(rest.shift());
    lay(row, space, scale, tiles);
  }
  return tiles;
}

function worst(row, side, scale) {
  const areas = row.map((item) => item.size * scale);
  const sum = areas.reduce((a, b) => a + b, 0);
  return Math.max((side ** 2 * Math.max(...areas)) / sum ** 2, sum ** 2 / (side ** 2 * Math.min(...areas)));
}

function lay(row, space, scale, tiles) {
  const sum = row.reduce((total, item) => total + item.size * scale, 0);
  const upright = space.width >= space.height;
  const depth = sum / (upright ? space.height : space.width);
  let at = upright ? space.y : space.x;
  for (const item of row) {
    const length = (item.size * scale) / depth;
    tiles.push(upright
      ? { x: space.x, y: at, width: depth, height: length, item }
      : { x: at, y: space.y, width: length, height: depth, item });
    at += length;
  }
  if (upright) Object.assign(space, { x: space.x + depth, width: space.width - depth });
  else Object.assign(space, { y: space.y + depth, height: space.height - depth });
}

/** The treemap of shares [{name, indexed, left_out}]; orange is what cannot be searched. */
export function treemap(shares) {
  const items = shares.map((share) => ({ ...share, size: share.indexed + share.left_out }));
  const tiles = squarify(items, 0, 0, WIDTH, HEIGHT);
  const said = items.map((item) => `${item.name}: ${item.indexed} searchable, ${item.left_out} not`).join("; ");
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": said }, tiles.map(tileNode));
}

function tileNode({ x, y, width, height, item }) {
  const out = (height * item.left_out) / item.size;
  const box = { x, width, rx: 3 };
  const roomy = width > 64 && height > 34;
  return svg("g", {},
    svg("title", {}, `${item.name}: ${formatCount(item.indexed)} searchable, ${formatCount(item.left_out)} not`),
    svg("rect", { ...box, y, height, class: "tile" }),
    item.left_out > 0 ? svg("rect", { ...box, y: y + height - Math.max(out, 3), height: Math.max(out, 3), class: "tile-out" }) : null,
    svg("rect", { x, y, width, height, rx: 3, class: "tile-group" }),
    roomy ? svg("text", { x: x + 9, y: y + 19, class: "tile-text" }, fit(item.name, width)) : null,
    roomy && height > 50 ? svg("text", { x: x + 9, y: y + 35, class: "tile-note" }, formatCount(item.size)) : null);
}

const fit = (name, width) => {
  const most = Math.max(3, Math.floor((width - 16) / 7));
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
};

/** Bars of shares; each is as long as its folder, the orange part cannot be searched. */
export function bars(shares) {
  const most = Math.max(1, ...shares.map((share) => share.indexed + share.left_out));
  return el("div", { class: "bars" }, shares.map((share) => {
    const all = share.indexed + share.left_out;
    const stack = el("div", { class: "stack", "aria-hidden": "true" }, el("span", { class: "in" }), el("span", { class: "out" }));
    stack.style.setProperty("--in", `${(100 * share.indexed) / most}%`);
    stack.style.setProperty("--out", `${(100 * share.left_out) / most}%`);
    return el("div", {},
      el("div", { class: "name" }, el("span", { dir: "auto", title: share.name }, formatPath(share.name)),
        el("span", {}, `${formatCount(share.indexed)} of ${formatCount(all)} · ${formatShare(share.indexed, all)}`)),
      stack);
  }));
}
