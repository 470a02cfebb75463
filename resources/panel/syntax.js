/**
 * What is what in a line of code? Comments, strings, figures and the words that most languages
 * share; enough to read by, and never wrong about the text itself.
 */

const WORDS = new Set(("abstract and as async await break case catch class const continue def default "
  + "defer do elif else end enum except export extends false finally fn for from func function go if "
  + "impl import in interface is lambda let loop match mod module mut new nil None not null of or "
  + "package pass private protected public pub raise return self static struct super switch then this "
  + "throw trait true True False try type typeof union unless until use using val var void when where "
  + "while with yield SELECT FROM WHERE JOIN GROUP ORDER BY INSERT UPDATE DELETE CREATE TABLE").split(" "));

const TOKEN = /(\/\/.*|#(?![0-9a-fA-F]{3,8}\b).*|--\s.*|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|`(?:\\.|[^`\\])*`?)|\b(\d[\w.]*)|\b([A-Za-z_]\w*)/g;

/** Layers for `paint`, in code points of `line`. */
export function colourCode(line) {
  const layers = [];
  const points = /[\ud800-\udbff]/.test(line) ? (unit) => [...line.slice(0, unit)].length : (unit) => unit;
  for (const found of line.matchAll(TOKEN)) {
    const [whole, comment, string, figure, word] = found;
    const name = comment ? "comment" : string ? "string" : figure ? "figure" : WORDS.has(word) ? "keyword" : "";
    if (!name) continue;
    const start = points(found.index);
    layers.push({ start, end: start + [...whole].length, tag: "span", class: `t-${name}` });
  }
  return layers;
}
