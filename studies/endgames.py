"""Which regret minimiser is best on Hold'em endgames: 100 rivers and 20 turns, all recipes with full feedback.

``python -m studies.endgames`` runs all of it as batches, rivers first, and writes tables. What has been measured is
kept in a store, so the same command goes on after Ctrl-C. ``cost`` measures what an iteration takes.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from regretlab.cli.main import new_app
from regretlab.cli.main import run as run_command
from regretlab.cli.progress import INTERRUPTED, RunDisplay
from regretlab.endgames import holdem
from regretlab.endgames.cards import DECK, hand_name
from regretlab.errors import UserError
from regretlab.experiments import Store, read_suite
from regretlab.experiments.findings.ranking import geometric_mean
from regretlab.experiments.jobs import plan
from regretlab.experiments.rows import Row, tidy
from regretlab.experiments.running import run_jobs
from regretlab.files import written_beside
from regretlab.solving import RECIPES, Solver

RIVERS = {"river-srp": 20, "turn-srp": 20, "turn-3bet": 20, "flop-srp": 20, "flop-3bet": 20}
TURNS = {"turn-3bet": 9, "flop-3bet": 9, "turn-srp": 2}
"""How many boards are drawn for the ranges, stacks and sizes of each ready spot."""

SEED = 22

RECIPES_MEASURED = (
    *(row.name for row in RECIPES.values() if row.feedback == "full" and row.restart is None),
    # Between those: prediction in smaller doses, and a later average.
    "cfr+(averaging=quadratic)",
    "dcfr(predict=1/5)",
    "pdcfr+(predict=1/3)",
    "pdcfr+(predict=1/10)",
)
"""Restarts are not possible in blocks."""

LEADERS = (
    *("dcfr", "dcfr+", "dcfr(predict=1/5)", "hs-dcfr", "lcfr", "discounted-normalhedge", "pdcfr+(predict=1/10)"),
    *("pdcfr+(predict=1/3)", "sapdcfr+", "pdcfr+", "cfr+(averaging=quadratic)", "cfr+", "pcfr+"),
)
"""The best on rivers, and those that everybody knows: turns are run with these first."""

GROWTH, FIRST, CAP = 1.08, 10, 1_000
"""It is looked at after FIRST iterations, then each time there are so many times more, and given up at the CAP."""

TARGETS = {"1 %": 0.01, "0.5 %": 0.005, "0.1 %": 0.001}
"""Parts of the pot."""

YARDSTICK = "dcfr"


def looks() -> list[int]:
    """After how many iterations runs are looked at."""
    found = [FIRST]
    while found[-1] < CAP:
        found.append(min(CAP, max(found[-1] + 1, round(GROWTH * found[-1]))))
    return found


def drawn(wanted: Mapping[str, int], cards: int) -> Iterator[dict[str, Any]]:
    """Ready spots on boards drawn at random, as blocks of a suite."""
    random = Random(SEED + cards)
    for name, count in wanted.items():
        boards = [hand_name(random.sample(range(DECK), cards)) for _ in range(count)]
        yield _block(name) | {"spot": name, "boards": boards}


def libratus(folder: Path) -> Iterator[dict[str, Any]]:
    """The endgames of the match that Libratus played, as far as their files are in a folder."""
    for path in sorted(folder.glob("subgame*.txt")):
        yield _block(path.stem) | {"spot": f"libratus:{path}"}


def _block(name: str) -> dict[str, Any]:
    return {"name": name, "recipes": list(RECIPES_MEASURED), "iterations": looks(), "until": min_target()}


def min_target() -> str:
    """The target at which a run ends."""
    return f"{100 * min(TARGETS.values()):g}%"


def stages(folder: Path | None) -> list[tuple[str, list[dict[str, Any]]]]:
    """What is measured, by what it is called in tables, in the order in which it is run: what tells most first."""
    turns = list(drawn(TURNS, 4))
    leading = [block | {"recipes": list(LEADERS)} for block in turns]
    found = [("rivers", list(drawn(RIVERS, 5))), ("turns", leading), ("turns", turns)]
    return found if folder is None else [*found, ("Libratus", list(libratus(folder)))]


def study(
    *,
    store: Path = Path("results/endgames.sqlite"),
    to: Path = Path("results"),
    libratus: Path | None = None,
    on: str = "local",
    workers: int = 1,
) -> int:
    """Measure what is not in the STORE yet, and write endgames.md into the folder TO.

    LIBRATUS is a folder with subgame1.txt to subgame4.txt, if there is one.
    """
    to.mkdir(parents=True, exist_ok=True)
    store.parent.mkdir(parents=True, exist_ok=True)
    found: dict[str, list[Row]] = {}
    with Store.to_write(store) as opened:
        for title, blocks in stages(libratus):
            jobs = plan(read_suite({"spots": blocks}))
            print(f"{title}: {len(jobs):,} runs", file=sys.stderr)
            with RunDisplay() as watch:
                outcome = run_jobs(jobs, opened, on=on, workers=workers, callback=watch.experimenting)
            found[title] = tidy(opened, jobs)
            write(found, to)
            for job, reason in outcome.failures:
                print(f"failed: {job.run.recipe} on {job.name}: {reason}", file=sys.stderr)
            if outcome.stopped:
                print("stopped; the same command goes on from here", file=sys.stderr)
                return INTERRUPTED
    return 0


def report(
    *, store: Path = Path("results/endgames.sqlite"), to: Path = Path("results"), libratus: Path | None = None
) -> None:
    """Write endgames.md from what is in the STORE, and measure nothing."""
    with Store.to_read(store) as opened:
        found = {title: tidy(opened, plan(read_suite({"spots": blocks}))) for title, blocks in stages(libratus)}
    if not any(found.values()):
        raise UserError(f"no run of this study is in {store}; first: python -m studies.endgames")
    write(found, to)


COST_OF = {"river": ("river-srp", 100), "turn": ("turn-3bet", 5)}
"""On which ready spots an iteration is timed, and how many of them at a time."""

ROUNDS = 15


def cost(*, to: Path = Path("results")) -> None:
    """Measure the processor time that an iteration of each recipe takes on one core, and write endgames-cost.json."""
    found: dict[str, dict[str, float]] = {}
    for street, (name, count) in COST_OF.items():
        form = holdem(name).blocks()
        solvers = {each: Solver(form, each, cores=1) for each in RECIPES_MEASURED}
        taken: dict[str, list[float]] = {each: [] for each in solvers}
        for _ in range(ROUNDS):  # in turn, so that all meet the same neighbours
            for each, solver in solvers.items():
                before = time.process_time()
                solver.advance(count)
                taken[each].append((time.process_time() - before) / count)
        found[street] = {each: min(times) for each, times in taken.items()}
    to.mkdir(parents=True, exist_ok=True)
    with written_beside(to / "endgames-cost.json") as file:
        file.write(f"{json.dumps(found, indent=1)}\n".encode())


Reached = dict[tuple[str, str], dict[str, float]]
"""By recipe and target: for each spot after how many iterations it was reached; inf where it was not."""


def reached(rows: Sequence[Row]) -> Reached:
    """When each recipe reached each target on each spot."""
    found: Reached = {}
    for row in rows:
        pot = row["until"] / min(TARGETS.values())
        for target, part in TARGETS.items():
            mine = found.setdefault((row["recipe"], target), {})
            close = row["exploitability"] <= part * pot
            spot = f"{row['game']} {row['board']}"
            mine[spot] = min(mine.get(spot, math.inf), row["iteration"] if close else math.inf)
    return found


def against(found: Reached, recipe: str, target: str) -> float:
    """How many times the iterations of the yardstick a recipe takes, in the geometric mean over spots.

    Who has not reached a target counts as if it had at the cap.
    """
    mine, theirs = found[recipe, target], found[YARDSTICK, target]
    both = [spot for spot in mine if spot in theirs]
    return geometric_mean([min(mine[spot], CAP) / min(theirs[spot], CAP) for spot in both])


def write(found: Mapping[str, Sequence[Row]], to: Path) -> None:
    """The tables as Markdown."""
    path = to / "endgames-cost.json"
    costs = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    text = "\n".join(line for title, rows in found.items() if rows for line in _table(title, rows, costs))
    with written_beside(to / "endgames.md") as file:
        file.write(f"{text}\n".encode())


def _table(title: str, rows: Sequence[Row], costs: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    """A line for each recipe, the quickest first."""
    found = reached(rows)
    recipes = list(dict.fromkeys(row["recipe"] for row in rows))
    if not any((YARDSTICK, target) in found for target in TARGETS):
        return
    middle, last = list(TARGETS)[1:]
    cost = costs.get("river" if title == "rivers" else "turn", {})
    dear = {each: cost[each] / cost[YARDSTICK] if each in cost else math.nan for each in recipes}
    spots = len({(row["game"], row["board"]) for row in rows})
    yield f"## {title.capitalize()}: {spots} spots\n"
    yield f"Iterations to so much of the pot: the median over spots, in brackets the quartiles; – beyond {CAP:,}."
    yield f"How many spots got there is said where not all did. Against `{YARDSTICK}`: geometric means of the ratio"
    yield f"over spots, where who did not get there counts as {CAP:,}. What an iteration costs was timed by itself.\n"
    heads = [
        *TARGETS,
        *(f"against {YARDSTICK}, {target}" for target in (middle, last)),
        "an iteration",
        "time, " + last,
    ]
    yield f"| recipe | {' | '.join(heads)} |"
    yield f"|---|{'---|' * len(heads)}"
    for recipe in sorted(recipes, key=lambda each: against(found, each, middle)):
        cells = [_cell([*found[recipe, target].values()]) for target in TARGETS]
        ratios = [against(found, recipe, target) for target in (middle, last)]
        more = [*ratios, dear[recipe], ratios[-1] * dear[recipe]]
        shown = " | ".join("–" if math.isnan(each) else f"{each:.2f}" for each in more)
        yield f"| `{recipe}` | {' | '.join(cells)} | {shown} |"
    yield ""


def _cell(iterations: Sequence[float]) -> str:
    """A median, quartiles, and how many got there."""
    order = sorted(iterations)
    low, middle, high = (order[round(part * (len(order) - 1))] for part in (0.25, 0.5, 0.75))
    there = sum(each <= CAP for each in order)
    words = [_written(middle), f"({_written(low)} … {_written(high)})"] if there else ["–"]
    return " ".join([*words, *([] if there == len(order) else [f"{there} of {len(order)}"])])


def _written(iterations: float) -> str:
    return f"{iterations:,.0f}" if math.isfinite(iterations) else "–"


def main(arguments: Sequence[str]) -> int:
    """The study, its tables alone, or what an iteration costs."""
    commands = new_app("python -m studies.endgames", "", "Recipes on Hold'em endgames: measure it, and write it down.")
    commands.default(study)
    commands.command(report)
    commands.command(cost)
    return run_command(arguments, commands)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
