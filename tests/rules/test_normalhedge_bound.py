"""NormalHedge+ keeps NormalHedge's bound: every step of docs/explanation/normalhedge-plus.md, on hard streams too.

The scale c is computed here from its definition, apart from the rule's own solver. Streams are of regrets r with
|r| ≤ 1 that the strategy p earns nothing from, p·r = 0: handed over as utilities they come back unchanged.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from regretlab.forms.kernel import Floats
from regretlab.rules.learner import Learner
from regretlab.solving import learner

GROWTH = 3 / 2
"""By how much c may grow in one step, but for what vanishes as c grows."""

SLACK = 3.0
"""What vanishes: so many times θ = √(2(1 + ln N) / c)."""

LARGE = 8
"""From how many times 1 + ln N on c counts as large."""

ROUNDING = 1e-9
"""Relative: far above what rounding and the tolerance for ties do to c, far below what the bounds leave."""


def log_size(actions: int) -> float:
    """L = 1 + ln N, which all bounds contain."""
    return 1 + math.log(actions)


def scale_of(regrets: Floats) -> float:
    """The c that solves mean(exp(R₊²/2c)) = e, or 0 where no regret is positive."""
    largest = float(regrets.max())
    if largest <= 0:
        return 0.0
    squares = (np.maximum(regrets, 0) / largest) ** 2
    s = math.log(len(regrets) * (math.e - 1) + 1)
    for _ in range(100):  # Newton's steps from the right on a convex function
        powers = np.exp(s * squares)
        step = float((powers.mean() - math.e) / (squares * powers).mean())
        s -= step
        if abs(step) < 1e-14 * s:
            break
    return largest**2 / (2 * s)


def weights_of(regrets: Floats) -> Floats:
    """The strategy, proportional to R₊ exp(R₊²/2c), or uniform where no regret is positive."""
    c = scale_of(regrets)
    if c == 0:
        return np.full(len(regrets), 1 / len(regrets))
    positive = np.maximum(regrets, 0)
    weights = positive * np.exp((positive**2 - positive.max() ** 2) / (2 * c))
    return weights / weights.sum()


def largest_growth(c: float, actions: int) -> float:
    """The lemma's bound on the growth of c in one step, from any regrets with this c."""
    if c < LARGE * log_size(actions):
        return math.sqrt(2 * c) + 1 / 2
    return GROWTH + SLACK * math.sqrt(2 * log_size(actions) / c)


def largest_scale(rounds: int, actions: int) -> float:
    """The theorem's bound on c: √c ≤ √(3T/2) + 5 √(L/2)."""
    return (math.sqrt(GROWTH * rounds) + 5 * math.sqrt(log_size(actions) / 2)) ** 2


def largest_regret(rounds: int, actions: int) -> float:
    """The theorem: √(3 T L) + 5 L."""
    return math.sqrt(3 * rounds * log_size(actions)) + 5 * log_size(actions)


def without_gain(step: Floats, strategy: Floats) -> Floats:
    """The regrets that some utilities cause, made smaller if they are larger than 1."""
    regrets = step - strategy @ step
    return regrets / max(1.0, float(abs(regrets).max()))


def hardest_step(regrets: Floats) -> Floats:
    """The r in [−1, 1]ᴺ with p·r = 0 that raises c most, but for one action.

    The potential is convex in r, so all but one of the r are 1 or −1. Which, is a knapsack problem: an action costs
    its probability, and is worth what its potential differs by between r = 1 and r = −1. The best value for the price
    gets 1 until half the probability is spent.
    """
    c = scale_of(regrets)
    if c == 0:
        return without_gain(np.where(np.arange(len(regrets)) % 2, 1.0, -1.0), weights_of(regrets))
    positive, price = np.maximum(regrets, 0), weights_of(regrets)
    shift, grown = positive.max() ** 2 / (2 * c), 2 * (c + GROWTH)
    worth = np.exp((positive + 1) ** 2 / grown - shift) - np.exp(np.maximum(positive - 1, 0) ** 2 / grown - shift)
    order = np.argsort(-worth / np.maximum(price, 1e-300), kind="stable")
    spent = np.cumsum(price[order]) - price[order]
    result = np.ones(len(regrets))
    result[order] = np.clip(2 * (0.5 - spent) / np.maximum(price[order], 1e-300) - 1, -1, 1)
    return result


