// The bot's brain: each information set as a card with its regrets, what it plays now, its average, the equilibria.

import { all, element, find, set, style, write } from "../dom.js";
import { percent, regret } from "../format.js";

/** @typedef {import("./source.js").Frame} Frame @typedef {import("./source.js").Game} Game */

export class Brain {
  /** @param {Game} game @param {string} kept what is shown for each action @param {(label: string) => void} choose */
  constructor(game, kept, choose) {
    this.cards = new Map();
    for (const article of all("#infosets .info")) {
      const infoset = game.infosets.find(({ label }) => label === article.dataset.label);
      set(article, "data-player", infoset.player + 1);
      this.cards.set(infoset.label, fill(article, infoset, game.nash[infoset.label], kept));
      find("button", article).onclick = () => choose(infoset.label);
    }
  }

  /** @param {Frame} frame @param {string} chosen */
  show(frame, chosen) {
    for (const [label, card] of this.cards) {
      card.article.classList.toggle("chosen", label === chosen);
      set(find("button", card.article), "aria-pressed", String(label === chosen));
      showRegrets(card, frame.regrets[label]);
      // The second action is the one that puts chips in: a bet or a call.
      showShare(card.now, frame.current[label][1]);
      showShare(card.average, frame.average[label][1]);
    }
  }
}

/** Bars from the middle, as long as the largest regret of the card allows. */
function showRegrets(card, regrets) {
  const largest = Math.max(...regrets.map(Math.abs), Number.MIN_VALUE);
  regrets.forEach((value, number) => {
    const { bar, text } = card.regrets[number];
    style(bar, "--length", (Math.abs(value) / largest).toFixed(3));
    bar.classList.toggle("below", value < 0);
    write(text, regret(value));
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
