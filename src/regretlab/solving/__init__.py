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
from regretlab.solving.strategy_file import load_strategy

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
    "load_strategy",
    "recipe",
    "recipe_for",
    "solve",
    "target_for",
]
