// The board: 52 cards to click, and the same in letters, which are what counts.

import { element, set } from "../dom.js";
import { announce } from "../site.js";

const RANKS = "AKQJT98765432";
const SUITS = { s: ["♠", "spades"], h: ["♥", "hearts"], d: ["♦", "diamonds"], c: ["♣", "clubs"] };
const NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten" };
const MOST = 5;
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -RANKS.length, ArrowDown: RANKS.length };

export class Board {
  /** @param {any} deck @param {any} input @param {() => void} changed */
  constructor(deck, input, changed) {
    Object.assign(this, { input, changed });
    this.buttons = Object.keys(SUITS).flatMap((suit) => [...RANKS].map((rank) => cardButton(rank, suit)));
    deck.append(...this.buttons);
    deck.addEventListener("click", (event) => this.press(event.target.closest("button")));
    deck.addEventListener("keydown", (event) => this.walk(event));
    input.addEventListener("input", () => this.show());
    this.show();
  }

  /** The cards in the text, as far as it can be read. @returns {string[]} */
  get cards() {
    const found = this.input.value.match(/[2-9tjqka][cdhs]/gi) ?? [];
    return [...new Set(found.map((card) => card[0].toUpperCase() + card[1].toLowerCase()))];
  }

  show() {
    const taken = this.cards;
    for (const button of this.buttons) {
      const pressed = taken.includes(button.dataset.card);
      set(button, "aria-pressed", String(pressed));
      set(button, "aria-disabled", !pressed && taken.length >= MOST && "true");
    }
    this.stop ??= this.buttons[0];
    this.buttons.forEach((button) => set(button, "tabindex", button === this.stop ? "0" : "-1"));
  }

  press(button) {
    if (!button) return;
    this.stop = button;
    const taken = this.cards;
    const card = button.dataset.card;
    if (!taken.includes(card) && taken.length >= MOST) {
      this.show();
      announce("A board has five cards at most; give one back first");
      return;
    }
    this.input.value = (taken.includes(card) ? taken.filter((each) => each !== card) : [...taken, card]).join("");
    this.show();
    this.changed();
  }

  walk(event) {
    const here = this.buttons.indexOf(event.target);
    if (here < 0 || !(event.key in STEPS)) return;
    event.preventDefault();
    this.stop = this.buttons[here + STEPS[event.key]] ?? event.target;
    this.show();
    this.stop.focus();
  }
}

function cardButton(rank, suit) {
  const [sign, name] = SUITS[suit];
  const label = `${NAMES[rank] ?? rank} of ${name}`;
  const sight = element("span", { "aria-hidden": "true" }, sign);
  return element("button", { type: "button", "data-card": rank + suit, "data-suit": suit, "aria-label": label }, rank, sight);
}
