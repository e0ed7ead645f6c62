// How often each action is to be taken: sliders that always come to 100 % together.

import { element, write } from "../../dom.js";
import { swatch } from "../explore/words.js";

const ALL = 100;

/**
 * Shares out 100 % when one slider has moved: the others keep their proportions, in whole percents.
 * @param {number[]} values @param {number} moved which one @param {number} to
 */
export function sharedOut(values, moved, to) {
  const others = values.map((value, place) => (place === moved ? 0 : value));
  const sum = others.reduce((total, value) => total + value, 0);
  const exact = others.map((value, place) => (place === moved ? 0 : ((ALL - to) * (sum ? value : 1)) / (sum || values.length - 1)));
  const shares = whole(exact, ALL - to);
  shares[moved] = to;
  return shares;
}

/** Whole numbers near some numbers, with a given sum. @param {number[]} exact @param {number} sum */
export function whole(exact, sum) {
  const down = exact.map(Math.floor);
  const byRest = exact.map((value, place) => [value - down[place], place]).sort(([one], [other]) => other - one);
  const left = sum - down.reduce((total, value) => total + value, 0);
  byRest.slice(0, left).forEach(([, place]) => (down[place] += 1));
  return down;
}

export class Sliders {
  /** @param {HTMLElement} box */
  constructor(box) {
    Object.assign(this, { box, values: [], inputs: [], moved: false });
  }

  /** Begins anew. @param {any[]} actions @param {(number | null)[]} frequencies what is done now */
  show(actions, frequencies) {
    this.moved = false;
    const known = frequencies.every((often) => often !== null);
    this.values = known ? whole(frequencies.map((often) => ALL * often), ALL) : whole(actions.map(() => ALL / actions.length), ALL);
    this.inputs = actions.map((action, a) =>
      element("input", { type: "range", id: `hold-${a}`, min: 0, max: ALL, step: 1, oninput: ({ target }) => this.move(a, Number(target.value)) }));
    this.outputs = actions.map((_, a) => element("output", { for: `hold-${a}` }));
    this.box.replaceChildren(...actions.map((action, a) =>
      element("div", { class: "slider" }, element("label", { for: `hold-${a}` }, swatch(a, actions), ` ${action.name}`), this.inputs[a], this.outputs[a])));
    this.draw();
  }

  move(a, to) {
    this.moved = true;
    // Of one action there is nothing to choose.
    this.values = this.values.length > 1 ? sharedOut(this.values, a, to) : [ALL];
    this.draw();
  }

  draw() {
    this.values.forEach((value, a) => {
      this.inputs[a].value = String(value);
      write(this.outputs[a], `${value} %`);
    });
  }
}
