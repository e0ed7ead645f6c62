// Both players' equities, from the weakest hand of the range here to the strongest.

import { element, svg } from "../../dom.js";
import { SHORT } from "./words.js";

const WIDE = 320;
const HIGH = 190;
const LEFT = 34;
const BELOW = 22;
const TOP = 8;

/** @param {HTMLElement} box @param {any[]} sides */
export function showGraph(box, sides) {
  const x = (part) => LEFT + (WIDE - LEFT - 8) * part;
  const y = (equity) => TOP + (HIGH - TOP - BELOW) * (1 - equity);
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const words = "Equity of each hand, from the weakest of a range (left) to the strongest (right).";
  const drawing = svg("svg", { class: "equity-graph", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": words });
  for (const tick of ticks) {
    drawing.append(
      svg("line", { class: "grid-line", x1: x(0), x2: x(1), y1: y(tick), y2: y(tick) }),
      svg("text", { x: x(0) - 5, y: y(tick) + 3.5, "text-anchor": "end" }, `${100 * tick}`),
      svg("text", { x: x(tick), y: HIGH - 6, "text-anchor": tick === 1 ? "end" : "middle" }, `${100 * tick}`),
    );
  }
  sides.forEach(({ graph }, player) => {
    const points = graph.map((equity, k) => `${x(k / (graph.length - 1)).toFixed(1)},${y(equity).toFixed(1)}`);
    drawing.append(svg("polyline", { class: `of-player-${player + 1}`, points: points.join(" ") }));
  });
  const key = sides.map((_, player) => element("li", { class: `player-${player + 1}` },
    element("i", { class: `line-${player + 1}`, "aria-hidden": "true" }), SHORT[player]));
  box.replaceChildren(element("h3", {}, "Equity"), element("ul", { class: "legend lines" }, ...key), drawing,
    element("p", { class: "soft small" }, "Up: equity in percent. To the right: percent of the range, the weakest hands first."));
}
