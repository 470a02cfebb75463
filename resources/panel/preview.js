/**
 * Where does the passage live? The right half: headings and page, the text around it dimmed, the
 * words marked, the sentence that matched by meaning washed in violet.
 */
import { el, foreign, marks, paint, replace } from "./dom.js";
import { fileName, formatCount, formatFolder, formatMoment, formatSize } from "./format.js";
import { glyph } from "./icons.js";
import { keyLabel, SHORTCUTS } from "./keys.js";
import { addMarks, layersWithin, reflow, splitParagraphs } from "./prose.js";
import { between, freshText, placeText } from "./rows.js";
import { colourCode } from "./syntax.js";

const KEPT = 60;

export class Preview {
  /** `acts`: open, reveal, look, called with the result whose buttons were pressed. */
  constructor(root, transport, acts) {
    this.root = root;
    this.transport = transport;
    this.acts = acts;
    this.known = new Map();
    this.wanted = "";
    this.drawn = "";
    this.fetching = "";
    this.result = null;
    this.timer = 0;
    this.image = "";
  }

  /** Shows `result`: its snippet at once, its surroundings as soon as they come. */
  show(result, query, { wait_ms = 0 } = {}) {
    const key = JSON.stringify([result.id, result.chunk, query]);
    this.wanted = key;
    clearTimeout(this.timer);
    const known = this.known.get(key);
    // What is on the screen for this very passage stays until something newer is there.
    if (known || this.drawn !== key) this.draw(result, known ?? fromSnippet(result));
    else this.root.querySelector(".reasons")?.replaceWith(reasons(result));
    this.drawn = key;
    this.result = result;
    if (!known && this.fetching !== key) this.timer = setTimeout(() => this.fetch(key, result, query), wait_ms);
  }

  /** Shows these nodes instead of a document. */
  showOther(...nodes) {
    this.wanted = "";
    this.drawn = "";
    clearTimeout(this.timer);
    this.root.classList.remove("intro");
    replace(this.root, nodes);
  }

  /** Shows what can be asked, while nothing is. */
  introduce(nodes) {
    this.showOther(nodes);
    this.root.classList.add("intro");
    this.root.setAttribute("aria-label", "How to search");
  }

  /** Forgets what was fetched: files have changed. */
  forget() {
    this.known.clear();
  }

  async fetch(key, result, query) {
    this.fetching = key;
    try {
      const found = await this.transport.ask("preview", { id: result.id, chunk: result.chunk, query });
      if (this.known.size >= KEPT) this.known.delete(this.known.keys().next().value);
      this.known.set(key, found);
      // The answer by meaning may have told more about the row since this was asked.
      if (this.wanted === key) this.draw(this.result, found);
    } catch (error) {
      if (this.wanted === key) this.complain(error);
    }
    if (this.fetching === key) this.fetching = "";
  }

  draw(result, answer) {
    const found = { ...answer, highlights: addMarks(answer.passage, answer.highlights, markedWords(result)) };
    const title = found.title || result.title || fileName(result.path);
    this.root.classList.remove("intro");
    replace(this.root,
      el("div", { class: "head" },
        foreign("h1", "", title),
        this.tools(result),
        el("div", { class: "crumbs" }, crumbs(result, found))),
      reasons(result),
      this.sheet(result, found),
      facts(result));
    this.root.setAttribute("aria-label", `Preview of ${title}`);
    this.root.querySelector(".meant, .hit, .sheet mark")?.scrollIntoView({ block: "nearest" });
  }

  tools(result) {
    const tool = (name, act, label, keys) => el("button", {
      class: "icon-button", type: "button", "aria-label": label, tabindex: "-1",
      title: `${label} ${keyLabel(keys)}`, onclick: () => act(result),
    }, glyph(name, 15));
    return el("div", { class: "tools" },
      tool("open", this.acts.open, "Open", SHORTCUTS.open),
      tool("folder", this.acts.reveal, "Show in folder", SHORTCUTS.reveal),
      tool("eye", this.acts.look, "Quick Look", SHORTCUTS.look));
  }

