/** Which folders are searched? The list with state and counts; add, pause, remove. */
import { confirmed, prompted } from "./dialog.js";
import { el, replace } from "./dom.js";
import { fileName, formatCount, formatNumber, formatPath } from "./format.js";
import { glyph } from "./icons.js";
import { toastError } from "./toast.js";

/** The folders' part of a page; it keeps itself up to date. */
export function foldersPart(transport) {
  const part = el("div", {});
  const draw = ({ roots }) => replace(part,
    el("div", { class: "group" }, roots.length > 0
      ? roots.map((root) => rootRow(root, ask))
      : el("p", { class: "none" }, "No folder yet. Add one, and its files can be found within seconds.")),
    el("div", { class: "under" },
      el("button", { class: "button first", type: "button", onclick: () => addFolder(transport).then((reply) => reply && draw(reply)) }, "Add Folder…")));
  const ask = async (name, fields = {}) => {
    try {
      draw(await transport.ask(name, fields));
    } catch (error) {
      toastError(error);
    }
  };
  transport.listen((event) => {
    if (event.type === "status" && part.isConnected) ask("roots_list");
  });
  ask("roots_list");
  return part;
}

/**
 * Lets the person choose a folder: in the system's dialog, or by its path in a browser window,
 * which is not told where a chosen folder is. Resolves to the folders, or null.
 */
export async function addFolder(transport) {
  try {
    if (transport.host === "app") return await transport.ask("roots_pick");
    const path = await prompted("Which folder shall be searched?", {
      yes: "Add", placeholder: "~/Documents", text: "Its full path; ~ is your home folder.",
    });
    return path === null ? null : await transport.ask("roots_add", { path });
  } catch (error) {
    toastError(error);
    return null;
  }
}

function rootRow(root, ask) {
  const name = fileName(root.path) || root.path;
  const act = (label, icon, run) => el("button", {
    class: "icon-button", type: "button", title: label, "aria-label": `${label}: ${name}`, onclick: run,
  }, glyph(icon, 16));
  const remove = async () => {
    const sure = await confirmed(`Stop searching “${name}”?`, {
      yes: "Remove", text: "Its files are forgotten by Sagasu. They stay on your disk.",
    });
    if (sure) ask("roots_remove", { path: root.path });
  };
  const tone = root.problem ? " bad" : root.paused ? " warn" : "";
  return el("div", { class: "root", "data-root": root.path },
    glyph("folder", 22),
    el("div", { class: "name", dir: "auto", title: root.path }, formatPath(root.path)),
    el("div", { class: `state${tone}` }, rootState(root)),
    el("div", { class: "acts" },
      root.paused
        ? act("Resume", "play", () => ask("roots_pause", { path: root.path, paused: false }))
        : act("Pause", "pause", () => ask("roots_pause", { path: root.path, paused: true })),
      act("Remove", "trash", remove)));
}

function rootState(root) {
  if (root.problem) return root.problem;
  const parts = [formatNumber(root.files, "file")];
  if (root.waiting > 0) parts.push(`${formatCount(root.waiting)} waiting`);
  if (root.left_out > 0) parts.push(`${formatCount(root.left_out)} not searchable`);
  if (root.paused) parts.unshift("Paused");
  return parts.join(" · ");
}
