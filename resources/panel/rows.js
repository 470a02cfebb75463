/** How does one row look? A result, a recent search: built once, reused while nothing changed. */
import { el, foreign } from "./dom.js";
import { fileName, formatDay, formatFolder, formatMoment } from "./format.js";
import { fileIcon, glyph } from "./icons.js";
import { keyLabel } from "./keys.js";

export const REASONS = Object.freeze({ name: "name", word: "word", meaning: "meaning" });

/** A dot between two facts, on its own so that it stays between them in both directions. */
export const between = () => el("span", { class: "between", "aria-hidden": "true" }, "·");

/** The signs for why a row is there, with a label that can be heard and hovered. */
export function signs(matched) {
  const known = matched.filter((reason) => Object.hasOwn(REASONS, reason));
  if (known.length === 0) return null;
  const label = `Matched by ${known.join(" and ")}`;
  return el("span", { class: "why", role: "img", "aria-label": label, title: label },
    known.map((reason) => el("span", { class: `sign sign-${reason}` })));
}

/** "page 4", "slide 2", "line 31", or the heading */
export function placeText(location) {
  if (location.page !== null) {
    const word = ["slide", "sheet", "page", "chapter"].includes(location.kind) ? location.kind : "page";
    return `${word} ${location.page}`;
  }
  return location.line !== null ? `line ${location.line}` : "";
}

const FRESHNESS = Object.freeze({
  updating: { short: "updating", long: "Changed since: being read again" },
  away: { short: "not connected", long: "On a disk that is not connected" },
});

/** What one should know about the file behind a row, in a word or in a sentence; empty: nothing. */
export const freshText = (result, long = false) => FRESHNESS[result.freshness]?.[long ? "long" : "short"] ?? "";

/* Stands where the date would: an old date says less than that the file cannot be opened now. */
function when(result) {
  const fresh = freshText(result);
  if (!fresh) return el("span", { class: "date", title: formatMoment(result.modified) }, formatDay(result.modified));
  return el("span", { class: `date fresh ${result.freshness}`, title: freshText(result, true) },
    glyph(result.freshness === "away" ? "unplugged" : "retry", 12), fresh);
}

/** The row of a result. */
export function resultRow(result) {
  const place = placeText(result.location);
  const shown = result.title || fileName(result.path);
  const row = el("div", { class: "row", role: "option", "aria-selected": "false", draggable: "true" },
    fileIcon(result.kind, result.path),
    el("span", { class: "tick", "aria-hidden": "true" }, glyph("check", 11)),
    el("div", {},
      el("div", { class: "line" },
        foreign("div", "title", shown, result.title_highlights),
        result.pinned ? el("span", { class: "pinned", title: "Pinned for this search", role: "img", "aria-label": "Pinned" }, glyph("pin", 13)) : null,
        signs(result.matched),
        el("kbd", { class: "number" })),
      el("div", { class: "line" },
        el("div", { class: "where" },
          el("span", { dir: "auto", title: result.path }, formatFolder(result.path)),
          place ? [between(), el("span", { class: "place" }, place)] : null),
        when(result)),
      result.snippet ? foreign("div", "passage", result.snippet, result.highlights) : null));
  row.classList.toggle("away", result.freshness === "away");
  row.setAttribute("aria-label", describe(result, shown, place));
  return row;
}

/** The row of a search made before. */
export function searchRow(query) {
  return el("div", { class: "row plain", role: "option", "aria-selected": "false" },
    el("span", { class: "leading" }, glyph("clock", 15)),
    el("div", { class: "line" }, el("div", { class: "title", dir: "auto" }, query), el("kbd", { class: "number" })));
}

/** Shows ⌘1 … ⌘9 on the first nine rows while ⌘ is held. */
export function numberRow(row, index) {
  const badge = row.querySelector(".number");
  badge.hidden = index > 8;
  badge.textContent = index > 8 ? "" : keyLabel(`mod+${index + 1}`);
}

function describe(result, shown, place) {
  const parts = [shown, result.kind, formatFolder(result.path), place];
  if (result.matched.length > 0) parts.push(`matched by ${result.matched.join(" and ")}`);
  if (result.modified) parts.push(`changed ${formatDay(result.modified)}`);
  if (result.freshness) parts.push(freshText(result, true));
  return parts.filter(Boolean).join(", ");
}
