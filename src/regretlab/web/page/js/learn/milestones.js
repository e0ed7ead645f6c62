// What the run has found: the sentence about the latest change, and the milestones as a list; each leads to its iteration.

import { element, find, set, write } from "../dom.js";
import { count } from "../format.js";

const LEAST = 1600; // milliseconds for which a sentence stays while the run plays: nobody reads faster

/** A number and its unit stay on one line. @param {string} words */
const together = (words) => words.replaceAll(" %", "\u00a0%");

export class Milestones {
  /** @param {(iteration: number) => void} go */
  constructor(go) {
    Object.assign(this, { go, told: "", list: find("#milestones") });
  }

  /** @param {import("./points.js").Points} points */
  show(points) {
    const reached = points.milestones.flatMap((all, place) => all.map((words) => ({ iteration: points.iterations[place], words })));
    const told = reached.map(({ iteration, words }) => `${iteration} ${words}`).join("\n");
    if (told === this.told) return;
    this.told = told;
    this.list.replaceChildren(...reached.map((each) => this.row(each)));
    set(this.list.closest("[data-milestones]"), "hidden", !reached.length);
  }

  row({ iteration, words }) {
    const button = element("button", { type: "button", onclick: () => this.go(iteration) }, `iteration ${count(iteration)}`);
    return element("li", {}, button, element("span", {}, together(words)));
  }
}

export class Found {
  constructor() {
    Object.assign(this, { since: 0, shown: "", place: find("#found") });
  }

  /** @param {Pick<import("./source.js").Frame, "found"|"playing">} frame */
  say({ found, playing }) {
    const now = performance.now();
    clearTimeout(this.later);
    const left = this.since + LEAST - now;
    if (found === this.shown) return;
    if (playing && left > 0) {
      this.later = setTimeout(() => this.say({ found, playing: false }), left);
      return;
    }
    Object.assign(this, { since: now, shown: found });
    write(this.place, together(found));
  }
}
