// Locks: what a decision is held to, which locks the spot has, and the solve with them beside the one without.

import { ask } from "../../api.js";
import { element, find, set, write } from "../../dom.js";
import { announce, attempt, sentence } from "../../site.js";
import { fieldName, PLAYERS, SHORT, share } from "../explore/words.js";
import { Comparison } from "./compare.js";
import { Sliders } from "./sliders.js";

const CARD = /^[2-9TJQKA][cdhs]$/;

export class Locks {
  /**
   * @param {HTMLElement} section
   * @param {{form: any, described: () => any, take: (fields: any) => Promise<void>, hold: (lock: any) => Promise<void>,
   *   solveAgain: () => Promise<void>, walk: (line: string) => void, beside: (id: string) => void}} links
   */
  constructor(section, links) {
    Object.assign(this, { section, links, place: undefined, which: "all" });
    this.form = find("#hold", section);
    this.sliders = new Sliders(find("#hold-sliders", section));
    this.comparison = new Comparison(find("#compare", section), links.beside);
    find("#explore").addEventListener("place", ({ detail }) => this.come(detail));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.hold();
    });
    find("#hold-which", section).addEventListener("change", ({ target }) => this.choose(target.value));
    find("#again", section).addEventListener("click", () => attempt(links.solveAgain));
    find("#take", section).addEventListener("click", () => attempt(() => links.take(this.solve.told.fields)));
  }

  /** The solve that is explored, all solves, and whether the form describes its spot but for locks. */
  show(solve, solves, same) {
    this.solve = solve;
    set(this.section, "hidden", !solve?.told.iteration || !this.place);
    set(find("#take-note", this.section), "hidden", same);
    for (const button of [find("#hold-go", this.section), find("#again", this.section)]) button.disabled = !same;
    this.comparison.show(solve, solves);
  }

  // -- the editor

  /** One has come to a place, or has chosen a field or a filter there. */
  come(place) {
    const moved = place.node !== this.place?.node || place.line !== this.place?.line;
    const fresh = place.line !== this.place?.line || place.node.player !== this.place?.node.player || place.solve !== this.place?.solve;
    this.place = place;
    set(this.section, "hidden", false);
    const acts = place.node.kind === "decision";
    set(this.form, "hidden", !acts);
    set(find("#hold-nobody", this.section), "hidden", acts);
    if (acts) this.fill(fresh, moved);
    if (moved) this.comparison.come(place);
  }

  /** @param {boolean} fresh whether it is another decision @param {boolean} news whether its numbers are others: the solve goes on */
  fill(fresh, news = false) {
    const { node, line, field, filter } = this.place;
    write(find("#hold-title", this.section), `${PLAYERS[node.player]} ${line ? `after ${line}` : "at the first decision"}`);
    const own = field.place !== null && field.player === node.player && node.sides[node.player].grid[field.place];
    const offered = {
      all: "All hands",
      ...(own && { field: fieldName(field.place) }),
      ...(filter.on && { filter: "Those that the filter keeps" }),
      letters: "Hands in letters",
    };
    if (!(this.which in offered)) this.which = "all";
    const state = JSON.stringify([offered, this.which]);
    if (state !== this.offered) {
      this.offered = state;
      find("#hold-which div", this.section).replaceChildren(...Object.entries(offered).map(([value, words]) =>
        element("label", {}, element("input", { type: "radio", name: "which", value, checked: value === this.which }), element("span", {}, words))));
    }
    set(find("#hold-anywhere", this.section).parentElement, "hidden", !line.split(", ").some((word) => CARD.test(word)));
    set(find("#hold-letters", this.section), "hidden", this.which !== "letters");
    if (fresh || (news && !this.sliders.moved)) this.start();
  }

  choose(which) {
    this.which = which;
    this.fill(false);
    this.start();
    if (which === "letters") find("#hold-hands", this.section).focus();
  }

  /** The sliders stand where the chosen hands are now. */
  start() {
    const { node, field } = this.place;
    const side = node.sides[node.player];
    const now = {
      field: () => side.grid[field.place].mix ?? node.actions.map(() => null),
      filter: () => side.kept.frequencies ?? node.actions.map(() => null),
    }[this.which]?.();
    this.sliders.show(node.actions, now ?? node.actions.map(({ frequency }) => frequency));
    this.complain("");
  }

  /** What the form says, as the server takes it. */
  order() {
    const { line, field, filter } = this.place;
    const hands = { field: () => fieldName(field.place), letters: () => find("#hold-hands", this.section).value.trim() }[this.which]?.();
    const anywhere = find("#hold-anywhere", this.section);
    return {
      line: line.split(", ").filter(Boolean),
      frequencies: this.sliders.values,
      anywhere: anywhere.checked && !anywhere.parentElement.hidden,
      ...(hands !== undefined && { hands }),
      ...(this.which === "filter" && { kinds: filter.kinds, suits: filter.suits }),
    };
  }

  async hold() {
    if (this.which === "letters" && !find("#hold-hands", this.section).value.trim()) return void this.complain("write which hands, such as QQ+, AKs, AhKd");
    try {
      const { lock, error } = await ask("api/holdem/lock", { fields: this.links.form.fields(), ...this.order() });
      this.complain(error ?? "");
      if (error) return;
      await this.links.hold(lock);
      announce("Locked. Solve again to see what changes");
    } catch (problem) {
      this.complain(problem.message);
    }
  }

  complain(words) {
    const wrong = find("#hold-wrong", this.section);
    set(wrong, "hidden", !words);
    write(wrong, words ? sentence(words) : "");
  }

  // -- the list

  /** The locks of the spot in the form. @param {any[]} locks as the server lists them */
  list(locks) {
    const list = find("#held", this.section);
    const items = locks.map((lock) => this.item(lock));
    set(find("#held-none", this.section), "hidden", locks.length > 0);
    set(find("#again", this.section), "hidden", !locks.length && !this.solve?.told.fields.lock);
    write(find("#again", this.section), locks.length ? "Solve again with these locks" : "Solve again without locks");
    list.replaceChildren(...items);
  }

  item({ key, line, player, text, hands, actions }) {
    const where = line.join(", ") || "first decision";
    const [held, all] = hands;
    const often = actions.filter(({ frequency }) => frequency).map(({ name, frequency }) => `${name} ${share(frequency)}`).join(", ");
    return element("li", {},
      element("div", {}, element("b", { class: `player-${player + 1}` }, SHORT[player]), ` ${where} `,
        element("span", { class: "soft small" }, `${held === all ? "all hands" : `${held} of ${all} hands`}: ${often}`)),
      element("code", {}, text),
      element("div", { class: "row" },
        element("button", { type: "button", class: "button small", onclick: () => this.links.walk(line.join(", ")) }, "Go there"),
        element("button", { type: "button", class: "button small", "aria-label": `Remove the lock after ${where}`, onclick: () => this.remove(key) }, "Remove")));
  }

  remove(key) {
    const { [key]: _gone, ...rest } = this.links.form.lock ?? {};
    attempt(async () => {
      await this.links.hold(rest);
      announce("The lock is removed");
      (find("#held", this.section).querySelector("button") ?? find("#hold-title", this.section)).focus();
    });
  }
}
