// The table: two hands, the board, the pot, what has happened, and the buttons of what can be done.

import { element, set, write } from "../../dom.js";
import { count, fixed, signed } from "../../format.js";
import { PLAYERS, SHORT, suitName, suitSign, swatch } from "../explore/words.js";

const STREETS = { 3: "Flop", 4: "Turn", 5: "River" };
const HIDDEN = "????";

export class Felt {
  /** @param {{act: (choice: number) => void, next: () => void}} moves */
  constructor(moves) {
    this.moves = moves;
    this.title = element("h3", {});
    this.other = new Place();
    this.own = new Place();
    this.board = element("div", { class: "cards board-cards" });
    this.pot = element("strong", {});
    this.story = element("ol", { class: "story", "aria-label": "What has happened" });
    this.told = element("p", { class: "told", role: "status" });
    this.choices = element("div", { class: "row choices", role: "group", "aria-label": "Your move" });
    this.box = element("section", { class: "card table-felt", "aria-label": "The hand" }, this.title,
      element("div", { class: "cloth" }, this.other.box,
        element("div", { class: "middle" }, this.board, element("p", { class: "pot" }, "Pot ", this.pot)), this.own.box),
      this.story, this.told, this.choices);
  }

  show({ hand }) {
    const { seat, over, behind } = hand;
    write(this.title, `Hand ${count(hand.number)}`);
    this.own.show(`You, ${SHORT[seat]}`, hand.cards, hand.kinds.join(", "), behind[0]);
    this.other.show(SHORT[1 - seat], hand.other ?? HIDDEN, hand.other ? hand.other_kinds.join(", ") : "the solution", behind[1]);
    this.board.replaceChildren(...cards(hand.board));
    set(this.board, "aria-label", `Board: ${spoken(hand.board)}`);
    set(this.board, "role", "img");
    write(this.pot, `${count(hand.pot)} chips, ${fixed(hand.pot_in_blinds, 1)} bb`);
    this.story.replaceChildren(...this.steps(hand));
    const yours = `${PLAYERS[seat]}: your move.`;
    write(this.told, over ? `${hand.told} ${signed(hand.result, 2)} chips.` : yours);
    set(this.told, "data-end", over ? (hand.result > 0 ? "won" : hand.result < 0 ? "lost" : "even") : false);
    this.choices.replaceChildren(...(over ? [this.nextButton()] : hand.actions.map((action, a) => this.choice(hand.actions, action, a))));
  }

  /** What was done, a street after the other. */
  steps({ moves, started_with: first }) {
    let shown = first;
    const steps = moves.map(({ who, action, words }) => {
      if (who !== "table") return element("li", { class: who }, words);
      shown += 1;
      return element("li", { class: "street" }, `${STREETS[shown]} `, ...cards(action));
    });
    return [element("li", { class: "street" }, STREETS[first]), ...steps];
  }

  choice(actions, { name, key }, a) {
    return element("button", { type: "button", class: "button", "data-key": key, "aria-keyshortcuts": key, onclick: () => this.moves.act(a) },
      swatch(a, actions), element("span", {}, name));
  }

  nextButton() {
    return element("button", { type: "button", class: "button primary", "aria-keyshortcuts": "n", onclick: () => this.moves.next() },
      "Next hand ", element("kbd", { "aria-hidden": "true" }, "n"));
  }

  focus() {
    this.choices.querySelector("button")?.focus({ preventScroll: true });
    this.choices.scrollIntoView({ block: "nearest" });
  }
}

class Place {
  constructor() {
    this.who = element("span", { class: "who" });
    this.hand = element("div", { class: "cards", role: "img" });
    this.kind = element("span", { class: "soft small kind" });
    this.behind = element("span", { class: "soft small" });
    this.box = element("div", { class: "place" }, this.who, this.hand, this.kind, this.behind);
  }

  show(who, hand, kind, behind) {
    write(this.who, who);
    this.hand.replaceChildren(...cards(hand));
    set(this.hand, "aria-label", hand === HIDDEN ? "two cards, face down" : spoken(hand));
    write(this.kind, kind);
    write(this.behind, `${count(behind)} behind`);
  }
}

/** Cards to look at. @param {string} names such as "AhKd" */
const cards = (names) =>
  (names.match(/../g) ?? []).map((card) =>
    card === "??" ? element("span", { class: "face down" }) : element("span", { class: "face", "data-suit": card[1] }, card[0], element("i", { "aria-hidden": "true" }, suitSign(card[1]))));

const spoken = (names) => (names.match(/../g) ?? []).map((card) => `${card[0]} of ${suitName(card[1])}`).join(", ");
