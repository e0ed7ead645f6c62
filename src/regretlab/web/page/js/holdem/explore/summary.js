// What a range does as a whole: one bar of frequencies, and what both players expect.

import { element } from "../../dom.js";
import { chips, combos, paint, PLAYERS, SHORT, share, swatch } from "./words.js";

/** One bar, divided as the actions are, the most aggressive first as in the fields. */
export function bar(frequencies, actions, label) {
  const parts = frequencies.map((frequency, a) => {
    const part = element("span", { "aria-hidden": "true" }, frequency > 0.06 ? actions[a].key : "");
    paint(part, a, actions);
    part.style.flexGrow = String(frequency ?? 0);
    return part;
  });
  const spoken = actions.map((action, a) => `${action.name} ${share(frequencies[a])}`).join(", ");
  return element("div", { class: "frequencies", role: "img", "aria-label": `${label}: ${spoken}` }, ...parts.reverse());
}

/** @param {HTMLElement} box @param {any} node */
export function showSummary(box, node) {
  const { actions, player } = node;
  const all = actions.map((action) => action.frequency);
  const legend = actions.map((action, a) =>
    element("li", {}, swatch(a, actions), element("span", {}, action.name), element("b", {}, share(all[a]))));
  box.replaceChildren(
    element("h3", {}, element("span", { class: `player-${player + 1}` }, PLAYERS[player]), " acts"),
    bar(all, actions, "All hands"),
    element("ul", { class: "legend" }, ...legend.reverse()),
    ...(node.filtered ? filtered(node) : []),
    both(node),
  );
}

function filtered({ sides, player, actions }) {
  const { kept } = sides[player];
  const words = `The filter keeps ${share(kept.share)} of the range here, ${combos(kept.combos)} combinations.`;
  if (!kept.share) return [element("p", { class: "note" }, words)];
  const often = actions.map((action, a) => `${action.name} ${share(kept.frequencies[a])}`).join(", ");
  const worth = `EV ${chips(kept.ev)} (${share(kept.ev_of_pot)} of the pot), equity ${share(kept.equity)}.`;
  return [element("div", { class: "note kept" }, element("p", {}, words), bar(kept.frequencies, actions, "Filtered hands"),
    element("p", {}, `${often}. ${worth}`))];
}

function both({ evs, evs_of_pot: parts, equities, sides, reach, pot }) {
  const heads = ["", "EV", "of pot", "Equity", "Combos", "Reach"];
  const rows = [0, 1].map((player) =>
    element("tr", {}, element("th", { scope: "row", class: `player-${player + 1}` }, SHORT[player]),
      ...[chips(evs[player]), share(parts[player]), share(equities[player]), combos(sides[player].combos), share(reach[player])]
        .map((text) => element("td", { class: "number" }, text))));
  return element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "What both players expect" }, element("table", { class: "both" },
    element("caption", { class: "visually-hidden" }, `What both players expect of the pot of ${pot} chips`),
    element("thead", {}, element("tr", {}, ...heads.map((word) => (word ? element("th", { scope: "col", class: "number" }, word) : element("td"))))),
    element("tbody", {}, ...rows)));
}
