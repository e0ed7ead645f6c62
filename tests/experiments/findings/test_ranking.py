"""The ranking of recipes: by hand on made-up rows."""

from __future__ import annotations

import math
from typing import Any

import pytest

from regretlab.errors import UserError
from regretlab.experiments.findings.ranking import (
    SMALLEST,
    SOLVED,
    as_dict,
    exploitability_charts,
    geometric_mean,
    standings,
    summaries,
)
from regretlab.plots import panels_by_game


def rows(game: str, recipe: str, found: dict[int, list[float]]) -> list[dict[str, Any]]:
    return [
        {"game": game, "recipe": recipe, "iteration": t, "start": k, "exploitability": amount}
        for t, amounts in found.items()
        for k, amount in enumerate(amounts)
    ]


ROWS = [
    *rows("one", "slow", {100: [1e-2, 1e-2], 1_000: [1e-2, 1e-4]}),  # geometric mean 1e-3
    *rows("one", "fast", {100: [1e-3, 1e-3], 1_000: [1e-5, 1e-5]}),
    *rows("two", "slow", {100: [1e-1, 1e-1], 1_000: [3e-2, 3e-2]}),
    *rows("two", "fast", {100: [1e-1, 1e-1], 1_000: [2e-2, 2e-2]}),
    *rows("two", "exact", {100: [0.0, 0.0], 1_000: [0.0, -1e-18]}),
]


def test_standings_by_hand() -> None:
    found = {(one.game, one.recipe): one for one in standings(ROWS, 1_000)}
    assert [*found] == [("one", "fast"), ("one", "slow"), ("two", "exact"), ("two", "fast"), ("two", "slow")]
    slow = found["one", "slow"]
    assert (slow.runs, slow.low, slow.high) == (2, 1e-4, 1e-2)
    assert slow.mean == pytest.approx(1e-3)
    assert slow.ratio == pytest.approx(100)
    assert slow.rate == pytest.approx(-1)  # 1e-2 → 1e-3 while the iterations grew tenfold
    assert found["one", "fast"].rate == pytest.approx(-2)
    assert found["two", "exact"].mean == pytest.approx(SMALLEST)
    assert found["two", "exact"].rate is None  # nothing but rounding
    assert found["two", "fast"].ratio == pytest.approx(2e-2 / SOLVED)
    assert standings(ROWS, 100)[0].rate is None  # nothing is known at 10


def test_summaries_by_hand() -> None:
    kept = [row for row in ROWS if row["recipe"] != "exact"]
    fast, slow = summaries(standings(kept, 1_000))
    assert (fast.recipe, fast.games, fast.best, fast.close, fast.worst) == ("fast", 2, 2, 2, 1)
    assert (slow.recipe, slow.games, slow.best, slow.close) == ("slow", 2, 0, 1)  # 1.5 times the best on the second
    assert slow.ratio == pytest.approx(math.sqrt(100 * 1.5))
    assert slow.worst == pytest.approx(100)
    assert slow.rate == pytest.approx((-1 + math.log10(0.3)) / 2)
    assert len(as_dict(standings(kept, 1_000))["summaries"]) == 2


def test_a_checkpoint_that_is_not_there_is_named() -> None:
    with pytest.raises(UserError, match="no run has a checkpoint at 50 iterations"):
        standings(ROWS, 50)


def test_geometric_mean() -> None:
    assert geometric_mean([1e-2, 1e-4]) == pytest.approx(1e-3)


def test_the_picture_has_a_panel_a_game_and_a_line_a_recipe() -> None:
    figure = panels_by_game(exploitability_charts(ROWS, ["fast", "slow"]))
    shown = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title() for axes in shown] == ["one", "two"]
    lines = {line.get_label(): line for line in shown[0].get_lines()}
    assert set(lines) == {"fast", "slow"}
    assert list(lines["slow"].get_xdata()) == [100, 1_000]
    assert list(lines["slow"].get_ydata()) == pytest.approx([1e-2, 1e-3])
    assert shown[0].get_yscale() == "log"


def test_who_has_solved_a_game_is_as_good_as_the_best() -> None:
    found = {"a": 1e-15, "b": 9e-10, "c": 4e-9}
    made = standings([row for name, amount in found.items() for row in rows("g", name, {10: [amount]})], 10)
    assert {one.recipe: one.ratio for one in made} == pytest.approx({"a": 1, "b": 1, "c": 4})
    assert {one.recipe: one.best for one in summaries(made)} == {"a": 1, "b": 1, "c": 0}
