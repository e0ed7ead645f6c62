"""What came after the four algorithms: single updates by hand."""

from fractions import Fraction

import pytest

from regretlab.reference import Basis, InformationSetHedge, InformationSetVariant, Variant


@pytest.mark.parametrize("level", [Fraction(1, 2), 1])
def test_without_a_positive_regret_the_floor_is_0(level: Fraction) -> None:
    """Sums −3 and −1: the largest positive one is 0, and so is the floor, whatever the level."""
    infoset = InformationSetVariant(2, Fraction, Variant(level=level))
    infoset.learn([Fraction(-3), Fraction(-1)], t=1)
    assert infoset.regret_sum == [0, 0]


def test_a_floor_below_the_largest_regret() -> None:
    """Sums 4, −1, −3 with level 1/2: nothing below −2."""
    infoset = InformationSetVariant(3, Fraction, Variant(level=Fraction(1, 2)))
    infoset.learn([Fraction(4), Fraction(-1), Fraction(-3)], t=1)
    assert infoset.regret_sum == [4, -1, -2]


def test_hedge_has_no_weight_that_overflows() -> None:
    """η = √(8 ln 2 / 1) and regrets of a million: exp(2.4 million) is no float, exp(0) and exp(−2.4 million) are."""
    infoset = InformationSetHedge(2)
    infoset.kept = Basis(1, (1e6, 0.0), squared_ranges=1.0)
    assert infoset.get_strategy() == [1, 0]
