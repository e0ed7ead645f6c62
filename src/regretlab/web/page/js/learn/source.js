// Where frames come from: the engine on this computer, or a file that was recorded there. Both have one face.

import { address, ask } from "../api.js";
import { NO_POINTS, joined } from "./points.js";

// What frames are made of, Losses to Frame, is described in watch/frames.py; a test compares the two.
/**
 * @typedef {import("./points.js").Points} Points
 * @typedef {{label: string, player: number, words: string, actions: string[], node: string}} Infoset
 * @typedef {{id: string, parent: string?, action: string?, kind: "chance"|"player"|"end", player: number?, words: string,
 *   payoffs?: number[], ending?: "fold"|"showdown"}} TreeNode
 * @typedef {{name: string, recipe: string, players: string[], exact_value: number, exact_value_words: string, deals: string[], nodes: TreeNode[],
 *   infosets: Infoset[], nash: Record<string, Record<string, {low: number, high: number}>>,
 *   key: {label: string, action: string, words: string}[], unit: {name: string, chips: number, help: string}}} Game
 * @typedef {{average: number, current: number}} Losses
 * @typedef {{deal: string, nodes: string[], walker: number?}} Path
 * @typedef {{loss: number?, held: number, seen: number}} Fit
 * @typedef {{capacity: number, advantages: Fit[], strategies?: Fit[]}} NetworkFits
 * @typedef {{from: number, iterations: number[], exploitability: number[], current_exploitability: number[],
 *   key: number[][]}} History
 * @typedef {{playing: boolean, speed: number, iteration: number, hands_seen: number, exploitability: Losses, mbb: Losses,
 *   value: number, zero_regrets: number, regrets: Record<string, number[]>, current: Record<string, number[]>,
 *   average: Record<string, number[]>, path: Path?, sentence: string, targets: Record<string, Record<string, number>>,
 *   networks?: NetworkFits, history: History}} Frame
 * @typedef {{ante: string, bet: string, seed: string, parameters: Record<string, string>}} Setup
 * @typedef {{do: "step"|"back"|"play"|"pause"|"reset"|"go", to?: number, speed?: number|"turbo"}} Command
 * @typedef {{iteration: number, label: string, html: string}} Arithmetic
 */

/** A run on the server. A stream is open only while it plays and somebody looks: a browser allows few of them. */
export class LiveSource {
  /**
   * @param {string} recipe its slug
   * @param {(frame: Frame, points: Points) => void} show
   * @param {(problem: Error) => void} complain
   */
  constructor(recipe, show, complain) {
    Object.assign(this, { recipe, show, complain });
    this.session = "";
    this.last = Promise.resolve(); // the command that was given last
    document.addEventListener("visibilitychange", () => (document.hidden ? this.unwatch() : this.watch()));
    addEventListener("pagehide", (event) => (event.persisted ? this.unwatch() : this.close()));
    addEventListener("pageshow", (event) => event.persisted && this.watch());
  }

  /** A new run. @param {Setup} setup @param {number} at @returns {Promise<Game>} */
  async open(setup, at) {
    await this.last.catch(() => {});
    const { session, game, frame } = await ask("api/sessions", { recipe: this.recipe, ...setup, at });
    this.close();
    Object.assign(this, { session, setup, points: NO_POINTS });
    this.receive(frame);
    this.watch(); // networks may have a way to go to the iteration that was asked for
    return game;
  }

  /**
   * Does what a button says, one after the other; of several places to go to that wait only the last counts.
   * @param {Command} command
   */
  tell(command) {
    if (command.do === "go" && this.goal) {
      this.goal.to = command.to;
      return this.last;
    }
    const order = { ...command };
    this.goal = order.do === "go" ? order : undefined;
    this.last = this.last.catch(() => {}).then(() => this.perform(order));
    return this.last;
  }

  /**
   * The stream rests meanwhile, so that no older frame can come after the answer.
   * @param {Command} command
   */
  async perform(command) {
    if (command === this.goal) this.goal = undefined;
    this.unwatch();
    this.receive((await this.asked("", { ...command, have: this.points.iterations.length })).frame);
    this.watch();
  }

  /** @param {string} label @returns {Promise<Arithmetic>} */
  explain(label) {
    return this.asked(`/explain?label=${encodeURIComponent(label)}`);
  }

  /**
   * Asks about this run; one that was forgotten after a long rest is made once more.
   * @param {string} path
   * @param {object} [body]
   */
  async asked(path, body) {
    try {
      return await ask(`api/sessions/${this.session}${path}`, body);
    } catch (problem) {
      if (problem.status !== 404) throw problem;
      const order = { recipe: this.recipe, ...this.setup, at: this.frame.iteration };
      const { session, frame } = await ask("api/sessions", order);
      this.session = session;
      if (frame.playing) this.receive(frame); // networks have to learn their way to where they were once more
      this.watch();
      return frame.playing && body ? { frame } : ask(`api/sessions/${session}${path}`, body);
    }
  }

  /** @param {Frame} frame */
  receive(frame) {
    this.frame = frame;
    this.points = joined(this.points, frame.history);
    this.show(frame, this.points);
    if (!frame.playing) this.unwatch();
  }

  watch() {
    if (this.stream || document.hidden || !this.frame?.playing) return;
    const have = this.points.iterations.length;
    this.stream = new EventSource(address(`api/sessions/${this.session}/stream?have=${have}`));
    this.stream.onmessage = (event) => this.receive(JSON.parse(event.data));
    this.stream.onerror = () => this.stream?.readyState === EventSource.CLOSED && this.lost();
  }

  unwatch() {
    this.stream?.close();
    this.stream = undefined;
  }

  /** The server has closed the stream for good. */
  lost() {
    this.unwatch();
    this.tell({ do: "play" }).catch(this.complain);
  }

  close() {
    this.unwatch();
    if (this.session) ask(`api/sessions/${this.session}`, undefined, "DELETE").catch(() => {});
    this.session = "";
  }
}
