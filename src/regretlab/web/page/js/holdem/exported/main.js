// A solved spot that was written into files: the explorer, and places from pieces of them.

import { exported } from "../../api.js";
import { find } from "../../dom.js";
import { attempt } from "../../site.js";
import { explore } from "../explore/main.js";

const MOST_PIECES = 8; // that are kept open: each holds some dozens of places
const pieces = new Map(); // by number

/** A piece: places by their lines. @param {number} number */
function piece(number) {
  if (!pieces.has(number)) {
    if (pieces.size >= MOST_PIECES) pieces.delete(pieces.keys().next().value);
    pieces.set(number, opened(`data/places-${number}`));
    pieces.get(number).catch(() => pieces.delete(number));
  }
  return pieces.get(number);
}

async function opened(name) {
  const packed = Uint8Array.from(atob(await exported(name)), (letter) => letter.charCodeAt(0));
  delete regretlab[name]; // the text is not needed any more
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

/** What was written of a place. @param {any} spot @param {string} line */
async function place(spot, line) {
  const number = spot.firsts.findLastIndex((first) => first <= line);
  const found = (await piece(Math.max(0, number)))[line];
  if (!found) throw new Error(spot.missing);
  return { ...found, iteration: spot.iterations, moments: [] };
}

const written = () => decodeURIComponent(location.hash.slice(1)).replaceAll("+", " ");

attempt(async () => {
  const spot = await exported("data/spot");
  const solve = { id: "exported", name: spot.name, state: "done", iteration: spot.iterations, place: (line) => place(spot, line) };
  const show = (line) => explore(find("#explore"), solve, line, walked);
  const walked = (line) => history.replaceState(null, "", `#${line.replaceAll(" ", "+")}`);
  addEventListener("hashchange", () => show(written()));
  show(written());
});
