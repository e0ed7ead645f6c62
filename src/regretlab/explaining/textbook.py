"""Recipes in the textbook's terms."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from regretlab.explaining.events import Fade, Numbers, Prediction, Rate, Scale, Weighing
from regretlab.games import Number
from regretlab.reference import (
    Basis,
    InformationSet,
    InformationSetHedge,
    InformationSetNH,
    InformationSetNHPlus,
    InformationSetPlus,
    InformationSetVariant,
    InformationSetVariantNH,
    Variant,
)
from regretlab.reference.variant import Exponent, discount
from regretlab.solving import Recipe
from regretlab.solving.exponent import Exponent as RecipeExponent

Kind: TypeAlias = Callable[[int, type[float] | type[Fraction]], InformationSet]
"""Makes an information set for so many actions, with its numbers of this type."""

FOUR: dict[tuple[str, str], type[InformationSet]] = {
    ("sum", "regret-matching"): InformationSet,
    ("truncate", "regret-matching"): InformationSetPlus,
    ("sum", "normalhedge"): InformationSetNH,
    ("truncate", "normalhedge"): InformationSetNHPlus,
}
"""The four algorithms by how they accumulate and weigh."""

_VARIANTS: dict[str, type[InformationSetVariant]] = {
    "regret-matching": InformationSetVariant,
    "normalhedge": InformationSetVariantNH,
    "hedge": InformationSetHedge,
}


def is_one_of_four(recipe: Recipe) -> bool:
    """Whether the rule of a recipe is one of the four, without anything that came later."""
    later = recipe.predict or recipe.alpha is not None or recipe.beta is not None
    return not later and (recipe.accumulate, recipe.weigh) in FOUR


def information_set(recipe: Recipe) -> Kind:
    """The textbook's information set that follows the rule of a recipe."""
    if is_one_of_four(recipe):
        return FOUR[recipe.accumulate, recipe.weigh]
    alpha, beta = _exponents(recipe)
    variant = Variant(alpha, beta, level(recipe), recipe.predict)
    return partial(_VARIANTS[recipe.weigh], variant=variant)


def level(recipe: Recipe) -> Number | None:
    """How far regrets may fall, as a multiple of the largest one; None where they may fall for ever."""
    return {"sum": None, "truncate": Fraction(0), "clip": Fraction(recipe.level)}[recipe.accumulate]


def fade(recipe: Recipe, iterations: int) -> Fade | None:
    """What the regrets of so many iterations are multiplied by; None where nothing is discounted."""
    alpha, beta = _exponents(recipe)
    if alpha is None and beta is None:
        return None
    return Fade(
        iterations,
        None if alpha is None else alpha(iterations),
        None if beta is None else beta(iterations),
        Fraction(discount(iterations, alpha)),
        Fraction(discount(iterations, beta)),
    )


def averaging(recipe: Recipe) -> Number | Callable[[int], Number]:
    """The exponent γ of the weights t^γ; where γ changes with t, the weights.

    There the engine lets fade what was counted before, so that no weight grows. Growing weights give the same average.
    """
    gamma, delay = recipe.averaging.gamma, recipe.averaging.delay
    if not gamma.slope:
        return gamma.start
    power = _exponent(gamma, recipe.horizon)
    every = 2 if recipe.schedule == "one-player" else 1  # an average fades when its player learns

    def weight(age: int) -> Number:
        grown = 1.0
        for one in range(age, 1, -every):
            grown *= float(Fraction(one, one - 1)) ** float(power(one + delay - 1))
        return grown

    return weight


def _exponents(recipe: Recipe) -> tuple[Exponent | None, Exponent | None]:
    alpha, beta = (None if each is None else _exponent(each, recipe.horizon) for each in (recipe.alpha, recipe.beta))
    return alpha, beta


def _exponent(exponent: RecipeExponent, horizon: int) -> Exponent:
    return lambda t: exponent.start + exponent.slope * min(Fraction(t, horizon), Fraction(1))


def weighing(recipe: Recipe, regrets: Numbers, basis: Basis) -> Weighing:
    """The textbook's strategy for these regrets, with all that it computed on the way.

    ``basis`` is what the textbook kept beside them; it is empty for the four.
    """
    number = Fraction if isinstance(regrets[0], Fraction) else float
    infoset = information_set(recipe)(len(regrets), number)
    infoset.regret_sum = list(regrets)
    if isinstance(infoset, InformationSetVariant):
        infoset.kept = basis
    positive = infoset.positive_regrets()
    return Weighing(
        weigh=recipe.weigh,
        regrets=basis.regrets or regrets,
        prediction=_prediction(recipe, infoset, basis),
        positive=tuple(positive),
        scale=_scale(tuple(positive)) if isinstance(infoset, InformationSetNH) and max(positive) > 0 else None,
        rate=_rate(infoset) if isinstance(infoset, InformationSetHedge) else None,
        strategy=tuple(infoset.get_strategy()),
    )


def _prediction(recipe: Recipe, infoset: InformationSet, basis: Basis) -> Prediction | None:
    if not basis.last:
        return None
    return Prediction(fade(recipe, basis.iteration), level(recipe), basis.last, tuple(infoset.answered_regrets()))


def _scale(positive: Numbers) -> Scale:
    c = InformationSetNH.solve_c_scale(positive)
    ratios, steps = InformationSetNH.ratios(positive), InformationSetNH.newton_steps(positive)
    return Scale(tuple(ratios), tuple(steps), c, tuple(InformationSetNH.normalhedge_weight(positive, c)))


def _rate(infoset: InformationSetHedge) -> Rate:
    eta = infoset.rate()
    return Rate(infoset.kept.squared_ranges, eta, tuple(infoset.hedge_weights(infoset.answered_regrets(), eta)))
