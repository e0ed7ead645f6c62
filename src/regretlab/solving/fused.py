"""The loop as one kernel for the sparse payoff: the same steps as ``loop``, in the same order, without Python between.

Both give the same numbers to the last bit, because both are made of the same small kernels.
"""

from __future__ import annotations

from regretlab.feedback import (
    Ground,
    Histories,
    Seen,
    Walker,
    new_stream,
    sample_chance,
    walk_external,
    walk_outcome,
)
from regretlab.forms import SparseMatrix
from regretlab.forms.kernel import Floats, Indices, inlined_kernel, kernel
from regretlab.forms.passes import sparse_product
from regretlab.rules import Step, Update
from regretlab.solving.schedule import ALTERNATING, ONE_PLAYER, SIMULTANEOUS
from regretlab.solving.side import Side, fade, learn, learn_from_walk, learn_where_touched


@inlined_kernel
def step_of(steps: Floats, k: int) -> Step:
    """A row of ``steps`` with its names."""
    row = steps[k]
    return Step(row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7])


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
    schedule: int,
    update: Update,
    steps: Floats,
) -> None:
    """Go on by one iteration for each row of ``steps``; both sides are modified in place."""
    for k in range(len(steps)):
        step = step_of(steps, k)
        odd = step.number % 2 == 1
        if schedule == SIMULTANEOUS:
            observe(zero, one, matrix_zero)
            observe(one, zero, matrix_one)
            learn(zero, update, step)
            learn(one, update, step)
        if schedule == ALTERNATING or (schedule == ONE_PLAYER and odd):
            observe(zero, one, matrix_zero)
            learn(zero, update, step)
        if schedule == ALTERNATING or (schedule == ONE_PLAYER and not odd):
            observe(one, zero, matrix_one)
            learn(one, update, step)


@kernel
def advance_chance(
    zero: Side,
    one: Side,
    seen_zero: Seen,
    seen_one: Seen,
    tree: Histories,
    schedule: int,
    update: Update,
    steps: Floats,
    seed: int,
    deals: Indices,
) -> None:
    """The same with one deal an iteration; a second pass of an iteration sees the same deal."""
    for k in range(len(steps)):
        step = step_of(steps, k)
        number = int(step.number)
        odd = number % 2 == 1
        sample_chance(tree, seen_zero, seen_one, seed, number, deals)
        if schedule != ONE_PLAYER or odd:
            learn_where_touched(zero, seen_zero, update, step)
        if schedule == ALTERNATING:
            sample_chance(tree, seen_zero, seen_one, seed, number, deals)
        if schedule != ONE_PLAYER or not odd:
            learn_where_touched(one, seen_one, update, step)


@inlined_kernel
def see_external(ground: Ground, mine: Walker, theirs: Walker, seed: int, step: Step) -> None:
    """One player's walk, in which the other one's average fades and grows."""
    fade(theirs.total, step.fade, step.fade)
    walk_external(ground, mine, theirs, step.weight, new_stream(seed, int(step.number), mine.player))


@inlined_kernel
def see_outcome(ground: Ground, mine: Walker, theirs: Walker, epsilon: float, seed: int, step: Step) -> None:
    """The same with one history."""
    fade(theirs.total, step.fade, step.fade)
    walk_outcome(ground, mine, theirs, epsilon, step.weight, new_stream(seed, int(step.number), mine.player))


@kernel
def advance_external(
    zero: Side,
    one: Side,
    walker_zero: Walker,
    walker_one: Walker,
    ground: Ground,
    schedule: int,
    update: Update,
    steps: Floats,
    seed: int,
) -> None:
    """The same with a walk for each player who learns; the second one has draws of its own."""
    for k in range(len(steps)):
        step = step_of(steps, k)
        odd = step.number % 2 == 1
        if schedule != ONE_PLAYER or odd:
            see_external(ground, walker_zero, walker_one, seed, step)
        if schedule == ALTERNATING or (schedule == ONE_PLAYER and odd):
            learn_from_walk(zero, walker_zero.touched, update, step)
        if schedule != ONE_PLAYER or not odd:
            see_external(ground, walker_one, walker_zero, seed, step)
        if schedule == SIMULTANEOUS:
            learn_from_walk(zero, walker_zero.touched, update, step)
        if schedule != ONE_PLAYER or not odd:
            learn_from_walk(one, walker_one.touched, update, step)


@kernel
def advance_outcome(
    zero: Side,
    one: Side,
    walker_zero: Walker,
    walker_one: Walker,
    ground: Ground,
    schedule: int,
    update: Update,
    steps: Floats,
    seed: int,
    epsilon: float,
) -> None:
    """The same with one history a walk."""
    for k in range(len(steps)):
        step = step_of(steps, k)
        odd = step.number % 2 == 1
        if schedule != ONE_PLAYER or odd:
            see_outcome(ground, walker_zero, walker_one, epsilon, seed, step)
        if schedule == ALTERNATING or (schedule == ONE_PLAYER and odd):
            learn_from_walk(zero, walker_zero.touched, update, step)
        if schedule != ONE_PLAYER or not odd:
            see_outcome(ground, walker_one, walker_zero, epsilon, seed, step)
        if schedule == SIMULTANEOUS:
            learn_from_walk(zero, walker_zero.touched, update, step)
        if schedule != ONE_PLAYER or not odd:
            learn_from_walk(one, walker_one.touched, update, step)
