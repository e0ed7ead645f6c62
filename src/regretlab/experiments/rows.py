"""Results as tidy rows: one for each run and checkpoint, for people, spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from statistics import fmean

from regretlab.documents import numbers
from regretlab.documents.blocks import Series
from regretlab.documents.rows import Row as Row
from regretlab.documents.rows import Rows
from regretlab.endgames import Spot
from regretlab.endgames.cards import hand_name
from regretlab.errors import UserError, unknown
from regretlab.experiments.jobs import Job, plan
from regretlab.experiments.measures import SECONDS
from regretlab.experiments.specs import BoardOf, board_in, recipe_of, short_name
from regretlab.experiments.store import Store, StoredRun
from regretlab.experiments.suite_reading import read_suite
from regretlab.files import written_beside
from regretlab.games import load

TIMINGS = (SECONDS, "run_seconds", "finished", "machine")
"""The columns in which two stores with the same results differ."""

FORMATS = (".csv", ".json", ".parquet")


def tidy(store: Store, jobs: Sequence[Job]) -> Rows:
    """The rows of a suite's runs."""
    return rows_of(runs_of(store, jobs), boards_of(jobs))


def boards_of(jobs: Sequence[Job]) -> dict[str, BoardOf]:
    """What a suite calls its spots, by the hashes of their runs."""
    return {job.hash: job.board for job in jobs if job.board is not None}


def runs_of(store: Store, jobs: Sequence[Job]) -> list[StoredRun]:
    """A suite's runs as far as they are there, in its order and under the names that recipes have there."""
    stored = {run.hash: run for run in store.runs({job.hash for job in jobs})}
    return [stored[job.hash]._replace(recipe=job.run.recipe) for job in jobs if job.hash in stored]


def suite_rows(suite: str, store: str | Path | None = None, recipes: Sequence[str] | None = None) -> list[Row]:
    """The rows of a suite's runs that are in a store, of all its recipes or of those that are named."""
    with Store.to_read(store) as opened:
        rows = tidy(opened, plan(read_suite(suite)))
    if not rows:
        raise UserError(f"no run of {suite} is in {opened.path}; first: regretlab experiment {suite}")
    if recipes is None:
        return rows
    known = list(dict.fromkeys(row["recipe"] for row in rows))
    for name in recipes:
        if name not in known:
            raise unknown(f"recipe of {suite}", name, known)
    return [row for row in rows if row["recipe"] in recipes]


def selected_runs(
    store: Store, suite: str | None = None, game: str | None = None, recipe: str | None = None, old: bool = False
) -> list[StoredRun]:
    """The runs in a store that fit everything that is given; old ones were computed by another version of the code."""
    hashes = None if suite is None else {job.hash for job in plan(read_suite(suite))}
    games = None if game is None else {game, load(game).name}
    name = None if recipe is None else recipe_of(recipe).name
    return [
        run
        for run in store.runs(hashes)
        if (games is None or run.game in games) and (name is None or run.recipe == name) and (not old or run.is_old)
    ]


def summarise_runs(runs: Sequence[StoredRun]) -> list[Row]:
    """What there is of each recipe on each game."""
    groups: dict[tuple[str, str], list[StoredRun]] = {}
    for run in runs:
        board = board_in(run.game)
        game = run.game if board is None else run.game.replace(board, "", 1)  # a spot is one, on whatever boards
        groups.setdefault((game, run.recipe), []).append(run)
    return [
        {
            "game": _called([run.game for run in mine]),
            "recipe": recipe,
            "runs": len(mine),
            "old": sum(run.is_old for run in mine),
            "most_iterations": max(run.identity["checkpoints"][-1] for run in mine),
            "seconds": sum(run.seconds for run in mine),
            "last": max(run.finished for run in mine),
            "hashes": [run.hash for run in mine],
        }
        for (_, recipe), mine in groups.items()
    ]


def _called(games: Sequence[str]) -> str:
    """What people call a game, or a spot on several boards."""
    boards = len(set(games))
    return short_name(games[0]) if boards == 1 else f"holdem({boards:,} boards)"


