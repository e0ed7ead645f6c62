"""Solve: the loop, its four values, and what comes out."""

import sys
from types import ModuleType

from regretlab.solve.averaging import Averaging
from regretlab.solve.checkpoints import Checkpoint
from regretlab.solve.learner import learner
from regretlab.solve.recipe import RECIPES, Recipe, recipe
from regretlab.solve.solution import Solution
from regretlab.solve.solver import DEFAULT_ITERATIONS, DEFAULT_RECIPE, Progress, Solver, solve

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
    "learner",
    "recipe",
    "solve",
]


class _CallableModule(ModuleType):
    """``regretlab.solve`` is this folder and, for users, the function: importing the folder must not hide it."""

    __call__ = staticmethod(solve)


sys.modules[__name__].__class__ = _CallableModule
