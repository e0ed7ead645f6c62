"""Accumulating: sum and truncate, by hand and as online learners with theorems."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretlab.errors import UserError
from regretlab.rules import ACCUMULATE, WEIGH, Learner, update
from regretlab.rules.weigh import normalhedge_scale
from regretlab.solve import learner


@pytest.mark.parametrize(("kind", "after"), [("sum", [-0.5, -3.0]), ("truncate", [0.0, 0.0])])
def test_by_hand(kind: str, after: list[float]) -> None:
    # The strategy earns ½ · 1 + ½ · 3 = 2, so the instantaneous regrets are −1 and 1.
    regret, values, strategy = np.array([9, 0.5, -4.0]), np.array([10, 1.0, 3.0]), np.array([1, 0.5, 0.5])
    zero, first = np.zeros(1, dtype=np.uint32), np.array([1, 3], dtype=np.uint32)
    update(ACCUMULATE[kind], WEIGH["regret-matching"], zero, 1, first, zero, regret, values, strategy)
    assert regret.tolist() == [9, *after]
    assert strategy.tolist() == [1, 0.5, 0.5]  # no positive regret: uniform
    assert values.tolist() == [12, 1, 3]  # what the old strategy earned is handed up


def test_a_truncated_regret_recovers_at_once_and_a_summed_one_does_not() -> None:
    summed, truncated = Learner("sum", "regret-matching", 2), Learner("truncate", "regret-matching", 2)
    for each in (summed, truncated):
        for _ in range(100):
            each.observe(utilities=[1.0, 0.0])
        each.observe(utilities=[0.0, 1.0])
    assert truncated.kept[1] > 0 > summed.kept[1]


STREAMS = ("random", "biased", "alternating", "adversarial")


def losses_of(stream: str, rng: np.random.Generator, strategy: np.ndarray, round_number: int) -> np.ndarray:
    """One round's losses in [0, 1] of a kind of environment; the adversary hurts what is played most."""
    actions = len(strategy)
    if stream == "adversarial":
        return (strategy == strategy.max()).astype(float)
    if stream == "alternating":
        return ((np.arange(actions) + round_number) % 2).astype(float)
    bias = np.linspace(0, 0.5, actions) if stream == "biased" else 0.0
    return np.clip(rng.random(actions) * 0.5 + bias, 0, 1)


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("actions", [2, 3, 10])
@pytest.mark.parametrize("name", ["cfr", "cfr+"])
def test_regret_matching_keeps_its_bound(name: str, actions: int, stream: str) -> None:
    """max R ≤ √(Σ |r|²) ≤ Δ √(N T), for regret matching and for regret matching⁺, at every T."""
    rng = np.random.default_rng(1)
    player = learner(name, actions)
    squares = 0.0
    for t in range(1, 10_001):
        before = player.regret
        player.observe(losses_of(stream, rng, player.strategy, t))
        squares += float(((player.regret - before) ** 2).sum())
        if t in (10, 100, 1_000, 10_000):
            assert max(player.regret) <= math.sqrt(squares) * (1 + 1e-9) <= math.sqrt(actions * t) * (1 + 1e-9)
            assert np.linalg.norm(np.maximum(player.kept, 0)) <= math.sqrt(squares) * (1 + 1e-9)
            assert (player.kept >= player.regret - 1e-9).all()  # truncation only adds


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("actions", [2, 3, 10])
def test_normalhedge_keeps_its_bound(actions: int, stream: str) -> None:
    """max(R₊)² ≤ 2c(1 + ln N), because the largest term of a mean that is e is at most N e.

    That is the step from c to the regret in Chaudhuri, Freund, Hsu (2009). That c grows like T is seen from the last
    line, with room for the constant.
    """
    rng = np.random.default_rng(2)
    player = learner("normalhedge", actions)
    for t in range(1, 10_001):
        player.observe(losses_of(stream, rng, player.strategy, t))
        largest = max(player.regret)
        if t in (10, 100, 1_000, 10_000) and largest > 0:
            scaled = np.maximum(player.regret, 0) / largest
            c = largest**2 / (2 * normalhedge_scale(scaled, 0, actions))
            assert largest**2 <= 2 * c * (1 + math.log(actions)) * (1 + 1e-12)
            assert largest <= 3 * math.sqrt(t * (1 + math.log(actions)))


names = st.sampled_from(["cfr", "cfr+", "normalhedge", "normalhedge+"])
rounds = st.lists(st.lists(st.integers(-8, 8).map(float), min_size=3, max_size=3), min_size=1, max_size=30)


@given(names, rounds, st.integers(-100, 100), st.integers(-20, 20))
def test_shift_and_scale_of_the_losses_change_nothing(
    name: str, losses: list[list[float]], shift: int, power: int
) -> None:
    plain, moved = learner(name, 3), learner(name, 3)
    for row in losses:
        plain.observe(row)
        moved.observe([(loss + shift) * 2.0**power for loss in row])
        assert moved.strategy == pytest.approx(plain.strategy, abs=1e-9)


@given(names, rounds)
def test_utilities_are_negative_losses(name: str, losses: list[list[float]]) -> None:
    by_loss, by_utility = learner(name, 3), learner(name, 3)
    for row in losses:
        assert (by_loss.observe(row) == by_utility.observe(utilities=[-loss for loss in row])).all()
    assert by_loss.rounds == len(losses)


def test_what_a_learner_hands_out_is_a_copy() -> None:
    player = learner("cfr", 2)
    player.strategy[0] = 9
    player.observe([0.0, 1.0])[0] = 9
    assert player.strategy.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda player: player.observe([1.0, 2.0]), "this learner has 3 actions"),
        (lambda player: player.observe([1.0, 2.0, float("nan")]), "not all finite"),
        (lambda player: player.observe([1e300, 2.0, 3.0]), "not all finite numbers up to 1e+290"),
        (lambda player: player.observe(["a", "b", "c"]), "['a', 'b', 'c'] are not 3 numbers"),
        (lambda player: learner("cfr", 1.5), "actions=1.5 must be a whole number"),
        (lambda player: player.observe(), "losses or utilities"),
        (lambda player: player.observe([1, 2, 3], utilities=[1, 2, 3]), "losses or utilities"),
        (lambda player: learner("cfr", 0), "actions=0 must be a whole number, at least 1"),
        (lambda player: learner("cfrplus", 2), "did you mean 'cfr+'"),
    ],
)
def test_bad_input_is_named(call, complaint: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UserError) as caught:
        call(learner("cfr", 3))
    assert complaint in str(caught.value)
