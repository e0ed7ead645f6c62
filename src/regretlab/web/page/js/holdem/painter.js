// A range: 13 × 13 fields to paint, and the same in letters, which are what counts. The server reads and writes the letters.

import { ask } from "../api.js";
import { element, set, style, write } from "../dom.js";
import { count, fixed } from "../format.js";

const SIDE = 13;
const RANKS = "AKQJT98765432";
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const MOST_UNDONE = 100;

/** What stands in a field of the grid. */
function fieldName(row, column) {
  const kind = row === column ? "" : row < column ? "s" : "o";
  return RANKS[Math.min(row, column)] + RANKS[Math.max(row, column)] + kind;
}

const shortPercent = (share) => `${fixed(100 * share, share * 100 === Math.round(share * 100) ? 0 : 1)} %`;

export class Painter {
  /**
   * @param {string} key "oop" or "ip" @param {string} title
   * @param {{presets: any, board: () => string, changed: () => void, wrong: (problem: any) => void}} links
   */
  constructor(key, title, links) {
    Object.assign(this, { key, links, weights: Array(SIDE * SIDE).fill(0), blocked: Array(SIDE * SIDE).fill(0), base: "", undone: [] });
    this.stroke = new Map();
    this.build(title);
    this.draw();
  }

  build(title) {
    const { key } = this;
    this.text = element("textarea", { id: key, name: key, rows: 3 });
    this.told = element("span", { class: "soft small", id: `${key}-combos` });
    this.cells = Array.from({ length: SIDE * SIDE }, (_, place) => cellAt(place));
    const rows = Array.from({ length: SIDE }, (_, row) => element("tr", {}, ...this.cells.slice(row * SIDE, row * SIDE + SIDE)));
    this.grid = element("table", { role: "grid", "aria-multiselectable": "true", "aria-label": `${title}: hands`, "aria-describedby": `${key}-combos` });
    this.grid.append(element("tbody", {}, ...rows));
    this.slider = element("input", { type: "range", id: `${key}-weight`, min: 0, max: 100, step: 5, value: 100 });
    this.brush = element("output", { for: `${key}-weight` }, "100 %");
    this.back = element("button", { type: "button", class: "button small", disabled: true, onclick: () => this.undo() }, "Undo");
    const label = element("label", { for: `${key}-weight` }, "Paint with weight");
    this.section = element(
      "section",
      { class: "card range", "aria-labelledby": `${key}-title` },
      element("div", { class: "head" }, element("h3", { id: `${key}-title` }, title), this.told),
      element("div", { class: "brush" }, label, this.slider, this.brush, this.back),
      element("div", { class: "painter" }, this.grid),
      ...this.presetRows(),
      element("p", { class: "field" }, element("label", { for: key }, "In letters"), this.text),
    );
    this.listen();
  }

  presetRows() {
    const { start, add } = this.links.presets;
    const button = (name, act) => element("button", { type: "button", class: "button", onclick: act }, name);
    const row = (word, buttons) => element("div", { class: "presets", role: "group", "aria-label": word }, element("span", {}, word), ...buttons);
    return [
      row("Begin with", start.map(({ name, text }) => button(name, () => this.begin(text)))),
      row("Add", add.map(({ name, cells }) => button(name, () => this.paintAll(cells)))),
    ];
  }

