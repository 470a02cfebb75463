/**
 * Which row is one on? The listbox: rows in sections, one current, any number picked.
 *
 * The focus stays in the search field; the current row is told by aria-activedescendant.
 */
import { el } from "./dom.js";
import { numberRow } from "./rows.js";

export class List {
  /** `events`: moved(row, byHand), chosen(row, mouse), picked(rows), dragged(row, event). */
  constructor(root, field, events) {
    this.root = root;
    this.field = field;
    this.events = events;
    this.rows = [];
    this.index = -1;
    this.byHand = false;
    this.nodes = new Map();
    root.addEventListener("click", (event) => this.clicked(event));
    root.addEventListener("dblclick", (event) => this.doubled(event));
    root.addEventListener("dragstart", (event) => {
      const row = this.rowOf(event.target);
      if (row) this.events.dragged(row, event);
    });
    // Pressing a row must not take the focus out of the field.
    root.addEventListener("mousedown", (event) => {
      if (!event.target.closest("button, a")) event.preventDefault();
      if (this.rowOf(event.target)) event.target.closest(".row").draggable = true;
    });
  }

  /**
   * Shows `rows` [{key, stamp, section, build(), …}]; a row whose stamp is unchanged keeps its
   * node. `current` is the index to stand on, `fade` says that new rows came later.
   */
  show(rows, { current = -1, byHand = false, fade = false } = {}) {
    const before = this.nodes;
    this.nodes = new Map();
    const groups = [];
    rows.forEach((row, index) => {
      row.node = this.nodeFor(row, before, fade);
      row.node.id = `row-${index}`;
      numberRow(row.node, index);
      if (groups.at(-1)?.name !== row.section) groups.push({ name: row.section, nodes: [] });
      groups.at(-1).nodes.push(row.node);
    });
    const picked = new Set(this.picked().map((row) => row.key));
    this.rows = rows;
    for (const row of rows) row.picked = picked.has(row.key);
    this.root.replaceChildren(...groups.map(sectionNode));
    this.byHand = byHand;
    this.index = -1;
    this.field.setAttribute("aria-expanded", String(rows.length > 0));
    this.select(Math.min(current, rows.length - 1), { byHand, scroll: byHand });
    if (!byHand) this.root.parentElement.scrollTop = 0;
  }

  nodeFor(row, before, fade) {
    const old = before.get(row.key);
    const same = old && old.stamp === row.stamp;
    const node = same ? old.node : row.build();
    node.classList.toggle("new", fade && !old);
    node.classList.remove("here");
    this.nodes.set(row.key, { node, stamp: row.stamp });
    return node;
  }

  /** The row one is on, or null. */
  get current() {
    return this.rows[this.index] ?? null;
  }

  /** The rows that were picked for something together. */
  picked() {
    return this.rows.filter((row) => row.picked);
  }

  /** Stands on row `index`. */
  select(index, { byHand = true, scroll = true } = {}) {
    this.current?.node.classList.remove("here");
    this.index = index;
    if (byHand) this.byHand = true;
    const row = this.current;
    if (row) {
      row.node.classList.add("here");
      this.field.setAttribute("aria-activedescendant", row.node.id);
      if (scroll) row.node.scrollIntoView({ block: "nearest" });
    } else {
      this.field.removeAttribute("aria-activedescendant");
    }
    this.mark();
    this.events.moved(row, byHand);
  }

  /** Moves by `step` rows; past an end it stays there, one step further it comes round. */
  move(step, { extend = false } = {}) {
    if (this.rows.length === 0) return;
    if (extend && this.current) this.pick(this.current, true);
    const last = this.rows.length - 1;
    let next = this.index + step;
    if (Math.abs(step) === 1 && this.index >= 0) next = next < 0 ? last : next > last ? 0 : next;
    next = Math.min(Math.max(next, 0), last);
    this.select(next);
    if (extend) this.pick(this.current, true);
  }

  /** As many rows as fit into the list, at least one. */
  page() {
    const height = this.current?.node.offsetHeight || 60;
    return Math.max(1, Math.floor(this.root.parentElement.clientHeight / height) - 1);
  }

  /** Picks a row, or no longer; without `on` it turns. */
  pick(row, on = !row.picked) {
    if (!row.result) return;
    row.picked = on;
    this.mark();
    this.events.picked(this.picked());
  }

  /** Picks nothing any more; returns whether something was. */
  unpick() {
    const any = this.rows.some((row) => row.picked);
    for (const row of this.rows) row.picked = false;
    if (any) {
      this.mark();
      this.events.picked([]);
    }
    return any;
  }

  mark() {
    for (const row of this.rows) {
      row.node.classList.toggle("picked", Boolean(row.picked));
      row.node.setAttribute("aria-selected", String(Boolean(row.picked) || row === this.current));
    }
  }

  rowOf(target) {
    const node = target.closest?.(".row");
    return node ? this.rows.find((row) => row.node === node) ?? null : null;
  }

  clicked(event) {
    const row = this.rowOf(event.target);
    if (!row) return;
    const index = this.rows.indexOf(row);
    if (event.metaKey || event.ctrlKey) {
      this.pick(row);
      this.select(index);
    } else if (event.shiftKey && this.index >= 0) {
      const [low, high] = [this.index, index].sort((a, b) => a - b);
      for (const one of this.rows.slice(low, high + 1)) this.pick(one, true);
      this.select(index);
    } else if (row.result) {
      this.select(index);
    } else {
      this.events.chosen(row);
    }
  }

  doubled(event) {
    const row = this.rowOf(event.target);
    if (row?.result && !event.metaKey && !event.ctrlKey && !event.shiftKey) this.events.chosen(row);
  }
}

function sectionNode(group, index) {
  const id = `section-${index}`;
  return el("div", { class: "section", role: "group", "aria-labelledby": id },
    el("h2", { id, role: "presentation" }, group.name), group.nodes);
}
