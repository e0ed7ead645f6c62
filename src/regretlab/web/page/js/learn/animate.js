// What moves between two steps inside an iteration. The state itself is drawn already: where motion is not wanted, this
// is all that is left out.

import { all, element, find } from "../dom.js";
import { signed } from "../format.js";

/** @typedef {import("./source.js").InnerStep} InnerStep @typedef {import("./tree.js").Tree} Tree */

const still = matchMedia("(prefers-reduced-motion: reduce)");
const PART = 0.8; // of a step's time that things move; then they rest

/**
 * @param {InnerStep} step that has just been drawn
 * @param {number} time milliseconds until the next one
 * @param {{tree: Tree}} views
 */
export function animate(step, time, { tree }) {
  if (still.matches) return;
  if (step.phase === "down") goDown(step, tree, time * PART);
  if (step.phase === "up") comeUp(step, tree, time * PART);
}

/** Gold runs along the walk, from line to line. */
function goDown({ nodes }, tree, time) {
  const edges = nodes.filter((id) => tree.edges.has(id));
  const each = time / edges.length;
  edges.forEach((id, place) => run(tree.edges.get(id).gold, [1, 0], each, place * each));
}

/** Gold runs back, values appear behind it, and what is regretted flies to its cards. */
function comeUp({ nodes, regret }, tree, time) {
  const back = nodes.filter((id) => tree.edges.has(id)).reverse();
  const each = (time * 0.55) / back.length;
  back.forEach((id, place) => run(tree.edges.get(id).gold, [0, 1], each, place * each));
  for (const id of nodes) {
    const behind = back.filter((other) => other.startsWith(id === "start" ? "" : `${id}-`)).map((other) => back.indexOf(other));
    appear(tree.points.get(id).value, (Math.max(0, ...behind) + 1) * each);
  }
  for (const [label, numbers] of Object.entries(regret)) fly(label, numbers, time * 0.45, time * 0.55);
}

/** Draws a gold line from one end to the other, or takes it back. */
function run(line, [from, to], duration, delay) {
  const frames = { strokeDashoffset: [from, to], strokeDasharray: [1, 1], visibility: ["visible", "visible"] };
  line.animate(frames, { duration, delay, easing: "linear", fill: "backwards" });
}

/** @param {Element} [value] */
function appear(value, delay) {
  value?.animate({ opacity: [0, 1] }, { duration: 150, delay, fill: "backwards" });
}

/** Each action's number from where it was found to its row on the card. */
function fly(label, numbers, duration, delay) {
  const from = find(`#tree .decision[data-label="${label}"]`).getBoundingClientRect();
  const rows = all(`.info[data-label="${label}"] .row-regret b`);
  rows.forEach((row, place) => {
    if (!numbers[place]) return appear(row, delay);
    const to = row.getBoundingClientRect();
    const flying = element("span", { class: "flying", "aria-hidden": "true" }, signed(numbers[place], 3));
    document.body.append(flying);
    const path = [
      `translate(${from.right}px, ${from.top + place * 14}px)`,
      `translate(${to.right - flying.offsetWidth}px, ${to.top - 2}px)`,
    ];
    const flight = flying.animate({ transform: path, opacity: [0, 1, 1] }, { duration, delay, easing: "ease-in-out", fill: "both" });
    flight.finished.finally(() => flying.remove());
    return appear(row, delay + duration);
  });
}
