// Networks: how well they fit, how full their memories are, and whether they are being trained.

import { all, find, style, write } from "../dom.js";
import { count, size } from "../format.js";

/** @typedef {import("./source.js").Frame} Frame @typedef {import("./source.js").Game} Game */

/** Whether this page has any. */
export const trains = Boolean(document.querySelector(".networks"));

const losses = all("[data-loss]").map((cell) => [cell, ...place(cell.dataset.loss)]);
const memories = all("[data-memory]").map((cell) => [cell, ...place(cell.dataset.memory)]);

/** @param {string} text such as "advantages 0" */
function place(text) {
  const [kind, player] = text.split(" ");
  return [kind, Number(player)];
}

/** @param {Frame} frame @param {Game} game @param {string} seed */
export function showNetworks({ networks, iteration }, game, seed) {
  if (!networks) return;
  for (const [cell, kind, player] of losses) write(cell, loss(networks[kind][player]));
  for (const [cell, kind, player] of memories) {
    const { held, seen } = networks[kind][player];
    const full = held < seen ? `, full since ${count(seen - held)} samples` : "";
    write(cell, `${count(held)} of ${count(networks.capacity)}${full}`);
    style(cell.parentElement, "--share", (held / networks.capacity).toFixed(3));
  }
  const run = `rl.solve("${game.name}", "${game.recipe}", iterations=${iteration || "…"}, seed=${seed})`;
  write(find("#in-python"), run);
}

const loss = (fit) => (fit.loss === null ? "–" : size(fit.loss, 2));

/** @param {boolean} busy */
export function showTraining(busy) {
  if (trains) find("#busy").classList.toggle("now", busy);
}
