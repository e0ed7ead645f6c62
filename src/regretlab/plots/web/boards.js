// The report of many boards: choose textures, sort the table, see a board's grid. All numbers lie in the page.

const RANKS = "AKQJT98765432";
const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const PLAYERS = ["OOP", "IP"];
const FIRST_LETTER = 256; // where the letters of grids begin, each a number in percent
const NOTHING = 255; // in a grid: nobody holds such hands
const MOST_SIZES = 4; // colours of sizes, from light to dark
const DARK = new Set(["--act-fold", "--act-size-3", "--act-size-4"]);
const PARTS = { pairing: "Pairs", suits: "Suits", connection: "Straights", high: "High card" };
const NARROWEST_LABEL = 0.12; // parts of a bar that are smaller have no text

const batches = JSON.parse(document.getElementById("batches").textContent);

/** An element. @param {string} tag @param {Record<string, any>} [attributes] @param {...any} children */
function element(tag, attributes = {}, ...children) {
  const svg = ["svg", "circle", "line", "text", "title", "g"].includes(tag);
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key.startsWith("--")) node.style.setProperty(key, value);
    else if (value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

const minus = (text) => text.replace("-", "−");
const fixed = (number, digits) => minus(number.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }));
const percent = (share, digits = 1) => `${fixed(100 * share, digits)} %`;
const boardCards = (name) => name.match(/../g).map((card) =>
  element("span", { class: "pip", "data-suit": card[1] }, card[0], element("i", {}, SIGNS[card[1]])));
const plainCards = (name) => name.match(/../g).map((card) => card[0] + SIGNS[card[1]]).join("");
const textureWords = ({ pairing, suits, connection, high }) => `${high}-high, ${pairing}, ${suits}, ${connection}`;

/** The colour of an action, as a custom property: the larger of several sizes the darker. */
function colour(place, actions) {
  const { kind, bets } = actions[place];
  if (!bets) return kind === "fold" ? "--act-fold" : "--act-passive";
  const sizes = actions.filter((action) => action.bets);
  const spread = sizes.length === 1 ? 1 : Math.round((sizes.indexOf(actions[place]) * (MOST_SIZES - 1)) / (sizes.length - 1));
  return `--act-size-${1 + spread}`;
}

const paint = (place, actions) => {
  const name = colour(place, actions);
  return { "--act": `var(${name})`, "--on-act": DARK.has(name) ? "var(--on-dark-act)" : "var(--on-light-act)" };
};

/** The mean over boards, by how much they count. @param {any[]} boards @param {(board: any) => number} number */
function mean(boards, number) {
  const whole = boards.reduce((sum, board) => sum + board.share, 0);
  return boards.reduce((sum, board) => sum + board.share * number(board), 0) / whole;
}

/** How often each action is taken, as one bar; the most aggressive stands left, as in grids. */
function bar(does, actions) {
  const parts = does.map((share, a) => [share, a]).reverse().filter(([share]) => share > 0);
  const said = does.map((share, a) => `${actions[a].name} ${percent(share)}`).join(", ");
  return element("div", { class: "bar", role: "img", "aria-label": said }, ...parts.map(([share, a]) =>
    element("span", { ...paint(a, actions), "--share": `${100 * share}%` },
      share >= NARROWEST_LABEL ? `${actions[a].name} ${percent(share, 0)}` : "")));
}

const key = (actions) => element("ul", { class: "key" }, ...actions.map((action, a) =>
  element("li", paint(a, actions), element("i", { "aria-hidden": "true" }), action.name)));

// ── Grids

function fieldName(place) {
  const [row, column] = [Math.floor(place / RANKS.length), place % RANKS.length];
  if (row === column) return RANKS[row] + RANKS[row];
  return row < column ? `${RANKS[row]}${RANKS[column]}s` : `${RANKS[column]}${RANKS[row]}o`;
}

/** A grid of 13 × 13 fields, in which arrow keys move, and a line that says what a field does. */
function handGrid(board, actions) {
  const [left, ...does] = board.grid.map((letters) => [...letters].map((letter) => letter.codePointAt(0) - FIRST_LETTER));
  const told = element("p", { class: "hand-told", "aria-live": "polite" }, " ");
  const cells = left.map((part, place) => {
    const mix = does.map((column) => column[place]);
    const held = part > 0 && part !== NOTHING && mix.every((share) => share !== NOTHING);
    const name = fieldName(place);
    const words = held ? `${name}: ${actions.map((action, a) => `${action.name} ${mix[a]} %`).join(", ")}` : `${name}: not held here`;
    return element("td", {
      class: held ? "" : "none",
      tabindex: place ? -1 : 0,
      "aria-label": words,
      "--left": held ? `${part}%` : "0%",
      "--fill": held ? stripes(mix, actions) : "none",
      onpointerenter: () => { told.textContent = words; },
      onfocus: () => { told.textContent = words; },
    }, name);
  });
  const rows = RANKS.split("").map((_, row) =>
    element("tr", { role: "row" }, ...cells.slice(row * RANKS.length, (row + 1) * RANKS.length)));
  cells.forEach((cell) => cell.setAttribute("role", "gridcell"));
  const table = element("table", { class: "hand-grid", role: "grid", "aria-label": `What hands do on ${plainCards(board.name)}` },
    element("tbody", {}, ...rows));
  table.addEventListener("keydown", (event) => moveIn(cells, event));
  return [table, told];
}

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

