"""Recipes side by side on one game, judged against its exact value; each run is looked at on its way."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretlab.errors import UserError
from regretlab.experiments.comparing.comparison import Comparison, Estimate, RecipeRow, TargetReached, Trace
from regretlab.experiments.comparing.strategies import (
    equilibrium,
    key_infosets,
    kuhn_family,
    read_action,
    telling_action,
)
from regretlab.experiments.measures import advance_to
from regretlab.forms import AnyForm, BlockForm, GameLike, as_form, check_can_be_named, form_to_solve, uniform
from regretlab.games import load
from regretlab.solving import DEFAULT_ITERATIONS, Checkpoint, Progress, Recipe, Solution, Solver, recipe
from regretlab.solving.checkpoints import FINE_STEPS, STEPS, checkpoints
from regretlab.solving.solver import Callback as SolverCallback
from regretlab.spec import Readable, positive, whole, whole_iterations

DEFAULT_RECIPES = ("cfr", "cfr+", "normalhedge", "normalhedge+")

DEFAULT_TARGETS = (1e-2, 1e-3, 1e-4)
"""Exploitabilities in chips per game."""

MOST_SEQUENCES_FOR_DETAIL = 20_000
"""Above so many sequences a look takes milliseconds; then a run is only looked at where every run is."""

SHORT, ROUNDS = 0.5, 3
"""A run of fewer seconds is timed anew with nobody looking, the best of so many rounds.

