/** What does a key do? Every key of the panel, in the order in which it is tried. */
import { hasMod, isModKey, pressed, pressedDigit, SHORTCUTS } from "./keys.js";
import { menuIsOpen } from "./menu.js";
import { keyPressed } from "./timings.js";

const STEPS = { ArrowDown: 1, ArrowUp: -1 };

/** Listens for keys; `panel` is asked to do things. */
export function listenKeys(panel) {
  document.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (isModKey(event)) panel.hold(true);
    if (menuIsOpen() || document.querySelector("dialog")) return;
    keyPressed(event);
    if (command(panel, event) || movement(panel, event)) event.preventDefault();
    else if (!hasMod(event) && event.key.length === 1 && !(event.key === " " && onButton(event))) panel.focusField();
  });
  document.addEventListener("keyup", (event) => {
    if (isModKey(event)) panel.hold(false);
  });
  window.addEventListener("blur", () => panel.hold(false));
}

function command(panel, event) {
  const result = panel.result;
  const digit = pressedDigit(event);
  if (digit) return panel.choose(digit - 1);
  if (pressed(event, SHORTCUTS.pack)) return did(panel.actions.pack());
  if (pressed(event, SHORTCUTS.filters)) return did(panel.chips.openMenu());
  if (pressed(event, SHORTCUTS.settings)) return did(panel.showPage("settings"));
  if (pressed(event, SHORTCUTS.clear)) return did(panel.escape());
  if (pressed(event, SHORTCUTS.preview)) return panel.enterPreview();
  if (pressed(event, "shift+Tab")) return panel.leavePreview();
  if (pressed(event, SHORTCUTS.open)) return onButton(event) ? false : panel.choose();
  if (!result) return false;
  if (pressed(event, SHORTCUTS.actions)) return did(panel.actions.openMenu(result));
  if (pressed(event, SHORTCUTS.reveal)) return did(panel.actions.reveal(result));
  if (pressed(event, SHORTCUTS.look)) return did(panel.actions.look(result));
  if (pressed(event, SHORTCUTS.copyPassage)) return did(panel.actions.copyPassage(result));
  // With text selected, ⌘C means that text.
  if (pressed(event, SHORTCUTS.copyPath)) return panel.hasSelection() ? false : did(panel.actions.copyPath(result));
  // A space belongs to the query while one types; on a row that was gone to, it looks.
  if (pressed(event, " ")) return panel.inList && !onButton(event) ? did(panel.actions.look(result)) : false;
  return false;
}

function movement(panel, event) {
  const { list, ghost } = panel;
  if (hasMod(event) || event.altKey || event.ctrlKey) return false;
  if (panel.inPreview) return panel.scrollPreview(event.key);
  if (event.key in STEPS) return did(list.move(STEPS[event.key], { extend: event.shiftKey }));
  if (event.shiftKey) return false;
  if (event.key === "Home") return list.rows.length > 0 && did(list.select(0));
  if (event.key === "End") {
    if (!panel.inList && ghost.take()) return did(panel.typed());
    return list.rows.length > 0 && did(list.select(list.rows.length - 1));
  }
  if (event.key === "PageDown") return did(list.move(list.page()));
  if (event.key === "PageUp") return did(list.move(-list.page()));
  const onwards = document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  if (event.key === onwards && ghost.take()) return did(panel.typed());
  return false;
}

const did = () => true;
const onButton = (event) => event.target.closest("button") !== null;
