"""The loop as one kernel for the sparse payoff: the same steps as ``loop``, in the same order, without Python between.

Both give the same numbers to the last bit, because both are made of the same small kernels.
"""

from __future__ import annotations

from regretlab.forms import SparseMatrix
from regretlab.forms.kernel import Floats, Indices, kernel
from regretlab.forms.passes import sparse_product
from regretlab.sampling import Histories, Seen, sample_chance
from regretlab.solve.schedule import ALTERNATING, ONE_PLAYER, SIMULTANEOUS
from regretlab.solve.side import Side, learn, learn_where_touched


@kernel
def observe(mine: Side, theirs: Side, matrix: SparseMatrix) -> None:
    """The gradient of one player against the other's plan."""
    sparse_product(matrix.first, matrix.column, matrix.entry, theirs.plan, mine.values)


@kernel
def advance_full(
    zero: Side,
    one: Side,
    matrix_zero: SparseMatrix,
    matrix_one: SparseMatrix,
    kinds: tuple[int, int, int],
    iteration: int,
    weights: Floats,
) -> None:
    """Go on from ``iteration`` by one iteration for each weight; both sides are modified in place."""
    schedule, accumulate, weigh = kinds
    for k in range(len(weights)):
        odd = (iteration + k + 1) % 2 == 1
        if schedule == SIMULTANEOUS:
            observe(zero, one, matrix_zero)
            observe(one, zero, matrix_one)
            learn(zero, accumulate, weigh, weights[k])
            learn(one, accumulate, weigh, weights[k])
        if schedule == ALTERNATING or (schedule == ONE_PLAYER and odd):
            observe(zero, one, matrix_zero)
            learn(zero, accumulate, weigh, weights[k])
        if schedule == ALTERNATING or (schedule == ONE_PLAYER and not odd):
            observe(one, zero, matrix_one)
            learn(one, accumulate, weigh, weights[k])


@kernel
def advance_chance(
    zero: Side,
    one: Side,
    seen_zero: Seen,
    seen_one: Seen,
    tree: Histories,
    kinds: tuple[int, int, int],
    iteration: int,
    weights: Floats,
    seed: int,
    deals: Indices,
) -> None:
    """The same with one deal an iteration; a second pass of an iteration sees the same deal."""
    schedule, accumulate, weigh = kinds
    for k in range(len(weights)):
        number = iteration + k + 1
        odd = number % 2 == 1
        sample_chance(tree, seen_zero, seen_one, seed, number, deals)
        if schedule != ONE_PLAYER or odd:
            learn_where_touched(zero, seen_zero, accumulate, weigh, weights[k])
        if schedule == ALTERNATING:
            sample_chance(tree, seen_zero, seen_one, seed, number, deals)
        if schedule != ONE_PLAYER or not odd:
            learn_where_touched(one, seen_one, accumulate, weigh, weights[k])
