// One iteration from inside: its steps, forward and back by hand, or one after the other by themselves.

import { find, set, write } from "../dom.js";
import { addShortcuts } from "../keys.js";

/** @typedef {import("./source.js").InnerStep} InnerStep */

const BY_HAND = 1100; // milliseconds that what moves takes where one steps by hand

export class Inside {
  /**
   * @param {() => Promise<{steps: InnerStep[]}|undefined>} ask for the steps of the next iteration
   * @param {() => Promise<void>} finish does the iteration itself
   * @param {(moved: boolean) => void} draw
   */
  constructor(ask, finish, draw) {
    Object.assign(this, { ask, finish, draw, steps: [], at: -1, pace: BY_HAND, playing: false, order: 0, loops: 0 });
    find("#inside").onclick = () => this.byHand(1);
    find("#inside-next").onclick = () => this.byHand(1);
    find("#inside-back").onclick = () => this.byHand(-1);
    find("#inside-leave").onclick = () => this.leave();
    addShortcuts([
      { keys: ["i"], words: "look inside the next iteration, one step on", act: () => this.byHand(1) },
      { keys: ["I"], words: "one step back inside the iteration", act: () => this.byHand(-1) },
    ]);
  }

  get isOn() {
    return this.at >= 0;
  }

  /** @returns {InnerStep} */
  get step() {
    return this.steps[this.at];
  }

  /** What the last step that changed it has made of regrets, current or reach. @param {"regrets"|"current"|"reach"} name */
  latest(name) {
    return this.steps.slice(0, this.at + 1).findLast((step) => step[name])?.[name];
  }

  /** @param {1|-1} by */
  async byHand(by) {
    this.playing = false;
    this.pace = BY_HAND;
    await this.move(by);
  }

  /** One step on or back; after the last one the iteration is done, before the first one is what was. @param {1|-1} by */
  async move(by) {
    const order = ++this.order;
    if (!this.isOn && by > 0) {
      const told = await this.ask();
      if (!told) this.rest(); // why has been said
      if (!told || order !== this.order) return;
      Object.assign(this, { steps: told.steps, at: 0 });
    } else if (this.isOn && this.at + by < this.steps.length) this.at += by;
    else if (this.isOn) {
      this.at = -1;
      this.show();
      await this.finish();
      return;
    } else return;
    this.show();
    this.draw(by > 0);
  }

  /** Step by step, with so many milliseconds for each, one iteration after the other. @param {number} pace */
  async play(pace) {
    this.pace = pace;
    if (this.playing) return;
    this.playing = true;
    this.draw(false);
    const loop = ++this.loops; // an earlier one may still be asleep
    while (this.playing && loop === this.loops) {
      if (!document.hidden) await this.move(1);
      await new Promise((wake) => setTimeout(wake, this.pace));
    }
  }

  /** Stands still at the step where it is. */
  rest() {
    this.playing = false;
    this.draw(false);
  }

  leave() {
    this.order += 1;
    this.playing = false;
    if (!this.isOn) return;
    this.at = -1;
    this.show();
    this.draw(false);
  }

  show() {
    set(find(".tree-card"), "data-inside", this.isOn ? "on" : undefined);
    if (!this.isOn) return;
    write(find("#inside-place"), this.step.place);
    find("#inside-done").style.setProperty("--share", String((this.at + 1) / this.steps.length));
    find("#inside-back").title = this.at ? "One step back (I)" : "Leave the iteration (I)";
  }
}
