"""A recipe as kernels take it."""

from __future__ import annotations

from typing import NamedTuple

from regretlab.rules import WEIGH, Update, built_in_update
from regretlab.solving.recipe import Recipe
from regretlab.solving.schedule import SCHEDULES


class Algorithm(NamedTuple):
    """What is the same in every iteration; ``steps`` has the rest."""

    schedule: int
    update: Update


def algorithm(recipe: Recipe) -> Algorithm:
    """The machine code and the number behind a recipe's names."""
    return Algorithm(SCHEDULES[recipe.schedule], _update(recipe))


def _update(recipe: Recipe) -> Update:
    if recipe.rule is not None:
        return recipe.rule.update
    return built_in_update(recipe.accumulate == "clip", recipe.predict, WEIGH[recipe.weigh])
