// The running account: the result, and what of it are decisions and what luck.

import { chart } from "../../../chart.js";
import { element, set, write } from "../../dom.js";
import { count, fixed, signed, size } from "../../format.js";

const AXES = {
  title: "Chips over the hands",
  x: { label: "hands", scale: "linear", whole: true },
  y: { label: "chips", scale: "linear" },
};
const PARTS = { deal: "the cards you were dealt", cards: "the cards that were turned up", choices: "what the solution chose", showdown: "what was shown in the end" };

const WHOLE_BOARD = 5; // cards

export class Account {
  constructor() {
    const facts = ["Hands", "Lost per hand", "Lost in 100 hands", "Mistakes", "Result"];
    this.facts = facts.map(() => element("dd", {}));
    this.rows = Object.fromEntries(["expected", "lost", "luck", ...Object.keys(PARTS), "result"].map((name) => [name, element("td", { class: "number" })]));
    this.size = element("span", { class: "soft small" });
    const row = (name, words, kind = "") => element("tr", { class: kind }, element("th", { scope: "row" }, ...[words].flat()), this.rows[name]);
    this.canvas = element("div", { class: "chart-box" });
    this.box = element("section", { class: "card account", "aria-label": "Your account" }, element("h3", {}, "Your account"),
      element("dl", { class: "stats" }, ...facts.map((word, k) => element("div", {}, element("dt", {}, word), this.facts[k]))),
      element("table", { class: "sum" }, element("caption", { class: "visually-hidden" }, "Where the result comes from"), element("tbody", {},
        row("expected", "Best play expects, from these seats"), row("lost", "Your decisions lost"), row("luck", ["Luck ", this.size]),
        ...Object.entries(PARTS).map(([name, words]) => row(name, words, "part")), row("result", "Result, chips", "total"))),
      this.canvas, how());
  }

  /** @param {any} view */
  show({ account, hand }) {
    const played = account.hands > 0;
    const per = ({ mean, error }, factor, unit) => (played ? `${size(factor * mean, 3)}${error === null ? "" : ` ± ${size(factor * error, 2)}`} ${unit}` : "–");
    const facts = [count(account.hands), per(account.of_pot, 100, "% of the pot"), per(account.per_100, 1, "bb"),
      `${count(account.mistakes)} of ${count(account.decisions)}`, played ? `${signed(account.result, 1)} chips, ${signed(account.result_in_blinds, 1)} bb` : "–"];
    facts.forEach((text, k) => write(this.facts[k], text));
    const sums = { ...account, ...account.luck_parts };
    for (const [name, cell] of Object.entries(this.rows)) write(cell, played ? signed(sums[name], 2) : "–");
    set(this.rows.cards.parentElement, "hidden", hand.started_with === WHOLE_BOARD);
    write(this.size, played ? `(typical size ${fixed(account.luck_error, 1)})` : "");
    this.draw(account);
  }

  draw({ hands, history: [results, earned] }) {
    set(this.canvas, "hidden", hands < 2);
    if (hands < 2) {
      this.canvas.replaceChildren();
      this.view = undefined;
      return;
    }
    const series = [
      { name: "result", points: results, colour: 1 },
      { name: "without luck", points: earned, colour: 2 },
    ];
    if (this.view) this.view.update({ series });
    else this.view = chart(this.canvas, { ...AXES, series });
  }
}

function how() {
  return element("details", { class: "small" }, element("summary", {}, "How luck is told from skill"), element("p", {},
    "For each of your decisions the server works out what every action of your hand is worth against this solution: over all hands that the other player may hold there, as probable as the solution’s play has made them, with your best play afterwards. What you gave up against the best action is your loss; it does not depend on the cards that came. Everything else is luck: what the cards and the solution’s own choices changed of what your hand was worth. Each of the four kinds is 0 on average, whatever you do, and the rows above add up to the result exactly. The explorer shows what actions earn if the solution plays on in your place; close to an equilibrium the two are the same to what the solution is exact to. Behind ± stands the standard error of the mean."));
}
