// A run that was recorded into a file: the same face as the live one, for pages without a server.

import { address } from "../api.js";
import { NO_POINTS, upToNow } from "./points.js";

/** @typedef {import("./source.js").Frame} Frame @typedef {import("./source.js").Command} Command */

const REFRESH = 33; // milliseconds between frames

export class RecordedSource {
  /** @param {string} recipe @param {(frame: Frame, points: import("./points.js").Points) => void} show */
  constructor(recipe, show) {
    Object.assign(this, { recipe, show, place: 0, playing: false, speed: 1 });
    document.addEventListener("visibilitychange", () => (document.hidden ? this.rest() : this.wake()));
  }

  /**
   * @param {unknown} _setup was chosen when the run was recorded
   * @param {number} at
   * @returns {Promise<import("./source.js").Game>}
   */
  async open(_setup, at) {
    const answer = await fetch(address(`data/${this.recipe}.bin`));
    if (!answer.ok) throw new Error(`there is no recording of ${this.recipe} here`);
    const unpacked = answer.body.pipeThrough(new DecompressionStream("gzip"));
    const { game, frames, explains } = await new Response(unpacked).json();
    Object.assign(this, { game, frames, explains });
    this.points = frames.reduce((all, frame) => [...all, upToNow(all.at(-1) ?? NO_POINTS, frame, game)], []);
    this.put(this.placeOf(at));
    return game;
  }

  /** The last frame that is not after an iteration. @param {number} iteration */
  placeOf(iteration) {
    return Math.max(0, this.frames.findLastIndex((frame) => frame.iteration <= iteration));
  }

  /** @param {Command} command */
  async tell(command) {
    const targets = { step: this.place + 1, back: this.place - 1, reset: 0, play: this.place, pause: this.place };
    this.playing = command.do === "play";
    this.speed = command.speed ?? this.speed;
    this.rest();
    this.put(targets[command.do] ?? this.placeOf(command.to));
    this.wake();
  }

  /** @param {number} place */
  put(place) {
    const last = this.frames.length - 1;
    this.place = Math.min(Math.max(place, 0), last);
    this.playing &&= this.place < last;
    this.show({ ...this.frames[this.place], playing: this.playing, speed: this.speed }, this.points[this.place]);
  }

  wake() {
    if (!this.playing || this.timer) return;
    this.reached = this.frames[this.place].iteration;
    this.timer = setInterval(() => this.goOn(), REFRESH);
  }

  /** Turbo shows a recorded frame a refresh; otherwise iterations pass as fast as asked for. */
  goOn() {
    this.reached += this.speed === "turbo" ? 0 : (this.speed * REFRESH) / 1000;
    const place = this.speed === "turbo" ? this.place + 1 : Math.max(this.place, this.placeOf(this.reached));
    if (place !== this.place) this.put(place);
    if (!this.playing) this.rest();
  }

  rest() {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /**
   * The arithmetic at this frame, or the last recorded before it.
   * @param {string} label
   * @returns {Promise<import("./source.js").Arithmetic>}
   */
  async explain(label) {
    const now = this.frames[this.place].iteration;
    const told = Object.entries(this.explains[label]).map(([iteration, html]) => ({ iteration: Number(iteration), label, html }));
    return told.findLast(({ iteration }) => iteration <= Math.max(now, 1)) ?? told[0];
  }
}
