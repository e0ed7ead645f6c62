"""The textbook: the algorithms as plain recursion over histories, to be read beside the papers.

Speed is no aim. It is what the fast solvers are tested against, and its events are what the walkthrough shows.
"""

from regretlab.reference.cfr import CFRTrainer
from regretlab.reference.cfr_plus import CFRPlusTrainer, InformationSetPlus
from regretlab.reference.deals import Deals
from regretlab.reference.events import Basis, Decision
from regretlab.reference.information_set import InformationSet
from regretlab.reference.kuhn_poker import GameConfig
from regretlab.reference.normal_hedge import InformationSetNH, NewtonStep, NormalHedgeTrainer
from regretlab.reference.normal_hedge_plus import InformationSetNHPlus, NormalHedgePlusTrainer
from regretlab.reference.recursion import AVERAGINGS, SCHEDULES, Options, Trainer
from regretlab.reference.variant import InformationSetHedge, InformationSetVariant, InformationSetVariantNH, Variant

__all__ = [
    "AVERAGINGS",
    "SCHEDULES",
    "Basis",
    "CFRPlusTrainer",
    "CFRTrainer",
    "Deals",
    "Decision",
    "GameConfig",
    "InformationSet",
    "InformationSetHedge",
    "InformationSetNH",
    "InformationSetNHPlus",
    "InformationSetPlus",
    "InformationSetVariant",
    "InformationSetVariantNH",
    "NewtonStep",
    "NormalHedgePlusTrainer",
    "NormalHedgeTrainer",
    "Options",
    "Trainer",
    "Variant",
]
