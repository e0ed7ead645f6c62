// Numbers and pictures to take away.

/** All numbers of a race: a row for each look at each runner. @param {any} start @param {any[]} racers */
export function table(start, racers) {
  const unit = start.unit.name.replace(/\W/g, "_");
  const head = ["game", "recipe", "iteration", "seconds", "exploitability_chips", `exploitability_${unit}`];
  const rows = racers.flatMap(({ name, points }) => points.map((point) => [quoted(start.game), quoted(name), ...point]));
  return [head, ...rows].map((row) => row.join(",")).join("\n") + "\n";
}

const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
