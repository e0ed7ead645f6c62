"""Feedback: which regrets a rule sees. One file for each, one table of them all."""

from regretlab.feedback.blocks import BlockSide
from regretlab.feedback.lanes import AnySide, LaneSide, new_sides
from regretlab.feedback.protocol import Feedback, Kernels, Learned, Loop, Sight, Wishes
from regretlab.feedback.registry import FEEDBACKS, FeedbackKind
from regretlab.feedback.side import Side

__all__ = [
    "FEEDBACKS",
    "AnySide",
    "BlockSide",
    "Feedback",
    "FeedbackKind",
    "Kernels",
    "LaneSide",
    "Learned",
    "Loop",
    "Side",
    "Sight",
    "Wishes",
    "new_sides",
]
