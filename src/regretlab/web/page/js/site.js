// What every page does: the theme switch, explanations that Escape closes, one line for mistakes, one for listeners.

import { all, element, find, write } from "./dom.js";
import "./keys.js";

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

/** Says in one line what went wrong, at the lower edge of the window. @param {Error|string} problem */
export function complain(problem) {
  document.querySelector(".notice")?.remove();
  const text = problem instanceof Error ? problem.message : problem;
  const close = element("button", { class: "button quiet small", type: "button" }, "Close");
  const notice = element("div", { class: "notice wrong", role: "alert" }, element("span", {}, text), close);
  close.addEventListener("click", () => notice.remove());
  document.body.append(notice);
}

/**
 * Runs an asynchronous action; what goes wrong is said in one line.
 * @template T
 * @param {() => Promise<T>} action
 */
export async function attempt(action) {
  try {
    return await action();
  } catch (problem) {
    complain(/** @type {Error} */ (problem));
    return undefined;
  }
}