function moveIn(cells, event) {
  const step = STEPS[event.key];
  if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  const place = cells.indexOf(event.target);
  const [row, column] = [Math.floor(place / RANKS.length) + step[0], (place % RANKS.length) + step[1]];
  if (row < 0 || row >= RANKS.length || column < 0 || column >= RANKS.length) return;
  const next = cells[row * RANKS.length + column];
  cells[place].tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/** The most aggressive action stands left, as on bars. */
function stripes(mix, actions) {
  const whole = mix.reduce((sum, part) => sum + part, 0) || 1;
  let from = 0;
  const stops = mix.map((part, a) => [part, a]).reverse().map(([part, a]) => {
    const to = from + (100 * part) / whole;
    const stop = `var(${colour(a, actions)}) ${from.toFixed(1)}% ${to.toFixed(1)}%`;
    from = to;
    return stop;
  });
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

/** A board with its grid and its numbers. */
function panel(board, batch, heading) {
  const { actions, player, pot } = batch;
  const name = board.explorer
    ? element("a", { href: board.explorer, title: "Open the explorer" }, ...boardCards(board.name))
    : element("span", {}, ...boardCards(board.name));
  const numbers = [
    `EV of ${PLAYERS[player]} ${fixed(board.evs[player], 2)} (${percent(board.evs[player] / pot)} of the pot)`,
    `equity ${percent(board.equities[player])}`,
    `exploitability ${fixed(100 * board.exploitability, 2)} % of the pot`,
  ];
  return element("div", { class: "board-panel" },
    element("h3", {}, ...(heading ? [element("span", {}, heading)] : []), name, element("small", {}, textureWords(board.texture))),
    ...handGrid(board, actions), bar(board.does, actions), element("p", { class: "note" }, numbers.join(" · ")));
}

// ── The chart of EV against equity

const CHART = { width: 560, height: 400, left: 54, right: 14, top: 12, bottom: 46 };

function ticks(low, high) {
  const step = [1, 2, 5, 10, 20, 25, 50, 100].find((size) => (high - low) / size <= 6) ?? 200;
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step + 1e-9) + 1 }, (_, k) => first + k * step);
}

function bounds(numbers) {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const room = Math.max(1, 0.06 * (high - low));
  return [low - room, high + room];
}

