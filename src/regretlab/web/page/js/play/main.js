// A hand against the bot. The server deals, plays and judges; it never sends the bot's card before the hand is over.

import { writeAddress, readAddress } from "../address.js";
import { ask, passes, serverIsBack } from "../api.js";
import { all, element, find, set, write } from "../dom.js";
import { count } from "../format.js";
import { addShortcuts } from "../keys.js";
import { attempt, notice, sentence } from "../site.js";
import { Account } from "./account.js";
import { showAfter } from "./after.js";
import { showHand } from "./felt.js";
import { keep, kept, keptLast } from "./memory.js";

const form = find("#setup");
const account = new Account();
let table;
let chosen = {}; // the game, the bot and the seat, as they stand in the address
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
  keep(chosen, view);
  showHand(view, { act, next });
  showAfter(view);
  account.show(view);
  if (!focus) return;
  find("#choices button").focus({ preventScroll: true });
  find("#choices").scrollIntoView({ block: "nearest" });
}

/** Asks as often as it takes while the server is away. @param {() => Promise<any>} question */
async function patiently(question) {
  for (;;) {
    try {
      return await question();
    } catch (problem) {
      if (!passes(problem)) throw problem;
      await serverIsBack((text) => notice("server", text, true));
    }
  }
}

/**
 * A table for an order: a new one, or one that was kept. With a seed from the address its cards are the same each time.
 * @param {Record<string, any>} order
 * @param {boolean} focus
 */
async function open(order, focus) {
  wait(true);
  try {
    const view = await patiently(() => ask("api/play", order));
    const { seed } = order.record === undefined ? order : chosen;
    chosen = seed === undefined ? view.order : { ...view.order, seed };
    notice("address", view.said.map(sentence).join(" "));
    show(view, focus);
    fill(view.order);
  } finally {
    wait(false);
  }
  writeAddress(chosen);
}

/** A new table in place of this one. */
const sit = (order) =>
  once(async () => {
    const left = table;
    await open(order, true);
    if (left) ask(`api/play/${left}`, undefined, "DELETE").catch(() => {}); // it would be cleared away by itself
  });

/** The table that was kept, from the server or, where it is not known any more, played again from its record. */
async function sitAgain(kept) {
  chosen = kept.order;
  try {
    const view = await patiently(() => ask(`api/play/${kept.table}`));
    fill(view.order);
    show(view, false);
    writeAddress(chosen);
  } catch (problem) {
    if (problem.status !== 404) throw problem;
    await open(again(kept), false);
  }
}

const again = ({ order, seed, record }) => ({ ...order, seed, record });

/** While the bot learns, which may take seconds. @param {boolean} learning */
function wait(learning) {
  set(find("#felt"), "aria-busy", learning && "true");
  write(find("#sit"), learning ? "The bot learns …" : "New table");
}

const move = (body) =>
  once(async () => {
    // A move that has been done already, of which no answer came, is not done twice.
    const order = { ...body, after: kept(chosen).record.length };
    const done = () => patiently(() => ask(`api/play/${table}`, order));
    try {
      show(await done());
    } catch (problem) {
      if (problem.status !== 404) throw problem;
      await open(again(kept(chosen)), true); // the server was started again, or had no room any more
      show(await done());
    }
  });
const act = (action) => move({ do: "act", action });
const next = () => move({ do: "deal" });

/** Presses the button of an action, if it is there. */
const press = (...names) => names.map((name) => document.querySelector(`#choices [data-action="${name}"]`)).find(Boolean)?.click();

form.addEventListener("submit", (event) => {
  event.preventDefault();
  sit(setup());
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
  const asked = readAddress();
  const known = Object.keys(asked).length ? kept({ ...setup(), ...asked }) : keptLast();
  await once(() => (known ? sitAgain(known) : open({ ...setup(), ...asked, nearest: true }, false)));
});

/** Fills the form. @param {Record<string, string>} order */
function fill(order) {
  offer(order.iterations);
  for (const [name, value] of Object.entries(order)) form.elements[name].value = value;
  settle();
}

/** A number of iterations that the list does not have. @param {string} value */
function offer(value) {
  const known = [...form.elements.iterations.options].some((option) => option.value === value);
  if (!known) form.elements.iterations.append(element("option", { value }, count(Number(value))));
}
