// The solves of this page: each is a process on the server that tells how far it is. Several may race on the same spot.

import { chart } from "../../chart.js";
import { address, ask, passes, serverIsBack } from "../api.js";
import { all, element, find, perRefresh, set, write } from "../dom.js";
import { count, size } from "../format.js";
import { announce, notice, sentence } from "../site.js";
import { readStream } from "../stream.js";
import { duration } from "./size.js";
import { showStandings } from "./standings.js";

export const MOST = 4; // a browser keeps six connections to a server, and each solve that goes on takes one
const GONE = 404;
const RESTS = ["done", "failed"];
const FIRST_TIME = "getting ready; the first solve on a computer compiles the engine, which may take a minute";
const SLOW = 4000; // milliseconds of getting ready after which people are told what takes so long

/** What makes spots the same: all but how far they are solved. @param {Record<string, any>} fields */
export function spotOf(fields) {
  const said = Object.entries(fields).filter(([key, value]) => key !== "until" && value !== undefined);
  return JSON.stringify(said.map(([key, value]) => [key, typeof value === "object" ? value : String(value)]).sort());
}

export class Solves {
  /** @param {{changed: () => void, explore: () => void}} links `changed` is called with every news, `explore` leads to the explorer */
  constructor(links) {
    Object.assign(this, { links, list: [], chosen: undefined });
    for (const input of all("#across input, #upwards input")) input.addEventListener("change", () => this.drawAxes());
    this.draw = perRefresh(() => this.drawCurves());
  }

  /** The one that is explored. */
  get shown() {
    return this.list.find(({ id }) => id === this.chosen);
  }

  // -- which there are

  /** Solves a spot, in a race with those of the same spot. */
  async begin(order) {
    const told = await ask("api/holdem/solves", order);
    return this.add(told);
  }

  add(told) {
    const solve = { id: told.solve, told, spot: spotOf(told.fields), watching: undefined, slow: false };
    solve.name = this.nameOf(told);
    this.list.push(solve);
    this.addRow(solve);
    this.choose(solve.id);
    this.watch(solve);
    return solve;
  }

  /** Finds the solves of an address again. @returns {Promise<any[]>} what the server tells of those that are there */
  async find(ids) {
    for (const id of ids.slice(0, MOST)) {
      try {
        this.add(await ask(`api/holdem/solves/${encodeURIComponent(id)}`));
      } catch (problem) {
        if (problem.status !== GONE) throw problem;
        notice("gone", "The solve in this address is gone: the server was started again, or nobody had looked for an hour. The spot is still here; solve it again.");
      }
    }
    if (this.list.length) this.choose(this.list[0].id);
  }

  /** The recipe and the precision; a number where a name is there already. */
  nameOf({ recipe, precision, fields }) {
    const name = [recipe, precision === "f64" ? "" : precision, fields.lock ? "locked" : ""].filter(Boolean).join(", ");
    const same = this.list.filter((other) => other.name.replace(/ \(\d+\)$/, "") === name).length;
    return same ? `${name} (${same + 1})` : name;
  }

  choose(id) {
    this.chosen = id;
    for (const solve of this.list) find("input", solve.row).checked = solve.id === id;
    this.drawAxes();
    this.links.changed();
  }

  async remove(solve) {
    solve.watching?.abort();
    const place = this.list.indexOf(solve);
    this.list.splice(place, 1);
    solve.row.remove();
    const next = this.list[Math.min(place, this.list.length - 1)];
    if (next) find("button", next.row)?.focus();
    else find("#go").focus();
    this.choose(this.chosen === solve.id ? next?.id : this.chosen);
    await ask(`api/holdem/solves/${solve.id}`, undefined, "DELETE").catch((problem) => {
      if (problem.status !== GONE) throw problem;
    });
  }

  // -- news

  async watch(solve) {
    solve.watching?.abort();
    const own = (solve.watching = new AbortController());
    while (!own.signal.aborted && !RESTS.includes(solve.told.state)) {
      try {
        await readStream(`api/holdem/solves/${solve.id}/stream`, own.signal, (told) => this.hear(solve, told));
        if (RESTS.includes(solve.told.state) || own.signal.aborted) return;
        await serverIsBack((text) => notice("away", text));
      } catch (problem) {
        if (own.signal.aborted) return;
        if (passes(problem)) await serverIsBack((text) => notice("away", text));
        else this.hear(solve, { ...solve.told, state: "failed", error: problem.status === GONE ? "the server has forgotten this solve; solve the spot again" : problem.message });
      }
    }
  }

  hear(solve, told) {
    const before = solve.told.state;
    solve.told = { ...solve.told, ...told };
    fill(solve);
    this.expectNumbers(solve);
    if (before !== told.state) {
      announce(`${solve.name}: ${stateWords(solve.told)}`);
      if (RESTS.includes(told.state)) solve.watching.abort();
    }
    this.draw();
    this.links.changed();
  }

  /** Where the first numbers are long in coming, people are told why. */
  expectNumbers(solve) {
    if (solve.timer || solve.told.state !== "solving" || solve.told.looks?.length) return;
    solve.timer = setTimeout(() => {
      solve.slow = true;
      fill(solve);
    }, SLOW);
  }

  async order(solve, order) {
    const told = await ask(`api/holdem/solves/${solve.id}`, order);
    const rested = RESTS.includes(solve.told.state);
    this.hear(solve, told);
    if (rested) this.watch(solve);
  }

  // -- rows