  sheet(result, found) {
    if (found.image_url) return this.picture(found);
    if (found.table) return gridSheet(found.table);
    return found.code ? codeSheet(found) : proseSheet(found);
  }

  picture(found) {
    const picture = el("img", { alt: `Page of ${found.title}` });
    const caption = found.passage ? proseSheet(found) : null;
    caption?.classList.replace("sheet", "caption");
    const wanted = this.wanted;
    this.transport.fetchImage(found.image_url).then((address) => {
      if (this.image.startsWith("blob:")) URL.revokeObjectURL(this.image);
      this.image = address;
      if (address && wanted === this.wanted) picture.src = address;
      else picture.remove();
    }, () => picture.remove());
    // The passage first: it is what was looked for; the page below shows where it stands.
    return el("div", { class: "sheet picture" }, caption, picture);
  }

  complain(error) {
    const note = el("p", { class: "notice warn" }, glyph("warn", 14),
      el("span", {}, error.message, error.hint ? ` ${error.hint}` : ""));
    this.root.querySelector(".sheet")?.prepend(note);
  }
}

/* The words that are marked in the row, as they stand there. */
function markedWords(result) {
  const cut = (text, ranges) => ranges.map(([start, end]) => [...text].slice(start, end).join(""));
  return [...cut(result.snippet, result.highlights), ...cut(result.title, result.title_highlights)];
}

/* What is known before the service has answered: the snippet, as it stands in the row. */
function fromSnippet(result) {
  return {
    title: "", path: result.path, trail: result.location.trail, before: "", passage: result.snippet,
    after: "", highlights: result.highlights, meaning_range: null, page: result.location.page,
    pages: null, line: result.location.line, kind: result.kind, language: "",
    code: result.kind === "code", table: null, image_url: "",
  };
}

function crumbs(result, found) {
  const place = placeText({ ...result.location, page: found.page ?? result.location.page });
  const paged = place && found.pages ? `${place} of ${formatCount(found.pages)}` : place;
  // A heading that only repeats the title says nothing; the folder does.
  const headings = found.trail.filter((step) => step !== (found.title || result.title));
  const trail = headings.length > 0 ? headings : [formatFolder(result.path)];
  const steps = trail.flatMap((step, index) => [
    index > 0 ? el("span", { class: "between", "aria-hidden": "true" }, "›") : null,
    el("span", { dir: "auto", title: step }, step)]);
  return paged ? [...steps, between(), el("span", { class: "fixed" }, paged)] : steps;
}

function reasons(result) {
  const say = {
    name: "name",
    word: result.terms.length > 0 ? result.terms.join(", ") : "words",
    meaning: result.semantic_score > 0 ? `meaning ${result.semantic_score.toFixed(2)}` : "meaning",
  };
  const told = result.matched.filter((reason) => Object.hasOwn(say, reason));
  return el("div", { class: "reasons" },
    told.map((reason) => el("span", { class: "why", title: `Matched by ${reason}` },
      el("span", { class: `sign sign-${reason}` }),
      el("span", { class: "unseen" }, `Matched by ${reason}: `),
      el("bdi", {}, say[reason]))));
}

function facts(result) {
  const told = [
    result.size ? formatSize(result.size) : "",
    result.modified ? `Changed ${formatMoment(result.modified)}` : "",
    freshText(result, true),
    result.opened,
  ];
  return el("div", { class: "facts" }, told.filter(Boolean).map((fact) => el("span", { dir: "auto" }, fact)));
}

function proseSheet(found) {
  const layers = [];
  if (found.meaning_range) {
    const [start, end] = found.meaning_range;
    layers.push({ start, end, tag: "span", class: "meant", title: "Matched by meaning" });
  }
  layers.push(...marks(found.highlights));
  return el("div", { class: "sheet prose" },
    paragraphs(found.before, "dim", []), paragraphs(found.passage, null, layers), paragraphs(found.after, "dim", []));
}

