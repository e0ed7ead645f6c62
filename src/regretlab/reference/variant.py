"""What came after the four algorithms: discounts, a floor that adapts, prediction, Hedge.

Each idea can be had with any of the others, so they are the fields of one ``Variant``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from regretlab.games import Number
from regretlab.reference.decisions import Basis
from regretlab.reference.information_set import InformationSet
from regretlab.reference.normal_hedge import InformationSetNH

Exponent: TypeAlias = Callable[[int], Number]
"""An exponent as a function of the iteration."""


@dataclass(frozen=True)
class Variant:
    """Which ideas an algorithm has; without arguments it is vanilla CFR."""

    alpha: Exponent | None = None
    """Regrets so far that are positive are multiplied by t^α / (t^α + 1) before iteration t + 1 adds its own.

    Brown and Sandholm (2019), "Solving Imperfect-Information Games via Discounted Regret Minimization", AAAI.
    """
    beta: Exponent | None = None
    """The exponent for regrets so far that are negative."""
    level: Number | None = None
    """Regrets do not fall below −level times the largest one: with 0 they are those of CFR+."""
    least: Number = 0
    """Regrets do not fall below 0, nor does their sum below this: they are lifted to it, all by the same.

    Farina, Grand-Clément, Kroer, Lee and Luo (2023), "Regret Matching+: (In)Stability and Fast Convergence in Games",
    NeurIPS.
    """
    restarts: bool = False
    """Where their sum falls below ``least``, regrets are not lifted, but begin anew, all alike."""
    predict: Number = 0
    """The strategy answers the regrets as they will be if so much of what was seen last comes once more.

    All of it: Farina, Kroer and Sandholm (2021), "Faster Game Solving via Predictive Blackwell Approachability", AAAI.
    A part: Meng, Yang, Zhang, Ge and Gao (2026), "Faster Game Solving via Asymmetry of Step Sizes", AAAI.
    """


def discount(t: int, exponent: Exponent | None) -> Number:
    """t^a / (t^a + 1): what the regrets of the first t iterations are multiplied by; 1 where there is no exponent.

    >>> discount(3, lambda t: 2), discount(0, lambda t: 0), discount(7, None)
    (Fraction(9, 10), Fraction(1, 2), 1)
    """
    if exponent is None or (t == 0 and exponent(t) < 0):
        return 1
    weight = Fraction(t) ** exponent(t)
    return weight / (weight + 1)


def lift(regrets: Sequence[Number], least: Number) -> tuple[Number, int]:
    """λ and k: λ added to all makes their positive parts sum to ``least``, and k stay positive; 0 and 0 if they do so.

    All are lifted as if none stayed below 0; those that do are left out, and so on.

    >>> lift([Fraction(-3), Fraction(0), Fraction(1)], 5), lift([Fraction(-3), Fraction(7)], 5)
    ((Fraction(2, 1), 2), (0, 0))
    """
    if sum(max(regret, 0) for regret in regrets) >= least:
        return 0, 0
    kept = list(regrets)
    while True:
        lifted = (least - sum(kept)) / len(kept)
        positive = [regret for regret in kept if regret + lifted > 0]
        if len(positive) == len(kept):
            return lifted, len(kept)
        kept = positive


class InformationSetVariant(InformationSet):
    """Regrets that are discounted and raised to a floor, and regret matching on them or on what they will be.

    >>> information_set = InformationSetVariant(2, Fraction, Variant(alpha=lambda t: 1, level=0, predict=1))
    >>> information_set.learn([Fraction(1), Fraction(-1)], t=1)
    >>> information_set.fade(t=2)
    >>> information_set.learn([Fraction(-1, 4), Fraction(1)], t=2)
    >>> [str(regret) for regret in information_set.regret_sum]
    ['1/4', '1']
    >>> [str(regret) for regret in information_set.answered_regrets()]
    ['-1/12', '5/3']
    """

    def __init__(
        self, num_actions: int, number: type[float] | type[Fraction] = float, variant: Variant | None = None
    ) -> None:
        super().__init__(num_actions, number)
        self.variant = variant or Variant()
        self.kept = Basis(regrets=tuple(self.regret_sum), squared_ranges=number(0))

    def factors(self, t: int) -> list[Number]:
        """d(a): by which the regrets of the first t iterations are multiplied. Rounded once, where it is a root."""
        alpha, beta = self.variant.alpha, self.variant.beta
        return [self.number(discount(t, alpha if regret > 0 else beta)) for regret in self.regret_sum]

    def fade(self, t: int) -> None:
        """R(a) ← d(a) R(a), in every iteration, also where the walk does not come by."""
        self.regret_sum = [factor * regret for factor, regret in zip(self.factors(t - 1), self.regret_sum, strict=True)]

    def learn(self, regrets: Sequence[Number], t: int) -> None:
        """R(a) ← max(R(a) + r(a), −level · max R₊), or as far above 0 as their sum has to be."""
        self.anew = []
        summed = [self.without_rounding(old + new) for old, new in zip(self.regret_sum, regrets, strict=True)]
        if self.variant.level is not None:
            floor = self.number(0) - self.number(self.variant.level) * max(*summed, self.number(0))
            summed = [max(regret, floor) for regret in summed]
        if self.variant.restarts:
            summed = [max(regret, self.number(0)) for regret in summed]
            if sum(summed) < self.variant.least - self.ties * self.num_actions:
                summed = [self.number(self.variant.least) / self.num_actions] * self.num_actions
        else:
            summed = self.lifted(summed)
        self.regret_sum = summed
        spread = self.without_rounding(max(regrets) - min(regrets))
        # The strategy follows from what is known now. What fades before the next visit does not change it.
        self.kept = Basis(
            t,
            tuple(summed),
            tuple(self.factors(t)) if self.variant.predict else (),
            tuple(regrets) if self.variant.predict else (),
            self.kept.squared_ranges + spread * spread,
        )

    def lifted(self, regrets: Sequence[Number]) -> list[Number]:
        """max(R(a) + λ, 0), where their sum must not be small; the regrets as they are where it may."""
        if not self.variant.least or self.variant.restarts:
            return list(regrets)
        added, _ = lift(regrets, self.number(self.variant.least))
        return [self.without_rounding(max(regret + added, self.number(0))) for regret in regrets]

    def answered_regrets(self) -> list[Number]:
        """R(a), or with a prediction d(a) R(a) + p r(a), with the discount of the next iteration."""
        _, regrets, discounts, last, _ = self.kept
        if not last:
            return list(regrets)
        trust = self.number(self.variant.predict)
        expected = (factor * regret + trust * new for factor, regret, new in zip(discounts, regrets, last, strict=True))
        return self.lifted([self.without_rounding(regret) for regret in expected])

    def basis(self) -> Basis:
        """What the strategy follows from."""
        return self.kept


class InformationSetVariantNH(InformationSetVariant, InformationSetNH):
    """Regrets as in ``InformationSetVariant``, and NormalHedge in place of regret matching."""


class InformationSetHedge(InformationSetVariant):
    """Regrets as in ``InformationSetVariant``, and Hedge: σ(a) in proportion to exp(η R(a)), so none becomes 0.

    η = √(8 ln N / V), where V sums the squares of the ranges of what was seen. Cesa-Bianchi and Lugosi (2006),
    "Prediction, Learning, and Games", theorem 2.3, where every range is 1 and V therefore t.
    """

    def get_strategy(self) -> list[Number]:
        """From the differences to the largest regret: then no exponential overflows."""
        answered = self.answered_regrets()
        weights = self.hedge_weights(answered, self.rate())
        self.strategy = self.normalise([self.number(weight) for weight in weights])
        return list(self.strategy)

    def rate(self) -> float:
        """η, and 0 as long as nothing was seen."""
        seen = float(self.kept.squared_ranges)
        return math.sqrt(8 * math.log(self.num_actions) / seen) if seen > 0 else 0.0

    @staticmethod
    def hedge_weights(regrets: Sequence[Number], rate: float) -> list[float]:
        """w(a) = exp(η (R(a) − max R))."""
        return [math.exp(rate * float(regret - max(regrets))) for regret in regrets]
