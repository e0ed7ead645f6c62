"""Averaging: how much iteration t counts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from regretlab.errors import unknown
from regretlab.solving.exponent import MOST, Exponent, read_exponent

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
    return read_exponent("gamma", text, least=0, most=MOST if "t/n" in text else MOST_GAMMA)
