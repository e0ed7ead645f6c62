"""Compile ahead of time what solving needs, so that no run has to wait for it."""

from __future__ import annotations

from collections.abc import Iterator

from regretlab.deep import is_installed
from regretlab.feedback.registry import FEEDBACKS
from regretlab.rules import WEIGHINGS
from regretlab.solving.recipe import Recipe, recipe
from regretlab.solving.solver import Solver

GAME = "kuhn"
"""Any game will do: kernels know arrays, not games."""


def recipes_to_warm() -> list[Recipe]:
    """A few recipes that among them use every built-in rule and every feedback."""
    rules = [f"cfr(weigh={weigh}, predict={predict})" for weigh in WEIGHINGS for predict in ("no", "yes")]
    clipped = [f"cfr(weigh={weigh}, accumulate=clip)" for weigh in WEIGHINGS]
    feedbacks = [f"cfr(feedback={feedback})" for feedback, kind in FEEDBACKS.items() if not kind.trains]
    networks = ["cfr(feedback=network, traversals=1, training=1)"] if is_installed() else []
    return [recipe(name) for name in (*rules, *clipped, *feedbacks, *networks)]


def warm_up() -> Iterator[Recipe]:
    """Run an iteration of each, and evaluate it; yields each recipe when it is done."""
    for each in recipes_to_warm():
        solver = Solver(GAME, each)
        solver.advance(2)
        solver.evaluate()
        yield each
    cores = Solver(GAME, cores=2)
    cores.advance(1)
