// What a spot comes to: how large it is, and about how long it takes.

import { element, find, set, write } from "../dom.js";
import { count, size } from "../format.js";

const UNITS = [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]];

function bytes(number) {
  const [unit, name] = UNITS.find(([least]) => number >= least) ?? [1, "B"];
  return `${size(number / unit, 2)} ${name}`;
}

/** Seconds in words: 0.3 s, 40 s, 12 min, 3.5 h. @param {number} seconds */
export function duration(seconds) {
  if (seconds < 0.1) return "0.1 s";
  if (seconds < 90) return `${seconds < 10 ? size(seconds, 2) : Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${size(seconds / 3600, 2)} h`;
}

/** @param {any} told what the server says of a spot @param {string} precision */
export function showSize(told, precision) {
  const { bytes: room, seconds, fits } = told.precisions[precision];
  const rows = {
    Street: told.street,
    Hands: `${count(told.hands[0])} × ${count(told.hands[1])}`,
    Decisions: count(told.decisions),
    Boards: count(told.boards),
    Memory: bytes(room),
    "Time on one core": `${seconds * told.iterations < 0.1 ? "under" : "about"} ${duration(seconds * told.iterations)}`,
  };
  find("#size").replaceChildren(
    ...Object.entries(rows).map(([word, value]) => element("div", {}, element("dt", {}, word), element("dd", {}, value))),
  );
  const most = told.boards > 1 || told.decisions > 1000 ? ` ${capital(told.most_sizes)}.` : "";
  const free = told.free === null ? "" : ` ${bytes(told.free)} are free here.`;
  write(
    find("#size-words"),
    fits
      ? `The time is that of ${told.iterations} iterations, which usually reach half a percent of the pot.${most}`
      : `This is more memory than there is.${free} Give fewer sizes, narrow the ranges, or take another precision.${most}`,
  );
  set(find("#size-words"), "class", fits ? "small soft" : "small wrong");
}

const capital = (words) => words[0].toUpperCase() + words.slice(1);
