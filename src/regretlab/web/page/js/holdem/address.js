// The spot in the address: the name of the ready spot that it began with, and what is different from it.

const MOST_QUERY = 1800; // letters; servers refuse long addresses, so what is longer stands after a #, which is not sent

/** @returns {URLSearchParams} what the address says */
export function readAddress() {
  const said = new URLSearchParams(location.search);
  new URLSearchParams(location.hash.slice(1)).forEach((value, key) => said.set(key, value));
  return said;
}

let wanted = "";
let timer;

/** Writes what is not undefined, at once or, of a burst, a little later. @param {Record<string, string|undefined>} said */
export function writeAddress(said) {
  const pairs = Object.entries(said).filter(([, value]) => value !== undefined);
  const query = pairs.map(([key, value]) => `${key}=${encoded(value)}`).join("&");
  wanted = location.pathname + (query && (query.length > MOST_QUERY ? "#" : "?") + query);
  timer ??= setTimeout(() => {
    timer = undefined;
    if (wanted !== location.pathname + location.search + location.hash) history.replaceState(null, "", wanted);
  }, 300);
}

/** Ranges stay readable. @param {string} text */
const encoded = (text) => encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%20", "+");

/** How a form's values differ from those of a ready spot; what is cleared there is empty here. */
export function differences(values, ready) {
  const keys = [...new Set([...Object.keys(ready), ...Object.keys(values)])];
  return Object.fromEntries(keys.filter((key) => values[key] !== ready[key]).map((key) => [key, values[key] ?? ""]));
}
