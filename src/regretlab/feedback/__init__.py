"""Sampling: feedbacks that look at a part of the game in each iteration."""

from regretlab.feedback.chance import Histories, Seen, new_histories, new_seen, sample_chance
from regretlab.feedback.draws import new_stream, uniform, uniform_at
from regretlab.feedback.external import walk_external
from regretlab.feedback.outcome import walk_outcome
from regretlab.feedback.touched import Touched, turn_round
from regretlab.feedback.walker import Ground, Walker, new_ground, new_walker

__all__ = [
    "Ground",
    "Histories",
    "Seen",
    "Touched",
    "Walker",
    "new_ground",
    "new_histories",
    "new_seen",
    "new_stream",
    "new_walker",
    "sample_chance",
    "turn_round",
    "uniform",
    "uniform_at",
    "walk_external",
    "walk_outcome",
]
