// The race: the server runs it in the engine and tells who is where; here it is drawn.

import { chart } from "../../chart.js";
import { find, perRefresh, write } from "../dom.js";
import { addShortcuts } from "../keys.js";
import { attempt } from "../site.js";
import { Course } from "./course.js";
import { Order } from "./order.js";
import { save, table } from "./saving.js";
import { readRace } from "./stream.js";

const course = new Course(find("#course"));
const order = new Order(find("#order"));
let running = new AbortController();
let start;
let racers = [];
let over = false;
let view;

/** The points of every runner over iterations or over time. */
function series() {
  const across = start.course.measure === "time" ? 1 : 0;
  return racers.map(({ name, points }, number) => ({
    name,
    colour: number + 1,
    points: points.map((point) => [point[across], point[3]]),
  }));
}

const draw = perRefresh(({ race, news }) => {
  if (race !== start) return; // another one has begun meanwhile
  order.show(news, racers);
  view.update({ series: series() });
  if (over) finish(news);
});

function begin(message) {
  start = message;
  racers = start.runners.map((runner) => ({ ...runner, points: [] }));
  order.begin(start.runners, start.unit.name);
  const { measure, target_milli: target } = start.course;
  find("#chart").replaceChildren();
  view = chart(find("#chart"), {
    title: `Exploitability on ${start.game}`,
    x: { label: measure === "time" ? "seconds of solving" : "iterations", scale: "log" },
    y: { label: start.unit.name, scale: "log" },
    series: series(),
    targets: target ? [{ name: "finish", y: target, colour: 8 }] : [],
  });
  write(find("#unit-words"), start.unit.words);
  write(find("#state"), "Running");
}

function hear(message) {
  if (message.course) return begin(message);
  message.runners.forEach((runner, number) => racers[number].points.push(...runner.points));
  over = message.over;
  draw({ race: start, news: message });
}

function finish(news) {
  const winner = racers[news.order[0]].name;
  write(find("#state"), news.stopped || `Over: ${winner} is first`);
  find("main").dataset.over = "true";
}

async function run() {
  running.abort();
  running = new AbortController();
  const query = course.query();
  history.replaceState(null, "", `${location.pathname}?${query}`);
  delete find("main").dataset.over;
  over = false;
  write(find("#state"), "Getting ready: the game is compiled first");
  find("#stop").disabled = false;
  const own = running;
  try {
    await readRace(`api/race?${query}`, own.signal, hear);
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
  attempt(run);
});
find("#stop").addEventListener("click", () => running.abort());
find("#csv").addEventListener("click", () => save(table(start, racers), "text/csv", "race.csv"));
find("#svg").addEventListener("click", () => save(view.svg(), "image/svg+xml", "race.svg"));
addShortcuts([
  { keys: ["s"], words: "start the race", act: () => attempt(run) },
  { keys: ["Escape"], words: "stop it", act: () => running.abort() },
]);
addEventListener("pagehide", () => running.abort());

attempt(async () => {
  const given = await course.load();
  if (given) await run();
});
