"""How a bot comes to bluff as often as it should: the numbers that the home page moves."""

from __future__ import annotations

from functools import cache
from typing import Any

LABEL, ACTION = "Jc", "bet"
"""A Jack after a check: it wins no showdown, so a bet is a bluff, and all equilibria bluff with it equally often."""

RECIPE = "cfr+"
LAST = 1_000
POINTS_PER_DECADE = 16


@cache
def bluffing() -> dict[str, Any]:
    """How often the average strategy bluffs, after each of some iterations of a run, and how often equilibria do."""
    from regretlab.evaluation import kuhn_equilibria
    from regretlab.games import Kuhn
    from regretlab.solving import Solver
    from regretlab.solving.checkpoints import chart_points

    rules = Kuhn()
    low, high = kuhn_equilibria(rules.ante, rules.bet).ranges[LABEL]
    assert low == high
    solver = Solver(rules, RECIPE, cores=1)
    points = [[0, solver.average[LABEL][ACTION]]]
    for look in chart_points(POINTS_PER_DECADE):
        if look > LAST:
            break
        solver.advance(look - solver.iteration)
        points.append([look, solver.average[LABEL][ACTION]])
    return {"recipe": RECIPE, "label": LABEL, "words": rules.meaning(LABEL), "points": points, "stays": float(low)}
