// What this tab remembers of its tables: enough to have each again, even from a server that was started anew.

/** @typedef {{order: Record<string, any>, table: string, seed: number, record: string}} Kept */

const LAST = "table";

const PARTS = ["game", "ante", "bet", "recipe", "iterations", "seat", "seed"];

/** The place of a table: a game, a bot and a seat have one account. @param {Record<string, any>} order */
const place = (order) => `${LAST} ${PARTS.map((name) => order[name] ?? "").join(" ")}`;

/** @type {Map<string, Kept>} */
const known = new Map();

/** @param {Record<string, any>} order @param {{table: string, seed: number, record: string}} view */
export function keep(order, { table, seed, record }) {
  known.set(place(order), { order, table, seed, record });
  try {
    sessionStorage.setItem(place(order), JSON.stringify(known.get(place(order))));
    sessionStorage.setItem(LAST, place(order));
  } catch {
    // Storage may be forbidden or full: the table then lasts as long as the page.
  }
}

/** @param {Record<string, any>} order @returns {Kept|undefined} */
export const kept = (order) => read(place(order));

/** The table at which this tab sat last. @returns {Kept|undefined} */
export const keptLast = () => read(stored(LAST) ?? "");

/** @param {string} key */
function stored(key) {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @returns {Kept|undefined} */
const read = (key) => known.get(key) ?? JSON.parse(stored(key) ?? "null") ?? undefined;
