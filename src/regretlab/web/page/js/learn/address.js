// The page's state and its address: /learn/cfr-plus?ante=1&bet=2&seed=3&t=120&info=Qcb&deal=JQ&delay=10

import { readAddress, writeAddress } from "../address.js";
import { address } from "../api.js";
import { all, find, set } from "../dom.js";

/** @typedef {import("./source.js").Setup} Setup */

const form = find("#setup-form");

/** What the form says, and what its fields say when nothing is changed. */
const fields = () => all("input[name], select[name]", form);
const usual = (field) => (field.matches("select") ? find("option[selected]", field).value : field.defaultValue);
const changed = () => Object.fromEntries(fields().filter((each) => each.value !== usual(each)).map((each) => [each.name, each.value]));

/** The set-up that the form holds. @returns {Setup} */
export function setup() {
  const { ante, bet, seed } = Object.fromEntries(fields().map((field) => [field.name, field.value]));
  const { ante: _a, bet: _b, seed: _s, ...parameters } = changed();
  return { ante, bet, seed, parameters };
}

/** The set-up in a few words: what is not usual. */
export const setupWords = () => Object.entries(changed()).map(([name, value]) => `${name} ${value}`).join(", ");

/** Fills the form. @param {Setup} setup */
export function fill({ parameters, ...others }) {
  const all = { ...others, ...parameters };
  for (const field of fields()) if (field.name in all) field.value = all[field.name];
}

/**
 * What stands in the address, whatever it is.
 * @returns {{asked: Setup, t: string, info: string, deal: string, speed: string}}
 */
export function readState() {
  const { t = "0", info = "", deal = "", speed = "2", ante = "1", bet = "1", seed = "0", ...rest } = readAddress();
  const given = fields().filter(({ name }) => name in rest).map(({ name }) => [name, rest[name]]);
  return { asked: { ante, bet, seed, parameters: Object.fromEntries(given) }, t, info, deal, speed };
}

/** @param {{t: number|string, info: string, deal: string, speed: string}} state */
export function writeState({ t, info, deal, speed }) {
  writeAddress({ ...changed(), t: t || "", info, deal, speed: speed === "2" ? "" : speed });
}

const MOST_TO_PLAY = 1_000_000; // iterations that a bot at the table may have

/**
 * The link to a table where this very bot sits. It knows the game and the recipe as it is: not other parameters, and no seed.
 * @param {number} iteration
 */
export function againstIt(iteration) {
  const link = document.querySelector("#against");
  if (!link) return;
  const { ante, bet } = setup();
  const { ante: _a, bet: _b, ...others } = changed();
  const query = new URLSearchParams({ game: "kuhn", ante, bet, recipe: find("main").dataset.recipe, iterations: String(iteration) });
  set(link, "href", address(`play?${query}`));
  set(link, "hidden", Object.keys(others).length > 0 || iteration > MOST_TO_PLAY);
}
