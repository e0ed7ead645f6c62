"""What an iteration has to touch, from the sizes of the arrays that the solver works on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretlab.bench.results import Load
from regretlab.forms import SequenceForm
from regretlab.solving import Recipe, Solver
from regretlab.solving.side import Side

OPERATIONS_AN_ENTRY = 2
"""A multiplication and an addition."""

OPERATIONS_A_SEQUENCE = 17
"""Average 3, expectation 2, regret with discount and floor 5, positive part, sum and count 4, division 2, reach 1."""


def load_of(name: str, form: SequenceForm, solver: Solver) -> Load:
    """Bytes and operations of one iteration of ``solver``.

    Bytes are the least that can be: the payoff is read once for each player in the order it is stored, the numbers of
    a side are read and written, its indices and the opponent's plan are read. A loop that goes twice over an array
    which has left the cache in between moves more than is counted here, and reaches a smaller part of the limit.
    """
    payoff = form.payoff.nbytes
    sides = [array for side in solver.sides for array in touched(side, solver.recipe)]
    numbers = sum(array.nbytes for array in sides if array.dtype.kind == "f")
    indices = sum(array.nbytes for array in sides if array.dtype.kind != "f")
    plans = sum(side.plan.nbytes for side in solver.sides)
    entries = form.payoff.entries
    sequences = sum(treeplex.sequences for treeplex in form.treeplexes)
    return Load(
        game=name,
        entries=entries,
        bytes=payoff + 2 * numbers + indices + plans,
        operations=2 * OPERATIONS_AN_ENTRY * entries + OPERATIONS_A_SEQUENCE * sequences,
        footprint=payoff + numbers + indices,
    )


def touched(side: Side, recipe: Recipe) -> Iterator[NDArray[Any]]:
    """The arrays of one player that an iteration looks at: regret matching and rules of one's own keep no memory."""
    remembers = recipe.rule is None and recipe.weigh != "regret-matching"
    return arrays_in(side if remembers else side._replace(memory=side.memory[:0]))


def arrays_in(value: Any) -> Iterator[NDArray[Any]]:
    """All arrays of a nested value of tuples and lists."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple | list):
        for part in value:
            yield from arrays_in(part)
