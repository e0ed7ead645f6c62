// Two solves of a spot beside each other at the same decision: frequencies, what both players expect, and every field.

import { ask } from "../../api.js";
import { element, find, set, style, write } from "../../dom.js";
import { signed } from "../../format.js";
import { sentence } from "../../site.js";
import { fillGrid, makeGrid } from "../explore/grid.js";
import { bar } from "../explore/summary.js";
import { chips, fieldName, PLAYERS, SHORT, share, swatch } from "../explore/words.js";

const CALM = 1500; // milliseconds between two looks while one of them is still being solved
const POINT = 100;

export class Comparison {
  /** @param {HTMLElement} box @param {(id: string) => void} beside is told which solve is compared with */
  constructor(box, beside) {
    Object.assign(this, { box, beside, asked: 0, player: 0, of: 0, looked: 0 });
    this.select = find("select", box);
    this.select.addEventListener("change", () => {
      beside(this.select.value);
      this.load();
    });
    this.body = find("#compared", box);
    this.build();
  }

  build() {
    this.wrong = element("p", { class: "wrong", hidden: true });
    this.whole = element("div");
    this.whose = element("fieldset", { class: "segmented" });
    this.what = element("fieldset", { class: "segmented" });
    this.grids = ["before", "after", "change"].map((name) => [name, makeGrid((place, pinned) => this.look(place, pinned))]);
    this.titles = { before: element("h4"), after: element("h4"), change: element("h4") };
    this.told = element("p", { class: "small compare-told", role: "status" });
    const sides = this.grids.map(([name, { table }]) => element("div", { class: "compare-side" }, this.titles[name], table));
    this.shown = element("div", { class: "stack", hidden: true }, this.whole, element("div", { class: "row" }, this.whose, this.what),
      element("div", { class: "compare-grids" }, ...sides), this.told);
    this.body.replaceChildren(this.wrong, this.shown);
  }

  /** Which solves there are to compare with the one that is explored. */
  show(solve, solves) {
    this.solve = solve?.id;
    const others = solves.filter((other) => other !== solve && other.told.iteration);
    set(this.box, "hidden", !others.length);
    const options = JSON.stringify(others.map(({ id, name }) => [id, name]));
    if (options !== this.options) {
      this.options = options;
      const chosen = this.wanted ?? this.select.value;
      this.select.replaceChildren(element("option", { value: "" }, "nothing"), ...others.map(({ id, name }) => element("option", { value: id }, name)));
      this.select.value = others.some(({ id }) => id === chosen) ? chosen : "";
    }
    const other = others.find(({ id }) => id === this.select.value);
    this.names = [other?.name, solve?.name];
    const state = JSON.stringify([solve?.id, solve?.told.iteration, other?.id, other?.told.iteration]);
    if (state === this.state) return;
    this.state = state;
    clearTimeout(this.again);
    const busy = [solve, other].some((each) => each?.told.state === "solving");
    this.again = setTimeout(() => this.load(), busy ? Math.max(0, this.looked + CALM - performance.now()) : 0);
  }

  /** Compare with this solve, as soon as it is there. @param {string | undefined} id */
  choose(id) {
    this.wanted = id;
    this.options = undefined;
  }

  come(place) {
    this.place = place;
    this.load();
  }

  async load() {
    const asked = ++this.asked;
    const other = this.select.value;
    if (this.place?.solve !== this.solve) return set(this.shown, "hidden", true); // one has not come to the new solve yet
    this.looked = performance.now();
    if (!other || this.place?.node.kind !== "decision") {
      set(this.shown, "hidden", true);
      return this.complain(other ? "Go to a decision to compare the two solves there" : "");
    }
    try {
      const found = await ask(`api/holdem/solves/${this.place.solve}/compare?with=${encodeURIComponent(other)}&line=${encodeURIComponent(this.place.line)}${this.place.filter.query}`);
      if (asked !== this.asked) return;
      this.complain("");
      this.take(found);
    } catch (problem) {
      if (asked !== this.asked) return;
      set(this.shown, "hidden", true);
      this.complain(problem.message);
    }
  }

  complain(words) {
    set(this.wrong, "hidden", !words);
    write(this.wrong, words ? sentence(words) : "");
  }

  take(found) {
    const other = JSON.stringify([found.line, found.actions]) !== JSON.stringify([this.found?.line, this.found?.actions]);
    this.found = found;
    if (other) Object.assign(this, { player: found.player, of: this.most(found) });
    set(this.shown, "hidden", false);
    this.drawWhole();
    this.drawChoices();
    this.drawGrids();
  }

  /** The action whose frequency has changed most. */
  most({ change }) {
    const sizes = change.frequencies.map((number) => Math.abs(number ?? 0));
    return sizes.indexOf(Math.max(...sizes));
  }

  // -- the whole range

