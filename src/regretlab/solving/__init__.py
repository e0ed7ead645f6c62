"""Solving: the loop, its four values, and what comes out."""

from regretlab.solving.averaging import Averaging
from regretlab.solving.checkpoints import Checkpoint
from regretlab.solving.recipe import RECIPES, Recipe, recipe
from regretlab.solving.solution import Solution
from regretlab.solving.solver import (
    DEFAULT_ITERATIONS,
    DEFAULT_RECIPE,
    Progress,
    Solver,
    form_for,
    recipe_for,
    solve,
    target_for,
)
from regretlab.solving.steps import learner

__all__ = [
    "DEFAULT_ITERATIONS",
    "DEFAULT_RECIPE",
    "RECIPES",
    "Averaging",
    "Checkpoint",
    "Progress",
    "Recipe",
    "Solution",
    "Solver",
    "form_for",
    "learner",
    "recipe",
    "recipe_for",
    "solve",
    "target_for",
]
