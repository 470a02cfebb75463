/** What can be set? The panes that the service names, each with its fields. */
import { byId, el, replace } from "./dom.js";
import { settingRow, standsAlone, wholePart } from "./fields.js";
import { drawSprite, glyph } from "./icons.js";
import { applyLooks, followLooks } from "./looks.js";
import { openTransport } from "./transport.js";

const ICONS = {
  general: "gear", folders: "folder", search: "search", shortcuts: "keyboard", appearance: "sun",
  privacy: "lock", agents: "person",
};

let settings = null;
let shown = "";

async function start() {
  drawSprite();
  const transport = openTransport();
  followLooks(transport, (found) => {
    const first = settings === null;
    settings = found;
    if (first) show(transport, location.hash.slice(1) || found.panes[0]?.name);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !document.querySelector("dialog")) leave(transport);
  });
  try {
    settings ??= await transport.ask("settings_get");
    if (!shown) show(transport, settings.panes[0]?.name);
  } catch (error) {
    complain(error);
  }
}

function show(transport, name) {
  const pane = settings.panes.find((one) => one.name === name) ?? settings.panes[0];
  shown = pane.name;
  replace(byId("sidebar"),
    settings.panes.map((one) => el("button", {
      class: "tab", type: "button", "aria-current": one.name === pane.name ? "page" : null,
      "data-pane": one.name, onclick: () => show(transport, one.name),
    }, glyph(ICONS[one.name] ?? "sliders", 17), one.title)),
    el("span", { class: "spring" }),
    transport.host === "browser"
      ? el("button", { class: "tab", type: "button", onclick: () => leave(transport) }, glyph("back", 17), "Search") : null);
  const output = el("div", { role: "status" });
  replace(byId("content"), el("h1", {}, pane.title),
    pane.help ? el("p", { class: "lead" }, pane.help) : null, parts(transport, pane, output), output);
  byId("content").scrollTop = 0;
}

/* Plain settings in a row share a group; what stands alone comes between the groups. */
function parts(transport, pane, output) {
  const nodes = [];
  let group = null;
  for (const field of pane.fields) {
    if (standsAlone(field)) {
      nodes.push(wholePart(transport, field));
      group = null;
      continue;
    }
    if (!group) nodes.push(group = el("div", { class: "group" }));
    group.append(settingRow(transport, field, (changed, reply) => after(changed, reply, output)));
  }
  return nodes;
}

function after(field, reply, output) {
  if (field.key === "theme" || field.key === "text_size" || field.key === "direction") {
    settings[field.key] = field.value;
    applyLooks(settings);
  }
  if (reply?.rows.length > 0) {
    replace(output, el("div", { class: "group" }, el("dl", { class: "pairs" },
      reply.rows.flatMap((row) => [el("dt", {}, row.name), el("dd", { dir: "auto" }, row.value)]))));
  }
}

function leave(transport) {
  if (transport.host === "app") transport.ask("hide").catch(() => {});
  else location.assign("index.html");
}

function complain(error) {
  replace(byId("content"), el("h1", {}, "Settings"), el("p", { class: "lead" }, error.message || "Sagasu is not answering."),
    el("button", { class: "button first", type: "button", onclick: () => location.reload() }, "Try Again"));
}

start();
