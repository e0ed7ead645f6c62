"""A recipe as kernels take it: its rule in machine code, and for each iteration what counts how much."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from regretlab.forms.kernel import Floats, kernel
from regretlab.rules import ACCUMULATIONS, Learner, Step, built_in_lane_update, built_in_update, follows_from_regrets
from regretlab.solving.averaging import Exponent
from regretlab.solving.recipe import Recipe, recipe

NO_DISCOUNT = math.inf
"""The exponent at which nothing is discounted: t^∞ / (t^∞ + 1) is 1."""


class PowerOfT(NamedTuple):
    """An exponent as kernels take it: start + slope · min(t / horizon, 1)."""

    start: float
    slope: float
    horizon: float


def steps(recipe: Recipe, iteration: int, count: int, size: float = 1.0) -> Floats:
    """The steps of the ``count`` iterations that follow ``iteration``, a row each, in the order of ``Step``'s fields.

    ``size`` is how large the values are that the rule sees: ties are relative to it.

    Each row depends on its own t alone, to the last bit: a run that is stopped and resumed somewhere else counts the
    same. That is why powers are computed one at a time and not by a vectorised loop.
    """
    rows = np.empty((count, len(Step._fields)))

    def power(exponent: Exponent | None) -> PowerOfT:
        if exponent is None:
            return PowerOfT(NO_DISCOUNT, 0.0, 1.0)
        return PowerOfT(float(exponent.start), float(exponent.slope), float(recipe.horizon))

    gamma, alpha, beta = power(recipe.averaging.gamma), power(recipe.alpha), power(recipe.beta)
    fill_steps(rows, iteration, recipe.averaging.delay, gamma, alpha, beta)
    way = ACCUMULATIONS[recipe.accumulate]
    rows[:, Step._fields.index("level")] = way.level if way.bounds is None else recipe.level
    rows[:, Step._fields.index("ties")] = float(recipe.ties) * size
    rows[:, Step._fields.index("predict")] = float(recipe.predict)
    return rows


def recalls(recipe: Recipe) -> bool:
    """Whether the strategy of a recipe has to be kept, because it does not follow from the regrets alone."""
    return recipe.rule is not None or not follows_from_regrets(recipe.accumulate, recipe.predict > 0, recipe.weigh)


def update_of(recipe: Recipe, width: int = 1, precision: str = "f64", weighs: bool = True) -> Any:
    """The rule of a recipe in machine code; for games with hands, on tiles of ``width`` lanes.

    Without ``weighs`` it only lets regrets learn, for recipes that do not recall their strategy.
    """
    if recipe.rule is not None:
        return recipe.rule.update if width == 1 else recipe.rule.lane_update(width, precision)
    parts = recipe.accumulate, recipe.predict > 0, recipe.weigh
    return built_in_update(*parts) if width == 1 else built_in_lane_update(*parts, width, precision, weighs)


def learner(name: str | Recipe, actions: int) -> Learner:
    """A learner over ``actions`` actions that follows the rule of a recipe.

    >>> learner("normalhedge+", actions=2).observe([1.0, 0.0])
    array([0., 1.])
    """
    chosen = recipe(name)
    return Learner(update_of(chosen), actions, step=lambda t: Step(*steps(chosen, t - 1, 1)[0].tolist()))


@kernel
def at(power: PowerOfT, t: float) -> float:
    """The exponent in iteration t."""
    return power.start + power.slope * min(t / power.horizon, 1.0)


@kernel
def discount(t: float, power: PowerOfT) -> float:
    """t^a / (t^a + 1): the factor on the regrets of the first t iterations, before another one is added."""
    exponent = at(power, t)
    if exponent == math.inf:
        return 1.0
    if t == 0.0:
        return 0.0 if exponent > 0.0 else 0.5 if exponent == 0.0 else 1.0
    weight = math.pow(t, exponent)
    return weight / (weight + 1.0)


@kernel
def fill_steps(rows: Floats, iteration: int, delay: int, gamma: PowerOfT, alpha: PowerOfT, beta: PowerOfT) -> None:
    """Write a row for each iteration after ``iteration``: what changes from one to the next."""
    for k in range(len(rows)):
        t = float(iteration + k + 1)
        age = max(t - delay, 0.0)
        weight, fade = 1.0 if age > 0.0 else 0.0, 1.0
        if gamma.slope != 0.0 and age > 0.0:
            fade = math.pow((age - 1.0) / age, at(gamma, t - 1.0))
        elif gamma.start != 0.0:
            weight = math.pow(age, gamma.start)
        rows[k, 0], rows[k, 1], rows[k, 2] = t, weight, fade
        rows[k, 3], rows[k, 4] = discount(t - 1.0, alpha), discount(t - 1.0, beta)
        rows[k, 5], rows[k, 6] = discount(t, alpha), discount(t, beta)
