/**
 * Which keys mean what? ⌘ on a Mac, Ctrl elsewhere; one table read by the handler, the hints and
 * the tests.
 */

const platform = navigator.userAgentData?.platform ?? navigator.platform ?? "";

export const MAC = /mac|iphone|ipad/i.test(platform);

const SIGNS = MAC
  ? { mod: "⌘", alt: "⌥", shift: "⇧", Enter: "↩", Space: "Space", Escape: "esc", Tab: "⇥", join: "" }
  : { mod: "Ctrl", alt: "Alt", shift: "Shift", Enter: "↩", Space: "Space", Escape: "Esc", Tab: "Tab", join: "+" };

/* Name of the command → its keys; `mod` is ⌘ or Ctrl. */
export const SHORTCUTS = Object.freeze({
  open: "Enter",
  reveal: "mod+Enter",
  look: "mod+y",
  copyPath: "mod+c",
  copyPassage: "mod+alt+c",
  pack: "mod+shift+c",
  actions: "mod+k",
  filters: "mod+l",
  preview: "Tab",
  settings: "mod+,",
  clear: "Escape",
});

/** "mod+shift+c" → "⇧⌘C" or "Ctrl+Shift+C" */
export function keyLabel(shortcut) {
  const parts = shortcut.split("+");
  const order = MAC ? ["alt", "shift", "mod"] : ["mod", "alt", "shift"];
  const held = order.filter((name) => parts.includes(name)).map((name) => SIGNS[name]);
  const key = parts.at(-1);
  return [...held, SIGNS[key] ?? key.toUpperCase()].join(SIGNS.join);
}

/** Is ⌘ (on a Mac) or Ctrl (elsewhere) held? */
export const hasMod = (event) => (MAC ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey);

/** Is this the key that holds the hints up? */
export const isModKey = (event) => event.key === (MAC ? "Meta" : "Control");

/** Does the event press this shortcut, no more and no less? */
export function pressed(event, shortcut) {
  const parts = shortcut.split("+");
  const key = parts.at(-1);
  // ⌥C types “ç” on a Mac: the position of the key tells, not its character.
  const same = event.key.toLowerCase() === key.toLowerCase() || event.code === `Key${key.toUpperCase()}`;
  return same
    && (parts.includes("mod") ? hasMod(event) : !event.metaKey && !event.ctrlKey)
    && parts.includes("alt") === event.altKey
    && parts.includes("shift") === event.shiftKey;
}

/** 1 to 9 when ⌘1 … ⌘9 is pressed, else 0 */
export function pressedDigit(event) {
  const digit = /^Digit([1-9])$/.exec(event.code)?.[1] ?? (/^[1-9]$/.test(event.key) ? event.key : "");
  return digit && hasMod(event) && !event.altKey && !event.shiftKey ? Number(digit) : 0;
}
