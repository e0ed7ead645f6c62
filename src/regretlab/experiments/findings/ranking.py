"""Which recipe does best: what runs from several starts say together, game by game and over all games."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from regretlab.documents.blocks import Chart, Series
from regretlab.errors import UserError
from regretlab.experiments.rows import Row, recipe_lines

SMALLEST = 1e-16
"""Exploitabilities are counted as at least this: below it there is nothing but rounding."""

SOLVED = 1e-9
"""In comparisons they are counted as at least this: who is below a billionth of a chip has solved the game."""

CLOSE = 2.0
"""Within this factor of the best is as good as the best."""


@dataclass(frozen=True)
class Standing:
    """One recipe on one game after so many iterations."""

    game: str
    recipe: str
    runs: int
    mean: float  # the geometric mean of the exploitability over all starts
    low: float  # the best start
    high: float  # the worst one
    rate: float | None  # the slope on logarithmic axes since a tenth of the iterations: −1 is a rate of 1/T
    ratio: float  # mean ÷ that of the best recipe on this game, both counted as at least SOLVED


@dataclass(frozen=True)
class Summary:
    """One recipe on all games."""

    recipe: str
    games: int
    best: int  # on how many of them it is the best
    close: int  # on how many it is within CLOSE of the best
    ratio: float  # the geometric mean of its ratio to the best
    worst: float  # its largest ratio
    rate: float | None  # the mean of its rates


def standings(rows: Iterable[Row], iteration: int) -> list[Standing]:
    """Every recipe on every game at a checkpoint, the best first on each game."""
    groups: dict[tuple[str, str], dict[int, list[float]]] = {}
    compared = judged(rows)
    if not compared:
        raise UserError("there is nothing to rank: no run has measured exploitability; name it among the measures")
    for row in compared:
        found = groups.setdefault((row["game"], row["recipe"]), {}).setdefault(row["iteration"], [])
        found.append(max(row["exploitability"], SMALLEST))
    reached = {key: found for key, found in groups.items() if iteration in found}
    if not reached:
        raise UserError(f"no run has a checkpoint at {iteration:,} iterations")
    best: dict[str, float] = {}
    for (game, _), at in reached.items():
        best[game] = min(best.get(game, math.inf), geometric_mean(at[iteration]))
    before, made = iteration // 10, []
    for (game, recipe), at in reached.items():
        now, mean = at[iteration], geometric_mean(at[iteration])
        rate = None
        if before in at and min(now) > 10 * SMALLEST:  # not where only rounding is left
            rate = math.log10(mean / geometric_mean(at[before])) / math.log10(iteration / before)
        ratio = max(mean, SOLVED) / max(best[game], SOLVED)
        made.append(Standing(game, recipe, len(now), mean, min(now), max(now), rate, ratio))
    order = list(best)
    return sorted(made, key=lambda one: (order.index(one.game), one.mean))


def summaries(made: Sequence[Standing]) -> list[Summary]:
    """Every recipe over all games, the one closest to the best first."""
    by_recipe: dict[str, list[Standing]] = {}
    for one in made:
        by_recipe.setdefault(one.recipe, []).append(one)
    found = []
    for recipe, mine in by_recipe.items():
        ratios = [one.ratio for one in mine]
        rates = [one.rate for one in mine if one.rate is not None]
        best, close = ratios.count(1), sum(ratio <= CLOSE for ratio in ratios)
        rate = fmean(rates) if rates else None
        found.append(Summary(recipe, len(mine), best, close, geometric_mean(ratios), max(ratios), rate))
    return sorted(found, key=lambda one: (-one.close / one.games, one.ratio))


def geometric_mean(numbers: Sequence[float]) -> float:
    """The mean on a logarithmic axis, where exploitabilities live."""
    return math.exp(fmean(math.log(number) for number in numbers))


def as_dict(made: Sequence[Standing]) -> dict[str, Any]:
    """Both tables as plain values."""
    return {"standings": [vars(one) for one in made], "summaries": [vars(one) for one in summaries(made)]}


@dataclass(frozen=True)
class GameRanking:
    """One game. Recipes that have solved it come first, the soonest of them at the very top; then the best."""

    game: str
    iteration: int  # the checkpoint at which the recipes are compared
    final: tuple[Standing, ...]  # at that checkpoint
    solved: dict[str, int]  # the recipes that have solved the game, and the first checkpoint at which they had


def judged(rows: Iterable[Row]) -> list[Row]:
    """The rows that can be compared: those with an exploitability."""
    return [row for row in rows if row.get("exploitability") is not None]


def common_checkpoint(rows: Iterable[Row]) -> int:
    """The iteration at which most recipes were looked at on most games; the last one of several."""
    looks = {(row["iteration"], row["game"], row["recipe"]) for row in rows}
    counts: Counter[int] = Counter(iteration for iteration, _, _ in looks)
    return max(counts, key=lambda iteration: (counts[iteration], iteration))


def rank_game(rows: Sequence[Row]) -> GameRanking:
    """Where the recipes of the rows of one game stand."""
    iteration = common_checkpoint(rows)
    solved: dict[str, int] = {}
    for each in sorted({row["iteration"] for row in rows if row["iteration"] <= iteration}):
        for one in standings(rows, each):
            if one.mean < SOLVED:
                solved.setdefault(one.recipe, each)
    final = sorted(standings(rows, iteration), key=lambda one: (solved.get(one.recipe, math.inf), one.mean))
    return GameRanking(rows[0]["game"], iteration, tuple(final), solved)


def exploitability_lines(rows: Iterable[Row], recipes: Iterable[str]) -> tuple[Series, ...]:
    """For each recipe the geometric mean over all starts, and a band from the best start to the worst."""
    return recipe_lines(rows, lambda row: max(row["exploitability"], SMALLEST), geometric_mean, recipes)


def exploitability_charts(rows: Sequence[Row], recipes: Sequence[str]) -> list[Chart]:
    """A chart for each game, with the same recipes in all."""
    charts = []
    for game in dict.fromkeys(row["game"] for row in rows):
        lines = exploitability_lines((row for row in rows if row["game"] == game), recipes)
        charts.append(Chart(game, "iterations", "exploitability", "log", "log", lines))
    return charts