function paragraphs(text, name, layers) {
  return splitParagraphs(reflow(text)).map((part) => el("p", { class: name, dir: "auto" },
    paint(part.text, layersWithin(layers, part.start, [...part.text].length))));
}

function codeSheet(found) {
  const parts = [[found.before, "dim", []], [found.passage, "", found.highlights], [found.after, "dim", []]];
  const before = found.before ? found.before.replace(/\n$/, "").split("\n").length : 0;
  let line = Math.max(1, (found.line ?? 1) - before);
  const rows = [];
  for (const [text, name, highlights] of parts) {
    if (!text) continue;
    for (const row of codeLines(text.replace(/\n$/, ""), highlights, found)) {
      const hit = name === "" && row.meant ? " hit" : "";
      rows.push(el("li", { class: name + hit, "data-line": line }, row.node));
      line += 1;
    }
  }
  return el("div", { class: "sheet code", dir: "ltr" }, el("ol", {}, rows));
}

/* Each line with its share of the highlights, of the meaning and of the colours. */
function codeLines(text, highlights, found) {
  const within = text === found.passage.replace(/\n$/, "") ? found.meaning_range : null;
  let start = 0;
  return text.split("\n").map((line) => {
    const length = [...line].length;
    const end = start + length;
    const local = highlights
      .filter(([from, to]) => from < end && to > start)
      .map(([from, to]) => [Math.max(from - start, 0), Math.min(to - start, length)]);
    const meant = within !== null && within[0] < end && within[1] > start && length > 0;
    const node = el("span", {}, paint(line || " ", [...marks(local), ...colourCode(line)]));
    start = end + 1;
    return { node, meant };
  });
}

function gridSheet(table) {
  const marked = (row, column) => marks(table.marks
    .filter(([r, c]) => r === row && c === column).map(([, , start, end]) => [start, end]));
  const figures = table.header.concat(table.rows[0] ?? []).map((cell, column) => isFigures(table.rows, column));
  const side = (column) => (figures[column] ? "figure" : null);
  return el("div", { class: "sheet grid" }, el("table", {},
    table.header.length > 0
      ? el("thead", {}, el("tr", {}, table.header.map((cell, column) => el("th", { class: side(column), dir: "auto", scope: "col" }, cell)))) : null,
    el("tbody", {}, table.rows.map((cells, row) => el("tr", { class: row === table.hit ? "hit" : null },
      cells.map((cell, column) => el("td", { class: side(column), dir: "auto", title: cell }, paint(cell, marked(row, column)))))))));
}

/* Numbers stand one below the other, so that they can be compared. */
function isFigures(rows, column) {
  const cells = rows.map((row) => (row[column] ?? "").trim()).filter(Boolean);
  return cells.length > 0 && cells.every((cell) => /^[-+(]?[€$£]?\s?\d[\d.,\s]*[%€$£)]?$/.test(cell));
}

/** Why this result: the numbers as a tree, each with its share. */
export function explanationSheet(title, explanation) {
  const most = Math.max(Math.abs(explanation.value), 1e-9);
  const node = (part) => {
    const bar = el("span", { class: "bar", "aria-hidden": "true" }, el("i"));
    bar.style.setProperty("--done", `${Math.min(100, (100 * Math.abs(part.value)) / most)}%`);
    return el("li", {}, bar, el("span", { class: "value" }, part.value.toFixed(3)),
      el("span", { dir: "auto" }, part.what),
      part.parts.length > 0 ? el("ul", {}, part.parts.map(node)) : null);
  };
  return [
    el("div", { class: "head" }, el("h1", {}, "Why this result"), el("div", { class: "crumbs" }, el("bdi", {}, title))),
    el("div", {}),
    el("div", { class: "sheet tree" }, el("ul", {}, node(explanation))),
    el("div", { class: "facts" }, "Press ↑ or ↓ to go on"),
  ];
}
