// The race once more, slowly enough to be seen: a clock that runs over all points in a few seconds.

const SECONDS = 7; // from the first point to the last one

/** @typedef {{name: string, points: number[][]}} Racer whose points are [iteration, seconds, chips, thousandths] */

export class Replay {
  /**
   * @param {(fronts: number[][][]) => void} show gets what each racer has run so far
   * @param {() => void} ended
   */
  constructor(show, ended) {
    Object.assign(this, { show, ended, racers: [], across: 0, share: 1, timer: 0 });
  }

  /** @param {Racer[]} racers @param {number} across which column is the clock: 0 iterations, 1 seconds */
  load(racers, across) {
    this.pause();
    Object.assign(this, { racers, across, share: 1 });
    const all = racers.flatMap(({ points }) => points.map((point) => point[across])).filter((place) => place > 0);
    this.range = [Math.log(Math.min(...all)), Math.log(Math.max(...all))];
  }

  get playing() {
    return this.timer !== 0;
  }

  /** From where it is, or from the start once it has ended. */
  play() {
    if (this.playing || !this.racers.length) return;
    if (this.share >= 1) this.share = 0;
    let before = performance.now();
    const step = (now) => {
      this.share = Math.min(1, this.share + Math.max(0, now - before) / 1000 / SECONDS);
      before = now;
      this.timer = this.share < 1 ? requestAnimationFrame(step) : 0;
      this.draw();
      if (!this.timer) this.ended();
    };
    this.timer = requestAnimationFrame(step);
  }

  pause() {
    cancelAnimationFrame(this.timer);
    this.timer = 0;
  }

  /** The end at once. */
  finish() {
    this.pause();
    this.share = 1;
    this.draw();
    this.ended();
  }

  draw() {
    const [first, last] = this.range;
    const now = first + (last - first) * this.share;
    this.show(this.racers.map(({ points }) => (this.share < 1 ? upTo(points, this.across, Math.exp(now)) : points)));
  }
}

/** The points up to a place, and the place itself on the line to the next one, which is straight on the chart. */
function upTo(points, across, place) {
  const next = points.findIndex((point) => point[across] > place);
  if (next < 0) return points;
  if (next === 0) return points.slice(0, 1).filter((point) => point[across] <= place);
  const [before, after] = [points[next - 1], points[next]];
  const part = Math.log(place / before[across]) / Math.log(after[across] / before[across]);
  const between = before.map((number, column) => number * (after[column] / number) ** part);
  return [...points.slice(0, next), between];
}