  drawWhole() {
    const { found, names } = this;
    const { actions } = found;
    const heads = [...actions.map((action, a) => [swatch(a, actions), ` ${action.name}`]), ...SHORT.map((name) => [`EV ${name}`]), ...SHORT.map((name) => [`% of pot ${name}`])];
    const cells = ({ frequencies, evs, evs_of_pot: parts }, often, worth) =>
      [...frequencies.map(often), ...evs.map(worth), ...parts.map(often)].map((text) => element("td", { class: "number" }, text));
    const row = (name, numbers, often, worth) => element("tr", {}, element("th", { scope: "row" }, name), ...cells(numbers, often, worth));
    const rows = [
      row(`Before: ${names[0]}`, found.before, share, chips),
      row(`After: ${names[1]}`, found.after, share, chips),
      row("Change", found.change, points, worth),
    ];
    this.whole.replaceChildren(
      element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Frequencies and EVs before and after" }, element("table", { class: "compare-whole" },
        element("caption", { class: "visually-hidden" }, "Changes are in points, and of EVs in chips."),
        element("thead", {}, element("tr", {}, element("td"), ...heads.map((head) => element("th", { scope: "col", class: "number" }, ...head)))),
        element("tbody", {}, ...rows))),
      element("div", { class: "compare-bars" }, ...["before", "after"].flatMap((when) =>
        [element("span", { class: "small soft" }, when), bar(found[when].frequencies, actions, `${when}, all hands`)])));
  }

  // -- field by field

  drawChoices() {
    const { found } = this;
    const acts = this.player === found.player;
    if (!acts) this.of = "ev";
    radios(this.whose, "compare-who", "Whose hands", { [found.player]: `${SHORT[found.player]}, who acts`, [1 - found.player]: SHORT[1 - found.player] }, String(this.player), (value) => {
      Object.assign(this, { player: Number(value), of: Number(value) === found.player ? this.most(found) : "ev" });
      this.drawChoices();
      this.drawGrids();
    });
    const offered = { ...(acts && Object.fromEntries(found.actions.map(({ name }, a) => [a, name]))), ev: "EV", left: "reach" };
    radios(this.what, "compare-what", "The change of", offered, String(this.of), (value) => {
      this.of = value === "ev" || value === "left" ? value : Number(value);
      this.drawGrids();
    });
  }

  drawGrids() {
    const { found, player, of, names } = this;
    const view = of === "ev" || of === "left" ? of : "strategy";
    const [[, before], [, after], [, change]] = this.grids;
    write(this.titles.before, `Before: ${names[0]}`);
    write(this.titles.after, `After: ${names[1]}`);
    write(this.titles.change, `Change of ${view === "strategy" ? `${found.actions[of].name}, in points` : view === "ev" ? "EV, in chips" : "reach, in points"}`);
    fillGrid(before, found.before.sides[player], found.actions, view, `Before, ${PLAYERS[player]}`);
    fillGrid(after, found.after.sides[player], found.actions, view, `After, ${PLAYERS[player]}`);
    const numbers = found.changes[player].map((field) => (field ? (view === "strategy" ? field.mix?.[of] ?? null : field[view]) : undefined));
    const most = view === "ev" ? Math.max(...numbers.map((number) => Math.abs(number ?? 0))) || 1 : 1;
    set(change.table, "aria-label", `${this.titles.change.textContent}, ${PLAYERS[player]}`);
    change.cells.forEach((cell, place) => fillChange(cell, place, numbers[place], most, view));
    this.look(null);
  }

  look(place) {
    if (Number.isNaN(place)) return;
    if (place === null) return void write(this.told, "Point at a field, or tap it, to read it before and after.");
    const { found, player } = this;
    const said = ["before", "after"].map((when) => `${when}: ${fieldWords(found[when].sides[player].grid[place], found.actions)}`);
    write(this.told, `${fieldName(place)}. ${said.join("; ")}.`);
  }
}

const points = (number) => (number === null ? "–" : signed(POINT * number, 1));
const worth = (number) => (number === null ? "–" : signed(number, 2));

/** A field of the grid of changes: orange for more, blue for less, and the number. */
function fillChange(cell, place, number, most, view) {
  const known = number !== null && number !== undefined;
  set(cell, "class", known ? "" : "none");
  style(cell, "--left", "100%");
  const colour = `color-mix(in oklab, var(--heat-low), var(--${number > 0 ? "more" : "less"}) ${(100 * Math.abs((number ?? 0) / most)).toFixed(1)}%)`;
  style(cell, "--fill", known ? `linear-gradient(${colour}, ${colour})` : "none");
  const text = known ? (view === "ev" ? signed(number, 1) : signed(POINT * number, 0)) : "";
  write(cell.lastChild, text);
  set(cell, "aria-label", `${fieldName(place)}: ${known ? `${view === "ev" ? worth(number) : `${points(number)} points`}` : number === null ? "never gets here" : "not in both ranges"}`);
}

function fieldWords(field, actions) {
  if (!field) return "not in the range";
  if (field.ev === null) return "never gets here";
  const mix = field.mix ? `${field.mix.map((part, a) => `${actions[a].name} ${share(part)}`).join(", ")}, ` : "";
  return `${mix}EV ${chips(field.ev)}`;
}

function radios(box, name, legend, options, chosen, change) {
  const state = JSON.stringify([options, chosen]);
  if (box.dataset.state === state) return;
  box.dataset.state = state;
  const focused = box.contains(document.activeElement);
  box.replaceChildren(element("legend", {}, legend), ...Object.entries(options).map(([value, text]) =>
    element("label", {}, element("input", { type: "radio", name, value, checked: value === chosen, onchange: () => change(value) }), element("span", {}, text))));
  if (focused) find("input:checked", box).focus();
}
