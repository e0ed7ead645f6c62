// Hold'em endgames: a spot is described here, solved on the server, and explored.

import { ask } from "../api.js";
import { all, element, find, set, write } from "../dom.js";
import { addShortcuts } from "../keys.js";
import { save } from "../save.js";
import { attempt, complain, notice, sentence } from "../site.js";
import { differences, readAddress, writeAddress } from "./address.js";
import { Board } from "./board.js";
import { explore, showHand } from "./explore/main.js";
import { Form, readLock, shownFields } from "./form.js";
import { Locks } from "./lock/main.js";
import { Painter } from "./painter.js";
import { inSight, leadTo, listenToParts, showParts } from "./parts.js";
import { listSaved } from "./saved/main.js";
import { showSize } from "./size.js";
import { MOST, Solves, spotOf } from "./solves.js";
import { train } from "./train/main.js";

const FIRST = "river-srp";
const OF_THE_PAGE = ["name", "solve", "line", "table", "recipe", "precision", "beside"]; // what the address says besides the spot
const RACERS = ["dcfr", "cfr+", "pcfr+", "cfr"]; // which race unless others are chosen
const PAUSE = 250; // milliseconds without a letter, after which the server is asked
const MOST_FILE = 100_000; // bytes of a file that is opened
const MOST_SAID = 40; // letters of what is told of an address

const form = new Form(find("#form"));
const board = new Board(find("#deck"), find("#board"), changed);
const solves = new Solves({ changed: news, attempt, explore: () => leadTo("explore"), until: () => find("#until").value.trim() || "0.5%" });
const locks = new Locks(find("#lock"), { form, take, hold, solveAgain, walk: (place) => walk(place), beside });
const painters = {};
let offered; // ready spots, recipes, presets
let name = FIRST; // of the ready spot that one began with
let line = "";
let table = ""; // where one trains
let told; // what the server has said of the form as it is; undefined while it is not known
let compared = ""; // the solve that the explored one is compared with
let asked = 0;
let leading = false; // a solve has begun here, and what it finds is not on the page yet
let timer;

const readyValues = () => shownFields(offered.spots.find((spot) => spot.name === name)?.fields ?? {});
const precision = () => find("#precision input:checked").value;

// ---- the form

/** Something in the form has changed: it is described soon. */
function changed() {
  board.show();
  told = undefined;
  set(find(".size"), "data-stale", true);
  keep();
  news();
  clearTimeout(timer);
  timer = setTimeout(() => attempt(describe), PAUSE);
}

async function describe() {
  clearTimeout(timer);
  const own = (asked += 1);
  const fields = form.fields();
  const answer = await ask("api/holdem/describe", { ...fields, recipe: find("#recipe").value }).catch((problem) => ({ error: problem.message, key: null }));
  if (own !== asked) return; // the form has changed meanwhile
  show(answer, fields);
}

/** What the server says of the form, in all its places. */
function show(answer, fields) {
  const mistakes = Object.entries(answer.ranges ?? {}).filter(([, range]) => range.error).map(([key, range]) => ({ ...range, key }));
  for (const [key, painter] of Object.entries(painters)) {
    const range = answer.ranges?.[key];
    if (range && !range.error) painter.show(range);
    else if (!fields[key]) painter.showNothing();
  }
  if (answer.error && answer.key && !mistakes.some(({ key }) => key === answer.key)) mistakes.push(answer);
  form.mark(mistakes);
  const homeless = answer.error && !(answer.key && form.input(answer.key));
  set(find("#wrong"), "hidden", !homeless);
  write(find("#wrong"), homeless ? sentence(answer.error) : "");
  set(find(".size"), "data-stale", Boolean(answer.error));
  told = answer.error ? undefined : answer;
  if (told) showSize(told, precision());
  if (told) locks.list(told.locks);
  find("#download").disabled = !told;
  Object.assign(find("main").dataset, { described: Boolean(told), answers: asked });
  showChosen();
}

/** @param {Record<string, string>} values as they are written @param {string} from the ready spot that they come from */
function fill(values, from) {
  name = from;
  form.fill(values);
  changed();
  return describe();
}

function showChosen() {
  const same = !Object.keys(differences(form.values(), readyValues())).length;
  for (const button of all("#ready button")) set(button, "aria-pressed", String(same && button.dataset.name === name));
}

