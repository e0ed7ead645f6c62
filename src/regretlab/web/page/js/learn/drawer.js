// The drawer with the arithmetic: beside the cards, and on a phone a sheet over them. Nothing else has to wait for it.

import { find, set } from "../dom.js";

export class Drawer {
  /** @param {() => void} closed what to do when it was closed */
  constructor(closed) {
    Object.assign(this, { closed, place: find("#drawer"), title: find("#arithmetic-title") });
    find("#drawer-close").onclick = () => this.close();
    this.place.onkeydown = (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault(); // or the page's own shortcut would go on from here
      this.close();
    };
  }

  get isOpen() {
    return !this.place.hidden;
  }

  /** @param {boolean} withFocus whether somebody has pressed something, to which the focus returns in the end */
  open(withFocus) {
    if (withFocus) this.opener = document.activeElement;
    set(this.place, "hidden", false);
    set(find(".learn-top"), "data-drawer", "open");
    if (withFocus) this.title.focus({ preventScroll: true });
  }

  close() {
    if (!this.isOpen) return;
    const inside = this.place.contains(document.activeElement);
    set(this.place, "hidden", true);
    set(find(".learn-top"), "data-drawer", undefined);
    if (inside) this.opener?.focus({ preventScroll: true });
    this.closed();
  }
}
