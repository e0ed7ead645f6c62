// The two charts: how far the strategies are from an equilibrium, and the probabilities that tell Kuhn poker's story.

import { chart } from "../../chart.js";
import { find } from "../dom.js";
import { distance } from "../format.js";
import { upToNow } from "./points.js";

/**
 * @typedef {import("./source.js").Frame} Frame
 * @typedef {import("./source.js").Game} Game
 * @typedef {import("./points.js").Points} Points
 */

export class Convergence {
  /** @param {Game} game @param {Frame} frame */
  constructor(game, frame) {
    this.game = game;
    const x = { label: "iterations", scale: "log" };
    this.gap = chart(find("#chart-gap"), {
      title: "Exploitability: the distance from perfect play",
      x,
      y: { label: game.unit.name, scale: "log" },
      series: this.gapSeries([], { exploitability: [], current_exploitability: [] }),
    });
    this.key = chart(find("#chart-key"), {
      title: "Key probabilities of the average strategy",
      note: "Dashed: the equilibrium that is nearest to the average.",
      x,
      y: { label: "probability", scale: "linear", range: [0, 1] },
      series: this.keySeries({ iterations: [], key: [] }),
      targets: this.targets(frame),
    });
  }

  gapSeries(iterations, { exploitability, current_exploitability }) {
    const points = (column) => column.map((chips, place) => [iterations[place], distance(chips / this.game.unit.chips)]);
    return [
      { name: "average strategy", points: points(exploitability), colour: 1 },
      { name: "current strategy", points: points(current_exploitability), colour: 2 },
    ];
  }

  keySeries({ iterations, key }) {
    return this.game.key.map(({ words }, number) => ({
      name: words,
      colour: number + 1,
      points: key.map((row, place) => [iterations[place], row[number]]),
    }));
  }

  /** Levels of the equilibrium that is nearest to the average; they move with it. @param {Frame} frame */
  targets(frame) {
    return this.game.key.map(({ label, action, words }, number) => ({
      name: words,
      y: frame.targets[label][action],
      colour: number + 1,
    }));
  }

  /** @param {Frame} frame @param {Points} points */
  show(frame, points) {
    const now = upToNow(points, frame, this.game);
    this.gap.update({ series: this.gapSeries(now.iterations, now) });
    this.key.update({ series: this.keySeries(now), targets: this.targets(frame) });
  }
}
