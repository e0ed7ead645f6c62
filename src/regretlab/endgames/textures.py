"""What a board looks like, in players' words: pairs, suits, straights, the high card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from regretlab.endgames.cards import RANKS, SUITS

PAIRINGS = {
    "unpaired": "all ranks differ",
    "paired": "two cards of one rank",
    "two pair": "two cards of one rank and two of another",
    "trips": "three cards of one rank",
    "full house": "three cards of one rank and two of another",
    "quads": "four cards of one rank",
}
"""How often the ranks of a board come, and what the words mean."""

SUITINGS = {
    "rainbow": "no two cards of a suit",
    "two-tone": "two cards of a suit, and no more of any",
    "double two-tone": "two cards of a suit and two of another",
    "flush possible": "three cards of a suit among others",
    "four to a flush": "four cards of a suit among others",
    "monotone": "all cards are of one suit",
}
"""How often the suits of a board come."""

CONNECTIONS = {
    "disconnected": "no two ranks lie within five in a row, so nobody has a straight draw",
    "semi-connected": "two ranks lie within five in a row: two cards of a hand may draw to a straight",
    "connected": "three ranks lie within five in a row: two cards of a hand may make a straight",
    "four to a straight": "four ranks lie within five in a row: one card of a hand may make a straight",
    "straight": "five ranks in a row are on the board",
}
"""How near straights are; an ace counts below a deuce, too."""

_CONNECTION_OF = dict(enumerate(CONNECTIONS, start=1))
_IN_A_ROW = 5


class Texture(NamedTuple):
    """What a board of three to five cards looks like."""

    pairing: str
    """One of ``PAIRINGS``."""
    suits: str
    """One of ``SUITINGS``."""
    connection: str
    """One of ``CONNECTIONS``."""
    high: str
    """The highest rank, a letter of ``RANKS``."""

    def __str__(self) -> str:
        return f"{self.high}-high, {self.pairing}, {self.suits}, {self.connection}"


def texture(board: Sequence[int]) -> Texture:
    """The texture of a board.

    >>> from regretlab.endgames.cards import read_cards
    >>> print(texture(read_cards("QsJh2h")))
    Q-high, unpaired, two-tone, semi-connected
    >>> print(texture(read_cards("As5s3s3d")))
    A-high, paired, flush possible, connected
    """
    ranks = [card // len(SUITS) for card in board]
    return Texture(_pairing(ranks), _suiting(board), _CONNECTION_OF[near_straight(ranks)], RANKS[max(ranks)])


def _pairing(ranks: Sequence[int]) -> str:
    """What the ranks come to; five cards are looked at by the two ranks that come most often."""
    match sorted(Counter(ranks).values(), reverse=True):
        case [4, *_]:
            return "quads"
        case [3, 2]:
            return "full house"
        case [3, *_]:
            return "trips"
        case [2, 2, *_]:
            return "two pair"
        case [2, *_]:
            return "paired"
        case _:
            return "unpaired"


def _suiting(board: Sequence[int]) -> str:
    """What the suits come to."""
    most, *others = sorted(Counter(card % len(SUITS) for card in board).values(), reverse=True)
    if not others:
        return "monotone"
    if most > 2:
        return "flush possible" if most == 3 else "four to a flush"
    return "rainbow" if most == 1 else "double two-tone" if others[0] == 2 else "two-tone"


def near_straight(ranks: Sequence[int]) -> int:
    """The most different ranks among five in a row; an ace counts below a deuce, too.

    >>> near_straight([12, 3, 2])  # A54
    3
    """
    there = {rank + 1 for rank in ranks} | ({0} if len(RANKS) - 1 in ranks else set())
    return max(len(there & set(range(low, low + _IN_A_ROW))) for low in range(len(RANKS) + 1 - _IN_A_ROW + 1))
