"""NormalHedge's scale and strategy against arithmetic with many digits."""

import itertools
import math
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretlab.reference import InformationSetNH, InformationSetNHPlus

DIGITS = 40
PRECISION = 1e-12


def scale(regrets: list[float]) -> mpmath.mpf:
    """The root in c of mean(exp(R₊² / 2c)) = e, by bisection in c itself."""
    R_plus = [mpmath.mpf(max(regret, 0.0)) for regret in regrets]
    # Each potential is at most exp(max² / 2c), and one of them is exactly that.
    low, high = max(R_plus) ** 2 / (2 * mpmath.log(len(R_plus) * mpmath.e)), max(R_plus) ** 2 / 2
    for _ in range(100):
        middle = (low + high) / 2
        mean = mpmath.fsum(mpmath.exp(regret**2 / (2 * middle)) for regret in R_plus) / len(R_plus)
        low, high = (middle, high) if mean > mpmath.e else (low, middle)
    return high


def strategy(regrets: list[float], c: mpmath.mpf) -> list[mpmath.mpf]:
    R_plus = [mpmath.mpf(max(regret, 0.0)) for regret in regrets]
    weights = [regret / c * mpmath.exp(regret**2 / (2 * c)) for regret in R_plus]
    return [weight / mpmath.fsum(weights) for weight in weights]


def played(regrets: list[float], kind: type[InformationSetNH] = InformationSetNH) -> list[float]:
    infoset = kind(len(regrets))
    infoset.regret_sum = list(regrets)
    return [float(probability) for probability in infoset.get_strategy()]


def check(regrets: list[float]) -> None:
    with mpmath.workdps(DIGITS):
        c = scale(regrets)
        for ours, exact in zip(played(regrets), strategy(regrets, c), strict=True):
            assert math.isfinite(ours)
            # What is smaller than a float can hold may be 0.
            assert abs(ours - exact) <= (PRECISION * exact if exact > 1e-300 else mpmath.mpf(1e-300))
        if 1e-300 < c < 1e300:
            shown = InformationSetNH.solve_c_scale([max(regret, 0.0) for regret in regrets])
            assert abs(shown - c) <= PRECISION * c


CASES = {
    "two": [1.0, 2.0],
    "one positive": [0.0, 0.375],
    "one positive, one negative": [-3.0, 1e-7],
    "alone": [5.0],
    "tie": [2.0, 2.0],
    "tie of all but one": [1.0, 1.0, 1.0, 0.0],
    "nearly a tie": [1.0, 1.0 + 2**-52, 1.0 - 2**-53],
    "tiny": [1e-300, 2e-300, 3e-300],
    "huge": [1e300, 5e299, -1e300],
    "tiny beside huge": [1e-300, 1e300, 1e299],
    "where floats overflow in the documents' solver": [37.8, 37.7, 0.1],
    "thousand equal": [3.0] * 1_000,
    "thousand rising": [float(k) for k in range(1_000)],
    "one in a thousand": [0.0] * 999 + [1.0],
    "two in a thousand": [0.0] * 998 + [0.999, 1.0],
}


@pytest.mark.parametrize("regrets", CASES.values(), ids=CASES.keys())
def test_strategy_and_scale(regrets: list[float]) -> None:
    check(regrets)


@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=8).filter(lambda regrets: max(regrets) > 1e-300))
def test_strategy_and_scale_of_any_regrets(regrets: list[float]) -> None:
    check(regrets)


@given(st.lists(st.floats(0.1, 2), min_size=2, max_size=8), st.integers(-299, 299))
def test_strategy_and_scale_of_regrets_alike(regrets: list[float], exponent: int) -> None:
    check([regret * 10.0**exponent for regret in regrets])


@given(st.lists(st.floats(0.01, 100), min_size=2, max_size=8), st.integers(-300, 298))
def test_size_of_the_regrets_does_not_matter(regrets: list[float], exponent: int) -> None:
    # A power of two changes no digit, so neither may the strategy.
    factor = 2.0 ** round(exponent / math.log10(2))
    assert played([regret * factor for regret in regrets]) == played(regrets)


@given(st.lists(st.floats(0, 100), min_size=1, max_size=6).filter(lambda regrets: max(regrets) > 1e-3))
def test_average_potential_is_e(regrets: list[float]) -> None:
    c = InformationSetNH.solve_c_scale(regrets)
    potentials = [math.exp(regret * regret / (2 * c)) for regret in regrets]
    assert math.fsum(potentials) / len(regrets) == pytest.approx(math.e, rel=1e-13)


