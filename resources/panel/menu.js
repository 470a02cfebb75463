/** What can one choose from? A small list over the panel: filterable, by keyboard and by mouse. */
import { byId, el, replace } from "./dom.js";
import { glyph } from "./icons.js";
import { keyLabel } from "./keys.js";

let open = null;

/** Is a menu on the screen? */
export const menuIsOpen = () => open !== null;

/** Puts the menu away; the focus goes back to where it was. */
export function closeMenu() {
  if (!open) return;
  const { focus, anchor, closed } = open;
  open = null;
  byId("layer").replaceChildren();
  anchor?.setAttribute?.("aria-expanded", "false");
  focus?.focus();
  closed?.();
}

/**
 * Shows a menu. `items`: [{label, glyph, keys, note, group, danger, disabled, run()}]; run may
 * return more items (a submenu). `anchor`: the element it hangs on, or null: bottom right.
 */
export function openMenu({ title, placeholder, items, anchor = null, closed = null }) {
  closeMenu();
  const search = el("input", {
    type: "text", placeholder, "aria-label": title, role: "combobox", "aria-expanded": "true",
    "aria-controls": "menu-items", autocomplete: "off", spellcheck: "false",
  });
  const list = el("ul", { id: "menu-items", role: "listbox", "aria-label": title });
  const box = el("div", { class: "menu", role: "dialog", "aria-label": title }, search, list);
  const scrim = el("div", { class: "scrim", onmousedown: (event) => {
    event.preventDefault();
    closeMenu();
  } });
  open = { focus: document.activeElement, anchor, closed, items, shown: [], at: 0, search, list };
  replace(byId("layer"), scrim, box);
  anchor?.setAttribute?.("aria-expanded", "true");
  search.addEventListener("input", () => filter());
  search.addEventListener("keydown", pressed);
  list.addEventListener("mousemove", hovered);
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    if (itemAt(event) >= 0) run(itemAt(event));
  });
  filter();
  place(box, anchor);
  search.focus();
}

function filter() {
  const wanted = open.search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  open.shown = open.items.filter((item) =>
    wanted.every((word) => `${item.label} ${item.note ?? ""} ${item.group ?? ""}`.toLowerCase().includes(word)));
  open.at = Math.max(0, open.shown.findIndex((item) => !item.disabled));
  draw();
}

function draw() {
  let group = "";
  const nodes = open.shown.flatMap((item, index) => {
    const head = item.group && item.group !== group
      ? [el("li", { class: "label", role: "presentation" }, item.group)] : [];
    group = item.group ?? "";
    return [...head, itemNode(item, index)];
  });
  if (nodes.length === 0) nodes.push(el("li", { class: "label", role: "presentation" }, "Nothing by that name"));
  open.list.replaceChildren(...nodes);
  here(open.at);
}

function itemNode(item, index) {
  return el("li", {
    class: `item${item.danger ? " danger" : ""}`, role: "option", id: `item-${index}`,
    "data-index": index, "aria-disabled": item.disabled ? "true" : null,
    "aria-selected": "false",
  },
  item.glyph ? glyph(item.glyph, 15) : null,
  el("span", { dir: "auto" }, item.label),
  el("span", { class: "spring" }),
  item.note ? el("span", { class: "note" }, item.note) : null,
  item.keys ? el("kbd", {}, keyLabel(item.keys)) : null,
  item.on ? glyph("check", 14) : null);
}

function here(index) {
  open.at = index;
  for (const node of open.list.querySelectorAll(".item")) {
    const on = Number(node.dataset.index) === index;
    node.classList.toggle("here", on);
    node.setAttribute("aria-selected", String(on));
    if (on) {
      open.search.setAttribute("aria-activedescendant", node.id);
      node.scrollIntoView({ block: "nearest" });
    }
  }
}

function pressed(event) {
  const last = open.shown.length - 1;
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (event.key in steps) here((open.at + steps[event.key] + last + 1) % (last + 1 || 1));
  else if (event.key === "Home") here(0);
  else if (event.key === "End") here(Math.max(last, 0));
  else if (event.key === "Enter") run(open.at);
  else if (event.key === "Escape" || event.key === "Tab") closeMenu();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function run(index) {
  const item = open.shown[index];
  if (!item || item.disabled) return;
  if (item.items) {
    open.items = item.items();
    open.search.value = "";
    filter();
    return;
  }
  closeMenu();
  item.run();
}

function itemAt(event) {
  return Number(event.target.closest(".item")?.dataset.index ?? -1);
}

function hovered(event) {
  const index = itemAt(event);
  if (index >= 0 && index !== open.at) here(index);
}

/* Under its anchor, or at the panel's lower inner corner as the actions are. */
function place(box, anchor) {
  const rtl = document.documentElement.dir === "rtl";
  const panel = document.querySelector(".panel, .page")?.getBoundingClientRect();
  const width = box.offsetWidth;
  if (anchor) {
    const at = anchor.getBoundingClientRect();
    const left = rtl ? at.right - width : at.left;
    box.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
    box.style.top = `${Math.min(at.bottom + 6, innerHeight - box.offsetHeight - 8)}px`;
    return;
  }
  const edge = rtl ? panel.left + 10 : panel.right - width - 10;
  box.style.left = `${Math.max(8, edge)}px`;
  box.style.bottom = `${Math.max(8, innerHeight - panel.bottom + 38)}px`;
}
