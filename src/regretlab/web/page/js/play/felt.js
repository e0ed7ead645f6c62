// The table: cards, chips, moves, and the buttons of what can be done.

import { element, find, set, write } from "../dom.js";
import { count, signed, size } from "../format.js";

const RANKS = { J: "Jack", Q: "Queen", K: "King" };
const KEYS = { check: "c", call: "c", bet: "b", fold: "f", raise: "r" };

/** @param {any} view @param {{act: (action: string) => void, next: () => void}} moves */
export function showHand({ hand, bot, milli, unit }, moves) {
  write(find("#number"), String(hand.number));
  write(find("#seat"), `you are player ${hand.seat}, ${hand.seat === 1 ? "first to act" : "second to act"}`);
  const learned = `${bot.name} after ${count(bot.iterations)} iteration${bot.iterations === 1 ? "" : "s"}`;
  write(find("#bot-about"), `The bot: ${learned}. Its exploitability is ${size(milli.exploitability)} ${unit.name}.`);
  face(find("#card"), hand.card);
  face(find("#bot-card"), hand.bot_card);
  face(find("#public"), hand.public);
  set(find("#public"), "hidden", !hand.public);
  write(find("#pot"), hand.pot);
  write(find("#paid"), `${hand.paid[0]} in`);
  write(find("#bot-paid"), `${hand.paid[1]} in`);
  find("#moves").replaceChildren(...hand.moves.map(({ who, words }) => element("li", { class: who }, words)));
  write(find("#told"), hand.over ? `${hand.told} (${signed(hand.result, 2)})` : `Your move: ${hand.words}`);
  set(find("#told"), "data-end", hand.over ? sign(hand.result) : false);
  find("#choices").replaceChildren(...(hand.over ? [nextButton(moves.next)] : hand.actions.map((choice) => button(choice, moves.act))));
}

function face(node, card) {
  write(node, card ?? "?");
  set(node, "data-card", card ?? false);
  set(node, "aria-label", card ? (RANKS[card] ?? card) : "face down");
}

const sign = (result) => (result > 0 ? "won" : result < 0 ? "lost" : "split");

function button({ action, words }, act) {
  const key = KEYS[action];
  return element(
    "button",
    { type: "button", class: "button", "data-action": action, "aria-keyshortcuts": key, onclick: () => act(action) },
    words,
    " ",
    element("kbd", { "aria-hidden": "true" }, key),
  );
}

function nextButton(next) {
  return element(
    "button",
    { type: "button", class: "button primary", "data-action": "next", "aria-keyshortcuts": "n", onclick: next },
    "Next hand ",
    element("kbd", { "aria-hidden": "true" }, "n"),
  );
}
