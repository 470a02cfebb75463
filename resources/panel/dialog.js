/** Is the person sure, and what do they say? Small questions over a page. */
import { el } from "./dom.js";

/** Asks before what cannot be undone; resolves to whether it was confirmed. */
export function confirmed(question, { yes, text = "" }) {
  return show(question, text, null, yes, true).then((answer) => answer !== null);
}

/** Asks for one line of text; resolves to it, or null. */
export function prompted(question, { yes, text = "", placeholder = "" }) {
  const box = el("input", { class: "box", type: "text", placeholder, "aria-label": question, spellcheck: "false" });
  return show(question, text, box, yes, false);
}

/** Tells something, a paragraph a sentence; resolves when it has been read. */
export function told(title, sentences) {
  return show(title, sentences, null, "OK", false, false);
}

function show(question, text, box, yes, danger, choice = true) {
  return new Promise((resolve) => {
    const close = (value) => {
      dialog.close();
      dialog.remove();
      resolve(value);
    };
    const accept = () => close(box ? box.value.trim() || null : "");
    const agree = el("button", { class: `button ${danger ? "danger" : "first"}`, type: "button", onclick: accept }, yes);
    const cancel = el("button", { class: "button", type: "button", onclick: () => close(null) }, "Cancel");
    const dialog = el("dialog", { "aria-label": question },
      el("h2", {}, question), [text].flat().map((one) => (one ? el("p", { dir: "auto" }, one) : null)), box,
      el("div", { class: "acts" }, choice ? cancel : null, agree));
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      close(null);
    });
    box?.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      // The focus goes back to the button that opened this: the same key must not press it again.
      event.preventDefault();
      accept();
    });
    document.body.append(dialog);
    dialog.showModal();
    (box ?? (choice ? cancel : agree)).focus();
  });
}
