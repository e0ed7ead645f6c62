"""``regretlab compare``: several recipes on one game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.table import Table
from rich.text import Text

from regretlab.cli import numbers, show
from regretlab.cli.options import AsJson, GameName
from regretlab.cli.target import check_target
from regretlab.cli.watch import INTERRUPTED, Watch
from regretlab.spec import split_list, whole

if TYPE_CHECKING:
    from regretlab.experiments import Comparison, Estimate, Row

EXAMPLES = """Examples:
  regretlab compare kuhn
  regretlab compare kuhn --plot kuhn.png
  regretlab compare 'kuhn(bet=2)' --with 'cfr+,cfr+(delay=100),normalhedge'
  regretlab compare kuhn --with 'cfr,cfr(feedback=chance)' --seeds 20 --json"""

LEAST_ROOM, REST = 16, 82
"""The width that recipes have in the table at 80 and 100 columns; beyond that all but what the REST takes."""


def compare(
    game: GameName,
    /,
    *,
    recipes: Annotated[
        str,
        Parameter(
            name="--with",
            metavar="RECIPES",
            help="Recipes with commas between them; the others are measured against the first.",
        ),
    ] = "cfr,cfr+,normalhedge,normalhedge+",
    iterations: Annotated[str, Parameter(metavar="N", help="How many iterations each recipe gets.")] = "10000",
    seeds: Annotated[str, Parameter(metavar="K", help="How often recipes that sample are run.")] = "1",
    plot: Annotated[
        Path | None, Parameter(metavar="FILE", help="Draw the convergence into this .png, .svg or .pdf file.")
    ] = None,
    json: AsJson = False,
) -> int:
    """Race several recipes on one game.

    The value of the game, exact where it is small enough, stands beside what they find.
    Recipes that sample show the mean over the seeds ± its standard error.
    """
    from regretlab.experiments import compare
    from regretlab.games import load
    from regretlab.plots import check_format, convergence, save

    goal, count = whole("--iterations", iterations, least=1), whole("--seeds", seeds, least=1)
    if plot is not None:
        check_format(plot)
    check_target(plot)
    rules = load(game)
    with Watch() as watch:
        result = compare(rules, split_list(recipes), iterations=goal, seeds=count, callback=watch.comparing)
    if plot is not None and result.rows:
        save(convergence(result), plot)
    if json:
        show.as_json(_as_dict(result))
    else:
        _print(rules, result, plot)
    return _status(result)


def _as_dict(result: Comparison) -> dict[str, object]:
    return {
        "game": result.game,
        "iterations": result.iterations,
        "exact_value": result.exact_value,
        "proven": result.proven,
        "complete": result.complete,
        "rows": [row.as_dict() for row in result.rows],
    }


def _status(result: Comparison) -> int:
    if result.complete:
        return 0
    show.note("stopped by Ctrl-C; recipes that were not finished are left out")
    return INTERRUPTED


def _print(game: object, result: Comparison, plot: Path | None) -> None:
    unit, page = numbers.Unit.of(game), show.Page()
    page.print(result.heading, style="bold")
    exact = result.exact_value
    if exact is None:
        page.print("exact value unknown: the game is too large for the linear programme\n")
    else:
        source = "exact value" if result.proven else "value by linear programming"
        page.print(f"{source} {numbers.value(exact)} chips, {unit.show(exact)} {unit.name}, for player 0\n")
    if result.rows:
        page.table(_table(result.rows, unit, page.width))
        page.print(f"★ best of its column; off by: how far the value is from the exact one{_seeds(result.rows)}\n")
    if plot is not None and result.rows:
        page.print(f"The plot is in {plot}", soft_wrap=True)


def _seeds(rows: Sequence[Row]) -> str:
    most = max(len(row.solutions) for row in rows)
    return f"; ± standard error over {most} seeds" if most > 1 else ""


def _table(rows: Sequence[Row], unit: numbers.Unit, width: int) -> Table:
    narrow = width < show.WIDE
    loss = "exploit-\nability\nchips" if narrow else "exploitability\nchips"
    time = "time an\niter." if narrow else "time an\niteration"
    headings = ("recipe", loss, unit.name, "× first", "value\nchips", "off by\nchips", time, "× first")
    table = show.new_table(*headings, right=headings[1:], fold=["recipe"], gap=1 if narrow else 2)
    losses, distances, times = (_best(column) for column in _columns(rows))
    for row, *best in zip(rows, losses, distances, times, strict=True):
        table.add_row(
            show.broken(row.recipe.name, max(LEAST_ROOM, width - REST)),
            _marked(_spread(row.exploitability, numbers.loss, numbers.error), best[0]),
            _spread(row.exploitability, unit.show, unit.show_error),
            numbers.ratio(row.exploitability_ratio),
            _spread(row.value, numbers.value, numbers.error),
            _marked("–" if row.value_distance is None else numbers.loss(row.value_distance), best[1]),
            _marked(numbers.duration(row.microseconds / 1e6), best[2]),
            numbers.ratio(row.time_ratio),
        )
    return table


def _columns(rows: Sequence[Row]) -> tuple[list[float | None], ...]:
    """The columns in which less is better."""
    return (
        [row.exploitability.mean for row in rows],
        [row.value_distance for row in rows],
        [row.microseconds for row in rows],
    )


def _best(column: Sequence[float | None]) -> list[bool]:
    """Which entries are the smallest; none where there is nothing to choose from."""
    known = {entry for entry in column if entry is not None}
    return [len(known) > 1 and entry == min(known) for entry in column]


def _spread(estimate: Estimate, write: Callable[[float], str], write_error: Callable[[float], str]) -> str:
    """The mean, and the standard error if there is one below it: side by side they would not fit into 80 columns."""
    return write(estimate.mean) + ("" if estimate.error is None else f"\n± {write_error(estimate.error)}")


def _marked(cell: str, best: bool) -> Text:
    """A cell with a star where it is the best of its column, and room for one where it is not."""
    first, below, error = cell.partition("\n")
    return Text(f"{first}{'★' if best else ' '}{below}{error}", style="bold green" if best else "")
