"""What a hand is on a board, in players' words: top pair, set, flush draw …"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from phevaluator.evaluator import evaluate_5cards, evaluate_6cards, evaluate_7cards

from regretlab.endgames.cards import RANKS, SUITS, Hand

KINDS = {
    "straight flush": "five cards in a row of one suit",
    "four of a kind": "four cards of one rank",
    "full house": "three cards of one rank and two of another",
    "flush": "five cards of one suit",
    "straight": "five cards in a row",
    "set": "a pocket pair and a third card of its rank on the board",
    "trips": "three cards of one rank of which at least two lie on the board",
    "two pair": "both cards pair with different cards of the board",
    "overpair": "a pocket pair above every card of the board",
    "top pair": "one card pairs with the highest rank of the board",
    "second pair": "one card pairs with the second highest rank of the board",
    "low pair": "one card pairs with a lower rank of the board",
    "underpair": "a pocket pair below the highest card of the board",
    "ace high": "an ace in the hand, and no card pairs",
    "nothing": "no ace in the hand, and no card pairs",
    "flush draw": "one card short of a flush that uses a card of the hand",
    "open-ended draw": "cards of two ranks or more complete a straight, or a higher one than the board's",
    "gutshot": "cards of one rank complete a straight, or a higher one than the board's",
}
"""Kinds of hands, the best first, and what they mean.

A hand is one of those before the draws: by its best five cards from a straight up, and by what its own cards add below
that. Before the river it may have draws besides.
"""

_AT_BEST = {10: "straight flush", 166: "four of a kind", 322: "full house", 1599: "flush", 1609: "straight"}
"""The weakest hand of each kind, as phevaluator numbers hands from 1."""

_THREE_OF_A_KIND = 2467
_TO_FLUSH, _ALL_CARDS = 4, 5
_EVALUATE = {5: evaluate_5cards, 6: evaluate_6cards, 7: evaluate_7cards}


@lru_cache(maxsize=4096)
def kinds_of(hand: Hand, board: tuple[int, ...]) -> tuple[str, ...]:
    """The kinds that a hand is on a board of three to five cards: what it has made first, then its draws.

    >>> from regretlab.endgames.cards import read_cards
    >>> kinds_of(read_cards("AhKh"), read_cards("KdTh2h"))
    ('top pair', 'flush draw')
    """
    value = _EVALUATE[2 + len(board)](*board, *hand)
    made = next((kind for weakest, kind in _AT_BEST.items() if value <= weakest), None)
    if made is None:
        made = _pairs(hand, board, three=value <= _THREE_OF_A_KIND)
    return (made, *(_draws(made, hand, board) if len(board) < _ALL_CARDS else ()))


def _pairs(hand: Hand, board: tuple[int, ...], three: bool) -> str:
    """What the own cards add where there is no straight or better."""
    high, low = hand[0] // 4, hand[1] // 4
    ranks = sorted({card // 4 for card in board}, reverse=True)
    if three:
        return "set" if high == low else "trips"
    if high == low:
        return "overpair" if high > ranks[0] else "underpair"
    if high in ranks and low in ranks:
        return "two pair"
    paired = next((place for place, rank in enumerate(ranks) if rank in (high, low)), None)
    if paired is not None:
        return ("top pair", "second pair", "low pair")[min(paired, 2)]
    return "ace high" if high == len(RANKS) - 1 else "nothing"


def _draws(made: str, hand: Hand, board: tuple[int, ...]) -> tuple[str, ...]:
    """What better hands than the one that is made may come of the next card."""
    found, order = [], list(KINDS)
    if order.index(made) > order.index("flush"):
        suits = [card % len(SUITS) for card in (*hand, *board)]
        if any(suits.count(suit) == _TO_FLUSH for suit in {card % len(SUITS) for card in hand}):
            found.append("flush draw")
    if order.index(made) > order.index("straight"):
        ours, theirs = _mask((*hand, *board)), _mask(board)
        completing = sum(
            _straight(ours | 1 << rank) > _straight(theirs | 1 << rank) for rank in range(1, len(RANKS) + 1)
        )
        if completing:
            found.append("open-ended draw" if completing > 1 else "gutshot")
    return tuple(found)


def _mask(cards: Sequence[int]) -> int:
    """A bit for each rank: a deuce is bit 1, an ace bit 13 and, below the deuce, bit 0."""
    ranks = {card // 4 + 1 for card in cards}
    return sum(1 << rank for rank in ranks) | (len(RANKS) in ranks)


def _straight(mask: int) -> int:
    """The place of the highest straight's lowest card, counted from 1; 0 where there is none."""
    mask |= mask >> len(RANKS) & 1
    return (mask & mask >> 1 & mask >> 2 & mask >> 3 & mask >> 4).bit_length()
