// The grid of 13 × 13 fields: a table in which arrow keys move, each field coloured by what its hands do or are worth.

import { element, set, style, write } from "../../dom.js";
import { fixed } from "../../format.js";
import { colour, combos, fieldName, share, chips } from "./words.js";

const RANKS = 13;
const SEEN = 0.1; // an action that is taken less often has no letter in its field
const MOST_LETTERS = 3;
const STRONGEST = 75; // percent of colour at the upper end of a scale: text has to be read on it

export const VIEWS = {
  strategy: "Strategy",
  ev: "EV",
  equity: "Equity",
  left: "Reach",
};

/** A grid without numbers. @param {(place: number | null, pinned: boolean) => void} onField */
export function makeGrid(onField) {
  const cells = Array.from({ length: RANKS * RANKS }, (_, place) =>
    element("td", { tabindex: place ? -1 : 0, "data-place": place },
      element("b", {}, fieldName(place)), element("small", {})));
  const rows = Array.from({ length: RANKS }, (_, row) => element("tr", {}, ...cells.slice(row * RANKS, (row + 1) * RANKS)));
  const table = element("table", { class: "hand-grid", role: "grid" }, element("tbody", {}, ...rows));
  const placeOf = (event) => Number(event.target.closest("td")?.dataset.place ?? NaN);
  table.addEventListener("pointerover", (event) => event.pointerType === "mouse" && onField(placeOf(event), false));
  table.addEventListener("pointerleave", () => onField(null, false));
  table.addEventListener("click", (event) => Number.isFinite(placeOf(event)) && onField(placeOf(event), true));
  table.addEventListener("focusin", (event) => {
    cells.forEach((cell) => set(cell, "tabindex", cell === event.target ? 0 : -1));
    if (event.target.matches(":focus-visible")) onField(placeOf(event), false);
  });
  table.addEventListener("focusout", () => onField(null, false));
  table.addEventListener("keydown", (event) => move(event, cells, placeOf(event), onField));
  return { table, cells };
}

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

function move(event, cells, place, onField) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    onField(place, true);
    return;
  }
  const step = STEPS[event.key];
  if (!step) return;
  event.preventDefault();
  const [row, column] = [Math.floor(place / RANKS) + step[0], (place % RANKS) + step[1]];
  if (row >= 0 && row < RANKS && column >= 0 && column < RANKS) cells[row * RANKS + column].focus();
}

/**
 * Fills a grid with the numbers of a side.
 * @param {{table: any, cells: any[]}} grid
 * @param {any} side
 * @param {any[]} actions those of the player who acts
 * @param {string} view
 */
export function fillGrid({ table, cells }, side, actions, view, label) {
  set(table, "aria-label", label);
  const range = scaleOf(side, view);
  cells.forEach((cell, place) => {
    const field = side.grid[place];
    set(cell, "class", !field ? "none" : field.kept ? "" : "dimmed");
    set(cell, "aria-label", describe(fieldName(place), field, actions));
    style(cell, "--left", field ? `${100 * field.left}%` : "0%");
    style(cell, "--fill", field?.kept ? fill(field, actions, view, range) : "none");
    write(cell.lastChild, field?.kept ? shortly(field, actions, view) : "");
  });
}

/** From where to where a scale goes. @param {any} side @param {string} view */
export function scaleOf(side, view) {
  const numbers = side.grid.map((field) => field?.[view]).filter((number) => typeof number === "number");
  if (view !== "ev") return [0, 1];
  return [Math.min(0, ...numbers), Math.max(...numbers, 0)];
}

/** The colours of a field, as a CSS image. */
function fill(field, actions, view, [low, high]) {
  if (view === "strategy" && field.mix) return stripes(field.mix, actions);
  if (view === "strategy" || view === "left") return flat("var(--heat-none)");
  if (field[view] === null) return "none";
  return flat(heat((field[view] - low) / (high - low || 1)));
}

const flat = (paint) => `linear-gradient(${paint}, ${paint})`;

/** A colour between nothing and all of a scale. @param {number} place from 0 to 1 */
export const heat = (place) => `color-mix(in oklab, var(--heat-low), var(--heat-high) ${(STRONGEST * place).toFixed(1)}%)`;

/** The most aggressive action stands left, as on the bar. */
function stripes(mix, actions) {
  let from = 0;
  const stops = mix.map((part, a) => [part, a]).reverse().map(([part, a]) => {
    const to = from + 100 * part;
    const stop = `var(${colour(a, actions)}) ${from.toFixed(2)}% ${to.toFixed(2)}%`;
    from = to;
    return stop;
  });
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

/** What stands in a field below its name. */
export function shortly(field, actions, view) {
  if (view === "strategy") return field.mix ? letters(field.mix, actions) : "";
  const number = field[view];
  if (number === null) return "";
  return view === "ev" ? fixed(number, Math.abs(number) < 100 ? 1 : 0) : `${fixed(100 * number, 0)}`;
}

function letters(mix, actions) {
  const often = mix.map((part, a) => [part, actions[a].key]).filter(([part]) => part >= SEEN);
  return often.sort(([one], [other]) => other - one).slice(0, MOST_LETTERS).map(([, key]) => key).join("");
}

function describe(name, field, actions) {
  if (!field) return `${name}: not in the range`;
  if (!field.kept) return `${name}: left out by the filter`;
  if (!field.combos) return `${name}: never gets here`;
  const mix = field.mix ? `${field.mix.map((part, a) => `${actions[a].name} ${share(part)}`).join(", ")}; ` : "";
  return `${name}: ${mix}EV ${chips(field.ev)}, equity ${share(field.equity)}, ${combos(field.combos)} combinations here`;
}
