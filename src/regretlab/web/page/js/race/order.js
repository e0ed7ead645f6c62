// Who leads: one row for each runner, moved to its place.

import { format } from "../../chart.js";
import { address } from "../api.js";
import { element, find, set, style, write } from "../dom.js";
import { count, fixed } from "../format.js";

export class Order {
  /** @param {Element} list */
  constructor(list) {
    this.list = list;
  }

  /** @param {{slug: string, name: string}[]} runners @param {string} unit of their exploitability */
  begin(runners, unit) {
    this.rows = runners.map(({ slug, name }, number) => row(slug, name, number, unit));
    this.list.replaceChildren(...this.rows);
  }

  /** @param {any} news @param {any[]} racers what each has sent so far */
  show(news, racers) {
    news.runners.forEach((runner, number) => fill(this.rows[number], runner, racers[number].points.at(-1)));
    this.sort(news.order);
  }

  /**
   * The same in the middle of a replay: who has run less far is not ranked otherwise than by the latest look.
   * @param {any} news of the end @param {any[]} racers @param {number[]} seen how many points of each are behind
   */
  showReplay(news, racers, seen) {
    const looks = racers.map(({ points }, number) => points[seen[number] - 1]);
    looks.forEach((latest, number) => {
      const ended = seen[number] === racers[number].points.length;
      const [iteration, seconds] = latest ?? [0, 0];
      const share = seen[number] / racers[number].points.length;
      fill(this.rows[number], ended ? news.runners[number] : { iteration, seconds, progress: share }, latest);
    });
    const arrived = (number) => seen[number] === racers[number].points.length && news.runners[number].arrived;
    const rank = (number) => (arrived(number) ? news.order.indexOf(number) - racers.length : (looks[number]?.[3] ?? Infinity));
    this.sort(racers.map((_, number) => number).sort((a, b) => rank(a) - rank(b)));
  }

  /** @param {number[]} order the numbers of the racers, the leader first */
  sort(order) {
    order.forEach((number, place) => {
      if (this.list.children[place] !== this.rows[number]) this.list.insertBefore(this.rows[number], this.list.children[place]);
    });
  }
}

function row(slug, name, number, unit) {
  return element(
    "li",
    { class: `chart-colour-${number + 1}`, "data-slug": slug },
    element("span", { class: "swatch", "aria-hidden": "true" }),
    element("a", { class: "name", href: address(`learn/${slug}`) }, name),
    element("strong", { class: "gap" }, "–"),
    element("span", { class: "unit soft small" }, unit),
    element("span", { class: "way soft small" }, "waits"),
    element("span", { class: "bar", "aria-hidden": "true" }, element("span")),
  );
}

function fill(node, runner, latest) {
  if (latest) write(find(".gap", node), format(latest[3], 4));
  const way = `${count(runner.iteration)} iterations, ${fixed(runner.seconds, 3)} s`;
  write(find(".way", node), runner.arrived ? `arrived: ${way}` : way);
  set(node, "data-done", runner.done);
  style(find(".bar span", node), "width", `${100 * runner.progress}%`);
}
