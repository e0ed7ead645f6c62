"""Full feedback for games with hands: all hands of a player see and learn side by side."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from regretlab.errors import UserError
from regretlab.feedback.barrier import Counters, meet
from regretlab.feedback.blocks import BlockSide, new_block_side
from regretlab.feedback.cores import Crew, begin_share, checked_cores, cut, stretches
from regretlab.feedback.protocol import Behaviours, Feedback, Kernels, Loop, Sight, at_once
from regretlab.feedback.side import Side, new_side
from regretlab.forms.blocks import BlockForm
from regretlab.forms.kernel import Floats, Indices, inlined_kernel, kernel, specialised
from regretlab.forms.lane_passes import REALS, Dense, Sorted, aligned, aligned_zeros, lane_kernel
from regretlab.forms.lanes import AnyForm, LaneForm, LaneTreeplex
from regretlab.forms.packed import PACKED
from regretlab.games.size import check_lanes_fit, lane_size_of
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
        aligned_zeros(treeplex.size, real),
        aligned_zeros(treeplex.size, real),
        aligned_zeros(treeplex.size, real),
        aligned_zeros(treeplex.memory_size),
        possible,
        aligned_zeros(ROWS * treeplex.width, real),
        Segment(np.zeros(most), np.zeros(most), np.zeros(most)),
    )


AnySide: TypeAlias = Side | LaneSide | BlockSide


def new_sides(form: AnyForm, precision: str, recalls: bool = True) -> tuple[AnySide, AnySide]:
    """Both players before the first iteration; in blocks strategies are kept only where the rule ``recalls`` them."""
    if isinstance(form, BlockForm):
        zero, one = form.treeplexes
        return new_block_side(zero, precision, recalls), new_block_side(one, precision, recalls)
    if precision == PACKED:
        raise UserError(f"precision={PACKED} is for Hold'em, in blocks; {form.name} is solved in f64 or f32")
    if isinstance(form, LaneForm):
        check_lanes_fit(form.rules, lane_size_of(form.rules), np.dtype(REALS[precision]).itemsize)
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


class LaneShare(NamedTuple):
    """What one core does for one player: stretches, each from its first to behind its last."""

    slots: tuple[int, int]  # whose gradient it sums
    sights: tuple[int, int]  # that it sweeps
    numbers: tuple[int, int]  # that it adds to the average
    tiles: tuple[int, int]  # in which it learns
    group: Indices  # nodes of these tiles, children before parents
    crown: Indices  # nodes above all groups; the first core has them


class LaneShareState(NamedTuple):
    """Both players, the endings of each, and what one core does for each of them."""

    zero: LaneSide
    one: LaneSide
    dense_zero: Dense
    sorted_zero: Sorted
    dense_one: Dense
    sorted_one: Sorted
    share_zero: LaneShare
    share_one: LaneShare
    counters: Counters
    core: int


WIDTH, REAL = np.uint64(8), np.float64
dense_gradient: Any = None
sweeps: Any = None
sorted_gradient: Any = None
lane_average: Any = None
lane_plan: Any = None
see_lanes: Any = None
learn_lanes: Any = None
update_tiles: Any = None
"""The kernels for lanes of a width and a precision, which ``lane_parts`` puts in place of these."""


def see(state: LaneState, who: int, step: Step) -> None:
    """The gradient of each player who learns against the other's plan."""
    if who & 1:
        see_lanes(state.dense_zero, state.sorted_zero, state.one.plan, state.zero.values)
    if who & 2:
        see_lanes(state.dense_one, state.sorted_one, state.zero.plan, state.one.values)


def see_all(dense: Dense, swept: Sorted, plan: Floats, out: Floats) -> None:
    """One player's gradient."""
    slots = len(dense.rows) - 1
    dense_gradient(dense, plan, out, 0, slots)
    sweeps(swept, plan, 0, len(swept.seen))
    sorted_gradient(swept, out, 0, slots)


def learn(state: LaneState, player: int, update: LaneUpdate, step: Step) -> None:
    """One pass over all nodes of a player."""
    if player == 0:
        learn_lanes(state.zero, update, step)
    else:
        learn_lanes(state.one, update, step)


def learn_all(mine: LaneSide, update: LaneUpdate, step: Step) -> None:
    """One pass for one player, as ``learn_everywhere``, tile by tile."""
    tiles = len(mine.plan) // (int(mine.first[len(mine.parent)]) * int(WIDTH))
    lane_average(mine.total, mine.plan, 0, len(mine.plan), REAL(step.fade), REAL(step.weight))
    update_tiles(mine, update, step, mine.upwards, 0, tiles)
    lane_plan(mine.parent, mine.first, mine.upwards, 0, tiles, mine.strategy, mine.plan)


