"""What the walk of a sampled iteration saw at an information set."""

from __future__ import annotations

import math

from regretlab.explaining.events import Numbers
from regretlab.forms import Strategy
from regretlab.forms.kernel import Floats
from regretlab.solving import Solver


def forget_values(solver: Solver) -> None:
    """Mark what was seen before the next iteration; walks write anew where they come by, and read nothing else."""
    for side in solver.sides:
        side.values[:] = math.nan


def values_seen(solver: Solver, played: Strategy, label: str) -> Numbers:
    """What the actions of an information set earned in the last iteration; empty if the walk did not come by."""
    player = solver.form.owner(label)
    assert player is not None
    treeplex, values = solver.form.treeplexes[player], solver.sides[player].values.copy()
    if solver.recipe.feedback == "chance":
        _take_back(solver, player, played.arrays[player], values)
    i = treeplex.index[label]
    seen = values[treeplex.first[i] : treeplex.first[i + 1]].tolist()
    return () if math.isnan(seen[0]) else tuple(seen)


def _take_back(solver: Solver, player: int, strategy: Floats, values: Floats) -> None:
    """Take back what children have handed up: after chance sampling, to parents that had learned already."""
    parent, first = solver.sides[player].parent, solver.sides[player].first
    for i in reversed(range(len(parent))):
        own = slice(first[i], first[i + 1])
        if not math.isnan(values[first[i]]):
            values[parent[i]] -= sum(strategy[own] * values[own])