/** The page in its address. */
function keep() {
  if (!offered) return;
  const state = { recipe: find("#recipe").value, precision: precision() };
  writeAddress({
    name,
    ...differences(form.values(), readyValues()),
    recipe: state.recipe || undefined,
    precision: state.precision === "f64" ? undefined : state.precision,
    solve: [solves.chosen, ...solves.list.map(({ id }) => id).filter((id) => id !== solves.chosen)].filter(Boolean).join(",") || undefined,
    line: line || undefined,
    beside: compared || undefined,
    table: table || undefined,
  });
}

// ---- files

function download() {
  if (told) save(told.toml, "application/toml", `holdem-${form.values().board ?? "spot"}.toml`);
}

async function openFile(file) {
  const say = (words, wrong) => {
    write(find("#opened"), words);
    set(find("#opened"), "class", wrong ? "small wrong" : "small soft");
  };
  if (!file) return;
  if (file.size > MOST_FILE) return void say(`${file.name} is no spot: it has more than ${MOST_FILE / 1000} kB.`, true);
  const answer = await ask("api/holdem/describe", { toml: await file.text() });
  if (answer.error) return void say(`${file.name}: ${answer.error}`, true);
  await fill(shownFields(answer.fields), name);
  say(`${file.name} is open.`, false);
}

// ---- solving

async function solve() {
  if (!told) await describe();
  if (!told) {
    find("[aria-invalid]", find("#form"))?.focus();
    return;
  }
  if (solves.list.length >= MOST) throw new Error(`there are ${MOST} solves on this page; remove one before you begin another`);
  await solves.begin({ fields: form.fields(), recipe: find("#recipe").value, precision: precision(), until: find("#until").value.trim() || undefined });
  leading = true;
  leadTo("solve");
  keep();
}

// ---- locks

/** Several recipes on the spot of the form, one after the other into the queue. */
async function race(recipes) {
  if (!told) await describe();
  if (!told) return void find("[aria-invalid]", find("#form"))?.focus();
  if (!recipes.length) throw new Error("choose at least one recipe");
  const room = MOST - solves.list.length;
  if (recipes.length > room) throw new Error(`${recipes.length} recipes are chosen, and there is room for ${room} more solves on this page; remove some first`);
  const order = { fields: form.fields(), precision: precision(), until: find("#until").value.trim() || undefined };
  for (const recipe of recipes) await solves.begin({ ...order, recipe });
  leadTo("solves");
}

/** Puts the spot of a solve into the form. */
async function take(fields) {
  const answer = await ask("api/holdem/describe", fields);
  if (answer.error) throw new Error(answer.error);
  await fill(shownFields(answer.fields), name);
}

/** The spot has these locks from now on. @param {Record<string, string>} lock */
async function hold(lock) {
  form.hold(lock);
  changed();
  await describe();
}

/** The spot of the form as a new solve, beside the one that is explored. */
async function solveAgain() {
  const { told: before, id } = solves.shown;
  if (!told) await describe();
  if (!told) throw new Error("the form has a mistake; mend it first");
  if (solves.list.length >= MOST) throw new Error(`there are ${MOST} solves on this page; remove one before you begin another`);
  beside(id);
  locks.comparison.choose(id);
  await solves.begin({ fields: form.fields(), recipe: before.recipe, precision: before.precision, until: find("#until").value.trim() || undefined });
}

/** @param {string} id of the solve that the explored one is compared with */
function beside(id) {
  compared = id;
  keep();
}

/** Whether the form still describes what is explored. */
function sayOther() {
  const other = solves.shown && solves.shown.spot !== spotOf(form.fields());
  set(find("#other"), "hidden", !other);
}

/** A spot without its locks. */
const freeOf = (fields) => spotOf({ ...fields, lock: undefined });

/** A solve has news. */
function news() {
  keep();
  sayOther();
  const solve = solves.shown;
  set(find("#explore"), "hidden", !solve?.told.iteration);
  locks.show(solve, solves.list, Boolean(solve) && freeOf(solve.told.fields) === freeOf(form.fields()));
  set(find("#train"), "hidden", !solve?.told.iteration);
  showParts();
  if (!solve?.told.iteration) return; // there is nothing to explore yet
  const { state, iteration } = solve.told;
  explore(find("#explore"), { id: solve.id, name: solve.name, state, iteration }, line, walk);
  train(find("#train"), { id: solve.id, state, iteration }, { table, changed: trained, walk: lookAt });
}

/** @param {string} place a table */
function trained(place) {
  table = place;
  keep();
}

/** @param {string} place in the explorer, to which the page moves @param {string} hand */
function lookAt(place, hand) {
  walk(place);
  showHand(find("#explore"), hand);
  leadTo("explore");
}