@pytest.mark.parametrize("kind", [InformationSetNH, InformationSetNHPlus])
def test_without_positive_regret_it_is_uniform(kind: type[InformationSetNH]) -> None:
    assert played([0.0, 0.0, -0.0, 0.0], kind) == [0.25] * 4
    assert played([-1.0, -2.0], InformationSetNH) == [0.5, 0.5]
    assert kind(3).c_scale == 1.0
    assert InformationSetNH.solve_c_scale([0.0, 0.0]) == 1.0


def test_weights_give_the_strategy() -> None:
    regrets = [0.5, 0.0, 1.5, 1.25]
    weights = InformationSetNH.normalhedge_weight(regrets, InformationSetNH.solve_c_scale(regrets))
    assert weights[1] == 0
    assert [weight / sum(weights) for weight in weights] == pytest.approx(played(regrets), rel=1e-14)


def test_scale_and_weights_leave_the_range_of_floats_without_an_error() -> None:
    small, large = InformationSetNH.solve_c_scale([1e-200, 0.0]), InformationSetNH.solve_c_scale([1e200, 0.0])
    assert (small, large) == (0.0, math.inf)
    assert InformationSetNH.normalhedge_weight([1e-200, 0.0], small) == [math.inf, 0.0]
    assert InformationSetNH.normalhedge_weight([1e200, 0.0], large) == [0.0, 0.0]
    # Far from the solution the exponent is 5,000.
    assert InformationSetNH.normalhedge_weight([100.0], 1.0) == [math.inf]


def test_scale_just_inside_the_range_of_floats() -> None:
    # max(R₊)² is 2.25e308, too large for a float; c is not: with a tie s = 1 and c = max(R₊)² / 2.
    regrets = [1.5e154, 1.5e154]
    assert InformationSetNH.solve_c_scale(regrets) == pytest.approx(1.125e308, rel=1e-14)


def test_fractions_stay_exact_where_the_strategy_is_rational() -> None:
    infoset = InformationSetNH(3, Fraction)
    assert infoset.get_strategy() == [Fraction(1, 3)] * 3
    infoset.add_regret(1, Fraction(1, 7))
    infoset.add_regret(2, Fraction(-1, 7))
    chosen = infoset.get_strategy()
    assert chosen == [0, 1, 0]
    assert all(isinstance(probability, Fraction) for probability in chosen)
    infoset.add_regret(0, Fraction(1, 14))
    chosen = infoset.get_strategy()
    assert [float(p) for p in chosen] == pytest.approx(played([1.0, 2.0, -2.0]), rel=1e-15)
    assert sum(chosen) == 1
    assert all(isinstance(probability, Fraction) for probability in chosen)


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=8))
def test_newton_falls_to_the_root(regrets: list[float]) -> None:
    steps = InformationSetNH.newton_steps(regrets)
    squares = [(regret / max(regrets)) ** 2 for regret in regrets]
    assert 1 <= len(steps) <= 8
    assert steps[0].s == pytest.approx(math.log(len(regrets) * (math.e - 1) + 1), rel=1e-15)
    for step, after in itertools.zip_longest(steps, steps[1:]):
        assert after is None or after.s == step.next_s < step.s
        with mpmath.workdps(DIGITS):
            potentials = [mpmath.exp(step.s * (square - 1)) for square in squares]
            f = step.s + mpmath.log(mpmath.fsum(potentials) / len(squares)) - 1
            assert abs(step.f - f) < 1e-14
            assert abs(step.slope - mpmath.fdot(squares, potentials) / mpmath.fsum(potentials)) < 1e-14
        assert step.next_s == pytest.approx(step.s - step.f / step.slope, rel=1e-15)


def test_plus_differs_in_what_it_forgets() -> None:
    plain, plus = InformationSetNH(2), InformationSetNHPlus(2)
    for infoset in (plain, plus):
        for action, regret in ((0, -3.0), (1, 1.0), (0, 2.0)):
            infoset.add_regret(action, regret)
    assert plain.regret_sum == [-1.0, 1.0]
    assert plus.regret_sum == [2.0, 1.0]
    assert plain.get_strategy() == [0.0, 1.0]
    assert plus.get_strategy() == played([2.0, 1.0])
