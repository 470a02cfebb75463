/** How is a setting shown? One control a kind; a change acts at once, and says when it cannot. */
import { confirmed } from "./dialog.js";
import { el, replace } from "./dom.js";
import { foldersPart } from "./folders.js";
import { toast, toastError } from "./toast.js";
import { tokensPart } from "./tokens.js";

const TALL = ["list"];
const WHOLE = { folders: foldersPart, tokens: tokensPart, learned: learnedPart };
const KINDS = {
  toggle: toggle, choice: choice, number: numberBox, slider: slider, text: textBox, list: listBox,
  hotkey: recorder,
};

/** Is this kind shown by itself, outside the group of plain settings? */
export const standsAlone = (field) => Object.hasOwn(WHOLE, field.kind);

/** The part of a page for a field that stands alone. */
export const wholePart = (transport, field) => WHOLE[field.kind](transport, field);

/** The row of a field. */
export function settingRow(transport, field, done) {
  const id = `field-${(field.key || field.action).replace(/\W/g, "-")}`;
  const wrong = el("div", { class: "wrong", role: "alert" });
  const save = async (value) => {
    try {
      await transport.ask("settings_set", { key: field.key, value });
      field.value = value;
      replace(wrong);
      done(field);
    } catch (error) {
      replace(wrong, error.message, error.hint ? ` ${error.hint}` : "");
    }
  };
  const control = field.kind === "button" ? actionButton(transport, field, done) : (KINDS[field.kind] ?? textBox)(field, save, id);
  return el("div", { class: `setting${TALL.includes(field.kind) ? " tall" : ""}`, "data-field": field.key || field.action },
    el("label", { class: "label", for: id }, field.label),
    field.help ? el("div", { class: "help", id: `${id}-help` }, field.help) : null,
    el("div", { class: "control" }, control),
    wrong);
}

const described = (field, id) => ({ id, "aria-describedby": field.help ? `${id}-help` : null });

function toggle(field, save, id) {
  return el("input", {
    ...described(field, id), class: "switch", type: "checkbox", role: "switch", checked: field.value === true,
    onchange: (event) => save(event.currentTarget.checked),
  });
}

function choice(field, save, id) {
  if (field.choices.length <= 3) return segments(field, save, id);
  return el("select", { ...described(field, id), onchange: (event) => save(event.currentTarget.value) },
    field.choices.map((one) => el("option", { value: one.value, selected: one.value === field.value }, sentence(one.label))));
}

function segments(field, save, id) {
  return el("div", { class: "segments", role: "radiogroup", "aria-label": field.label, id },
    field.choices.map((one) => el("label", {},
      el("input", { type: "radio", name: id, value: one.value, checked: one.value === field.value, onchange: () => save(one.value) }),
      sentence(one.label))));
}

const sentence = (label) => label.charAt(0).toUpperCase() + label.slice(1);

function numberBox(field, save, id) {
  const whole = Number.isInteger(field.value) && !(field.step % 1);
  return [el("input", {
    ...described(field, id), class: "box number", type: "number", value: field.value ?? 0,
    min: field.low, max: field.high, step: field.step ?? (whole ? 1 : "any"),
    onchange: (event) => save(whole ? Math.round(Number(event.currentTarget.value)) : Number(event.currentTarget.value)),
  }), field.unit ? el("span", { class: "help" }, field.unit) : null];
}

function slider(field, save, id) {
  const low = field.low ?? 0;
  const high = field.high ?? 1;
  const amount = el("output", { class: "amount", for: id });
  const draw = () => {
    amount.textContent = Number(range.value).toFixed(2);
    range.style.setProperty("--done", `${(100 * (range.value - low)) / (high - low)}%`);
  };
  const range = el("input", {
    ...described(field, id), type: "range", min: low, max: high, step: field.step ?? 0.05,
    value: field.value ?? low, oninput: draw, onchange: () => save(Number(range.value)),
  });
  draw();
  return [range, amount];
}

function textBox(field, save, id) {
  return el("input", { ...described(field, id), class: "box", type: "text", dir: "auto", value: field.value ?? "", onchange: (event) => save(event.currentTarget.value) });
}

function listBox(field, save, id) {
  const lines = Array.isArray(field.value) ? field.value : [];
  const box = el("textarea", {
    ...described(field, id), class: "box", dir: "ltr", spellcheck: "false", rows: Math.min(8, lines.length + 2),
    onchange: () => save(box.value.split("\n").map((line) => line.trim()).filter(Boolean)),
  });
  box.value = lines.join("\n");
  return box;
}

/* Keys are told by position, as the hotkey is registered; the modifiers in a Mac's order. */
function recorder(field, save, id) {
  const button = el("button", {
    ...described(field, id), class: "button recorder", type: "button",
    "aria-label": `${field.label}: ${field.value}. Press to change`,
    onclick: () => record(true), onblur: () => record(false),
  }, String(field.value ?? ""));
  const record = (on) => {
    button.classList.toggle("on", on);
    button.textContent = on ? "Press the keys…" : String(field.value ?? "");
  };
  button.addEventListener("keydown", async (event) => {
    if (!button.classList.contains("on")) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") record(false);
    const keys = spellHotkey(event);
    if (!keys) return;
    await save(keys);
    record(false);
  });
  return button;
}

/** "⌥Space" from a key event; empty while only modifiers are held, or without any. */
export function spellHotkey(event) {
  const held = [["ctrlKey", "⌃"], ["altKey", "⌥"], ["shiftKey", "⇧"], ["metaKey", "⌘"]]
    .filter(([name]) => event[name]).map(([, sign]) => sign).join("");
  const plain = /^(?:Key|Digit)(.)$/.exec(event.code)?.[1] ?? event.code.replace(/^Arrow/, "");
  const functional = /^F\d+$/.test(plain);
  if (/^(Control|Alt|Shift|Meta|OS)/.test(plain) || plain === "Escape" || (!held && !functional)) return "";
  return held + plain;
}

function actionButton(transport, field, done) {
  const act = (field.press || field.label).replace(/…$/, "");
  // "Wipe" and "The index": read together, "Wipe the index".
  const whole = field.press ? `${act} ${field.label.replace(/^[A-Z](?=[a-z]* [^A-Z]*$|[a-z]*$)/, (first) => first.toLowerCase())}` : act;
  const run = async () => {
    if (field.confirm && !(await confirmed(`${whole}?`, { yes: act, text: field.confirm }))) return;
    try {
      const reply = await transport.ask("settings_do", { action: field.action, confirmed: Boolean(field.confirm) });
      done(field, reply);
      if (reply.rows.length === 0) toast(reply.text || "Done");
    } catch (error) {
      toastError(error);
    }
  };
  return el("button", {
    class: `button${field.confirm ? " danger" : ""}`, type: "button", onclick: run,
    id: `field-${field.action.replace(/\W/g, "-")}`, "aria-label": whole,
  }, field.press || field.label);
}

/* What openings have taught, so that nothing is learned unseen. */
function learnedPart(transport, field) {
  const part = el("div", {});
  transport.ask("learned", { limit: 50 }).then(({ rows }) => replace(part,
    el("h2", {}, field.label),
    el("div", { class: "group" }, rows.length === 0
      ? el("p", { class: "none" }, "Nothing yet. What you open for a search will rise for it.")
      : el("table", { class: "rows" }, el("tbody", {}, rows.map((row) => el("tr", {},
        el("td", { dir: "auto" }, row.query || "any search"), el("td", { dir: "auto" }, row.title),
        el("td", {}, `+${row.times}`))))))), toastError);
  return part;
}
