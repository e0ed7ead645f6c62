// Exercises: answers are checked without a reload, and what is solved is remembered in this browser.

import { ask } from "../api.js";
import { all, find, set, write } from "../dom.js";
import { attempt } from "../site.js";

const KEY = "exercises";
const numbered = all(".index li");

/** @returns {Set<string>} the exercises that are solved */
function solved() {
  try {
    return new Set(JSON.parse(localStorage.getItem(KEY) ?? "[]").map(String));
  } catch {
    return new Set(); // storage is forbidden, or holds something else
  }
}

/** @param {string} exercise */
function remember(exercise) {
  try {
    localStorage.setItem(KEY, JSON.stringify([...solved().add(exercise)]));
  } catch {
    // Storage may be forbidden: nothing is remembered then.
  }
}

function showSolved() {
  const done = solved();
  for (const item of numbered) {
    const right = done.has(item.dataset.exercise);
    item.classList.toggle("solved", right);
    set(find("a", item), "aria-description", right && "solved");
  }
  const count = numbered.filter((item) => done.has(item.dataset.exercise)).length;
  write(find("#solved"), count ? `${count} of ${numbered.length} solved in this browser` : "None solved yet");
}

/** @param {HTMLFormElement} form */
async function check(form) {
  const { exercise } = form.dataset;
  const place = find(".verdict", form.parentElement);
  const { right, html } = await ask("api/exercises", { exercise, answer: new FormData(form).get("answer") });
  place.innerHTML = html; // from our own server, which escapes what is not ours
  place.classList.toggle("right", right);
  if (right) remember(exercise);
  showSolved();
}

for (const form of all("form.answer")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(() => check(form));
  });
  form.addEventListener("input", () => {
    find(".verdict", form.parentElement).replaceChildren();
  });
}
for (const verdict of all(".verdict.right")) remember(find("form", verdict.parentElement).dataset.exercise);
showSolved();
