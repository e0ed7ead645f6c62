// Charts in SVG, for the report and for the page. They draw and format what they are given and compute no results.
//
//   const view = chart(element, { title, x: { label, scale, range }, y: { label, scale, range }, series, targets, marks, note, file, pick });
//   view.update({ series, targets, marks });  view.svg();  view.csv();
//
// A scale is "log" or "linear"; where x counts something, `whole: true` puts its ticks at whole numbers. A series is
// { name, short, points: [[x, y], …], band: [[x, low, high], …], dashed, ghost, front, colour } with ascending x and a
// colour from 1 to 8; `short` is what stands at the end of the line, a ghost is only there to compare with, and a line that
// is on its way has one dot, at its `front`. A target
// { name, y, colour } is a dotted level; one that has the name of a series belongs to it. A mark { x, y, words } is a
// point with a meaning. With `file`, a name without an ending, there are buttons that save the picture and its data.
// `pick(x)` is called when somebody clicks at an x that has a point, or presses Enter there.

const SVG = "http://www.w3.org/2000/svg";
const COLOURS = 8;
const MOST_DOTS = 30; // a line of so many points shows each of them
const NEAR = 12; // pixels between the reading line and a point that it still reads
const LETTER = 7; // about the width of a letter on the axes, in pixels
const LINE = 14; // pixels between two names at the ends of lines
const GAP = 7; // pixels between the end of a line and its name
const WIDEST_NAMES = 0.34; // of the width, beside the plot; longer names stand in the legend alone
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

export function chart(element, spec) {
  return new Chart(element, spec);
}

// ---- numbers in words

/** A number with three digits or so: 0.0123, 12,346, 1.23·10⁻⁵; a dash where there is none. */
export function format(number, digits = 3) {
  if (number === null || number === undefined || Number.isNaN(number)) return "–";
  if (!Number.isFinite(number)) return number > 0 ? "∞" : "−∞";
  const size = Math.abs(number);
  if (size === 0 || (Number.isInteger(number) && size < 1e7)) return plain(number, 0);
  if (size >= 1e-4 && size < 1e7) return plain(number, Math.max(0, digits - 1 - Math.floor(Math.log10(size))));
  const [factor, exponent] = number.toExponential(digits - 1).split("e");
  return `${factor.replace("-", "−")}·${power(Number(exponent))}`;
}

function plain(number, decimals) {
  const fixed = { minimumFractionDigits: decimals, maximumFractionDigits: decimals, roundingMode: "halfEven" };
  return (number + 0).toLocaleString("en", fixed).replace("-", "−");
}

function power(exponent) {
  return `10${[...String(exponent)].map((letter) => SUPERSCRIPTS[letter] ?? "⁻").join("")}`;
}

// ---- scales and ticks

/** The function that maps a range of values to a range of pixels. */
function mapping(scale, [low, high], [from, to]) {
  const bend = scale === "log" ? Math.log10 : Number;
  const [start, length] = [bend(low), bend(high) - bend(low) || 1];
  return (value) => from + ((to - from) * (bend(value) - start)) / length;
}

/** The lowest and the highest of the values that the scale can show, never the same. */
function extent(values, scale) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value) || (scale === "log" && value <= 0)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return scale === "log" ? [1, 10] : [0, 1];
  if (low < high) return [low, high];
  return scale === "log" ? [low / 2, high * 2] : [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2];
}

/** A little more room at both ends. */
function padded([low, high], scale) {
  const part = 0.04;
  if (scale === "log") return [low * (low / high) ** part, high * (high / low) ** part];
  return [low - (high - low) * part, high + (high - low) * part];
}

/** Round numbers between two ends, at most about so many, `least` or more apart where the axis is linear. */
export function ticks(scale, [low, high], most, least = 0) {
  if (scale !== "log") return linearTicks(low, high, most, least);
  const powers = steps(Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9));
  if (powers.length >= 2) {
    const skip = Math.ceil(powers.length / most);
    return powers.filter((exponent) => exponent % skip === 0).map((exponent) => Number(`1e${exponent}`));
  }
  const decades = steps(Math.floor(Math.log10(low)), Math.ceil(Math.log10(high)));
  const finer = decades.flatMap((exponent) => [1, 2, 5].map((digit) => Number(`${digit}e${exponent}`)));
  const inside = finer.filter((value) => value >= low && value <= high);
  return inside.length >= 2 ? inside : linearTicks(low, high, most, least);
}

