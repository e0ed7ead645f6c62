// Which hands are looked at: of some kinds, and with a card of some suits. The server computes what they do.

import { ask } from "../../api.js";
import { element, find } from "../../dom.js";
import { suitName, suits, suitSign } from "./words.js";

let meanings; // of all kinds, the best first; asked for once

/** The kinds and what they mean. */
const known = () => (meanings ??= ask("api/holdem/kinds").then(({ kinds }) => kinds));

/** Chips to press, and what is pressed. */
export class Filters {
  /** @param {HTMLElement} box @param {() => void} changed */
  constructor(box, changed) {
    this.kinds = new Set();
    this.suits = new Set();
    this.box = box;
    this.changed = changed;
  }

  /** The filter as a part of an address. */
  get query() {
    return `${this.kinds.size ? `&kinds=${encodeURIComponent([...this.kinds].join(","))}` : ""}${
      this.suits.size ? `&suits=${[...this.suits].join("")}` : ""}`;
  }

  /** Shows the kinds that there are in the ranges here. @param {any} node */
  async show(node) {
    const kinds = await known();
    const here = new Set(node.sides.flatMap((side) => side.kinds.flat()));
    const offered = Object.keys(kinds).filter((kind) => here.has(kind) || this.kinds.has(kind));
    const state = JSON.stringify([offered, this.query]);
    if (state === this.drawn) return;
    this.drawn = state;
    const focused = this.box.contains(document.activeElement) && document.activeElement.textContent;
    const clear = element("button", { class: "button quiet small", type: "button", onclick: () => this.clear(), disabled: !this.query }, "All hands");
    find(".kinds", this.box).replaceChildren(...offered.map((kind) => this.chip(this.kinds, kind, kind, kinds[kind])));
    find(".suits", this.box).replaceChildren(...suits.map((suit) => this.chip(this.suits, suit, `${suitSign(suit)} ${suitName(suit)}`)), clear);
    find("summary b", this.box).textContent = this.query ? "on" : "";
    if (focused) [...this.box.querySelectorAll("button")].find((each) => each.textContent === focused)?.focus();
  }

  chip(chosen, value, words, title) {
    const press = () => {
      if (!chosen.delete(value)) chosen.add(value);
      this.changed();
    };
    return element("button", { class: "chip", type: "button", title, "aria-pressed": String(chosen.has(value)), onclick: press }, words);
  }

  clear() {
    this.kinds.clear();
    this.suits.clear();
    this.changed();
  }
}
