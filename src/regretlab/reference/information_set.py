"""One information set: its regrets, its strategy, its average; and that of CFR+, whose regrets never go below zero."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from regretlab.games import Number
from regretlab.reference.decisions import Basis


class InformationSet:
    """Regrets that are summed, and the regret matching that turns them into a strategy.

    What another algorithm does differently is a subclass that overrides ``add_regret`` or ``get_strategy``; what the
    later ones add is in ``variant``.

    ``regret_sum[a]`` is R(a), the regret of action a so far; ``strategy_sum[a]`` is S(a), what the average is made
    from; ``strategy`` is σ, as ``get_strategy`` left it. ``number`` is the type that they are kept in: float, or
    Fraction for exact arithmetic. ``ties`` is how near to 0 a regret counts as 0: in floats, actions that are worth
    exactly the same have regrets of about ±1e-17, and rounding would decide which of them is played.
    """

    ties: Number = 0

    def __init__(self, num_actions: int, number: type[float] | type[Fraction] = float) -> None:
        self.num_actions = num_actions
        self.number = number
        self.regret_sum: list[Number] = [number(0)] * num_actions
        self.strategy_sum: list[Number] = [number(0)] * num_actions
        self.strategy = self.normalise(self.regret_sum)
        self.anew: list[Number] = []  # what is played next where the run begins anew

    def get_strategy(self) -> list[Number]:
        """Regret matching: σ(a) = R₊(a) / Σ R₊, uniform where no regret is positive.

        Hart and Mas-Colell (2000), "A Simple Adaptive Procedure Leading to Correlated Equilibrium", Econometrica 68.

        >>> information_set = InformationSet(3)
        >>> information_set.regret_sum = [1.0, -2.0, 3.0]
        >>> information_set.get_strategy()
        [0.25, 0.0, 0.75]
        """
        self.strategy = self.anew or self.normalise(self.positive_regrets())
        return list(self.strategy)

    def fade(self, t: int) -> None:
        """What iteration t takes off the regrets so far, wherever the walk comes by: nothing."""

    def learn(self, regrets: Sequence[Number], t: int) -> None:
        """Take in what a pass of iteration t has seen here, all histories together."""
        self.anew = []
        for action, regret in enumerate(regrets):
            self.add_regret(action, regret)

    def add_regret(self, action: int, regret: Number) -> None:
        """R(a) ← R(a) + r(a)."""
        self.regret_sum[action] = self.without_rounding(self.regret_sum[action] + regret)

    def restart(self, count: Number) -> None:
        """Begin anew from the average: R(a) ← Σ R₊ σ̄(a), S(a) ← S(a) / count, and σ̄ is played next."""
        self.anew = self.get_average_strategy()
        kept = sum(max(regret, self.number(0)) for regret in self.regret_sum)
        self.regret_sum = [kept * probability for probability in self.anew]
        self.strategy_sum = [counted / count for counted in self.strategy_sum]

    def without_rounding(self, regret: Number) -> Number:
        """The regret, or 0 where it is 0 but for rounding."""
        return self.number(0) if -self.ties <= regret <= self.ties else regret

    def update_strategy_sum(self, reach: Number, weight: Number = 1) -> None:
        """S(a) ← S(a) + w π σ(a), with σ as it was played, π the player's own reach and w the iteration's weight.

        The own reach makes this an average of plans for the whole game. Without it, iterations in which the player
        hardly ever comes here would count as much as those in which it always does.
        """
        for action, probability in enumerate(self.strategy):
            self.strategy_sum[action] += weight * reach * probability

    def get_average_strategy(self) -> list[Number]:
        """S(a) / Σ S, uniform where nothing has been counted."""
        return self.normalise(self.strategy_sum)

    def answered_regrets(self) -> list[Number]:
        """The regrets that the strategy answers: R."""
        return list(self.regret_sum)

    def positive_regrets(self) -> list[Number]:
        """R₊(a) = max(R(a), 0)."""
        return [max(regret, self.number(0)) for regret in self.answered_regrets()]

    def basis(self) -> Basis:
        """What the strategy follows from beside the regrets."""
        return Basis()

    def normalise(self, weights: Sequence[Number]) -> list[Number]:
        """Probabilities in proportion to the weights, uniform where all weights are 0."""
        total = sum(weights)
        if total > 0:
            return [weight / total for weight in weights]
        return [self.number(1) / self.num_actions] * self.num_actions


class InformationSetPlus(InformationSet):
    """Regret matching+: as regret matching, but an action that did badly is not held to it."""

    def add_regret(self, action: int, regret: Number) -> None:
        """R(a) ← max(R(a) + r(a), 0).

        >>> information_set = InformationSetPlus(2)
        >>> information_set.add_regret(0, -5.0)
        >>> information_set.add_regret(0, 1.0)
        >>> information_set.regret_sum
        [1.0, 0.0]
        """
        self.regret_sum[action] = max(self.without_rounding(self.regret_sum[action] + regret), self.number(0))
