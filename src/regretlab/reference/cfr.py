"""CFR: counterfactual regret minimisation.

Zinkevich, Johanson, Bowling and Piccione (2007), "Regret Minimization in Games with Incomplete Information", NIPS.
"""

from __future__ import annotations

from typing import Unpack

from regretlab.games import Game
from regretlab.reference.information_set import InformationSet
from regretlab.reference.kuhn_poker import GameConfig
from regretlab.reference.recursion import Options, Trainer


class CFRTrainer(Trainer):
    """Sum the regrets, R(a) ← R(a) + r(a), and play in proportion to the positive ones (regret matching).

    One deal an iteration, both players at once, a uniform average, unless told otherwise.

    >>> from regretlab.reference import GameConfig
    >>> trainer = CFRTrainer(GameConfig(ante=1, bet_size=1), deals=["JQ"], exact=True)
    >>> trainer.train(1)
    [Fraction(-7, 8)]
    >>> trainer.infosets["J"].regret_sum
    [Fraction(-3, 8), Fraction(3, 8)]
    """

    def __init__(self, game: Game | GameConfig, **options: Unpack[Options]) -> None:
        super().__init__(game, InformationSet, **options)
