/** What happens the first time? A few steps, done or not by the facts, none of them forced. */
import { byId, el, replace } from "./dom.js";
import { addFolder } from "./folders.js";
import { drawSprite, glyph } from "./icons.js";
import { followLooks } from "./looks.js";
import { toastError } from "./toast.js";
import { openTransport } from "./transport.js";

const SETTINGS = { hotkey: "shortcuts" };

let transport = null;

function start() {
  drawSprite();
  transport = openTransport();
  followLooks(transport);
  replace(byId("logo"), glyph("search", 44));
  transport.listen((event) => {
    if (event.type === "status" || event.type === "settings") load();
  });
  load();
}

async function load(finished = false) {
  try {
    const { steps, hotkey } = await transport.ask("welcome", { finished });
    replace(byId("steps"), steps.map(stepRow));
    const ready = steps.every((step) => step.done || step.name !== "folders");
    replace(byId("end"),
      el("button", { class: `button${ready ? " first" : ""}`, type: "button", onclick: finish }, "Start Searching"),
      hotkey ? el("span", {}, "Any time: ", el("kbd", {}, hotkey)) : null);
  } catch (error) {
    replace(byId("end"), el("p", {}, error.message || "Sagasu is not answering."),
      el("button", { class: "button first", type: "button", onclick: () => load() }, "Try Again"));
  }
}

function stepRow(step, index) {
  return el("li", { class: `step${step.done ? " done" : ""}`, "data-step": step.name },
    el("span", { class: "mark" }, step.done ? glyph("check", 17) : String(index + 1)),
    el("h2", {}, step.title, step.done ? el("span", { class: "unseen" }, " (done)") : null),
    el("p", {}, step.text),
    step.button ? el("div", { class: "act" },
      el("button", { class: `button${step.done ? "" : " first"}`, type: "button", onclick: () => act(step) }, step.button)) : null);
}

async function act(step) {
  try {
    if (step.action === "roots_pick") await addFolder(transport);
    else if (step.action === "launch_at_login") await transport.ask("settings_set", { key: step.action, value: true });
    else if (step.action in SETTINGS) await openPage("settings");
    else await transport.ask("settings_do", { action: step.action });
    load();
  } catch (error) {
    toastError(error);
  }
}

async function finish() {
  await load(true);
  openPage("search");
}

function openPage(page) {
  if (transport.host === "app") return transport.ask("show_page", { page });
  location.assign(page === "search" ? "index.html" : `${page}.html`);
  return null;
}

start();
