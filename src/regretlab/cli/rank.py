"""``regretlab results rank``: which recipe of a suite does best."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.table import Table

from regretlab.cli import show
from regretlab.cli.options import AsJson, StoreFile
from regretlab.cli.target import check_target
from regretlab.documents import numbers
from regretlab.errors import UserError, unknown
from regretlab.spec import split_list, whole

if TYPE_CHECKING:
    from regretlab.experiments.findings.ranking import Standing
    from regretlab.experiments.rows import Row

MOST_DRAWN = 7
"""Recipes in the picture where none are named: the best ones."""


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

    if plot is not None:
        from regretlab.plots import check_format

        check_format(plot)
    check_target(plot)
    rows = _rows(suite, recipes, store)
    made = standings(rows, whole("--at", at, least=1))
    ranked = [one.recipe for one in summaries(made)]
    if plot is not None:
        from regretlab.plots import convergence_by_game, save

        drawn = ranked if recipes is not None else ranked[:MOST_DRAWN]
        save(convergence_by_game(exploitability_charts(rows, drawn)), plot)
    if json:
        show.as_json(as_dict(made))
    else:
        _print(made, plot)


def _rows(suite: str, recipes: str | None, store: Path | None) -> list[Row]:
    from regretlab.experiments import Store, read_suite
    from regretlab.experiments.jobs import plan
    from regretlab.experiments.rows import tidy

    jobs = plan(read_suite(suite))
    with Store.to_read(store) as opened:
        rows = tidy(opened, jobs)
    if not rows:
        raise UserError(f"no run of {suite} is in {opened.path}; first: regretlab experiment {suite}")
    if recipes is None:
        return rows
    known = list(dict.fromkeys(row["recipe"] for row in rows))
    chosen = split_list(recipes)
    for name in chosen:
        if name not in known:
            raise unknown(f"recipe of {suite}", name, known)
    return [row for row in rows if row["recipe"] in chosen]


def _print(made: Sequence[Standing], plot: Path | None) -> None:
    page = show.Page()
    for game in dict.fromkeys(one.game for one in made):
        page.print(game, style="bold")
        page.table(_game_table([one for one in made if one.game == game]))
    page.print("all games", style="bold")
    page.table(_summary_table(made))
    page.print(
        "×: exploitability ÷ that of the best recipe on a game, both counted as at least a billionth of a chip; means "
        "over starts and games are geometric. close: games on which it is within a factor of two of the best. "
        "A rate of −1 is 1/T."
    )
    if plot is not None:
        page.print(f"\nThe plot is in {plot}", soft_wrap=True)


def _game_table(mine: Sequence[Standing]) -> Table:
    headings = ("recipe", "exploitability", "best start", "worst", "×", "rate")
    table = show.new_table(*headings, right=headings[1:], fold=["recipe"])
    for one in mine:
        amounts = (numbers.loss(one.mean), numbers.loss(one.low), numbers.loss(one.high))
        table.add_row(one.recipe, *amounts, numbers.ratio(one.ratio), _rate(one.rate))
    return table


def _summary_table(made: Sequence[Standing]) -> Table:
    from regretlab.experiments.findings.ranking import summaries

    headings = ("recipe", "best", "close", "games", "mean ×", "worst ×", "rate")
    table = show.new_table(*headings, right=headings[1:], fold=["recipe"])
    for one in summaries(made):
        counts = (f"{one.best}", f"{one.close}", f"{one.games}")
        table.add_row(one.recipe, *counts, numbers.ratio(one.ratio), numbers.ratio(one.worst), _rate(one.rate))
    return table


def _rate(rate: float | None) -> str:
    return "–" if rate is None else f"{rate:.2f}".replace("-", "−")
