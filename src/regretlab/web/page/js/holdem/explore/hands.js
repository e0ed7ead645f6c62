// The combinations of a field, with suits: what each does, how often, and what it is worth.

import { element } from "../../dom.js";
import { cardNodes, chips, combos, fieldName, share, swatch } from "./words.js";

/**
 * @param {HTMLElement} box
 * @param {any} node what the server said of the place
 * @param {{player: number, place: number | null}} chosen a field of a player's grid
 * @param {(hand: string) => void} explain is told when somebody wants to know why a hand does what it does
 */
export function showHands(box, node, { player, place }, explain) {
  if (place === null) {
    const hint = "Point at a field of the grid, or tap it, to see its hands with suits.";
    box.replaceChildren(element("p", { class: "soft small" }, hint));
    return;
  }
  const side = node.sides[player];
  const field = side.grid[place];
  const title = element("h3", {}, fieldName(place), " ", element("small", {}, about(field)));
  box.replaceChildren(title, ...(field ? table(node, side, field, player === node.player, explain) : []));
}

function about(field) {
  if (!field) return "not in the range";
  if (!field.combos) return field.kept ? "never gets here" : "left out by the filter";
  return `${combos(field.combos)} combinations here · EV ${chips(field.ev)} · equity ${share(field.equity)}`;
}

function table(node, side, field, acts, explain) {
  const actions = acts ? node.actions : [];
  const heads = [
    element("th", { scope: "col" }, "Hand"),
    ...actions.map((action, a) => element("th", { scope: "col", class: "number" }, swatch(a, actions), ` ${action.name}`)),
    ...["EV", "Equity", "Reach"].map((word) => element("th", { scope: "col", class: "number" }, word)),
  ];
  const rows = field.hands.map((hand) => row(node, side, hand, actions, acts && explain));
  const whole = element("table", { class: "hands" }, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
  const words = acts ? [element("p", { class: "soft small" }, `Below each frequency: the EV in chips.${explain ? " Choose a hand to see why." : ""}`)] : [];
  return [element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Hands of the field" }, whole), ...words];
}

function row(node, side, hand, actions, explain) {
  const number = (text, more) => element("td", { class: "number" }, text, more ? element("small", {}, more) : "");
  return element("tr", { class: !side.kept.hands[hand] && "dimmed" },
    element("th", { scope: "row" }, named(side.hands[hand], explain), element("small", {}, side.kinds[hand].join(", "))),
    ...actions.map((_, a) => number(share(node.strategy[hand][a]), chips(node.action_evs[hand][a]))),
    number(chips(side.ev[hand])), number(share(side.equity[hand])), number(share(side.reach[hand])));
}

/** A hand's cards; of who acts a button. */
function named(hand, explain) {
  const cards = cardNodes(hand);
  if (!explain) return element("span", {}, ...cards);
  return element("button", { class: "why-button", type: "button", title: `Why ${hand} does what it does`, onclick: () => explain(hand) }, ...cards);
}
