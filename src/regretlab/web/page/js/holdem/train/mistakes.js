// The decisions that were mistakes, the dearest first; each leads to its place in the explorer.

import { element } from "../../dom.js";
import { count, percent } from "../../format.js";
import { cardNodes, chips } from "../explore/words.js";

/** @param {HTMLElement} box @param {any} view @param {(line: string, hand: string) => void} walk */
export function showMistakes(box, { mistakes, account }, walk) {
  const title = element("h3", {}, "Mistakes");
  if (!mistakes.length) {
    const none = account.decisions ? "None so far: what your decisions have cost is within what the solution is exact to, or it does the same." : "None so far.";
    box.replaceChildren(title, element("p", { class: "soft" }, none));
    return;
  }
  const heads = ["Hand", "Where", "You, best", "Cost"].map((word, place) => element("th", { scope: "col", class: place === 3 ? "number" : "" }, word));
  const rows = mistakes.map((mistake) => row(mistake, walk));
  const more = account.mistakes > mistakes.length ? [element("p", { class: "soft small" }, `The dearest ${count(mistakes.length)} of ${count(account.mistakes)}.`)] : [];
  box.replaceChildren(title, element("div", { class: "scroll listing", tabindex: "0", role: "group", "aria-label": "List of mistakes" },
    element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows))), ...more);
}

function row({ number, line, hand, action, best, loss, loss_of_pot: part }, walk) {
  const there = line.length ? line.join(", ") : "the beginning";
  const link = element("button", { type: "button", class: "link", title: "Show this place in the explorer", onclick: () => walk(line.join(", "), hand) }, there);
  return element("tr", {}, element("th", { scope: "row" }, ...cardNodes(hand), element("small", {}, ` no. ${count(number)}`)), element("td", {}, link),
    element("td", {}, `${action}, `, element("b", {}, best)), element("td", { class: "number" }, chips(loss), element("small", {}, percent(part))));
}
