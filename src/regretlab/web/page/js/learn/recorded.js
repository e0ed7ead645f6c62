// A run that was recorded into a file: the same face as the live one, for pages without a server.

import { exported } from "../api.js";
import { count } from "../format.js";
import { NO_POINTS, upToNow } from "./points.js";

/** @typedef {import("./source.js").Frame} Frame @typedef {import("./source.js").Command} Command */

const REFRESH = 33; // milliseconds between frames

export class RecordedSource {
  /**
   * @param {string} recipe its slug
   * @param {(frame: Frame, points: import("./points.js").Points) => void} show
   * @param {(cause: string, text?: string) => void} say
   */
  constructor(recipe, show, say) {
    Object.assign(this, { recipe, show, say, place: 0, playing: false, speed: 1 });
    document.addEventListener("visibilitychange", () => (document.hidden ? this.rest() : this.wake()));
  }

  /**
   * @param {import("./source.js").Setup} setup was chosen when the run was recorded
   * @param {number|string} at
   * @returns {Promise<{game: import("./source.js").Game, setup: import("./source.js").Setup, said: string[]}>}
   */
  async open(setup, at) {
    const packed = Uint8Array.from(atob(await exported(`data/${this.recipe}`)), (letter) => letter.charCodeAt(0));
    const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const { game, frames, explains } = await new Response(unpacked).json();
    Object.assign(this, { game, frames, explains });
    this.points = frames.reduce((all, frame) => [...all, upToNow(all.at(-1) ?? NO_POINTS, frame, game)], []);
    this.goTo(at);
    return { game: { ...game, last: frames.at(-1).iteration }, setup, said: [] };
  }

  get at() {
    return this.frames[this.place].iteration;
  }

  /** Goes to an iteration, or to the nearest one before it that was recorded, and says so. @param {number|string} wanted */
  goTo(wanted) {
    const iteration = Number(wanted);
    this.put(this.placeOf(Number.isNaN(iteration) ? 0 : iteration));
    if (this.at === iteration) return;
    const next = this.frames[this.place + 1];
    const shown = next ? `here is ${count(this.at)}, and the next one is ${count(next.iteration)}` : `the last one is ${count(this.at)}`;
    this.say("missing", `Iteration ${Number.isNaN(iteration) ? wanted : count(iteration)} was not recorded: ${shown}.`);
  }

  /** The last frame that is not after an iteration. @param {number} iteration */
  placeOf(iteration) {
    return Math.max(0, this.frames.findLastIndex((frame) => frame.iteration <= iteration));
  }

  /** @param {Command} command */
  async tell(command) {
    const targets = { step: this.place + 1, back: this.place - 1, reset: 0, play: this.place, pause: this.place };
    this.say("missing");
    this.playing = command.do === "play";
    this.speed = command.speed ?? this.speed;
    this.rest();
    if (command.do === "go") this.goTo(command.to);
    else this.put(targets[command.do]);
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
