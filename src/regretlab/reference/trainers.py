"""The four algorithms: the recursion with an information set of its own for each.

CFR: Zinkevich, Johanson, Bowling and Piccione (2007), "Regret Minimization in Games with Incomplete Information", NIPS.

CFR+: Tammelin (2014), "Solving Large Imperfect Information Games Using CFR+", arXiv:1407.5042, and Tammelin, Burch,
Johanson and Bowling (2015), "Solving Heads-up Limit Texas Hold'em", IJCAI.

NormalHedge: see ``normal_hedge``.
"""

from __future__ import annotations

from typing import Unpack

from regretlab.games import Game
from regretlab.reference.information_set import InformationSet, InformationSetPlus
from regretlab.reference.normal_hedge import InformationSetNH, InformationSetNHPlus
from regretlab.reference.recursion import GameConfig, Options, Trainer


class CFRTrainer(Trainer):
    """Sum the regrets, R(a) ← R(a) + r(a), and play in proportion to the positive ones (regret matching).

    One deal per iteration, both players at once, a uniform average, unless told otherwise.

    >>> from regretlab.reference import GameConfig
    >>> trainer = CFRTrainer(GameConfig(ante=1, bet_size=1), deals=["JQ"], exact=True)
    >>> trainer.train(1)
    [Fraction(-7, 8)]
    >>> trainer.infosets["J"].regret_sum
    [Fraction(-3, 8), Fraction(3, 8)]
    """

    def __init__(self, game: Game | GameConfig, **options: Unpack[Options]) -> None:
        super().__init__(game, InformationSet, **options)


class CFRPlusTrainer(Trainer):
    """Regret matching+, one player per iteration, and an average in which iteration t has weight max(t − delay, 0).

    One deal per iteration. The papers update both players in every iteration: ``schedule="alternating"``. The clip
    alone, with everything else as in CFR, is ``schedule="simultaneous", averaging="uniform"``.
    """

    def __init__(self, game: Game | GameConfig, **options: Unpack[Options]) -> None:
        usual: Options = {"schedule": "one-player", "averaging": "linear"}
        super().__init__(game, InformationSetPlus, **(usual | options))


class NormalHedgeTrainer(Trainer):
    """CFR with NormalHedge in place of regret matching; nothing to tune.

    One deal per iteration, both players at once, a uniform average, unless told otherwise.
    """

    def __init__(self, game: Game | GameConfig, **options: Unpack[Options]) -> None:
        super().__init__(game, InformationSetNH, **options)


class NormalHedgePlusTrainer(Trainer):
    """NormalHedge with regrets that never fall below zero.

    One deal per iteration, both players at once, a uniform average, unless told otherwise.
    """

    def __init__(self, game: Game | GameConfig, **options: Unpack[Options]) -> None:
        super().__init__(game, InformationSetNHPlus, **options)
