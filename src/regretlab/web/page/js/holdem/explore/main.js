// Walks through a solved spot: the line of steps, and what both players hold, do and expect at the place where one stands.

import { address, ask, recorded } from "../../api.js";
import { all, element, find, set, write } from "../../dom.js";
import { count } from "../../format.js";
import { addShortcuts } from "../../keys.js";
import { announce, attempt, sentence } from "../../site.js";
import { past } from "../why/past.js";
import { Timeline } from "../why/timeline.js";
import { showCards } from "./cards.js";
import { Filters } from "./filters.js";
import { showGraph } from "./graph.js";
import { fillGrid, makeGrid, scaleOf, VIEWS } from "./grid.js";
import { showHands } from "./hands.js";
import { gridPicture, keep } from "./picture.js";
import { drawSteps } from "./steps.js";
import { showSummary } from "./summary.js";
import { cardNodes, chips, PLAYERS, SHORT } from "./words.js";

const CALM = 1500; // milliseconds between two looks at a spot that is still being solved, at least
const PATIENCE = 5; // and so many times what an answer takes: who looks should not keep the solver from its work
const MOST_KNOWN = 200; // answers that are kept
const WHO = { acts: "Who acts", oop: SHORT[0], ip: SHORT[1], both: "Both" };
const SEEN = { oop: [0], ip: [1], both: [0, 1] };

/** @type {Map<HTMLElement, Explorer>} */
const explorers = new Map();

/**
 * Shows a place of a spot; to be called again whenever the solve, its progress or the line changes.
 * @param {HTMLElement} section
 * @param {{id: string, name: string, state: string, iteration?: number} | null} solve
 * @param {string} line actions and cards with commas between them
 * @param {(line: string) => void} onLine is told when people walk
 */
export function explore(section, solve, line, onLine) {
  const known = explorers.get(section) ?? new Explorer(section);
  explorers.set(section, known);
  known.show(solve, line, onLine);
}

/** Shows a hand of who acts at the place where one stands, or where one is led just now. @param {HTMLElement} section @param {string} hand */
export const showHand = (section, hand) => explorers.get(section)?.showHand(hand);

const words = (line) => line.split(",").map((word) => word.trim()).filter(Boolean);

class Explorer {
  constructor(section) {
    this.section = section;
    this.trail = []; // all words of the line, also those after the place where one stands
    this.columns = []; // what was to be chosen at each of them, and where the trail ends
    this.at = 0;
    this.view = "strategy";
    this.who = "acts";
    this.field = { player: 0, place: null }; // pinned
    this.asked = 0;
    this.looked = 0; // when the server was last asked
    this.took = 0; // milliseconds until its answer was on the screen
    this.known = new Map(); // what it has said of a spot that is no longer being solved
    this.build();
    addShortcuts([
      { keys: ["ArrowLeft"], words: "a step back on the line", act: () => this.go(this.at - 1) },
      { keys: ["ArrowRight"], words: "a step on, where there was one", act: () => this.go(this.at + 1) },
      { keys: [..."fxc123456789"], words: "take the action with this letter", shown: ["f", "x", "c", "1…9"], act: ({ key }) => this.press(key) },
      { keys: ["v"], words: "strategy, EV, equity, reach", act: () => this.turn() },
    ]);
  }

