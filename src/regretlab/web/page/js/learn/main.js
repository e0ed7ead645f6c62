// The learn page: watch one algorithm learn Kuhn poker, and look into every number.

import { recorded } from "../api.js";
import { all, element, find, perRefresh, set, write } from "../dom.js";
import { count, distance, size } from "../format.js";
import { addShortcuts } from "../keys.js";
import { announce, attempt, complain } from "../site.js";
import { againstIt, readState, setup, setupWords, writeState } from "./address.js";
import { ArithmeticPanel } from "./arithmetic.js";
import { Brain } from "./brain.js";
import { Controls } from "./controls.js";
import { Convergence } from "./convergence.js";
import { showGame, showNumbers } from "./header.js";
import { showNetworks, showTraining, trains } from "./networks.js";
import { RecordedSource } from "./recorded.js";
import { LiveSource } from "./source.js";
import { showCards, Tree } from "./tree.js";

/** @typedef {import("./source.js").Frame} Frame */

const page = find("main.learn");
const state = readState();
const draw = perRefresh(show);
const source = new (recorded ? RecordedSource : LiveSource)(page.dataset.recipe, receive, complain);
const controls = new Controls(tell, trains, Number(state.speed));
const arithmetic = new ArithmeticPanel((label) => source.explain(label), complain);
let views; // what is drawn for one game
let latest; // the newest frame and the points of its charts
let runs = 0;

/** @param {import("./source.js").Command} command */
async function tell(command) {
  await begun; // networks take some seconds to be ready: what was pressed before that counts, too
  if (!views) return;
  showTraining(true);
  await attempt(() => source.tell(command));
  showTraining(latest.frame.playing);
  if (!latest.frame.playing) announce(spoken(latest.frame));
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
  const deal = state.deal || (frame.path?.deal ?? views.game.deals[0]);
  Object.assign(state, { t: frame.iteration, speed: find("#speed").value });
  showNumbers(frame);
  showNetworks(frame, views.game, views.seed);
  showTraining(frame.playing);
  controls.show(frame, points);
  write(find("#sentence"), frame.sentence);
  showCards(deal);
  views.tree.show(frame, deal, state.info);
  views.brain.show(frame, state.info);
  views.convergence.show(frame, points);
  arithmetic.show(state.info, frame.iteration, runs);
  writeState(state);
  againstIt(frame.iteration);
  set(page, "data-ready", true);
}

/** A new run with what the form says. @param {number} at */
async function begin(at) {
  showTraining(true);
  const chosen = setup();
  const game = await source.open(chosen, at).finally(() => showTraining(false));
  runs += 1;
  controls.seen = [0];
  write(find("#setup-word"), setupWords());
  showGame(game);
  if (!game.infosets.some(({ label }) => label === state.info)) state.info = game.infosets[0].label;
  if (!game.deals.includes(state.deal)) state.deal = "";
  views?.tree.remove();
  const convergence = views?.convergence ?? new Convergence(game, latest.frame);
  convergence.game = game;
  const brain = new Brain(game, page.dataset.kept, choose);
  views = { game, seed: chosen.seed, convergence, tree: new Tree(find("#tree"), game, choose), brain };
  fillChoices(game);
  show();
}

/** @param {import("./source.js").Game} game */
function fillChoices(game) {
  const groups = game.players.map((label, player) => {
    const own = game.infosets.filter((infoset) => infoset.player === player);
    return element("optgroup", { label }, ...own.map(({ label, words }) => element("option", { value: label }, `${label}: ${words}`)));
  });
  find("#choose-info").replaceChildren(...groups);
  find("#choose-info").value = state.info;
  for (const input of all("#deals input")) input.checked = input.value === state.deal;
}

/** @param {string} label */
function choose(label) {
  state.info = label;
  find("#choose-info").value = label;
  draw();
}

/** The next or the last information set. @param {number} by */
function move(by) {
  const labels = views.game.infosets.map(({ label }) => label);
  choose(labels.at((labels.indexOf(state.info) + by) % labels.length));
}

find("#choose-info").onchange = (event) => choose(event.target.value);
find("#deals").onchange = (event) => {
  state.deal = event.target.value;
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
]);
const siblings = find(".siblings");
siblings.scrollLeft = find("[aria-current]", siblings).offsetLeft - 40;
if (recorded) set(find("#setup"), "hidden", true);
if (setupWords()) find("#setup").open = true;

const begun = attempt(() => begin(state.t));
