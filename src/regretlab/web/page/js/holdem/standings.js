// Who was first: the solves of the same spot, in the order in which they came to the target.

import { element } from "../dom.js";
import { count, size } from "../format.js";

/**
 * @param {HTMLElement} box @param {any[]} racing @param {number} across what the order goes by: 0 iterations, 1 seconds
 * @param {(solve: any) => number} colour
 */
export function showStandings(box, racing, across, colour) {
  const rank = ({ told }) => told.reached?.[across] ?? Infinity;
  const ordered = [...racing].sort((one, other) => rank(one) - rank(other) || one.told.of_pot - other.told.of_pot);
  if (ordered.length < 2) return box.replaceChildren();
  const rows = ordered.map((solve, place) => {
    const { reached, of_pot: part, exploitability, target_of_pot: target } = solve.told;
    const when = reached ? [count(reached[0]), `${size(reached[1], 3)} s`] : ["not yet", "not yet"];
    const name = element("th", { scope: "row" }, element("span", { class: `swatch chart-colour-${colour(solve)}`, "aria-hidden": "true" }), ` ${solve.name}`);
    const cells = [reached ? `${place + 1}.` : "–", `${size(100 * target, 3)} %`, ...when, `${size(100 * part, 3)} %`, size(exploitability, 3)];
    return element("tr", {}, name, ...cells.map((text) => element("td", { class: "number" }, text)));
  });
  const heads = ["place", "target", "iterations to it", "seconds to it", "now, of the pot", "now, chips"];
  box.replaceChildren(element("table", { class: "standings" },
    element("caption", {}, `In the order in which they came to their target, by ${across ? "solving time" : "iterations"}. Times hold for this machine and what else it does now.`),
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "recipe"), ...heads.map((head) => element("th", { scope: "col", class: "number" }, head)))),
    element("tbody", {}, ...rows)));
}
