// The hero of the home page: how often the bot bluffs, from the first coin flip to where it stays. The engine has run it.

import { ask, exported, recorded } from "../api.js";
import { find, set, svg, write } from "../dom.js";
import { count, percent } from "../format.js";

const SECONDS = 8;
const [WIDE, HIGH] = [320, 90]; // of the drawing
const HOLD = 0.12; // of the time, before anything moves

const place = find("#bluff");
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
(recorded ? exported("data/bluff") : ask("api/bluff")).then(begin, () => {}); // without it there are the cards alone

/** @param {{points: number[][], stays: number, words: string, recipe: string}} run */
function begin({ points, stays }) {
  const across = (iteration) => (WIDE * Math.log(1 + iteration)) / Math.log(1 + points.at(-1)[0]);
  const up = (share) => HIGH - 4 - (HIGH - 8) * Math.min(1, share / 0.6);
  const line = svg("path", { class: "run" });
  const dot = svg("circle", { r: 5 });
  const level = svg("path", { class: "stays", d: `M0 ${up(stays)}H${WIDE}` });
  find("svg", place).replaceChildren(level, line, dot);
  set(place, "hidden", false);

  const show = (last) => {
    const [iteration, share] = points[last];
    const drawn = points.slice(0, last + 1).map(([at, value]) => `${across(at).toFixed(1)} ${up(value).toFixed(1)}`);
    set(line, "d", `M${drawn.join("L")}`);
    set(dot, "cx", across(iteration));
    set(dot, "cy", up(share));
    write(find("#bluff-share"), percent(share));
    write(find("#bluff-at"), iteration ? `after ${count(iteration)} ${iteration === 1 ? "round" : "rounds"}` : "before the first round");
  };
  if (calm) return show(points.length - 1);
  let began;
  const step = (now) => {
    const gone = (now - (began ??= now)) / 1000 / SECONDS;
    show(Math.round((points.length - 1) * Math.min(1, Math.max(0, (gone - HOLD) / (1 - HOLD)))));
    if (gone < 1) requestAnimationFrame(step);
    else set(place, "data-done", true);
  };
  return requestAnimationFrame(step);
}
