"""Averaging: how much iteration t counts; and exponents of t, constant or changing with t."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from regretlab.errors import UserError, unknown
from regretlab.spec import number

MOST_EXPONENT = 40
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


def read_exponent(key: str, text: str, least: int, most: int = MOST_EXPONENT) -> Exponent:
    """Read ``3/2`` or ``30-5t/n``; at both ends it must lie between two bounds."""
    scheduled = _SCHEDULED.fullmatch(text)
    start = number(key, scheduled["start"] if scheduled else text)
    slope = number(key, scheduled["slope"] or "1") if scheduled else Fraction(0)
    result = Exponent(start, -slope if scheduled and scheduled["sign"] == "-" else slope)
    if not all(least <= end <= most for end in (result.start, result.start + result.slope)):
        raise UserError(f"{key}={text} must be between {least} and {most}")
    return result


MOST_GAMMA = 20
"""With this exponent the weights of 10¹² iterations still sum to a float. One that changes with t may be larger: then
what came before fades, and no weight grows."""

UNIFORM, LINEAR, QUADRATIC = (Exponent(Fraction(power)) for power in (0, 1, 2))
NAMED_EXPONENTS = {"uniform": UNIFORM, "linear": LINEAR, "quadratic": QUADRATIC}


@dataclass(frozen=True)
class Averaging:
    """Iteration t counts max(t − delay, 0)^γ; with γ = 0 every iteration after the delay counts the same.

    Where γ changes with t, all that was counted before iteration t is multiplied by ((t − 1)/t)^γ, which for a constant
    γ comes to the same.
    """

    gamma: Exponent = UNIFORM
    delay: int = 0

    @property
    def name(self) -> str:
        """uniform, linear, quadratic or t^γ; the delay is told apart."""
        return next((name for name, gamma in NAMED_EXPONENTS.items() if gamma == self.gamma), f"t^{self.gamma}")


UNIFORM_AVERAGING = Averaging()


def read_averaging(text: str) -> Exponent:
    """The exponent that a name such as ``linear``, ``t^1.5`` or ``t^30-5t/n`` stands for.

    >>> str(read_averaging("linear")), str(read_averaging("t^3/2"))
    ('1', '3/2')
    """
    if text in NAMED_EXPONENTS:
        return NAMED_EXPONENTS[text]
    if not text.startswith("t^"):
        raise unknown("averaging", text, [*NAMED_EXPONENTS, "t^1.5"])
    return read_gamma(text[2:])


def read_gamma(text: str) -> Exponent:
    """An exponent of t."""
    return read_exponent("gamma", text, least=0, most=MOST_EXPONENT if "t/n" in text else MOST_GAMMA)
