"""Sampling: feedbacks that look at a part of the game in each iteration."""

from regretlab.sampling.chance import Histories, Seen, new_histories, new_seen, sample_chance
from regretlab.sampling.draws import uniform

__all__ = ["Histories", "Seen", "new_histories", "new_seen", "sample_chance", "uniform"]
