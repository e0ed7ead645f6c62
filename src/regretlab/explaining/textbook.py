"""What recipes are called in the textbook, and the parts of an update as the textbook computes them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import NamedTuple, TypeAlias

from regretlab.errors import UserError
from regretlab.games import CHANCE, Game, Number
from regretlab.games.protocol import HasSize
from regretlab.games.walk import walk
from regretlab.reference import (
    Basis,
    InformationSet,
    InformationSetHedge,
    InformationSetNH,
    InformationSetNHPlus,
    InformationSetPlus,
    InformationSetVariant,
    InformationSetVariantNH,
    NewtonStep,
    Variant,
)
from regretlab.reference.variant import Exponent, discount
from regretlab.rules import ACCUMULATIONS
from regretlab.solving import Recipe
from regretlab.solving import recipe as read_recipe
from regretlab.solving.averaging import Exponent as RecipeExponent
from regretlab.solving.schedule import SCHEDULES, until_both_learn

History: TypeAlias = tuple[str, ...]
Numbers: TypeAlias = tuple[Number, ...]

Kind: TypeAlias = Callable[[int, type[float] | type[Fraction]], InformationSet]
"""Makes an information set for so many actions, with its numbers of this type."""

FOUR: dict[tuple[str, str], type[InformationSet]] = {
    ("sum", "regret-matching"): InformationSet,
    ("truncate", "regret-matching"): InformationSetPlus,
    ("sum", "normalhedge"): InformationSetNH,
    ("truncate", "normalhedge"): InformationSetNHPlus,
}
"""The four algorithms by how they accumulate and weigh."""

VARIANTS: dict[str, type[InformationSetVariant]] = {
    "regret-matching": InformationSetVariant,
    "normalhedge": InformationSetVariantNH,
    "hedge": InformationSetHedge,
}
"""By how they weigh: information sets that can also discount, raise regrets to a floor, and predict."""


MOST_HISTORIES = 50_000
"""Larger games are not explained: the textbook would take minutes."""


class SizeOfGame(NamedTuple):
    """What must be known about a game before it is explained."""

    infosets: int
    has_chance: bool
    zero_sum: bool


def size_of_game(game: Game) -> SizeOfGame:
    """Walk a game once; raises UserError where it is too large to be explained."""
    known = isinstance(game, HasSize) and game.counted().histories > MOST_HISTORIES
    visits = [] if known else list(islice(walk(game), MOST_HISTORIES + 1))
    if known or len(visits) > MOST_HISTORIES:
        raise UserError(
            f"{game.name} has more than {MOST_HISTORIES:,} histories, too many to explain; choose a smaller game, such "
            "as kuhn or leduc"
        )
    labels = {visit.infoset.label for visit in visits if visit.infoset is not None}
    zero_sum = all(visit.payoff + visit.theirs == 0 for visit in visits)
    return SizeOfGame(len(labels), any(visit.player == CHANCE for visit in visits), zero_sum)


def check_tabular(recipe: Recipe) -> None:
    """Raise UserError where networks stand in for the table of regrets, or the textbook does not know the rule."""
    if recipe.rule is None and recipe.weigh not in VARIANTS:
        raise UserError(f"{recipe.name} can't be explained: the textbook in regretlab.reference has no {recipe.weigh}")
    if recipe.feedback_kind.trains:
        table = read_recipe(replace(recipe, feedback="full").name)
        raise UserError(
            f"{recipe.name} has networks in place of a table of regrets, and only a table can be explained; with one "
            f"it is {table.name}"
        )


@dataclass(frozen=True)
class Fade:
    """What the regrets of the first ``iterations`` iterations are multiplied by."""

    iterations: int
    alpha: Number | None  # the exponent for positive regrets; None where they are kept as they are
    beta: Number | None  # the exponent for negative regrets
    positive: Number  # the factors that follow from them
    negative: Number

    def factor(self, regret: Number) -> Number:
        """The factor for a regret of this sign."""
        return self.positive if regret >= 0 else self.negative


class LeastSum(NamedTuple):
    """What regrets have to sum to at least, and what is done where they do not."""

    level: Number
    restarts: bool  # whether they begin anew, all alike; otherwise they are lifted, all by the same


@dataclass(frozen=True)
class Learning:
    """How the regrets of one information set take in what was seen."""

    regrets_before: Numbers
    fade: Fade | None
    increments: tuple[Numbers, ...]  # of each history
    level: Number | None  # the floor is −level × the largest regret; None where there is none
    regrets_after: Numbers
    least: LeastSum | None = None

    @property
    def summed(self) -> list[Number]:
        """r(a), summed over all histories."""
        return [sum(increments) for increments in zip(*self.increments, strict=True)]


@dataclass(frozen=True)
class Prediction:
    """What the strategy answers in place of the regrets: what they will be if the last ones come once more."""

    part: Number  # p: how much of the last regrets is expected
    fade: Fade | None  # of the next iteration
    level: Number | None  # how far the regrets may fall
    last: Numbers
    expected: Numbers
    least: LeastSum | None = None


@dataclass(frozen=True)
class NormalHedgeScale:
    """How NormalHedge found its weights, where some regret is positive."""

    ratios: Numbers  # x = R₊ / max R₊
    steps: tuple[NewtonStep, ...]
    c: Number
    weights: Numbers


@dataclass(frozen=True)
class HedgeRate:
    """How Hedge found its weights."""

    squared_ranges: Number  # V
    eta: Number
    weights: Numbers


@dataclass(frozen=True)
class WeighedRegrets:
    """How a strategy follows from regrets."""

    weigh: str  # the name of the way to weigh
    regrets: Numbers
    prediction: Prediction | None
    positive: Numbers
    scale: NormalHedgeScale | None
    rate: HedgeRate | None
    strategy: Numbers

    @property
    def answered(self) -> Numbers:
        """The regrets that the strategy answers."""
        return self.regrets if self.prediction is None else self.prediction.expected


def is_one_of_four(recipe: Recipe) -> bool:
    """Whether the rule of a recipe is one of the four, without anything that came later."""
    later = recipe.predict or recipe.alpha is not None or recipe.beta is not None
    return not later and (recipe.accumulate, recipe.weigh) in FOUR


def information_set(recipe: Recipe) -> Kind:
    """The textbook's information set that follows the rule of a recipe."""
    if is_one_of_four(recipe):
        return FOUR[recipe.accumulate, recipe.weigh]
    alpha, beta = _exponents(recipe)
    variant = Variant(alpha, beta, level(recipe), predict=recipe.predict)
    if least := least_sum(recipe):
        variant = Variant(alpha, beta, None, least.level, least.restarts, recipe.predict)
    return partial(VARIANTS[recipe.weigh], variant=variant)


