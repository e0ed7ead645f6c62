// How a hand's strategy came about: what it did on average at every kept iteration, and what it regretted.

import { ask } from "../../api.js";
import { element, set, svg, write } from "../../dom.js";
import { count, regret, size } from "../../format.js";
import { sentence } from "../../site.js";
import { colour, share, swatch } from "../explore/words.js";

const WIDE = 520;
const HIGH = 150;
const LEFT = 34;
const RIGHT = 10;
const TOP = 6;
const BELOW = 20;

/**
 * The part of the panel that goes back in time.
 * @param {string} path of the hand's past @param {any[]} actions those of the decision
 */
export function past(path, actions) {
  const box = element("section", { class: "past", "aria-label": "How it came about" });
  new Past(box, path, actions);
  return box;
}

class Past {
  constructor(box, path, actions) {
    Object.assign(this, { box, path, actions, asked: 0 });
    this.load();
  }

  async load(at) {
    const asked = ++this.asked;
    try {
      const found = await ask(`${this.path}${at === undefined ? "" : `&at=${at}`}`);
      if (asked !== this.asked) return;
      if (this.found) this.fill(found);
      else this.build(found);
    } catch (problem) {
      this.box.replaceChildren(element("p", { class: "wrong" }, sentence(problem.message)));
    }
  }

  build(found) {
    const { moments, recipe } = found;
    const title = element("h4", {}, "How it came about");
    if (!moments.length) {
      const words = "This spot is so large that only decisions before the next card are kept as they were. Solve that street by itself to follow its hands back.";
      this.box.replaceChildren(title, element("p", { class: "soft small" }, words));
      return;
    }
    const first = moments[0].iteration;
    const last = moments.at(-1).iteration;
    const held = found.locked ? "This hand is locked here: it plays what the lock says, whatever it regrets. " : "";
    const lead = last === first ? `${held}Of this run only its end is kept, after ${count(last)} iterations: it was saved and opened again.` : `${held}What ${recipe} made of this hand, at the ${moments.length} iterations at which the run was judged, from ${count(first)} to ${count(last)}. The average is the solution; what is played next follows from the regrets.`;
    this.slider = element("input", { type: "range", id: "past-at", min: 0, max: moments.length - 1, step: 1, value: moments.length - 1, oninput: ({ target }) => this.seek(Number(target.value)) });
    this.output = element("output", { for: "past-at" });
    this.drawing = element("div");
    this.numbers = element("div", { class: "scroll" });
    this.arithmetic = element("div");
    this.next = element("details", { class: "past-next" }, element("summary", {}, "How the regrets become what is played next"), this.arithmetic);
    this.box.replaceChildren(title, element("p", { class: "soft small" }, lead), this.drawing,
      element("div", { class: "past-seek" }, element("label", { for: "past-at" }, "Go back to"), this.slider, this.output), this.numbers, this.next);
    for (const part of [this.drawing, this.slider.parentElement]) set(part, "hidden", last === first);
    this.fill(found);
  }

  fill(found) {
    this.found = found;
    this.show(found.moments.findIndex(({ iteration }) => iteration === found.at));
    this.arithmetic.innerHTML = found.html; // from our own server, which escapes what is not ours
    set(this.next, "hidden", !found.html);
  }

  seek(place) {
    this.show(place);
    this.load(this.found.moments[place].iteration);
  }

  /** A moment: the line in the drawing, and its numbers. */
  show(place) {
    const { moments } = this.found;
    const moment = moments[place];
    const words = `${count(moment.iteration)} iterations, ${size(100 * moment.of_pot, 3)} % of the pot could be gained`;
    write(this.output, words);
    set(this.slider, "aria-valuetext", words);
    this.drawing.replaceChildren(drawn(moments, place, this.actions));
    const heads = ["", "average", "next", "regret"];
    const rows = this.actions.map((action, a) => element("tr", {}, element("th", { scope: "row" }, swatch(a, this.actions), ` ${action.name}`),
      ...[share(moment.average[a]), share(moment.current[a]), regret(moment.regrets[a])].map((text) => element("td", { class: "number" }, text))));
    this.numbers.replaceChildren(element("table", {},
      element("caption", {}, "Regrets are in chips a deal of this hand, summed over the iterations as the recipe weighs them; each counts by how likely the other player came here."),
      element("thead", {}, element("tr", {}, ...heads.map((head) => (head ? element("th", { scope: "col", class: "number" }, head) : element("td"))))),
      element("tbody", {}, ...rows)));
  }
}

/** The average over the iterations, actions one above the other, and where one looks. */
function drawn(moments, place, actions) {
  const ends = [moments[0].iteration, moments.at(-1).iteration].map(Math.log);
  const x = (iteration) => LEFT + ((WIDE - LEFT - RIGHT) * (Math.log(iteration) - ends[0])) / (ends[1] - ends[0] || 1);
  const y = (part) => TOP + (HIGH - TOP - BELOW) * (1 - part);
  const spoken = actions.map((action, a) => `${action.name} ${share(moments[place].average[a])}`).join(", ");
  const drawing = svg("svg", { class: "past-drawing", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": `The average over the iterations. After ${count(moments[place].iteration)}: ${spoken}` });
  const under = moments.map(() => 0);
  actions.forEach((action, a) => {
    const low = moments.map((moment, m) => `${x(moment.iteration).toFixed(1)},${y(under[m]).toFixed(1)}`);
    moments.forEach((moment, m) => (under[m] += moment.average[a]));
    const high = moments.map((moment, m) => `${x(moment.iteration).toFixed(1)},${y(under[m]).toFixed(1)}`);
    drawing.append(svg("polygon", { points: [...low, ...high.reverse()].join(" "), fill: `var(${colour(a, actions)})` }));
  });
  for (const part of [0, 0.5, 1]) drawing.append(svg("text", { x: LEFT - 5, y: y(part) + 3.5, "text-anchor": "end" }, `${100 * part}`));
  let free = -Infinity;
  for (const { iteration } of moments) {
    if (!/^[125]0*$/.test(String(iteration)) || x(iteration) - free < 34) continue;
    free = x(iteration);
    drawing.append(svg("text", { x: free, y: HIGH - 5, "text-anchor": "middle" }, count(iteration)));
  }
  const here = x(moments[place].iteration);
  drawing.append(svg("line", { class: "past-here", x1: here, x2: here, y1: TOP, y2: HIGH - BELOW }));
  return drawing;
}
