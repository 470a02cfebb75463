/** How could the query go on? Grey letters behind the caret; → takes them. */
import { byId } from "./dom.js";

export class Ghost {
  constructor(field, transport) {
    this.field = field;
    this.transport = transport;
    this.typed = byId("ghost-typed");
    this.rest = byId("ghost-rest");
    this.whole = "";
    this.turn = 0;
    this.asking = false;
    field.addEventListener("scroll", () => {
      byId("ghost").scrollLeft = field.scrollLeft;
    });
  }

  /** Asks for a completion of what stands in the field; keeps the old one while it still fits. */
  async follow() {
    const { value } = this.field;
    const turn = ++this.turn;
    this.draw(fits(this.whole, value) ? this.whole : "");
    if (this.asking || value.trim().length < 2 || value.endsWith(" ")) return;
    this.asking = true;
    try {
      const { completions } = await this.transport.ask("complete", { query: value, limit: 3 });
      if (turn === this.turn) this.draw(completions.find((whole) => fits(whole, value)) ?? "");
    } catch {
      // A completion is a courtesy: the search itself says when something is wrong.
    }
    this.asking = false;
    if (turn !== this.turn && this.field.value !== "") this.follow();
  }

  /** Takes the completion if the caret is at the end; returns whether there was one. */
  take() {
    const { value, selectionStart, selectionEnd } = this.field;
    if (!this.whole || selectionStart !== value.length || selectionEnd !== value.length) return false;
    this.field.value = value + this.whole.slice(value.length);
    this.clear();
    return true;
  }

  /** No completion. */
  clear() {
    this.turn += 1;
    this.draw("");
  }

  draw(whole) {
    this.whole = whole;
    this.typed.textContent = whole ? this.field.value : "";
    this.rest.textContent = whole ? whole.slice(this.field.value.length) : "";
  }
}

function fits(whole, value) {
  return value !== "" && whole.length > value.length && whole.toLowerCase().startsWith(value.toLowerCase());
}