function linearTicks(low, high, most, least) {
  const rough = Math.max((high - low) / most, least);
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * unit).find((each) => each >= rough * 0.999);
  const multiples = steps(Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9));
  return multiples.map((multiple) => Number((multiple * step).toPrecision(12)));
}

function steps(first, last) {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => first + k);
}

/** What is written at the ticks of one axis: all written out, or all as powers of ten. */
function tickLabels(values) {
  const sizes = values.filter((value) => value !== 0).map(Math.abs);
  if (sizes.every((size) => size >= 9.99e-4 && size < 1e7)) return values.map(writtenOut);
  return values.map((value) => (value === 0 ? "0" : scientific(value)));
}

function writtenOut(value) {
  return value.toLocaleString("en", { maximumFractionDigits: 9 }).replace("-", "−");
}

function scientific(value) {
  const [factor, exponent] = value.toExponential().split("e");
  return factor === "1" ? power(Number(exponent)) : `${factor.replace("-", "−")}·${power(Number(exponent))}`;
}

// ---- small helpers

function make(name, attributes = {}, ...children) {
  const element = name.startsWith("svg:") ? document.createElementNS(SVG, name.slice(4)) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A name that, where there is little room, breaks between its arguments. */
function breakable(name) {
  return name.split(/(?<=[(,=])/).flatMap((part) => [part, make("wbr")]);
}

function colourClass(entry, position) {
  return `chart-colour-${entry.colour ?? (position % COLOURS) + 1}`;
}

/** The position of the point whose x is nearest in pixels; the points ascend. */
function nearest(xs, pixel, across) {
  let best = -1;
  let distance = Infinity;
  xs.forEach((x, k) => {
    const here = Math.abs(across(x) - pixel);
    if (here < distance) [best, distance] = [k, here];
  });
  return best;
}

/** Pixels to a tenth: finer is not seen. */
function tenths(pixel) {
  return Math.round(pixel * 10) / 10;
}

function ascending(numbers) {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function path(points, across, up) {
  let text = "";
  let pen = "M";
  for (const [x, y] of points) {
    const [left, top] = [across(x), y === null ? NaN : up(y)];
    const drawn = Number.isFinite(left) && Number.isFinite(top);
    if (drawn) text += `${pen}${tenths(left)} ${tenths(top)}`;
    pen = drawn ? "L" : "M"; // what can't be drawn leaves a gap
  }
  return text;
}

function dots({ points, front }, across, up) {
  if (front) return points.length ? `${path(points.slice(-1), across, up)}h0` : "";
  if (points.length > MOST_DOTS) return "";
  return points.map((point) => path([point], across, up)).filter(Boolean).map((dot) => `${dot}h0`).join("");
}

/** All that a line and its band reach. */
function heights({ points, band = [] }) {
  return [...points.map((point) => point[1]), ...band.flatMap(([, low, high]) => [low, high])];
}

/** The area between the ends of a band; on a log axis what is not above 0 reaches down to the edge. */
function area(band, across, up, bottom) {
  const upper = band.map(([x, , high]) => [x, high]);
  const lower = band.map(([x, low]) => [x, low]).reverse();
  const down = (y) => (Number.isFinite(up(y)) ? up(y) : bottom);
  return band.length ? `${path(upper, across, down)}${path(lower, across, down).replace("M", "L")}Z` : "";
}

function cell(value) {
  const text = value === undefined || value === null ? "" : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function save(text, type, name) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/**
 * Moves labels { x, y, width } up and down until no two cover each other, between a lowest and a highest y.
 * Those that are side by side stay where they are.
 */
export function spread(labels, [top, bottom]) {
  const clash = (one, other) => one.x < other.x + other.width && other.x < one.x + one.width;
  const clamp = (label) => (label.y = Math.min(Math.max(label.y, top), bottom));
  const sorted = [...labels].sort((a, b) => a.y - b.y);
  for (let round = 0, moved = true; moved && round < 60; round += 1) {
    moved = false;
    sorted.forEach((lower, k) => {
      for (const upper of sorted.slice(0, k)) {
        const missing = LINE - (lower.y - upper.y);
        if (missing < 0.01 || !clash(upper, lower)) continue;
        [upper.y, lower.y] = [upper.y - missing / 2, lower.y + missing / 2];
        clamp(upper);
        clamp(lower);
        if (lower.y - upper.y < LINE - 0.01) [upper.y, lower.y] = upper.y <= top ? [top, top + LINE] : [lower.y - LINE, lower.y];
        moved = true;
      }
    });
  }
  return labels;
}

// ---- the chart

class Chart {
  constructor(element, spec) {
    this.spec = { targets: [], marks: [], ...spec };
    this.hidden = new Set();
    this.reading = null; // the x that is being read
    this.build(element);
    this.rebuildEntries();
    new ResizeObserver(() => this.draw()).observe(this.plot);
    this.draw();
  }

  /** New lines, drawn with the next frame of the screen. */
  update({ series = this.spec.series, targets = this.spec.targets, marks = this.spec.marks }) {
    const before = this.entries.map((entry) => entry.name).join("\n");
    Object.assign(this.spec, { series, targets, marks });
    if (this.allEntries().map((entry) => entry.name).join("\n") !== before) this.rebuildEntries();
    this.waiting ??= requestAnimationFrame(() => this.draw());
  }

  build(element) {
    const { title, note = "", file } = this.spec;
    this.lines = make("svg:g");
    this.axes = make("svg:g");
    this.names = make("svg:g");
    this.marked = make("svg:path", { class: "chart-mark" });
    this.rule = make("svg:path", { class: "chart-rule" });
    this.description = make("svg:desc");
    this.image = make("svg:svg", { role: "img" }, make("svg:title", {}, title), this.description);
    this.image.append(this.axes, this.lines, this.marked, this.names, this.rule);
    this.readout = make("div", { class: "chart-readout", hidden: "" });
    this.reader = make("div", { class: "chart-reader", role: "slider", tabindex: 0 });
    this.reader.classList.toggle("chart-picks", Boolean(this.spec.pick));
    this.reader.setAttribute("aria-label", `${title}: read values`);
    this.plot = make("div", { class: "chart-plot" }, this.image, this.reader);
    this.legend = make("div", { class: "chart-legend", role: "group", "aria-label": `${title}: lines` });
    const caption = make("figcaption", { class: "chart-title" }, title);
    this.figure = make("figure", { class: "chart" }, caption, this.legend, this.plot, this.readout);
    if (note) this.figure.append(make("p", { class: "chart-note" }, note));
    if (file) this.figure.append(this.saveButtons(file));
    element.append(this.figure);
    this.listen();
  }

  saveButtons(file) {
    const button = (word, action) => {
      const made = make("button", { type: "button", "aria-label": `${word}: ${this.spec.title}` }, word);
      made.addEventListener("click", action);
      return made;
    };
    const data = button("Save data (CSV)", () => save(this.csv(), "text/csv", `${file}.csv`));
    const picture = button("Save picture (SVG)", () => save(this.svg(), "image/svg+xml", `${file}.svg`));
    return make("div", { class: "chart-save" }, data, picture);
  }

  // -- lines and their switches

  allEntries() {
    const { series, targets } = this.spec;
    const names = new Set(series.map((one) => one.name));
    return [...series, ...targets.filter((target) => !names.has(target.name))];
  }

  colourOf(entry) {
    if (entry.ghost) return "chart-ghost";
    return colourClass(entry, this.entries.findIndex((each) => each.name === entry.name));
  }

  /** Levels are dotted; lines are dashed where they ask for it, and where all colours have been used once. */
  lookOf(entry) {
    if ("y" in entry) return "chart-level";
    if (entry.ghost) return "chart-line chart-ghost";
    const position = this.entries.findIndex((each) => each.name === entry.name);
    const dashed = entry.dashed || Math.floor(position / COLOURS) % 2 === 1;
    return dashed ? "chart-line chart-dashed" : "chart-line";
  }

  /** The legend and the empty paths, after the names have changed. */
  rebuildEntries() {
    this.entries = this.allEntries();
    this.marks = this.spec.series.map((one) => this.marksOf(one));
    const levelOf = (target) => make("svg:path", { class: `chart-level ${this.colourOf(target)}` });
    this.levels = this.spec.targets.map(levelOf);
    this.lines.replaceChildren(...this.marks.map((mark) => mark.band), ...this.levels);
    this.lines.append(...this.marks.flatMap((mark) => [mark.line, mark.dots]));
    const needed = this.entries.length > 1 ? this.entries : [];
    this.legend.replaceChildren(...needed.map((entry) => this.switchOf(entry)));
  }

  marksOf(one) {
    const colour = this.colourOf(one);
    return {
      name: one.name,
      band: make("svg:path", { class: `chart-band ${colour}` }),
      line: make("svg:path", { class: `${this.lookOf(one)} ${colour}` }),
      dots: make("svg:path", { class: `chart-dots ${colour}` }),
    };
  }

  swatch(entry) {
    const line = make("svg:path", { d: "M1 6H23", class: `${this.lookOf(entry)} ${this.colourOf(entry)}` });
    return make("svg:svg", { class: "chart-swatch", viewBox: "0 0 24 12", "aria-hidden": "true" }, line);
  }

  switchOf(entry) {
    const pressed = String(!this.hidden.has(entry.name));
    const name = make("span", {}, ...breakable(entry.name));
    const button = make("button", { type: "button", "aria-pressed": pressed }, this.swatch(entry), name);
    button.addEventListener("click", () => this.toggle(entry.name, button));
    for (const event of ["pointerenter", "focus"]) button.addEventListener(event, () => this.highlight(entry.name));
    for (const event of ["pointerleave", "blur"]) button.addEventListener(event, () => this.highlight(null));
    return button;
  }

  toggle(name, button) {
    if (!this.hidden.delete(name)) this.hidden.add(name);
    button.setAttribute("aria-pressed", String(!this.hidden.has(name)));
    this.draw();
  }

  /** One line stands out while its switch is pointed at. */
  highlight(name) {
    for (const mark of this.marks) {
      const faded = name !== null && mark.name !== name && !this.hidden.has(name);
      for (const part of [mark.band, mark.line, mark.dots]) part.classList.toggle("chart-faded", faded);
    }
  }

  shown(list) {
    return list.filter((each) => !this.hidden.has(each.name));
  }

  // -- drawing

  draw() {
    cancelAnimationFrame(this.waiting);
    this.waiting = undefined;
    const [width, height] = [this.plot.clientWidth, this.plot.clientHeight];
    if (!width || !height) return; // not laid out yet; the observer comes back
    this.image.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.layOut(width, height);
    this.drawAxes(width, height);
    this.spec.series.forEach((one, k) => this.drawSeries(one, this.marks[k], height));
    this.spec.targets.forEach((target, k) => this.drawLevel(target, this.levels[k], width));
    this.xs = ascending(this.shown(this.spec.series).flatMap((one) => one.points.map(([x]) => x)));
    this.drawNames();
    this.drawMarks();
    this.description.textContent = this.summary();
    this.read(this.reading);
  }

  /** Margins, scales and ticks for this size and these data. */
  layOut(width, height) {
    const { x, y } = this.spec;
    const series = this.shown(this.spec.series);
    const levels = this.shown(this.spec.targets).map((target) => target.y);
    const xRange = x.range ?? extent(series.flatMap((one) => one.points.map((point) => point[0])), x.scale);
    const yRange = y.range ?? padded(extent([...series.flatMap(heights), ...levels], y.scale), y.scale);
    const yTicks = ticks(y.scale, yRange, Math.max(2, height / 48));
    const yLabels = tickLabels(yTicks);
    const left = 14 + LETTER * Math.max(1, ...yLabels.map((label) => label.length));
    this.box = { left, right: width - Math.max(22, this.roomForNames(width)), top: 30, bottom: height - 44 };
    const xTicks = ticks(x.scale, xRange, Math.max(2, (this.box.right - left) / 75), x.whole ? 1 : 0);
    this.ticks = { x: xTicks, y: yTicks, xLabels: tickLabels(xTicks), yLabels };
    this.across = mapping(x.scale, xRange, [this.box.left + 6, this.box.right - 6]);
    this.up = mapping(y.scale, yRange, [this.box.bottom, this.box.top]);
  }

  drawAxes(width, height) {
    const { left, right, top, bottom } = this.box;
    const text = (words, x, y, anchor, name = "chart-tick") =>
      make("svg:text", { x, y, "text-anchor": anchor, class: name }, words);
    const rows = this.ticks.y.map((value) => `M${left} ${tenths(this.up(value))}H${right}`);
    const columns = this.ticks.x.map((value) => `M${tenths(this.across(value))} ${top}V${bottom}`);
    this.axes.replaceChildren(
      make("svg:path", { class: "chart-grid", d: [...rows, ...columns].join("") }),
      make("svg:path", { class: "chart-axis", d: `M${left} ${bottom}H${right}` }),
      ...this.ticks.y.map((value, k) => text(this.ticks.yLabels[k], left - 8, this.up(value) + 4, "end")),
      ...this.ticks.x.map((value, k) => text(this.ticks.xLabels[k], this.across(value), bottom + 18, "middle")),
      text(this.spec.y.label, 2, 14, "start", "chart-label"),
      text(this.spec.x.label, right, height - 6, "end", "chart-label"),
    );
  }

  drawSeries(one, mark, height) {
    const points = this.hidden.has(one.name) ? [] : one.points;
    const band = this.hidden.has(one.name) ? [] : (one.band ?? []);
    mark.line.setAttribute("d", path(points, this.across, this.up));
    mark.dots.setAttribute("d", dots({ ...one, points }, this.across, this.up));
    mark.band.setAttribute("d", area(band, this.across, this.up, this.box.bottom));
  }

  drawLevel(target, level) {
    const top = this.up(target.y);
    const drawn = Number.isFinite(top) && !this.hidden.has(target.name);
    level.setAttribute("d", drawn ? `M${this.box.left} ${tenths(top)}H${this.box.right}` : "");
  }

  /** Pixels beside the plot for the names at the ends of the lines; 0 where they are too long for this width. */
  roomForNames(width) {
    const named = this.spec.series.length > 1 ? this.shown(this.spec.series) : [];
    const room = GAP + 4 + Math.max(0, ...named.map((one) => nameWidth(one)));
    this.named = named.length > 0 && room <= WIDEST_NAMES * width;
    return this.named ? room : 0;
  }

  /** A name at the end of every line, with a thread to it where it had to make room for another one. */
  drawNames() {
    const labels = this.named ? this.shown(this.spec.series).flatMap((one) => this.nameAt(one)) : [];
    spread(labels, [this.box.top + 4, this.box.bottom - 4]);
    const parts = labels.flatMap(({ one, x, y, end }) => {
      const colour = this.colourOf(one);
      const thread = make("svg:path", { class: `chart-thread ${colour}`, d: `M${tenths(x - GAP + 2)} ${tenths(end)}L${tenths(x - 1)} ${tenths(y)}` });
      const name = make("svg:text", { x: tenths(x + 1), y: tenths(y + 4), class: `chart-name ${colour}` }, one.short ?? one.name);
      return Math.abs(y - end) > 3 ? [thread, name] : [name];
    });
    this.names.replaceChildren(...parts);
  }

  /** Where the name of a line would like to be: beside its last point. */
  nameAt(one) {
    const [x, y] = one.points.findLast(([at, value]) => value !== null && Number.isFinite(this.across(at) + this.up(value))) ?? [];
    if (x === undefined) return [];
    const end = Math.min(Math.max(this.up(y), this.box.top), this.box.bottom);
    return [{ one, end, y: end, x: this.across(x) + GAP, width: nameWidth(one) }];
  }

  drawMarks() {
    const diamond = ({ x, y }) => {
      const [left, top] = [tenths(this.across(x)), tenths(this.up(y))];
      return Number.isFinite(left + top) ? `M${left} ${tenths(top - 6)}l6 6l-6 6l-6 -6z` : "";
    };
    this.marked.setAttribute("d", this.spec.marks.map(diamond).join(""));
  }

  // -- reading values

  listen() {
    this.reader.addEventListener("pointermove", (event) => this.readAt(event));
    this.reader.addEventListener("pointerdown", (event) => this.readAt(event));
    this.reader.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && this.read(null));
    this.reader.addEventListener("blur", () => this.read(null));
    this.reader.addEventListener("keydown", (event) => this.readByKey(event));
    this.reader.addEventListener("click", (event) => this.pickAt(event));
  }

  readAt(event) {
    this.read(this.pointedAt(event));
  }

  /** The x that somebody points at: that of a mark, where one is near, or of the nearest point. */
  pointedAt(event) {
    const pixel = event.clientX - this.reader.getBoundingClientRect().left;
    const marks = this.spec.marks.map(({ x }) => x);
    const mark = marks[nearest(marks, pixel, this.across)];
    if (mark !== undefined && Math.abs(this.across(mark) - pixel) < NEAR / 2) return mark;
    return this.xs?.[nearest(this.xs, pixel, this.across)] ?? null;
  }

  pickAt(event) {
    const x = this.pointedAt(event);
    if (x !== null) this.spec.pick?.(x);
  }

  readByKey(event) {
    if (event.key === "Enter" && this.reading !== null && this.spec.pick) {
      event.preventDefault();
      this.spec.pick(this.reading);
      return;
    }
    const here = this.xs.indexOf(this.reading);
    const last = this.xs.length - 1;
    const goals = { ArrowLeft: here < 0 ? last : here - 1, ArrowRight: here + 1, Home: 0, End: last, Escape: -1 };
    if (!(event.key in goals) || last < 0) return;
    event.preventDefault();
    const goal = goals[event.key];
    this.read(event.key === "Escape" ? null : this.xs[Math.min(Math.max(goal, 0), last)]);
  }

  /** Show the values at x, or nothing. */
  read(x) {
    this.reading = x !== null && this.xs?.length ? this.xs[nearest(this.xs, this.across(x), this.across)] : null;
    const pixel = this.reading === null ? null : this.across(this.reading);
    this.rule.setAttribute("d", pixel === null ? "" : `M${tenths(pixel)} ${this.box.top}V${this.box.bottom}`);
    this.readout.hidden = pixel === null;
    const values = pixel === null ? [] : this.valuesAt(pixel);
    this.announce(values);
    if (pixel !== null) this.fillReadout(values, pixel);
  }

  /** What every visible line has at the point that is nearest to a pixel; nothing where the line is not there. */
  valuesAt(pixel) {
    return this.shown(this.spec.series).map((one) => {
      const xs = one.points.map(([x]) => x);
      const position = nearest(xs, pixel, this.across);
      const near = position >= 0 && Math.abs(this.across(xs[position]) - pixel) < NEAR;
      return near ? { one, y: one.points[position][1], band: bandAt(one, xs[position]) } : { one, y: null };
    });
  }

  fillReadout(values, pixel) {
    const row = ({ one, y, band }) => {
      const spread = make("small", {}, band ? `${format(band[0])} … ${format(band[1])}` : "");
      return [this.swatch(one), make("span", {}, ...breakable(one.name)), make("b", {}, format(y)), spread];
    };
    const marks = this.spec.marks.filter(({ x }) => x === this.reading);
    const told = marks.map(({ words }) => make("div", { class: "chart-told" }, words));
    const head = make("div", { class: "chart-where" }, `${this.spec.x.label} ${format(this.reading)}`);
    this.readout.replaceChildren(head, ...values.flatMap(row), ...told);
    this.placeReadout(pixel);
  }

  /** Above the plot, over title and legend, which it repeats; below it where the window ends before. The plot stays free. */
  placeReadout(pixel) {
    const { offsetTop, clientWidth, clientHeight } = this.plot;
    const height = this.readout.offsetHeight;
    const above = this.plot.getBoundingClientRect().top + this.box.top - height - 6 >= 0;
    const left = Math.min(Math.max(pixel - this.readout.offsetWidth / 2, 0), clientWidth - this.readout.offsetWidth);
    this.readout.style.top = `${offsetTop + (above ? this.box.top - height - 6 : clientHeight - 18)}px`;
    this.readout.style.left = `${Math.max(left, 0)}px`;
  }

  /** The same for those who listen. */
  announce(values) {
    const at = this.reading === null ? -1 : this.xs.indexOf(this.reading);
    const marks = this.spec.marks.filter(({ x }) => x === this.reading);
    const said = [...values.map(({ one, y }) => `${one.name} ${format(y)}`), ...marks.map(({ words }) => words)].join("; ");
    this.reader.setAttribute("aria-valuemin", 0);
    this.reader.setAttribute("aria-valuemax", Math.max(0, (this.xs?.length ?? 0) - 1));
    this.reader.setAttribute("aria-valuenow", Math.max(0, at));
    const here = `${this.spec.x.label} ${format(this.reading)}: ${said}`;
    this.reader.setAttribute("aria-valuetext", at < 0 ? "arrow keys read values" : here);
  }

  /** What the picture shows, in words: where every line ends. */
  summary() {
    const { x, y, series } = this.spec;
    const drawn = series.filter((one) => one.points.length);
    const ends = drawn.map((one) => `${one.name} ends at ${format(one.points.at(-1)[1])}`);
    return `${y.label} against ${x.label}. ${ends.join("; ")}.`;
  }

  // -- to take away

  /** The picture as the text of an SVG file that needs nothing else: colours as they are now, with title and legend. */
  svg() {
    this.draw();
    const [width, height] = [this.plot.clientWidth, this.plot.clientHeight];
    const names = this.shown(this.entries);
    const copy = withColours(this.image);
    for (const [key, value] of Object.entries({ y: 28, width, height })) copy.setAttribute(key, value);
    const box = `0 0 ${width} ${height + 44 + 20 * names.length}`;
    const whole = make("svg:svg", { viewBox: box, "font-family": "sans-serif" });
    whole.append(
      make("svg:rect", { width: "100%", height: "100%", fill: backgroundOf(this.figure) }),
      this.words(this.spec.title, 2, 20, { "font-weight": "bold", "font-size": 15 }),
      copy,
      ...names.map((entry, k) => this.legendRow(entry, 46 + height + 20 * k)),
    );
    return new XMLSerializer().serializeToString(whole);
  }

  legendRow(entry, y) {
    const drawn = this.legend.children[this.entries.indexOf(entry)]?.querySelector("path") ?? this.marks[0].line;
    const line = withColours(drawn);
    line.setAttribute("d", `M2 ${y - 4}H28`);
    return make("svg:g", {}, line, this.words(entry.name, 36, y, { "font-size": 13 }));
  }

  words(text, x, y, look) {
    return make("svg:text", { x, y, fill: getComputedStyle(this.figure).color, ...look }, text);
  }

  /** The data as CSV, one line for each point; numbers to the last bit. */
  csv() {
    const { x, y, series, targets } = this.spec;
    const head = ["line", x.label, y.label, "low", "high"];
    const spread = (one, at) => bandAt(one, at) ?? ["", ""];
    const points = series.flatMap((one) => one.points.map((point) => [one.name, ...point, ...spread(one, point[0])]));
    const levels = targets.map((target) => [target.name, "", target.y, "", ""]);
    return [head, ...points, ...levels].map((row) => `${row.map(cell).join(",")}\n`).join("");
  }
}

/** About how many pixels the name at the end of a line takes. */
function nameWidth({ short, name }) {
  return 7.2 * (short ?? name).length;
}

/** The lowest and the highest at an x, if the series has a band there. */
function bandAt(one, x) {
  return one.band?.find(([at]) => at === x)?.slice(1);
}

const STROKES = ["stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin"];
const LOOKS = [...STROKES, "fill", "fill-opacity", "font-size"];

/** A copy that looks the same without a style sheet. */
function withColours(element) {
  const copy = element.cloneNode(true);
  const originals = [element, ...element.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((each, k) => {
    const style = getComputedStyle(originals[k]);
    const looks = /^(path|text)$/.test(each.tagName) ? LOOKS : [];
    each.removeAttribute("class");
    for (const look of looks) each.setAttribute(look, style.getPropertyValue(look));
  });
  return copy;
}

function backgroundOf(element) {
  for (let each = element; each; each = each.parentElement) {
    const colour = getComputedStyle(each).backgroundColor;
    if (colour !== "rgba(0, 0, 0, 0)" && colour !== "transparent") return colour;
  }
  return "white";
}
