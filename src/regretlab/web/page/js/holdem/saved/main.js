// Solved spots in the folder that the server was started with: which there are, and which files are none.

import { ask } from "../../api.js";
import { element, set } from "../../dom.js";
import { count, size } from "../../format.js";
import { cardNodes } from "../explore/words.js";

/**
 * @param {HTMLElement} section
 * @param {(told: any) => void} opened is told of a run that was opened
 * @param {(act: () => Promise<void>) => void} attempt
 */
export async function listSaved(section, opened, attempt) {
  const { folder, files } = await ask("api/holdem/saved");
  set(section, "hidden", !folder);
  if (!folder) return;
  const press = (name) => attempt(async () => opened(await ask("api/holdem/saved", { name })));
  const runs = files.filter(({ error }) => !error);
  const others = files.filter(({ error }) => error);
  const none = element("p", { class: "soft" }, "There are none yet. This command puts one there: ", element("code", {}, `regretlab solve holdem:river-polar --save ${folder}/polar.npz`));
  const rest = element("details", { class: "small" }, element("summary", {}, `${count(others.length)} other ${others.length === 1 ? "file" : "files"}`),
    element("ul", { class: "others" }, ...others.map(({ error }) => element("li", {}, error))));
  section.replaceChildren(element("h2", {}, "Saved runs"), element("p", { class: "soft small" }, `In ${folder}: choose one to open it as it was solved.`),
    ...(runs.length ? [element("ul", { class: "ready" }, ...runs.map((run) => tile(run, press)))] : [none]), ...(others.length ? [rest] : []));
}

function tile({ name, board, street, pot, stack, recipe, iterations, of_pot: part }, press) {
  const about = `${street}, pot ${count(pot)}, ${count(stack)} behind`;
  return element("li", {}, element("button", { type: "button", class: "card tile", "data-saved": name, onclick: () => press(name) },
    element("b", {}, name), element("span", { class: "pips" }, ...cardNodes(board)), element("span", {}, about),
    element("span", {}, `${recipe}, ${count(iterations)} iterations, ${size(100 * part, 2)} % of the pot`)));
}
