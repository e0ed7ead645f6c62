// Plays a solved spot against its solution. The server deals, plays and judges; a table is its seed and what was done at it.

import { ask } from "../../api.js";
import { element, find, set, write } from "../../dom.js";
import { addShortcuts } from "../../keys.js";
import { attempt, sentence } from "../../site.js";
import { Account } from "./account.js";
import { Felt } from "./felt.js";
import { showJudged } from "./judged.js";
import { remember, remembered } from "./memory.js";
import { showMistakes } from "./mistakes.js";

const SEATS = { oop: "Out of position", ip: "In position", alternate: "In turns" };
const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"; // an action by its place
const NEXT = "."; // the next hand
const MOST_SEED = 2 ** 32;

/** @type {Map<HTMLElement, Training>} */
const trainings = new Map();

/**
 * Offers a table at a solve; to be called again whenever that has news.
 * @param {HTMLElement} section
 * @param {{id: string, state: string, iteration: number}} solve
 * @param {{table: string, changed: (table: string) => void, walk: (line: string, hand: string) => void}} links the table of the address, and
 * who is told of another one, and of a place and a hand to explore
 */
export function train(section, solve, links) {
  const known = trainings.get(section) ?? new Training(section, links);
  trainings.set(section, known);
  known.offer(solve);
}

class Training {
  constructor(section, links) {
    Object.assign(this, { section, links, solve: undefined, table: fromAddress(links.table), view: undefined, busy: false });
    this.build();
    addShortcuts([
      { keys: ["t"], words: "to the training table; there f, x, c, 1 … act, and n is the next hand", act: () => this.goTo() },
    ]);
    section.addEventListener("keydown", (event) => this.press(event));
  }

  build() {
    const seats = Object.entries(SEATS).map(([value, words]) =>
      element("label", {}, element("input", { type: "radio", name: "seats", value, checked: value === "alternate" }), element("span", {}, words)));
    this.seats = element("fieldset", { class: "segmented" }, element("legend", {}, "Your seat"), ...seats);
    this.blind = element("input", { id: "big-blind", name: "big_blind", size: 6, inputmode: "decimal", placeholder: "usual" });
    this.button = element("button", { class: "button primary" }, "Deal the first hand");
    const hint = "The big blind is what losses are measured in, in bb per 100 hands. Left empty, both began the hand with 100 of them.";
    this.form = element("form", { class: "row sit", autocomplete: "off", "aria-label": "Table" }, this.seats,
      element("p", { class: "field", title: hint }, element("label", { for: "big-blind" }, "Big blind, in chips"), this.blind), this.button);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.play({ seats: find("input:checked", this.seats).value, seed: Math.floor(Math.random() * MOST_SEED), record: "", big_blind: this.blind.value.trim() }, true);
    });
    this.blind.addEventListener("change", () => this.view && this.play({ ...this.table, big_blind: this.blind.value.trim() }, false));
    this.wait = element("p", { class: "note", hidden: true }, "This spot is still being solved. Pause it, or wait, and then play against it.");
    this.said = element("p", { class: "note", hidden: true, role: "status" });
    this.felt = new Felt({ act: (choice) => this.act(choice), next: () => this.next() });
    this.judged = element("div", { class: "judged-moves", "aria-live": "polite" });
    this.account = new Account();
    this.mistakes = element("section", { class: "card mistakes", "aria-label": "Mistakes" });
    this.body = element("div", { class: "training", hidden: true },
      element("div", { class: "stack" }, this.felt.box, this.judged), element("div", { class: "stack" }, this.account.box, this.mistakes));
    const lead = "Play this spot against the solution, hand after hand. After each decision you see what the solution does with your hand and what yours cost.";
    this.section.append(element("p", { class: "soft" }, lead), this.form, this.wait, this.said, this.body);
  }

  /** The solve that one plays against, as it stands. */
  offer(solve) {
    const rests = !["solving", "waiting", "failed"].includes(solve.state);
    set(this.wait, "hidden", rests);
    set(this.button, "disabled", !rests);
    if (!rests || (solve.id === this.solve?.id && solve.iteration === this.solve.iteration)) return;
    const before = this.solve;
    this.solve = solve;
    if (!this.table) return;
    const record = remembered(solve.id, this.table, !before) ?? "";
    attempt(() => this.load({ ...this.table, record }, false));
  }

  /** Asks for a table after what its record says. One thing at a time; sent twice, it is done once. */
  async play(table, focus) {
    if (this.busy || !this.solve) return;
    this.busy = true;
    await attempt(() => this.load(table, focus));
    this.busy = false;
  }

  async load(table, focus) {
    const { solve } = this;
    const view = await ask(`api/holdem/solves/${solve.id}/train`, { ...table, big_blind: table.big_blind || undefined });
    if (solve !== this.solve) return; // another one has been chosen meanwhile
    this.table = { ...table, record: view.record };
    remember(solve.id, this.table);
    this.links.changed(inAddress(this.table));
    this.show(view, focus);
  }

  show(view, focus) {
    this.view = view;
    set(this.body, "hidden", false);
    set(this.said, "hidden", !view.said);
    write(this.said, view.said ? sentence(view.said) : "");
    write(this.button, "New table");
    find(`[value=${view.seats}]`, this.seats).checked = true;
    if (document.activeElement !== this.blind) this.blind.value = String(view.big_blind);
    this.felt.show(view);
    showJudged(this.judged, view);
    this.account.show(view);
    showMistakes(this.mistakes, view, this.links.walk);
    if (focus) this.felt.focus();
  }

  act(choice) {
    this.play({ ...this.table, record: this.view.record + LETTERS[choice] }, true);
  }

  next() {
    this.play({ ...this.table, record: this.view.record + NEXT }, true);
  }

  /** The keys of the explorer, while one is at the table. @param {KeyboardEvent} event */
  press(event) {
    if (!this.view || event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input:not([type=radio])")) return;
    const { hand } = this.view;
    const choice = hand.actions.findIndex(({ key }) => key === event.key);
    if (event.key === "n" && hand.over) this.next();
    else if (choice >= 0) this.act(choice);
    else return;
    event.preventDefault();
  }

  goTo() {
    this.section.scrollIntoView({ block: "start" });
    if (this.view) this.felt.focus();
    else this.button.focus();
  }
}

// A table in an address: who sits where, the seed of its cards, the big blind.

const inAddress = ({ seats, seed, big_blind }) => [seats, seed, big_blind].filter(Boolean).join("-");

function fromAddress(text) {
  const [seats, seed, big_blind = ""] = (text ?? "").split("-");
  if (!(seats in SEATS) || !/^\d+$/.test(seed ?? "")) return undefined;
  return { seats, seed: Number(seed), big_blind, record: "" };
}
