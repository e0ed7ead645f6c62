// The running account: the result, what a best response expects, what was lost, and luck.

import { chart } from "../../chart.js";
import { find, write } from "../dom.js";
import { count, fixed, signed, size } from "../format.js";

export class Account {
  constructor() {
    this.view = chart(find("#chart"), {
      title: "Chips over the hands",
      x: { label: "hands", scale: "linear" },
      y: { label: "chips", scale: "linear" },
      series: this.series([[[0, 0]], [[0, 0]]]),
    });
  }

  series([results, earned]) {
    return [
      { name: "result", points: results, colour: 1 },
      { name: "without luck", points: earned, colour: 2 },
    ];
  }

  /** @param {any} view */
  show({ account, milli, unit }) {
    const played = account.hands > 0;
    const { mean, error } = milli.mean_loss;
    write(find("#hands"), count(account.hands));
    write(find("#result"), signed(account.result, 2));
    write(find("#loss"), played ? withError(mean, error) : "–");
    find("#loss").nextElementSibling.textContent = unit.name;
    write(find("#expected"), played ? signed(account.expected, 3) : "–");
    write(find("#lost"), played ? signed(account.lost, 3) : "–");
    write(find("#luck"), played ? signed(account.luck, 3) : "–");
    write(find("#luck-size"), played ? `(typical size ${fixed(account.luck_error, 2)})` : "");
    write(find("#total"), played ? signed(account.result, 3) : "–");
    this.view.update({ series: this.series(account.history) });
  }
}

const withError = (mean, error) => (error === null ? size(mean) : `${size(mean)} ± ${size(error, 2)}`);
