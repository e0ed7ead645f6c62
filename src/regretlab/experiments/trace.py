"""A run that is looked at on its way: often enough to be drawn, and to say when it got somewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from regretlab.experiments.perform import LONGEST_ADVANCE
from regretlab.experiments.spec import first_average
from regretlab.forms import SequenceForm
from regretlab.solving import Checkpoint, Recipe, Solution, Solver
from regretlab.solving.checkpoints import checkpoints
from regretlab.solving.solver import Callback

MOST_SEQUENCES_FOR_DETAIL = 20_000
"""Above so many sequences a look takes milliseconds; then a run is only looked at where every run is."""

SHORT, ROUNDS = 0.5, 3
"""A run of fewer seconds is timed anew, the best of so many rounds: the calls between looks would be half of it."""


@dataclass(frozen=True, eq=False)
class Trace:
    """One run and what was seen on its way."""

    solution: Solution  # its history has a point for every look at which there is an average
    looks: tuple[int, ...]  # the iterations after which it was looked at
    regrets: Mapping[str, NDArray[np.float64]]  # by label, (looks, actions): the cumulative regrets then


def looks(form: SequenceForm, goal: int) -> list[int]:
    """When a run to ``goal`` is looked at: after each number of at most two significant digits, and at the end.

    Large games are looked at after the solver's own checkpoints, which are among them.

    >>> from regretlab.forms import as_form
    >>> looks(as_form("kuhn"), 12_345)[97:103], looks(as_form("kuhn"), 12_345)[-2:]
    ([98, 99, 100, 110, 120, 130], [12000, 12345])
    """
    detailed = sum(treeplex.sequences for treeplex in form.treeplexes) <= MOST_SEQUENCES_FOR_DETAIL
    every = _two_digits() if detailed else checkpoints(after=0)
    return [*takewhile(lambda iteration: iteration < goal, every), goal]


def _two_digits() -> Iterator[int]:
    yield from range(1, 10)
    decade = 1
    while True:
        yield from range(10 * decade, 100 * decade, decade)
        decade *= 10


def trace(
    form: SequenceForm, recipe: Recipe, seed: int, goal: int, watched: Sequence[str], callback: Callback | None = None
) -> Trace | None:
    """Run to ``goal`` and note the regrets at the information sets ``watched``; None where the callback says stop."""
    solver = Solver(form, recipe, seed=seed)
    planned = looks(form, goal)
    regrets: dict[str, list[NDArray[np.float64]]] = {label: [] for label in watched}
    for target in planned:
        if solver.advance_to(target, goal, callback):
            return None
        if target >= first_average(recipe):
            solver.history.append(solver.evaluate())
        for label in watched:
            regrets[label].append(_regrets(solver, label))
    found = replace(solver.solution("iterations"), seconds=_solving_seconds(solver))
    return Trace(found, tuple(planned), {label: np.array(seen) for label, seen in regrets.items()})


def _regrets(solver: Solver, label: str) -> NDArray[np.float64]:
    player = solver.form.owner(label)
    assert player is not None
    treeplex = solver.form.treeplexes[player]
    i = treeplex.index[label]
    return solver.sides[player].regret[treeplex.first[i] : treeplex.first[i + 1]].copy()


def _solving_seconds(done: Solver) -> float:
    """How long the run takes when nobody looks."""
    return done.seconds if done.seconds >= SHORT else min(_unseen_seconds(done) for _ in range(ROUNDS))


def _unseen_seconds(done: Solver) -> float:
    solver = Solver(done.form, done.recipe, seed=done.seed)
    while solver.iteration < done.iteration:
        solver.advance(min(LONGEST_ADVANCE, done.iteration - solver.iteration))
    return solver.seconds


def reached(history: Sequence[Checkpoint], target: float) -> int | None:
    """The first iteration looked at from which on the exploitability stays at or below ``target`` for good.

    None where it is above at the end. A dip that does not last does not count.

    >>> reached([Checkpoint(t, e, 0.0) for t, e in [(1, 0.5), (2, 0.1), (3, 0.3), (5, 0.2), (7, 0.1)]], 0.2)
    5
    """
    below = list(takewhile(lambda point: point.exploitability <= target, reversed(history)))
    return below[-1].iteration if below else None
