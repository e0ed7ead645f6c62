"""Flops and the boards that follow: one of each kind that suits do not tell apart, and how many it stands for."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from regretlab.endgames.betting import STREETS
from regretlab.endgames.spot import Spot
from regretlab.endgames.spot_form import suits_to_merge
from regretlab.endgames.suits import ALL_PERMUTATIONS, distinct_boards
from regretlab.errors import UserError


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
