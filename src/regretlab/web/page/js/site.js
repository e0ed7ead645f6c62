// What every page does: the theme switch, explanations that Escape closes, one line for mistakes, one for listeners.

import { all, element, find, write } from "./dom.js";
import "./keys.js";
import "./words.js";

// On phones not all pages fit into the line; the one that is open is pulled in, and out of where the line fades.
const here = document.querySelector(".site-nav a[aria-current]");
const FADES = 40; // pixels
if (here) here.closest("nav").scrollLeft = here.getBoundingClientRect().right + FADES - here.closest("nav").getBoundingClientRect().right;

const themes = all("#theme input");

/** @param {string} theme */
function choose(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // Storage may be forbidden: the choice then lasts as long as the page.
  }
}

for (const input of themes) {
  input.checked = input.value === (document.documentElement.dataset.theme ?? "system");
  input.addEventListener("change", () => choose(input.value));
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") all(".tip").forEach((tip) => tip.classList.add("dismissed"));
});
for (const back of ["pointerover", "focusin"]) {
  document.addEventListener(back, (event) => {
    const tip = /** @type {Element} */ (event.target).closest?.(".tip.dismissed");
    if (!tip?.contains(event.relatedTarget)) tip?.classList.remove("dismissed");
  });
}

let silence;
let news = "";

/**
 * Tells people who listen to the page; of a burst only the last word, when it is over.
 * @param {string} text
 */
export function announce(text) {
  news = text;
  clearTimeout(silence);
  silence = setTimeout(() => write(find("#live"), news), 600);
}

const shelf = element("div", { class: "notices" });
document.body.append(shelf);
const said = new Map(); // causes, and what is said about them

/**
 * Says something at the lower edge of the window for as long as its cause lasts.
 * @param {string} cause
 * @param {string} [text] nothing when it is over
 * @param {boolean} [wrong] whether something went wrong
 */
export function notice(cause, text = "", wrong = false) {
  if (said.get(cause)?.text === text) return;
  said.get(cause)?.node.remove();
  said.delete(cause);
  if (!text) return;
  const close = element("button", { class: "button quiet small", type: "button" }, "Close");
  const attributes = wrong ? { class: "notice wrong", role: "alert" } : { class: "notice note" };
  const node = element("div", attributes, element("span", {}, text), close);
  close.addEventListener("click", () => node.remove());
  shelf.append(node);
  said.set(cause, { text, node });
  if (!wrong) announce(text);
}

/**
 * An error's line as a sentence for people: "ante=0 must be …" becomes "Ante 0 must be ….".
 * @param {string} line
 */
export function sentence(line) {
  const words = line.replace(/^([a-z]+)=(?=\S)/, "$1 ");
  return `${words[0].toUpperCase()}${words.slice(1)}${/[.…?]$/.test(words) ? "" : "."}`;
}

/** Says what went wrong, until something goes right. @param {Error} problem */
export const complain = (problem) => notice("mistake", sentence(problem.message), true);

/**
 * Runs an asynchronous action; what goes wrong is said in one line, until another one goes right.
 * @template T
 * @param {() => Promise<T>} action
 */
export async function attempt(action) {
  try {
    const result = await action();
    notice("mistake");
    return result;
  } catch (problem) {
    complain(/** @type {Error} */ (problem));
    return undefined;
  }
}
