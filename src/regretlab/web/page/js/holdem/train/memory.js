// What this tab remembers of its tables: what was done at each, so that a reload or another page in between loses nothing.

const known = new Map();

/** @param {{seats: string, seed: number}} table */
const place = ({ seats, seed }) => `training ${seats} ${seed}`;

/** @param {{seats: string, seed: number, record: string}} table */
export function remember(table) {
  known.set(place(table), table.record);
  try {
    sessionStorage.setItem(place(table), table.record);
  } catch {
    // Storage may be forbidden or full: the table then lasts as long as the page.
  }
}

/** What was done at a table. @param {{seats: string, seed: number}} table */
export function remembered(table) {
  try {
    return known.get(place(table)) ?? sessionStorage.getItem(place(table)) ?? "";
  } catch {
    return "";
  }
}