def update_some(mine: LaneSide, update: LaneUpdate, step: Step, order: Indices, low: int, high: int) -> None:
    """Let nodes learn, in the tiles ``low:high``."""
    parent, first, _, strategy, _, regret, _, values, memory, possible, rows, segment = mine
    slots, nodes = np.uint64(first[len(parent)]), np.uint64(len(parent))
    for t in range(np.uint64(low), np.uint64(high)):
        start, node = t * slots * WIDTH, t * nodes * WIDTH
        update(
            step, order, len(order), first, parent, start, start, node,
            regret, values, strategy, memory, possible, rows, segment,
        )  # fmt: skip


def see_share(state: LaneShareState, who: int, step: Step) -> None:
    """A core's part of the gradient of each player who learns."""
    if who & 1:
        see_lanes(
            state.dense_zero, state.sorted_zero, state.one.plan, state.zero.values, state.share_zero, state.counters,
            state.core,
        )  # fmt: skip
    if who & 2:
        see_lanes(
            state.dense_one, state.sorted_one, state.zero.plan, state.one.values, state.share_one, state.counters,
            state.core,
        )  # fmt: skip


def see_part(
    dense: Dense, swept: Sorted, plan: Floats, out: Floats, share: LaneShare, counters: Counters, core: int
) -> None:
    """A core's part of one player's gradient; sights are shared."""
    low, high = share.slots
    dense_gradient(dense, plan, out, low, high)
    if len(swept.seen) > 0:
        sweeps(swept, plan, share.sights[0], share.sights[1])
        meet(counters, core)
        sorted_gradient(swept, out, low, high)


def learn_share(state: LaneShareState, player: int, update: LaneUpdate, step: Step) -> None:
    """A core's part of one player's pass over the nodes."""
    if player == 0:
        learn_lanes(state.zero, state.share_zero, update, step, state.counters, state.core)
    else:
        learn_lanes(state.one, state.share_one, update, step, state.counters, state.core)


def learn_part(mine: LaneSide, share: LaneShare, update: LaneUpdate, step: Step, counters: Counters, core: int) -> None:
    """Average and group, then the crown, then the plan from the crown down, after all have seen.

    When it returns, all have learned. The crown is above the groups of all tiles where there is one tile only.
    """
    low, high = share.tiles
    meet(counters, core)
    lane_average(mine.total, mine.plan, share.numbers[0], share.numbers[1], REAL(step.fade), REAL(step.weight))
    update_tiles(mine, update, step, share.group, low, high)
    meet(counters, core)
    if len(share.crown) > 0:
        update_tiles(mine, update, step, share.crown, low, high)
        lane_plan(mine.parent, mine.first, share.crown, low, high, mine.strategy, mine.plan)
    meet(counters, core)
    lane_plan(mine.parent, mine.first, share.group, low, high, mine.strategy, mine.plan)
    meet(counters, core)


@cache
def lane_parts(width: int, precision: str) -> dict[str, Any]:
    """The kernels that both loops are made of, by name."""
    names = ("dense_gradient", "sweeps", "sorted_gradient", "lane_average", "lane_plan")
    parts: dict[str, Any] = {each: lane_kernel(each, width, precision) for each in names}
    parts |= {"WIDTH": np.uint64(width), "REAL": REALS[precision]}
    return parts | {"update_tiles": kernel(specialised(update_some, f"{width}_{precision}", **parts))}


@cache
def lane_loop(width: int, precision: str, shared: bool) -> Kernels:
    """The parts of the loop for lanes of a width and numbers of a precision, on one core or for a share."""
    name, parts = f"{width}_{precision}", dict(lane_parts(width, precision))
    seeing: tuple[Any, Any] = (see_part, see_share) if shared else (see_all, see)
    learning: tuple[Any, Any] = (learn_part, learn_share) if shared else (learn_all, learn)
    parts["see_lanes"] = kernel(specialised(seeing[0], name, **parts))
    parts["learn_lanes"] = kernel(specialised(learning[0], name, **parts))
    made = [inlined_kernel(specialised(text, name, **parts)) for text in (seeing[1], learning[1])]
    return Kernels(f"{'shared_' * shared}lanes_{name}", made[0], made[1], begin_share if shared else at_once)


