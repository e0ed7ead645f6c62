"""The distance to the set of equilibria."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from random_games import RandomGame, random_form

from regretlab.errors import UserError
from regretlab.evaluation import distance_to_equilibria, evaluate, kuhn_equilibria, nash
from regretlab.forms import SequenceForm, Strategy, as_form, read_strategy, uniform

RandomStrategy = Callable[[SequenceForm, int], Strategy]
KUHN = as_form("kuhn")


def member(alpha: float) -> Strategy:
    return read_strategy(KUHN, kuhn_equilibria().profile(Fraction(alpha)))


def by_hand(strategy: Strategy) -> tuple[float, float]:
    """Both distances at (1, 1): player 0's plans are a segment, start + 3α · (end − start), and player 1's a point.

    The distance along the segment is the largest of several |a + b·α|, so the least lies at an end or where two cross.
    """
    start, end = member(0).plan(0), member(1 / 3).plan(0)
    lines = [
        (sign * (from_ - mine), sign * 3 * (to - from_))
        for from_, to, mine in zip(start, end, strategy.plan(0), strict=True)
        for sign in (1, -1)
    ]
    crossings = [(c - a) / (b - d) for (a, b), (c, d) in combinations(lines, 2) if b != d]
    places = [0.0, 1 / 3, *(place for place in crossings if 0 <= place <= 1 / 3)]
    mine = min(max(a + b * place for a, b in lines) for place in places)
    return mine, float(np.abs(strategy.plan(1) - member(0).plan(1)).max())


@pytest.mark.parametrize("seed", range(20))
def test_kuhn_agrees_with_the_hand_formula(seed: int, random_strategy: RandomStrategy) -> None:
    strategy = random_strategy(KUHN, seed)
    found = distance_to_equilibria(KUHN, strategy)
    assert found.by_player == pytest.approx(by_hand(strategy), abs=1e-8)
    assert found.distance == max(found.by_player)


@pytest.mark.parametrize("alpha", [0, 0.1, 0.225, 1 / 3 - 1e-12])
def test_near_the_family_the_distance_is_the_perturbation(alpha: float) -> None:
    assert distance_to_equilibria(KUHN, member(alpha)).distance == pytest.approx(0, abs=1e-9)
    bent = dict(member(alpha)) | {"Q": {"check": 0.75, "bet": 0.25}}
    # The Queen never bets in equilibrium, and no α makes up for it; the call after it shrinks by a quarter.
    found = distance_to_equilibria(KUHN, bent)
    assert found.by_player == pytest.approx((0.25, 0), abs=1e-9)
    assert found.by_player == pytest.approx(by_hand(read_strategy(KUHN, bent)), abs=1e-9)


def test_what_is_a_matter_of_taste_is_no_distance() -> None:
    # At (2, 1) player 1 may bet the Queen after a check with any probability up to 2/5.
    profile = kuhn_equilibria(2, 1).profile()
    for chance, distance in [(0.0, 0.0), (0.2, 0.0), (0.4, 0.0), (0.6, 0.2)]:
        bent = profile | {"Qc": {"check": 1 - chance, "bet": chance}}
        found = distance_to_equilibria("kuhn(ante=2, bet=1)", bent)
        assert found.by_player == pytest.approx((0, distance), abs=1e-8)


@pytest.mark.parametrize("seed", range(15))
def test_the_nearest_is_an_equilibrium_at_that_distance(seed: int, random_strategy: RandomStrategy) -> None:
    form = as_form(RandomGame(seed)) if seed % 2 else random_form(np.random.default_rng(seed))
    strategy, solved = random_strategy(form, seed), nash(form).strategy
    found = distance_to_equilibria(form, strategy)
    assert evaluate(form, found.nearest).exploitability == pytest.approx(0, abs=1e-9)
    for player in (0, 1):
        gap = np.abs(found.nearest.plan(player) - strategy.plan(player)).max()
        assert found.by_player[player] == pytest.approx(gap, abs=1e-8)
        assert found.by_player[player] <= np.abs(solved.plan(player) - strategy.plan(player)).max() + 1e-9
    assert distance_to_equilibria(form, solved).distance == pytest.approx(0, abs=1e-9)


def test_a_bad_strategy_is_an_error() -> None:
    with pytest.raises(UserError, match="'J'"):
        distance_to_equilibria(KUHN, dict(uniform(KUHN)) | {"J": {"check": 2.0}})
