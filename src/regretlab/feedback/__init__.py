"""Feedback: which regrets a rule sees. One file for each, one table of them all."""

from regretlab.feedback.protocol import Feedback, Kernels, Learned, Loop, Sight, Wishes
from regretlab.feedback.registry import FEEDBACKS, FeedbackKind
from regretlab.feedback.side import Side, new_side

__all__ = [
    "FEEDBACKS",
    "Feedback",
    "FeedbackKind",
    "Kernels",
    "Learned",
    "Loop",
    "Side",
    "Sight",
    "Wishes",
    "new_side",
]
