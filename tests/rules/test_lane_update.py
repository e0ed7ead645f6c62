"""Rules on lanes against the same rules at one information set: the same numbers, hand by hand."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretlab.forms.lane_passes import REALS
from regretlab.rules import ACCUMULATIONS, WEIGHINGS, built_in_lane_update, built_in_update
from regretlab.rules.accumulate import PLAIN_STEP, Step
from regretlab.rules.lane_update import ROWS, Segment
from regretlab.rules.weighing.normalhedge import bounded_exponential

WIDTH = 8

RULES = [
    (accumulate, predicts, weigh) for accumulate in ACCUMULATIONS for predicts in (False, True) for weigh in WEIGHINGS
]


def step_of(accumulate: str, **changes: float) -> Step:
    """A step in which everything counts differently."""
    usual = {
        "number": 3.0,
        "positive": 0.7,
        "negative": 0.4,
        "next_positive": 0.8,
        "next_negative": 0.5,
        "predict": 0.3,
        "ties": 1e-12,
    }
    return PLAIN_STEP._replace(level=ACCUMULATIONS[accumulate].level, **(usual | changes))


def one_by_one(rule: tuple[str, bool, str], step: Step, numbers: Any, memory: Any) -> Any:
    """What each hand learns at an information set of its own: regrets, strategies, values and memories."""
    regret, values, strategy = (each.copy() for each in numbers)  # (actions, hands)
    kept, earned = memory.copy(), np.zeros(regret.shape[1])
    first, parent, order = np.array([1, 1 + len(regret)], np.uint32), np.zeros(1, np.uint32), np.zeros(1, np.uint32)
    for hand in range(regret.shape[1]):
        columns = [np.append(0.0, each[:, hand]) for each in (regret, values, strategy)]
        own = kept[hand : hand + 1].copy()
        built_in_update(*rule)(step, order, 1, first, parent, *columns, own)
        regret[:, hand], strategy[:, hand] = columns[0][1:], columns[2][1:]
        kept[hand], earned[hand] = own[0], columns[1][0]
    return regret, strategy, earned, kept


def side_by_side(rule: tuple[str, bool, str], step: Step, numbers: Any, memory: Any, precision: str = "f64") -> Any:
    """The same on lanes, in the second of two tiles, whose neighbours must stay as they are."""
    actions, hands = numbers[0].shape
    slots, real = 1 + actions, REALS[precision]
    tile = slots * WIDTH
    arrays = [np.full(2 * tile, 7.0, dtype=real) for _ in range(3)]
    for array, given_numbers in zip(arrays, numbers, strict=True):
        array[tile:].reshape(slots, WIDTH)[1:, :hands] = given_numbers
        array[tile:].reshape(slots, WIDTH)[1:, hands:] = 1.0 / actions
    arrays[1][tile : tile + WIDTH] = 0.0
    kept, possible = np.full(2 * WIDTH, 7.0), np.ones(2 * WIDTH, dtype=bool)
    kept[WIDTH : WIDTH + hands] = memory
    kept[WIDTH + hands :] = 0.0
    segment = Segment(np.zeros(actions), np.zeros(actions), np.zeros(actions))
    first, parent = np.array([1, slots], np.uint32), np.zeros(1, np.uint32)
    regret, values, strategy = arrays
    built_in_lane_update(*rule, WIDTH, precision)(
        step, np.zeros(1, np.uint32), 1, first, parent, np.uint64(tile), np.uint64(tile), np.uint64(WIDTH),
        regret, values, strategy, kept, possible, np.zeros(ROWS * WIDTH, dtype=real), segment,
    )  # fmt: skip
    assert all((array[:tile] == 7).all() for array in arrays)
    assert (kept[:WIDTH] == 7).all()
    found = [array[tile:].reshape(slots, WIDTH)[:, :hands] for array in (regret, strategy, values)]
    return found[0][1:], found[1][1:], found[2][0], kept[WIDTH : WIDTH + hands]


def random_numbers(seed: int, actions: int, hands: int = 6) -> Any:
    """Regrets, values and strategies; some regrets are equal, some 0, and some hands have none that is positive."""
    rng = np.random.default_rng(seed)
    regret = rng.normal(size=(actions, hands)).round(1 if seed % 3 else 12)
    regret[:, 0] = -abs(regret[:, 0])
    values = rng.normal(size=(actions, hands)) * (seed % 2)  # every other time nothing is earned
    strategy = rng.dirichlet(np.ones(actions), hands).T.copy()
    return regret, values, strategy


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: "-".join(map(str, rule)))
@settings(max_examples=15)
@given(st.integers(0, 10_000), st.integers(1, 14))
def test_every_rule_does_the_same_on_lanes(rule: tuple[str, bool, str], seed: int, actions: int) -> None:
    numbers, memory = random_numbers(seed, actions), np.zeros(6)
    for t in range(3):
        step = step_of(rule[0], number=t + 1.0)
        ours, theirs = side_by_side(rule, step, numbers, memory), one_by_one(rule, step, numbers, memory)
        for mine, other in zip(ours[:3], theirs[:3], strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-13)
        np.testing.assert_allclose(ours[3], theirs[3], rtol=1e-9)
        numbers = theirs[0], np.random.default_rng(seed + t).normal(size=numbers[0].shape), theirs[1]
        memory = theirs[3]


NORMALHEDGE = ("sum", False, "normalhedge")


@given(st.integers(0, 10_000), st.integers(2, 14), st.floats(0, 4))
def test_normalhedge_finds_the_same_scale_from_any_start(seed: int, actions: int, start: float) -> None:
    """The memory holds the last scale, which may be far away; 0 means none."""
    regret = abs(np.random.default_rng(seed).normal(size=(actions, 6)))
    numbers = regret, np.zeros_like(regret), np.full_like(regret, 1 / actions)
    memory = np.full(6, start if start > 0.5 else 0.0)
    step = PLAIN_STEP
    ours, theirs = side_by_side(NORMALHEDGE, step, numbers, memory), one_by_one(NORMALHEDGE, step, numbers, np.zeros(6))
    np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-12, atol=0)
    scale, x = ours[3], regret / regret.max(axis=0)
    np.testing.assert_allclose(np.exp(scale * x * x).mean(axis=0), math.e, rtol=1e-12)


@given(st.integers(0, 10_000), st.integers(2, 14))
def test_single_precision_is_right_to_six_digits(seed: int, actions: int) -> None:
    numbers = random_numbers(seed, actions)
    for rule in (NORMALHEDGE, ("truncate", True, "regret-matching"), ("clip", False, "hedge")):
        ours, theirs = (
            side_by_side(rule, step_of(rule[0], ties=0.0), numbers, np.zeros(6), precision)
            for precision in ("f32", "f64")
        )
        assert ours[0].dtype == ours[1].dtype == np.float32
        np.testing.assert_allclose(ours[0], theirs[0], atol=2e-6)
        np.testing.assert_allclose(ours[2], theirs[2], atol=2e-6)
        # Where regrets are nearly 0, so is their sum, and proportions lose digits.
        sums = np.maximum(theirs[0], 0).sum(axis=0)
        np.testing.assert_allclose(ours[1][:, sums > 0.05], theirs[1][:, sums > 0.05], atol=2e-4)
        assert ours[1].sum(axis=0) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(("actions", "bound"), [(2, 5e-15), (15, 2e-14), (234, 1e-11)])
def test_the_bounded_exponential_keeps_its_promise(actions: int, bound: float) -> None:
    end = math.log(actions * (math.e - 1) + 1)
    assert end < {2: 1.5, 15: 3.3, 234: 6.0}[actions]
    for y in np.linspace(0, {2: 1.5, 15: 3.3, 234: 6.0}[actions], 500).tolist():
        exact = mpmath.exp(mpmath.mpf(y))
        assert abs(bounded_exponential(y) - exact) <= bound * exact


def test_hands_that_cannot_be_held_learn_nothing_through_segments() -> None:
    regret, values, strategy = (np.arange(3.0 * WIDTH) / 10 for _ in range(3))
    before, possible = regret.copy(), np.arange(WIDTH) % 2 == 0
    segment = Segment(np.zeros(2), np.zeros(2), np.zeros(2))
    built_in_lane_update("sum", False, "hedge", WIDTH, "f64")(
        PLAIN_STEP, np.zeros(1, np.uint32), 1, np.array([1, 3], np.uint32), np.zeros(1, np.uint32),
        np.uint64(0), np.uint64(0), np.uint64(0), regret, values, strategy, np.zeros(WIDTH), possible,
        np.zeros(ROWS * WIDTH), segment,
    )  # fmt: skip
    changed = (regret != before).reshape(3, WIDTH)[1:].any(axis=0)
    assert (changed == possible).all()
