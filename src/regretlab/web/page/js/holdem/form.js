// The form of a spot: its values, where something is wrong with them, and the sizes of streets and players.

import { all, element, find, set, write } from "../dom.js";

const NONE = "none"; // how people write that there are no sizes; an empty field says nothing
const KINDS = { bets: "Bets", raises: "Raises", donk: "Donk bets" };
const PLAYERS = { "": "Both players", oop_: "Out of position", ip_: "In position" };
const STREETS = { "": "all streets", flop_: "flop", turn_: "turn", river_: "river" };
const SHOWN_AROUND = 24; // letters on each side of a mistake

const takesSizes = (key) => /(bets|raises|donk)$/.test(key);

/** Nobody in position, and nobody on the flop, can bet into the last aggressor. */
const exists = (who, street, kind) => kind !== "donk" || (who !== "ip_" && street !== "flop_");

/** The locks of a text; undefined where it is none. @param {string|null|undefined} text */
export function readLock(text) {
  try {
    return text ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

export class Form {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.lock = undefined; // strategies that are held, by their lines
    find("#sizes").append(head(), ...Object.entries(PLAYERS).map(([who, words]) => playerRows(who, words)));
    find("#locks button").addEventListener("click", () => {
      this.hold({});
      form.dispatchEvent(new Event("input"));
    });
  }

  /** @param {Record<string, string>} lock strategies that are held, by their lines */
  hold(lock) {
    this.lock = Object.keys(lock).length ? lock : undefined;
    this.showLocks();
  }

  get inputs() {
    return [...this.form.elements].filter(({ name, type }) => name && type !== "file");
  }

  /** What is filled in, as it is written. @returns {Record<string, string>} */
  values() {
    const filled = this.inputs.map(({ name, value }) => [name, value.trim()]).filter(([, value]) => value);
    return { ...Object.fromEntries(filled), ...(this.lock && { lock: JSON.stringify(this.lock) }) };
  }

  /** The same for the server. */
  fields() {
    const plain = Object.entries(this.values()).map(([key, value]) => [key, takesSizes(key) && value.toLowerCase() === NONE ? "" : value]);
    return { ...Object.fromEntries(plain), ...(this.lock && { lock: this.lock }) };
  }

  /** @param {Record<string, string>} values as they are written */
  fill(values) {
    for (const input of this.inputs) input.value = values[input.name] ?? "";
    this.lock = readLock(values.lock);
    this.showLocks();
    this.unfold();
  }

  showLocks() {
    const lines = Object.keys(this.lock ?? {});
    set(find("#locks"), "hidden", !lines.length);
    write(find("#locks span"), `Locked: ${lines.map((line) => (line === "root" || !line ? "the first decision" : line)).join("; ")}.`);
  }

  /** What is filled in is seen. */
  unfold() {
    for (const folded of all("details", this.form)) {
      if (all("input, select", folded).some(({ value }) => value) || (folded.id === "more" && this.lock)) folded.open = true;
    }
  }

  // -- mistakes

  /** Forgets all marks but those that are wrong still. @param {{key: string, error: string, at?: number}[]} mistakes */
  mark(mistakes) {
    const marked = new Map(mistakes.map((mistake) => [this.input(mistake.key), mistake]));
    for (const input of this.inputs) {
      if (!marked.has(input)) clear(input);
    }
    marked.forEach((mistake, input) => input && show(input, mistake));
  }

  /** The field of a key, if the form has it. */
  input(key) {
    return this.inputs.find(({ name }) => name === key);
  }
}

/** How fields are shown of what the server has read: no sizes are a word. @param {Record<string, any>} fields */
export function shownFields(fields) {
  const shown = Object.entries(fields).map(([key, value]) => {
    if (key === "lock") return [key, JSON.stringify(value)];
    return [key, value === "" && takesSizes(key) ? NONE : value];
  });
  return Object.fromEntries(shown.filter(([key, value]) => !(key === "merge_suits" && value === "true")));
}

function clear(input) {
  if (!input.hasAttribute("aria-invalid")) return;
  set(input, "aria-invalid", false);
  set(input, "aria-describedby", false);
  find(`#${input.name}-mistake`).remove();
}

/** Beside the field: the sentence, and the place in the text. */
function show(input, { error, at }) {
  const id = `${input.name}-mistake`;
  const parts = [element("span", {}, error)];
  if (at && at <= input.value.length) parts.unshift(excerpt(input.value, at - 1), " ");
  const note = element("p", { class: "mistake", id }, ...parts);
  const old = document.getElementById(id);
  if (old?.textContent === note.textContent) return;
  if (old) old.replaceWith(note);
  else input.after(note);
  set(input, "aria-invalid", "true");
  set(input, "aria-describedby", id);
  const folded = input.closest("details");
  if (folded) folded.open = true;
}

function excerpt(text, at) {
  const from = Math.max(0, at - SHOWN_AROUND);
  const before = `${from ? "…" : ""}${text.slice(from, at)}`;
  const after = text.slice(at + 1, at + 1 + SHOWN_AROUND) + (text.length > at + 1 + SHOWN_AROUND ? "…" : "");
  return element("code", { "aria-hidden": "true" }, before, element("mark", {}, text[at]), after);
}

function head() {
  const kinds = Object.values(KINDS).map((word) => element("th", { scope: "col" }, word));
  return element("thead", {}, element("tr", {}, element("td"), ...kinds));
}

function playerRows(who, words) {
  const rows = Object.entries(STREETS).filter(([street]) => who || street).map(([street, name]) => {
    const cells = Object.keys(KINDS).map((kind) => element("td", {}, ...sizeInput(who, street, kind, `${words}, ${name}`)));
    return element("tr", {}, element("th", { scope: "row" }, name), ...cells);
  });
  const title = element("tr", {}, element("th", { scope: "rowgroup", colspan: 4 }, words));
  return element("tbody", {}, title, ...rows);
}

function sizeInput(who, street, kind, where) {
  if (!exists(who, street, kind)) return [];
  return [element("input", { name: `${who}${street}${kind}`, "aria-label": `${KINDS[kind]}: ${where}` })];
}
