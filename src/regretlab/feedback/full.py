"""Full feedback: all deals, weighted with their chance probability, one gradient for each player."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from regretlab.feedback.protocol import Behaviours, Feedback, Kernels, Loop, Sight, Wishes, at_once
from regretlab.feedback.side import Side, learn_everywhere
from regretlab.forms import AnyForm, BlockForm, LaneForm, SequenceForm, SparseMatrix
from regretlab.forms.kernel import Floats, inlined_kernel, kernel
from regretlab.forms.passes import expected_value, realisation_plan, sparse_product
from regretlab.rules import Step, Update


class FullState(NamedTuple):
    """Both players, and the rows of the payoff for each."""

    zero: Side
    one: Side
    matrix_zero: SparseMatrix
    matrix_one: SparseMatrix


class PaidState(NamedTuple):
    """The same for games that are not zero-sum, and what the play has earned both players so far."""

    zero: Side
    one: Side
    matrix_zero: SparseMatrix
    matrix_one: SparseMatrix
    earned: Floats  # (2,) see ``earn``


@inlined_kernel
def see_full(state: FullState, who: int, step: Step) -> None:
    """The gradient of each player who learns against the other's plan."""
    if who & 1:
        matrix = state.matrix_zero
        sparse_product(matrix.first, matrix.column, matrix.entry, state.one.plan, state.zero.values)
    if who & 2:
        matrix = state.matrix_one
        sparse_product(matrix.first, matrix.column, matrix.entry, state.zero.plan, state.one.values)


@kernel
def earn(zero: Side, one: Side, step: Step, earned: Floats) -> None:
    """Count what both players' gradients say that they earn by their plans, weighted as the average is.

    Called once an iteration, before anybody has learned in it, so with whatever schedule the play of iteration t is
    the pair of strategies with which t began. Those are what the averages count, hence of the mixture of these pairs
    it is known what a player earns and, by a best response to the other's average, what one plan throughout would
    have earned instead.
    """
    mine, theirs = 0.0, 0.0
    for s in range(len(zero.plan)):
        mine += zero.values[s] * zero.plan[s]
    for s in range(len(one.plan)):
        theirs += one.values[s] * one.plan[s]
    earned[0] = earned[0] * step.fade + step.weight * mine
    earned[1] = earned[1] * step.fade + step.weight * theirs


@inlined_kernel
def see_paid(state: PaidState, who: int, step: Step) -> None:
    """As ``see_full``; in player 0's pass, which is the first one, player 1's gradient, too: both have played."""
    if who & 1:
        matrix = state.matrix_zero
        sparse_product(matrix.first, matrix.column, matrix.entry, state.one.plan, state.zero.values)
    matrix = state.matrix_one
    sparse_product(matrix.first, matrix.column, matrix.entry, state.zero.plan, state.one.values)
    if who & 1:
        earn(state.zero, state.one, step, state.earned)


@inlined_kernel
def learn_full(state: FullState | PaidState, player: int, update: Update, step: Step) -> None:
    """One pass over all information sets of a player."""
    if player == 0:
        learn_everywhere(state.zero, update, step)
    else:
        learn_everywhere(state.one, update, step)


FULL = Kernels("full", see_full, learn_full, at_once)
PAID = Kernels("paid", see_paid, learn_full, at_once)


class FullFeedback(Feedback):
    """All deals at once. The sparse payoff has a compiled loop; any other one goes through the plain loop."""

    def __init__(self, form: SequenceForm, sides: tuple[Side, Side]) -> None:
        self._form, self._sides = form, sides
        sparse = form.payoff.sparse
        self.size = form.payoff.size
        self.earned = None if form.zero_sum else np.zeros(2)
        self._state: FullState | PaidState | None = None
        if sparse is not None:
            parts = *sides, *sparse.matrices
            self._state = FullState(*parts) if self.earned is None else PaidState(*parts, self.earned)

    def see(self, who: int, step: Step) -> None:
        """The gradient of each player who learns against the other's plan; as ``see_paid`` where that is to be done."""
        for player in (0, 1):
            if who >> player & 1 or (self.earned is not None and player == 1):
                self._form.payoff.gradient(player, self._sides[1 - player].plan, self._sides[player].values)
        if self.earned is not None and who & 1:
            earn(*self._sides, step, self.earned)

    def learn(self, player: int, update: Update, step: Step) -> None:
        """One pass over all information sets of the player."""
        learn_everywhere(self._sides[player], update, step)

    def advance(self, loop_of: Callable[[Kernels], Loop], schedule: int, update: Update, steps: Floats) -> bool:
        """All iterations in one kernel, for the sparse payoff."""
        if self._state is None:
            return False
        loop_of(FULL if self.earned is None else PAID)(self._state, schedule, update, steps)
        return True

    def look(self, player: int, iteration: int, behaviours: Behaviours) -> Sight:
        """Every history, and the counterfactual values of all actions."""
        mine, theirs = self._sides[player], self._sides[1 - player]
        plan, values = np.empty_like(theirs.plan), np.empty_like(mine.values)
        realisation_plan(theirs.parent, theirs.first, behaviours[1 - player], plan)
        self._form.payoff.gradient(player, plan, values)
        expected_value(mine.parent, mine.first, behaviours[player], values)
        histories = 0 if self._form.tree is None else self._form.tree.histories
        return Sight(np.arange(histories, dtype=np.uint32), values)


def make(form: AnyForm, sides: tuple[Any, Any], wishes: Wishes) -> Feedback:
    """On lanes for games with hands; else on one core, or on several where it pays or is wished for."""
    from regretlab.feedback.blocks import BlockFeedback
    from regretlab.feedback.cores import CoresFeedback, cores_to_use
    from regretlab.feedback.lanes import LaneFeedback

    if isinstance(form, LaneForm):
        return LaneFeedback(form, sides, wishes.precision, wishes.cores)
    if isinstance(form, BlockForm):
        return BlockFeedback(form, sides, wishes)

    cores = cores_to_use(form, wishes.cores)
    return CoresFeedback(form, sides, cores) if cores > 1 else FullFeedback(form, sides)
