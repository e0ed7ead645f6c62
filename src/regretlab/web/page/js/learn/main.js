// The learn page: watch one algorithm learn Kuhn poker, and look into every number.

import { recorded } from "../api.js";
import { all, element, find, perRefresh, set, write } from "../dom.js";
import { count, distance, size } from "../format.js";
import { addShortcuts } from "../keys.js";
import { announce, attempt, complain, notice, sentence } from "../site.js";
import { againstIt, fill, readState, setup, setupWords, writeState } from "./address.js";
import { animate } from "./animate.js";
import { ArithmeticPanel } from "./arithmetic.js";
import { Brain } from "./brain.js";
import { Controls } from "./controls.js";
import { Convergence } from "./convergence.js";
import { Drawer } from "./drawer.js";
import { showGame, showNumbers } from "./header.js";
import { Found, Milestones } from "./milestones.js";
import "./menus.js";
import { showNetworks, showTraining, trains } from "./networks.js";
import { upToNow } from "./points.js";
import { Inside } from "./inside.js";
import { RecordedSource } from "./recorded.js";
import { SmallCurve } from "./small_curve.js";
import { LiveSource } from "./source.js";
import { showCards, Tree } from "./tree.js";
import { showWhy } from "./why.js";

/** @typedef {import("./source.js").Frame} Frame */

const page = find("main.learn");
const state = readState();
const draw = perRefresh(show);
const source = new (recorded ? RecordedSource : LiveSource)(page.dataset.recipe, receive, notice);
const inside = trains || recorded ? undefined : new Inside(lookInside, finishInside, drawInside);
const controls = new Controls(tell, inside, trains, Number.isFinite(Number(state.speed)) ? Math.round(Number(state.speed)) : 2);
const arithmetic = new ArithmeticPanel((label) => source.explain(label), complain);
const goTo = (iteration) => tell({ do: "go", to: iteration });
const found = new Found();
const milestones = new Milestones(goTo);
const drawer = new Drawer(() => choose(""));
const curve = new SmallCurve();
let views; // what is drawn for one game
let latest; // the newest frame and the points of its charts
let runs = 0;

/** @param {import("./source.js").Command} command */
async function tell(command) {
  await begun; // networks take some seconds to be ready: what was pressed before that counts, too
  if (!views) return;
  inside?.leave();
  for (const cause of ["address", "end"]) notice(cause); // they have been read
  showTraining(true);
  await attempt(() => source.tell(command));
  showTraining(latest.frame.playing);
  if (!latest.frame.playing) announce(spoken(latest.frame));
}

/** The next iteration in steps, of a run that stands still. */
async function lookInside() {
  await begun;
  if (latest.frame.playing) await source.tell({ do: "pause" });
  if (!matchMedia("(min-width: 100rem)").matches) drawer.close(); // it lies over the tree
  return attempt(() => source.inside());
}

/** What the steps led to. */
function finishInside() {
  return attempt(() => source.tell({ do: "step" }));
}

/** @param {boolean} moved whether something is to be seen on its way */
function drawInside(moved) {
  if (!views) return;
  show();
  if (inside.isOn && moved) {
    announce(`${inside.step.place}. ${inside.step.sentence}`);
    animate(inside.step, inside.pace, views);
  }
}

/** @param {Frame} frame */
const spoken = ({ iteration, mbb }) => `Iteration ${count(iteration)}, exploitability ${size(distance(mbb.average))} mbb/g`;

/** @param {Frame} frame @param {import("./points.js").Points} points */
function receive(frame, points) {
  latest = { frame, points };
  if (views) draw();
}

function show() {
  const { frame, points } = latest;
  const step = inside?.isOn ? inside.step : undefined;
  const { deal, gold } = step ? { deal: step.deal, gold: goldOf(step) } : drawn(frame);
  const regrets = inside?.latest("regrets") ?? frame.regrets;
  const current = inside?.latest("current") ?? frame.current;
  const reach = inside?.latest("reach") ?? frame.reach;
  Object.assign(state, { t: source.at, speed: find("#speed").value });
  showNumbers(frame);
  showNetworks(frame, views.game, views.seed);
  showTraining(frame.playing);
  controls.show(frame, points);
  curve.show(upToNow(points, frame, views.game), views.game.unit);
  notice("end", frame.iteration < views.game.last || frame.playing ? "" : ENDED(views.game.last));
  write(find("#sentence"), step?.sentence ?? frame.sentence);
  showCards(deal);
  views.tree.show({ deal, current, reach: reach[deal], gold, values: step?.values ?? {}, chosen: state.info });
  views.brain.show({ regrets, current, average: frame.average, added: step?.added ?? {}, chosen: state.info });
  views.convergence.show(frame, points);
  found.say(frame);
  milestones.show(points);
  if (drawer.isOpen) arithmetic.show(state.info, frame.iteration, runs);
  writeState(state);
  againstIt(frame.iteration);
  set(page, "data-ready", true);
}

