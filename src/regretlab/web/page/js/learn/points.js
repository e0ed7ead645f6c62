// The points of the convergence charts, in columns.

/**
 * @typedef {import("./source.js").History} History new points, of which the first has the number `from`
 * @typedef {Pick<History, "iterations"|"exploitability"|"current_exploitability"|"key"|"milestones">} Points
 */

const COLUMNS = ["iterations", "exploitability", "current_exploitability", "key", "milestones"];

/** @type {Points} */
export const NO_POINTS = { iterations: [], exploitability: [], current_exploitability: [], key: [], milestones: [] };

/**
 * What was there up to `from`, and then what is new.
 * @param {Points} known
 * @param {History} news
 * @returns {Points}
 */
export function joined(known, news) {
  if (news.from === known.iterations.length && !news.iterations.length) return known;
  return /** @type {any} */ (
    Object.fromEntries(COLUMNS.map((name) => [name, known[name].slice(0, news.from).concat(news[name])]))
  );
}

/**
 * With the frame's own numbers as the last, moving point.
 * @param {Points} points
 * @param {import("./source.js").Frame} frame
 * @param {import("./source.js").Game} game
 * @returns {Points}
 */
export function upToNow(points, frame, game) {
  if (!frame.iteration || points.iterations.at(-1) === frame.iteration) return points;
  const key = game.key.map(({ label, action }) => {
    const { actions } = game.infosets.find((infoset) => infoset.label === label);
    return frame.average[label][actions.indexOf(action)];
  });
  return joined(points, {
    from: points.iterations.length,
    iterations: [frame.iteration],
    exploitability: [frame.exploitability.average],
    current_exploitability: [frame.exploitability.current],
    key: [key],
    milestones: [frame.milestones],
  });
}
