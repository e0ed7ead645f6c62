"""Bet sizes: how many chips they are, worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretlab.endgames.sizes import NO_THRESHOLDS, Facing, Thresholds, amounts, read_sizes, rounded

# Nobody has bet; the pot is 55, 900 are behind, three streets are left.
FIRST = Facing(pot=55, last=0, own=0, stack=900, streets=3)
# The other one has bet 100 into 200: after a call the pot is 400.
AGAINST_100 = Facing(pot=400, last=100, own=0, stack=900, streets=1)
# Our 100 was raised to 300 in a pot of 200: after a call it is 800, and a raise adds at least 200.
RAISED = Facing(pot=800, last=300, own=100, stack=900, streets=1)


@pytest.mark.parametrize(
    ("text", "facing", "chips"),
    [
        ("50%", FIRST, (28,)),  # 27.5: halves go up
        ("33%", FIRST, (18,)),  # 18.15
        ("33.3%, 1000%", FIRST, (18, 550)),
        ("2000%", FIRST, (900,)),  # 1,100 are more than there is
        ("a", FIRST, (900,)),
        ("allin, ALL-IN, a", FIRST, (900,)),
        ("10c, 1200c", FIRST, (10, 900)),
        ("0.1%", FIRST, (1,)),  # a bet is at least a chip
        ("a, 50%, 50%, 51%", FIRST, (28, 900)),  # 28.05 is 28 as well; ascending
        ("", FIRST, ()),
        # 55 · g³ = 55 + 1800 with g = 1 + 2r: g = 3.2308, r = 1.1154, 61.3 chips.
        ("e", FIRST, (61,)),
        ("3e", FIRST, (61,)),
        ("3e100%", FIRST, (55,)),
        ("1e", FIRST, (900,)),
        # 55 · g² = 1855: g = 5.8075, r = 2.4038, 132.2 chips.
        ("2e", FIRST, (132,)),
        ("50%, 100%, a", AGAINST_100, (300, 500, 900)),
        ("2.5x, 4x", AGAINST_100, (250, 400)),
        ("50c, 150c", AGAINST_100, (200, 250)),  # on top of the last bet, which is at least doubled
        ("1.5x", AGAINST_100, (200,)),
        ("1%", RAISED, (500,)),
        ("50%", RAISED, (700,)),
        ("2.5x", RAISED, (750,)),
        # 800 · g = 800 + 1200 on one street: r = 0.75, all-in.
        ("e", RAISED, (900,)),
        # On two: g = 1.5811, r = 0.2906, 232 on top of 300.
        ("2e", RAISED, (532,)),
        ("2e25%", RAISED, (500,)),
    ],
)
def test_a_size_is_so_many_chips(text: str, facing: Facing, chips: tuple[int, ...]) -> None:
    assert amounts(read_sizes(text, "raises"), facing, NO_THRESHOLDS) == chips


def test_a_raise_that_the_stack_cuts_short_is_all_in() -> None:
    short = Facing(pot=800, last=300, own=100, stack=400, streets=1)
    assert amounts(read_sizes("1%, 50%", "raises"), short, NO_THRESHOLDS) == (400,)


@pytest.mark.parametrize(
    ("text", "facing", "thresholds", "chips"),
    [
        # All-in is 900 − 100 = 800 on top of a call: twice the pot of 400.
        ("50%", AGAINST_100, Thresholds(add_all_in=Fraction(2)), (300, 900)),
        ("50%", AGAINST_100, Thresholds(add_all_in=Fraction(199, 100)), (300,)),
        # 900 behind are 16.36 pots of 55; 0.5 up is rounded: 16.35 · 55 = 899.25.
        ("50%", FIRST, Thresholds(add_all_in=Fraction(1637, 100)), (28, 900)),
        ("50%", FIRST, Thresholds(add_all_in=Fraction(1635, 100)), (28,)),
        # A raise to 500 that is called makes a pot of 1,200 with 400 behind: a third.
        ("100%, 50%", AGAINST_100, Thresholds(force_all_in=Fraction(1, 3)), (300, 900)),
        ("100%, 50%", AGAINST_100, Thresholds(force_all_in=Fraction(33, 100)), (300, 500)),
        # 100 % and 90 %: 2 / 1.9 is 1.0526.
        ("90%, 100%", Facing(1000, 0, 0, 9000, 1), Thresholds(merge=Fraction(53, 1000)), (1000,)),
        ("90%, 100%", Facing(1000, 0, 0, 9000, 1), Thresholds(merge=Fraction(52, 1000)), (900, 1000)),
        # 100 % and 60 % are 1.25 apart, which is not closer than that.
        ("60%, 100%", Facing(1000, 0, 0, 9000, 1), Thresholds(merge=Fraction(1, 4)), (600, 1000)),
        # The largest stays; what is near it goes, and is not there to hide what is near to it in turn.
        ("80%, 90%, 100%", Facing(1000, 0, 0, 9000, 1), Thresholds(merge=Fraction(6, 100)), (800, 1000)),
        # As a raise: 500 and 460 are 100 % and 90 % on top of a call.
        ("90%, 100%", AGAINST_100, Thresholds(merge=Fraction(53, 1000)), (500,)),
    ],
)
def test_thresholds_add_force_and_merge(
    text: str, facing: Facing, thresholds: Thresholds, chips: tuple[int, ...]
) -> None:
    assert amounts(read_sizes(text, "raises"), facing, thresholds) == chips


@given(st.integers(1, 10**6), st.integers(1, 400))
def test_geometric_bets_put_the_stack_in_on_the_last_street(stack: int, pot: int) -> None:
    chips, behind = pot, stack
    for streets in (3, 2, 1):
        (bet,) = amounts(read_sizes("e", "bets"), Facing(chips, 0, 0, behind, streets), NO_THRESHOLDS)
        chips, behind = chips + 2 * bet, behind - bet
        if not behind:
            break
    assert behind == 0


def test_halves_go_up() -> None:
    assert [rounded(Fraction(k, 2)) for k in range(6)] == [0, 1, 1, 2, 2, 3] == [rounded(k / 2) for k in range(6)]
