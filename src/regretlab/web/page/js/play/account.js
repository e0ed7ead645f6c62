// The running account: the result, what a best response expects, what was lost, and luck.

import { chart } from "../../chart.js";
import { find, write } from "../dom.js";
import { count, fixed, signed, size } from "../format.js";

const AXES = {
  title: "Chips over the hands",
  x: { label: "hands", scale: "linear", whole: true },
  y: { label: "chips", scale: "linear" },
};

export class Account {
  constructor() {
    this.empty = find("#chart").firstElementChild;
  }

  /** The course of the account; before the first hand there is nothing to draw. */
  draw({ hands, history: [results, earned] }) {
    const series = [
      { name: "result", points: results, colour: 1 },
      { name: "without luck", points: earned, colour: 2 },
    ];
    if (!hands) {
      find("#chart").replaceChildren(this.empty);
      this.view = undefined;
    } else if (this.view) {
      this.view.update({ series });
    } else {
      find("#chart").replaceChildren();
      this.view = chart(find("#chart"), { ...AXES, series });
    }
  }

  /** @param {any} view */
  show({ account, milli }) {
    const played = account.hands > 0;
    const { mean, error } = milli.mean_loss;
    write(find("#hands"), count(account.hands));
    write(find("#result"), signed(account.result, 2));
    write(find("#loss"), played ? withError(mean, error) : "–");
    write(find("#expected"), played ? signed(account.expected, 3) : "–");
    write(find("#lost"), played ? signed(account.lost, 3) : "–");
    write(find("#luck"), played ? signed(account.luck, 3) : "–");
    write(find("#luck-size"), played ? `(typical size ${fixed(account.luck_error, 2)})` : "");
    write(find("#total"), played ? signed(account.result, 3) : "–");
    this.draw(account);
  }
}

const withError = (mean, error) => (error === null ? size(mean) : `${size(mean)} ± ${size(error, 2)}`);
