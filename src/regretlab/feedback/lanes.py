"""Full feedback for games with hands: all hands of a player see and learn side by side."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from regretlab.errors import UserError
from regretlab.feedback.protocol import Behaviours, Feedback, Kernels, Loop, Sight, at_once
from regretlab.feedback.side import Side, new_side
from regretlab.forms.kernel import Floats, Indices, inlined_kernel, kernel, specialised
from regretlab.forms.lane_passes import REALS, Dense, Sorted, aligned, lane_kernel
from regretlab.forms.lanes import AnyForm, LaneForm, LaneTreeplex
from regretlab.rules import Step
from regretlab.rules.lane_update import ROWS, LaneUpdate, Segment


class LaneSide(NamedTuple):
    """The arrays of one player, as in ``Side``: numbers are (tiles, slots, lanes of a tile)."""

    parent: Indices  # (nodes,) of the treeplex
    first: Indices  # (nodes + 1,) of the treeplex
    upwards: Indices  # (nodes,) children before parents
    strategy: Floats
    plan: Floats
    regret: Floats
    total: Floats
    values: Floats
    memory: Floats  # (tiles, nodes, lanes of a tile)
    possible: NDArray[np.bool_]  # the same: whether the hand can be held there
    rows: Floats
    segment: Segment


def new_lane_side(treeplex: LaneTreeplex, precision: str) -> LaneSide:
    """A side before the first iteration: no regrets, and every action equally likely."""
    real = REALS[precision]
    strategy, plan = np.empty(treeplex.size), np.empty(treeplex.size)
    treeplex.normalise(np.zeros(treeplex.size), strategy)
    treeplex.plan(strategy, plan)
    possible = np.zeros(treeplex.memory_size, dtype=bool)
    possible[treeplex.memory_place] = True
    most = int(np.diff(treeplex.first).max(initial=1))
    return LaneSide(
        treeplex.parent,
        treeplex.first,
        np.arange(treeplex.nodes, dtype=np.uint32)[::-1].copy(),
        aligned(strategy.astype(real)),
        aligned(plan.astype(real)),
        aligned(np.zeros(treeplex.size, dtype=real)),
        aligned(np.zeros(treeplex.size, dtype=real)),
        aligned(np.zeros(treeplex.size, dtype=real)),
        aligned(np.zeros(treeplex.memory_size)),
        possible,
        aligned(np.zeros(ROWS * treeplex.width, dtype=real)),
        Segment(np.zeros(most), np.zeros(most), np.zeros(most)),
    )


AnySide: TypeAlias = Side | LaneSide


def new_sides(form: AnyForm, precision: str) -> tuple[AnySide, AnySide]:
    """Both players before the first iteration."""
    if isinstance(form, LaneForm):
        return new_lane_side(form.treeplexes[0], precision), new_lane_side(form.treeplexes[1], precision)
    if precision != "f64":
        raise UserError(f"precision={precision} is for games on lanes; {form.name} is solved by its histories, in f64")
    return new_side(form.treeplexes[0]), new_side(form.treeplexes[1])


class LaneState(NamedTuple):
    """Both players, and the endings of each."""

    zero: LaneSide
    one: LaneSide
    dense_zero: Dense
    sorted_zero: Sorted
    dense_one: Dense
    sorted_one: Sorted


WIDTH, REAL = np.uint64(8), np.float64
dense_gradient: Any = None
sorted_gradient: Any = None
lane_average: Any = None
lane_plan: Any = None
learn_on_lanes: Any = None
"""The kernels for lanes of a width and a precision, which ``lane_loop`` puts in place of these."""


def see(state: LaneState, who: int, step: Step) -> None:
    """The gradient of each player who learns against the other's plan."""
    if who & 1:
        dense_gradient(state.dense_zero, state.one.plan, state.zero.values)
        sorted_gradient(state.sorted_zero, state.one.plan, state.zero.values)
    if who & 2:
        dense_gradient(state.dense_one, state.zero.plan, state.one.values)
        sorted_gradient(state.sorted_one, state.zero.plan, state.one.values)


def learn(state: LaneState, player: int, update: LaneUpdate, step: Step) -> None:
    """One pass over all nodes of a player."""
    if player == 0:
        learn_on_lanes(state.zero, update, step)
    else:
        learn_on_lanes(state.one, update, step)


def learn_lanes(mine: LaneSide, update: LaneUpdate, step: Step) -> None:
    """One pass for one player, as ``learn_everywhere``, tile by tile."""
    parent, first, upwards, strategy, plan, regret, total, values, memory, possible, rows, segment = mine
    lane_average(total, plan, REAL(step.fade), REAL(step.weight))
    slots, nodes = np.uint64(first[len(parent)]), np.uint64(len(parent))
    for t in range(np.uint64(len(plan)) // (slots * WIDTH)):
        start, node = t * slots * WIDTH, t * nodes * WIDTH
        update(
            step,
            upwards,
            len(upwards),
            first,
            parent,
            start,
            node,
            regret,
            values,
            strategy,
            memory,
            possible,
            rows,
            segment,
        )
    lane_plan(parent, first, strategy, plan)


@cache
def lane_loop(width: int, precision: str) -> Kernels:
    """The parts of the loop for lanes of a width and numbers of a precision."""
    name = f"{width}_{precision}"
    parts: dict[str, Any] = {
        each: lane_kernel(each, width, precision)
        for each in ("dense_gradient", "sorted_gradient", "lane_average", "lane_plan")
    }
    parts |= {"WIDTH": np.uint64(width), "REAL": REALS[precision]}
    parts["learn_on_lanes"] = kernel(specialised(learn_lanes, name, **parts))
    seeing: Any = inlined_kernel(specialised(see, name, **parts))
    learning: Any = inlined_kernel(specialised(learn, name, **parts))
    return Kernels(f"lanes_{name}", seeing, learning, at_once)


class LaneFeedback(Feedback):
    """All hands at once."""

    def __init__(self, form: LaneForm, sides: tuple[LaneSide, LaneSide], precision: str) -> None:
        self._form, self._sides = form, sides
        payoff = form.payoff
        self.size = payoff.size
        self._kernels = lane_loop(form.width, precision)
        self._state = LaneState(*sides, *payoff.endings(0, precision), *payoff.endings(1, precision))

    def see(self, who: int, step: Step) -> None:
        """The gradient of each player who learns against the other's plan."""
        self._kernels.see(self._state, who, step)

    def learn(self, player: int, update: Any, step: Step) -> None:
        """One pass over all nodes of the player."""
        self._kernels.learn(self._state, player, update, step)

    def advance(self, loop_of: Callable[[Kernels], Loop], schedule: int, update: Any, steps: Floats) -> bool:
        """All iterations in one kernel."""
        loop_of(self._kernels)(self._state, schedule, update, steps)
        return True

    def look(self, player: int, iteration: int, behaviours: Behaviours) -> Sight:
        """The counterfactual values of all actions."""
        mine, theirs = self._form.treeplexes[player], self._form.treeplexes[1 - player]
        plan, values = np.empty(theirs.size), np.empty(mine.size)
        theirs.plan(behaviours[1 - player], plan)
        self._form.payoff.gradient(player, plan, values)
        mine.expectation(behaviours[player], values)
        return Sight(np.arange(0, dtype=np.uint32), values)
