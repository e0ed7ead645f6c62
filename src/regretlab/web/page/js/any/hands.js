// The hands at a public history, one row each: regrets, what is played now, the average.

import { element, find, set, style, write } from "../dom.js";
import { count, percent, regret, size } from "../format.js";
import { wayTo } from "./outline.js";

/** @typedef {import("./types.js").Frame} Frame @typedef {import("./types.js").Game} Game */

const COLOURS = 8;

export class Hands {
  /** @param {Game} game @param {(label: string) => void} choose */
  constructor(game, choose) {
    Object.assign(this, { game, choose, rows: [], place: find("#hands") });
    this.infosets = new Map(game.infosets.map((infoset) => [infoset.label, infoset]));
  }

  /** Rows for the hands at some nodes, with one legend for the actions there. @param {number[]} nodes */
  fill(nodes) {
    const { nodes: all, players, one_shot } = this.game;
    const sets = nodes.flatMap((node) => all[node].infosets.map((label) => this.infosets.get(label)));
    const way = wayTo(this.game, nodes[0]);
    const { player } = all[nodes[0]];
    const title = one_shot ? "What both know" : `${players[player]}, ${way ? `after ${way}` : "first to act"}`;
    write(find("#hands-title"), title);
    find("#hands-title").className = one_shot ? "" : `player-${player + 1}`;
    this.rows = sets.map((infoset) => this.row(infoset));
    this.place.replaceChildren(...this.rows.map(({ article }) => article));
    const actions = [...new Set(sets.flatMap(({ actions }) => actions))];
    const keys = one_shot && sets.some((each) => each.actions.join() !== sets[0].actions.join()) ? [] : actions;
    const legend = keys.map((action, number) => element("li", {}, element("i", { class: `key action-${number % COLOURS}` }), action));
    find("#hands-legend").replaceChildren(...legend);
  }

  row({ label, words, actions, player }) {
    const button = element("button", { type: "button", onclick: () => this.choose(label) }, label);
    const regrets = actions.map((action, number) => {
      const bar = element("span", { class: "regret-bar" });
      const text = element("span", { class: "number" });
      return { bar, text, line: element("div", { class: `line action-${number % COLOURS}` }, element("span", {}, action), bar, text) };
    });
    const [now, average] = ["now", "average"].map((name) => strip(name, actions));
    if (this.game.one_shot) write(button, this.game.players[player]);
    const head = element("h3", {}, button, element("span", { class: "soft" }, words === label ? "" : words));
    const told = element("div", { class: "regrets", role: "group", "aria-label": "Regrets" }, ...regrets.map(({ line }) => line));
    const article = element("article", { class: "held", "data-player": player + 1 }, head, told, now.node, average.node);
    return { label, article, button, regrets, now, average };
  }

  /** @param {Frame} frame @param {string} chosen */
  show(frame, chosen) {
    const largest = Math.max(...this.rows.flatMap(({ label }) => frame.regrets[label].map(Math.abs)));
    for (const { label, article, button, regrets, now, average } of this.rows) {
      frame.regrets[label].forEach((value, number) => {
        style(regrets[number].bar, "--length", (Math.abs(value) / (largest || 1)).toFixed(3));
        regrets[number].bar.classList.toggle("below", value < 0);
        write(regrets[number].text, regret(value));
      });
      fillStrip(now, frame.current[label]);
      fillStrip(average, frame.average[label]);
      article.classList.toggle("chosen", label === chosen);
      set(button, "aria-pressed", String(label === chosen));
    }
    const scale = largest ? `A full regret bar is ${size(largest)} chips.` : "";
    write(find("#hands-where"), `Choose ${this.game.one_shot ? "a player" : "a hand"} to see the arithmetic. ${scale}`);
  }
}

/** A strategy as one bar in parts. @param {string} name @param {string[]} actions */
function strip(name, actions) {
  const parts = actions.map((_, number) => element("i", { class: `action-${number % COLOURS}` }));
  const track = element("span", { class: "strip" }, ...parts);
  const node = element("div", { class: `played ${name}`, role: "img" }, element("span", { class: "soft small" }, name), track);
  return { node, parts, actions, name };
}

function fillStrip({ node, parts, actions, name }, probabilities) {
  const told = actions.map((action, number) => `${action} ${percent(probabilities[number])}`).join(", ");
  set(node, "aria-label", `${name}: ${told}`);
  set(node, "title", told);
  parts.forEach((part, number) => {
    style(part, "--share", probabilities[number].toFixed(4));
    write(part, probabilities[number] >= WIDE_ENOUGH ? `${count(100 * probabilities[number])} %` : "");
  });
}

const WIDE_ENOUGH = 0.3; // for its number to stand in it