def rows_of(runs: Iterable[StoredRun], boards: Mapping[str, BoardOf] | None = None) -> Rows:
    """The rows of runs, all with the same columns: what was run, then what was measured, then where it comes from.

    Spots of a batch are called by their suite as ``boards`` say, which are by the hashes of runs.
    """
    parts: list[tuple[Row, Row, Row]] = []
    for run in runs:
        known = run.identity
        recipe = {part: choice for part, choice in known["recipe"].items() if part != "source"}
        spec = _game_of(run, (boards or {}).get(run.hash)) | {"recipe": run.recipe} | recipe
        spec |= {"seed": known["seed"], "start": known["start"]}
        origin = {"run": run.hash, "numerics": known["numerics"], "version": run.provenance["regretlab"]}
        origin |= {"run_seconds": run.seconds, "finished": run.finished, "machine": run.provenance["machine"]}
        found: dict[int, Row] = {}
        others: dict[str, None] = {}
        for iteration, measure, amount in run.measurements:
            found.setdefault(iteration, {"iteration": iteration})[measure] = amount
            others[measure] = None
        names = dict.fromkeys(("iteration", *known["measures"], *others, SECONDS))
        parts += [(spec, {name: each.get(name) for name in names}, origin) for each in found.values()]
    columns = [list(dict.fromkeys(key for part in group for key in part)) for group in zip(*parts, strict=True)]
    return Rows(
        {key: group.get(key) for group, keys in zip(part, columns, strict=True) for key in keys} for part in parts
    )


def _game_of(run: StoredRun, called: BoardOf | None) -> Row:
    """What was played: a game by its name; of a spot its name, board, weight, precision and target."""
    if "precision" not in run.identity:
        return {"game": run.game}
    if called is None:
        spot = load(run.game) if board_in(run.game) is None else None
        board = hand_name(spot.board) if isinstance(spot, Spot) else board_in(run.game)
        called = BoardOf(short_name(run.game), str(board), 1)
    return {"game": called.spot, "board": called.board, "weight": called.weight} | {
        key: run.identity[key] for key in ("precision", "until")
    }


def recipe_lines(
    rows: Iterable[Row],
    height: Callable[[Row], float],
    mean: Callable[[Sequence[float]], float] = fmean,
    recipes: Iterable[str] | None = None,
) -> tuple[Series, ...]:
    """A line for each recipe over iterations: the mean of its runs, and a band from the lowest to the highest.

    All recipes in the rows unless some are named; one that is named and not there has a line without points.
    """
    found: dict[str, dict[int, list[float]]] = {recipe: {} for recipe in recipes or ()}
    for row in rows:
        if recipes is None or row["recipe"] in found:
            found.setdefault(row["recipe"], {}).setdefault(row["iteration"], []).append(height(row))
    lines = []
    for recipe, heights in found.items():
        means = tuple((t, mean(heights[t])) for t in sorted(heights))
        several = any(len(seen) > 1 for seen in heights.values())
        band = tuple((t, min(heights[t]), max(heights[t])) for t in sorted(heights)) if several else ()
        lines.append(Series(recipe, means, band))
    return tuple(lines)


def without_timings(rows: Iterable[Row]) -> list[Row]:
    """Only what two stores with the same results have in common."""
    return [{key: value for key, value in row.items() if key not in TIMINGS} for row in rows]


def check_export(path: Path) -> None:
    """Raise UserError where the name does not say which format is meant, or the format needs what is not installed."""
    if path.suffix.lower() not in FORMATS:
        raise UserError(f"can't export to '{path}': its name should end in {' or '.join(FORMATS)}")
    if path.suffix.lower() == ".parquet":
        Rows().arrow()


def export(rows: Sequence[Row], path: Path) -> None:
    """Write rows into a CSV, JSON or Parquet file, which is whole or not there; numbers are written to the last bit."""
    check_export(path)
    with written_beside(path) as file:
        if path.suffix.lower() == ".parquet":
            import_module("pyarrow.parquet").write_table(Rows(rows).arrow(), file)
        elif path.suffix.lower() == ".csv":
            file.write(as_csv(rows).encode())
        else:
            file.write(f"{json.dumps(numbers.plain(rows), indent=1, allow_nan=False)}\n".encode())


def as_csv(rows: Sequence[Row]) -> str:
    """Rows as the text of a CSV file, with a head."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
