"""Recipes side by side on one game, judged against its exact value."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any, NamedTuple

from regretlab.errors import UserError
from regretlab.evaluation import nash
from regretlab.forms import GameLike, SequenceForm, as_form
from regretlab.solve import DEFAULT_ITERATIONS, Progress, Recipe, Solution, Solver, recipe, solve
from regretlab.spec import whole

DEFAULT_RECIPES = ("cfr", "cfr+", "normalhedge", "normalhedge+")

MOST_SEQUENCES_FOR_PROOF = 300
"""Up to so many sequences the exact solution takes a moment."""

MOST_SEQUENCES_FOR_VALUE = 10_000
"""Above so many sequences the linear programme would take longer than the comparison itself; the value is left out."""


class Estimate(NamedTuple):
    """A mean over seeds, with its standard error where there are several."""

    mean: float
    error: float | None


class Step(NamedTuple):
    """Where a comparison stands, as a callback sees it."""

    recipe: Recipe
    seed: int
    run: int  # from 1
    runs: int
    progress: Progress


Callback = Callable[[Step], object]
"""Called several times a second; what it returns, if true, stops the comparison."""


@dataclass(frozen=True, eq=False)
class Row:
    """One recipe: its runs, and what they say together."""

    recipe: Recipe
    solutions: tuple[Solution, ...]  # one a seed; a full traversal has no randomness, and one run says it all
    exploitability: Estimate  # of the average strategy, in chips a game
    value: Estimate  # player 0's expected payoff under the average strategy, in chips
    value_distance: float | None  # the mean over seeds of |value − exact value|
    microseconds: float  # solving time an iteration
    time_ratio: float | None  # time an iteration ÷ that of the first row
    exploitability_ratio: float | None  # exploitability ÷ that of the first row

    def as_dict(self) -> dict[str, Any]:
        """The numbers of this row as plain values."""
        return {
            "recipe": self.recipe.name,
            **self.recipe.parts,
            "seeds": [solution.seed for solution in self.solutions],
            "exploitability": self.exploitability.mean,
            "exploitability_error": self.exploitability.error,
            "value": self.value.mean,
            "value_error": self.value.error,
            "value_distance": self.value_distance,
            "microseconds": self.microseconds,
            "time_ratio": self.time_ratio,
            "exploitability_ratio": self.exploitability_ratio,
        }


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Several recipes on one game, with the same number of iterations."""

    game: str
    iterations: int
    exact_value: float | None  # None where the game is too large
    proven: bool  # whether that value was computed in fractions, with a proof; else by linear programming in floats
    rows: tuple[Row, ...]
    complete: bool = True  # False where a callback stopped it; then only finished runs are here

    def as_dicts(self) -> list[dict[str, Any]]:
        """One plain dictionary a recipe: the rows of a tidy table."""
        shared = {"game": self.game, "iterations": self.iterations, "exact_value": self.exact_value}
        return [shared | row.as_dict() for row in self.rows]

    @property
    def heading(self) -> str:
        """The game and the number of iterations, in words."""
        return f"{self.game}: {self.iterations:,} iteration{'' if self.iterations == 1 else 's'}"

    @property
    def _summary(self) -> str:
        exact = "" if self.exact_value is None else f", exact value {self.exact_value:.6g}"
        return f"{self.heading}{exact}"

    def __repr__(self) -> str:
        width = max((len(row.recipe.name) for row in self.rows), default=0)
        lines = [
            f"{row.recipe.name:{width}}  exploitability {_spread(row.exploitability, 3)}, "
            f"value {_spread(row.value, 6)}, {row.microseconds:.3g} µs an iteration"
            for row in self.rows
        ]
        return "\n".join([f"<comparison on {self._summary}>", *lines])

    def _repr_html_(self) -> str:
        names = ("recipe", "exploitability", "value", "distance to the exact value", "µs an iteration")
        head = "".join(f"<th>{name}</th>" for name in names)
        body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in _cells(row))}</tr>" for row in self.rows)
        return (
            f"<p><b>{html.escape(self._summary)}</b></p>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )


def compare(
    game: GameLike,
    recipes: Sequence[str | Recipe] = DEFAULT_RECIPES,
    *,
    iterations: int = DEFAULT_ITERATIONS,
    seeds: int = 1,
    callback: Callback | None = None,
) -> Comparison:
    """Run each recipe for ``iterations`` on ``game``; those that sample run once for each of ``seeds`` seeds.

    >>> result = compare("kuhn", ["cfr", "cfr+"], iterations=1_000)
    >>> [row.recipe.name for row in result.rows], round(result.exact_value, 6)
    (['cfr', 'cfr+'], -0.055556)
    >>> result.rows[1].exploitability_ratio < 0.1
    True
    """
    chosen = _distinct(recipes)
    count = whole("seeds", seeds, least=1)
    goal = whole("iterations", iterations, least=1)
    form = as_form(game)
    _rehearse(form, chosen, goal)
    exact_value, proven = _exact_value(form)
    plan = [(each, seed) for each in chosen for seed in range(1 if each.feedback == "full" else count)]
    found = list(_finished(form, plan, goal, callback))
    grouped = [tuple(solution for solution in found if solution.recipe == each) for each in chosen]
    rows = _rows([solutions for solutions in grouped if solutions], exact_value)
    return Comparison(form.name, goal, exact_value, proven, rows, complete=len(found) == len(plan))


def _distinct(recipes: Sequence[str | Recipe]) -> list[Recipe]:
    """The recipes, each of which must mean something else."""
    if isinstance(recipes, str):
        raise UserError(f"recipes are a list, such as ['cfr', 'cfr+'], not the text '{recipes}'")
    if not recipes:
        raise UserError("no recipe was given; name at least one, such as cfr+")
    chosen = [recipe(each) for each in recipes]
    for position, each in enumerate(chosen):
        if each in chosen[:position]:
            raise UserError(f"recipe '{each.name}' is given twice; compare different ones")
    return chosen


def _rehearse(form: SequenceForm, recipes: Sequence[Recipe], goal: int) -> None:
    """One iteration of each, thrown away.

    A recipe that can't run is found before the others have taken their time, and no run's time contains compilation.
    """
    for each in recipes:
        Solver(form, each).run(goal, callback=lambda progress: True)


def _exact_value(form: SequenceForm) -> tuple[float | None, bool]:
    """The value of the game and whether it is proven: in fractions where that is quick, else by linear programming."""
    size = sum(treeplex.sequences for treeplex in form.treeplexes)
    if size <= MOST_SEQUENCES_FOR_PROOF:
        try:
            return float(nash(form, exact=True).value), True
        except UserError:  # payoffs that are not rational
            pass
    if size <= MOST_SEQUENCES_FOR_VALUE:
        try:
            return float(nash(form).value), False
        except UserError:  # a payoff that is not a matrix
            pass
    return None, False


def _finished(
    form: SequenceForm, plan: Sequence[tuple[Recipe, int]], goal: int, callback: Callback | None
) -> Iterator[Solution]:
    """The runs of the plan, up to the one in which the callback says stop."""
    for number, (each, seed) in enumerate(plan, start=1):

        def report(progress: Progress, each: Recipe = each, seed: int = seed, number: int = number) -> object:
            return callback is not None and callback(Step(each, seed, number, len(plan), progress))

        solution = solve(form, each, iterations=goal, seed=seed, callback=report)
        if solution.stopped == "callback":
            return
        yield solution


def _rows(groups: Sequence[tuple[Solution, ...]], exact_value: float | None) -> tuple[Row, ...]:
    """One row for each recipe's runs; the first is what the others are measured against."""
    times = [1e6 * fmean(solution.seconds / solution.iterations for solution in group) for group in groups]
    losses = [_estimate([solution.exploitability for solution in group]) for group in groups]
    return tuple(
        Row(
            recipe=group[0].recipe,
            solutions=group,
            exploitability=loss,
            value=_estimate([solution.value for solution in group]),
            value_distance=None if exact_value is None else fmean(abs(one.value - exact_value) for one in group),
            microseconds=time,
            time_ratio=_ratio(time, times[0]),
            exploitability_ratio=_ratio(loss.mean, losses[0].mean),
        )
        for group, time, loss in zip(groups, times, losses, strict=True)
    )


def _estimate(values: Sequence[float]) -> Estimate:
    return Estimate(fmean(values), stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None)


def _ratio(value: float, first: float) -> float | None:
    return value / first if first > 0 else None


def _spread(estimate: Estimate, digits: int) -> str:
    error = "" if estimate.error is None else f" ± {estimate.error:.2g}"
    return f"{estimate.mean + 0.0:.{digits}g}{error}"


def _cells(row: Row) -> tuple[str, ...]:
    distance = "" if row.value_distance is None else f"{row.value_distance:.3g}"
    return (
        html.escape(row.recipe.name),
        _spread(row.exploitability, 3),
        _spread(row.value, 6),
        distance,
        f"{row.microseconds:.3g}",
    )
