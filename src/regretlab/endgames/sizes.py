"""Bet sizes: how players write them, and how many chips they are at a decision.

The rounding is that of the tools which players use: r of the pot is bet as round(r · pot), halves up, and raised to the
last bet + round(r · pot after calling). Chips are whole; what reaches the stack is all-in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Literal, NamedTuple, TypeAlias

from regretlab.endgames.cards import at_character
from regretlab.errors import UserError
from regretlab.spec import Readable, number

Unit: TypeAlias = Literal["pot", "last bet", "chips", "all-in", "geometric"]

_WRITTEN = re.compile(
    r"(?P<pot>[\d./]+%)|(?P<last>[\d./]+x)|(?P<chips>[\d.]+c)|(?P<all_in>a|allin|all-in)"
    r"|(?P<streets>\d*)e(?P<most>[\d./]+%)?"
)
_KINDS = "write sizes like 50%, 100c, a, 2e or 3e200%"
MOST_STREETS = 9


@dataclass(frozen=True)
class BetSize:
    """One size of a menu: ``amount`` in units of ``unit``.

    Geometric sizes are the part of the pot that, bet on ``amount`` streets in a row and called, ends all-in; 0 stands
    for the streets that are left. ``most`` is the largest part of the pot that such a size may be.
    """

    unit: Unit
    amount: Fraction = Fraction(0)
    most: Fraction | None = None


class Menu(NamedTuple):
    """A player's sizes on one street."""

    bets: tuple[BetSize, ...]  # when nobody has bet
    raises: tuple[BetSize, ...]  # when somebody has
    donk: tuple[BetSize, ...] | None = None  # in place of bets after having called on the street before; None: bets


class Thresholds(NamedTuple):
    """When sizes are added, rounded up or left out; parts of the pot after calling."""

    add_all_in: Fraction = Fraction(0)  # all-in is added where it is at most this much on top of a call
    force_all_in: Fraction = Fraction(0)  # a size is all-in where a call would leave at most this much behind
    merge: Fraction = Fraction(0)  # of two sizes closer than this the smaller is left out


NO_THRESHOLDS = Thresholds()


class Facing(NamedTuple):
    """What a player who may bet or raise sees."""

    pot: int  # all that would be in the pot after calling
    last: int  # what the other player has bet on this street
    own: int  # what the player has bet on this street
    stack: int  # what both had behind when the street began, above ``last``
    streets: int  # that are left, this one included


def read_sizes(text: str | Sequence[str], key: str) -> tuple[BetSize, ...]:
    """Read a menu such as ``50%, 100%, a``; an empty one offers nothing. ``key`` ends in bets, raises or donk.

    >>> [size.unit for size in read_sizes("50%, 2.5x, 100c, a, 3e200%", "raises")]
    ['pot', 'last bet', 'chips', 'all-in', 'geometric']
    """
    if isinstance(text, list | tuple) and all(isinstance(part, str) for part in text):
        text = ", ".join(text)
    if not isinstance(text, str):
        raise UserError(f"{key}={text!r:.40} is not a text; {_KINDS}")
    sizes: list[BetSize] = []
    for match in re.finditer(r"[^\s,]+", text):
        size = _read_size(match[0].lower(), match.start(), text, key)
        if size.unit == "last bet" and not key.endswith("raises"):
            raise at_character(key, text, match.start(), f"'{match[0]}' is a multiple of the last bet, for raises only")
        sizes.append(size)
    return tuple(sizes)


