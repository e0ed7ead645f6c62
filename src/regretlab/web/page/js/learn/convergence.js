// The two charts: how far the strategies are from an equilibrium, and the probabilities that tell Kuhn poker's story.

import { chart } from "../../chart.js";
import { ask, exported, recorded } from "../api.js";
import { find } from "../dom.js";
import { distance } from "../format.js";
import { upToNow } from "./points.js";

/**
 * @typedef {import("./source.js").Frame} Frame
 * @typedef {import("./source.js").Game} Game
 * @typedef {import("./points.js").Points} Points
 */

const PLAIN = "cfr"; // the recipe that the others are compared with

export class Convergence {
  /** @param {Game} game @param {Frame} frame @param {(iteration: number) => void} go where a click leads */
  constructor(game, frame, go) {
    this.game = game;
    this.ghost = [];
    const x = { label: "iterations", scale: "log" };
    this.gap = chart(find("#chart-gap"), {
      title: "Exploitability: the distance from perfect play",
      note: "Diamonds are milestones. A click goes to an iteration.",
      x,
      y: { label: game.unit.name, scale: "log" },
      series: this.gapSeries([], { exploitability: [], current_exploitability: [] }),
      pick: go,
    });
    this.key = chart(find("#chart-key"), {
      title: "Key probabilities of the average strategy",
      note: "Dotted: the equilibrium that is nearest to the average.",
      x,
      y: { label: "probability", scale: "linear", range: [0, 1] },
      series: this.keySeries({ iterations: [], key: [] }),
      targets: this.targets(frame),
      pick: go,
    });
  }

  /** Vanilla CFR on the same game, as the engine has run it. @param {string} recipe @param {{ante: string, bet: string}} stakes */
  async compare(recipe, { ante, bet }) {
    this.ghost = [];
    if (recipe === PLAIN) return;
    const query = new URLSearchParams({ ante, bet });
    const told = recorded ? exported("data/vanilla") : ask(`api/vanilla?${query}`);
    const run = await told.catch(() => undefined);
    if (!run) return; // it is only there to compare with
    const { iterations, exploitability } = run;
    this.ghost = exploitability.map((chips, place) => [iterations[place], distance(chips / this.game.unit.chips)]);
    if (this.latest) this.show(...this.latest);
  }

  gapSeries(iterations, { exploitability, current_exploitability }) {
    const points = (column) => column.map((chips, place) => [iterations[place], distance(chips / this.game.unit.chips)]);
    const last = iterations.at(-1) ?? 0;
    const ghost = this.ghost.filter(([iteration]) => iteration <= last);
    return [
      { name: "average strategy", short: "average", points: points(exploitability), colour: 1 },
      { name: "current strategy", short: "current", points: points(current_exploitability), colour: 2 },
      ...(this.ghost.length ? [{ name: "average of vanilla CFR, to compare", short: "vanilla CFR", points: ghost, ghost: true }] : []),
    ];
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

  /** The milestones, each on the line of the average. @param {Points} points */
  marks({ iterations, exploitability, milestones }) {
    return milestones.flatMap((all, place) =>
      all.length ? [{ x: iterations[place], y: distance(exploitability[place] / this.game.unit.chips), words: all.join(" ") }] : [],
    );
  }

  /** @param {Frame} frame @param {Points} points */
  show(frame, points) {
    this.latest = [frame, points];
    const now = upToNow(points, frame, this.game);
    this.gap.update({ series: this.gapSeries(now.iterations, now), marks: this.marks(now) });
    this.key.update({ series: this.keySeries(now), targets: this.targets(frame) });
  }
}
