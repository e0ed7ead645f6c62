"""Which suits nothing tells apart, and the boards that are left when they are taken for one.

A permutation of suits is four numbers: which suit each suit becomes. Where a board and both ranges stay the same after
it, boards that it turns into each other are solved once.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from typing import TypeAlias

from regretlab.endgames.cards import DECK, SUITS, Hand, hand_of
from regretlab.endgames.ranges import Range

Permutation: TypeAlias = tuple[int, ...]

ALL_PERMUTATIONS: tuple[Permutation, ...] = tuple(permutations(range(len(SUITS))))
"""All 24; the first leaves every suit as it is."""

IDENTITY = ALL_PERMUTATIONS[0]


def moved(card: int, suits: Permutation) -> int:
    """A card after a permutation of suits."""
    return card // len(SUITS) * len(SUITS) + suits[card % len(SUITS)]


def moved_hand(hand: Hand, suits: Permutation) -> Hand:
    """A hand after a permutation of suits."""
    return hand_of(moved(hand[0], suits), moved(hand[1], suits))


def suits_alike(board: Sequence[int], ranges: Sequence[Range]) -> list[Permutation]:
    """The permutations of suits that leave a board, and what the ranges can hold with it, as they are.

    The first leaves every suit as it is.
    """
    taken = set(board)
    held = [{hand: weight for hand, weight in each.entries if not taken & set(hand)} for each in ranges]
    return [
        suits
        for suits in ALL_PERMUTATIONS
        if {moved(card, suits) for card in taken} == taken
        and all(weights.get(moved_hand(hand, suits)) == weight for weights in held for hand, weight in weights.items())
    ]


def distinct_boards(board: tuple[int, ...], cards: int, alike: Sequence[Permutation]) -> dict[tuple[int, ...], int]:
    """The boards of so many cards that begin with a board, one of each kind, and how many each stands for.

    The cards that are added stand highest first.
    """
    rest = [card for card in range(DECK - 1, -1, -1) if card not in board]
    found: dict[tuple[int, ...], int] = {}
    seen: set[tuple[int, ...]] = set()
    for more in combinations(rest, cards - len(board)):
        if more not in seen:
            images = {tuple(sorted((moved(card, suits) for card in more), reverse=True)) for suits in alike}
            seen |= images
            found[board + more] = len(images)
    return found
