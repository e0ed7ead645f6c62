// All cards that may come next, a row for each suit, coloured by what player 0 expects after each.

import { element } from "../../dom.js";
import { heat } from "./grid.js";
import { chips, share, SHORT, suitName, suits, suitSign } from "./words.js";

const RANKS = "AKQJT98765432";

let coloured = "ev"; // what people have chosen to see

/** What cards can be coloured by: what player 0 expects, its equity, and how often it then takes each action. */
function measures(cards) {
  const often = cards[0].actions.map(({ name }, a) => [name, { name, of: ({ frequencies }) => frequencies[a], write: share, more: `more often ${SHORT[0]} plays ${name}` }]);
  return {
    ev: { name: "EV", of: ({ evs }) => evs[0], write: chips, more: `more ${SHORT[0]} expects` },
    equity: { name: "Equity", of: ({ equities }) => equities[0], write: share, more: `more equity ${SHORT[0]} has` },
    ...Object.fromEntries(often),
  };
}

/**
 * @param {HTMLElement} box
 * @param {any} place what the server said
 * @param {(card: string) => void} choose
 */
export function showCards(box, place, choose) {
  const { cards, pot } = place;
  const known = new Map(cards.map((card) => [card.card, card]));
  const offered = measures(cards);
  const by = offered[coloured] ? coloured : "ev";
  const { of, write } = offered[by];
  const found = cards.map(of).filter((number) => number !== null);
  const [low, high] = [Math.min(...found), Math.max(...found)];
  const detail = element("div", { class: "card-detail", role: "status" });
  const field = (rank, suit) => {
    const card = known.get(rank + suit);
    if (!card) return element("td", { class: "gone" }, rank, element("span", { class: "visually-hidden" }, ` of ${suitName(suit)} is on the board`));
    const tell = () => detail.replaceChildren(...numbers(card));
    const button = element("button", { type: "button", "data-card": card.card, "data-suit": suit, onclick: () => choose(card.card), onfocus: tell, onpointerenter: tell,
      "aria-label": `${rank} of ${suitName(suit)}: EV ${chips(card.evs[0])}, equity ${share(card.equities[0])}` },
    element("b", {}, rank, suitSign(suit)), element("small", {}, write(of(card))));
    button.style.setProperty("--fill", heat(of(card) === null ? 0 : (of(card) - low) / (high - low || 1)));
    return element("td", {}, button);
  };
  const rows = suits.map((suit) => element("tr", {}, ...[...RANKS].map((rank) => field(rank, suit))));
  const scale = `The fuller the colour, the ${offered[by].more}: from ${write(low)} to ${write(high)}${by === "ev" ? ` chips of the pot of ${pot}` : ""}.`;
  const change = (value) => {
    coloured = value;
    showCards(box, place, choose);
    box.querySelector(`[name=coloured][value="${CSS.escape(value)}"]`)?.focus();
  };
  const choices = Object.entries(offered).map(([value, { name }]) => element("label", {},
    element("input", { type: "radio", name: "coloured", value, checked: value === by, onchange: () => change(value) }), element("span", {}, name)));
  detail.append(element("p", { class: "soft small" }, "Point at a card to see its numbers; choose it to go on."));
  box.replaceChildren(
    element("h3", {}, "Which card comes?"),
    element("fieldset", { class: "segmented" }, element("legend", {}, `Coloured by what ${SHORT[0]} has then`), ...choices),
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
