// The filter of the glossary: terms whose name or text has all the words that were typed.

import { ask } from "../api.js";
import { addShortcuts } from "../keys.js";
import { all, find, set, write } from "../dom.js";
import { attempt } from "../site.js";

const form = find("#filter");
const input = find("input", form);
const terms = all(".term").map((node) => ({
  node,
  link: find(`[data-term="${node.id}"]`),
  name: find("h2", node).textContent.toLowerCase(),
  text: node.textContent.toLowerCase(),
}));

function filter() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = terms.filter((term) => {
    const matches = words.every((word) => term.text.includes(word));
    set(term.node, "hidden", !matches);
    set(term.link, "hidden", !matches);
    return matches;
  });
  write(find("#found"), words.length ? `${found.length} of ${terms.length} terms` : `${terms.length} terms`);
}

// A link to a term that the filter hides shows everything again.
document.addEventListener("click", (event) => {
  const target = event.target.closest?.('a[href^="#"]')?.hash.slice(1);
  if (!target || !document.getElementById(target)?.hidden) return;
  input.value = "";
  filter();
});

set(form, "hidden", false);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  all(".term:not([hidden])")[0]?.scrollIntoView();
});
input.addEventListener("input", filter);
/** Examples that were not computed yet come now. */
async function fill() {
  const examples = await ask("api/examples");
  for (const place of all("[data-later]")) place.outerHTML = examples[place.closest(".term").id]; // our own server's
  for (const term of terms) term.text = term.node.textContent.toLowerCase();
  filter();
}

if (document.querySelector("[data-later]")) attempt(fill);
addShortcuts([{ keys: ["/"], words: "filter the terms", act: () => input.focus() }]);
filter();