def lane_shares(treeplex: LaneTreeplex, dense: Dense, swept: Sorted, cores: int) -> list[LaneShare]:
    """Share a player's work out: by tiles, or, where there are too few, by groups of nodes."""
    weights = np.arange(treeplex.slots + 1) + np.cumsum([0, *np.diff(dense.rows)]) * len(dense.places)
    slots, sights = stretches(weights, cores), stretches(np.arange(len(swept.seen) + 1), cores)
    whole, nothing = (0, treeplex.tiles), np.empty(0, dtype=np.uint32)
    if treeplex.tiles >= cores:
        tiles = stretches(np.arange(treeplex.tiles + 1), cores)
        learning = [(treeplex.upwards, nothing)] * cores
    else:
        parts = cut(treeplex.parent, treeplex.first, cores)
        groups = [*parts.groups, *[nothing] * (cores - len(parts.groups))]
        learning = [(group, nothing if k else parts.crown) for k, group in enumerate(groups)]
        tiles = []
    numbers = stretches(np.arange(treeplex.size // LINE + 1), cores)
    return [
        LaneShare(
            (slots[k], slots[k + 1]),
            (sights[k], sights[k + 1]),
            (numbers[k] * LINE, numbers[k + 1] * LINE),
            (tiles[k], tiles[k + 1]) if tiles else whole,
            *learning[k],
        )
        for k in range(cores)
    ]


LINE = 8
"""Numbers of a cache line, which no two cores should write to."""

NUMBERS_THAT_PAY = 50_000
"""Numbers of both players from which on several cores are used unless told otherwise."""


class LaneFeedback(Feedback):
    """All hands at once, by several threads where that is quicker."""

    def __init__(
        self, form: LaneForm, sides: tuple[LaneSide, LaneSide], precision: str, wished: int | None = None
    ) -> None:
        self._form, self._sides = form, sides
        self.size = form.payoff.size
        self._kernels = lane_loop(form.width, precision, False)
        endings = form.payoff.endings(0, precision), form.payoff.endings(1, precision)
        self._state = LaneState(*sides, *endings[0], *endings[1])
        large = sum(treeplex.size for treeplex in form.treeplexes) >= NUMBERS_THAT_PAY
        cores = checked_cores(wished, pays=large)
        self._crew = None if cores == 1 else Crew(lane_loop(form.width, precision, True), cores, self._shared(cores))

    def _shared(self, cores: int) -> Callable[[Counters, int], LaneShareState]:
        """What gives each core its state: shared arrays, and scratch of its own."""
        zero, one, dense_zero, sorted_zero, dense_one, sorted_one = self._state
        shares = (
            lane_shares(self._form.treeplexes[0], dense_zero, sorted_zero, cores),
            lane_shares(self._form.treeplexes[1], dense_one, sorted_one, cores),
        )

        def own(side: LaneSide) -> LaneSide:
            return side._replace(rows=aligned(side.rows), segment=Segment(*(part.copy() for part in side.segment)))

        def own_sweeps(swept: Sorted) -> Sorted:
            scratch = ("weaker", "stronger", "cards", "reach")
            return swept._replace(**{name: getattr(swept, name).copy() for name in scratch})

        sides = [(own(zero), own(one)) for _ in range(cores)]
        sweeping = [(own_sweeps(sorted_zero), own_sweeps(sorted_one)) for _ in range(cores)]

        def state_of(counters: Counters, core: int) -> LaneShareState:
            endings = dense_zero, sweeping[core][0], dense_one, sweeping[core][1]
            return LaneShareState(*sides[core], *endings, shares[0][core], shares[1][core], counters, core)

        return state_of

    def see(self, who: int, step: Step) -> None:
        """The gradient of each player who learns against the other's plan."""
        self._kernels.see(self._state, who, step)

    def learn(self, player: int, update: Any, step: Step) -> None:
        """One pass over all nodes of the player."""
        self._kernels.learn(self._state, player, update, step)

    def advance(self, loop_of: Callable[[Kernels], Loop], schedule: int, update: Any, steps: Floats) -> bool:
        """All iterations in one kernel."""

        def alone(some: Floats) -> None:
            loop_of(self._kernels)(self._state, schedule, update, some)

        if self._crew is None:
            alone(steps)
        else:
            self._crew.advance(loop_of, alone, schedule, update, steps)
        return True

    def look(self, player: int, iteration: int, behaviours: Behaviours) -> Sight:
        """The counterfactual values of all actions."""
        mine, theirs = self._form.treeplexes[player], self._form.treeplexes[1 - player]
        plan, values = np.empty(theirs.size), np.empty(mine.size)
        theirs.plan(behaviours[1 - player], plan)
        self._form.payoff.gradient(player, plan, values)
        mine.expectation(behaviours[player], values)
        return Sight(np.arange(0, dtype=np.uint32), values)
