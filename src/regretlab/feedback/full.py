"""Full feedback: all deals, weighted with their chance probability, one gradient for each player."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from regretlab.feedback.protocol import Behaviours, Feedback, Kernels, Loop, Sight, Wishes, at_once
from regretlab.feedback.side import Side, learn_everywhere
from regretlab.forms import AnyForm, LaneForm, SequenceForm, SparseMatrix
from regretlab.forms.kernel import Floats, inlined_kernel
from regretlab.forms.passes import expected_value, realisation_plan, sparse_product
from regretlab.rules import Step, Update


class FullState(NamedTuple):
    """Both players, and the rows of the payoff for each."""

    zero: Side
    one: Side
    matrix_zero: SparseMatrix
    matrix_one: SparseMatrix


@inlined_kernel
def see_full(state: FullState, who: int, step: Step) -> None:
    """The gradient of each player who learns against the other's plan."""
    if who & 1:
        matrix = state.matrix_zero
        sparse_product(matrix.first, matrix.column, matrix.entry, state.one.plan, state.zero.values)
    if who & 2:
        matrix = state.matrix_one
        sparse_product(matrix.first, matrix.column, matrix.entry, state.zero.plan, state.one.values)


@inlined_kernel
def learn_full(state: FullState, player: int, update: Update, step: Step) -> None:
    """One pass over all information sets of a player."""
    if player == 0:
        learn_everywhere(state.zero, update, step)
    else:
        learn_everywhere(state.one, update, step)


FULL = Kernels("full", see_full, learn_full, at_once)


class FullFeedback(Feedback):
    """All deals at once. The sparse payoff has a compiled loop; any other one goes through the plain loop."""

    def __init__(self, form: SequenceForm, sides: tuple[Side, Side]) -> None:
        self._form, self._sides = form, sides
        sparse = form.payoff.sparse
        self.size = form.payoff.size
        self._state = None if sparse is None else FullState(*sides, *sparse.matrices)

    def see(self, who: int, step: Step) -> None:
        """The gradient of each player who learns against the other's plan."""
        for player in (0, 1):
            if who >> player & 1:
                self._form.payoff.gradient(player, self._sides[1 - player].plan, self._sides[player].values)

    def learn(self, player: int, update: Update, step: Step) -> None:
        """One pass over all information sets of the player."""
        learn_everywhere(self._sides[player], update, step)

    def advance(self, loop_of: Callable[[Kernels], Loop], schedule: int, update: Update, steps: Floats) -> bool:
        """All iterations in one kernel, for the sparse payoff."""
        if self._state is None:
            return False
        loop_of(FULL)(self._state, schedule, update, steps)
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
    from regretlab.feedback.cores import CoresFeedback, cores_to_use
    from regretlab.feedback.lanes import LaneFeedback

    if isinstance(form, LaneForm):
        return LaneFeedback(form, sides, wishes.precision, wishes.cores)

    cores = cores_to_use(form, wishes.cores)
    return CoresFeedback(form, sides, cores) if cores > 1 else FullFeedback(form, sides)
