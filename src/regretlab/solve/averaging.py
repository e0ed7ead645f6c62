"""Averaging: how much iteration t counts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from regretlab.errors import UserError, unknown
from regretlab.forms.kernel import Floats
from regretlab.spec import number

MOST_GAMMA = 20
"""With this exponent the weights of 10¹² iterations still sum to a float."""

NAMED_EXPONENTS = {"uniform": 0, "linear": 1, "quadratic": 2}


@dataclass(frozen=True)
class Averaging:
    """Iteration t counts max(t − delay, 0)^γ; with γ = 0 every iteration after the delay counts the same."""

    gamma: Fraction = Fraction(0)
    delay: int = 0

    @property
    def name(self) -> str:
        """uniform, linear, quadratic or t^γ; the delay is told apart."""
        return next((name for name, gamma in NAMED_EXPONENTS.items() if gamma == self.gamma), f"t^{self.gamma}")

    def weights(self, iteration: int, count: int) -> Floats:
        """The weights of the ``count`` iterations that follow ``iteration``.

        Each weight depends on its own t alone, to the last bit: a run that is stopped and resumed somewhere else
        counts the same. That is why fractional powers come from ``math.pow`` and not from a vectorised one.
        """
        age = np.maximum(np.arange(iteration + 1, iteration + count + 1, dtype=np.float64) - self.delay, 0.0)
        if self.gamma.denominator == 1 and 0 <= self.gamma <= 2:
            return [np.sign(age), age, age * age][int(self.gamma)]
        exponent = float(self.gamma)
        return np.array([math.pow(t, exponent) if t > 0 else 0.0 for t in age])


def read_averaging(text: str) -> Fraction:
    """The exponent that a name such as ``linear`` or ``t^1.5`` stands for.

    >>> read_averaging("linear"), read_averaging("t^3/2")
    (Fraction(1, 1), Fraction(3, 2))
    """
    if text in NAMED_EXPONENTS:
        return Fraction(NAMED_EXPONENTS[text])
    if not text.startswith("t^"):
        raise unknown("averaging", text, [*NAMED_EXPONENTS, "t^1.5"])
    return read_gamma(text[2:])


def read_gamma(text: str) -> Fraction:
    """An exponent of t."""
    gamma = number("gamma", text)
    if not 0 <= gamma <= MOST_GAMMA:
        raise UserError(f"gamma={text} must be between 0 and {MOST_GAMMA}")
    return gamma