/** The nodes in gold inside an iteration: those of the walk on its way down. @param {import("./source.js").InnerStep} step */
const goldOf = ({ phase, nodes }) => new Set(phase === "down" ? nodes : []);

/**
 * The deal that is drawn, and the nodes in gold: those of a walk, where walks are drawn at random.
 * @param {Frame} frame
 */
function drawn({ walks }) {
  const chosen = find("#deals input:checked").value;
  const number = chosen.startsWith("walk-") ? Number(chosen.slice(5)) - 1 : -1;
  const walk = number < 0 ? walks.find((each) => each.deal === chosen) : walks[Math.min(number, walks.length - 1)];
  const deal = number < 0 ? chosen : (walk?.deal ?? views.game.deals[0]);
  return { deal, gold: new Set(walk?.nodes) };
}

const ENDED = (last) =>
  `The run ends here: it has ${count(last)} iterations, and no more are ${recorded ? "recorded" : "done on this page"}. ` +
  "Step back, go to an earlier iteration, or reset it.";

/**
 * A new run with what the form says, or with what the address has asked for or the nearest to it.
 * @param {number|string} at
 * @param {import("./source.js").Setup} [asked]
 */
async function begin(at, asked) {
  showTraining(true);
  inside?.leave();
  const { game, setup: chosen, said } = await source.open(asked ?? setup(), at, Boolean(asked)).finally(() => showTraining(false));
  fill(chosen);
  if (asked) notice("address", [...said, ...unknown(game)].map(sentence).join(" "));
  runs += 1;
  controls.seen = [0];
  write(find("#setup-word"), setupWords());
  showGame(game);
  views?.tree.remove();
  const convergence = views?.convergence ?? new Convergence(game, latest.frame, goTo);
  convergence.begin(game, page.dataset.recipe, chosen);
  const brain = new Brain(game, page.dataset.kept, choose);
  views = { game, seed: chosen.seed, convergence, tree: new Tree(find("#tree"), game, choose), brain };
  fillChoices(game);
  if (state.info) drawer.open(false);
  show();
}

/** What the address wants to be shown of a game and cannot be: it is replaced. @param {import("./source.js").Game} game */
function* unknown(game) {
  const short = (text) => `'${text.slice(0, 12)}'`;
  if (state.info && !game.infosets.some(({ label }) => label === state.info)) {
    yield `there is no information set ${short(state.info)}; the arithmetic stays closed`;
    state.info = "";
  }
  if (state.deal && !all("#deals input").some(({ value }) => value === state.deal)) {
    yield `there is no deal ${short(state.deal)}; this page shows ${find("#deals input:checked").parentElement.textContent} instead`;
    state.deal = "";
  }
  if (state.speed !== find("#speed").value) yield `there is no speed ${short(state.speed)}; it is ${controls.pace.words} instead`;
}

/** @param {import("./source.js").Game} game */
function fillChoices(game) {
  const groups = game.players.map((label, player) => {
    const own = game.infosets.filter((infoset) => infoset.player === player);
    return element("optgroup", { label }, ...own.map(({ label, words }) => element("option", { value: label }, `${label}: ${words}`)));
  });
  find("#choose-info").replaceChildren(...groups);
  find("#choose-info").value = state.info;
  for (const input of all("#deals input")) if (input.value === state.deal) input.checked = true;
}

/** Shows the arithmetic of an information set, or none. @param {string} label @param {boolean} [withFocus] */
function choose(label, withFocus = true) {
  state.info = label;
  find("#choose-info").value = label;
  if (label && !(drawer.isOpen && !withFocus)) drawer.open(withFocus);
  draw();
}

/** The next or the last information set. @param {number} by */
function move(by) {
  const labels = views.game.infosets.map(({ label }) => label);
  const place = labels.indexOf(state.info);
  choose(labels.at(place < 0 ? 0 : (place + by) % labels.length), !drawer.isOpen);
}

function escape() {
  if (drawer.isOpen) drawer.close();
  else inside?.leave();
}

find("#choose-info").onchange = (event) => choose(event.target.value, false);
find("#deals").onchange = (event) => {
  state.deal = event.target.defaultChecked ? "" : event.target.value;
  draw();
};
find("#setup-form").onsubmit = (event) => {
  event.preventDefault();
  attempt(() => begin(0));
};
find("#setup-form").onreset = () => setTimeout(() => attempt(() => begin(0)));
addShortcuts([
  { keys: ["n"], words: "next information set", act: () => views && move(1) },
  { keys: ["N"], words: "information set before", act: () => views && move(-1) },
  { keys: ["Escape"], words: "close the arithmetic, or leave the inside", shown: ["Esc"], act: escape },
]);
if (recorded) set(find("#setup-form"), "hidden", true);
fill(state.asked);
if (setupWords()) find("#setup").open = true;

showWhy(page.dataset.recipe);
const begun = attempt(() => begin(state.t, state.asked));
