// Play, pause, step, back, reset, speed, going to an iteration, and their keys.

import { find, set, write } from "../dom.js";
import { count } from "../format.js";
import { addShortcuts } from "../keys.js";

/** @typedef {import("./source.js").Frame} Frame @typedef {import("./source.js").Command} Command */

/** @type {{speed: number|"turbo", words: string}[]} */
const SPEEDS = [
  { speed: 1, words: "1 a second" },
  { speed: 3, words: "3 a second" },
  { speed: 10, words: "10 a second" },
  { speed: 100, words: "100 a second" },
  { speed: 1000, words: "1,000 a second" },
  { speed: 10000, words: "10,000 a second" },
  { speed: "turbo", words: "turbo" },
];

/** Slower than these, one sees the inside of every iteration: so many milliseconds for each step of it. */
const INSIDE = [
  { inside: 2600, words: "inside, slowly" },
  { inside: 1100, words: "inside" },
];

/** @type {typeof SPEEDS} where an iteration trains networks */
const TRAINING_SPEEDS = [...SPEEDS.slice(0, 2), { speed: "turbo", words: "as fast as it can" }];

export class Controls {
  /**
   * @param {(command: Command) => void} tell
   * @param {import("./inside.js").Inside?} inside none where there is nothing to see
   * @param {boolean} trains whether there are networks
   * @param {number} speed place in the list, below 0 inside
   */
  constructor(tell, inside, trains, speed) {
    Object.assign(this, { tell, inside, speeds: trains ? TRAINING_SPEEDS : SPEEDS });
    this.parts = Object.fromEntries(
      ["play", "step", "back", "reset", "speed", "scrub", "go"].map((id) => [id, find(`#${id}`)]),
    );
    this.seen = [0]; // the iterations that one can go back to, and forward again
    this.parts.speed.min = inside ? -INSIDE.length : 0;
    this.parts.speed.max = this.speeds.length - 1;
    this.parts.speed.value = speed;
    this.listen();
    this.sayPace();
  }

  listen() {
    const { play, step, back, reset, speed, scrub, go } = this.parts;
    play.onclick = () => this.playOrPause();
    step.onclick = () => this.tell({ do: "step" });
    back.onclick = () => this.tell({ do: "back" });
    reset.onclick = () => this.reset();
    speed.oninput = () => this.changePace(0);
    scrub.oninput = () => this.tell({ do: "go", to: this.seen[scrub.value] });
    go.onsubmit = (event) => this.goTo(event);
    addShortcuts([
      { keys: [" ", "p"], words: "play or pause", act: () => this.playOrPause() },
      { keys: ["ArrowRight", "s"], words: "one iteration", act: () => this.tell({ do: "step" }) },
      { keys: ["ArrowLeft", "b"], words: "one iteration back", act: () => this.tell({ do: "back" }) },
      { keys: ["r"], words: "reset", act: () => this.reset() },
      { keys: ["+", "="], words: "faster", act: () => this.changePace(1) },
      { keys: ["-"], words: "slower", act: () => this.changePace(-1) },
      { keys: ["g"], words: "go to an iteration", act: () => find("#go-to").focus() },
    ]);
  }

  get pace() {
    const place = this.parts.speed.valueAsNumber;
    return place < 0 ? INSIDE.at(place) : this.speeds[place];
  }

  playOrPause() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    const { inside, speed } = this.pace;
    if (inside) this.inside.play(inside);
    else this.tell({ do: "play", speed });
  }

  pause() {
    if (this.inside?.playing) this.inside.rest();
    else this.tell({ do: "pause" });
  }

  reset() {
    this.seen = [0];
    this.tell({ do: "reset" });
  }

  /** @param {number} by how many notches */
  changePace(by) {
    this.parts.speed.valueAsNumber += by;
    this.sayPace();
    if (this.playing) this.play();
  }

  sayPace() {
    write(find("#speed-word"), this.pace.words);
    set(this.parts.speed, "aria-valuetext", this.pace.words);
  }

  /** @param {SubmitEvent} event */
  goTo(event) {
    event.preventDefault();
    const written = find("#go-to").value.replaceAll(/[, ]/g, "");
    if (written) this.tell({ do: "go", to: written });
  }

  /** @param {Frame} frame @param {import("./points.js").Points} points */
  show(frame, points) {
    this.playing = frame.playing || Boolean(this.inside?.playing);
    const { play, back, reset, scrub } = this.parts;
    play.classList.toggle("playing", this.playing);
    write(find("#play-word"), this.playing ? "Pause" : "Play");
    for (const button of [back, reset]) if (button.disabled !== (frame.iteration === 0)) button.disabled = frame.iteration === 0;
    if (points.iterations.length + 1 > this.seen.length) this.seen = [0, ...points.iterations];
    set(scrub, "max", this.seen.length - 1);
    scrub.value = this.seen.findLastIndex((iteration) => iteration <= frame.iteration);
    set(scrub, "aria-valuetext", `iteration ${count(frame.iteration)}`);
  }
}
