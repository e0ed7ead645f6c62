"""The ranking of recipes: everything with tables and full feedback, on games of many sizes, from many starts.

``python -m studies.recipes`` runs all of it, small games first, and writes tables and a picture. What has been measured
is kept in a store, so the same command goes on after Ctrl-C. ``--on ray`` has Ray do the work.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from regretlab.cli.main import new_app
from regretlab.cli.main import run as run_command
from regretlab.cli.progress import INTERRUPTED, RunDisplay
from regretlab.errors import UserError
from regretlab.experiments import Store, read_suite
from regretlab.experiments.findings.ranking import (
    SMALLEST,
    SOLVED,
    exploitability_charts,
    geometric_mean,
    standings,
    summaries,
)
from regretlab.experiments.jobs import Job, plan
from regretlab.experiments.rows import Row, tidy
from regretlab.experiments.running import run_jobs
from regretlab.files import written_beside
from regretlab.plots.figures import panels_by_game, save

SMALL = {
    "matrix 2 × 2": "matrix(rows=5 -1; 0 1)",
    "matrix 3 × 3": "matrix(rows=0 -1 3; 1 0 -1; -3 1 0)",
    "Kuhn": "kuhn",
    "goofspiel, 3": "goofspiel(cards=3, prizes=descending, bids=hidden)",
    "Kuhn, 13 cards": "kuhn(cards=13)",
    "liar's dice, 3": "liars_dice(sides=3)",
    "goofspiel, 4": "goofspiel(prizes=descending, bids=hidden)",
    "battleship, 4 × 1": "openspiel:battleship(board_width=4,board_height=1,ship_sizes=[2],ship_values=[1],num_shots=2,"
    "allow_repeated_shots=False)",
    "Leduc, merged": "leduc(merge_suits=True)",
    "Leduc": "leduc",
    "liar's dice, 4": "liars_dice(sides=4)",
    "battleship, 2 × 2": "openspiel:battleship(board_width=2,board_height=2,ship_sizes=[1;2],ship_values=[1;1],"
    "num_shots=2,allow_repeated_shots=False)",
}
"""The eleven games of the suite ``convergence``, small ones first, and Leduc with the suits of a rank merged.

