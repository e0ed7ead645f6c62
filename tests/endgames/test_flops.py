"""Flops and what follows them: one board of each kind, and how many it stands for."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import pytest

from regretlab.endgames import holdem
from regretlab.endgames.cards import DECK, read_cards
from regretlab.endgames.flops import all_flops, next_boards
from regretlab.endgames.ranges import read_range
from regretlab.endgames.suits import suits_alike
from regretlab.errors import UserError


def kind(board: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """What boards that differ in suits alone have in common: the least of all ways to name its suits."""
    return min(tuple(sorted((card // 4, suits[card % 4]) for card in board)) for suits in permutations(range(4)))


def test_flops_are_those_that_suits_do_not_tell_apart() -> None:
    expected = Counter(kind(flop) for flop in combinations(range(DECK), 3))
    assert len(expected) == 1755
    assert {kind(flop): weight for flop, weight in all_flops()} == expected


SYMMETRIC, BY_SUIT = "QQ+,AK", "QQ+,AsKs"


@pytest.mark.parametrize(
    ("board", "oop", "street", "distinct"),
    [
        ("Qs7h2d", SYMMETRIC, "turn", 49),  # three suits on the board: all four differ
        ("Qs7s2s", SYMMETRIC, "turn", 10 + 13),  # three suits are alike
        ("Qs7s2d", SYMMETRIC, "turn", 11 + 12 + 13),  # two suits are alike
        ("Qs7h2d3c", SYMMETRIC, "river", 48),
        ("Qs7h2d3h", BY_SUIT, "river", 48),
        ("QsQh2d2c", SYMMETRIC, "river", 22 + 2),  # within and across both pairs of suits, no rank is in two
        ("Qs7s2s", BY_SUIT, "turn", 23),  # the suit that the range names is apart on this board anyway
        ("Qd7d2d", BY_SUIT, "turn", 10 + 13 + 13),
    ],
)
def test_boards_that_follow_are_one_of_each_kind(board: str, oop: str, street: str, distinct: int) -> None:
    spot = holdem(board=board, pot=10, stack=20, oop=oop, ip="JJ-88")
    found = next_boards(spot, street)
    assert len(found) == distinct
    assert all(each[: len(spot.board)] == spot.board for each, _ in found)
    assert sum(weight for _, weight in found) == DECK - len(spot.board)


def test_rivers_of_a_flop_are_counted_without_their_order() -> None:
    spot = holdem(board="Qs7s2s", pot=10, stack=20, oop="QQ+", ip="JJ-88")
    found = next_boards(spot, "river")
    assert sum(weight for _, weight in found) == 49 * 48 // 2
    assert len({frozenset(board) for board, _ in found}) == len(found)


def test_suits_stay_apart_where_the_spot_says_so() -> None:
    spot = holdem(board="Qs7s2s", pot=10, stack=20, oop="QQ+", ip="JJ-88", merge_suits=False)
    assert len(next_boards(spot, "turn")) == 49


def test_a_range_counts_by_what_can_be_held() -> None:
    ranges = [read_range("AsKs,QQ"), read_range("JJ")]
    assert len(suits_alike(read_cards("7d6c2h"), ranges)) == 1
    assert len(suits_alike(read_cards("As6s2s"), ranges)) == 6  # nobody has the ace of spades


@pytest.mark.parametrize("street", ["flop", "turn", "river"])
def test_a_street_that_does_not_follow_is_refused(street: str) -> None:
    spot = holdem("river-polar")
    with pytest.raises(UserError, match=f"'{street}' does not follow the river; what follows is nothing"):
        next_boards(spot, street)


def test_a_lock_that_tells_suits_apart_keeps_them_apart() -> None:
    spot = holdem(board="Qs7s2s", pot=10, stack=20, oop="QQ+", ip="JJ-88", lock={"": "AhAd: check"})
    assert len(next_boards(spot, "turn")) == 10 + 2 * 13  # hearts and diamonds are alike, clubs are not
