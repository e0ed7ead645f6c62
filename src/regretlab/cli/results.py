"""``regretlab results``: what is in the store, and which recipe of a suite does best."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from regretlab.cli import screen
from regretlab.cli.screen import AsJson, StoreFile, check_store, check_target
from regretlab.documents import numbers
from regretlab.errors import UserError
from regretlab.spec import split_list, whole

if TYPE_CHECKING:
    from regretlab.experiments.store import Store, StoredRun

EXAMPLES = """Examples:
  regretlab results list
  regretlab results show 3f2a
  regretlab results rank quick --at 1000 --plot quick.png
  regretlab results export quick.csv --suite quick
  regretlab results rm --game 'kuhn(bet=2)' --with cfr+"""

SHOWN_PREFIX = 8


@dataclass
class Selection:
    """Which runs are meant: those that fit everything that is given."""

    suite: Annotated[
        str | None, Parameter(metavar="SUITE", help="Only runs of this suite, as it would run now: a name or a file.")
    ] = None
    game: Annotated[str | None, Parameter(metavar="GAME", help="Only runs on this game.")] = None
    recipe: Annotated[str | None, Parameter(name="--with", metavar="RECIPE", help="Only runs of this recipe.")] = None
    old: Annotated[
        bool, Parameter(help="Only runs whose numbers another version of the code has computed; they run anew.")
    ] = False

    def __bool__(self) -> bool:
        return self != Selection()

    def of(self, store: Store) -> list[StoredRun]:
        """The runs in the store that are meant."""
        from regretlab.experiments.rows import selected_runs

        return selected_runs(store, self.suite, self.game, self.recipe, self.old)


Selected = Annotated[Selection, Parameter(name="*")]

results = App(name="results", help="Look at the results of experiments, rank recipes, export them, remove them.")


@results.command(name="list")
def list_results(*, selection: Selected | None = None, store: StoreFile = None, json: AsJson = False) -> None:
    """List what is in the store, a line for each game and recipe."""
    from regretlab.experiments import Store
    from regretlab.experiments.rows import summarise_runs

    check_store(store)
    with Store.to_read(store) as opened:
        runs = (selection or Selection()).of(opened)
    groups = summarise_runs(runs)
    if json:
        screen.as_json(groups)
        return
    page = screen.Page()
    page.print(f"{opened.path} holds {numbers.count(len(runs), 'run') if runs else 'no runs'}", soft_wrap=True)
    if not groups:
        return
    headings = ("game", "recipe", "runs", "old", "iterations", "last", "for example")
    table = screen.new_table(*headings, right=headings[2:5], fold=["game", "recipe"], leads=2)
    for group in groups:
        table.add_row(
            group["game"],
            group["recipe"],
            f"{group['runs']:,}",
            f"{group['old']:,}",
            f"{group['most_iterations']:,}",
            group["last"][:10],
            group["hashes"][0][:SHOWN_PREFIX],
        )
    page.print()
    page.table(table)
    page.print("old: numbers of another version of the code, which run anew. One run in full: regretlab results show …")


@results.command(name="show")
def show_run(
    run: Annotated[str, Parameter(help="The run: the first characters of its hash.")],
    /,
    *,
    store: StoreFile = None,
    json: AsJson = False,
) -> None:
    """Show one run: what it was, what it found, where its numbers come from."""
    from regretlab.experiments import Store
    from regretlab.experiments.specs import short_name

    check_store(store)
    with Store.to_read(store) as opened:
        found = opened.find(run)
    if json:
        screen.as_json(found._asdict() | {"measurements": [each._asdict() for each in found.measurements]})
        return
    page = screen.Page()
    known = found.identity
    page.print(f"{found.recipe} on {short_name(found.game)}", style="bold")
    start = "uniform strategies" if known["start"] == 0 else f"random strategies, number {known['start']}"
    page.facts(
        [
            ("hash", found.hash),
            ("recipe", ", ".join(f"{part} {choice}" for part, choice in known["recipe"].items())),
            ("seed", str(known["seed"])),
            ("start", start),
            ("finished", f"{found.finished} after {numbers.duration(found.seconds)}"),
            ("numerics", known["numerics"]),
            *found.provenance.items(),
        ]
    )
    measures = list(dict.fromkeys([*known["measures"], *(each.measure for each in found.measurements)]))
    table = screen.new_table("iteration", *measures, right=["iteration", *measures], fold=measures)
    for iteration in dict.fromkeys(each.iteration for each in found.measurements):
        there = {each.measure: each.amount for each in found.measurements if each.iteration == iteration}
        amounts = (there.get(measure) for measure in measures)
        table.add_row(f"{iteration:,}", *("–" if amount is None else numbers.value(amount) for amount in amounts))
    page.print()
    page.table(table)


@results.command
def export(
    file: Annotated[Path, Parameter(help="Where to write them; the name ends in .csv, .json or .parquet.")],
    /,
    *,
    selection: Selected | None = None,
    no_timings: Annotated[
        bool, Parameter(help="Leave out times and machines, so that equal results give equal files.")
    ] = False,
    store: StoreFile = None,
    json: AsJson = False,
) -> None:
    """Write results to a file, a line for each run and checkpoint."""
    from regretlab.experiments import Store
    from regretlab.experiments.rows import check_export, rows_of, without_timings
    from regretlab.experiments.rows import export as write

    check_export(file)
    check_target(file)
    check_store(store)
    with Store.to_read(store) as opened:
        runs = (selection or Selection()).of(opened)
    if not runs:
        raise UserError(f"there is nothing to export: no run in '{opened.path}' fits")
    rows = rows_of(runs)
    write(without_timings(rows) if no_timings else rows, file)
    if json:
        screen.as_json({"file": str(file), "runs": len(runs), "rows": len(rows)})
    else:
        said = f"{numbers.count(len(runs), 'run')} in {numbers.count(len(rows), 'row')} are in {file}"
        screen.Page().print(said, soft_wrap=True)


@results.command(name="rm")
def remove(
    *,
    selection: Selected | None = None,
    everything: Annotated[bool, Parameter(name="--all", help="All runs.")] = False,
    dry_run: Annotated[bool, Parameter(help="Only say how many runs would be removed.")] = False,
    store: StoreFile = None,
    json: AsJson = False,
) -> None:
    """Remove results from the store."""
    from regretlab.experiments import Store

    check_store(store)
    chosen = selection or Selection()
    if bool(chosen) == everything:
        raise UserError("say which runs to remove: either --all, or some of --suite, --game, --with, --old")
    with Store.to_read(store) if dry_run else Store.to_write(store) as opened:
        hashes = [run.hash for run in chosen.of(opened)]
        if not dry_run:
            opened.remove(hashes)
    if json:
        screen.as_json({"removed": 0 if dry_run else len(hashes), "hashes": hashes})
    else:
        done = "would be removed" if dry_run else "removed"
        screen.Page().print(f"{numbers.count(len(hashes), 'run')} {done}")


MOST_DRAWN = 7
"""Recipes in the picture where none are named: the best ones."""


@results.command
def rank(
    suite: Annotated[str, Parameter(help="The suite: a name such as convergence, or a .toml file of your own.")],
    /,
    *,
    at: Annotated[str, Parameter(metavar="N", help="After how many iterations; a checkpoint of the suite.")] = "1000",
    recipes: Annotated[
        str | None, Parameter(name="--with", metavar="RECIPES", help="Only these recipes. [default: all of the suite]")
    ] = None,
    plot: Annotated[
        Path | None, Parameter(metavar="FILE", help="Draw a panel for each game into a .png, .svg or .pdf.")
    ] = None,
    store: StoreFile = None,
    json: AsJson = False,
) -> None:
    """Rank the recipes of a suite by what is in the store: each game, then all of them together.

    Means over starts are geometric; × is the ratio to the best recipe on a game.
    The rate is the slope on logarithmic axes since a tenth of the iterations.
    """
    from regretlab.experiments.findings.ranking import as_dict, exploitability_charts, standings, summaries
    from regretlab.experiments.rows import suite_rows

    if plot is not None:
        from regretlab.plots import check_format

        check_format(plot)
        check_target(plot)
    check_store(store)
    rows = suite_rows(suite, store, None if recipes is None else split_list(recipes))
    made = standings(rows, whole("--at", at, least=1))
    ranked = summaries(made)
    if plot is not None:
        from regretlab.plots import panels_by_game, save

        drawn = [one.recipe for one in (ranked if recipes is not None else ranked[:MOST_DRAWN])]
        save(panels_by_game(exploitability_charts(rows, drawn)), plot)
    if json:
        screen.as_json(as_dict(made))
        return
    page = screen.Page()
    headings = ("recipe", "exploitability", "best start", "worst", "×", "rate")
    for game in dict.fromkeys(one.game for one in made):
        table = screen.new_table(*headings, right=headings[1:], fold=["recipe"])
        for one in made:
            if one.game == game:
                amounts = (numbers.loss(one.mean), numbers.loss(one.low), numbers.loss(one.high))
                table.add_row(one.recipe, *amounts, numbers.ratio(one.ratio), _rate(one.rate))
        page.print(game, style="bold")
        page.table(table)
    overall = ("recipe", "best", "close", "games", "mean ×", "worst ×", "rate")
    table = screen.new_table(*overall, right=overall[1:], fold=["recipe"])
    for each in ranked:
        counts = (f"{each.best}", f"{each.close}", f"{each.games}")
        table.add_row(each.recipe, *counts, numbers.ratio(each.ratio), numbers.ratio(each.worst), _rate(each.rate))
    page.print("all games", style="bold")
    page.table(table)
    page.print(
        "×: exploitability ÷ that of the best recipe on a game, both counted as at least a billionth of a chip; means "
        "over starts and games are geometric. close: games on which it is within a factor of two of the best. "
        "A rate of −1 is 1/T."
    )
    if plot is not None:
        page.print(f"\nThe plot is in {plot}", soft_wrap=True)


def _rate(rate: float | None) -> str:
    return "–" if rate is None else f"{rate:.2f}".replace("-", "−")
