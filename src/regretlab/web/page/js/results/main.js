// Saved runs and reports of the folder that the command line names.

import { readAddress, writeAddress } from "../address.js";
import { address, ask } from "../api.js";
import { all, element, find, set, write } from "../dom.js";
import { announce, attempt } from "../site.js";
import { solution } from "./solution.js";

const WORDS = { solution: "run", report: "report" };

function row({ name, kind, size, modified }) {
  const open = element("button", { type: "button", class: "link", "data-name": name, onclick: () => attempt(() => reveal(name)) }, name);
  const link = element("a", { href: address(`results/report/${encodeURIComponent(name)}`) }, name);
  return element(
    "tr",
    {},
    element("td", {}, kind === "report" ? link : open),
    element("td", {}, WORDS[kind] ?? kind),
    element("td", { class: "number" }, size),
    element("td", { class: "number" }, modified),
  );
}

async function list() {
  const { folder, files } = await ask("api/results");
  if (!folder) {
    write(find("#lead"), "No folder was named. Start the page with one:");
    find("#files").replaceChildren(element("pre", {}, element("code", {}, "regretlab serve --results results")));
    return;
  }
  write(find("#lead"), `Saved runs and reports in ${folder}.`);
  if (!files.length) {
    find("#files").replaceChildren(element("p", { class: "soft" }, "The folder is empty. This command puts a run there:"), example(folder));
    return;
  }
  const heads = ["file", "kind", "size", "written"].map((word, place) => element("th", { scope: "col", class: place > 1 ? "number" : "" }, word));
  const rows = files.map((file) => row({ ...file, size: bytes(file.bytes), modified: day(file.modified) }));
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
  find("#files").replaceChildren(element("div", { class: "scroll" }, table));
  const { name } = readAddress();
  if (name) await show(name);
}

const example = (folder) => element("pre", {}, element("code", {}, `regretlab solve kuhn --save ${folder}/kuhn.npz`));
const BYTES = new Intl.NumberFormat("en", { notation: "compact", style: "unit", unit: "byte", unitDisplay: "narrow" });
const bytes = (count) => BYTES.format(count);
const day = (iso) => new Date(iso).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

async function show(name) {
  const found = await ask(`api/results/solution?name=${encodeURIComponent(name)}`);
  write(find("#open-title"), name);
  find("#content").replaceChildren(...solution(found));
  all("[data-name]").forEach((button) => set(button, "aria-current", button.dataset.name === name ? "true" : false));
  writeAddress({ name });
  announce(`${name} is open`);
}

/** Shows a file that was chosen; where the list stands above it, the page moves down to it. */
async function reveal(name) {
  await show(name);
  find("#open-title").scrollIntoView({ block: "nearest" });
}

attempt(list);
