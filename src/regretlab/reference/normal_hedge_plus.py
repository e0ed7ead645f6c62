"""NormalHedge+: the strategy of NormalHedge from the regrets of CFR+. An experiment without a paper of its own."""

from __future__ import annotations

from typing import Unpack

from regretlab.games import Game
from regretlab.reference.cfr_plus import InformationSetPlus
from regretlab.reference.kuhn_poker import GameConfig
from regretlab.reference.normal_hedge import InformationSetNH
from regretlab.reference.recursion import Options, Trainer


class InformationSetNHPlus(InformationSetPlus, InformationSetNH):
    """``add_regret`` from regret matching+, R(a) ← max(R(a) + r(a), 0); ``get_strategy`` from NormalHedge.

    >>> information_set = InformationSetNHPlus(2)
    >>> for action, regret in enumerate([1.0, -0.5]):
    ...     information_set.add_regret(action, regret)
    >>> information_set.add_regret(1, 0.375)
    >>> [round(probability, 3) for probability in information_set.get_strategy()]
    [0.902, 0.098]
    """


class NormalHedgePlusTrainer(Trainer):
    """NormalHedge with regrets that never fall below zero.

    One deal an iteration, both players at once, a uniform average, unless told otherwise.
    """

    def __init__(self, game: Game | GameConfig, **options: Unpack[Options]) -> None:
        super().__init__(game, InformationSetNHPlus, **options)
