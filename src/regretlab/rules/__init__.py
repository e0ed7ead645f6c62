"""Rules: accumulate × weigh × predict on one segment of numbers, with formula, citation and hazards beside the code."""

from regretlab.rules.accumulate import ACCUMULATIONS, PLAIN_STEP, TIES, Accumulation, Step
from regretlab.rules.custom import CustomRule, fault, rule
from regretlab.rules.lane_update import LaneUpdate, built_in_lane_update, follows_from_regrets
from regretlab.rules.learner import Learner
from regretlab.rules.update import UPDATE, Update, built_in_update
from regretlab.rules.weighing import WEIGHINGS, Weighing

__all__ = [
    "ACCUMULATIONS",
    "PLAIN_STEP",
    "TIES",
    "UPDATE",
    "WEIGHINGS",
    "Accumulation",
    "CustomRule",
    "LaneUpdate",
    "Learner",
    "Step",
    "Update",
    "Weighing",
    "built_in_lane_update",
    "built_in_update",
    "fault",
    "follows_from_regrets",
    "rule",
]
