// The bot's brain: each information set as a card with its regrets, what it plays now, its average, the equilibria.

import { all, element, find, set, style, write } from "../dom.js";
import { count, percent, regret } from "../format.js";

/**
 * @typedef {import("./source.js").Game} Game
 * @typedef {{regrets: Record<string, number[]>, current: Record<string, number[]>, average: Record<string, number[]>,
 *   added: Record<string, number[]>, chosen: string}} View
 *   what was added is shown in gold in place of the regrets until these take it in
 */

export class Brain {
  /**
   * @param {Game} game
   * @param {string} kept what is shown for each action: its regret
   * @param {(label: string) => void} choose
   */
  constructor(game, kept, choose) {
    this.inChips = kept === "regret"; // advantages are in a unit of their own
    this.cards = new Map();
    for (const article of all("#infosets .info")) {
      const infoset = game.infosets.find(({ label }) => label === article.dataset.label);
      set(article, "data-player", infoset.player + 1);
      this.cards.set(infoset.label, fill(article, infoset, game.nash[infoset.label], kept));
      find("button", article).onclick = () => choose(infoset.label);
    }
  }

  /** @param {View} view */
  show({ regrets, current, average, added, chosen }) {
    const scale = scaleOf(Object.values(regrets).flat());
    const full = scale.above + scale.below;
    write(find("#scale"), `${amount(full)}${this.inChips ? (full === 1 ? " chip" : " chips") : ""}`);
    style(find("#infosets"), "--zero", String(scale.below / (scale.above + scale.below)));
    for (const [label, card] of this.cards) {
      card.article.classList.toggle("chosen", label === chosen);
      set(find("button", card.article), "aria-expanded", String(label === chosen));
      showRegrets(card, regrets[label], scale, added[label]);
      // The second action is the one that puts chips in: a bet or a call.
      showShare(card.now, current[label][1]);
      showShare(card.average, average[label][1]);
    }
  }
}

/**
 * What a full bar stands for above and below 0, the same on all cards. Where nothing is below 0, no room is kept for it.
 * @param {number[]} regrets
 */
function scaleOf(regrets) {
  const [above, below] = [rounded(Math.max(0, ...regrets)), rounded(Math.max(0, ...regrets.map((regret) => -regret)))];
  return { above: above || (below ? 0 : 1), below };
}

/** 1, 2 or 5 times a power of ten, so that it seldom changes. @param {number} largest */
function rounded(largest) {
  if (!largest) return 0;
  const power = 10 ** Math.floor(Math.log10(largest));
  return [1, 2, 5, 10].map((times) => times * power).find((each) => each >= largest) ?? largest;
}

/** 0.02, 5.5, 20,500 @param {number} full */
const amount = (full) => (full < 1000 ? String(Number(full.toPrecision(3))) : count(full));

function showRegrets(card, regrets, { above, below }, added) {
  card.article.classList.toggle("learning", Boolean(added));
  regrets.forEach((value, number) => {
    const { bar, text } = card.regrets[number];
    style(bar, "--length", (Math.abs(value) / (above + below)).toFixed(3));
    bar.classList.toggle("below", value < 0);
    write(text, regret(added ? added[number] : value));
  });
}

function showShare({ track, text }, share) {
  style(track, "--share", share.toFixed(4));
  write(text, percent(share));
}

function fill(article, infoset, nash, kept) {
  const regrets = infoset.actions.map((action) => regretRow(action, kept));
  const action = infoset.actions[1];
  const { low, high } = nash[action];
  const now = shareRow("now", `${action} now`);
  const average = shareRow("average", "average");
  style(average.track, "--low", low.toFixed(4));
  style(average.track, "--high", high.toFixed(4));
  const range = low === high ? percent(low) : `${percent(low).slice(0, -2)} to ${percent(high)}`;
  const target = element("p", { class: "target" }, element("span", {}, "equilibrium"), element("b", {}, range));
  const rows = [regrets.map(({ row }) => row), [now.row, average.row, target]];
  article.replaceChildren(find("h4", article), ...rows.map((group) => element("div", {}, ...group)));
  return { article, regrets, now, average };
}

function regretRow(action, kept) {
  const bar = element("i", { class: "regret-bar", "aria-hidden": "true" });
  const text = element("b", {}, "0");
  const said = element("span", { class: "visually-hidden" }, ` ${kept} `);
  return { bar, text, row: element("p", { class: "row-regret" }, element("span", {}, action), said, bar, text) };
}

function shareRow(kind, words) {
  const track = element("i", { class: `track ${kind}`, "aria-hidden": "true" });
  const text = element("b", {}, "");
  return { track, text, row: element("p", { class: "row-share" }, element("span", {}, words), track, text) };
}
