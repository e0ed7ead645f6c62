"""Weighing: regret matching and NormalHedge, against their definitions in high precision."""

from __future__ import annotations

import math
import warnings

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from regretlab.rules.weighing.normalhedge import normalhedge, normalhedge_scale
from regretlab.rules.weighing.regret_matching import match_regrets
from regretlab.solving import learner

FROM_POSITIVE_REGRETS = ("regret-matching", "normalhedge")

SMALLEST_PROBABILITY = 1e-300
"""Probabilities below this may be 0."""


def strategy_of(kind: str, regrets: list[float]) -> list[float]:
    """The strategy for some regrets, computed in a segment with neighbours that must stay as they are."""
    strategy, memory = np.array([7.0, *regrets, 7.0]), np.zeros(1)
    values = np.full(len(strategy), 7.0)
    positive = [regret for regret in regrets if regret > 0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if kind == "normalhedge" and len(positive) > 1:
            normalhedge(values, strategy, memory, 0, 1, len(strategy) - 1)
        else:
            match_regrets(0.0, sum(positive), len(positive), strategy, strategy, strategy, 0, 1, len(strategy) - 1)
    assert strategy[0] == strategy[-1] == values[0] == values[-1] == 7
    return strategy[1:-1].tolist()


def normalhedge_in_high_precision(regrets: list[float]) -> list[mpmath.mpf]:
    """The definition: weights R₊/c · exp(R₊²/2c) with mean(exp(R₊²/2c)) = e, by bisection on c with 60 digits."""
    with mpmath.workdps(60):
        positive = [mpmath.mpf(max(regret, 0.0)) for regret in regrets]
        largest = max(positive)
        if largest == 0:
            return [mpmath.mpf(1) / len(regrets)] * len(regrets)
        scaled = [regret / largest for regret in positive]
        low, high = mpmath.mpf("0.01"), mpmath.mpf(1)  # of c / max²; mean(exp(1/2c)) > e at low, < e at high
        for _ in range(200):
            c = (low + high) / 2
            mean = sum(mpmath.exp(x * x / (2 * c)) for x in scaled) / len(scaled)
            low, high = (c, high) if mean > mpmath.e else (low, c)
        weights = [x / c * mpmath.exp(x * x / (2 * c)) for x in scaled]
        return [weight / sum(weights) for weight in weights]


magnitudes = st.floats(-300, 300).map(lambda exponent: 10.0**exponent)
close_together = st.floats(0.001, 1000)
signed = st.builds(lambda size, sign: size * sign, magnitudes | close_together, st.sampled_from([1, 1, -1, 0]))


@given(st.lists(signed, min_size=1, max_size=12))
@example([1.0, 2.0])
@example([0.0, 0.0])
@example([-1.0, -2.0])
@example([1e-300, 2e-300])
@example([1e300, 2e300, 1.5e300])
@example([1e300, 1e-300])
@example([3.0, 3.0, 3.0])
@example([0.0, 5.0, -1.0])
def test_normalhedge_is_its_definition_to_twelve_digits(regrets: list[float]) -> None:
    found = strategy_of("normalhedge", regrets)
    for probability, exact in zip(found, normalhedge_in_high_precision(regrets), strict=True):
        assert probability >= 0
        if exact >= SMALLEST_PROBABILITY:
            assert abs(probability - exact) <= 1e-12 * exact
        else:
            assert probability <= 1e-290


@pytest.mark.parametrize("actions", [100, 1_000])
@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_normalhedge_with_many_actions(actions: int, scale: float) -> None:
    regrets = (np.random.default_rng(actions).normal(size=actions) / 6 * scale).tolist()
    found = strategy_of("normalhedge", regrets)
    exact = normalhedge_in_high_precision(regrets)
    assert max(abs(p - q) / q for p, q in zip(found, exact, strict=True) if q > 0) <= 1e-12
    assert all(p == 0 for p, regret in zip(found, regrets, strict=True) if regret <= 0)


def test_the_worked_example_of_regrets_one_and_two() -> None:
    # c = 1.437384873177228 solves ½(exp(1/2c) + exp(4/2c)) = e; the weights are then 0.98514 and 5.59424.
    assert strategy_of("normalhedge", [1.0, 2.0]) == pytest.approx([0.14973143295507657, 0.8502685670449234], rel=1e-14)
    scale, _ = normalhedge_scale(np.array([0.5, 1.0]), 0.0, np.empty(2), 0, 2)
    assert 2.0**2 / (2 * scale) == pytest.approx(1.437384873177228, rel=1e-14)


def test_one_positive_regret_takes_all_and_none_means_uniform() -> None:
    for kind in FROM_POSITIVE_REGRETS:
        assert strategy_of(kind, [-1.0, 0.375, 0.0]) == [0, 1, 0]
        assert strategy_of(kind, [-1.0, 0.0]) == [0.5, 0.5]
        assert strategy_of(kind, [5.0]) == strategy_of(kind, [-5.0]) == [1]


def test_regret_matching_is_proportional_to_the_positive_part() -> None:
    assert strategy_of("regret-matching", [1.0, -7.0, 3.0]) == [0.25, 0, 0.75]


@pytest.mark.parametrize("kind", FROM_POSITIVE_REGRETS)
@given(st.lists(st.floats(-100, 100), min_size=1, max_size=6), st.integers(-200, 200), st.randoms())
def test_every_way_to_weigh_is_scale_free_and_knows_no_order(
    kind: str, regrets: list[float], power: int, random
) -> None:  # type: ignore[no-untyped-def]
    regrets = [regret if abs(regret) > 1e-6 else 0.0 for regret in regrets]
    found = strategy_of(kind, regrets)
    assert sum(found) == pytest.approx(1)
    assert strategy_of(kind, [regret * 2.0**power for regret in regrets]) == found  # exact: powers of two only shift
    order = list(range(len(regrets)))
    random.shuffle(order)
    shuffled = strategy_of(kind, [regrets[k] for k in order])
    assert shuffled == pytest.approx([found[k] for k in order], rel=1e-13)


@pytest.mark.parametrize("kind", FROM_POSITIVE_REGRETS)
def test_every_name_stands_for_its_kernel(kind: str) -> None:
    player = learner(f"cfr(weigh={kind})", actions=2)
    player.observe(utilities=[0.0, 3.0])  # regrets −3/2 and 3/2: the second action is played
    player.observe(utilities=[4.0, 1.0])  # regrets 3/2 and 3/2
    player.observe(utilities=[1.0, 2.0])  # regrets 1 and 2
    assert player.kept.tolist() == [1.0, 2.0]
    assert player.strategy.tolist() == pytest.approx(strategy_of(kind, [1.0, 2.0]), rel=1e-14)


def test_hedge_by_hand() -> None:
    player = learner("hedge", actions=2)
    # The range is 3, so V = 9 and η = √(8 ln 2 / 9); the regrets are ∓3/2, and 3 η = √(8 ln 2).
    odds = math.exp(math.sqrt(8 * math.log(2)))
    assert player.observe(utilities=[0.0, 3.0]).tolist() == pytest.approx([1 / (1 + odds), odds / (1 + odds)])
    # A round in which all earn the same adds nothing to V.
    assert player.observe(utilities=[5.0, 5.0]).tolist() == pytest.approx([1 / (1 + odds), odds / (1 + odds)])
    assert learner("hedge", actions=3).observe([2.0, 2.0, 2.0]).tolist() == pytest.approx([1 / 3] * 3)


@given(st.lists(st.lists(st.floats(-10, 10), min_size=3, max_size=3), min_size=1, max_size=8), st.floats(0.5, 2.5))
def test_where_the_search_for_the_scale_begins_changes_nothing(rounds: list[list[float]], start: float) -> None:
    x = np.abs(np.array(rounds[-1])) + 0.1
    x /= x.max()
    cold, _ = normalhedge_scale(x, 0.0, np.empty(3), 0, 3)
    warm, _ = normalhedge_scale(x, start, np.empty(3), 0, 3)
    assert warm == pytest.approx(cold, rel=1e-14)
    strategy, memory = x.copy(), np.array([start])
    normalhedge(np.empty(3), strategy, memory, 0, 0, 3)
    assert strategy.tolist() == pytest.approx(strategy_of("normalhedge", x.tolist()), rel=1e-13)
