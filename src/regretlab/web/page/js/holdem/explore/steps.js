// The line of steps: what each player could have done, what was chosen, and where one stands.

import { element } from "../../dom.js";
import { cardNodes, chips, SHORT, share, suitName, swatch } from "./words.js";

const STREETS = { 3: "Flop", 4: "Turn", 5: "River" };
const ENDS = { fold: "The hand is over.", showdown: "Both show their hands.", cards: "All chips are in: the cards decide." };

/**
 * Draws the line anew.
 * @param {HTMLElement} list
 * @param {{columns: any[], trail: string[], at: number, startBoard: string}} walk
 * @param {{go: (at: number) => void, choose: (at: number, word: string) => void, expect: (at: number, word: string) => void}} on
 */
export function drawSteps(list, { columns, trail, at, startBoard }, on) {
  const focused = list.contains(document.activeElement) ? document.activeElement.dataset.step : undefined;
  let cards = startBoard.length / 2;
  const items = columns.map((column, place) => {
    if (column.kind === "card") cards += 1;
    const current = place === at;
    const inside = { decision, card, end }[column.kind](column, place, trail[place], cards, on);
    return element("li", { class: `step ${column.kind}`, "aria-current": current && "step", "data-later": place > at }, ...inside);
  });
  const root = element("li", { class: "step start" }, element("span", { class: "step-head" }, STREETS[startBoard.length / 2]),
    element("span", { class: "step-cards" }, ...cardNodes(startBoard)));
  list.replaceChildren(root, ...items);
  if (focused) list.querySelector(`[data-step="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  const here = items[at];
  if (here) list.scrollTo({ left: here.offsetLeft - list.clientWidth + here.offsetWidth + 24 });
}

function decision({ player, actions, pot }, place, chosen, _cards, on) {
  const head = element("button", { class: `step-head player-${player + 1}`, type: "button", "data-step": `${place}`,
    onclick: () => on.go(place), "aria-label": `Go to step ${place + 1}: ${SHORT[player]} to act` },
  element("b", {}, SHORT[player]), pot === undefined ? "" : element("small", {}, `pot ${pot}`));
  const buttons = actions.map((action, a) =>
    element("button", { class: "act", type: "button", "aria-pressed": String(action.name === chosen), "data-step": `${place} ${action.name}`,
      onclick: () => on.choose(place, action.name), onpointerenter: () => on.expect(place, action.name), onfocus: () => on.expect(place, action.name) },
    swatch(a, actions), element("span", {}, action.name),
    action.frequency === undefined ? "" : element("small", {}, share(action.frequency))));
  return [head, element("div", { class: "acts" }, ...buttons)];
}

function card(_column, place, chosen, cards, on) {
  const head = element("button", { class: "step-head", type: "button", "data-step": `${place}`, onclick: () => on.go(place),
    "aria-label": `Go to the cards of the ${STREETS[cards].toLowerCase()}${chosen ? `; chosen: ${chosen[0]} of ${suitName(chosen[1])}` : ""}` },
  element("b", {}, STREETS[cards]));
  return [head, chosen ? element("span", { class: "step-cards" }, ...cardNodes(chosen)) : element("small", {}, "choose a card")];
}

function end({ how, winner, pot }) {
  const words = winner === null ? ENDS[how] : `${SHORT[winner]} gets the pot.`;
  return [element("span", { class: "step-head" }, element("b", {}, "End")), element("small", {}, `${words} Pot ${chips(pot).replace(/\.00$/, "")}.`)];
}
