"""``regretlab results``: what is in the store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from regretlab.cli import show
from regretlab.cli.options import AsJson, StoreFile
from regretlab.cli.rank import rank
from regretlab.cli.target import check_target
from regretlab.documents import numbers
from regretlab.errors import UserError

if TYPE_CHECKING:
    from regretlab.experiments.store import Store, StoredRun

EXAMPLES = """Examples:
  regretlab results list
  regretlab results show 3f2a
  regretlab results rank quick --at 1000 --plot quick.png
  regretlab results export quick.csv --suite quick
  regretlab results rm --game 'kuhn(bet=2)' --with cfr+"""

LEAST_PREFIX = 4
"""So many characters of a hash name a run, if no other begins with them."""

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
        from regretlab.experiments import read_suite
        from regretlab.experiments.jobs import plan
        from regretlab.experiments.specs import recipe_of
        from regretlab.games import load
        from regretlab.identity import number_identity

        hashes = None if self.suite is None else {job.hash for job in plan(read_suite(self.suite))}
        games = None if self.game is None else {self.game, load(self.game).name}
        recipe = None if self.recipe is None else recipe_of(self.recipe).name
        return [
            run
            for run in store.runs(hashes)
            if (games is None or run.game in games)
            and (recipe is None or run.recipe == recipe)
            and (not self.old or run.identity["numerics"] != number_identity())
        ]


Selected = Annotated[Selection, Parameter(name="*")]

results = App(name="results", help="Look at the results of experiments, rank recipes, export them, remove them.")
results.command(rank)


@results.command(name="list")
def list_results(*, selection: Selected | None = None, store: StoreFile = None, json: AsJson = False) -> None:
    """List what is in the store, a line for each game and recipe."""
    from regretlab.experiments import Store

    with Store.to_read(store) as opened:
        runs = (selection or Selection()).of(opened)
    groups = [_summary(game, recipe, runs) for game, recipe in dict.fromkeys((run.game, run.recipe) for run in runs)]
    if json:
        show.as_json(groups)
    else:
        _print_list(opened.path, len(runs), groups)


def _summary(game: str, recipe: str, runs: Iterable[StoredRun]) -> dict[str, Any]:
    from regretlab.identity import number_identity

    mine = [run for run in runs if (run.game, run.recipe) == (game, recipe)]
    return {
        "game": game,
        "recipe": recipe,
        "runs": len(mine),
        "old": sum(run.identity["numerics"] != number_identity() for run in mine),
        "most_iterations": max(run.identity["checkpoints"][-1] for run in mine),
        "seconds": sum(run.seconds for run in mine),
        "last": max(run.finished for run in mine),
        "hashes": [run.hash for run in mine],
    }


def _print_list(store: Path, count: int, groups: Sequence[dict[str, Any]]) -> None:
    page = show.Page()
    page.print(f"{store} holds {numbers.count(count, 'run') if count else 'no runs'}", soft_wrap=True)
    if not groups:
        return
    headings = ("game", "recipe", "runs", "old", "iterations", "last", "for example")
    table = show.new_table(*headings, right=headings[2:5], fold=["game", "recipe"])
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

    with Store.to_read(store) as opened:
        found = _find(opened, run)
    if json:
        show.as_json(found._asdict() | {"measurements": [each._asdict() for each in found.measurements]})
    else:
        _print_run(found)


def _find(store: Store, prefix: str) -> StoredRun:
    if len(prefix) < LEAST_PREFIX:
        raise UserError(f"'{prefix}' is too short for the hash of a run; give at least {LEAST_PREFIX} characters")
    matching = [each for each in store.hashes() if each.startswith(prefix.lower())]
    if len(matching) != 1:
        many = f"{len(matching)} runs have a hash that begins" if matching else "no run has a hash that begins"
        raise UserError(f"in '{store.path}' {many} with '{prefix}'; see regretlab results list")
    return store.runs(set(matching))[0]


def _print_run(run: StoredRun) -> None:
    page = show.Page()
    known = run.identity
    page.print(f"{run.recipe} on {run.game}", style="bold")
    start = "uniform strategies" if known["start"] == 0 else f"random strategies, number {known['start']}"
    page.facts(
        [
            ("hash", run.hash),
            ("recipe", ", ".join(f"{part} {choice}" for part, choice in known["recipe"].items())),
            ("seed", str(known["seed"])),
            ("start", start),
            ("finished", f"{run.finished} after {numbers.duration(run.seconds)}"),
            ("numerics", known["numerics"]),
            *run.provenance.items(),
        ]
    )
    measures = [*known["measures"], "seconds"]
    table = show.new_table("iteration", *measures, right=["iteration", *measures], fold=measures)
    for iteration in dict.fromkeys(each.iteration for each in run.measurements):
        amounts = {each.measure: each.amount for each in run.measurements if each.iteration == iteration}
        table.add_row(f"{iteration:,}", *(_amount(amounts[measure]) for measure in measures))
    page.print()
    page.table(table)


def _amount(amount: float | None) -> str:
    return "–" if amount is None else numbers.value(amount)


@results.command
def export(
    file: Annotated[Path, Parameter(help="Where to write them; the name ends in .csv or .json.")],
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
    with Store.to_read(store) as opened:
        runs = (selection or Selection()).of(opened)
    if not runs:
        raise UserError(f"there is nothing to export: no run in '{opened.path}' fits")
    rows = rows_of(runs)
    write(without_timings(rows) if no_timings else rows, file)
    if json:
        show.as_json({"file": str(file), "runs": len(runs), "rows": len(rows)})
    else:
        said = f"{numbers.count(len(runs), 'run')} in {numbers.count(len(rows), 'row')} are in {file}"
        show.Page().print(said, soft_wrap=True)


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

    chosen = selection or Selection()
    if bool(chosen) == everything:
        raise UserError("say which runs to remove: either --all, or some of --suite, --game, --with, --old")
    with Store.to_read(store) if dry_run else Store.to_write(store) as opened:
        hashes = [run.hash for run in chosen.of(opened)]
        if not dry_run:
            opened.remove(hashes)
    if json:
        show.as_json({"removed": 0 if dry_run else len(hashes), "hashes": hashes})
    else:
        done = "would be removed" if dry_run else "removed"
        show.Page().print(f"{numbers.count(len(hashes), 'run')} {done}")
