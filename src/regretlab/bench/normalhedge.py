"""NormalHedge beside regret matching: the same game, schedule and averaging, another formula."""

from __future__ import annotations

from regretlab.bench.clock import Clock, Pace, Task, interleave
from regretlab.bench.games import BenchGame
from regretlab.bench.results import Measurement
from regretlab.forms import SequenceForm, compile
from regretlab.solving import Solver

QUANTITY = "iteration, by rule"
NORMALHEDGE, MATCHING = "NormalHedge", "regret matching"

WARM_UP = 200
"""Iterations before the first timed one: at the beginning few regrets are positive, and little has to be solved."""


def measure_rules(clock: Clock, pace: Pace, game: BenchGame) -> Measurement:
    """An iteration of both, simultaneous, with a uniform average."""
    form = compile(game.rules(), tree=False)
    tasks = [_task(form, NORMALHEDGE, "normalhedge"), _task(form, MATCHING, "cfr")]
    return Measurement(game.name, QUANTITY, interleave(clock, tasks, pace))


def _task(form: SequenceForm, name: str, recipe: str) -> Task:
    solver = Solver(form, recipe, cores=1)
    solver.advance(WARM_UP)
    return Task(name, solver.advance)