# What c and the strategy see.


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("actions", [2, 3, 6])
def test_truncation_changes_nothing_that_scale_and_strategy_see(actions: int, seed: int) -> None:
    """mean(φ(R' + r, c)) = e for the c of the *truncated* regrets, and the strategy is that of R' + r."""
    rng = np.random.default_rng(seed)
    player = learner("normalhedge+", actions)
    lifted = 0
    for _ in range(100):
        step = without_gain(rng.uniform(-1, 1, actions), player.strategy)
        reached = player.kept + step
        player.observe(utilities=step)
        c = scale_of(player.kept)
        if c > 0:
            potential = np.exp(np.maximum(reached, 0) ** 2 / (2 * c)).mean()
            assert potential == pytest.approx(math.e, rel=ROUNDING)
            assert player.strategy == pytest.approx(weights_of(reached), abs=ROUNDING)
        lifted += int((reached < -0.01).sum())
    assert lifted > 0  # else nothing was truncated


def in_high_precision(c: mpmath.mpf, a: mpmath.mpf, theta: mpmath.mpf, slack: float) -> mpmath.mpf:
    """By how much the right side of the inequality in one variable exceeds the left one."""
    growth = mpmath.mpf(3) / 2 + slack * theta
    q = c / (c + growth)
    left = mpmath.exp(q * (a + 1 / (2 * c) - growth * a * a / 2))
    return (1 + 1 / (2 * c)) * (1 + q * a) - a * a / 4 - left


@pytest.mark.parametrize("actions", [2, 3, 10, 1_000, 10**12])
def test_the_inequality_in_one_variable_holds(actions: int) -> None:
    """Exp(q(a + 1/2c − Δa²/2)) ≤ (1 + 1/2c)(1 + qa) − a²/4 for |a| ≤ θ, c ≥ 8 L: the heart of the proof."""
    with mpmath.workdps(40):
        for multiple in (8, 9, 12, 20, 100, 10**4, 10**8):
            c = mpmath.mpf(multiple) * (1 + mpmath.log(actions))
            theta = mpmath.sqrt(mpmath.mpf(2) / multiple)
            assert all(in_high_precision(c, theta * k / 50, theta, SLACK) >= 0 for k in range(-50, 51))


def test_the_inequality_needs_most_of_its_slack() -> None:
    with mpmath.workdps(40):
        c, theta = LARGE * (1 + mpmath.log(1_000)), mpmath.mpf(1) / 2
        assert in_high_precision(c, -theta, theta, SLACK / 2) < 0


# How much c grows in one step, from any regrets.


@given(st.integers(2, 40), st.floats(-3, 5), st.floats(0, 1), st.integers(0, 2**32 - 1))
def test_growth_in_one_step_from_any_regrets(actions: int, power: float, share: float, seed: int) -> None:
    """C ≤ c(R + r) ≤ c + bound, for regrets of any size and sign; p₊·r ≥ 0 for the strategy p₊ that follows."""
    rng = np.random.default_rng(seed)
    regrets = 10**power * rng.normal(size=actions)
    step = np.where(rng.random(actions) < share, rng.choice([-1.0, 1.0], actions), rng.uniform(-1, 1, actions))
    for r in (without_gain(step, weights_of(regrets)), hardest_step(regrets)):
        c, grown = scale_of(regrets), scale_of(regrets + r)
        assert c * (1 - ROUNDING) <= grown <= (c + largest_growth(c, actions)) * (1 + ROUNDING)
        assert weights_of(regrets + r) @ r >= -ROUNDING


@given(st.lists(st.tuples(st.floats(-100, 100), st.floats(-100, 100)), min_size=2, max_size=10))
def test_the_root_of_the_scale_is_a_norm_of_the_positive_part(pairs: list[tuple[float, float]]) -> None:
    first, second = np.array(pairs).T
    assume(abs(first).max() > 1e-3 and abs(second).max() > 1e-3)
    root = [math.sqrt(2 * scale_of(each)) for each in (first, second, first + second, 3 * first)]
    assert root[2] <= (root[0] + root[1]) * (1 + ROUNDING) + ROUNDING
    assert root[3] == pytest.approx(3 * root[0])
    assert scale_of(np.ones(len(pairs))) == pytest.approx(1 / 2)


