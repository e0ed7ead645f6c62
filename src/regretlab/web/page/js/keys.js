// Keyboard shortcuts, and the dialog that lists them.

import { element, find } from "./dom.js";

/**
 * @typedef {{keys: string[], words: string, act: (event: KeyboardEvent) => void, shown?: string}} Shortcut
 */

/** @type {Shortcut[]} */
const known = [];

/**
 * Adds shortcuts: {keys: [" ", "p"], words: "play or pause", act}. Keys are KeyboardEvent.key.
 * They rest while one types, while a dialog is open, and with Ctrl, Alt or Meta.
 * @param {Shortcut[]} shortcuts
 */
export const addShortcuts = (shortcuts) => void known.push(...shortcuts);

const NAMES = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

function listed() {
  const [itself, ...others] = known;
  const rows = [...others, itself].flatMap(({ keys, words, shown }) => [
    element("dt", {}, ...(shown ? [shown] : keys).flatMap((key) => [element("kbd", {}, NAMES[key] ?? key), " "])),
    element("dd", {}, words),
  ]);
  return element("dl", {}, ...rows);
}

/** Opens the dialog that lists the shortcuts. */
export function showHelp() {
  const dialog = element("dialog", { "aria-labelledby": "help-title" });
  const close = element("button", { class: "button primary", type: "button", onclick: () => dialog.close() }, "Close");
  dialog.append(element("h2", { id: "help-title" }, "Keyboard shortcuts"), listed(), close);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

const OWN_KEYS = "input:not([type=radio]):not([type=checkbox]):not([type=range]), select, textarea, [contenteditable]";
const PRESSED_BY_SPACE = "button, summary, a, [role=button], [tabindex='0']";

/** Whether the focused thing needs this key itself. @param {KeyboardEvent} event */
function isTaken(event) {
  const at = /** @type {Element} */ (event.target);
  if (at.matches(OWN_KEYS)) return true;
  if (at.matches("[type=radio]")) return event.key === " " || event.key.startsWith("Arrow");
  if (event.key.startsWith("Arrow")) return at.matches("[type=range], [tabindex='0']:not([role=button])"); // it scrolls, or is a slider
  return (event.key === " " || event.key === "Enter") && at.matches(PRESSED_BY_SPACE);
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || isTaken(event)) return;
  if (document.querySelector("dialog[open]")) return;
  const shortcut = known.find(({ keys }) => keys.includes(event.key));
  if (!shortcut) return;
  event.preventDefault();
  shortcut.act(event);
});

addShortcuts([{ keys: ["?"], words: "this list", act: showHelp }]);
find("#help").addEventListener("click", showHelp);
