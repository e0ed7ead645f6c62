// The two charts: how far the strategies are from an equilibrium, and the probabilities that tell Kuhn poker's story.

import { chart } from "../../chart.js";
import { find } from "../dom.js";
import { Gap } from "./gap.js";
import { upToNow } from "./points.js";

/**
 * @typedef {import("./source.js").Frame} Frame
 * @typedef {import("./source.js").Game} Game
 * @typedef {import("./points.js").Points} Points
 */

export class Convergence {
  /** @param {Game} game @param {Frame} frame @param {(iteration: number) => void} go where a click leads */
  constructor(game, frame, go) {
    this.gap = new Gap(game, go);
    this.game = game;
    this.key = chart(find("#chart-key"), {
      title: "Key probabilities of the average strategy",
      note: "Dotted: the equilibrium that is nearest to the average.",
      x: { label: "iterations", scale: "log" },
      y: { label: "probability", scale: "linear", range: [0, 1] },
      series: this.keySeries({ iterations: [], key: [] }),
      targets: this.targets(frame),
      pick: go,
    });
  }

  /** Another run, perhaps with other stakes. @param {Game} game @param {string} recipe @param {{ante: string, bet: string}} stakes */
  begin(game, recipe, { ante, bet }) {
    this.game = this.gap.game = game;
    this.gap.compare(recipe, { ante, bet });
  }

  keySeries({ iterations, key }) {
    return this.game.key.map(({ label, action, words }, number) => ({
      name: words,
      short: `${label} ${action}`,
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
    this.gap.show(now);
    this.key.update({ series: this.keySeries(now), targets: this.targets(frame) });
  }
}
