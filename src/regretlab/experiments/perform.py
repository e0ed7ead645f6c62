"""One run, performed: the numbers at its checkpoints."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import NamedTuple

from regretlab.experiments.measures import FINAL_VALUE, Look, Walked, find_measure, late_from, walked
from regretlab.experiments.spec import Run, first_average, recipe_of
from regretlab.forms import SequenceForm, compile
from regretlab.solving import Solver

GAMES_KEPT = 4
"""How many compiled games a process keeps. Runs come sorted by game, so even one would nearly do."""

LONGEST_ADVANCE = 100_000
"""Iterations at a time; the steps of all of them are in memory."""


class Measurement(NamedTuple):
    """One number: what was measured after an iteration."""

    iteration: int
    measure: str
    amount: float | None  # None where it means nothing, as a bound that does not hold for a recipe


class Measured(NamedTuple):
    """What a run has found, and how long it took from beginning to end."""

    measurements: tuple[Measurement, ...]
    seconds: float


SECONDS = "seconds"
"""The measure that every run has: solving time so far, compilation and evaluation excluded."""


@lru_cache(GAMES_KEPT)
def form_of(game: str) -> SequenceForm:
    """The compiled game, kept for the next run."""
    return compile(game)


def perform(run: Run) -> Measured:
    """Run it, on one core, and look at it after each checkpoint at which there is an average.

    >>> [measurement.measure for measurement in perform(Run("kuhn", "cfr+", (10,))).measurements]
    ['seconds', 'exploitability', 'current_exploitability', 'value']
    """
    begin = time.perf_counter()
    solver = Solver(form_of(run.game), recipe_of(run.recipe), seed=run.seed, cores=1)
    if run.start:
        solver.perturb(run.start)
    found: list[Measurement] = []
    walks: dict[int, Walked | None] = {}
    for stop in _stops(run):
        while solver.iteration < stop:
            solver.advance(min(LONGEST_ADVANCE, stop - solver.iteration))
        walks[stop] = walked(solver)
        if stop in run.checkpoints and stop >= first_average(solver.recipe):
            found += _look(solver, run.measures, Look(solver.solution(), walks.get(late_from(stop)), walks[stop]))
    return Measured(tuple(found), time.perf_counter() - begin)


def _stops(run: Run) -> list[int]:
    """Where to stop: at checkpoints, and where the last iterations before them begin if their values are asked for."""
    late = map(late_from, run.checkpoints) if FINAL_VALUE in run.measures else ()
    return sorted({*run.checkpoints, *late})


def _look(solver: Solver, measures: tuple[str, ...], look: Look) -> list[Measurement]:
    amounts = {SECONDS: solver.seconds} | {measure: find_measure(measure)(look) for measure in measures}
    return [Measurement(solver.iteration, measure, amount) for measure, amount in amounts.items()]
