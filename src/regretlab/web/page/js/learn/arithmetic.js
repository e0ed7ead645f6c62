// The live arithmetic of one information set. The server works it out and writes it in MathML.

import { find, write } from "../dom.js";
import { count } from "../format.js";

const REST = 250; // milliseconds between two questions while the run plays

export class ArithmeticPanel {
  /**
   * @param {(label: string) => Promise<import("./source.js").Arithmetic>} explain
   * @param {(problem: Error) => void} complain
   */
  constructor(explain, complain) {
    Object.assign(this, { explain, complain, place: find("#arithmetic"), wanted: "", shown: "", busy: false });
  }

  /**
   * Shows an information set at an iteration, as soon as the last question is answered.
   * @param {string} label
   * @param {number} iteration
   * @param {number} run changes with every new run
   */
  show(label, iteration, run) {
    this.label = label;
    this.wanted = `${label} ${iteration} ${run}`;
    if (!this.busy && this.wanted !== this.shown) this.ask();
  }

  async ask() {
    this.busy = true;
    this.shown = this.wanted;
    try {
      const told = await this.explain(this.label);
      this.write(told);
    } catch (problem) {
      this.complain(problem);
    }
    setTimeout(() => {
      this.busy = false;
      if (this.wanted !== this.shown) this.ask();
    }, REST);
  }

  /** @param {import("./source.js").Arithmetic} told */
  write({ html, iteration, label }) {
    write(find("#arithmetic-at"), `iteration ${count(iteration)} at ${label}`);
    if (html === this.html) return;
    this.html = html;
    this.place.innerHTML = html;
  }
}