def _read_size(word: str, at: int, text: str, key: str) -> BetSize:
    """Read one size, which stands at this place of the text."""
    match = _WRITTEN.fullmatch(word)
    if match is None:
        bare = f"; is it {word}% of the pot or {word}c, chips?" if re.fullmatch(r"[\d.]+", word) else f"; {_KINDS}"
        raise at_character(key, text, at, f"'{word}' is no size{bare}")

    def amount(digits: str) -> Fraction:
        try:
            read = number(key, digits)
        except UserError:
            raise at_character(key, text, at, f"'{digits}' in '{word}' is no number") from None
        if read <= 0:
            raise at_character(key, text, at, f"'{word}' is nothing; a size is above 0")
        return read

    if match["pot"]:
        return BetSize("pot", amount(word[:-1]) / 100)
    if match["last"]:
        if amount(word[:-1]) <= 1:
            raise at_character(key, text, at, f"'{word}' is no raise; a multiple of the last bet is above 1x")
        return BetSize("last bet", amount(word[:-1]))
    if match["chips"]:
        if amount(word[:-1]).denominator != 1:
            raise at_character(key, text, at, f"'{word}' is not whole; chips are not cut")
        return BetSize("chips", amount(word[:-1]))
    if match["all_in"]:
        return BetSize("all-in")
    streets = amount(match["streets"]) if match["streets"] else Fraction(0)
    if streets > MOST_STREETS:
        raise at_character(key, text, at, f"'{word}' is geometric over more than {MOST_STREETS} streets")
    return BetSize("geometric", streets, amount(match["most"][:-1]) / 100 if match["most"] else None)


def part(key: str, value: Readable) -> Fraction:
    """Read a part of the pot, 0 or more, written as 5% or as 0.05.

    >>> part("rake", "5%"), part("rake", 0.05)
    (Fraction(1, 20), Fraction(1, 20))
    """
    text = str(value).strip()
    try:
        found = number(key, text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except UserError:
        found = Fraction(-1)
    if found < 0:
        raise UserError(f"{key}={text:.40} is no part of the pot; write 5% or 0.05")
    return found


def amounts(sizes: Sequence[BetSize], facing: Facing, thresholds: Thresholds) -> tuple[int, ...]:
    """The chips to which a player can bet or raise on this street, ascending, each once.

    >>> raises = read_sizes("50%, 100%, a", "raises")
    >>> amounts(raises, Facing(pot=400, last=100, own=0, stack=900, streets=1), Thresholds())
    (300, 500, 900)
    """
    pot, last, own, stack, _ = facing
    # A bet is at least a chip, a raise adds at least what the bet or raise before it added.
    least = last + max(last - own, 1)
    found = {min(max(_chips(size, facing), least), stack) for size in sizes}
    if stack <= last + rounded(thresholds.add_all_in * pot):
        found.add(stack)
    forced = (stack if stack <= to + rounded(thresholds.force_all_in * (pot + 2 * (to - last))) else to for to in found)
    return _apart(sorted(set(forced)), facing, thresholds.merge)


def _chips(size: BetSize, facing: Facing) -> int:
    """The chips that a size stands for, before it is held between the least raise and the stack."""
    pot, last, _, stack, streets = facing
    if size.unit == "pot":
        return last + rounded(size.amount * pot)
    if size.unit == "last bet":
        return rounded(size.amount * last)
    if size.unit == "chips":
        return last + int(size.amount)
    if size.unit == "all-in":
        return stack
    # Each street multiplies the pot by 1 + 2r, and in the end all that is behind after a call is in it.
    growth = float(1 + Fraction(2 * (stack - last), pot)) ** (1 / float(size.amount or streets))
    part = (growth - 1) / 2
    return last + rounded(pot * (part if size.most is None else min(part, float(size.most))))


def _apart(ascending: Sequence[int], facing: Facing, merge: Fraction) -> tuple[int, ...]:
    """The sizes without those that are too close to a larger one: (pot + larger) / (pot + smaller) < 1 + merge."""
    kept: list[int] = []
    for to in reversed(ascending):
        after = facing.pot + to - facing.last
        if not kept or facing.pot + kept[-1] - facing.last >= (1 + merge) * after:
            kept.append(to)
    return tuple(reversed(kept))


def rounded(value: Fraction | float) -> int:
    """The nearest whole number; halves go up, as in the tools that players use, and not to the even one as in Python.

    >>> rounded(Fraction(5, 2)), rounded(2.4)
    (3, 2)
    """
    return floor(value + Fraction(1, 2)) if isinstance(value, Fraction) else floor(value + 0.5)