  /** The parts of the section, empty. */
  build() {
    this.steps = element("ol", { class: "steps", "aria-label": "The line of steps" });
    this.status = element("p", { class: "soft small explore-status" });
    this.timeline = new Timeline(() => {
      set(this.why, "hidden", true); // it spoke of another time
      this.load();
    });
    this.problem = element("p", { class: "wrong", hidden: true, role: "alert" });
    this.cards = element("div", { class: "card explore-cards", hidden: true });
    this.grids = [0, 1].map((player) => makeGrid((place, pinned) => this.look(player, place, pinned)));
    this.titles = [0, 1].map((player) => element("h3", { class: `player-${player + 1}` }));
    this.sides = [0, 1].map((player) => element("div", { class: "side" }, this.titles[player], this.grids[player].table));
    this.scale = element("p", { class: "soft small scale" });
    this.summary = element("div", { class: "summary" });
    this.hands = element("div", { class: "field-hands" });
    this.why = element("div", { class: "card why", hidden: true, tabindex: "-1", role: "region", "aria-label": "Why a hand does what it does" });
    this.graph = element("div", { class: "graph" });
    const filter = element("details", { class: "filters", hidden: recorded }, element("summary", {}, "Filter hands ", element("b", {})),
      element("div", { class: "row kinds", role: "group", "aria-label": "Kinds of hands" }),
      element("div", { class: "row suits", role: "group", "aria-label": "With a card of these suits" }));
    this.filters = new Filters(filter, () => this.load());
    const views = choice("view", "What the grid shows", VIEWS, this.view, (view) => this.setView(view));
    const whose = choice("who", "Whose hands", WHO, this.who, (who) => this.setWho(who));
    this.csv = element("a", { class: "button quiet small", download: "", hidden: recorded }, "CSV");
    const picture = (kind) => element("button", { class: "button quiet small", type: "button", onclick: () => this.keep(kind) }, kind.toUpperCase());
    const save = element("div", { class: "row save" }, element("span", { class: "soft small" }, "Save as"), this.csv, picture("svg"), picture("png"));
    this.body = element("div", { class: "explore-body", hidden: true },
      element("div", { class: "explore-left" }, element("div", { class: "row tools" }, views, whose),
        element("div", { class: "sides" }, ...this.sides), this.scale, filter, save),
      element("div", { class: "explore-right" }, element("div", { class: "card" }, this.summary), element("div", { class: "card" }, this.hands), element("div", { class: "card" }, this.graph)));
    this.section.append(this.steps, this.status, this.timeline.box, this.problem, this.cards, this.body, this.why);
  }

  /** What the page says: the solve, how far it is, and where to stand. */
  show(solve, line, onLine) {
    this.onLine = onLine;
    const other = solve?.id !== this.solve?.id;
    const before = this.solve;
    const news = other || solve?.state !== before.state || solve.iteration !== before.iteration;
    this.solve = solve;
    if (news) this.known.clear();
    set(this.section, "hidden", !solve);
    if (!solve) return;
    if (other) Object.assign(this, { trail: [], columns: [], at: 0, node: undefined });
    if (other) this.timeline.forget();
    if (other || line !== this.line) {
      this.trail = words(line);
      this.columns = [];
      this.at = this.trail.length;
      this.load();
    } else if (news) this.refresh();
  }

  get line() {
    return this.trail.slice(0, this.at).join(", ");
  }

  /** Asks again while the spot is being solved, calmly, and once more when it is done. */
  refresh() {
    clearTimeout(this.again);
    const wait = this.solve.state === "solving" ? Math.max(0, this.looked + Math.max(CALM, PATIENCE * this.took) - performance.now()) : 0;
    this.again = setTimeout(() => this.load(), wait);
  }

  /** The server's answer for a line. It is asked once, if the spot is no longer being solved. */
  ask(line) {
    if (this.solve.place) return this.solve.place(line); // it was written into files
    const path = `${this.path("node", line)}${this.filters.query}${this.timeline.query}`;
    if (this.solve.state === "solving") return ask(path);
    if (!this.known.has(path)) {
      if (this.known.size >= MOST_KNOWN) this.known.clear();
      this.known.set(path, ask(path));
      this.known.get(path).catch(() => this.known.delete(path));
    }
    return this.known.get(path);
  }

  path(what, line) {
    return `api/holdem/solves/${this.solve.id}/${what}?line=${encodeURIComponent(line)}`;
  }

  /** A pointer or the focus is at an action: its answer is there when it is chosen. */
  expect(at, word) {
    if (this.solve.state !== "solving") this.ask([...this.trail.slice(0, at), word].join(", ")).catch(() => {});
  }

  /** Asks for the place where one stands, and shows it. */
  async load() {
    const asked = ++this.asked;
    const { at, solve } = this;
    this.looked = performance.now();
    try {
      const node = await this.ask(this.line);
      if (asked !== this.asked || solve.id !== this.solve?.id) return;
      set(this.problem, "hidden", true);
      this.take(node, at);
      this.took = performance.now() - this.looked;
      this.section.dataset.milliseconds = this.took.toFixed(1);
    } catch (problem) {
      if (asked !== this.asked) return;
      set(this.problem, "hidden", false);
      // Where a place is shown already, its steps lead back.
      const back = !this.node && element("button", { type: "button", class: "button small", onclick: () => this.begin() }, "Go to the beginning");
      this.problem.replaceChildren(sentence(problem.message), " ", ...(back ? [back] : []));
    }
  }

