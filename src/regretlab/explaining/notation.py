"""How numbers are written: four decimals, or fractions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from regretlab.games import Number

DECIMALS = 4
"""Digits after the point, and significant digits of numbers that are too small for those."""

DIGITS = 12
"""Significant digits beside fractions, of what is no fraction or a very long one."""

LONGEST_FRACTION = 17
"""Letters of a fraction that is still shown as one: longer ones nobody reads."""

_SMALL, _LARGE = 1e-6, 1e12


class Written(NamedTuple):
    """A number as people read it."""

    text: str
    rounded: bool


@dataclass(frozen=True)
class Notation:
    """Writes numbers, and says of each whether it had to be rounded.

    >>> Notation().write(Fraction(-3, 8)), Notation().write(1 / 3)
    (Written(text='−0.375', rounded=False), Written(text='0.3333', rounded=True))
    >>> Notation(exact=True).write(Fraction(-3, 8)).text, Notation(exact=True).write(math.sqrt(2)).text
    ('−3/8', '1.41421356237')
    """

    exact: bool = False

    def write(self, number: Number, decimals: int | None = None) -> Written:
        """A number as text; what needs no rounding is written without zeros at its end.

        Of a number that is known only to so many ``decimals`` no more are shown.
        """
        return _write(Fraction(number), self.exact, decimals)

    def plain(self, number: Number) -> float | str:
        """A number for JSON: a fraction as text where it is shown as one, else a float."""
        written = self.write(number)
        return float(number) + 0.0 if not self.exact or written.rounded else str(Fraction(number))


@lru_cache(maxsize=10_000)
def _write(value: Fraction, exact: bool, decimals: int | None) -> Written:
    """The same numbers come again and again, so they are kept."""
    if exact and len(str(value)) <= LONGEST_FRACTION:
        return Written(_signed(str(value)), False)
    text = _significant(float(value), decimals) if exact else _decimal(float(value))
    rounded = Fraction(text) != value
    return Written(_signed(text if rounded or "e" in text else text.rstrip("0").rstrip(".")), rounded)


def _signed(text: str) -> str:
    return text.replace("-", "−", 1) if text.startswith("-") else text


def _decimal(number: float) -> str:
    """Four decimals, or more where a small number has fewer than four digits in them."""
    if number and not _SMALL <= abs(number) < _LARGE:
        return f"{number:.{DECIMALS - 1}e}"
    return f"{number:.{max(DECIMALS, DECIMALS - 1 - _leading(number))}f}"


def _significant(number: float, decimals: int | None) -> str:
    """Twelve digits, or as many as are known."""
    known = DIGITS if decimals is None else max(1, min(DIGITS, decimals + _leading(number) + 1))
    return f"{number:#.{known}g}"


def _leading(number: float) -> int:
    """The power of ten of the first digit."""
    return math.floor(math.log10(abs(number))) if number else 0
