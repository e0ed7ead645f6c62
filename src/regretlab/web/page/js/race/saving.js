// Numbers and pictures to take away.

/** All numbers of a race: a row for each look at each runner. @param {any} start @param {any[]} racers */
export function table(start, racers) {
  const unit = start.unit.name.replace(/\W/g, "_");
  const head = ["game", "recipe", "iteration", "seconds", "exploitability_chips", `exploitability_${unit}`];
  const rows = racers.flatMap(({ name, points }) => points.map((point) => [quoted(start.game), quoted(name), ...point]));
  return [head, ...rows].map((row) => row.join(",")).join("\n") + "\n";
}

const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** @param {string} text @param {string} type @param {string} name of the file */
export function save(text, type, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
