// The chart of how far the strategies are from an equilibrium, with vanilla CFR to compare with and the milestones.

import { chart } from "../../chart.js";
import { ask, exported, recorded } from "../api.js";
import { find } from "../dom.js";
import { distance } from "../format.js";

/** @typedef {import("./points.js").Points} Points */

const PLAIN = "cfr"; // the recipe that the others are compared with

export class Gap {
  /**
   * @param {{unit: {name: string, chips: number}}} game
   * @param {(iteration: number) => void} go where a click leads
   */
  constructor(game, go) {
    Object.assign(this, { game, ghost: [] });
    this.chart = chart(find("#chart-gap"), {
      title: "Exploitability: the distance from perfect play",
      note: "Diamonds are milestones. A click goes to an iteration.",
      x: { label: "iterations", scale: "log" },
      y: { label: game.unit.name, scale: "log" },
      series: this.series({ iterations: [], exploitability: [], current_exploitability: [] }),
      pick: go,
    });
  }

  /** Vanilla CFR on the same game, as the engine has run it. @param {string} recipe @param {Record<string, string>} where the game, or its stakes */
  async compare(recipe, where) {
    this.ghost = [];
    if (recipe === PLAIN) return;
    const told = recorded ? exported("data/vanilla") : ask(`api/vanilla?${new URLSearchParams(where)}`);
    const run = await told.catch(() => undefined);
    if (!run) return; // it is only there to compare with
    const { iterations, exploitability } = run;
    this.ghost = exploitability.map((chips, place) => [iterations[place], this.shown(chips)]);
    if (this.latest) this.show(this.latest);
  }

  /** @param {number} chips */
  shown(chips) {
    return distance(chips / this.game.unit.chips);
  }

  series({ iterations, exploitability, current_exploitability }) {
    const points = (column) => column.map((chips, place) => [iterations[place], this.shown(chips)]);
    const last = iterations.at(-1) ?? 0;
    const ghost = this.ghost.filter(([iteration]) => iteration <= last);
    return [
      { name: "average strategy", short: "average", points: points(exploitability), colour: 1 },
      { name: "current strategy", short: "current", points: points(current_exploitability), colour: 2 },
      ...(this.ghost.length ? [{ name: "average of vanilla CFR, to compare", short: "vanilla CFR", points: ghost, ghost: true }] : []),
    ];
  }

  /** The milestones, each on the line of the average. @param {Points} points */
  marks({ iterations, exploitability, milestones }) {
    return milestones.flatMap((all, place) =>
      all.length ? [{ x: iterations[place], y: this.shown(exploitability[place]), words: all.join(" ") }] : [],
    );
  }

  /** @param {Points} points up to now */
  show(points) {
    this.latest = points;
    this.chart.update({ series: this.series(points), marks: this.marks(points) });
  }
}