  listen() {
    const { grid } = this;
    grid.addEventListener("pointerdown", (event) => this.press(event));
    grid.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) grid.addEventListener(end, () => this.lift());
    grid.addEventListener("keydown", (event) => this.pressKey(event));
    this.slider.addEventListener("input", () => write(this.brush, `${this.slider.value} %`));
    this.text.addEventListener("focus", () => (this.before = this.text.value));
    this.text.addEventListener("change", () => this.remember(this.before));
  }

  get weight() {
    return Number(this.slider.value) / 100;
  }

  // -- painting

  press(event) {
    const place = this.placeAt(event);
    if (place < 0 || event.button > 0) return;
    event.preventDefault();
    this.grid.setPointerCapture(event.pointerId);
    this.drawing = this.weights[place] === this.weight ? 0 : this.weight;
    this.focus(place);
    this.touch(place);
  }

  drag(event) {
    if (this.drawing === undefined) return;
    for (const each of event.getCoalescedEvents?.() ?? [event]) this.touch(this.placeAt(each));
  }

  lift() {
    if (this.drawing === undefined) return;
    this.drawing = undefined;
    this.send();
  }

  placeAt({ clientX, clientY }) {
    return this.cells.indexOf(document.elementFromPoint(clientX, clientY)?.closest("td"));
  }

  /** One field of a stroke: seen at once, and sent while the stroke goes on. */
  touch(place) {
    if (place < 0 || this.stroke.get(place) === this.drawing) return;
    this.stroke.set(place, this.drawing);
    this.weights[place] = this.drawing;
    this.drawCell(place);
    this.send();
  }

  paint(place, weight) {
    this.drawing = weight;
    this.touch(place);
    this.lift();
  }

  paintAll(places) {
    this.drawing = this.weight;
    for (const place of places) this.touch(place);
    this.lift();
  }

  /** The range with what has been painted so far, one request at a time; the last one of a stroke becomes the text. */
  async send() {
    if (this.sending) return void (this.again = true);
    this.sending = true;
    try {
      do {
        this.again = false;
        const over = this.drawing === undefined;
        const cells = [...this.stroke];
        const found = await ask("api/holdem/paint", { range: this.base, cells, board: this.links.board() });
        if (!this.stroke.size) continue; // another text has come meanwhile
        this.tell(found);
        if (over && !this.again) this.accept(found);
      } while (this.again);
    } catch (problem) {
      this.links.wrong(problem);
    } finally {
      this.sending = false;
    }
  }

  accept(found) {
    this.stroke.clear();
    this.remember(this.text.value);
    this.text.value = found.text;
    this.show(found);
    this.links.changed();
  }

  begin(text) {
    this.stroke.clear();
    this.remember(this.text.value);
    this.text.value = text;
    this.links.changed();
  }

  remember(text) {
    if (text === undefined || this.undone.at(-1) === text) return;
    this.undone.push(text);
    if (this.undone.length > MOST_UNDONE) this.undone.shift();
    this.back.disabled = false;
  }

  undo() {
    const text = this.undone.pop();
    if (text === undefined) return;
    this.stroke.clear();
    this.text.value = text;
    this.back.disabled = !this.undone.length;
    if (this.back.disabled) this.text.focus();
    this.links.changed();
  }

  // -- keys

  pressKey(event) {
    const here = this.cells.indexOf(event.target.closest("td"));
    if (here < 0 || event.altKey) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "z") {
      event.preventDefault();
      this.undo();
      return;
    }
    if (event.ctrlKey || event.metaKey) return;
    if (event.key in STEPS) this.step(event, here);
    else if (event.key === " " || event.key === "Enter") this.paint(here, this.weights[here] === this.weight ? 0 : this.weight);
    else if (/^[0-9]$/.test(event.key)) this.paint(here, Number(event.key) / 10);
    else if (event.key === "Delete" || event.key === "Backspace") this.paint(here, 0);
    else return;
    event.preventDefault();
  }

  step(event, here) {
    const [down, right] = STEPS[event.key];
    const [row, column] = [Math.floor(here / SIDE) + down, (here % SIDE) + right];
    if (row < 0 || column < 0 || row >= SIDE || column >= SIDE) return;
    this.focus(row * SIDE + column);
    if (event.shiftKey) this.paint(row * SIDE + column, this.weights[here]);
  }

  focus(place) {
    for (const cell of this.cells) set(cell, "tabindex", cell === this.cells[place] ? "0" : "-1");
    this.cells[place].focus({ preventScroll: true });
  }

  // -- showing

  /** What the server has read in the text. */
  show(found) {
    if (found.error || this.stroke.size) return;
    this.base = found.text;
    this.weights = [...found.grid];
    this.blocked = found.blocked;
    this.draw();
    this.tell(found);
  }

  /** A text without hands is a range, too, until it is solved. */
  showNothing() {
    if (this.stroke.size) return;
    this.base = "";
    this.weights.fill(0);
    this.draw();
    this.tell({ combos: 0, weight: 0 });
  }

  tell({ combos, weight }) {
    const words = combos === 1 ? "1 combination" : `${count(combos)} combinations`;
    const exact = fixed(weight, weight === Math.round(weight) ? 0 : 1);
    write(this.told, weight === combos ? words : `${words}, which weigh ${exact}`);
  }

  draw() {
    for (let place = 0; place < this.cells.length; place += 1) this.drawCell(place);
  }

  drawCell(place) {
    const [cell, weight, blocked] = [this.cells[place], this.weights[place], this.blocked[place]];
    style(cell, "--w", String(weight));
    style(cell, "--b", String(blocked));
    set(cell, "data-gone", blocked === 1);
    set(cell, "aria-selected", String(weight > 0));
    const name = cell.dataset.hand;
    const parts = [name, weight ? `weight ${shortPercent(weight)}` : "not in the range", blocked ? `${shortPercent(blocked)} blocked by the board` : ""];
    set(cell, "aria-label", parts.filter(Boolean).join(", "));
    write(cell.lastChild, weight > 0 && weight < 1 ? fixed(100 * weight, 0) : "");
  }
}

function cellAt(place) {
  const [row, column] = [Math.floor(place / SIDE), place % SIDE];
  const name = fieldName(row, column);
  const attributes = { tabindex: place ? "-1" : "0", "data-hand": name, class: row === column ? "pair" : undefined };
  return element("td", attributes, element("span", {}, name), element("small", {}));
}