With suits apart, a random start tells them apart, too: then the run is one in a larger game than from the usual start.
"""
MIDDLE = {
    "Kuhn, 30 cards": "kuhn(cards=30)",
    "goofspiel, 5": "goofspiel(cards=5, prizes=descending, bids=hidden)",
    "Leduc, 6 ranks": "leduc(ranks=6, merge_suits=True)",
    "liar's dice, 5": "liars_dice(sides=5)",
}
LARGE = {
    "liar's dice, 6": "liars_dice",
    "Kuhn, 300 cards": "kuhn(cards=300)",
    "Leduc, 13 ranks": "leduc(ranks=13, merge_suits=True)",
}
NAMES = {spec: name for games in (SMALL, MIDDLE, LARGE) for name, spec in games.items()}
"""What people call each game."""

LEADERS = (
    "pdcfr+",
    "sapdcfr+",
    "pd-normalhedge+",
    "restarted-cfr+",
    "sapdcfr+(predict=1/3)",
    "sapdcfr+(predict=1/5)",
    "pd-normalhedge+(predict=1/3)",
    "pdcfr+(weigh=normalhedge)",
    "dcfr",
    "pcfr+",
    "sapcfr+",
    "predictive-normalhedge+",
    "hs-pcfr+",
    "cfr+",
)
"""The most promising recipes, and those that everybody knows: they are run on all games before the others are."""

VARIATIONS = (
    # How much to predict.
    "sapdcfr+(predict=no|1/4|2/3)",
    "pd-normalhedge+(predict=no|1/5|2/3)",
    "predictive-normalhedge+(predict=1/3)",
    "dcfr(predict=1/5|1/3)",
    "hs-pcfr+(predict=1/3)",
    # When to begin anew, and with what.
    "restarted-cfr+(restart=1/4|3/4)",
    "restarted-cfr+(averaging=uniform|quadratic)",
    "restarted-cfr+(schedule=simultaneous)",
    "sapcfr+(restart=1/2)",
    "pcfr+(restart=1/2)",
    # How much to forget.
    "sapdcfr+(alpha=2)",
    "sapdcfr+(predict=1/3, alpha=3/2|7/4|2|3|none)",
    "pd-normalhedge+(alpha=7/4|2|3|none)",
    "pd-normalhedge+(alpha=7/4, predict=1/3)",
    "sapdcfr+(predict=1/3, alpha=3/2+1t/n, horizon=10000)",
    "sapdcfr+(predict=1/3, alpha=3-1t/n, horizon=10000)",
    # How much the late iterations count.
    "sapdcfr+(averaging=t^3|t^8)",
    "pd-normalhedge+(averaging=t^3|t^8)",
    # How far from 0 the regrets are kept.
    "smooth-pcfr+(level=1|1/1000)",
    "stable-pcfr+(level=1/100)",
    "sapdcfr+(accumulate=smooth, level=1/1000)",
)

PARTS = (
    ("alternation", "cfr", "cfr(schedule=alternating)"),
    ("", "restarted-cfr+(schedule=simultaneous)", "restarted-cfr+"),
    ("truncation", "cfr", "cfr(accumulate=truncate)"),
    ("linear average", "cfr+(averaging=uniform)", "cfr+"),
    ("quadratic average", "cfr+", "cfr+(averaging=quadratic)"),
    ("prediction, all of it", "cfr+(averaging=quadratic)", "pcfr+"),
    ("a third of it", "cfr+(averaging=quadratic)", "sapcfr+"),
    ("with discounts: half of it", "sapdcfr+(predict=no)", "sapdcfr+"),
    ("the other half", "sapdcfr+", "pdcfr+"),
    ("discounts, t⁵", "sapcfr+", "sapdcfr+(predict=1/3)"),
    ("NormalHedge for regret matching", "sapdcfr+", "pd-normalhedge+"),
    ("", "cfr+", "normalhedge+(averaging=linear, schedule=alternating)"),
    ("a sum that is kept, lifted", "pcfr+", "smooth-pcfr+"),
    ("a sum that is kept, restarted", "pcfr+", "stable-pcfr+"),
    ("a floor that adapts for 0", "cfr+", "cfr+(accumulate=clip, level=1)"),
    ("restarts", "cfr+", "restarted-cfr+"),
    ("", "sapcfr+", "sapcfr+(restart=1/2)"),
)
"""Pairs of recipes that differ in one part."""

LOOKS = [100, 1_000, 10_000]
STARTS, FEW_STARTS = 11, 3


class Stage(NamedTuple):
    """Games that are run together: all combinations of what stands in it."""

    games: Sequence[str]
    recipes: Sequence[str]
    starts: int
    iterations: Sequence[int]


def stages() -> list[Stage]:
    """Everything, in the order in which it is run: what tells most first, one game after the other."""
    everything = [*dict.fromkeys(run.recipe for run in read_suite("convergence").runs), *VARIATIONS]
    rest = [recipe for recipe in everything if recipe not in LEADERS]
    order = [
        *((game, LEADERS, STARTS, LOOKS) for game in (*SMALL.values(), *MIDDLE.values())),
        *((game, LEADERS, FEW_STARTS, LOOKS[:2]) for game in LARGE.values()),
        *((game, LEADERS, 1, LOOKS) for game in LARGE.values()),
        *((game, rest, FEW_STARTS, LOOKS) for game in SMALL.values()),
        *((game, rest, 1, LOOKS[:2]) for game in (*MIDDLE.values(), *LARGE.values())),
        *((game, rest, STARTS, LOOKS) for game in SMALL.values()),
    ]
    return [Stage([game], recipes, starts, looks) for game, recipes, starts, looks in order]


def jobs_of(stage: Stage) -> list[Job]:
    """The runs of a stage."""
    block = {"games": list(stage.games), "recipes": list(stage.recipes), "starts": stage.starts}
    return plan(read_suite({"title": "recipes", "runs": [block | {"iterations": list(stage.iterations)}]}))


def study(
    *, store: Path = Path("results/recipes.sqlite"), to: Path = Path("results"), on: str = "local", workers: int = 1
) -> int:
    """Measure what is not in the STORE yet, and write recipes.md and recipes.png into the folder TO."""
    to.mkdir(parents=True, exist_ok=True)
    store.parent.mkdir(parents=True, exist_ok=True)
    rows: list[Row] = []
    every = stages()
    with Store.to_write(store) as opened:
        for number, stage in enumerate(every, start=1):
            jobs = jobs_of(stage)
            game = ", ".join(NAMES.get(each, each) for each in stage.games)
            print(f"{number} of {len(every)}: {game}, {len(jobs):,} runs", file=sys.stderr)
            with RunDisplay() as watch:
                outcome = run_jobs(jobs, opened, on=on, workers=workers, callback=watch.experimenting)
            rows = _merged(rows, tidy(opened, jobs))
            write(rows, to)
            for job, reason in outcome.failures:
                print(f"failed: {job.run.recipe} on {job.run.game}: {reason}", file=sys.stderr)
            if outcome.stopped:
                print("stopped; the same command goes on from here", file=sys.stderr)
                return INTERRUPTED
    return 0


def _merged(rows: Sequence[Row], more: Sequence[Row]) -> list[Row]:
    """Rows of several stages; a run that is in two of them counts once, with the longer one's looks."""
    known = {(row["game"], row["recipe"], row["start"], row["iteration"]): row for row in rows}
    for row in more:
        known.setdefault((row["game"], row["recipe"], row["start"], row["iteration"]), row)
    return list(known.values())


