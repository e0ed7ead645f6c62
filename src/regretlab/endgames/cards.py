"""Cards and hands: how they are numbered, written and read.

A card is a whole number, 4 × rank + suit, as phevaluator numbers them: ranks from 0 (a deuce) to 12 (an ace), suits
clubs, diamonds, hearts, spades. A hand is its two cards, the higher number first.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import TypeAlias

from regretlab.errors import UserError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = len(RANKS) * len(SUITS)

Hand: TypeAlias = tuple[int, int]
"""Two cards, the higher number first."""

ALL_HANDS: tuple[Hand, ...] = tuple((high, low) for low, high in combinations(range(DECK), 2))
"""Every hand of a full deck; 1,326 of them."""

_SEPARATORS = " ,\t\r\n"
_RANKS_IN_WORDS = "ranks are 2 to 9, T, J, Q, K, A"
_SUITS_IN_WORDS = "suits are c, d, h, s"


def card_name(card: int) -> str:
    """How a card is written.

    >>> card_name(0), card_name(51)
    ('2c', 'As')
    """
    return RANKS[card // 4] + SUITS[card % 4]


def hand_name(hand: Iterable[int]) -> str:
    """How a hand, or a board, is written: one card after the other.

    >>> hand_name((50, 45))
    'AhKd'
    """
    return "".join(map(card_name, hand))


def hand_of(one: int, other: int) -> Hand:
    """The hand of two cards, in whatever order they are."""
    return (one, other) if one > other else (other, one)


def read_cards(text: str, key: str = "cards") -> tuple[int, ...]:
    """Read cards in the order in which they are written; spaces and commas between them are skipped.

    ``key`` says in errors what was being read.

    >>> read_cards("2c As, Kd")
    (0, 51, 45)
    """
    if not isinstance(text, str):
        raise UserError(f"{key}={text!r:.40} is not a text; write cards like QsJh2h")
    cards: list[int] = []
    at = 0
    while at < len(text):
        if text[at] in _SEPARATORS:
            at += 1
            continue
        card = card_at(text, at, key)
        if card in cards:
            raise at_character(key, text, at, f"{card_name(card)} is there already; each card is in the deck once")
        cards.append(card)
        at += 2
    return tuple(cards)


def card_at(text: str, at: int, key: str) -> int:
    """The card whose rank stands at this place of the text; letters may be small or capital."""
    rank = RANKS.find(text[at].upper())
    if rank < 0:
        tens = "ten is written T" if text.startswith("10", at) else _RANKS_IN_WORDS
        raise at_character(key, text, at, f"{tens}", "no rank")
    if at + 1 == len(text):
        raise at_character(key, text, at, f"a suit is missing; {_SUITS_IN_WORDS}")
    suit = SUITS.find(text[at + 1].lower())
    if suit < 0:
        raise at_character(key, text, at + 1, _SUITS_IN_WORDS, "no suit")
    return 4 * rank + suit


def at_character(key: str, text: str, at: int, problem: str, is_no: str = "") -> UserError:
    """The error for what stands at a place of a text, counted from 1 for people.

    >>> print(at_character("board", "Qx", 1, "suits are c, d, h, s", "no suit"))
    board='Qx': 'x' at character 2 is no suit; suits are c, d, h, s
    >>> print(at_character("range", "AA, AKx", 4, "this is no hand"))
    range='AA, AKx': at character 5, this is no hand
    """
    shown = _around(text, at)
    if is_no:
        return UserError(f"{key}='{shown}': '{text[at]}' at character {at + 1} is {is_no}; {problem}")
    return UserError(f"{key}='{shown}': at character {at + 1}, {problem}")


_LONGEST_SHOWN = 60


def _around(text: str, at: int) -> str:
    """The text, or the part of a long one around a place, on one line."""
    if len(text) > _LONGEST_SHOWN:
        start = max(0, min(at - _LONGEST_SHOWN // 2, len(text) - _LONGEST_SHOWN))
        end = start + _LONGEST_SHOWN
        text = ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")
    return " ".join(text.split()) if "\n" in text else text
