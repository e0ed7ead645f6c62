// The grid as a picture: SVG, or PNG made of it.

import { svg } from "../../dom.js";
import { heat, scaleOf, shortly, VIEWS } from "./grid.js";
import { colour, fieldName, SHORT, share } from "./words.js";

const CELL = 44;
const RANKS = 13;
const MARGIN = 16;
const HEAD = 54;
const SHARPER = 2; // pixels of the PNG for each of the SVG

/** A grid with a heading, as SVG whose colours are those of the page now. */
export function gridPicture(node, player, view, title) {
  const side = node.sides[player];
  const wide = RANKS * CELL + 2 * MARGIN;
  const high = wide + HEAD;
  const paint = painter();
  const drawing = svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, "font-family": "system-ui, sans-serif" });
  drawing.append(svg("rect", { width: wide, height: high, fill: paint("var(--paper)") }));
  const ink = paint("var(--ink)");
  const text = (x, y, size, words, weight = 400) => drawing.append(svg("text", { x, y, "font-size": size, "font-weight": weight, fill: ink,
    stroke: paint("var(--paper)"), "stroke-width": 2, "paint-order": "stroke" }, words));
  text(MARGIN, 26, 16, title, 600);
  const does = node.actions.map((action) => `${action.key} ${action.name} ${share(action.frequency)}`).join("   ");
  text(MARGIN, 48, 13, player === node.player && view === "strategy" ? does : `${SHORT[player]}: ${VIEWS[view]}`);
  const range = scaleOf(side, view);
  side.grid.forEach((field, place) => {
    const [x, y] = [MARGIN + (place % RANKS) * CELL, HEAD + MARGIN + Math.floor(place / RANKS) * CELL];
    drawing.append(svg("rect", { x, y, width: CELL - 1, height: CELL - 1, fill: paint("var(--sunk)") }));
    if (field?.kept) parts(field, node.actions, view, range).forEach(([from, to, colouring]) => {
      const tall = (CELL - 1) * field.left;
      drawing.append(svg("rect", { x: x + (CELL - 1) * from, y: y + CELL - 1 - tall, width: (CELL - 1) * (to - from), height: tall, fill: paint(colouring) }));
    });
    text(x + 4, y + 16, 13, fieldName(place), field?.kept ? 600 : 400);
    if (field?.kept) text(x + 4, y + CELL - 8, 11, shortly(field, node.actions, view));
  });
  return drawing;
}

/** Which colours a field has, from where to where. */
function parts(field, actions, view, [low, high]) {
  if (view !== "strategy" || !field.mix) {
    const place = view === "strategy" || view === "left" ? undefined : field[view];
    if (place === null) return [];
    return [[0, 1, place === undefined ? "var(--heat-none)" : heat((place - low) / (high - low || 1))]];
  }
  let from = 0;
  return field.mix.map((part, a) => [part, a]).reverse().map(([part, a]) => [from, (from += part), `var(${colour(a, actions)})`]);
}

/** Turns colours of the page into such as stand alone. */
function painter() {
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const asked = document.body.appendChild(document.createElement("i"));
  const known = new Map();
  const paint = (colouring) => {
    if (!known.has(colouring)) {
      asked.style.color = colouring;
      probe.fillStyle = getComputedStyle(asked).color;
      probe.fillRect(0, 0, 1, 1);
      const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
      known.set(colouring, `rgb(${red}, ${green}, ${blue})`);
    }
    return known.get(colouring);
  };
  setTimeout(() => asked.remove());
  return paint;
}

/** Lets people keep a picture. @param {SVGElement} drawing @param {string} name @param {"svg" | "png"} kind */
export async function keep(drawing, name, kind) {
  const text = new XMLSerializer().serializeToString(drawing);
  save(kind === "svg" ? new Blob([text], { type: "image/svg+xml" }) : await pixels(text, drawing), `${name}.${kind}`);
}

async function pixels(text, drawing) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: SHARPER * Number(drawing.getAttribute("width")), height: SHARPER * Number(drawing.getAttribute("height")) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

function save(file, name) {
  const link = document.createElement("a");
  Object.assign(link, { href: URL.createObjectURL(file), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
