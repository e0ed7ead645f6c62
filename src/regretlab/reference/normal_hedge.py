"""NormalHedge at every information set: CFR's regrets, another way from regrets to a strategy.

Chaudhuri, Freund and Hsu (2009), "A Parameter-free Hedging Algorithm", NIPS.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Unpack

from regretlab.games import Game, Number
from regretlab.reference.information_set import InformationSet
from regretlab.reference.kuhn_poker import GameConfig
from regretlab.reference.recursion import Options, Trainer


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
        x = _ratios(R_plus)
        s = _solve_scaled(x)
        self.strategy = self.normalise([ratio * math.exp(s * (ratio * ratio - 1)) for ratio in x])
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
        return top / (2 * _solve_scaled(_ratios(R_plus))) * top

    @staticmethod
    def normalhedge_weight(R_plus: Sequence[Number], c: float) -> list[float]:
        """w(a) = R₊(a)/c · exp(R₊(a)² / 2c), infinite where that is too large for a float.

        >>> [round(weight, 4) for weight in InformationSetNH.normalhedge_weight([1.0, 2.0], 1.437384873177228)]
        [0.9851, 5.5942]
        """
        return [_weight(float(regret), c) if regret > 0 else 0.0 for regret in R_plus]


def _ratios(R_plus: Sequence[Number]) -> list[float]:
    top = max(R_plus)
    return [float(regret / top) for regret in R_plus]


def _solve_scaled(x: Sequence[float]) -> float:
    """The root s of f(s) = s + ln mean exp(s (x² − 1)) − 1 by bisection, to the last bit.

    f is the equation for c, after taking logarithms and with exp(s) drawn out of the mean, so that no exponent is
    positive. It increases. At s = 1 it is at most 0, because x ≤ 1; and since one x is 1 and the others are at least
    0, it is at least 0 where exp(s) = N (e − 1) + 1.
    """
    low, high = 1.0, math.log(len(x) * (math.e - 1) + 1)
    while low < (middle := (low + high) / 2) < high:
        mean = math.fsum(math.exp(middle * (ratio * ratio - 1)) for ratio in x) / len(x)
        if middle + math.log(mean) - 1 < 0:
            low = middle
        else:
            high = middle
    return high


def _weight(regret: float, c: float) -> float:
    try:
        return regret / c * math.exp(regret / c * regret / 2)
    except (OverflowError, ZeroDivisionError):
        return math.inf


class NormalHedgeTrainer(Trainer):
    """CFR with NormalHedge in place of regret matching; nothing to tune.

    One deal an iteration, both players at once, a uniform average, unless told otherwise.
    """

    def __init__(self, game: Game | GameConfig, **options: Unpack[Options]) -> None:
        super().__init__(game, InformationSetNH, **options)