def climb(actions: int, c: float, rng: np.random.Generator, steps: int) -> float:
    """The largest growth of c that hill climbing finds: over regrets with this c at two or three heights."""
    kinds = min(actions, 3)

    def grown(heights: Floats, counts: Floats) -> float:
        regrets = np.repeat(heights, counts.astype(int))
        regrets *= math.sqrt(c / scale_of(regrets))
        return scale_of(regrets + hardest_step(regrets)) - c

    counts = np.full(kinds, actions // kinds) + (np.arange(kinds) < actions % kinds)
    heights = np.linspace(0.9, 1, kinds)
    best = grown(heights, counts)
    for _ in range(steps):
        tried = heights * np.exp(rng.normal(0, 0.2, kinds) * (rng.random(kinds) < 0.5))
        moved = counts.copy()
        one, other = rng.choice(kinds, 2, replace=False)
        taken = int(rng.integers(moved[one])) if rng.random() < 0.5 else 0
        moved[one], moved[other] = moved[one] - taken, moved[other] + taken
        found = grown(tried, moved)
        if found > best:
            best, heights, counts = found, tried, moved
    return best


@pytest.mark.parametrize("actions", [2, 3, 10, 100, 1_000])
def test_growth_in_the_hardest_step(actions: int) -> None:
    """What a search for the worst regrets and the worst step finds: close to 3/2, and below the bound."""
    rng = np.random.default_rng(actions)
    for multiple in (LARGE, 16, 100, 1_000):
        c = multiple * log_size(actions)
        found = climb(actions, c, rng, steps=150)
        assert found <= largest_growth(c, actions)
        assert found > 1.35  # so the search is a search
        if multiple >= 100:
            assert found > largest_growth(c, actions) / 2  # so 3/2 can't be halved


def test_growth_while_the_scale_is_small_can_exceed_what_it_may_when_it_is_large() -> None:
    """For a small c the triangle inequality is needed: 3/2 does not hold there."""
    found = climb(1_000, log_size(1_000), np.random.default_rng(1), steps=300)
    assert 1.6 < found <= largest_growth(log_size(1_000), 1_000)


# Whole streams.

Stream = Callable[[np.random.Generator, Learner], Floats]


def coin_flips(rng: np.random.Generator, player: Learner) -> Floats:
    return rng.choice([-1.0, 1.0], len(player.strategy))


def one_is_better(rng: np.random.Generator, player: Learner) -> Floats:
    return rng.choice([-1.0, 1.0], len(player.strategy)) * 0.9 + (np.arange(len(player.strategy)) == 1) * 0.1


def the_better_one_changes(rng: np.random.Generator, player: Learner) -> Floats:
    """Long losing spells, which truncation forgives: kept and true regrets come apart."""
    best = (player.rounds // 300) % len(player.strategy)
    return np.where(np.arange(len(player.strategy)) == best, 0.5, -0.5) + rng.uniform(-0.5, 0.5)


def the_leader_loses(_: np.random.Generator, player: Learner) -> Floats:
    return np.where(np.arange(len(player.strategy)) == player.strategy.argmax(), -1.0, 1.0)


def hardest(_: np.random.Generator, player: Learner) -> Floats:
    return hardest_step(player.kept)


STREAMS: tuple[Stream, ...] = (coin_flips, one_is_better, the_better_one_changes, the_leader_loses, hardest)


def check_bounds(player: Learner) -> float:
    """R ≤ R' ≤ √(2cL) ≤ √(3TL) + 5L; returns c."""
    actions, c = len(player.strategy), scale_of(player.kept)
    assert (player.regret <= player.kept + ROUNDING * player.rounds).all()
    assert player.kept.max() <= math.sqrt(2 * c * log_size(actions)) * (1 + ROUNDING)
    assert c <= largest_scale(player.rounds, actions)
    assert player.kept.max() <= largest_regret(player.rounds, actions)
    return c


@pytest.mark.parametrize("stream", STREAMS, ids=lambda stream: stream.__name__)
@pytest.mark.parametrize(("actions", "rounds"), [(2, 3_000), (10, 3_000), (100, 2_000), (1_000, 1_000)])
def test_every_step_of_a_stream(actions: int, rounds: int, stream: Stream) -> None:
    rng = np.random.default_rng(1)
    player = learner("normalhedge+", actions)
    scales, linear = [0.0], np.zeros(actions)
    for t in range(1, rounds + 1):
        step = without_gain(stream(rng, player), player.strategy)
        player.observe(utilities=step)
        assert player.strategy @ step >= -ROUNDING  # the next strategy gains from what was just seen
        linear += t * step
        assert (linear <= t * (player.kept + ROUNDING * t)).all()  # regrets that count t times
        scales.append(check_bounds(player))
    for c, grown in pairwise(scales):
        assert c * (1 - ROUNDING) <= grown <= (c + largest_growth(c, actions)) * (1 + ROUNDING)
    if stream is hardest and actions < 1_000:
        assert scales[-1] > 1.4 * rounds > largest_scale(rounds, actions) / 2  # so neither bound can be halved


def test_the_bound_after_100_000_rounds() -> None:
    """Against two actions of which the one that is played more loses: with two, that is the hardest stream."""
    player = learner("normalhedge+", 2)
    for t in range(1, 100_001):
        left, right = player.strategy
        utilities = (-right, left) if left >= right else (right, -left)
        player.observe(utilities=np.array(utilities) / max(left, right))
        if t in (1, 10, 100, 1_000, 10_000, 100_000):
            check_bounds(player)
    assert check_bounds(player) > 1.4 * player.rounds == 140_000


def test_the_bound_after_100_000_rounds_of_which_long_spells_are_forgiven() -> None:
    rng = np.random.default_rng(2)
    player = learner("normalhedge+", 3)
    for t, noise in enumerate(rng.random((100_000, 3)), start=1):
        player.observe(losses=(noise + (np.arange(3) == t // 1_000 % 3)) / 2)
        if t in (1, 10, 100, 1_000, 10_000, 100_000):
            check_bounds(player)
    assert (player.kept > player.regret + 1_000).all()  # by far, and the bound is one for those that are kept


def test_the_bound_scales_with_the_regrets() -> None:
    """Regrets up to M: M times the bound, without the rule knowing M."""
    rng = np.random.default_rng(3)
    player = learner("normalhedge+", 10)
    for _ in range(1_000):
        player.observe(utilities=500 * without_gain(coin_flips(rng, player), player.strategy))
    assert largest_regret(1_000, 10) / 5 < player.kept.max() / 500 <= largest_regret(1_000, 10)


@pytest.mark.parametrize(
    "name", ["normalhedge", "normalhedge(accumulate=clip)", "normalhedge(accumulate=clip, level=5)"]
)
def test_any_floor_up_to_zero_keeps_the_bound(name: str) -> None:
    rng = np.random.default_rng(4)
    player = learner(name, 10)
    for _ in range(2_000):
        c = scale_of(player.kept)
        player.observe(utilities=without_gain(the_better_one_changes(rng, player), player.strategy))
        grown = check_bounds(player)
        assert grown <= (c + largest_growth(c, 10)) * (1 + ROUNDING)
    assert player.kept.min() < 0


def test_discounts_of_truncated_regrets_keep_the_bound_of_weighted_regrets() -> None:
    """Σ w(t) r(t) ≤ w(T) R' for w(t) = t^γ, γ ≥ 1, for which the weights outgrow the discounts; not for γ = 0."""
    player = learner("normalhedge+(alpha=3/2)", 5)
    weighted = {exponent: np.zeros(5) for exponent in (0, 1, 4)}
    for t in range(1, 2_001):
        step = without_gain(hardest_step(player.kept), player.strategy)
        player.observe(utilities=step)
        for exponent in weighted:
            weighted[exponent] += t**exponent * step
        for exponent in (1, 4):
            assert (weighted[exponent] <= t**exponent * (player.kept + ROUNDING * t)).all()
        assert scale_of(player.kept) <= largest_scale(t, 5)
        assert player.strategy @ step >= -ROUNDING
    assert weighted[0].max() > player.kept.max() + 1