  /** Leaves a line that leads nowhere. */
  begin() {
    Object.assign(this, { trail: [], columns: [], at: 0 });
    this.walked();
  }

  /** Takes in what the server says of a place. */
  take(node, at) {
    this.node = node;
    node.steps.forEach(({ player, actions, chosen }, place) => {
      this.trail[place] = chosen; // as the server writes it
      this.columns[place] ??= { kind: player === null ? "card" : "decision", player, actions };
    });
    this.columns[at] = node.kind === "decision" ? { kind: "decision", player: node.player, actions: node.actions, pot: node.pot } : { ...node };
    this.startBoard = node.board.slice(0, node.board.length - 2 * node.steps.filter(({ player }) => player === null).length);
    this.draw();
  }

  draw() {
    const { node } = this;
    drawSteps(this.steps, this, { go: (at) => this.go(at), choose: (at, word) => this.choose(at, word), expect: (at, word) => this.expect(at, word) });
    this.csv.href = address(`${this.path("node.csv", this.line)}${this.timeline.query}`);
    this.timeline.show(node);
    const solving = this.solve.state === "solving" && !this.timeline.query ? "; it is still being solved, and the numbers follow" : "";
    const board = element("span", { class: "pips" }, ...cardNodes(node.board));
    this.status.replaceChildren("Board ", board, ` · pot ${count(node.pot)} · after ${count(node.iteration)} iterations${solving}`);
    set(this.cards, "hidden", node.kind !== "card");
    set(this.body, "hidden", node.kind !== "decision");
    this.tell();
    if (node.kind === "card") showCards(this.cards, node, (card) => this.choose(this.at, card));
    if (node.kind !== "decision") return;
    if (this.wanted) this.pinWanted();
    this.drawGrids();
    showSummary(this.summary, node);
    this.drawHands(this.field);
    showGraph(this.graph, node.sides);
    if (!recorded) attempt(() => this.filters.show(node));
  }

  /** Whoever works with the place where one stands learns of it. */
  tell() {
    const { node, line, field, filters, solve } = this;
    const filter = { on: Boolean(filters.query), query: filters.query, kinds: [...filters.kinds], suits: [...filters.suits].join("") };
    if (node) this.section.dispatchEvent(new CustomEvent("place", { detail: { node, line, field, filter, solve: solve.id } }));
  }

  /** Which players' grids are seen. */
  get seen() {
    return SEEN[this.who] ?? [this.node.player];
  }

  drawGrids() {
    const { node, view, seen } = this;
    for (const player of [0, 1]) {
      set(this.sides[player], "hidden", !seen.includes(player));
      if (!seen.includes(player)) continue;
      const acts = player === node.player ? " acts" : "";
      write(this.titles[player], `${PLAYERS[player]} (${SHORT[player]})${acts}`);
      fillGrid(this.grids[player], node.sides[player], node.actions, view, `${PLAYERS[player]}: ${VIEWS[view]} of each hand`);
    }
    set(this.section, "data-grids", seen.length);
    write(this.scale, this.explained());
  }

  /** What colours and heights mean. */
  explained() {
    const { node, view, seen } = this;
    const height = "A field is as high as the part of its combinations that gets here.";
    if (view === "left") return `${height} The number is that part in percent.`;
    if (view === "strategy") {
      const other = seen.every((player) => player !== node.player);
      return other ? `${height} ${SHORT[1 - node.player]} is not to act here, so there is no strategy to show.` : `${height} Its colours are the actions, its letters those taken with 10 % or more, the most frequent first.`;
    }
    const scales = seen.map((player) => {
      const [low, high] = scaleOf(node.sides[player], view);
      return view === "ev" ? `${SHORT[player]} from ${chips(low)} to ${chips(high)} chips` : `${SHORT[player]} from 0 to 100 %`;
    });
    return `The fuller the colour, the higher the number: ${[...new Set(scales)].join(", ")}. ${height}`;
  }

  /** A pointer or the focus is at a field, or has left; a press pins it. */
  look(player, place, pinned) {
    if (Number.isNaN(place)) return;
    if (pinned) {
      const same = this.field.player === player && this.field.place === place;
      this.field = { player, place: same ? null : place };
      this.mark();
      this.tell();
    }
    this.drawHands(place === null || (pinned && this.field.place === null) ? this.field : { player, place });
  }

