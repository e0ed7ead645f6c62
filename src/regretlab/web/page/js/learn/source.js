// Where frames come from: the engine on this computer, or a file that was recorded there. Both have one face.

import { address, ask, passes, serverIsBack } from "../api.js";
import { count } from "../format.js";
import { NO_POINTS, joined } from "./points.js";

// What frames are made of, Losses to Frame, is described in watch/frames.py; a test compares the two.
/**
 * @typedef {import("./points.js").Points} Points
 * @typedef {{label: string, player: number, words: string, actions: string[], node: string}} Infoset
 * @typedef {{id: string, parent: string?, action: string?, kind: "chance"|"player"|"end", player: number?, words: string,
 *   payoffs?: number[], ending?: "fold"|"showdown"}} TreeNode
 * @typedef {{name: string, recipe: string, players: string[], exact_value: number, exact_value_words: string, deals: string[], nodes: TreeNode[],
 *   infosets: Infoset[], nash: Record<string, Record<string, {low: number, high: number}>>,
 *   key: {label: string, action: string, words: string}[], last: number, unit: {name: string, chips: number, help: string}}} Game
 * @typedef {{average: number, current: number}} Losses
 * @typedef {{deal: string, nodes: string[], walker: number?}} Path
 * @typedef {{loss: number?, held: number, seen: number}} Fit
 * @typedef {{capacity: number, advantages: Fit[], strategies?: Fit[]}} NetworkFits
 * @typedef {{from: number, iterations: number[], exploitability: number[], current_exploitability: number[],
 *   key: number[][], milestones: string[][]}} History
 * @typedef {{playing: boolean, speed: number, iteration: number, hands_seen: number, exploitability: Losses, mbb: Losses,
 *   value: number, zero_regrets: number, regrets: Record<string, number[]>, current: Record<string, number[]>,
 *   average: Record<string, number[]>, walks: Path[], reach: Record<string, number[]>, sentence: string, found: string,
 *   milestones: string[], targets: Record<string, Record<string, number>>, networks?: NetworkFits, history: History}} Frame
 * @typedef {{game?: string, ante?: string, bet?: string, seed: string, parameters?: Record<string, string>}} Setup
 * @typedef {{do: "step"|"back"|"play"|"pause"|"reset"|"go", to?: number, speed?: number|"turbo"}} Command
 * @typedef {{iteration: number, label: string, html: string}} Arithmetic
 */

// Steps inside an iteration are described in watch/one_iteration.py.
/**
 * @typedef {{phase: "down"|"up"|"learn"|"play", place: string, sentence: string, deal: string, nodes: string[],
 *   values: Record<string, number>, regret: Record<string, number[]>, added: Record<string, number[]>,
 *   regrets: Record<string, number[]>?, current: Record<string, number[]>?, reach: Record<string, number[]>?}} InnerStep
 */

const SECONDS_OF_SILENCE = 10; // a run that plays tells more often how far it is
const SECONDS_TO_WONDER = 1; // the first numbers are usually there in a tenth of that
const GETTING_READY = "The engine is getting ready: what is new to this computer is compiled first, which can take half a minute, once.";

/** A run on the server. A stream is open only while it plays and somebody looks: a browser allows few of them. */
export class LiveSource {
  /**
   * @param {string} recipe its slug
   * @param {(frame: Frame, points: Points) => void} show
   * @param {(cause: string, text?: string, wrong?: boolean) => void} say
   */
  constructor(recipe, show, say) {
    Object.assign(this, { recipe, show, say });
    this.session = "";
    this.last = Promise.resolve(); // the command that was given last
    document.addEventListener("visibilitychange", () => (document.hidden ? this.unwatch() : this.watch()));
    addEventListener("pagehide", (event) => (event.persisted ? this.unwatch() : this.close()));
    addEventListener("pageshow", (event) => event.persisted && this.watch());
  }

  /**
   * A new run.
   * @param {Setup} setup
   * @param {number|string} at
   * @param {boolean} nearest whether what cannot be had is to be replaced by the nearest that can
   * @returns {Promise<{game: Game, setup: Setup, said: string[]}>}
   */
  async open(setup, at, nearest) {
    await this.last.catch(() => {});
    const { session, game, frame, order, said } = await this.sayingSo(() =>
      this.patiently(() => ask("api/sessions", { recipe: this.recipe, ...setup, at, nearest })),
    );
    this.close();
    const { ante, bet, seed, parameters } = { ...setup, ...order };
    // Kuhn poker has an ante and a bet; any other game has its name.
    const kept = setup.game ? { game: setup.game, seed } : { ante, bet, seed, parameters };
    Object.assign(this, { session, setup: kept, points: NO_POINTS });
    this.begin({ do: "go", to: Number(order.at) });
    this.receive(frame);
    this.watch(); // there may be a way to go to the iteration that was asked for
    return { game, setup: this.setup, said };
  }

