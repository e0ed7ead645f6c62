"""Rules: accumulate × weigh × predict on one segment of numbers, with formula, citation and hazards beside the code."""

from regretlab.rules.accumulate import LEVELS
from regretlab.rules.custom import CustomRule, fault, rule
from regretlab.rules.learner import Learner
from regretlab.rules.step import PLAIN_STEP, Step
from regretlab.rules.update import UPDATE, Update, built_in_update
from regretlab.rules.weigh import WEIGH

__all__ = [
    "LEVELS",
    "PLAIN_STEP",
    "UPDATE",
    "WEIGH",
    "CustomRule",
    "Learner",
    "Step",
    "Update",
    "built_in_update",
    "fault",
    "rule",
]
