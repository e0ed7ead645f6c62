"""The beginning of a walkthrough: what is going to happen, the symbols, the state before the first iteration."""

from __future__ import annotations

from collections.abc import Iterator

from regretlab.documents import (
    Block,
    Equation,
    Equations,
    Heading,
    Notation,
    Paragraph,
    Symbol,
    Table,
    Value,
    code,
    divide,
    words,
)
from regretlab.documents.numbers import DECIMALS, DIGITS
from regretlab.explaining.events import Lesson, Run
from regretlab.explaining.learning import ANY
from regretlab.explaining.scope import Scope
from regretlab.explaining.textbook import fade, level
from regretlab.solving.formula import formulas

_SYMBOLS = (
    ("σ(a)", "the strategy: the probability with which action a is played"),
    ("u", "the payoff where the game ends: what player 0 wins, and player 1 loses"),
    ("v(a)", "what the player who decides can expect after action a, in chips"),
    ("v", "what it can expect from what it plays; player 1's values are told from player 1's side"),
    ("π₀, π₁", "the reach: how probable each player's own choices make it to come here"),
    ("r(a)", "the instantaneous regret: what always playing a would have brought more, this time"),
    ("R(a), R₊(a)", "the regret so far, and its positive part"),
    ("S(a), w", "what the average strategy is made from, and the weight of an iteration in it"),
    ("N", "the number of actions"),
)
_CHANCE_SYMBOL = ("P", "the probability of what chance has done")
_SCALE_SYMBOLS = (
    ("c, w(a)", "NormalHedge's scale, and the weights that follow from it"),
    ("x(a), s", "regret and scale in a form in which no number becomes large"),
)
_FADE_SYMBOLS = (("d₊, d₋", "what positive and negative regrets so far are multiplied by"),)
_PREDICTION_SYMBOLS = (("R̂(a)", "what the regret will be if what was seen last comes once more"),)
_NEXT_FADE_SYMBOLS = (("d′₊, d′₋", "d₊ and d₋ in the next iteration"),)
_FLOOR_SYMBOLS = (("R′(a), m", "the regret before it is raised to the floor m, and that floor"),)
_RATE_SYMBOLS = (
    ("V", "the sum of the squares of the ranges of what was seen"),
    ("η, w(a)", "Hedge's rate, and the weights that follow from it"),
)


def tell_opening(lesson: Lesson, notation: Notation, scope: Scope) -> Iterator[Block]:
    """Everything before the first iteration."""
    yield from _tell_plan(lesson, notation, scope)
    yield Heading(2, words("The symbols"))
    yield Table("", ("symbol", "meaning"), tuple(_symbols(lesson)))
    yield Heading(2, words("Before the first iteration"))
    counted = "Nothing has been regretted and nothing counted yet, so at each of them every action is equally likely:"
    yield Paragraph(words(f"{lesson.game} has {lesson.infosets} information sets. {counted}"))
    zero = (Equation((Symbol(name, of=ANY), Value(0))) for name in "RS")
    yield Equations((*zero, Equation((Symbol("σ", of=ANY), divide(Value(1), Symbol("N"))))))


def _tell_plan(lesson: Lesson, notation: Notation, scope: Scope) -> Iterator[Block]:
    names = ", ".join(run.name for run in lesson.runs)
    yield Heading(1, words(f"Walkthrough: {lesson.game}"))
    yield Paragraph(words(f"{_length(lesson)} by {names}, every number computed."))
    if len(lesson.runs) > 1:
        yield Paragraph(words("What is the same for all is told once. Where they differ, they stand side by side."))
    yield Paragraph(words(_about_numbers(notation)))
    if scope.depth is not None:
        yield _about_depth(lesson, scope.depth)
    yield Table("", ("recipe", "regrets", "strategy", "average", "schedule"), tuple(map(_recipe_row, lesson.runs)))
    if lesson.deals and any(fade(run.recipe, 1) is not None for run in lesson.runs):
        yield Paragraph(words("Regrets are discounted in every iteration, also where the walk does not come by."))
    if any(run.recipe.averaging.gamma.slope for run in lesson.runs):
        yield Paragraph(words("In place of fading sums the weights w grow here, which gives the same average."))


def _length(lesson: Lesson) -> str:
    """How many iterations there are, and on which deals."""
    count = len(lesson.runs[0].iterations)
    said = f"{count} iteration{'s' * (count > 1)}"
    if lesson.deals:
        return f"{said} on the deal{'s' * (len(lesson.deals) > 1)} {', '.join(lesson.deals)}"
    return f"{said} over all deals" if lesson.has_chance else said


def _about_numbers(notation: Notation) -> str:
    if notation.exact:
        long = f"Long ones, and what exponentials give, are rounded to {DIGITS} digits"
        return f"Numbers are fractions. {long}; then ≈ stands in place of =."
    return f"Numbers are rounded to {DECIMALS} decimals where they have more; then ≈ stands in place of =."


def _about_depth(lesson: Lesson, depth: int) -> Paragraph:
    told = f"the first {depth} decisions of each way through it are" if depth > 1 else "the first decision is"
    said = f"Not everything in {lesson.game} is spelled out: {told}, and what follows is summed up in its value. "
    return Paragraph(words(said, code(f"--depth {depth + 1}"), " shows more."))


def _recipe_row(run: Run) -> tuple[str, ...]:
    told = formulas(run.recipe)
    return run.name, told["regrets"], told["strategy"], told["average"], run.recipe.schedule


def _symbols(lesson: Lesson) -> Iterator[tuple[str, str]]:
    yield from _SYMBOLS
    if not lesson.deals and lesson.has_chance:
        yield _CHANCE_SYMBOL
    recipes = [run.recipe for run in lesson.runs]
    discounted = any(fade(recipe, 1) is not None for recipe in recipes)
    told = (
        (_FADE_SYMBOLS, discounted),
        (_FLOOR_SYMBOLS, any(level(recipe) for recipe in recipes)),
        (_PREDICTION_SYMBOLS, any(recipe.predict for recipe in recipes)),
        (_NEXT_FADE_SYMBOLS, any(recipe.predict and fade(recipe, 1) is not None for recipe in recipes)),
        (_SCALE_SYMBOLS, any(recipe.weigh == "normalhedge" for recipe in recipes)),
        (_RATE_SYMBOLS, any(recipe.weigh == "hedge" for recipe in recipes)),
    )
    for symbols, used in told:
        yield from symbols if used else ()
