"""Vanilla CFR on the same game, to compare with: the ghost beside the line of whatever recipe is watched."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from regretlab.solving import Solver
from regretlab.watch.watched_game import watched_game
from regretlab.watch.watched_run import CHARTED

LAST = 1_000_000
"""Where the ghost ends: a third of a second of work, done once for each ante and bet."""


@lru_cache(maxsize=64)
def vanilla(ante: str, bet: str) -> dict[str, Any]:
    """The exploitability of vanilla CFR's average, in chips, at the iterations that all charts have a point at."""
    solver = Solver(watched_game(ante, bet).form, "cfr", cores=1)
    iterations, exploitability = [], []
    for look in CHARTED:
        if look > LAST:
            break
        solver.advance(look - solver.iteration)
        iterations.append(look)
        exploitability.append(solver.evaluate().exploitability + 0.0)
    return {"recipe": solver.recipe.name, "iterations": iterations, "exploitability": exploitability}
