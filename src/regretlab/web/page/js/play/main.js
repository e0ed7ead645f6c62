// A hand against the bot. The server deals, plays and judges; it never sends the bot's card before the hand is over.

import { writeAddress, readAddress } from "../address.js";
import { ask } from "../api.js";
import { all, element, find, set, write } from "../dom.js";
import { addShortcuts } from "../keys.js";
import { attempt } from "../site.js";
import { Account } from "./account.js";
import { showAfter } from "./after.js";
import { showHand } from "./felt.js";

const form = find("#setup");
const account = new Account();
let table;
let busy = false;

const setup = () => Object.fromEntries(new FormData(form));

/** One thing at a time: a second press while the first is on its way does nothing. */
async function once(action) {
  if (busy) return;
  busy = true;
  try {
    await attempt(action);
  } finally {
    busy = false;
  }
}

function show(view, focus = true) {
  table = view.table;
  showHand(view, { act, next });
  showAfter(view);
  account.show(view);
  if (!focus) return;
  find("#choices button").focus({ preventScroll: true });
  find("#choices").scrollIntoView({ block: "nearest" });
}

/** A new table; with a seed from the address its cards are the same each time. */
const sit = (order, focus) =>
  once(async () => {
    const left = table;
    wait(true);
    try {
      show(await ask("api/play", order), focus);
    } finally {
      wait(false);
    }
    writeAddress(order);
    if (left) ask(`api/play/${left}`, undefined, "DELETE").catch(() => {}); // it would be cleared away by itself
  });

/** While the bot learns, which may take seconds. @param {boolean} learning */
function wait(learning) {
  set(find("#felt"), "aria-busy", learning && "true");
  write(find("#sit"), learning ? "The bot learns …" : "New table");
}

const move = (body) => once(async () => show(await ask(`api/play/${table}`, body)));
const act = (action) => move({ do: "act", action });
const next = () => move({ do: "deal" });

/** Presses the button of an action, if it is there. */
const press = (...names) => names.map((name) => document.querySelector(`#choices [data-action="${name}"]`)).find(Boolean)?.click();

form.addEventListener("submit", (event) => {
  event.preventDefault();
  sit(setup(), true);
});
form.addEventListener("change", () => settle());

function settle() {
  all(".stakes", form).forEach((field) => set(field, "hidden", form.elements.game.value !== "kuhn"));
}

addShortcuts([
  { keys: ["c"], words: "check or call", act: () => press("check", "call") },
  { keys: ["b"], words: "bet", act: () => press("bet") },
  { keys: ["f"], words: "fold", act: () => press("fold") },
  { keys: ["r"], words: "raise", act: () => press("raise") },
  { keys: ["n"], words: "the next hand", act: () => press("next") },
]);

attempt(async () => {
  const { recipes } = await ask("api/offers");
  find("#recipe").append(...recipes.map(({ slug, name }) => element("option", { value: slug, selected: slug === "cfr-plus" }, name)));
  for (const [name, value] of Object.entries(readAddress())) {
    if (!form.elements[name]) continue;
    if (name === "iterations") offer(value);
    form.elements[name].value = value;
  }
  settle();
  const { seed } = readAddress();
  await sit(seed === undefined ? setup() : { ...setup(), seed }, false);
});

/** A number of iterations that the list does not have. */
function offer(value) {
  const known = [...form.elements.iterations.options].some((option) => option.value === value);
  if (!known) form.elements.iterations.append(element("option", { value }, value));
}
