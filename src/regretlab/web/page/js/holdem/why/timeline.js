// Back in time: the whole place as it stood at an earlier iteration, where the server has kept that.

import { element, set, write } from "../../dom.js";
import { count } from "../../format.js";

export class Timeline {
  /** @param {() => void} changed is called when another iteration is to be shown */
  constructor(changed) {
    Object.assign(this, { changed, moments: [], at: undefined });
    this.slider = element("input", { type: "range", id: "timeline", min: 0, step: 1, oninput: () => this.seek() });
    this.output = element("output", { for: "timeline" });
    this.now = element("button", { type: "button", class: "button quiet small", onclick: () => this.back() }, "Back to now");
    this.box = element("div", { class: "timeline", hidden: true }, element("label", { for: "timeline" }, "As it stood after"), this.slider, this.output, this.now);
  }

  /** The iteration as a part of an address. */
  get query() {
    return this.at === undefined ? "" : `&at=${this.at}`;
  }

  /** Another solve has a past of its own. */
  forget() {
    this.at = undefined;
  }

  /** @param {any} node what the server said of the place */
  show({ moments }) {
    this.moments = moments;
    set(this.box, "hidden", moments.length < 2);
    this.slider.max = String(moments.length - 1);
    this.draw();
  }

  draw() {
    const place = this.at === undefined ? this.moments.length - 1 : this.moments.indexOf(this.at);
    if (document.activeElement !== this.slider) this.slider.value = String(place);
    const words = this.at === undefined ? "as it stands" : this.at === 1 ? "1 iteration" : `${count(this.at)} iterations`;
    write(this.output, words);
    set(this.slider, "aria-valuetext", words);
    set(this.now, "hidden", this.at === undefined);
  }

  seek() {
    const place = Number(this.slider.value);
    this.at = place === this.moments.length - 1 ? undefined : this.moments[place];
    this.draw();
    this.changed();
  }

  back() {
    this.at = undefined;
    this.slider.focus();
    this.slider.value = this.slider.max;
    this.draw();
    this.changed();
  }
}
