// A one-shot game: each player's strategy as a point in a triangle, which wanders while its average settles.

import { element, set, style, svg, write } from "../dom.js";
import { percent } from "../format.js";

/** @typedef {import("./types.js").Frame} Frame @typedef {import("./types.js").Game} Game */

const [WIDE, HIGH, EDGE, TOP] = [360, 330, 42, 30]; // of the picture, in its own units
const CORNERS = [
  { x: EDGE, y: HIGH - 34 },
  { x: WIDE / 2, y: TOP },
  { x: WIDE - EDGE, y: HIGH - 34 },
];
const LONGEST = 400; // points of a way that are kept

/** Where a strategy of three actions lies. @param {number[]} strategy */
const spot = (strategy) => ({
  x: strategy.reduce((sum, share, number) => sum + share * CORNERS[number].x, 0),
  y: strategy.reduce((sum, share, number) => sum + share * CORNERS[number].y, 0),
});

const line = (spots) => spots.map(({ x, y }, place) => `${place ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

export class Triangles {
  /** @param {HTMLElement} place @param {Game} game */
  constructor(place, game) {
    this.seen = []; // frames that were shown: when, and what was played
    this.pictures = game.infosets.map((infoset) => (infoset.actions.length === CORNERS.length ? new Triangle(game, infoset) : new Bars(game, infoset)));
    place.replaceChildren(...this.pictures.map(({ node }) => node));
  }

  /** @param {Frame} frame @param {import("../learn/points.js").Points} points */
  show(frame, points) {
    this.seen = this.seen.filter(({ iteration }) => iteration < frame.iteration).slice(-LONGEST);
    this.seen.push(frame);
    for (const picture of this.pictures) picture.show(frame, points, this.seen);
  }
}

class Triangle {
  /** @param {Game} game @param {import("./types.js").Infoset} infoset */
  constructor(game, infoset) {
    Object.assign(this, { infoset, columns: columnsOf(game, infoset), width: game.key.length });
    const [left, top, right] = CORNERS;
    const words = [
      { x: left.x, y: left.y + 22, "text-anchor": "middle" },
      { x: top.x, y: top.y - 12, "text-anchor": "middle" },
      { x: right.x, y: right.y + 22, "text-anchor": "middle" },
    ];
    this.way = svg("path", { class: "way now" });
    this.settled = svg("path", { class: "way average" });
    this.now = svg("circle", { class: "point now", r: 7 });
    this.average = svg("circle", { class: "point average", r: 7 });
    const nash = game.nash[infoset.label] && spot(game.nash[infoset.label]);
    const cross = nash ? `M${nash.x - 8} ${nash.y}h16M${nash.x} ${nash.y - 8}v16` : "";
    const outline = svg("path", { class: "outline-3", d: `${line(CORNERS)}Z` });
    const names = infoset.actions.map((action, number) => svg("text", words[number], action));
    const marks = [svg("path", { class: "nash", d: cross }), this.way, this.settled, this.now, this.average];
    this.picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img" }, outline, grid(), ...names, ...marks);
    this.told = element("figcaption", { class: "small" });
    const title = element("h3", { class: `player-${infoset.player + 1}` }, game.players[infoset.player]);
    this.node = element("figure", {}, title, this.picture, this.told);
  }

  show(frame, points, seen) {
    const { label } = this.infoset;
    set(this.way, "d", line(this.wandered(points, seen)));
    set(this.settled, "d", line(points.key.map((row) => spot(this.columns.map((column) => row[column])))));
    move(this.now, spot(frame.current[label]));
    move(this.average, spot(frame.average[label]));
    const told = words(this.infoset, frame);
    write(this.told, told);
    set(this.picture, "aria-label", told);
  }

  /** Where what is played has been: at the points of the charts, and wherever it was seen since. */
  wandered({ iterations, key }, seen) {
    const { label } = this.infoset;
    const current = this.columns.map((column) => this.width + column); // beside the average's
    const ways = new Map();
    key.forEach((row, place) => row.length > this.width && ways.set(iterations[place], current.map((column) => row[column])));
    for (const frame of seen) ways.set(frame.iteration, frame.current[label]);
    return [...ways].sort(([one], [other]) => one - other).map(([, strategy]) => spot(strategy));
  }
}

/** Where there are not three actions: bars. */
class Bars {
  /** @param {Game} game @param {import("./types.js").Infoset} infoset */
  constructor(game, infoset) {
    this.infoset = infoset;
    this.bars = infoset.actions.map((action, number) => {
      const [now, average] = ["now", "average"].map((kind) => element("i", { class: kind }));
      const nash = element("i", { class: "nash" });
      set(nash, "hidden", !game.nash[infoset.label]);
      style(nash, "--share", (game.nash[infoset.label]?.[number] ?? 0).toFixed(4));
      const node = element("div", { class: "shares" }, element("span", {}, action), element("span", { class: "tracks" }, now, average, nash));
      return { node, now, average };
    });
    this.told = element("figcaption", { class: "small" });
    const title = element("h3", { class: `player-${infoset.player + 1}` }, game.players[infoset.player]);
    this.node = element("figure", {}, title, ...this.bars.map(({ node }) => node), this.told);
  }

  show(frame) {
    const { label } = this.infoset;
    this.bars.forEach(({ now, average }, number) => {
      style(now, "--share", frame.current[label][number].toFixed(4));
      style(average, "--share", frame.average[label][number].toFixed(4));
    });
    write(this.told, words(this.infoset, frame));
  }
}

/** Which columns of the charts belong to an information set. */
const columnsOf = (game, { label }) => game.key.flatMap((each, column) => (each.label === label ? [column] : []));

const move = (point, { x, y }) => {
  set(point, "cx", x.toFixed(1));
  set(point, "cy", y.toFixed(1));
};

const words = ({ label, actions }, { current, average }) =>
  `Now ${spoken(actions, current[label])}. On average ${spoken(actions, average[label])}.`;

const spoken = (actions, strategy) => actions.map((action, number) => `${action} ${percent(strategy[number])}`).join(", ");

/** Lines at quarters. */
function grid() {
  const lines = [];
  for (const share of [0.25, 0.5, 0.75]) {
    for (const corner of [0, 1, 2]) {
      const ends = [1, 2].map((by) => {
        const strategy = [0, 0, 0];
        strategy[corner] = share;
        strategy[(corner + by) % CORNERS.length] = 1 - share;
        return spot(strategy);
      });
      lines.push(line(ends));
    }
  }
  return svg("path", { class: "grid-3", d: lines.join("") });
}