  drawHands(field) {
    const chosen = field.place === null ? { player: this.node.player, place: null } : field;
    const { node, drawn } = this;
    // Drawn anew under the pointer, a button that is being pressed would be another one when it is let go.
    if (drawn?.node === node && drawn.player === chosen.player && drawn.place === chosen.place) return;
    this.drawn = { node, ...chosen };
    showHands(this.hands, node, chosen, recorded ? undefined : (hand) => attempt(() => this.explain(hand)));
  }

  /** Why a hand does what it does here: the server works it out. @param {string} hand */
  async explain(hand) {
    const { line, node } = this;
    const { html } = await ask(`${this.path("why", line)}&hand=${hand}${this.timeline.query}`);
    if (line !== this.line) return;
    const text = element("div", { class: "why-text" });
    text.innerHTML = html; // from our own server, which escapes what is not ours
    this.why.replaceChildren(text, past(`${this.path("past", line)}&hand=${hand}`, node.actions), element("button", { class: "button quiet small", type: "button", onclick: () => set(this.why, "hidden", true) }, "Close"));
    set(this.why, "hidden", false);
    // What is too wide for the panel is scrolled, by keys as well.
    for (const wide of all(".equations, .why-text table", this.why).map((part) => part.closest(".equations") ?? part.parentElement)) {
      if (wide.scrollWidth > wide.clientWidth && wide !== text) for (const [name, value] of [["tabindex", "0"], ["role", "group"], ["aria-label", "Arithmetic"]]) set(wide, name, value);
    }
    this.why.focus({ preventScroll: true });
    this.why.scrollIntoView({ block: "nearest" });
  }

  /** Pins the field of a hand as soon as its place is there. @param {string} hand */
  showHand(hand) {
    this.wanted = hand;
    this.load();
  }

  pinWanted() {
    const side = this.node.sides[this.node.player];
    const hand = side.hands.indexOf(this.wanted);
    const place = side.grid.findIndex((field) => field?.hands.includes(hand));
    this.wanted = undefined;
    if (place < 0) return;
    this.field = { player: this.node.player, place };
    this.mark();
  }

  /** Marks the field that is pinned. */
  mark() {
    this.grids.forEach(({ cells }, player) =>
      cells.forEach((cell, place) => set(cell, "aria-selected", this.field.player === player && this.field.place === place ? "true" : undefined)));
  }

  setView(view) {
    this.view = view;
    if (this.node?.kind === "decision") this.drawGrids();
  }

  setWho(who) {
    this.who = who;
    if (this.node?.kind === "decision") this.drawGrids();
  }

  turn() {
    const views = Object.keys(VIEWS);
    const view = views[(views.indexOf(this.view) + 1) % views.length];
    find(`[name=view][value=${view}]`, this.section).checked = true;
    this.setView(view);
    announce(VIEWS[view]);
  }

  /** The action with this letter. */
  press(key) {
    const action = this.node?.kind === "decision" && this.node.actions.find((each) => each.key === key);
    if (action) this.choose(this.at, action.name);
  }

  /** Another place on the same line. */
  go(at) {
    if (!this.solve || at < 0 || at > this.trail.length || at === this.at) return;
    this.at = at;
    this.walked();
  }

  /** An action or a card at a place; what came after another one is forgotten. */
  choose(at, word) {
    if (this.trail[at] !== word) {
      this.trail = [...this.trail.slice(0, at), word];
      this.columns = this.columns.slice(0, at + 1);
    }
    this.at = at + 1;
    this.walked();
  }

  walked() {
    set(this.why, "hidden", true); // it spoke of another place
    this.onLine(this.line);
    this.load();
    announce(this.line || "The beginning of the spot");
  }

  keep(kind) {
    const player = this.seen[0];
    const title = `${this.solve.name}: ${this.line || "beginning"}`;
    attempt(() => keep(gridPicture(this.node, player, this.view, title), `${SHORT[player]} ${this.line || "beginning"}`.toLowerCase().replace(/[^a-z0-9]+/g, "-"), kind));
  }
}

/** One of a few, as everywhere on the site. */
function choice(name, legend, options, chosen, change) {
  const inputs = Object.entries(options).map(([value, text]) =>
    element("label", {}, element("input", { type: "radio", name, value, checked: value === chosen, onchange: () => change(value) }), element("span", {}, text)));
  return element("fieldset", { class: "segmented" }, element("legend", {}, legend), ...inputs);
}
