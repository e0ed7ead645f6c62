// Exploitability so far as a small curve beside the controls; the charts below have axes and everything else.

import { find, set, svg } from "../dom.js";
import { count, distance, size } from "../format.js";

const [WIDE, HIGH] = [200, 56]; // of the picture, in its own units
const MARGIN = 4;

/** Pixels for values on a logarithmic scale; 0 lies on its lower end. @param {number[]} values @param {number} from @param {number} to */
function spread(values, from, to) {
  const logs = values.map((value) => (value > 0 ? Math.log10(value) : undefined));
  const known = logs.filter((log) => log !== undefined);
  if (!known.length) return logs.map(() => from);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  return logs.map((log) => from + ((to - from) * ((log ?? low) - low)) / (high - low || 1));
}

export class SmallCurve {
  constructor() {
    this.link = find("#small-curve");
    this.line = svg("path", { class: "line" });
    this.area = svg("path", { class: "area" });
    const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    picture.append(this.area, this.line);
    this.link.append(picture);
  }

  /**
   * @param {import("./points.js").Points} points with that of the frame as the last one
   * @param {{name: string, chips: number}} unit in which exploitability is told
   */
  show({ iterations, exploitability }, unit) {
    const gaps = exploitability.map((each) => distance(each / unit.chips));
    const xs = spread(iterations, 0, WIDE);
    const ys = spread(gaps, HIGH - MARGIN, MARGIN);
    const line = xs.map((x, place) => `${place ? "L" : "M"}${x.toFixed(1)} ${ys[place].toFixed(1)}`).join("");
    set(this.line, "d", line);
    set(this.area, "d", line && `${line}V${HIGH}H0Z`);
    const told = line ? ` after ${count(iterations.at(-1))} iterations: ${size(gaps.at(-1))} ${unit.name}` : "";
    set(this.link, "aria-label", `Exploitability${told}. To the charts`);
    set(this.link, "title", "To the charts");
    set(find("span", this.link), "hidden", Boolean(line));
  }
}
