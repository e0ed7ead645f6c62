// The public tree as an outline that opens and closes: who decides where, and how often play goes on like that now.

import { element, set, style, write } from "../dom.js";
import { percent } from "../format.js";

/** @typedef {import("./types.js").Frame} Frame @typedef {import("./types.js").Game} Game */

const OPEN = 3; // decisions deep that the tree is open in the beginning

export class Outline {
  /** @param {HTMLElement} place @param {Game} game @param {(node: number) => void} choose */
  constructor(place, game, choose) {
    Object.assign(this, { game, choose, rows: new Map(), lists: new Map() });
    this.below = new Map(game.nodes.map((_, number) => [number, []]));
    game.nodes.forEach(({ parent }, number) => parent !== null && this.below.get(parent).push(number));
    const top = element("ul", {});
    this.grow(this.begins(0), top, 0);
    place.replaceChildren(top);
  }

  /** Where there is something to see: deals that lead to one thing only are passed over. @param {number} node */
  begins(node) {
    const below = this.below.get(node);
    return this.game.nodes[node].kind === "chance" && below.length === 1 ? this.begins(below[0]) : node;
  }

  grow(node, list, depth) {
    const { kind, player, action } = this.game.nodes[node];
    const next = this.begins(node);
    const shown = this.game.nodes[next];
    const below = this.below.get(next);
    const share = element("span", { class: "share" });
    const bar = element("i", { class: "bar", "aria-hidden": "true" });
    const who = { chance: "chance", end: "the end" }[shown.kind] ?? this.game.players[shown.player];
    const name = element("b", {}, list.parentElement || depth ? action : "start");
    const label = element("span", { class: shown.kind === "player" ? `who player-${shown.player + 1}` : "who soft" }, who);
    const pressed = shown.kind === "player" && { class: "node", type: "button", onclick: () => this.choose(next) };
    const row = pressed ? element("button", pressed, name, bar, share, label) : element("span", { class: "node" }, name, bar, share, label);
    const item = element("li", { class: kind }, row);
    this.rows.set(next, { row, share, bar, entry: node });
    if (below.length) {
      const inner = element("ul", { hidden: depth >= OPEN });
      const words = () => `${inner.hidden ? "Open" : "Close"} what follows ${action || "the start"}`;
      const toggle = element("button", { class: "toggle", type: "button", "aria-expanded": String(!inner.hidden), "aria-label": words() });
      toggle.onclick = () => this.open(inner, toggle, words, inner.hidden);
      this.lists.set(next, () => this.open(inner, toggle, words, true));
      item.prepend(toggle);
      item.append(inner);
      for (const child of below) this.grow(child, inner, depth + (shown.kind === "player" ? 1 : 0));
    }
    list.append(item);
    return player;
  }

  open(inner, toggle, words, isOpen) {
    set(inner, "hidden", !isOpen);
    set(toggle, "aria-expanded", String(isOpen));
    set(toggle, "aria-label", words());
  }

  /** Opens the way to a node. @param {number} node */
  reveal(node) {
    for (let above = this.game.nodes[node].parent; above !== null; above = this.game.nodes[above].parent) this.lists.get(above)?.();
    this.rows.get(node)?.row.scrollIntoView({ block: "nearest" });
  }

  /** @param {Frame} frame @param {unknown} _points @param {number} chosen */
  show({ shares }, _points, chosen) {
    for (const [node, { row, share, bar, entry }] of this.rows) {
      const often = shares[entry];
      write(share, often === null ? "never" : percent(often));
      style(bar, "--share", (often ?? 0).toFixed(4));
      row.classList.toggle("chosen", node === chosen);
      if (row.matches("button")) set(row, "aria-pressed", String(node === chosen));
    }
  }
}

/** What led to a node, in words. @param {Game} game @param {number} node */
export function wayTo(game, node) {
  const way = [];
  for (let at = node; game.nodes[at].parent !== null; at = game.nodes[at].parent) {
    const { action, parent } = game.nodes[at];
    if (action !== "dealt" || game.nodes[parent].kind !== "chance") way.unshift(action);
  }
  return way.join(", ");
}
