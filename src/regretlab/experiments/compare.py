"""Recipes side by side on one game, judged against its exact value."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from regretlab.errors import UserError
from regretlab.experiments.comparison import Comparison, new_row
from regretlab.experiments.exact import equilibrium, key_infosets, kuhn_family
from regretlab.experiments.regrets import read_action, telling_action
from regretlab.experiments.trace import Trace, trace
from regretlab.forms import GameLike, SequenceForm, as_form, uniform
from regretlab.games import load
from regretlab.solving import DEFAULT_ITERATIONS, Progress, Recipe, Solver, recipe
from regretlab.spec import Readable, positive, whole

DEFAULT_RECIPES = ("cfr", "cfr+", "normalhedge", "normalhedge+")

DEFAULT_TARGETS = (1e-2, 1e-3, 1e-4)
"""Exploitabilities in chips a game."""


class Step(NamedTuple):
    """Where a comparison stands, as a callback sees it."""

    recipe: Recipe
    seed: int
    run: int  # from 1
    runs: int
    progress: Progress


Callback = Callable[[Step], object]
"""Called several times a second; what it returns, if true, stops the comparison."""


def compare(
    game: GameLike,
    recipes: Sequence[str | Recipe] = DEFAULT_RECIPES,
    *,
    iterations: int = DEFAULT_ITERATIONS,
    seeds: int = 1,
    targets: Sequence[Readable] = DEFAULT_TARGETS,
    regret_of: str | None = None,
    callback: Callback | None = None,
) -> Comparison:
    """Run each recipe for ``iterations`` on ``game``; those that sample run once for each of ``seeds`` seeds.

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
    chosen, marks = _distinct(recipes), _read_targets(targets)
    count, goal = whole("seeds", seeds, least=1), whole("iterations", iterations, least=1)
    rules = load(game) if isinstance(game, str) else game
    form = as_form(rules)
    action = None if regret_of is None else read_action(form, regret_of)
    _rehearse(form, chosen, goal)
    solved = equilibrium(form)
    key = key_infosets(form, uniform(form) if solved is None else solved.strategy)
    watched = key if action is None or action.label in key else (*key, action.label)
    plan = [(each, seed) for each in chosen for seed in range(1 if each.feedback == "full" else count)]
    found = list(_finished(form, plan, goal, watched, callback))
    groups = [tuple(group) for _, group in itertools.groupby(found, key=lambda one: one.solution.recipe)]
    value = None if solved is None else float(solved.value)
    rows = tuple(new_row(group, groups[0], value, marks) for group in groups)
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


def _read_targets(targets: Sequence[Readable]) -> list[float]:
    """Exploitabilities above 0, the easiest first, each once."""
    if isinstance(targets, str):
        raise UserError(f"targets are a list, such as [0.01, 0.001], not the text '{targets}'")
    return sorted({float(positive("target", target)) for target in targets}, reverse=True)


def _rehearse(form: SequenceForm, recipes: Sequence[Recipe], goal: int) -> None:
    """One iteration of each, thrown away.

    A recipe that can't run is found before the others have taken their time, and no run's time contains compilation.
    """
    for each in recipes:
        Solver(form, each).run(goal, callback=lambda progress: True)


def _finished(
    form: SequenceForm,
    plan: Sequence[tuple[Recipe, int]],
    goal: int,
    watched: Sequence[str],
    callback: Callback | None,
) -> Iterator[Trace]:
    """The runs of the plan, up to the one in which the callback says stop."""
    for number, (each, seed) in enumerate(plan, start=1):

        def report(progress: Progress, each: Recipe = each, seed: int = seed, number: int = number) -> object:
            return callback is not None and callback(Step(each, seed, number, len(plan), progress))

        done = trace(form, each, seed, goal, watched, report)
        if done is None:
            return
        yield done
