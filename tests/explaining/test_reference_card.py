"""The reference card: its code runs, and does what the textbook does."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretlab as rl
from regretlab.explaining.textbook import information_set
from regretlab.explaining.walkthroughs.reference_card import card

NAMES = [
    *rl.RECIPES,
    "cfr(accumulate=clip, level=1/3)",
    "dcfr(accumulate=clip)",
    "hedge(predict=yes, alpha=1)",
    "pdcfr+(predict=2/5)",
    "smooth-pcfr+(level=20, predict=1/3, alpha=1)",
    "stable-pcfr+(level=20)",
    "hs-dcfr(horizon=2)",
]
regrets = st.floats(-10, 10).map(lambda number: round(number, 6))
seen_regrets = st.integers(1, 4).flatmap(
    lambda size: st.lists(st.lists(regrets, min_size=size, max_size=size), min_size=1, max_size=5)
)


@pytest.mark.parametrize("name", NAMES)
@given(
    st.integers(1, 4).flatmap(
        lambda size: st.lists(st.lists(regrets, min_size=size, max_size=size), min_size=1, max_size=5)
    )
)
def test_updates(name: str, seen: list[list[float]]) -> None:
    """Iteration after iteration the same regrets and strategies as the textbook's."""
    recipe = rl.recipe(name)
    infoset = information_set(recipe)(len(seen[0]), float)
    space: dict[str, Any] = {"R": [0.0] * len(seen[0]), "S": [0.0] * len(seen[0]), "V": 0.0, "reach": 0.5}
    space["strategy"] = infoset.get_strategy()
    for t, instant in enumerate(seen, start=1):
        space |= {"r": instant, "t": t}
        exec(card(recipe), space)
        infoset.fade(t)
        infoset.learn(instant, t)
        assert space["R"] == pytest.approx(infoset.regret_sum)
        assert space["strategy"] == pytest.approx(infoset.get_strategy(), abs=1e-9)


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
        ("hs-dcfr", 7, 1),
        ("hs-dcfr(delay=3)", 3, 0),
        ("hs-dcfr(delay=3)", 4, 1),
    ],
)
def test_weight_of_an_iteration(name: str, t: int, weight: float) -> None:
    space: dict[str, Any] = {"R": [0.0], "S": [0.0], "strategy": [1.0], "r": [0.0], "reach": 1.0, "t": t}
    exec(card(rl.recipe(name)), space)
    assert space["S"] == [weight]


@pytest.mark.parametrize(("name", "power"), [("hs-dcfr", 29.97), ("hs-dcfr(horizon=4)", 25)])
def test_what_was_counted_fades(name: str, power: float) -> None:
    """30 − 5 t/n at t − 1 = 6 of 1,000: (6/7)^29.97. Beyond the horizon it stays at 30 − 5."""
    space: dict[str, Any] = {"R": [0.0], "S": [8.0], "strategy": [1.0], "r": [0.0], "reach": 0.25, "t": 7}
    exec(card(rl.recipe(name)), space)
    assert space["S"] == pytest.approx([8 * (6 / 7) ** power + 0.25])


def test_the_walkthrough_shows_it() -> None:
    told = rl.walkthrough("kuhn", "cfr,normalhedge+", deals="JQ")
    for name in ("cfr", "normalhedge+"):
        assert card(rl.recipe(name)) in told.markdown()
    assert max(len(line) for name in NAMES for line in card(rl.recipe(name)).splitlines()) <= 74
