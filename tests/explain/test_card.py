"""The reference card: its code runs, and does what the textbook does."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretlab as rl
from regretlab.explain.card import card
from regretlab.explain.lesson import RULES

NAMES = ["cfr", "cfr+", "normalhedge", "normalhedge+"]
regrets = st.floats(-10, 10).map(lambda number: round(number, 6))


@pytest.mark.parametrize("name", NAMES)
@given(
    st.lists(st.tuples(regrets, regrets, st.floats(0, 1)), min_size=1, max_size=4), st.integers(1, 5), st.floats(0, 1)
)
def test_one_update(name: str, rows: list[tuple[float, float, float]], t: int, reach: float) -> None:
    recipe = rl.recipe(name)
    infoset = RULES[recipe.accumulate, recipe.weigh](len(rows))
    infoset.regret_sum = [max(row[0], 0.0) if recipe.accumulate == "truncate" else row[0] for row in rows]
    infoset.strategy = [row[2] for row in rows]
    space: dict[str, Any] = {
        "R": list(infoset.regret_sum),
        "S": [0.5] * len(rows),
        "strategy": list(infoset.strategy),
        "r": [row[1] for row in rows],
        "reach": reach,
        "t": t,
    }
    exec(card(recipe), space)
    infoset.strategy_sum = [0.5] * len(rows)
    infoset.update_strategy_sum(reach, t if name == "cfr+" else 1)
    for action, row in enumerate(rows):
        infoset.add_regret(action, row[1])
    assert space["R"] == pytest.approx(infoset.regret_sum)
    assert space["S"] == pytest.approx(infoset.strategy_sum)
    assert space["strategy"] == pytest.approx(infoset.get_strategy(), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "t", "weight"),
    [
        ("cfr", 7, 1),
        ("cfr(delay=3)", 3, 0),
        ("cfr(delay=3)", 4, 1),
        ("cfr+", 7, 7),
        ("cfr+(delay=3)", 2, 0),
        ("cfr+(delay=3)", 7, 4),
        ("cfr(averaging=quadratic)", 7, 49),
        ("cfr(averaging=t^1.5, delay=3)", 7, 8),
    ],
)
def test_weight_of_an_iteration(name: str, t: int, weight: float) -> None:
    space: dict[str, Any] = {"R": [0.0], "S": [0.0], "strategy": [1.0], "r": [0.0], "reach": 1.0, "t": t}
    exec(card(rl.recipe(name)), space)
    assert space["S"] == [weight]


def test_the_walkthrough_shows_it() -> None:
    told = rl.walkthrough("kuhn", "cfr,normalhedge+", deals="JQ")
    for name in ("cfr", "normalhedge+"):
        assert card(rl.recipe(name)) in told.markdown()
    assert max(len(line) for name in NAMES for line in card(rl.recipe(name)).splitlines()) <= 74