  addRow(solve) {
    const press = (name, act) => element("button", { type: "button", class: "button small", "data-do": name, onclick: () => this.links.attempt(act) });
    const look = press("explore", () => {
      this.choose(solve.id);
      this.links.explore();
    });
    const pause = press("pause", () => this.order(solve, { do: solve.told.state === "solving" ? "pause" : "resume" }));
    const stop = press("stop", () => this.order(solve, { do: "stop" }));
    const more = press("until", () => this.order(solve, { do: "until", until: this.links.until() }));
    const keep = element("a", { class: "button small", download: "", href: address(`api/holdem/solves/${solve.id}/run.npz`), "data-do": "keep", title: "For regretlab show, solve --resume and serve --results" }, "Save run");
    const remove = press("remove", () => this.remove(solve));
    write(look, "Explore");
    write(stop, "Good enough");
    write(remove, "Remove");
    const radio = element("input", { type: "radio", name: "shown", value: solve.id, onchange: () => this.choose(solve.id) });
    solve.row = element(
      "li",
      { "data-solve": solve.id },
      element("label", { class: "which", title: "Explore this one" }, radio, element("span", { class: "visually-hidden" }, `Explore ${solve.name}`), element("span", { class: "swatch" })),
      element("div", { class: "title" }, element("b", {}, solve.name), element("span", { class: "soft small state" })),
      element("dl", { class: "stats" }),
      element("p", { class: "wrong", hidden: true }),
      element("div", { class: "row" }, look, pause, stop, more, keep, remove),
    );
    find("#solves").append(solve.row);
    fill(solve);
    this.expectNumbers(solve);
  }

  // -- curves

  /** Those of the same spot as the one that is explored. */
  get racing() {
    return this.list.filter(({ spot, told }) => spot === this.shown?.spot && told.looks?.length);
  }

  drawAxes() {
    this.list.forEach((solve) => set(find(".swatch", solve.row), "class", `swatch chart-colour-${this.colour(solve)}`));
    find("#chart").replaceChildren();
    this.view = undefined;
    this.drawCurves();
  }

  colour(solve) {
    return (this.list.indexOf(solve) % 8) + 1;
  }

  drawCurves() {
    const { racing } = this;
    set(find("#curves"), "hidden", !racing.length);
    if (!racing.length) return;
    const [across, upwards] = ["across", "upwards"].map((name) => Number(find(`#${name} input:checked`).value));
    const inChips = upwards === 3;
    const scale = inChips ? 1 : 100;
    const series = racing.map((solve) => ({
      name: solve.name,
      colour: this.colour(solve),
      front: !RESTS.includes(solve.told.state),
      points: solve.told.looks.map((look) => [look[across], scale * look[upwards]]).filter(([x]) => x > 0),
    }));
    const { target, target_of_pot: part } = this.shown.told;
    const targets = [{ name: "target", y: inChips ? target : scale * part, colour: 8 }];
    showStandings(find("#standings"), racing, across, (solve) => this.colour(solve));
    if (this.view) return void this.view.update({ series, targets });
    this.view = chart(find("#chart"), {
      title: "How much could be gained against it",
      x: { label: across ? "seconds of solving" : "iterations", scale: "log" },
      y: { label: `exploitability, ${inChips ? "chips" : "% of the pot"}`, scale: "log" },
      series,
      targets,
    });
  }
}

function stateWords({ state, ahead, looks }, slow = false) {
  if (state === "waiting") return ahead ? `waits; number ${ahead} in the queue` : "waits for its turn";
  if (state === "solving") return looks?.length ? "solving" : slow ? FIRST_TIME : "getting ready";
  return state;
}

/** One solve's row as things stand. */
function fill({ row, told, slow }) {
  const { state } = told;
  set(row, "data-state", state);
  write(find(".state", row), stateWords(told, slow));
  const wrong = find(".wrong", row);
  set(wrong, "hidden", !told.error);
  write(wrong, told.error ? sentence(told.error) : "");
  const button = (name) => find(`[data-do="${name}"]`, row);
  write(button("pause"), state === "solving" ? "Pause" : "Resume");
  set(button("explore"), "hidden", !told.iteration);
  set(button("explore"), "class", `button small${state === "done" ? " primary" : ""}`);
  set(button("keep"), "hidden", !told.looks?.length);
  set(button("pause"), "hidden", !["solving", "paused"].includes(state));
  set(button("stop"), "hidden", !(["solving", "paused"].includes(state) && told.looks?.length));
  set(button("until"), "hidden", state !== "done");
  write(button("until"), "Solve on to the target above");
  const rows = told.iteration === undefined ? [] : numbers(told);
  find(".stats", row).replaceChildren(...rows.map(([word, value]) => element("div", {}, element("dt", {}, word), element("dd", {}, value))));
}

function numbers({ iteration, seconds, rate, exploitability, of_pot, target_of_pot, left, state }) {
  const share = (part) => `${size(100 * part, 3)} %`;
  return [
    ["Exploitability", of_pot === null ? "–" : `${share(of_pot)} of the pot`],
    ["in chips", exploitability === null ? "–" : size(exploitability, 3)],
    ["Target", share(target_of_pot)],
    ["Iterations", count(iteration)],
    ["Solving time", `${size(seconds, 3)} s`],
    ["Rate", rate === null ? "–" : `${rate < 100 ? size(rate, 2) : count(rate)} per second`],
    ...(state === "solving" && left !== null ? [["Time left", `about ${duration(left)}`]] : []),
  ];
}