  /**
   * Does what a button says, one after the other; of several places to go to that wait only the last counts. While the
   * server is away there is nothing to step: a run that plays shall go on afterwards, and one that stands shall not jump.
   * @param {Command} command
   */
  tell(command) {
    if (this.returning && (command.do === "step" || command.do === "back")) return this.last;
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
    const { way, then } = this;
    this.begin(command);
    try {
      this.receive((await this.asked("", { ...command, have: this.points.iterations.length })).frame);
    } catch (problem) {
      Object.assign(this, { way, then }); // nothing has changed
      throw problem;
    } finally {
      this.watch();
    }
  }

  /** Remembers what goes on by itself, to take it up again after a break. @param {Command} command */
  begin(command) {
    this.way = command.do === "play" || command.do === "go" ? command : undefined;
    this.then = undefined;
  }

  /** @param {string} label @returns {Promise<Arithmetic>} */
  explain(label) {
    return this.asked(`/explain?label=${encodeURIComponent(label)}`);
  }

  /** The next iteration in steps. @returns {Promise<{iteration: number, steps: InnerStep[]}>} */
  inside() {
    return this.asked("/inside");
  }

  /**
   * Asks about this run; one that the server does not know any more is made once more.
   * @param {string} path
   * @param {Command} [command]
   */
  async asked(path, command) {
    for (;;) {
      const { session } = this;
      try {
        return await this.patiently(() => ask(`api/sessions/${session}${path}`, command));
      } catch (problem) {
        if (problem.status !== 404) throw problem;
        await this.renew(session);
        if (command && this.frame.playing) {
          // The new run has a way to go to where the old one was. What was ordered comes afterwards.
          Object.assign(this, { way: { do: "go", to: this.renewedAt }, then: command.do === "go" ? undefined : command });
          return { frame: this.frame };
        }
      }
    }
  }

  /** Says why there is nothing to see yet, if it takes long. @template T @param {() => Promise<T>} question @returns {Promise<T>} */
  async sayingSo(question) {
    const wondering = setTimeout(() => this.say("engine", GETTING_READY), 1000 * SECONDS_TO_WONDER);
    try {
      return await question();
    } finally {
      clearTimeout(wondering);
      this.say("engine");
    }
  }

  /** Asks again and again while the server is away. @template T @param {() => Promise<T>} question @returns {Promise<T>} */
  async patiently(question) {
    for (;;) {
      try {
        return await question();
      } catch (problem) {
        if (!passes(problem)) throw problem;
        await this.back();
      }
    }
  }

  /** Until the server answers. */
  back() {
    this.returning ??= serverIsBack((text) => this.say("server", text, true)).finally(() => (this.returning = undefined));
    return this.returning;
  }

  /** The same run in a new session, once for all who miss the old one. @param {string} lost */
  async renew(lost) {
    if (this.session !== lost) return;
    this.renewing ??= (async () => {
      this.renewedAt = this.way?.do === "go" ? this.way.to : this.frame.iteration;
      const order = { recipe: this.recipe, ...this.setup, at: this.renewedAt };
      const { session, frame } = await this.patiently(() => ask("api/sessions", order));
      this.session = session;
      if (frame.playing) this.receive(frame);
      this.watch();
    })().finally(() => (this.renewing = undefined));
    await this.renewing;
  }

  /** The iteration at which the run is, or to which it is on its way: where a link to it should lead. */
  get at() {
    return this.way?.do === "go" ? Number(this.way.to) : this.frame.iteration;
  }

  /** @param {Frame} frame */
  receive(frame) {
    this.frame = frame;
    this.points = joined(this.points, frame.history);
    this.heard();
    if (!frame.playing) {
      this.unwatch();
      const { then } = this;
      this.begin({ do: "pause" });
      if (then) this.tell(then);
    }
    this.sayWay();
    this.show(frame, this.points);
  }

  /** Says that the run is on its way to an iteration that is far off. */
  sayWay() {
    const far = this.way?.do === "go" ? `The run is on its way to iteration ${count(this.way.to)}.` : "";
    this.say("way", far);
  }

  watch() {
    if (this.stream || document.hidden || !this.frame?.playing) return;
    const have = this.points.iterations.length;
    this.stream = new EventSource(address(`api/sessions/${this.session}/stream?have=${have}`));
    this.stream.onmessage = (event) => this.receive(JSON.parse(event.data));
    this.stream.onerror = () => this.resume();
    this.heard();
  }

  unwatch() {
    this.stream?.close();
    this.stream = undefined;
    clearTimeout(this.silence);
  }

  /** While a stream is open, somebody who says nothing for long is taken for gone. */
  heard() {
    clearTimeout(this.silence);
    if (this.stream) this.silence = setTimeout(() => this.resume(), 1000 * SECONDS_OF_SILENCE);
  }

  /** The stream broke off: when the server is back, the run goes on as it did. */
  async resume() {
    this.unwatch();
    const { way } = this;
    await this.back();
    if (way && way === this.way) this.tell(way).catch((problem) => this.say("mistake", problem.message, true));
  }

  close() {
    this.unwatch();
    if (this.session) ask(`api/sessions/${this.session}`, undefined, "DELETE").catch(() => {});
    this.session = "";
  }
}
