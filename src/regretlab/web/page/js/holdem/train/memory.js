// What this tab remembers of its tables: what was done at each, so that a reload or another page in between loses nothing.

const known = new Map();

/** A table at any solve has a place of its own, and one that solves share: a server that was started again has new names for them. */
const place = ({ seats, seed }, id) => ["training", id, seats, seed].filter((part) => part !== undefined).join(" ");

/** @param {string} id of the solve @param {{seats: string, seed: number, record: string}} table */
export function remember(id, table) {
  for (const key of [place(table, id), place(table)]) {
    known.set(key, table.record);
    try {
      sessionStorage.setItem(key, table.record);
    } catch {
      // Storage may be forbidden or full: the table then lasts as long as the page.
    }
  }
}

/**
 * What was done at a table.
 * @param {string} id of the solve @param {{seats: string, seed: number}} table @param {boolean} anywhere whether another solve will do
 * @returns {string | undefined}
 */
export const remembered = (id, table, anywhere) => read(place(table, id)) ?? (anywhere ? read(place(table)) : undefined);

function read(key) {
  try {
    return known.get(key) ?? sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