/** Dots in the plane, one a board. @param {any} state @param {(place: number) => void} choose */
function scatter({ batch, kept, chosen }, choose) {
  const { player, boards, pot } = batch;
  const points = boards.map((board) => [100 * board.equities[player], (100 * board.evs[player]) / pot]);
  const [x, y] = [0, 1].map((k) => bounds(points.map((point) => point[k])));
  const right = CHART.width - CHART.right, bottom = CHART.height - CHART.bottom;
  const across = (number) => CHART.left + ((number - x[0]) / (x[1] - x[0])) * (right - CHART.left);
  const up = (number) => bottom - ((number - y[0]) / (y[1] - y[0])) * (bottom - CHART.top);
  const aggression = boards.map((board) => board.does.reduce((sum, share, a) => sum + (batch.actions[a].bets ? share : 0), 0));
  const [low, high] = [Math.min(...aggression), Math.max(...aggression)];
  const even = [Math.max(x[0], y[0]), Math.min(x[1], y[1])];
  const order = boards.map((_, place) => place).sort((one, other) => Number(kept[one]) - Number(kept[other]) || Number(one === chosen) - Number(other === chosen));
  const dots = order.map((place) => element("circle", {
    cx: across(points[place][0]), cy: up(points[place][1]), r: place === chosen ? 8 : 5.5,
    class: [kept[place] ? "" : "out", place === chosen ? "here" : ""].join(" ").trim(),
    "--dot": `color-mix(in oklab, var(--act-passive), var(--act-size-4) ${(100 * (aggression[place] - low)) / (high - low || 1)}%)`,
    onclick: () => choose(place),
  }, element("title", {}, `${plainCards(boards[place].name)}: equity ${fixed(points[place][0], 1)} %, EV ${fixed(points[place][1], 1)} % of the pot`)));
  const svg = element("svg", {
    class: "scatter", viewBox: `0 0 ${CHART.width} ${CHART.height}`, tabindex: 0, role: "img",
    "aria-label": `EV against equity of ${PLAYERS[player]}, a dot for each board; arrow keys go from board to board`,
  },
  ...ticks(...x).flatMap((number) => [
    element("line", { x1: across(number), x2: across(number), y1: CHART.top, y2: bottom }),
    element("text", { x: across(number), y: bottom + 18, "text-anchor": "middle" }, fixed(number, 0))]),
  ...ticks(...y).flatMap((number) => [
    element("line", { x1: CHART.left, x2: right, y1: up(number), y2: up(number) }),
    element("text", { x: CHART.left - 8, y: up(number) + 4, "text-anchor": "end" }, fixed(number, 0))]),
  ...(even[0] < even[1] ? [element("line", { class: "even", x1: across(even[0]), y1: up(even[0]), x2: across(even[1]), y2: up(even[1]) })] : []),
  element("text", { class: "name", x: (CHART.left + right) / 2, y: CHART.height - 6, "text-anchor": "middle" }, `equity of ${PLAYERS[player]}, %`),
  element("text", { class: "name", transform: `translate(14 ${(CHART.top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, `EV of ${PLAYERS[player]}, % of the pot`),
  ...dots);
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const by = boards.map((_, place) => place).filter((place) => kept[place]).sort((one, other) => points[one][0] - points[other][0]);
    const next = by[by.indexOf(chosen) + step];
    if (next !== undefined) choose(next);
  });
  return [svg, element("div", { class: "scatter-scale" }, `bets or raises ${percent(low, 0)}`, element("i", { "aria-hidden": "true" }), percent(high, 0),
    element("span", {}, "· dashed: EV = equity"))];
}

// ── The table

function columnsOf({ actions, player, words }) {
  const places = (part, board) => words[part].indexOf(board.texture[part]);
  const ranks = (board) => board.name.match(/../g).map((card) => 14 - RANKS.indexOf(card[0])).sort((one, other) => other - one)
    .reduce((code, rank) => 15 * code + rank, 0);
  const other = 1 - player;
  return [
    { name: "board", by: ranks, falls: true },
    ...actions.map((action, a) => ({ name: action.name, by: (board) => board.does[a], show: (number) => percent(number), falls: true, action: a })),
    ...[player, other].map((who) => ({ name: `EV ${PLAYERS[who]}`, by: (board) => board.evs[who], show: (number) => fixed(number, 2), falls: true })),
    { name: `equity ${PLAYERS[player]}`, by: (board) => board.equities[player], show: (number) => percent(number), falls: true },
    { name: "pairs", by: (board) => places("pairing", board), word: (board) => board.texture.pairing },
    { name: "suits", by: (board) => places("suits", board), word: (board) => board.texture.suits },
    { name: "straights", by: (board) => places("connection", board), word: (board) => board.texture.connection },
    { name: "part of all", by: (board) => board.share, show: (number) => percent(number, 2), falls: true },
    { name: "stands for", by: (board) => board.weight, show: (number) => fixed(number, 0), falls: true },
    { name: "exploitability", by: (board) => board.exploitability, show: (number) => `${fixed(100 * number, 2)} %`, falls: true },
  ];
}

/** The boards that are kept, in the order of a column. */
function table({ batch, kept, chosen, sorted }, choose, sort) {
  const columns = columnsOf(batch);
  const { by } = columns[sorted.column];
  const places = batch.boards.map((_, place) => place).filter((place) => kept[place])
    .sort((one, other) => sorted.sign * (by(batch.boards[one]) - by(batch.boards[other])) || one - other);
  const heads = columns.map((column, k) => element("th", {
    scope: "col", class: column.show ? "number" : "",
    "aria-sort": k === sorted.column ? (sorted.sign > 0 ? "ascending" : "descending") : undefined,
  }, element("button", { type: "button", "data-column": k, onclick: () => sort(k, columns[k].falls) }, column.name)));
  const rows = places.map((place) => {
    const board = batch.boards[place];
    const name = element("button", { type: "button", "data-board": board.name, "aria-pressed": String(place === chosen), onclick: () => choose(place) },
      ...boardCards(board.name));
    const cells = columns.slice(1).map((column) => {
      if (column.word) return element("td", {}, column.word(board));
      const number = column.by(board);
      const does = column.action === undefined ? {} : { ...paint(column.action, batch.actions), "--share": `${100 * number}%` };
      return element("td", { class: column.action === undefined ? "number" : "number does", ...does }, column.show(number));
    });
    return element("tr", { class: place === chosen ? "here" : "" }, element("th", { scope: "row" }, name), ...cells);
  });
  return element("table", { "aria-label": "Boards" }, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
}

// ── All together

function boardsOf(place, batch, pick) {
  const wanted = Object.fromEntries(Object.keys(PARTS).map((part) => [part, new Set()]));
  const state = { batch, kept: batch.boards.map(() => true), chosen: 0, sorted: { column: 0, sign: -1 } };
  const [told, bars, chart, detail, list] = ["p", "dl", "div", "div", "div"].map((tag) => element(tag));
  told.setAttribute("aria-live", "polite");
  bars.className = "bars";
  const reset = element("button", { type: "button", class: "boards-button", hidden: true, onclick: () => {
    Object.values(wanted).forEach((words) => words.clear());
    filters.querySelectorAll("input").forEach((input) => { input.checked = false; });
    filter();
  } }, "All boards");
  const filters = element("div", { class: "filters" }, ...Object.entries(PARTS).flatMap(([part, heading]) => {
    const words = batch.words[part].filter((word) => batch.boards.some((board) => board.texture[part] === word));
    if (words.length < 2) return [];
    return [element("fieldset", {}, element("legend", {}, heading), ...words.map((word) => {
      const count = batch.boards.filter((board) => board.texture[part] === word).length;
      return element("label", {}, element("input", { type: "checkbox", "data-part": part, value: word, onchange: (event) => {
        if (event.target.checked) wanted[part].add(word); else wanted[part].delete(word);
        filter();
      } }), word, element("small", {}, String(count)));
    }))];
  }));

  function filter() {
    state.kept = batch.boards.map((board) => Object.entries(wanted).every(([part, words]) => !words.size || words.has(board.texture[part])));
    if (!state.kept[state.chosen] && state.kept.includes(true)) state.chosen = state.kept.indexOf(true);
    draw();
  }

  function choose(next) {
    const inTable = list.contains(document.activeElement);
    state.chosen = next;
    draw();
    if (inTable) list.querySelector('[aria-pressed="true"]')?.focus();
  }

  function sort(column, falls) {
    const same = column === state.sorted.column;
    state.sorted = { column, sign: same ? -state.sorted.sign : falls ? -1 : 1 };
    drawTable();
    list.querySelector(`[data-column="${column}"]`).focus();
  }

  function drawTable() {
    const scroll = list.querySelector(".scroll");
    const at = scroll ? [scroll.scrollLeft, scroll.scrollTop] : [0, 0];
    const next = element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Boards" }, table(state, choose, sort));
    list.replaceChildren(next);
    [next.scrollLeft, next.scrollTop] = at;
  }

  function draw() {
    const mine = batch.boards.filter((_, k) => state.kept[k]);
    const all = mine.length === batch.boards.length;
    const share = mine.reduce((sum, board) => sum + board.share, 0);
    reset.hidden = all;
    told.textContent = all ? `All ${mine.length} boards` : mine.length
      ? `${mine.length} of ${batch.boards.length} boards, ${percent(share)} of what is dealt` : "No board has all of these";
    const lines = [[all ? "on average" : "on these", mine], ...(all ? [] : [["on all", batch.boards]])].filter(([, some]) => some.length);
    bars.replaceChildren(...lines.flatMap(([name, some]) => [element("dt", {}, name), element("dd", {},
      bar(batch.actions.map((_, a) => mean(some, (board) => board.does[a])), batch.actions),
      element("small", {}, `EV of ${PLAYERS[batch.player]} ${fixed(mean(some, (board) => board.evs[batch.player]), 2)} · equity ${percent(mean(some, (board) => board.equities[batch.player]))}`))]));
    const focused = chart.contains(document.activeElement);
    chart.replaceChildren(...scatter(state, choose));
    if (focused) chart.firstChild.focus({ preventScroll: true });
    detail.replaceChildren(panel(batch.boards[state.chosen], batch));
    drawTable();
  }

  list.className = "boards-table";
  const choice = batches.length < 2 ? [] : [element("p", {}, element("label", {}, "Batch ", element("select", {
    class: "boards-select", onchange: (event) => pick(Number(event.target.value)),
  }, ...batches.map((each, k) => element("option", { value: k, selected: each === batch }, each.label)))))];
  place.replaceChildren(...choice, filters, element("div", { class: "boards-chosen" }, told, reset), bars, key(batch.actions),
    element("div", { class: "boards-two" }, chart, detail), list);
  draw();
}

function extremesOf(place, batch) {
  place.replaceChildren(key(batch.actions), element("div", { class: "extreme-grids" }, ...batch.extremes.map(({ what, board, told }) =>
    panel(batch.boards[board], batch, `${what}: ${told}`))));
}

function show(number) {
  boardsOf(document.getElementById("boards"), batches[number], show);
  extremesOf(document.getElementById("extremes"), batches[number]);
}

show(0);
