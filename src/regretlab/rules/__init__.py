"""Rules: accumulate × weigh on one segment of numbers, with formula, citation and hazards beside the code."""

from regretlab.rules.accumulate import ACCUMULATE
from regretlab.rules.learner import Learner
from regretlab.rules.update import update
from regretlab.rules.weigh import WEIGH

__all__ = ["ACCUMULATE", "WEIGH", "Learner", "update"]
