"""Exponents of t, constant or changing with t."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from regretlab.errors import UserError
from regretlab.spec import number

MOST = 40
"""The largest exponent. Beyond it all that counts is the last iteration."""

_SCHEDULED = re.compile(r"(?P<start>.+?)\s*(?P<sign>[+-])\s*(?P<slope>[^+-]*?)\s*\*?\s*t/n")


@dataclass(frozen=True)
class Exponent:
    """``start + slope · t/n``, where n is the recipe's horizon; beyond it the exponent stays as it is.

    >>> str(read_exponent("gamma", "30-5t/n", least=0)), str(read_exponent("alpha", "1.5", least=0))
    ('30-5t/n', '3/2')
    """

    start: Fraction
    slope: Fraction = Fraction(0)

    def __str__(self) -> str:
        sign = "+" if self.slope > 0 else "-"
        return f"{self.start}{sign}{abs(self.slope)}t/n" if self.slope else str(self.start)


def read_exponent(key: str, text: str, least: int, most: int = MOST) -> Exponent:
    """Read ``3/2`` or ``30-5t/n``; at both ends it must lie between two bounds."""
    scheduled = _SCHEDULED.fullmatch(text)
    start = number(key, scheduled["start"] if scheduled else text)
    slope = number(key, scheduled["slope"] or "1") if scheduled else Fraction(0)
    result = Exponent(start, -slope if scheduled and scheduled["sign"] == "-" else slope)
    if not all(least <= end <= most for end in (result.start, result.start + result.slope)):
        raise UserError(f"{key}={text} must be between {least} and {most}")
    return result
