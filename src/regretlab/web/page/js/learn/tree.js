// The public betting tree for one deal: who acts where, how often play comes by, and in gold the walk that is shown.

import { find, set, style, svg, write } from "../dom.js";
import { percent, signed } from "../format.js";

/**
 * @typedef {import("./source.js").Game} Game
 * @typedef {{deal: string, current: Record<string, number[]>, reach: number[], gold: Set<string>,
 *   values: Record<string, number>, chosen: string}} View
 *   a deal, what is played in it, how often play comes by each node, the nodes in gold, what player 1 can expect at
 *   nodes, the information set in focus
 */

const TOP = 24; // pixels above the middle of the first decision
const BOTTOM = 36; // below the middle of the last leaves
const NODE = 17; // half the size of a decision
const LEAF = { wide: 27, high: 15 }; // half the size of an end
const WORDS = 58; // pixels that the words of an edge take, which stay in the picture
const THIN = 1.5;
const THICK = 12; // pixels of an edge by which play never and always comes

/** @param {number} chips */
const payoff = (chips) => signed(chips, Number.isInteger(chips) ? 0 : 2);

export class Tree {
  /**
   * @param {HTMLElement} place
   * @param {Game} game
   * @param {(label: string) => void} choose what to do when an information set is pressed
   */
  constructor(place, game, choose) {
    this.game = game;
    this.nodes = game.nodes.filter((node) => node.kind !== "chance");
    this.places = new Map(game.nodes.map(({ id }, place) => [id, place]));
    this.leaves = this.leavesBelow(this.nodes[0]);
    this.picture = svg("svg", { role: "group", "aria-label": "Game tree" });
    this.edges = new Map(this.nodes.filter((node) => node.action).map((node) => [node.id, drawEdge(node)]));
    this.points = new Map(this.nodes.map((node) => [node.id, node.kind === "end" ? drawLeaf(node) : drawDecision(node)]));
    for (const { line } of this.edges.values()) this.picture.append(line);
    for (const { gold } of this.edges.values()) this.picture.append(gold);
    for (const { words } of this.edges.values()) this.picture.append(words);
    for (const point of this.points.values()) this.picture.append(point.group);
    this.listen(choose);
    place.replaceChildren(this.picture);
    this.watcher = new ResizeObserver(() => this.arrange(place.clientWidth, place.clientHeight));
    this.watcher.observe(place);
    this.arrange(place.clientWidth, place.clientHeight);
  }

  remove() {
    this.watcher.disconnect();
  }

  childrenOf(node) {
    return this.nodes.filter((child) => child.parent === node.id);
  }

  /** From left to right. */
  leavesBelow(node) {
    return node.kind === "end" ? [node] : this.childrenOf(node).flatMap((child) => this.leavesBelow(child));
  }

