"""NormalHedge at every information set: CFR's regrets, another way from regrets to a strategy.

Chaudhuri, Freund and Hsu (2009), "A Parameter-free Hedging Algorithm", NIPS. NormalHedge+, which takes the regrets of
CFR+, is an experiment without a paper of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from regretlab.games import Number
from regretlab.reference.information_set import InformationSet, InformationSetPlus

SMALL_STEP = 1e-8
"""Newton's steps end after one this small, relative to s: the error squares each time, and what is left is rounding."""


class NewtonStep(NamedTuple):
    """One step towards the scale: from ``s`` to ``next_s`` = s − f(s) / f′(s)."""

    s: float
    f: float
    slope: float
    next_s: float


class InformationSetNH(InformationSet):
    """σ(a) in proportion to R₊(a)/c · exp(R₊(a)² / 2c), with c such that the mean of exp(R₊² / 2c) is e.

    Only ratios of regrets matter. So everything is computed from x = R₊ / max R₊ and s = max(R₊)² / 2c, which are
    moderate numbers whatever the size of the regrets, and nothing overflows.
    """

    def get_strategy(self) -> list[Number]:
        """σ(a) in proportion to x(a) · exp(s (x(a)² − 1)): the weights above, divided by their value at x = 1."""
        R_plus = self.positive_regrets()
        if sum(regret > 0 for regret in R_plus) < 2:
            # The one positive action is certain, and without any the strategy is uniform: as in regret matching.
            return super().get_strategy()
        s = self.newton_steps(R_plus)[-1].next_s
        weights = [x * math.exp(s * (x * x - 1)) for x in map(float, self.ratios(R_plus))]
        # As fractions, where fractions are asked for, they sum to 1 exactly, and what should cancel does.
        self.strategy = self.normalise([self.number(weight) for weight in weights])
        return list(self.strategy)

    @property
    def c_scale(self) -> float:
        """The scale c that belongs to the present regrets."""
        return self.solve_c_scale(self.positive_regrets())

    @staticmethod
    def solve_c_scale(R_plus: Sequence[Number]) -> float:
        """The c at which the mean of exp(R₊² / 2c) is e; 1 where no regret is positive.

        For showing only: with regrets beyond 1e±154 it leaves the range of floats and is 0 or infinity.

        >>> round(InformationSetNH.solve_c_scale([1.0, 2.0]), 5)
        1.43738
        """
        top = float(max(R_plus))
        if top <= 0:
            return 1.0
        # Not top² / 2s: the square may overflow where c does not.
        return top / (2 * InformationSetNH.newton_steps(R_plus)[-1].next_s) * top

    @staticmethod
    def normalhedge_weight(R_plus: Sequence[Number], c: float) -> list[float]:
        """w(a) = R₊(a)/c · exp(R₊(a)² / 2c), infinite where that is too large for a float.

        >>> [round(weight, 4) for weight in InformationSetNH.normalhedge_weight([1.0, 2.0], 1.437384873177228)]
        [0.9851, 5.5942]
        """
        return [_weight(float(regret), c) if regret > 0 else 0.0 for regret in R_plus]

    @staticmethod
    def ratios(R_plus: Sequence[Number]) -> list[Number]:
        """x(a) = R₊(a) / max R₊; some regret has to be positive."""
        top = max(R_plus)
        return [regret / top for regret in R_plus]

    @staticmethod
    def newton_steps(R_plus: Sequence[Number]) -> list[NewtonStep]:
        """The way to the root s of f(s) = s + ln mean exp(s (x² − 1)) − 1, where the last step ends.

        f is the equation for c, after taking logarithms and with exp(s) drawn out of the mean, so that no exponent is
        positive. It increases and is convex, so Newton's method falls to the root from any point to the right of it.
        There is one: since one x is 1 and the others are at least 0, f is at least 0 where exp(s) = N (e − 1) + 1.

        >>> [round(step.next_s, 6) for step in InformationSetNH.newton_steps([1.0, 2.0])]
        [1.392045, 1.391416, 1.391416, 1.391416]
        """
        squares = [x * x for x in map(float, InformationSetNH.ratios(R_plus))]
        steps = [_newton_step(math.log(len(squares) * (math.e - 1) + 1), squares)]
        while steps[-1].s - steps[-1].next_s > SMALL_STEP * steps[-1].s:
            steps.append(_newton_step(steps[-1].next_s, squares))
        return steps


def _newton_step(s: float, squares: Sequence[float]) -> NewtonStep:
    """f′(s) is the mean of x², weighted with exp(s (x² − 1))."""
    potentials = [math.exp(s * (square - 1)) for square in squares]
    total = math.fsum(potentials)
    f = s + math.log(total / len(squares)) - 1
    slope = math.fsum(square * potential for square, potential in zip(squares, potentials, strict=True)) / total
    return NewtonStep(s, f, slope, s - f / slope)


def _weight(regret: float, c: float) -> float:
    try:
        return regret / c * math.exp(regret / c * regret / 2)
    except (OverflowError, ZeroDivisionError):
        return math.inf


class InformationSetNHPlus(InformationSetPlus, InformationSetNH):
    """``add_regret`` from regret matching+, R(a) ← max(R(a) + r(a), 0); ``get_strategy`` from NormalHedge.

    >>> information_set = InformationSetNHPlus(2)
    >>> for action, regret in enumerate([1.0, -0.5]):
    ...     information_set.add_regret(action, regret)
    >>> information_set.add_regret(1, 0.375)
    >>> [round(probability, 3) for probability in information_set.get_strategy()]
    [0.902, 0.098]
    """
