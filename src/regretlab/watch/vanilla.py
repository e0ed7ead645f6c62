"""Vanilla CFR on the same game, to compare with: the ghost beside the line of whatever recipe is watched."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from regretlab.forms import SequenceForm
from regretlab.solving import Solver
from regretlab.watch.any_game import any_game
from regretlab.watch.watched_game import watched_game
from regretlab.watch.watched_run import CHARTED

LAST = 1_000_000
"""Where the ghost of Kuhn poker ends: a third of a second of work, done once for each ante and bet."""

KUHN_ENTRIES = 30
"""Of its payoff, one for each way that a game can end."""

LEAST_LAST = 1_000
"""Where that of the largest game ends; in between, an iteration takes as long as the payoff has entries."""


@lru_cache(maxsize=64)
def vanilla(ante: str, bet: str) -> dict[str, Any]:
    """The exploitability of vanilla CFR's average on Kuhn poker, in chips, where all charts have a point."""
    return _run(watched_game(ante, bet).form)


@lru_cache(maxsize=16)
def vanilla_on(game: str, own: str | None) -> dict[str, Any]:
    """The same on another game of the learning pages."""
    return _run(any_game(game, own).form)


def _run(form: SequenceForm) -> dict[str, Any]:
    solver = Solver(form, "cfr", cores=1)
    last = max(min(LAST, LAST * KUHN_ENTRIES // form.payoff.entries), LEAST_LAST)
    iterations, exploitability = [], []
    for look in CHARTED:
        if look > last:
            break
        solver.advance(look - solver.iteration)
        iterations.append(look)
        exploitability.append(solver.evaluate().exploitability + 0.0)
    return {"recipe": solver.recipe.name, "iterations": iterations, "exploitability": exploitability}
