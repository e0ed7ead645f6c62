// All cards that may come next, a row for each suit, coloured by what player 0 expects after each.

import { element } from "../../dom.js";
import { heat } from "./grid.js";
import { chips, share, SHORT, suitName, suits, suitSign } from "./words.js";

const RANKS = "AKQJT98765432";

/**
 * @param {HTMLElement} box
 * @param {any} place what the server said
 * @param {(card: string) => void} choose
 */
export function showCards(box, { cards, pot }, choose) {
  const known = new Map(cards.map((card) => [card.card, card]));
  const evs = cards.map((card) => card.evs[0]).filter((ev) => ev !== null);
  const [low, high] = [Math.min(...evs), Math.max(...evs)];
  const detail = element("div", { class: "card-detail", role: "status" });
  const field = (rank, suit) => {
    const card = known.get(rank + suit);
    if (!card) return element("td", { class: "gone" }, rank, element("span", { class: "visually-hidden" }, ` of ${suitName(suit)} is on the board`));
    const tell = () => detail.replaceChildren(...numbers(card));
    const button = element("button", { type: "button", "data-card": card.card, "data-suit": suit, onclick: () => choose(card.card), onfocus: tell, onpointerenter: tell,
      "aria-label": `${rank} of ${suitName(suit)}: EV ${chips(card.evs[0])}, equity ${share(card.equities[0])}` },
    element("b", {}, rank, suitSign(suit)), element("small", {}, chips(card.evs[0])));
    button.style.setProperty("--fill", heat(card.evs[0] === null ? 0 : (card.evs[0] - low) / (high - low || 1)));
    return element("td", {}, button);
  };
  const rows = suits.map((suit) => element("tr", {}, ...[...RANKS].map((rank) => field(rank, suit))));
  const scale = `The fuller the colour, the more ${SHORT[0]} expects: from ${chips(low)} to ${chips(high)} chips of the pot of ${pot}.`;
  detail.append(element("p", { class: "soft small" }, "Point at a card to see its numbers; choose it to go on."));
  box.replaceChildren(
    element("h3", {}, "Which card comes?"),
    element("p", { class: "soft small" }, scale),
    element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Cards" }, element("table", { class: "card-grid" }, element("caption", { class: "visually-hidden" }, "All next cards"), element("tbody", {}, ...rows))),
    detail,
  );
}

function numbers({ card, evs, evs_of_pot: parts, equities, actions, frequencies }) {
  const does = actions.map((action, a) => `${action.name} ${share(frequencies[a])}`).join(", ");
  return [
    element("p", {}, element("b", {}, card[0], suitSign(card[1])), ` ${SHORT[0]}: ${does}.`),
    element("p", {}, [0, 1].map((p) => `${SHORT[p]} EV ${chips(evs[p])} (${share(parts[p])} of the pot), equity ${share(equities[p])}`).join("; "), "."),
  ];
}
