// The numbers at the top: iteration, hands, exploitability, value; and the menu of algorithms.

import { all, find, write } from "../dom.js";
import { count, distance, fixed, percent, size } from "../format.js";

/** @typedef {import("./source.js").Frame} Frame @typedef {import("./source.js").Game} Game */

const cells = Object.fromEntries(all("[data-stat]").map((cell) => [cell.dataset.stat, cell]));

/** What does not change during a run. @param {Game} game */
export function showGame(game) {
  write(cells.infosets, count(game.infosets.length));
  write(cells.exact, game.exact_value_words.replace("-", "−"));
  write(find("#unit-help"), game.unit.help);
}

/** @param {Frame} frame */
export function showNumbers(frame) {
  write(cells.iteration, count(frame.iteration));
  write(cells.hands, count(frame.hands_seen));
  write(cells.average, size(distance(frame.mbb.average)));
  write(cells.current, size(distance(frame.mbb.current)));
  write(cells.value, fixed(frame.value, 4));
  write(cells.zeros, percent(frame.zero_regrets));
}
