// How players, actions and cards are written and coloured. Colour is never alone: actions have letters, suits have signs.

import { element } from "../../dom.js";
import { fixed, percent } from "../../format.js";

export const PLAYERS = ["Out of position", "In position"];
export const SHORT = ["OOP", "IP"];

const RANKS = "AKQJT98765432";
const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const PASSIVE = new Set(["check", "call"]);
const DARK = new Set(["--act-fold", "--act-size-3", "--act-size-4"]);
const MOST_SIZES = 4; // colours of sizes, from light to dark

export const suits = Object.keys(SUITS);
export const suitName = (suit) => SUITS[suit];
export const suitSign = (suit) => SIGNS[suit];

/** The name of a field of the grid, of which there are 13 in a row. @param {number} place */
export function fieldName(place) {
  const [row, column] = [Math.floor(place / RANKS.length), place % RANKS.length];
  if (row === column) return RANKS[row] + RANKS[row];
  return row < column ? `${RANKS[row]}${RANKS[column]}s` : `${RANKS[column]}${RANKS[row]}o`;
}

/** The colour of an action, as a custom property. @param {number} place @param {{kind: string}[]} actions */
export function colour(place, actions) {
  const { kind } = actions[place];
  if (kind === "fold") return "--act-fold";
  if (PASSIVE.has(kind)) return "--act-passive";
  const sizes = actions.filter((action) => action.kind !== "fold" && !PASSIVE.has(action.kind));
  const rank = sizes.indexOf(actions[place]);
  const spread = sizes.length === 1 ? 1 : Math.round((rank * (MOST_SIZES - 1)) / (sizes.length - 1));
  return `--act-size-${1 + spread}`;
}

/** Cards one after the other, each with the sign of its suit. @param {string} cards such as "AhKd" */
export const cardNodes = (cards) =>
  (cards.match(/../g) ?? []).map((card) =>
    element("span", { class: "pip", "data-suit": card[1] }, card[0], element("i", { "aria-hidden": "true" }, SIGNS[card[1]]),
      element("span", { class: "visually-hidden" }, ` of ${SUITS[card[1]]} `)));

const NONE = "–";

/** Chips. @param {number | null} number */
export const chips = (number) => (number === null ? NONE : fixed(number, 2));

/** A share. @param {number | null} share */
export const share = (share) => (share === null ? NONE : percent(share));

/** A number of combinations. @param {number} number */
export const combos = (number) => fixed(number, number < 10 && number % 1 ? 2 : 1).replace(/\.0$/, "");

/** Gives a part of the page the colour of an action, and letters that can be read on it. */
export function paint(node, place, actions) {
  const name = colour(place, actions);
  node.style.setProperty("--act", `var(${name})`);
  node.style.setProperty("--on-act", DARK.has(name) ? "var(--on-dark-act)" : "var(--on-light-act)");
}

/** The letter of an action on its colour. @param {number} place @param {any[]} actions */
export function swatch(place, actions) {
  const node = element("span", { class: "swatch", "aria-hidden": "true" }, actions[place].key);
  paint(node, place, actions);
  return node;
}
