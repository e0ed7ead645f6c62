// The form that describes a race, and its place in the address.

import { ask } from "../api.js";
import { all, element, find, set, write } from "../dom.js";
import { notice, sentence } from "../site.js";

const FIRST = ["cfr", "cfr-plus", "dcfr", "predictive-cfr-plus"];

export class Course {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.fields = form.elements;
  }

  /** Fills the form with what can be chosen, and with what the address says; whether it names who runs. */
  async load() {
    const { games, recipes } = await ask("api/offers");
    const asked = await ask(`api/race/nearest${location.search}`);
    this.games = games;
    find("#game").append(...games.map(({ slug, title }) => element("option", { value: slug }, title)));
    const chosen = asked.with.length ? asked.with : FIRST;
    find("#recipes").append(...recipes.map((recipe) => choice(recipe, chosen.includes(recipe.slug))));
    for (const [name, value] of Object.entries(asked.fields)) this.fields[name].value = value;
    notice("address", asked.said.map(sentence).join(" "));
    this.form.addEventListener("change", () => this.settle());
    this.settle();
    return asked.with.length > 0;
  }

  /** Shows the fields that belong to the choice. */
  settle() {
    const kuhn = this.fields.game.value === "kuhn";
    all(".stakes", this.form).forEach((field) => set(field, "hidden", !kuhn));
    all("[data-by]", this.form).forEach((field) => set(field, "hidden", field.dataset.by !== this.fields.by.value));
    const running = all("#recipes input:checked").length;
    all("#recipes input:not(:checked)").forEach((input) => (input.disabled = running >= 8));
    write(find("#unit"), this.games.find(({ slug }) => slug === this.fields.game.value).unit);
  }

  /** The race as a query: only what matters for it. */
  query() {
    const data = new FormData(this.form);
    const kept = [...data].filter(([name, value]) => value !== "" && this.matters(name));
    return new URLSearchParams(kept).toString();
  }

  matters(name) {
    if (name === "ante" || name === "bet") return this.fields.game.value === "kuhn";
    if (name === "iterations") return this.fields.by.value === "iterations";
    if (name === "seconds") return this.fields.by.value === "time";
    return true;
  }
}

function choice({ slug, name, title }, checked) {
  const input = element("input", { type: "checkbox", name: "with", value: slug, checked });
  return element("label", { title }, input, element("span", {}, name));
}
