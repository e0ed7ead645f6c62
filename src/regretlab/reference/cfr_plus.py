"""CFR+: regrets never fall below zero, players take turns, later iterations count more.

Tammelin (2014), "Solving Large Imperfect Information Games Using CFR+", arXiv:1407.5042.
Tammelin, Burch, Johanson and Bowling (2015), "Solving Heads-up Limit Texas Hold'em", IJCAI.
"""

from __future__ import annotations

from typing import Unpack

from regretlab.games import Game, Number
from regretlab.reference.information_set import InformationSet
from regretlab.reference.kuhn_poker import GameConfig
from regretlab.reference.recursion import Options, Trainer


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
        self.regret_sum[action] = max(self.regret_sum[action] + regret, self.number(0))


class CFRPlusTrainer(Trainer):
    """Regret matching+, one player an iteration, and an average in which iteration t has weight max(t − delay, 0).

    One deal an iteration. The papers update both players in every iteration: ``schedule="alternating"``. The clip
    alone, with everything else as in CFR, is ``schedule="simultaneous", averaging="uniform"``.
    """

    def __init__(self, game: Game | GameConfig, **options: Unpack[Options]) -> None:
        usual: Options = {"schedule": "one-player", "averaging": "linear"}
        super().__init__(game, InformationSetPlus, **(usual | options))
