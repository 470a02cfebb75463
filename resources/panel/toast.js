/** What just happened? One line over the panel, gone by itself. */
import { byId, el } from "./dom.js";
import { glyph } from "./icons.js";

const SHOWN_MS = 2600;

/** Shows `text`; `bad` for what did not work (it stays longer). */
export function toast(text, { bad = false } = {}) {
  const node = el("div", { class: `toast${bad ? " bad" : ""}` }, glyph(bad ? "warn" : "check", 15), el("span", { dir: "auto" }, text));
  byId("toasts").replaceChildren(node);
  setTimeout(() => node.remove(), bad ? 2 * SHOWN_MS : SHOWN_MS);
}

/** Shows an error in the words that it came with. */
export const toastError = (error) =>
  toast(error.hint ? `${error.message} ${error.hint}` : error.message, { bad: true });
