// What the run has found: the sentence about the latest change, and the milestones as a list; each leads to its iteration.

import { element, find, set, write } from "../dom.js";
import { count } from "../format.js";

const LEAST = 1600; // milliseconds for which a sentence stays while the run plays: nobody reads faster

export class Found {
  /** @param {(iteration: number) => void} go */
  constructor(go) {
    Object.assign(this, { go, since: 0, shown: "", reached: 0, place: find("#found"), list: find("#milestones") });
  }

  /** @param {import("./source.js").Frame} frame @param {import("./points.js").Points} points */
  show(frame, points) {
    this.say(frame);
    const reached = points.milestones.flatMap((all, place) => all.map((words) => ({ iteration: points.iterations[place], words })));
    const told = reached.map(({ iteration, words }) => `${iteration} ${words}`).join("\n");
    if (told === this.told) return;
    this.told = told;
    this.list.replaceChildren(...reached.map((each) => this.row(each)));
    set(this.list.closest("[data-milestones]"), "hidden", !reached.length);
  }

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
    write(this.place, found);
  }

  row({ iteration, words }) {
    const button = element("button", { type: "button", onclick: () => this.go(iteration) }, `iteration ${count(iteration)}`);
    return element("li", {}, button, element("span", {}, words));
  }
}
