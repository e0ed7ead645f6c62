"""The founding study's suite against an independent replication's figures."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest

from regretlab.experiments import read_suite
from regretlab.experiments.findings.kuhn_report.study import ALGORITHMS, ALL_DEALS, CONFIGURATIONS, HORIZONS
from regretlab.games import Kuhn
from regretlab.solving import Solver

SEEDS = 8
"""How many of the 200 seeds are run here."""

REPLICATED = 200
"""How many the replication has run."""


def printed() -> list[tuple[str, Kuhn, int, str]]:
    """The figures of the replication: recipe, game, iterations, milli-chips as they were printed."""
    text = (Path(__file__).parents[2] / "data" / "kuhn_study.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    return [
        (row["recipe"], Kuhn(int(row["ante"]), int(row["bet"])), iterations, row[f"T={iterations}"])
        for row in rows
        for iterations in HORIZONS
    ]


def unit(figure: str) -> float:
    """One in the last digit of a printed figure."""
    return float(10 ** -len(figure.partition(".")[2]))


def measured(recipe: str, game: Kuhn, seed: int) -> dict[int, float]:
    """Exploitability in milli-chips after 10,000 and 100,000 iterations."""
    solver, found = Solver(game, recipe, seed=seed), {}
    for iterations in HORIZONS:
        solver.advance(iterations - solver.iteration)
        found[iterations] = 1_000 * solver.evaluate().exploitability
    return found


def test_sampled_deals_agree_with_an_independent_replication() -> None:
    """30 of 32 means within three combined standard errors and half a printed unit, none beyond five."""
    cells = [cell for cell in printed() if "chance" in cell[0]]
    runs = {(recipe, game): [measured(recipe, game, seed) for seed in range(SEEDS)] for recipe, game, _, _ in cells}
    away = []
    for recipe, game, iterations, figure in cells:
        amounts = [run[iterations] for run in runs[recipe, game]]
        error = np.std(amounts, ddof=1) * math.sqrt(1 / SEEDS + 1 / REPLICATED)
        away.append(max(abs(np.mean(amounts) - float(figure)) - unit(figure) / 2, 0) / error)
    assert len(away) == 32
    assert sum(each <= 3 for each in away) >= 30
    assert max(away) <= 5


@pytest.mark.parametrize("recipe", list(ALL_DEALS.values())[:5])
def test_all_deals_agree_with_an_independent_replication(recipe: str) -> None:
    """To the printed digits; where paths are chaotic, rounding alone moves the last one by one."""
    cells = [cell for cell in printed() if cell[0] == recipe]
    assert len(cells) == 4
    for _, game, iterations, figure in cells:
        found = measured(recipe, game, seed=0)[iterations]
        assert abs(found - float(figure)) <= unit(figure) * (0.5 if "+" in recipe and recipe != "normalhedge+" else 1)


def test_the_suite_is_the_whole_study() -> None:
    runs = read_suite("kuhn-report").runs
    sampled = {(run.game, run.recipe, run.seed) for run in runs if "chance" in run.recipe}
    assert sampled == {
        (each.game, recipe, seed) for each in CONFIGURATIONS for recipe in ALGORITHMS.values() for seed in range(200)
    }
    full = {(run.game, run.recipe, run.start) for run in runs if "chance" not in run.recipe}
    assert full == {
        (each.game, recipe, start) for each in CONFIGURATIONS for recipe in ALL_DEALS.values() for start in range(11)
    }
    assert {run.checkpoints for run in runs} == {(100, 1_000, *HORIZONS)}
