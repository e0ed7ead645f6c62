"""Recipes in formulas."""

from __future__ import annotations

import pytest

from regretlab.rules import rule
from regretlab.solving import RECIPES, recipe
from regretlab.solving.formula import formulas


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cfr", ("R ← R + r", "σ ∝ R₊", "w = 1")),
        ("cfr+(delay=5)", ("R ← max(R + r, 0)", "σ ∝ R₊", "w = max(t − 5, 0)")),
        ("cfr(delay=5)", ("R ← R + r", "σ ∝ R₊", "w = 1 from t = 6")),
        ("pcfr+", ("R ← max(R + r, 0)", "σ ∝ (R + r)₊", "w = t^2")),
        (
            "dcfr",
            (
                "R ← d R + r; d = (t−1)^(3/2) / ((t−1)^(3/2) + 1) where R > 0; d = (t−1)^0 / ((t−1)^0 + 1) where R < 0",
                "σ ∝ R₊",
                "w = t^2",
            ),
        ),
        (
            "pdcfr+(alpha=2)",
            (
                "R ← max(d R + r, 0); d = (t−1)^2 / ((t−1)^2 + 1) where R > 0",
                "σ ∝ (d R + r)₊; d of the next iteration",
                "w = t^5",
            ),
        ),
        (
            "normalhedge(accumulate=clip, level=1/2)",
            (
                "R ← max(R + r, −1/2 max R₊)",
                "σ ∝ R₊/c · exp(R₊²/2c), c such that mean(exp(R₊²/2c)) = e",
                "w = 1",
            ),
        ),
        (
            "hs-pcfr+",
            (
                "R ← max(R + r, 0)",
                "σ ∝ (R + r)₊",
                "w = 1, and all that was counted before fades by ((t−1)/t)^(30-5t/n)",
            ),
        ),
    ],
)
def test_formulas_say_what_a_recipe_does(name: str, said: tuple[str, ...]) -> None:
    assert tuple(formulas(recipe(name)).values()) == said


def test_every_recipe_has_formulas() -> None:
    for row in RECIPES.values():
        assert list(formulas(row)) == ["regrets", "strategy", "average"]


def test_a_rule_of_ones_own_is_named() -> None:
    @rule
    def mine(regret, instant, strategy, t) -> None:  # type: ignore[no-untyped-def]
        strategy[:] = 1.0 / len(strategy)

    assert formulas(recipe(mine)) == {"rule": "mine(regret, instant, strategy, t)", "average": "w = 1"}
