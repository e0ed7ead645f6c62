"""Flops and the boards that follow: all of them up to suits, and small sets that stand for all.

A weight is how many boards one stands for. 22,100 flops are 1,755 up to suits. The representative sets were computed by
``python -m studies.flops``, which says how they were chosen and measures how well they represent.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

from regretlab.endgames.betting import STREETS
from regretlab.endgames.cards import read_cards
from regretlab.endgames.spot import Spot
from regretlab.endgames.spot_form import suits_to_merge
from regretlab.endgames.suits import ALL_PERMUTATIONS, distinct_boards
from regretlab.errors import UserError, unknown

SUBSETS_FILE = Path(__file__).with_name("flop_subsets.csv")
"""A line for each flop of each representative set: how many flops the set has, the flop, its weight."""

SUBSETS = ("25", "49", "95", "184")
"""The names of the representative sets: how many flops they have."""

ALL_FLOPS = "all"
"""The name under which all flops are asked for."""


class WeightedBoard(NamedTuple):
    """A board, and how many boards it stands for."""

    board: tuple[int, ...]
    weight: int


@cache
def all_flops() -> tuple[WeightedBoard, ...]:
    """All flops up to suits, the highest cards first.

    >>> len(all_flops()), sum(flop.weight for flop in all_flops())
    (1755, 22100)
    """
    return _weighted(distinct_boards((), 3, ALL_PERMUTATIONS))


def flop_subset(name: str) -> tuple[WeightedBoard, ...]:
    """A representative set of flops, by its name in ``SUBSETS``, or ``"all"`` of them.

    It is meant for ranges that treat all suits alike, as usual ranges do. The weights sum to 22,100.

    >>> from regretlab.endgames.cards import hand_name
    >>> len(flop_subset("25")), len(hand_name(flop_subset("25")[0].board))
    (25, 6)
    """
    if name == ALL_FLOPS:
        return all_flops()
    if name not in SUBSETS:
        raise unknown("set of flops", name, [*SUBSETS, ALL_FLOPS])
    return _subsets()[name]


@cache
def _subsets() -> dict[str, tuple[WeightedBoard, ...]]:
    """The sets in the file, by name."""
    found: dict[str, list[WeightedBoard]] = {}
    with SUBSETS_FILE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["set"], []).append(WeightedBoard(read_cards(row["flop"]), int(row["weight"])))
    return {name: tuple(boards) for name, boards in found.items()}


def next_boards(spot: Spot, street: str) -> tuple[WeightedBoard, ...]:
    """The boards that may follow a spot's on a later street, ``"turn"`` or ``"river"``; they begin with the spot's.

    Boards that differ only in suits which neither the board nor ranges and locks tell apart are listed once, unless the
    spot says that suits are not to be merged.

    >>> from regretlab.endgames import holdem
    >>> turns = next_boards(holdem("flop-srp"), "turn")
    >>> len(turns), sum(turn.weight for turn in turns)
    (49, 49)
    """
    later = STREETS[len(spot.board) - 2 :]
    if street not in later:
        known = " or ".join(later) or "nothing"
        raise UserError(f"street='{street:.20}' does not follow the {spot.street}; what follows is {known}")
    return _weighted(distinct_boards(spot.board, 3 + STREETS.index(street), suits_to_merge(spot)))


def _weighted(boards: dict[tuple[int, ...], int]) -> tuple[WeightedBoard, ...]:
    return tuple(WeightedBoard(board, weight) for board, weight in boards.items())