/** A saved run was opened: its spot is in the form, and it is explored. */
async function opened(told) {
  line = "";
  await fill(shownFields(told.fields), name);
  solves.add(told);
  leadTo("solve");
}

/** @param {string} place where one stands in the solution */
function walk(place) {
  line = place;
  news();
}

// ---- the beginning

/** What the address says and nobody can read is told: the page shows the usual in its place. @param {URLSearchParams} said */
function tellUnread(said) {
  const shown = { name, recipe: find("#recipe").value, precision: precision(), lock: readLock(said.get("lock")) && said.get("lock") };
  const unread = Object.keys(shown).filter((key) => said.get(key) && said.get(key) !== shown[key]);
  if (!unread.length) return;
  const list = unread.map((key) => `${key} ‘${said.get(key).slice(0, MOST_SAID)}’`).join(", ");
  notice("unread", `This address says what is not known here: ${list}. The page shows the usual in its place.`);
}

function offer() {
  find("#ready").append(
    ...offered.spots.map((spot) => {
      const press = () => attempt(() => fill(shownFields(spot.fields), spot.name));
      const parts = [element("b", {}, spot.name), element("span", {}, spot.about)];
      return element("li", {}, element("button", { type: "button", class: "card tile", "data-name": spot.name, "aria-pressed": "false", onclick: press }, ...parts));
    }),
  );
  const recommended = element("option", { value: "" }, "recommended (DCFR)");
  find("#recipe").append(recommended, ...offered.recipes.map((recipe) => element("option", { value: recipe.name }, `${recipe.name}: ${recipe.title}`)));
  find("#racers fieldset").append(...offered.recipes.map(({ name: recipe, title }) =>
    element("label", { title }, element("input", { type: "checkbox", value: recipe, checked: RACERS.includes(recipe) }), ` ${recipe}`)));
  const choice = (kind) => element("label", {}, element("input", { type: "radio", name: "precision", value: kind, checked: kind === "f64" }), element("span", {}, kind));
  find("#precision").append(...offered.precisions.map(choice));
  const links = { presets: offered.presets, board: () => find("#board").value, changed, wrong: complain };
  for (const [key, title] of [["oop", "Out of position, acts first"], ["ip", "In position"]]) {
    painters[key] = new Painter(key, title, links);
    find("#ranges").append(painters[key].section);
  }
}

function listen() {
  find("#form").addEventListener("input", ({ target }) => target.type !== "range" && changed());
  find("#form").addEventListener("submit", (event) => event.preventDefault());
  find("#order").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(solve);
  });
  find("#order").addEventListener("input", changed);
  find("#racers").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(() => race(all("#racers input:checked").map(({ value }) => value)));
  });
  find("#download").addEventListener("click", download);
  find("#open").addEventListener("change", ({ target }) => attempt(() => openFile(target.files[0])).then(() => (target.value = "")));
  find("#explore").addEventListener("place", () => {
    if (leading && inSight("solve")) leadTo("solve"); // the page was too short for that until now
    leading = false;
    showParts(); // a decision that can be locked
  });
  listenToParts();
  addShortcuts([
    { keys: ["s"], words: "solve the spot", act: () => attempt(solve) },
    { keys: ["e"], words: "to the explorer", act: () => solves.shown?.told.iteration && leadTo("explore") },
  ]);
}

attempt(async () => {
  offered = await ask("api/holdem/ready");
  const said = readAddress();
  offer();
  name = offered.spots.some((spot) => spot.name === said.get("name")) ? said.get("name") : FIRST;
  find("#recipe").value = said.get("recipe") ?? "";
  if (find("#recipe").selectedIndex < 0) find("#recipe").value = "";
  const kind = all("#precision input").find(({ value }) => value === said.get("precision"));
  if (kind) kind.checked = true;
  tellUnread(said);
  line = said.get("line") ?? "";
  beside(said.get("beside") ?? "");
  locks.comparison.choose(compared);
  table = said.get("table") ?? "";
  const changes = [...said].filter(([key]) => !OF_THE_PAGE.includes(key));
  listen();
  attempt(() => listSaved(find("#saved"), opened, attempt));
  const ids = (said.get("solve") ?? "").split(",").filter(Boolean);
  await fill({ ...readyValues(), ...Object.fromEntries(changes) }, name);
  if (ids.length) await solves.find(ids);
  find("main").dataset.ready = "true";
});
