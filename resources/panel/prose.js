/**
 * How is running text set? In paragraphs, with line breaks that only the paper needed taken out.
 *
 * Everything here keeps the length of the text, so that offsets still point where they did.
 */

const ENDS = /[.:;!?…»”"')\]]$/;
const BEGINS = /^\s*(?:[-*+•–—#>|]|\d+(?:\.\d+)+\.?\s|\d+[.)]\s|\(?[a-z]\)|§)/;
const FULL = 0.6; // of the longest line: a shorter one ended where its writer wanted

/** `text` with breaks inside a paragraph turned into spaces: those of a PDF's or a mail's lines. */
export function reflow(text) {
  const lines = text.split("\n");
  const longest = Math.max(...lines.map((line) => line.length));
  if (lines.length < 2 || longest < 40) return text;
  let whole = lines[0];
  for (let index = 1; index < lines.length; index += 1) {
    const last = lines[index - 1];
    const soft = last.length >= FULL * longest && last.trim() !== "" && lines[index].trim() !== ""
      && !(ENDS.test(last.trimEnd()) && last.length < 0.9 * longest) && !BEGINS.test(lines[index]);
    whole += (soft ? " " : "\n") + lines[index];
  }
  return whole;
}

/** The paragraphs of `text`: [{text, start}], `start` in code points; blank lines part them. */
export function splitParagraphs(text) {
  const parts = [];
  let start = 0;
  for (const piece of text.split(/(\n[^\S\n]*(?:\n[^\S\n]*)+)/)) {
    if (piece.trim() !== "") parts.push({ text: piece, start });
    start += [...piece].length;
  }
  return parts;
}

/** `layers` as far as they touch the stretch of `length` from `start`, counted from there. */
export function layersWithin(layers, start, length) {
  return layers
    .filter((layer) => layer.start < start + length && layer.end > start)
    .map((layer) => ({ ...layer, start: Math.max(0, layer.start - start), end: Math.min(length, layer.end - start) }));
}

/**
 * `ranges` and, in addition, every other place of the words that are marked in the row: what is
 * yellow there is yellow here.
 */
export function addMarks(text, ranges, words) {
  const wanted = [...new Set(words.map((word) => word.toLowerCase()))].filter((word) => word.trim().length > 1);
  if (wanted.length === 0) return ranges;
  const points = /[\ud800-\udbff]/.test(text) ? (unit) => [...text.slice(0, unit)].length : (unit) => unit;
  const escaped = wanted.sort((a, b) => b.length - a.length).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const found = [...text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join("|")})(?![\\p{L}\\p{N}])`, "giu"))];
  return mergeRanges([...ranges, ...found.map((one) => [points(one.index), points(one.index + one[0].length)])]);
}

function mergeRanges(ranges) {
  const merged = [];
  for (const [start, end] of ranges.sort((a, b) => a[0] - b[0])) {
    if (merged.length > 0 && start <= merged.at(-1)[1]) merged.at(-1)[1] = Math.max(end, merged.at(-1)[1]);
    else merged.push([start, end]);
  }
  return merged;
}
