// Why a recipe differs: texts and charts, asked for when they come near the window, because the engine works them out.

import { chart } from "../../chart.js";
import { ask, exported, recorded } from "../api.js";
import { element, find } from "../dom.js";

/** @param {string} recipe its slug */
export function showWhy(recipe) {
  const place = find("#why");
  const near = new IntersectionObserver(
    async (seen) => {
      if (!seen.some((each) => each.isIntersecting)) return;
      near.disconnect();
      const told = recorded ? exported(`data/why-${recipe}`) : ask(`api/why/${recipe}`);
      for (const reason of await told.catch(() => [])) add(place, reason);
    },
    { rootMargin: "400px" },
  );
  near.observe(place.parentElement);
}

function add(place, { title, words, chart: spec }) {
  const text = element("p", {});
  text.innerHTML = words; // from our own server, which escapes what is not ours
  const plot = element("div");
  place.append(element("article", {}, element("h3", {}, title), text, plot));
  chart(plot, spec);
}
