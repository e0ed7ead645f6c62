"""The rule of a recipe as an online learner."""

from __future__ import annotations

from regretlab.rules import Learner, Step
from regretlab.solving.algorithm import algorithm
from regretlab.solving.recipe import Recipe, recipe
from regretlab.solving.steps import steps


def learner(name: str | Recipe, actions: int) -> Learner:
    """A learner over ``actions`` actions that follows the rule of a recipe.

    >>> learner("normalhedge+", actions=2).observe([1.0, 0.0])
    array([0., 1.])
    """
    chosen = recipe(name)
    return Learner(algorithm(chosen).update, actions, step=lambda t: Step(*steps(chosen, t - 1, 1)[0].tolist()))
