"""Every printed equation is arithmetically true when it is read back: random stakes, deals, recipes and games."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from printed_equations import Printed, in_html, in_markdown, read_line, read_side
from random_games import random_games

import regretlab as rl
from regretlab.documents.blocks import Document, Equations
from regretlab.documents.expressions import Equation
from regretlab.documents.numbers import Notation
from regretlab.documents.terminal import as_text
from regretlab.explaining.textbook import Learning, weigh_regrets
from regretlab.explaining.update_words import describe_weighing, regret_lines
from regretlab.games import Kuhn
from regretlab.reference import Basis
from regretlab.solving import RECIPES

stakes = st.builds(Fraction, st.integers(1, 40), st.integers(1, 12))
recipes = st.builds(
    "{}(schedule={}, averaging={}, delay={})".format,
    st.sampled_from([name for name, recipe in RECIPES.items() if recipe.feedback == "full"]),
    st.sampled_from(["simultaneous", "alternating", "one-player"]),
    st.sampled_from(["uniform", "linear", "quadratic", "t^1.5"]),
    st.sampled_from([0, 0, 1]),
)
deals = st.lists(st.sampled_from(["JQ", "JK", "QJ", "QK", "KJ", "KQ"]), min_size=1, max_size=4)


def check(found: list[Printed]) -> None:
    assert sum(line.numeric for line in found) > 5
    assert [fault for line in found for fault in line.faults()] == []


@settings(max_examples=15)
@given(stakes, stakes, st.lists(recipes, min_size=1, max_size=3, unique=True), deals, st.booleans())
def test_kuhn_with_chosen_deals(ante: Fraction, bet: Fraction, names: list[str], hands: list[str], exact: bool) -> None:
    told = rl.walkthrough(Kuhn(ante, bet), names, deals=hands, exact=exact)
    check(in_markdown(told.markdown()))


@settings(max_examples=5)
@given(stakes, recipes, st.integers(1, 2), st.booleans())
def test_kuhn_with_all_deals(bet: Fraction, name: str, iterations: int, exact: bool) -> None:
    told = rl.walkthrough(Kuhn(Fraction(1), bet), [name], deals="all", iterations=iterations, exact=exact)
    check(in_markdown(told.markdown()))


@settings(max_examples=10)
@given(random_games(), recipes, st.booleans())
def test_random_games(game: Any, name: str, exact: bool) -> None:
    told = rl.walkthrough(game, name, deals="all", iterations=2, exact=exact, depth=99)
    found = in_markdown(told.markdown())
    assert [fault for line in found for fault in line.faults()] == []


@settings(max_examples=15)
@given(
    st.sampled_from(["kuhn", "rps", "kuhn(cards=4)", "matching_pennies"]),
    st.sampled_from([name for name, recipe in RECIPES.items() if recipe.feedback != "network"]),
    st.integers(1, 40),
    st.randoms(use_true_random=False),
)
def test_live_arithmetic(game: str, name: str, iteration: int, chance: Any) -> None:
    label = chance.choice(rl.compile(game).labels)
    told = rl.explain(game, name, label, iteration)
    lines = [read_line(line) for line in as_text(told.document, width=2_000).splitlines()]
    found = [line for line in lines if line is not None]
    assert sum(line.numeric for line in found) > 3
    assert [fault for line in found for fault in line.faults()] == []


def faults(*lines: Equation) -> list[str]:
    """What is wrong with lines as the terminal shows them."""
    text = as_text(Document((Equations(lines),), Notation()), width=2_000)
    found = [read for read in map(read_line, text.splitlines()) if read is not None]
    assert any(line.numeric for line in found)
    return [fault for line in found for fault in line.faults()]


def test_a_floor_where_no_sum_is_positive() -> None:
    """−3 and −1: the floor is 0, not above it."""
    learning = Learning(
        (Fraction(-2), Fraction(-1)), None, ((Fraction(-1), Fraction(0)),), Fraction(1, 2), (Fraction(0), Fraction(0))
    )
    lines = list(regret_lines(learning, ("x", "y")))
    assert faults(*lines) == []
    assert [line.note for line in lines][-2:] == ["raised to the floor"] * 2


def test_hedge_where_no_regret_is_positive() -> None:
    """Weights are told relative to the largest regret, −1."""
    told = weigh_regrets(
        rl.recipe("hedge"),
        (Fraction(-1), Fraction(-3)),
        Basis(2, (Fraction(-1), Fraction(-3)), squared_ranges=Fraction(4)),
    )
    (_, _, blocks) = describe_weighing(told, ("x", "y"))
    assert faults(*(line for block in blocks if isinstance(block, Equations) for line in block.lines)) == []
    assert told.rate is not None
    assert told.rate.weights[0] == 1


@pytest.mark.parametrize(
    "name", ["dcfr(predict=yes)", "dcfr(predict=1/3)", "predictive-normalhedge(alpha=3/2, beta=-1)"]
)
def test_predictions_of_negative_regrets(name: str) -> None:
    """They have a discount of their own."""
    below = 0
    for label in rl.compile("kuhn").labels:
        told = rl.explain("kuhn", name, label, 4)
        below += min(told.regret_after) < 0
        lines = [read_line(line) for line in as_text(told.document, width=2_000).splitlines()]
        assert [fault for line in lines if line is not None for fault in line.faults()] == []
    assert below >= 6


@pytest.mark.parametrize("name", ["smooth-pcfr+(level=2, predict=1/2)", "stable-pcfr+(level=2, alpha=2)"])
def test_sums_that_are_kept_above_a_level(name: str) -> None:
    lifted = 0
    for label in rl.compile("kuhn").labels:
        told = rl.explain("kuhn", name, label, 5)
        text = as_text(told.document, width=2_000)
        lifted += "sum to 2" in text
        lines = [read_line(line) for line in text.splitlines()]
        assert [fault for line in lines if line is not None for fault in line.faults()] == []
    assert lifted >= 6


@pytest.mark.parametrize("exact", [False, True])
def test_both_faces_show_the_same_equations(exact: bool) -> None:
    told = rl.walkthrough("kuhn(bet=2/3)", deals="JQ,KQ,JQ,KJ", exact=exact)
    text, page = in_markdown(told.markdown()), in_html(told.html())
    assert [line.signs for line in text] == [line.signs for line in page]
    assert values(text) == values(page)


def values(lines: list[Printed]) -> list[list[Any]]:
    """What the sides are worth as they are written; formulas are worth nothing."""
    numbers = [[read_side(side) for side in line.sides] for line in lines]
    return [[number and number.exact for number in line] for line in numbers]


# The reader itself, on small examples.


@pytest.mark.parametrize(
    "line",
    [
        "v = 0.5 × (−1) + 0.5 × (−2) = −1.5",
        "r(fold) = 1/2 × (−1 − (−3/2)) = 1/4   (better than what is played)",
        "R(call) ← max(0 + (−0.25), 0) = 0",
        "σ(bet) = 0.375 / 1.375 ≈ 0.2727",
        "σ(check) = 1 / (3/8) ≈ 2.66666666667",
        "s₀ = ln(N × (e − 1) + 1) = ln(2 × (e − 1) + 1) ≈ 1.4899",
        "c ≈ 0.625² / (2 × 1.3394) ≈ 0.1458",
        "m ≈ mean(exp(1² / (2 × 0.3477)), exp(0.375² / (2 × 0.3477))) ≈ e",
        "x ≈ 1.3394 − 5.645e-08 / 0.8093 ≈ 1.3394",
    ],
)
def test_true_equation_is_accepted(line: str) -> None:
    found = read_line(line)
    assert found is not None
    assert found.numeric
    assert found.faults() == []


@pytest.mark.parametrize(
    "line",
    [
        "v = 0.5 × (−1) + 0.5 × (−2) = 1.5",
        "v = 0.5 × (−1) + 0.5 × (−2) = −1.4999",
        "σ(bet) = 0.375 / 1.375 = 0.2727",
        "σ(bet) = 0.375 / 1.375 ≈ 0.2728",
        "r = 1/2 × (−1 − (−3/2)) = 1/8",
        "R(call) ← max(0 + (−0.25), 0) = −0.25",
        "s = ln(2 × (e − 1) + 1) ≈ 1.4898",
        "m ≈ mean(exp(1² / (2 × 0.5)), exp(2² / (2 × 0.5))) ≈ e",
        "c ≈ 0.625² / (2 × 1.3394) ≈ 0.1459",
    ],
)
def test_false_equation_is_found(line: str) -> None:
    found = read_line(line)
    assert found is not None
    assert len(found.faults()) == 1
