// The race: the server runs it in the engine and tells who is where; here it is drawn.

import { chart } from "../../chart.js";
import { all, find, perRefresh, set, write } from "../dom.js";
import { addShortcuts } from "../keys.js";
import { save } from "../save.js";
import { announce, attempt, notice } from "../site.js";
import { Course } from "./course.js";
import { Order } from "./order.js";
import { Replay } from "./replay.js";
import { table } from "./saving.js";
import { readStream } from "../stream.js";

const SHORT = 4000; // milliseconds; a race that was over sooner is shown again, slowly
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const course = new Course(find("#course"));
const order = new Order(find("#order"));
const replay = new Replay(drawFronts, settle);
let running = new AbortController();
let start;
let racers = [];
let over = false;
let last; // the newest news
let began = 0;
let view;

/** Which column of a point the chart is drawn over: 0 iterations, 1 seconds. */
const across = () => Number(find("#across input:checked").value);

/** What every runner has run so far, as lines; each has a dot at its front. */
function series(fronts) {
  return racers.map(({ name }, number) => ({
    name,
    colour: number + 1,
    front: true,
    points: fronts[number].map((point) => [point[across()], point[3]]),
  }));
}

const draw = perRefresh(({ race, news }) => {
  if (race !== start) return; // another one has begun meanwhile
  order.show(news, racers);
  view.update({ series: series(racers.map(({ points }) => points)) });
  if (over) finish();
});

/** The axes do not move during a replay: they are those of the whole race. */
function drawChart() {
  const target = start.course.target_milli;
  const points = racers.flatMap((racer) => racer.points);
  find("#chart").replaceChildren();
  view = chart(find("#chart"), {
    title: `Exploitability on ${start.title}`,
    x: { label: across() ? "seconds of solving" : "iterations", scale: "log", range: over ? ends(points, across()) : undefined },
    y: { label: start.unit.name, scale: "log", range: over ? ends([...points, [0, 0, 0, target]], 3) : undefined },
    series: series(racers.map((racer) => racer.points)),
    targets: target ? [{ name: "finish", y: target, colour: 8 }] : [],
  });
}

/** The least and the largest number above 0 in a column of points; nothing where they are the same. */
function ends(points, column) {
  const found = points.map((point) => point[column]).filter((number) => number > 0);
  const [low, high] = [Math.min(...found), Math.max(...found)];
  return low < high ? [low, high] : undefined;
}

/** The replay at one moment. */
function drawFronts(fronts) {
  view.update({ series: series(fronts) });
  const seen = fronts.map((points, number) => racers[number].points.findLastIndex((point) => points.includes(point)) + 1);
  order.showReplay(last, racers, seen);
}

function begin(message) {
  start = message;
  racers = start.runners.map((runner) => ({ ...runner, points: [] }));
  began = performance.now();
  order.begin(start.runners, start.unit.name);
  find(`#across [value="${start.course.measure === "time" ? 1 : 0}"]`).checked = true;
  drawChart();
  write(find("#unit-words"), start.unit.words);
  write(find("#state"), "Running");
}

function hear(message) {
  if (message.course) return begin(message);
  message.runners.forEach((runner, number) => racers[number].points.push(...runner.points));
  over = message.over;
  last = message;
  draw({ race: start, news: message });
}

/** The server has finished. Whoever could not see it run sees it now, unless motion is unwelcome. */
function finish() {
  drawChart();
  replay.load(racers, across());
  find("#replay").disabled = false;
  if (calm.matches || performance.now() - began > SHORT) settle();
  else playReplay();
}

function playReplay() {
  if (!over || !last) return;
  if (replay.playing) replay.pause();
  else if (calm.matches) replay.finish();
  else replay.play();
  sayReplay();
}

function sayReplay() {
  find("#replay").classList.toggle("playing", replay.playing);
  write(find("#replay-word"), replay.playing ? "Pause" : replay.share < 1 ? "Go on" : "Replay");
  if (replay.playing) write(find("#state"), "Running again, slowly enough to be seen");
}

/** The end, as the server has told it. */
function settle() {
  order.show(last, racers);
  const winner = racers[last.order[0]].name;
  write(find("#state"), last.stopped || `Over: ${winner} is first`);
  announce(find("#state").textContent);
  find("main").dataset.over = "true";
  sayReplay();
}

/** Over iterations or over time: the same race on another axis. */
function turnAxis() {
  if (!start) return;
  drawChart();
  if (over) {
    replay.load(racers, across());
    playReplay();
  }
}

async function run() {
  running.abort();
  running = new AbortController();
  const query = course.query();
  history.replaceState(null, "", `${location.pathname}?${query}`);
  delete find("main").dataset.over;
  replay.pause();
  over = false;
  set(find("#replay"), "disabled", true);
  write(find("#state"), "Getting ready: the game is compiled first");
  find("#stop").disabled = false;
  find("#chart").closest("section").scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" });
  const own = running;
  try {
    await readStream(`api/race?${query}`, own.signal, hear);
    if (!over) throw new Error("the race broke off; is regretlab serve still running?");
  } catch (problem) {
    if (own !== running) return; // another race has begun
    write(find("#state"), own.signal.aborted ? "Stopped" : "");
    if (!own.signal.aborted) throw problem;
  } finally {
    if (own === running) rest();
  }
}

/** Nothing runs: what was run can be saved, and who is at the stop button finds the start button. */
function rest() {
  if (document.activeElement === find("#stop")) find("#start").focus();
  find("#stop").disabled = true;
  for (const button of ["#csv", "#svg"]) find(button).disabled = !racers.length;
}

find("#course").addEventListener("submit", (event) => {
  event.preventDefault();
  notice("address"); // it has been read
  attempt(run);
});
find("#stop").addEventListener("click", () => running.abort());
find("#replay").addEventListener("click", playReplay);
for (const input of all("#across input")) input.addEventListener("change", turnAxis);
find("#csv").addEventListener("click", () => save(table(start, racers), "text/csv", "race.csv"));
find("#svg").addEventListener("click", () => save(view.svg(), "image/svg+xml", "race.svg"));
addShortcuts([
  { keys: ["s"], words: "start the race", act: () => attempt(run) },
  { keys: ["Escape"], words: "stop it", act: () => running.abort() },
  { keys: ["p"], words: "replay or pause", act: playReplay },
]);
addEventListener("pagehide", () => running.abort());

attempt(async () => {
  const given = await course.load();
  if (given) await run();
});
