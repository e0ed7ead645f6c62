"""The textbook: the algorithms as plain recursion over histories, to be read beside the papers.

Speed is no aim. It is what the fast solvers are tested against, and its events are what the walkthrough shows.
"""

from regretlab.reference.dealer import Deals
from regretlab.reference.decisions import Basis, Decision
from regretlab.reference.information_set import InformationSet, InformationSetPlus
from regretlab.reference.normal_hedge import InformationSetNH, InformationSetNHPlus, NewtonStep
from regretlab.reference.recursion import AVERAGINGS, SCHEDULES, GameConfig, Options, Trainer
from regretlab.reference.trainers import CFRPlusTrainer, CFRTrainer, NormalHedgePlusTrainer, NormalHedgeTrainer
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