The calls between looks would be half of its time.
"""


class ComparisonStep(NamedTuple):
    """Where a comparison stands, as a callback sees it."""

    recipe: Recipe
    seed: int
    start: int
    run: int  # from 1
    runs: int
    progress: Progress


Callback = Callable[[ComparisonStep], object]
"""Called several times a second; what it returns, if true, stops the comparison."""


def compare(
    game: GameLike,
    recipes: Sequence[str | Recipe] = DEFAULT_RECIPES,
    *,
    iterations: int = DEFAULT_ITERATIONS,
    seeds: int = 1,
    starts: int = 1,
    targets: Sequence[Readable] = DEFAULT_TARGETS,
    regret_of: str | None = None,
    callback: Callback | None = None,
) -> Comparison:
    """Run each recipe for ``iterations`` on ``game``; those that sample run once for each of ``seeds`` seeds.

    The others run once for each of ``starts`` starts, the usual one and random ones, because on some games the last
    digit decides what a run finds (``chaos``), and on some the usual start is unlike any other.
    ``targets`` are exploitabilities: the result says when each recipe got there for good. ``regret_of``, written
    ``LABEL:ACTION``, is the action whose regrets are kept; otherwise the most telling one is found.

    >>> result = compare("kuhn", ["cfr", "cfr+"], iterations=1_000)
    >>> [row.recipe.name for row in result.rows], round(result.exact_value, 6)
    (['cfr', 'cfr+'], -0.055556)
    >>> result.rows[1].improvement > 10
    True
    >>> [arrival.iterations.mean for arrival in result.rows[1].arrivals if arrival.iterations]
    [21.0, 130.0, 1000.0]
    """
    if isinstance(recipes, str):
        raise UserError(f"recipes are a list, such as ['cfr', 'cfr+'], not the text '{recipes}'")
    if not recipes:
        raise UserError("no recipe was given; name at least one, such as cfr+")
    chosen = [recipe(each) for each in recipes]
    for position, each in enumerate(chosen):
        if each in chosen[:position]:
            raise UserError(f"recipe '{each.name}' is given twice; compare different ones")
    if isinstance(targets, str):
        raise UserError(f"targets are a list, such as [0.01, 0.001], not the text '{targets}'")
    marks = sorted({float(positive("target", target)) for target in targets}, reverse=True)
    count, goal = whole("seeds", seeds, least=1), whole_iterations("iterations", iterations)
    beginnings = whole("starts", starts, least=1)
    rules = load(game) if isinstance(game, str) else game
    check_can_be_named(rules, "have recipes compared on it")
    form = form_to_solve(rules)
    if isinstance(form, BlockForm) and beginnings > 1:
        raise UserError(
            f"starts={beginnings}: {form.name} is solved in blocks, which always begin alike; leave it at 1"
        )
    action = None if regret_of is None else read_action(form, regret_of)
    # One iteration of each, thrown away: a recipe that can't run is found before the others have taken their time, and
    # no run's time contains compilation.
    for each in chosen:
        Solver(form, each).run(goal, callback=lambda progress: True)
    solved = equilibrium(form)
    key = key_infosets(form, uniform(form)) if solved is None else key_infosets(as_form(form), solved.strategy)
    watched = key if action is None or action.label in key else (*key, action.label)
    plan: list[tuple[Recipe, int, int]] = []  # recipe, seed, start
    for each in chosen:
        samples = each.feedback_kind.samples
        plan += [(each, k, 0) for k in range(count)] if samples else [(each, 0, k) for k in range(beginnings)]
    found = []
    for number, run in enumerate(plan, start=1):

        def report(progress: Progress, run: tuple[Recipe, int, int] = run, number: int = number) -> object:
            return callback is not None and callback(ComparisonStep(*run, number, len(plan), progress))

        each, seed, start = run
        done = trace(form, each, seed, goal, watched, report, start)
        if done is None:  # the callback said stop
            break
        found.append(done)
    groups = [tuple(group) for _, group in itertools.groupby(found, key=lambda one: one.solution.recipe)]
    value = None if solved is None else float(solved.value)
    rows = tuple(_new_row(group, groups[0], value, marks) for group in groups)
    return Comparison(
        form=form,
        iterations=goal,
        equilibrium=solved,
        family=kuhn_family(rules),
        key=key,
        rows=rows,
        regret_of=action or telling_action(form, key, rows),
        complete=len(found) == len(plan),
    )


def _new_row(
    traces: tuple[Trace, ...], first: tuple[Trace, ...], exact_value: float | None, targets: Sequence[float]
) -> RecipeRow:
    """What the runs of one recipe say together, measured against those of the first one."""

    def ratio(mean: Callable[[Solution], float]) -> float | None:
        """How many times as good as the first; None where one of them is 0, or less by rounding."""
        theirs, mine = (fmean(mean(trace.solution) for trace in group) for group in (first, traces))
        return theirs / mine if theirs > 0 and mine > 0 else None

    def seconds(solution: Solution) -> float:
        return solution.seconds / solution.iterations

    solutions = [trace.solution for trace in traces]
    arrivals = []
    for target in targets:
        when = [reached(solution.history, target) for solution in solutions]
        known = [iteration for iteration in when if iteration is not None]
        times = [t * one.seconds / one.iterations for t, one in zip(when, solutions, strict=True) if t is not None]
        all_did = len(known) == len(when)
        means = (Estimate.of(known), Estimate.of(times)) if all_did else (None, None)
        arrivals.append(TargetReached(target, len(known), *means))
    return RecipeRow(
        recipe=solutions[0].recipe,
        traces=traces,
        exploitability=Estimate.of([solution.exploitability for solution in solutions]),
        value=Estimate.of([solution.value for solution in solutions]),
        value_distance=None
        if exact_value is None
        else Estimate.of([abs(solution.value - exact_value) for solution in solutions]),
        microseconds=1e6 * fmean(map(seconds, solutions)),
        speed_up=ratio(seconds),
        improvement=ratio(lambda solution: solution.exploitability),
        arrivals=tuple(arrivals),
    )


def looks(form: AnyForm, goal: int) -> list[int]:
    """When a run to ``goal`` is looked at: after each number of at most two significant digits, and at the end.

    Large games are looked at after the solver's own checkpoints, which are among them.

    >>> from regretlab.forms import as_form
    >>> looks(as_form("kuhn"), 12_345)[97:103], looks(as_form("kuhn"), 12_345)[-2:]
    ([98, 99, 100, 110, 120, 130], [12000, 12345])
    """
    detailed = form.treeplexes[0].sequences + form.treeplexes[1].sequences <= MOST_SEQUENCES_FOR_DETAIL
    every = checkpoints(after=0, steps=FINE_STEPS if detailed else STEPS)
    return [*takewhile(lambda iteration: iteration < goal, every), goal]


def trace(
    form: AnyForm,
    recipe: Recipe,
    seed: int,
    goal: int,
    watched: Sequence[str],
    callback: SolverCallback | None = None,
    start: int = 0,
) -> Trace | None:
    """Run to ``goal`` and note the regrets at the information sets ``watched``; None where the callback says stop."""
    solver = _begun(form, recipe, seed, start)
    planned = looks(form, goal)
    regrets: dict[str, list[NDArray[np.float64]]] = {label: [] for label in watched}
    places = {}
    for label in watched:
        player = solver.form.owner(label)
        if player is not None:
            treeplex = solver.form.treeplexes[player]
            places[label] = player, treeplex.own(treeplex.index[label])
    for target in planned:
        if solver.advance_to(target, goal, callback):
            return None
        if target >= recipe.least_iterations:
            solver.history.append(solver.evaluate())
        for label, (player, sequences) in places.items():
            regrets[label].append(solver.sides[player].regret[sequences].copy())
    found, nudged = solver.solution("iterations"), None
    if found.seconds < SHORT:
        seconds = []
        # The first begins one unit in the last place away, and so tells without further work whether that matters.
        nudges = not recipe.feedback_kind.samples and not isinstance(form, BlockForm)  # blocks begin in one way only
        for nudging in (nudges, *[False] * (ROUNDS - 1)):
            again = _begun(form, recipe, seed, start)
            if nudging:
                again.nudge()
            advance_to(again, goal)
            seconds.append(again.seconds)
            if nudging:
                nudged = again.evaluate().exploitability
        found = replace(found, seconds=min(seconds))
    seen_regrets = {label: np.array(seen) for label, seen in regrets.items()}
    return Trace(found, start, tuple(planned), seen_regrets, nudged)


def _begun(form: AnyForm, recipe: Recipe, seed: int, start: int) -> Solver:
    """A run that is about to begin: at start 0 as usual, else with random strategies."""
    solver = Solver(form, recipe, seed=seed)
    if start:
        solver.perturb(start)
    return solver


def reached(history: Sequence[Checkpoint], target: float) -> int | None:
    """The first iteration looked at from which on the exploitability stays at or below ``target`` for good.

    None where it is above at the end. A dip that does not last does not count.

    >>> reached([Checkpoint(t, e, 0.0) for t, e in [(1, 0.5), (2, 0.1), (3, 0.3), (5, 0.2), (7, 0.1)]], 0.2)
    5
    """
    below = list(takewhile(lambda point: point.exploitability <= target, reversed(history)))
    return below[-1].iteration if below else None
