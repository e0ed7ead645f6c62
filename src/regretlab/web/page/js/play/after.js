// After a hand: what each decision was worth, and what the bot does with each card.

import { element, find, set } from "../dom.js";
import { fixed, percent, signed } from "../format.js";

/** @param {any} view */
export function showAfter({ hand }) {
  set(find("#after"), "hidden", !hand.over);
  if (!hand.over) return;
  const mine = hand.decisions.map(decision);
  const theirs = hand.bot.map(habit);
  find("#decisions").replaceChildren(...(mine.length ? mine : [element("p", { class: "soft" }, "You had nothing to decide.")]));
  find("#habits").replaceChildren(...(theirs.length ? theirs : [element("p", { class: "soft" }, "The bot had nothing to decide.")]));
}

const cell = (tag, text, attributes = {}) => element(tag, attributes, text);
const number = (text) => cell("td", text, { class: "number" });

function decision({ words, action, best, worth, loss, hands }) {
  const rows = Object.entries(worth).map(([name, chips]) =>
    element(
      "tr",
      { class: name === best ? "best" : "" },
      cell("th", name, { scope: "row" }),
      number(signed(chips, 4)),
      element("td", {}, mark(name, action, best)),
    ),
  );
  const held = Object.entries(hands).map(([card, chance]) => `${card} ${percent(chance)}`);
  return element(
    "div",
    { class: "judged" },
    element("h4", {}, words),
    element("p", { class: "small soft" }, `The bot might have held ${held.join(", ")}.`),
    table(["action", "expected chips", "who"], rows),
    element("p", { class: "small" }, loss > 0 ? `It lost ${fixed(loss, 4)} chips: a best response would ${best} here.` : "Nothing was lost: a best response does the same."),
  );
}

function mark(name, action, best) {
  const words = [name === action && "you", name === best && "best"].filter(Boolean).join(", ");
  return element("span", { class: name === best ? "good" : "soft" }, words);
}

function habit({ words, held, action, strategy }) {
  const actions = Object.keys(Object.values(strategy)[0]);
  const rows = Object.entries(strategy).map(([card, chances]) =>
    element(
      "tr",
      { class: card === held ? "best" : "" },
      cell("th", card === held ? `${card} (held)` : card, { scope: "row" }),
      ...actions.map((name) => share(chances[name], card === held && name === action)),
    ),
  );
  return element("div", { class: "judged" }, element("h4", {}, words), table(["card", ...actions], rows));
}

function share(chance, done) {
  const bar = element("span", { class: "bar", "aria-hidden": "true" }, element("span"));
  bar.firstChild.style.width = percent(chance).replace(" ", "");
  const taken = done ? [" ", element("span", { role: "img", "aria-label": "what it did" }, "✓")] : [];
  return element("td", { class: done ? "number done" : "number" }, percent(chance), ...taken, bar);
}

function table(head, rows) {
  const heads = head.map((word, place) => element("th", { scope: "col", class: place ? "number" : "" }, word));
  return element(
    "div",
    { class: "scroll" },
    element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)),
  );
}
