"""Accumulating: sum and truncate, by hand and as online learners with theorems."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretlab.errors import UserError
from regretlab.rules import PLAIN_STEP, Step, Update, built_in_update
from regretlab.rules.learner import learn_alone
from regretlab.rules.weighing.normalhedge import normalhedge_scale
from regretlab.solving import RECIPES, learner

SIMPLE = built_in_update("sum", predicts=False, weighing="regret-matching")
CLIPPING = built_in_update("clip", predicts=False, weighing="regret-matching")
PREDICTIVE = built_in_update("sum", predicts=True, weighing="regret-matching")


def after(update: Update, step: Step, regrets: list[float], values: list[float]) -> tuple[list[float], list[float]]:
    """Regrets and strategy after one update from a uniform strategy, in arrays with neighbours that must stay."""
    actions = len(regrets)
    regret, earned = np.array([9, *regrets, 9.0]), np.array([10, *values, 10.0])
    strategy = np.array([1, *[1 / actions] * actions, 7.0])
    first, memory = np.array([1, actions + 1], dtype=np.uint32), np.zeros(1)
    learn_alone(update, step, first, regret, earned, strategy, memory)
    assert (regret[0], regret[-1], strategy[0], strategy[-1], earned[-1]) == (9, 9, 1, 7, 10)
    assert earned[0] == pytest.approx(10 + sum(values) / actions)  # what the old strategy earned is handed up
    assert earned[1:-1].tolist() == values
    return regret[1:-1].tolist(), strategy[1:-1].tolist()


# In all of these the strategy earns ½ · 1 + ½ · 3 = 2, so the instantaneous regrets are −1 and 1.


@pytest.mark.parametrize(
    ("level", "regrets", "strategy"),
    [
        (math.inf, [-0.5, -3.0], [0.5, 0.5]),  # sum; no positive regret: uniform
        (0.0, [0.0, 0.0], [0.5, 0.5]),  # truncate
    ],
)
def test_sum_and_truncate_by_hand(level: float, regrets: list[float], strategy: list[float]) -> None:
    assert after(SIMPLE, PLAIN_STEP._replace(level=level), [0.5, -4.0], [1.0, 3.0]) == (regrets, strategy)


def test_discounts_by_hand() -> None:
    # 8 · ¾ − 1 = 5 and −4 · ¼ + 1 = 0: each sign has its own factor.
    step = PLAIN_STEP._replace(positive=0.75, negative=0.25)
    assert after(SIMPLE, step, [8.0, -4.0], [1.0, 3.0]) == ([5.0, 0.0], [1.0, 0.0])
    # Truncation comes after: −0.5 · ¼ − 1 is below 0.
    assert after(SIMPLE, step._replace(level=0.0), [-0.5, 2.0], [1.0, 3.0]) == ([0.0, 2.5], [0.0, 1.0])


def test_clipping_by_hand() -> None:
    # 4 and −11 become 3 and −10; with level 2 nothing stays below −2 · 3.
    step = PLAIN_STEP._replace(level=2.0)
    assert after(CLIPPING, step, [4.0, -11.0], [1.0, 3.0]) == ([3.0, -6.0], [1.0, 0.0])
    assert after(CLIPPING, step, [4.0, -5.0], [1.0, 3.0]) == ([3.0, -4.0], [1.0, 0.0])
    assert after(CLIPPING, step, [-4.0, -5.0], [1.0, 3.0]) == ([0.0, 0.0], [0.5, 0.5])  # none is positive


def test_prediction_by_hand() -> None:
    # 4 and 0 become 3 and 1; if −1 and 1 come once more they will be 2 and 2.
    assert after(PREDICTIVE, PLAIN_STEP, [4.0, 0.0], [1.0, 3.0]) == ([3.0, 1.0], [0.5, 0.5])
    # With the next iteration's discounts: 3 · ½ − 1 = ½ and −3 · ⅙ + 1 = ½, after −4 became −3.
    step = PLAIN_STEP._replace(next_positive=0.5, next_negative=1 / 6)
    assert after(PREDICTIVE, step, [4.0, -4.0], [1.0, 3.0]) == ([3.0, -3.0], [0.5, 0.5])
    # Truncated first, then predicted: 0 and 2 → the second will be 3, the first −1.
    assert after(PREDICTIVE, PLAIN_STEP._replace(level=0.0), [0.0, 1.0], [1.0, 3.0]) == ([0.0, 2.0], [0.0, 1.0])


def test_prediction_in_part_by_hand() -> None:
    # 4 and 0 become 3 and 1; if a quarter of −1 and 1 comes once more they will be 2.75 and 1.25.
    step = PLAIN_STEP._replace(predict=0.25)
    assert after(PREDICTIVE, step, [4.0, 0.0], [1.0, 3.0]) == ([3.0, 1.0], [2.75 / 4, 1.25 / 4])
    # A floor does not change what is seen: −11 becomes −10, is raised to −3, and will be −2.75.
    clipping = built_in_update("clip", predicts=True, weighing="hedge")
    kept, played = after(clipping, step._replace(level=1.0), [4.0, -11.0], [1.0, 3.0])
    assert kept == [3.0, -3.0]
    rate = math.sqrt(8 * math.log(2) / 4)  # one round, in which the values ranged over 2
    assert played[1] / played[0] == pytest.approx(math.exp(rate * (-2.75 - 2.75)))


def test_smoothing_and_restarting_by_hand() -> None:
    # 0 and 1 become −1 and 2. Lifted by 2 the second is 4 and the first 1: they sum to 5.
    step = PLAIN_STEP._replace(level=5.0)
    smooth = built_in_update("smooth", predicts=False, weighing="regret-matching")
    assert after(smooth, step, [0.0, 1.0], [1.0, 3.0]) == ([1.0, 4.0], [0.2, 0.8])
    # With 2.5 only the second is lifted: the first would stay below 0.
    assert after(smooth, step._replace(level=2.5), [0.0, 1.0], [1.0, 3.0]) == ([0.0, 2.5], [0.0, 1.0])
    # What is large enough is truncated, and not lifted.
    assert after(smooth, step, [0.0, 9.0], [1.0, 3.0]) == ([0.0, 10.0], [0.0, 1.0])
    # The same for what is expected: 1 and 4 would be 0 and 5, which sum to 5; 3 and 2 would be 2 and 3.
    smooth_predictive = built_in_update("smooth", predicts=True, weighing="regret-matching")
    assert after(smooth_predictive, step, [0.0, 1.0], [1.0, 3.0]) == ([1.0, 4.0], [0.0, 1.0])
    discounted = step._replace(next_positive=0.5)  # 1 and 4 would be −0.5 and 3, and are lifted by 1.25
    assert after(smooth_predictive, discounted, [0.0, 1.0], [1.0, 3.0]) == ([1.0, 4.0], [0.15, 0.85])
    # Restarting: −1 and 2 are 0 and 2, which is less than 5, so both are 2.5.
    stable = built_in_update("stable", predicts=False, weighing="regret-matching")
    assert after(stable, step, [0.0, 1.0], [1.0, 3.0]) == ([2.5, 2.5], [0.5, 0.5])
    assert after(stable, step, [0.0, 4.0], [1.0, 3.0]) == ([0.0, 5.0], [0.0, 1.0])


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=6), st.floats(1e-3, 1e3))
def test_smoothing_finds_the_nearest_regrets_of_a_sum(regrets: list[float], level: float) -> None:
    """By what characterises a projection: nothing negative, the sum, one shift for all that stay positive."""
    smooth = built_in_update("smooth", predicts=False, weighing="regret-matching")
    kept, _ = after(smooth, PLAIN_STEP._replace(level=level), regrets, [0.0] * len(regrets))
    size = max(level, *map(abs, regrets))
    assert min(kept) >= 0
    if sum(max(regret, 0) for regret in regrets) >= level:
        assert kept == [max(regret, 0) for regret in regrets]
        return
    assert sum(kept) == pytest.approx(level, abs=1e-9 * size)
    shifts = [new - old for new, old in zip(kept, regrets, strict=True)]
    shift = min(shifts)
    assert shift >= 0
    assert all(
        added == pytest.approx(shift, abs=1e-9 * size) or new == 0 for added, new in zip(shifts, kept, strict=True)
    )


@given(
    st.lists(st.floats(-100, 100), min_size=2, max_size=5),
    st.lists(st.floats(-10, 10), min_size=5, max_size=5),
    st.sampled_from([0.0, 0.5, 1.0, 3.0, math.inf]),
    st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)),
    st.sampled_from([0.0, 0.2, 1 / 3, 1.0]),
)
def test_all_of_it_together_is_the_formula(
    regrets: list[float], values: list[float], level: float, factors: tuple[float, ...], predict: float
) -> None:
    values = values[: len(regrets)]
    positive, negative, next_positive, next_negative = factors
    step = Step(5.0, 1.0, 1.0, positive, negative, next_positive, next_negative, level, 0.0, predict)
    mean = sum(values) / len(values)
    summed = [R * (positive if R > 0 else negative) + v - mean for R, v in zip(regrets, values, strict=True)]
    floor = -level * max(0.0, *summed) if level < math.inf else -math.inf
    kept = [max(R, floor) for R in summed]
    seen = [
        R * (next_positive if R > 0 else next_negative) + predict * (v - mean) if predict else R
        for R, v in zip(kept, values, strict=True)
    ]
    update = built_in_update("clip" if 0 < level < math.inf else "sum", predict > 0, "regret-matching")
    found, strategy = after(update, step, regrets, values)
    assert found == pytest.approx(kept, abs=1e-12)
    total = sum(max(R, 0) for R in seen)
    if total > 1e-6:
        assert strategy == pytest.approx([max(R, 0) / total for R in seen], abs=1e-5)


def test_a_truncated_regret_recovers_at_once_and_a_summed_one_does_not() -> None:
    summed, truncated = learner("cfr", 2), learner("cfr+", 2)
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
            scale, _ = normalhedge_scale(scaled, 0.0, np.empty(actions), 0, actions)
            c = largest**2 / (2 * scale)
            assert largest**2 <= 2 * c * (1 + math.log(actions)) * (1 + 1e-12)
            assert largest <= 3 * math.sqrt(t * (1 + math.log(actions)))


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("actions", [2, 3, 10])
def test_hedge_keeps_its_bound(actions: int, stream: str) -> None:
    """max R ≤ √(2 V ln N) + …: the bound for losses in [0, 1] with V in place of T, and room for its constant."""
    rng = np.random.default_rng(3)
    player = learner("hedge", actions)
    squares = 0.0
    for t in range(1, 10_001):
        losses = losses_of(stream, rng, player.strategy, t)
        player.observe(losses)
        squares += float(losses.max() - losses.min()) ** 2
        if t in (10, 100, 1_000, 10_000):
            assert max(player.regret) <= math.sqrt(2 * squares * math.log(actions)) + math.sqrt(math.log(actions)) + 1


names = st.sampled_from(sorted(RECIPES))
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
