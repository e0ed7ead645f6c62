// The menus of games and algorithms close like any other: with Escape, and when one goes elsewhere.

import { all, find } from "../dom.js";

for (const menu of all(".siblings")) {
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    event.preventDefault();
    menu.open = false;
    find("summary", menu).focus();
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => relatedTarget && !menu.contains(relatedTarget) && (menu.open = false));
  document.addEventListener("pointerdown", ({ target }) => !menu.contains(target) && (menu.open = false));
}