  /** @param {(label: string) => void} choose */
  listen(choose) {
    const pressed = (event) => {
      const label = /** @type {Element} */ (event.target).closest("[data-label]")?.getAttribute("data-label");
      if (!label || (event.type === "keydown" && event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      choose(label);
    };
    this.picture.addEventListener("click", pressed);
    this.picture.addEventListener("keydown", pressed);
  }

  /**
   * Fills so many pixels: leaves side by side, parents above the middle of their children.
   * @param {number} width
   * @param {number} height
   */
  arrange(width, height) {
    const across = new Map(this.leaves.map((leaf, place) => [leaf.id, (width / this.leaves.length) * (place + 0.5)]));
    for (const node of [...this.nodes].reverse()) {
      const xs = this.childrenOf(node).map((child) => across.get(child.id));
      if (xs.length) across.set(node.id, (Math.min(...xs) + Math.max(...xs)) / 2);
    }
    const depths = new Map();
    for (const node of this.nodes) depths.set(node.id, node.action ? depths.get(node.parent) + 1 : 0);
    const level = (height - TOP - BOTTOM) / Math.max(...depths.values());
    const spots = new Map(this.nodes.map(({ id }) => [id, { x: across.get(id), y: TOP + level * depths.get(id) }]));
    set(this.picture, "viewBox", `0 0 ${width} ${height}`);
    for (const node of this.nodes) this.put(node, spots, width);
  }

  put(node, spots, width) {
    const { x, y } = spots.get(node.id);
    set(this.points.get(node.id).group, "transform", `translate(${x} ${y})`);
    if (!node.action) return;
    const from = spots.get(node.parent);
    const middle = (from.y + y) / 2;
    const { line, gold, words } = this.edges.get(node.id);
    for (const each of [line, gold]) set(each, "d", `M${from.x} ${from.y}C${from.x} ${middle} ${x} ${middle} ${x} ${y}`);
    // Beside the edge, on the outer side.
    const side = Math.sign(x - from.x) || 1;
    const beside = (from.x + x) / 2 + 9 * side;
    const inside = side < 0 ? Math.max(beside, WORDS) : Math.min(beside, width - WORDS);
    set(words, "transform", `translate(${inside} ${middle - 12})`);
    set(words, "text-anchor", side < 0 ? "end" : "start");
  }

  /** The information set that a deal has at a node. @param {any} node @param {string} deal */
  infoset(node, deal) {
    return this.game.infosets.find((each) => each.node === node.id && each.label[0] === deal[node.player]);
  }

  /** @param {View} view */
  show(view) {
    const place = this.game.deals.indexOf(view.deal);
    for (const node of this.nodes) {
      const point = this.points.get(node.id);
      point.group.classList.toggle("on-path", view.gold.has(node.id));
      if (node.action) this.showEdge(node, view);
      if (node.kind === "end") this.showEnd(node, point, node.payoffs[place]);
      else this.showDecision(node, point, view);
    }
  }

  /** As wide as play comes by often; dots where it never does. */
  showEdge(node, { reach, gold }) {
    const { line, gold: overlay } = this.edges.get(node.id);
    const often = reach[this.places.get(node.id)];
    style(line, "stroke-width", `${(THIN + (THICK - THIN) * often).toFixed(2)}px`);
    line.classList.toggle("never", often === 0);
    overlay.classList.toggle("on-path", gold.has(node.id));
  }

  showEnd(node, point, chips) {
    write(point.chips, payoff(chips));
    point.group.classList.toggle("won-1", chips > 0);
    point.group.classList.toggle("won-2", chips < 0);
    write(point.title, `${node.words}: player 1 ${chips > 0 ? "wins" : "loses"} ${payoff(Math.abs(chips)).slice(1)}`);
  }

  showDecision(node, point, { deal, current, values, chosen }) {
    write(point.value, node.id in values ? signed(values[node.id], 2) : "");
    const infoset = this.infoset(node, deal);
    const strategy = current[infoset.label];
    write(point.name, infoset.label);
    set(point.group, "data-label", infoset.label);
    point.group.classList.toggle("chosen", infoset.label === chosen);
    const told = infoset.actions.map((action, number) => `${action} ${percent(strategy[number])}`).join(", ");
    set(point.group, "aria-label", `${infoset.label}, player ${node.player + 1}, ${infoset.words}: ${told}`);
    for (const child of this.childrenOf(node)) {
      write(this.edges.get(child.id).share, percent(strategy[infoset.actions.indexOf(child.action)]));
    }
  }
}

function drawEdge(node) {
  const share = svg("tspan", { x: 0, dy: "1.15em", class: "share" });
  const words = svg("text", { class: "edge-words", y: -2, "aria-hidden": "true" }, svg("tspan", { x: 0 }, node.action), share);
  const line = svg("path", { class: "edge", "data-to": node.id });
  const gold = svg("path", { class: "gold", "data-to": node.id, pathLength: 1, "aria-hidden": "true" });
  return { line, gold, words, share };
}

function drawDecision(node) {
  const shape =
    node.player === 0
      ? svg("circle", { r: NODE, class: "node-1" })
      : svg("rect", { x: -NODE, y: -NODE, width: 2 * NODE, height: 2 * NODE, rx: 5, class: "node-2" });
  const name = svg("text", { class: "node-name", y: 4.5 });
  const value = svg("text", { class: "value", x: NODE + 5, y: 5 });
  const group = svg("g", { class: "decision", role: "button", tabindex: 0 }, shape, name, value);
  return { group, name, value };
}

function drawLeaf(node) {
  const { wide, high } = LEAF;
  const outline = { x: -wide, y: -high, width: 2 * wide, height: 2 * high, rx: high };
  const chips = svg("text", { class: "chips", y: 5 });
  const title = svg("title");
  const kind = svg("text", { class: "ending", y: high + 14 }, node.ending);
  const leaf = svg("rect", { ...outline, class: node.ending === "fold" ? "leaf fold" : "leaf" });
  return { group: svg("g", { class: "end", role: "img" }, title, leaf, chips, kind), chips, title };
}

/** The two cards above the tree. @param {string} deal */
export function showCards(deal) {
  for (const player of [0, 1]) {
    const card = find(`#card-${player + 1}`);
    write(card, deal[player]);
    set(card, "data-card", deal[player]);
  }
}
