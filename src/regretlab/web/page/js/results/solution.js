// A saved run: what it is, how it went, and the strategy that it found.

import { chart } from "../../chart.js";
import { element } from "../dom.js";
import { count, fixed, percent, size } from "../format.js";

const MOST_AT_ONCE = 30; // rows of a strategy that stand on the page as they are; more of them scroll
const PLAYERS = ["Player 1", "Player 2"];
const COLOURS = ["player-1", "player-2"];

/** @param {any} found what the server says about the file @returns {Node[]} */
export function solution(found) {
  return [facts(found), history(found), parts(found), strategy(found)];
}

function facts(found) {
  const rows = [
    ["Game", found.game],
    ["Recipe", found.recipe],
    ["Iterations", count(found.iterations)],
    [`Exploitability, ${found.unit.name}`, size(found.exploitability / found.unit.chips, 4)],
    ["Value, player 1", fixed(found.value, 5)],
    ["Solving time", `${size(found.seconds)} s`],
  ];
  return element("dl", { class: "stats" }, ...rows.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));
}

function history(found) {
  const place = element("div", { class: "history" });
  chart(place, {
    title: "Exploitability of the average strategy",
    x: { label: "iterations", scale: "log" },
    y: { label: found.unit.name, scale: "log" },
    series: [{ name: found.recipe, points: found.history.map((point) => [point.iteration, point.exploitability / found.unit.chips]) }],
    file: "history",
  });
  return place;
}

function parts({ parts, seed, version, stopped }) {
  const all = Object.entries({ ...parts, seed, "stopped by": stopped, version });
  const rows = all.map(([name, value]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, String(value))));
  return element("details", {}, element("summary", {}, "All parts of the recipe"), element("table", {}, element("tbody", {}, ...rows)));
}

function strategy(found) {
  const shown = found.table.map(({ label, words, player, actions }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row", class: COLOURS[player] }, element("code", {}, label)),
      element("td", {}, `${PLAYERS[player]}${words && ": "}${words}`),
      element("td", {}, ...Object.entries(actions).map(([name, chance]) => action(name, chance))),
    ),
  );
  const heads = ["set", "in words", "average strategy"].map((word) => element("th", { scope: "col" }, word));
  const note = found.infosets > found.table.length ? ` (the first ${count(found.table.length)} of ${count(found.infosets)} information sets)` : "";
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...shown));
  const long = found.table.length > MOST_AT_ONCE ? " long" : "";
  const region = element("div", { class: `scroll strategy${long}`, tabindex: "0", role: "region", "aria-label": "Strategy" }, table);
  return element("div", {}, element("h3", {}, `Strategy${note}`), region);
}

function action(name, chance) {
  const bar = element("span", { class: "bar", "aria-hidden": "true" }, element("span"));
  bar.firstChild.style.width = percent(chance).replace(" ", "");
  return element("span", { class: "action" }, `${name} ${percent(chance)}`, bar);
}
