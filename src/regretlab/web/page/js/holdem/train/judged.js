// After a decision: what the solution does with the hand, what every action is worth, and what the one that was taken cost.

import { element } from "../../dom.js";
import { percent, signed, size } from "../../format.js";
import { cardNodes, chips, paint, share, SHORT, swatch } from "../explore/words.js";

const NOTHING = "0.00"; // chips as they are shown

/** @param {HTMLElement} box @param {any} view */
export function showJudged(box, { hand, exact, exact_of_pot: part }) {
  const made = hand.decisions.map((decision) => judged(decision, exact)).reverse();
  const end = hand.over ? [sum(hand), ...habits(hand)] : [];
  const grain = element("p", { class: "soft small" }, `Worth: the chips that the hand wins from here on if you play best afterwards, against this solution. It is exact to ${size(100 * part, 2)} % of the pot (${size(exact, 2)} chips); less is no mistake, and neither is what the solution does with 10 % or more.`);
  const empty = element("p", { class: "soft small" }, "What your decision was worth will stand here.");
  box.replaceChildren(...made, ...(made.length ? [grain] : end.length ? [] : [empty]), ...end);
}

function judged({ line, hand, action, best, options, loss, loss_of_pot: part, mistake }, exact) {
  const cost = `${chips(loss)} chips, ${percent(part)} of the pot`;
  const taken = options.find((option) => option.action === action);
  const words = mistake ? `It cost ${cost}: ${best} is worth more.`
    : action === best || chips(loss) === NOTHING ? "Nothing is worth more."
    : loss <= exact ? `No mistake: it cost ${cost}, which is within what the solution is exact to.`
    : `No mistake, though it cost ${cost}: the solution does it with ${share(taken.chance)}.`;
  const rows = options.map((option, a) => row(option, a, options, { action, best }));
  return element("section", { class: "card judged-move", "data-verdict": mistake ? "bad" : "good", "aria-label": `Your decision: ${action}` },
    element("h3", {}, ...cardNodes(hand), ` You ${action}`, element("small", {}, line.length ? `after ${line.join(", ")}` : "at the beginning")),
    element("p", { class: "verdict" }, words),
    table(["Action", "Solution", "Worth", "Costs"], rows));
}

function row({ action, chance, worth, cost }, a, options, taken) {
  const marks = [action === taken.action && "you", action === taken.best && "best"].filter(Boolean).join(", ");
  const name = element("th", { scope: "row" }, element("span", { class: "named" }, swatch(a, options), action), marks ? element("small", { class: "mark" }, marks) : "");
  return element("tr", { class: action === taken.action ? "taken" : "" }, name,
    element("td", { class: "number" }, often(chance, a, options)), number(chips(worth)), number(chips(cost)));
}

/** A frequency, and a bar of it. */
function often(chance, a, options) {
  const bar = element("span", { class: "often", "aria-hidden": "true" }, element("span", {}));
  bar.firstChild.style.width = `${(100 * chance).toFixed(1)}%`;
  paint(bar.firstChild, a, options);
  return element("span", {}, share(chance), bar);
}

const number = (text) => element("td", { class: "number" }, text);

function table(heads, rows) {
  const cells = heads.map((word, place) => element("th", { scope: "col", class: place ? "number" : "" }, word));
  return element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "What actions are worth" }, element("table", {}, element("thead", {}, element("tr", {}, ...cells)), element("tbody", {}, ...rows)));
}

const LUCK = { deal: "the cards you were dealt", cards: "the cards that were turned up", choices: "what the solution chose", showdown: "what was shown in the end" };

/** Where the result of the hand comes from. */
function sum({ expected, loss, luck_parts: parts, result }) {
  const rows = [["Best play from this seat", expected], ["Your decisions", -loss],
    ...Object.entries(parts).filter(([, luck]) => signed(luck, 2) !== NOTHING).map(([part, luck]) => [`Luck: ${LUCK[part]}`, luck])];
  const body = rows.map(([words, chips]) => element("tr", {}, element("th", { scope: "row" }, words), number(signed(chips, 2))));
  const total = element("tr", { class: "total" }, element("th", { scope: "row" }, "Result, chips"), number(signed(result, 2)));
  return element("section", { class: "card where-from", "aria-label": "Where the result comes from" }, element("h3", {}, "Where the result comes from"),
    element("table", {}, element("tbody", {}, ...body, total)));
}

/** What the solution does with the other hand, now that it is shown. */
function habits({ habits: done, other, seat }) {
  if (!done.length) return [];
  const told = done.map(({ line, action, mix }) =>
    element("li", {}, `${line.length ? `After ${line.join(", ")}` : "At the beginning"}: ${mix.map(({ name, chance }) => `${name} ${share(chance)}`).join(", ")}. `, element("b", {}, `It drew ${action}.`)));
  return [element("section", { class: "card habits", "aria-label": "The other hand" }, element("h3", {}, `What ${SHORT[1 - seat]} does with `, ...cardNodes(other)), element("ul", {}, ...told))];
}
