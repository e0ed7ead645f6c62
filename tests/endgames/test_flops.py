"""Flops and what follows them: one board of each kind, and how many it stands for."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest

from regretlab.endgames import holdem
from regretlab.endgames.cards import DECK, read_cards
from regretlab.endgames.flops import SUBSETS, all_flops, flop_subset, next_boards
from regretlab.endgames.ranges import read_range
from regretlab.endgames.suits import suits_alike
from regretlab.endgames.textures import texture
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


EQUITIES = Path(__file__).parents[1] / "data" / "endgames" / "flop_equities.npz"
"""Of all flops and six pairs of ranges, by ``python -m studies.flops equities``, in single precision."""

DOCUMENT = Path(__file__).parents[2] / "docs" / "explanation" / "representative-flops.md"


@pytest.mark.parametrize("size", SUBSETS)
def test_a_representative_set_has_distinct_flops_that_stand_for_all(size: str) -> None:
    found = flop_subset(size)
    assert len(found) == int(size)
    assert {board for board, _ in found} <= {board for board, _ in all_flops()}
    assert len({kind(board) for board, _ in found}) == len(found)
    assert sum(weight for _, weight in found) == 22_100
    assert min(weight for _, weight in found) > 0


def test_sets_that_do_not_exist_are_refused() -> None:
    assert flop_subset("all") == all_flops()
    with pytest.raises(UserError, match="unknown set of flops '96'; did you mean '95'"):
        flop_subset("96")


@pytest.mark.parametrize("size", SUBSETS)
def test_errors_in_the_document_are_those_of_the_sets(size: str) -> None:
    row = next(line for line in DOCUMENT.read_text().splitlines() if line.startswith(f"| {size} |"))
    told = [float(cell) for cell in row.split("|")[2:-1]]
    weights = {kind(board): weight for board, weight in flop_subset(size)}
    ours = np.array([weights.get(kind(board), 0) for board, _ in all_flops()], dtype=float)
    every = np.array([weight for _, weight in all_flops()], dtype=float)
    with np.load(EQUITIES) as known:
        means = [
            [np.average(known["mean"][:, pair], weights=each * known["pairs"][:, pair]) for pair in range(6)]
            for each in (ours, every)
        ]
    assert np.abs(np.subtract(*means)) * 100 == pytest.approx(told[3:], abs=0.006)
    words = {word for board, _ in all_flops() for word in texture(board)}
    apart = [
        abs(sum(share for (board, _), share in zip(all_flops(), ours - every, strict=True) if word in texture(board)))
        for word in words
    ]
    assert max(apart) / 221 == pytest.approx(told[0], abs=0.006)