def level(recipe: Recipe) -> Number | None:
    """How far regrets may fall, as a multiple of the largest one; None where they may fall for ever.

    Where their sum must not fall below something, none of them falls below 0.
    """
    way = ACCUMULATIONS[recipe.accumulate]
    level = 0 if least_sum(recipe) else way.level if way.bounds is None else recipe.level
    return None if level == math.inf else Fraction(level)


def least_sum(recipe: Recipe) -> LeastSum | None:
    """What the regrets have to sum to at least; None where they need not."""
    kept = recipe.accumulate in ("smooth", "stable")
    return LeastSum(recipe.level, recipe.accumulate == "stable") if kept else None


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
    every = until_both_learn(SCHEDULES[recipe.schedule])  # an average fades when its player learns

    def weight(age: int) -> Number:
        """The weight of an iteration that is the ``age``-th to be counted."""
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


def weigh_regrets(recipe: Recipe, regrets: Numbers, basis: Basis) -> WeighedRegrets:
    """The textbook's strategy for these regrets, with all that it computed on the way.

    ``basis`` is what the textbook kept beside them; it is empty for the four.
    """
    infoset = information_set(recipe)(len(regrets), Fraction if isinstance(regrets[0], Fraction) else float)
    infoset.regret_sum = list(regrets)
    if isinstance(infoset, InformationSetVariant):
        infoset.kept = basis
    positive = tuple(infoset.positive_regrets())
    prediction, scale, rate = None, None, None
    if basis.last:
        expected = tuple(infoset.answered_regrets())
        prediction = Prediction(
            recipe.predict, fade(recipe, basis.iteration), level(recipe), basis.last, expected, least_sum(recipe)
        )
    if isinstance(infoset, InformationSetNH) and max(positive) > 0:
        c = InformationSetNH.solve_c_scale(positive)
        ratios, steps = InformationSetNH.ratios(positive), InformationSetNH.newton_steps(positive)
        weights = InformationSetNH.normalhedge_weight(positive, c)
        scale = NormalHedgeScale(tuple(ratios), tuple(steps), c, tuple(weights))
    if isinstance(infoset, InformationSetHedge):
        eta = infoset.rate()
        weights = infoset.hedge_weights(infoset.answered_regrets(), eta)
        rate = HedgeRate(infoset.kept.squared_ranges, eta, tuple(weights))
    return WeighedRegrets(
        weigh=recipe.weigh,
        regrets=basis.regrets or regrets,
        prediction=prediction,
        positive=positive,
        scale=scale,
        rate=rate,
        strategy=tuple(infoset.get_strategy()),
    )