def report(*, store: Path = Path("results/recipes.sqlite"), to: Path = Path("results")) -> None:
    """Write recipes.md and recipes.png from what is in the STORE, and measure nothing."""
    rows: list[Row] = []
    with Store.to_read(store) as opened:
        for stage in stages():
            rows = _merged(rows, tidy(opened, jobs_of(stage)))
    if not rows:
        raise UserError(f"no run of this study is in {store}; first: python -m studies.recipes")
    write(rows, to)


def write(rows: Sequence[Row], to: Path) -> None:
    """The tables as Markdown, and the picture."""
    text = "\n".join(line for look in LOOKS for line in (*_tables(rows, look), *_parts(rows, look)))
    with written_beside(to / "recipes.md") as file:
        file.write(f"{text}\n".encode())
    shown = [recipe for recipe in PICTURED if any(row["recipe"] == recipe for row in rows)]
    named = [row | {"game": NAMES.get(row["game"], row["game"])} for row in rows]
    save(panels_by_game(exploitability_charts(named, shown)), to / "recipes.png")


PICTURED = ("cfr+", "dcfr", "pcfr+", "pdcfr+", "sapcfr+", "sapdcfr+", "restarted-cfr+")
"""The recipes in the picture."""


def _tables(rows: Sequence[Row], look: int) -> Iterator[str]:
    """After so many iterations: every recipe over all games, and every recipe on every game."""
    seen = [row for row in rows if row["iteration"] == look]
    if not seen:
        return
    made = standings(rows, look)
    games = [spec for spec in NAMES if any(one.game == spec for one in made)]
    over_all = summaries(made)
    yield f"## After {look:,} iterations\n"
    yield "× best is the ratio to the best recipe on a game, both counted as at least 1e-9.\n"
    yield "| recipe | games | within a factor of 2 of the best | × best, geometric mean | × best, worst | slope |"
    yield "|---|---|---|---|---|---|"
    for one in over_all:
        slope = "–" if one.rate is None else f"{one.rate:.1f}".replace("-", "−")
        yield f"| `{one.recipe}` | {one.games} | {one.close} | {one.ratio:.3g} | {one.worst:.3g} | {slope} |"
    yield "\nExploitability: median over the starts, and from the best start to the worst where there are several.\n"
    yield f"| recipe | {' | '.join(NAMES[game] for game in games)} |"
    yield f"|---|{'---|' * len(games)}"
    for one in over_all:
        cells = [_cell([row for row in seen if row["recipe"] == one.recipe and row["game"] == game]) for game in games]
        yield f"| `{one.recipe}` | {' | '.join(cells)} |"
    yield ""


def _parts(rows: Sequence[Row], look: int) -> Iterator[str]:
    """What each part buys on the small games, after so many iterations."""
    found: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        if row["iteration"] == look and row["game"] in SMALL.values():
            found.setdefault((row["recipe"], row["game"]), []).append(max(row["exploitability"], SOLVED))
    yield "What each part buys on the small games: the ratio of exploitabilities, both counted as at least 1e-9, and"
    yield "on how many games all starts of the one end below all starts of the other (better : worse).\n"
    yield "| part | from | to | geometric mean | Leduc | Leduc, merged | apart |"
    yield "|---|---|---|---|---|---|---|"
    for part, before, after in PARTS:
        both = [game for game in SMALL.values() if (before, game) in found and (after, game) in found]
        if not both:
            continue
        ratios = {game: geometric_mean(found[before, game]) / geometric_mean(found[after, game]) for game in both}
        better = sum(max(found[after, game]) < min(found[before, game]) for game in both)
        worse = sum(min(found[after, game]) > max(found[before, game]) for game in both)
        leduc = [f"{ratios[SMALL[name]]:.2g}" if SMALL[name] in ratios else "–" for name in ("Leduc", "Leduc, merged")]
        mean = f"{geometric_mean([*ratios.values()]):.2g}"
        yield f"| {part} | `{before}` | `{after}` | {' | '.join([mean, *leduc])} | {better} : {worse} |"
    yield ""


def _cell(rows: Sequence[Row]) -> str:
    """A median and a range."""
    if not rows:
        return "–"
    found = sorted(max(row["exploitability"], SMALLEST) for row in rows)
    spread = f" ({found[0]:.0e} … {found[-1]:.0e})" if len(found) > 1 else ""
    return f"{median(found):.1e}{spread}".replace("e-0", "e-")


def main(arguments: Sequence[str]) -> int:
    """The study, or its tables alone."""
    commands = new_app("python -m studies.recipes", "", "The ranking of recipes: measure it, and write it down.")
    commands.default(study)
    commands.command(report)
    return run_command(arguments, commands)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
