// Words in place: a link to the glossary shows the glossary's own text beside it, and a label such as Qcb what it means.

import { ask, exported, recorded } from "./api.js";
import { element } from "./dom.js";

const WAIT = 250; // milliseconds before a pointer that only passes by is answered
const TERMS = 'a[href*="glossary#"]';
const LABELS = "code, abbr, mi, mtext, .node-name, .decision"; // cards say theirs, and a box would cover their numbers
const LABEL = /^[JQK](c|b|cb)?$/;

let known; // terms and labels, asked for once they are needed
let shown; // what is explained now, and in which box
let timer;

const about = () => (known ??= recorded ? exported("data/terms") : ask("api/terms"));

/** What can be explained at a place of the page. @param {any} at */
function subject(at) {
  const term = at?.closest?.(TERMS);
  if (term) return { node: term, term: term.hash.slice(1) };
  const node = at?.closest?.(LABELS);
  const label = (node?.querySelector(".node-name") ?? node)?.textContent.trim();
  return node && LABEL.test(label) ? { node, label } : undefined;
}

async function explain(found) {
  if (shown?.node === found.node) return;
  hide();
  const { terms, labels } = await about();
  const parts = found.label
    ? [element("p", {}, element("b", {}, found.label), ` ${labels[found.label]}`)]
    : [element("p", {}, terms[found.term]?.words ?? ""), element("a", { href: found.node.href }, "In the glossary")];
  if ((found.term && !terms[found.term]) || !found.node.isConnected) return;
  const box = element("div", { class: "word", id: "word", role: "tooltip" }, ...parts);
  document.body.append(box);
  found.node.setAttribute("aria-describedby", "word");
  shown = { ...found, box };
  place(found.node.getBoundingClientRect(), box);
}

/** Below what is explained, or above it where the window ends. */
function place(at, box) {
  const { offsetWidth: wide, offsetHeight: high } = box;
  const below = at.bottom + 6 + high <= innerHeight;
  box.style.top = `${Math.max(6, below ? at.bottom + 6 : at.top - high - 6)}px`;
  box.style.left = `${Math.max(6, Math.min(at.left, innerWidth - wide - 6))}px`;
}

function hide() {
  shown?.box.remove();
  shown?.node.removeAttribute("aria-describedby");
  shown = undefined;
}

/** @param {() => void} act */
function soon(act) {
  clearTimeout(timer);
  timer = setTimeout(act, WAIT);
}

document.addEventListener("pointerover", (event) => {
  if (event.pointerType !== "mouse") return undefined; // fingers tap
  if (shown?.box.contains(event.target)) return clearTimeout(timer);
  const found = subject(event.target);
  return soon(found ? () => explain(found) : hide);
});
document.addEventListener("focusin", (event) => {
  const found = event.target.matches(":focus-visible") && subject(event.target);
  if (found) soon(() => explain(found));
  else if (!shown?.box.contains(event.target)) hide();
});
// A tap on a term explains it; the second one, or a press of Enter, follows the link.
document.addEventListener(
  "click",
  (event) => {
    const found = subject(event.target);
    if (!found) return shown?.box.contains(event.target) || hide();
    const tapped = event.pointerType === "touch" || event.pointerType === "pen";
    if (!tapped) return found.label && soon(hide); // it has been chosen, and something else is looked at
    if (found.term && shown?.node !== found.node) event.preventDefault();
    return explain(found);
  },
  true,
);
document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
addEventListener("scroll", hide, { passive: true, capture: true });
