"""The rule of a recipe as an online learner."""

from __future__ import annotations

from regretlab.rules import Learner
from regretlab.solve.recipe import Recipe, recipe


def learner(name: str | Recipe, actions: int) -> Learner:
    """A learner over ``actions`` actions that follows the rule of a recipe.

    >>> learner("normalhedge+", actions=2).observe([1.0, 0.0])
    array([0., 1.])
    """
    chosen = recipe(name)
    return Learner(chosen.accumulate, chosen.weigh, actions)
