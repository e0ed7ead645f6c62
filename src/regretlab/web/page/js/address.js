// The state of a page in its address, so that a link reproduces the view.

/** @returns {Record<string, string>} what the query says */
export const readAddress = () => Object.fromEntries(new URLSearchParams(location.search));

/**
 * Writes the state into the address without a new entry in the history; empty values are left out.
 * Browsers allow about 100 changes in 30 s, so of a burst the first one is written at once and the last one a little later.
 * @param {Record<string, any>} state
 */
export function writeAddress(state) {
  const kept = Object.entries(state).filter(([, value]) => value !== "" && value !== undefined && value !== null);
  const query = new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString();
  wanted = location.pathname + (query && `?${query}`) + location.hash;
  if (!timer && put()) rest();
}

let wanted = "";
let timer;

/** Whether there was something to write. */
function put() {
  if (wanted === location.pathname + location.search + location.hash) return false;
  history.replaceState(null, "", wanted);
  return true;
}

function rest() {
  timer = setTimeout(() => {
    timer = undefined;
    if (put()) rest();
  }, 400);
}
