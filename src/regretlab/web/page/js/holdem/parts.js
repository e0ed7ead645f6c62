// The parts of the page: buttons that stay in sight and lead to each. No links, for what stands behind a # is the spot.

import { all, find, perRefresh, set } from "../dom.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const READ = 0.3; // of the height of the window: where a part is read that has begun above

const buttons = () => all("#parts button");
const partOf = (button) => find(`#${button.dataset.part}`);
const topOf = (part) => part.getBoundingClientRect().top;

/** Moves the page to a part. @param {string} id */
export function leadTo(id) {
  find(`#${id}`).scrollIntoView({ block: "start", behavior: calm.matches ? "auto" : "smooth" });
}

/** Whether a part begins in the window. @param {string} id */
export function inSight(id) {
  const top = topOf(find(`#${id}`));
  return top >= 0 && top < innerHeight;
}

/** Buttons for the parts that are there; the one that is read is marked, at the end of the page the last one. */
export function showParts() {
  for (const button of buttons()) set(button, "hidden", partOf(button).hidden);
  const there = buttons().filter((button) => !button.hidden);
  const ended = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
  const here = ended ? there.at(-1) : there.findLast((button) => topOf(partOf(button)) < READ * innerHeight);
  for (const button of buttons()) set(button, "aria-current", button === here && "true");
}

/** Begins to lead, and to follow who scrolls. */
export function listenToParts() {
  for (const button of buttons()) button.addEventListener("click", () => leadTo(button.dataset.part));
  addEventListener("scroll", perRefresh(showParts), { passive: true });
}
