// The learn page for any small game: its public tree with a row of hands at each node, or points in triangles.

import { readAddress, writeAddress } from "../address.js";
import { address } from "../api.js";
import { element, find, perRefresh, set, write } from "../dom.js";
import { count, distance, size } from "../format.js";
import { addShortcuts } from "../keys.js";
import { ArithmeticPanel } from "../learn/arithmetic.js";
import { Controls } from "../learn/controls.js";
import { Drawer } from "../learn/drawer.js";
import { Gap } from "../learn/gap.js";
import "../learn/menus.js";
import { Milestones } from "../learn/milestones.js";
import { upToNow } from "../learn/points.js";
import { SmallCurve } from "../learn/small_curve.js";
import { LiveSource } from "../learn/source.js";
import { announce, attempt, complain, notice, sentence } from "../site.js";
import { Hands } from "./hands.js";
import { Outline } from "./outline.js";
import { Triangles } from "./triangles.js";

/** @typedef {import("./types.js").Frame} Frame @typedef {import("./types.js").Game} Game */

const page = find("main.any");
const { t = "0", info = "", speed = "2", seed = "0" } = readAddress();
const state = { node: 0, info, seed };
const draw = perRefresh(show);
const source = new LiveSource(page.dataset.recipe, receive, notice);
const controls = new Controls(tell, undefined, false, Math.round(Number(speed)) || 0);
const arithmetic = new ArithmeticPanel((label) => source.explain(label), complain);
const drawer = new Drawer(() => choose(""));
const curve = new SmallCurve();
const goTo = (iteration) => tell({ do: "go", to: iteration });
const milestones = new Milestones(goTo);
const stat = { iteration: find("[data-stat=iteration]"), average: find("[data-stat=average]") };
const ENDED = "The run ends here: no more iterations are done on this page. Go back, start anew, or try another algorithm.";
let views; // what is drawn for the game
let latest; // the newest frame and the points of its charts

/** @param {import("../learn/source.js").Command} command */
async function tell(command) {
  await begun;
  if (!views) return;
  for (const cause of ["address", "end"]) notice(cause); // they have been read
  await attempt(() => source.tell(command));
  const { iteration, playing, mbb } = latest.frame;
  if (!playing) announce(`Iteration ${count(iteration)}, exploitability ${size(distance(mbb.average))} ${views.game.unit.name}`);
}

function receive(frame, points) {
  latest = { frame, points };
  if (views) draw();
}

function show() {
  const { frame, points } = latest;
  const { game } = views;
  write(stat.iteration, count(frame.iteration));
  write(stat.average, size(distance(frame.mbb.average)));
  write(find("#sentence"), frame.sentence);
  controls.show(frame, points);
  const now = upToNow(points, frame, game);
  curve.show(now, game.unit);
  views.picture.show(frame, now, state.node);
  views.hands.show(frame, state.info);
  views.gap.show(now);
  milestones.show(points);
  notice("end", frame.iteration < game.last || frame.playing ? "" : ENDED);
  if (drawer.isOpen) arithmetic.show(state.info, frame.iteration, 0);
  const here = { game: page.dataset.game, t: source.at || "", info: state.info, seed: state.seed === "0" ? "" : state.seed };
  writeAddress({ ...here, speed: controls.parts.speed.value === "2" ? "" : controls.parts.speed.value });
  againstIt(frame.iteration);
  set(page, "data-ready", true);
}

/** The link to a table where this very bot sits, which knows no seed and has not learned for ever. @param {number} iteration */
function againstIt(iteration) {
  const link = document.querySelector("#against");
  if (!(link instanceof HTMLElement)) return;
  const query = new URLSearchParams({ game: page.dataset.game, recipe: page.dataset.recipe, iterations: String(iteration) });
  set(link, "href", address(`play?${query}`));
  set(link, "hidden", state.seed !== "0" || iteration > Number(link.dataset.most));
}

async function begin() {
  const opened = await source.open({ game: page.dataset.game, seed }, t, true);
  const game = /** @type {any} */ (opened.game);
  const decisions = game.nodes.flatMap((node, number) => (node.kind === "player" ? [number] : []));
  const gap = new Gap(game, goTo);
  gap.compare(page.dataset.recipe, { game: page.dataset.game });
  write(find("#unit-help"), game.unit.help);
  write(find("[aria-describedby=unit-help]"), game.unit.name);
  const said = [...opened.said];
  if (state.info && !game.infosets.some(({ label }) => label === state.info)) {
    said.push(`there is no information set '${state.info.slice(0, 12)}'; the rows of hands lead to those that there are`);
    state.info = "";
  }
  notice("address", said.map(sentence).join(" "));
  state.seed = opened.setup.seed;
  state.node = decisions.find((number) => game.nodes[number].infosets.includes(state.info)) ?? decisions[0];
  const picture = game.one_shot ? new Triangles(find("#triangles"), game) : new Outline(find("#tree"), game, look);
  views = { game, gap, picture, decisions, hands: new Hands(game, choose) };
  fillChoices(game);
  look(state.node);
  if (state.info) drawer.open(false);
  show();
}

/** @param {Game} game */
function fillChoices(game) {
  const groups = game.players.map((label, player) => {
    const own = game.infosets.filter((infoset) => infoset.player === player);
    const options = own.map(({ label, words }) => element("option", { value: label }, words ? `${label}: ${words}` : label));
    return element("optgroup", { label }, ...options);
  });
  find("#choose-info").replaceChildren(...groups);
  find("#choose-info").value = state.info;
}

/** Shows the hands at a public history. @param {number} node */
function look(node) {
  const { game, hands, decisions } = views;
  state.node = node;
  hands.fill(game.one_shot ? decisions : [node]);
  draw();
}

/** Shows the arithmetic of an information set, or none. @param {string} label @param {boolean} [withFocus] */
function choose(label, withFocus = true) {
  state.info = label;
  find("#choose-info").value = label;
  if (label) {
    drawer.open(withFocus);
    const node = views.decisions.find((number) => views.game.nodes[number].infosets.includes(label));
    if (node !== state.node) look(node);
  }
  draw();
}

/** The next or the last decision. @param {number} by */
function move(by) {
  const { decisions, picture } = views;
  const place = (decisions.indexOf(state.node) + by + decisions.length) % decisions.length;
  look(decisions[place]);
  picture.reveal?.(decisions[place]);
}

find("#choose-info").onchange = (event) => choose(event.target.value, false);
addShortcuts([
  { keys: ["n"], words: "next decision", act: () => views && move(1) },
  { keys: ["N"], words: "decision before", act: () => views && move(-1) },
  { keys: ["Escape"], words: "close the arithmetic", shown: ["Esc"], act: () => drawer.close() },
]);

const begun = attempt(begin);
