"""Full feedback for games in which cards are turned up: seen and learned block by block.

A block is opened with both players' strategies, which follow from their regrets and are not kept; then it is known what
every slot earns, and the learners' regrets take that in. So a pass sees and learns in one walk, and of each number that
there is only the regret and the average are ever stored.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretlab.errors import UserError
from regretlab.feedback.barrier import Counters, meet
from regretlab.feedback.cores import Crew, begin_share, checked_cores
from regretlab.feedback.draws import uniform
from regretlab.feedback.protocol import Behaviours, Feedback, Kernels, Loop, Sight, Wishes, at_once
from regretlab.forms.block_passes import WIDTH, Boards, Room, Shapes, block_kernel
from regretlab.forms.block_walk import (
    CLOSE,
    GO_ON,
    NO_LINKS,
    OPEN,
    WHOLE,
    Drawn,
    Ground,
    all_boards,
    block_walk,
    entered,
)
from regretlab.forms.blocks import BlockForm, BlockTreeplex
from regretlab.forms.kernel import Floats, Indices, inlined_kernel, kernel, specialised
from regretlab.forms.lane_passes import REALS, aligned_zeros
from regretlab.forms.packed import KEPT, PACKED, computed_in, kept_size, pack
from regretlab.rules import Step
from regretlab.rules.lane_update import LaneUpdate, Segment

_NONE, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)


class BlockSide(NamedTuple):
    """What is kept of one player: (blocks, tiles, slots without entries, hands of a tile) as flat arrays."""

    regret: Floats
    total: Floats
    strategy: Floats  # empty where it follows from the regrets
    memory: Floats  # (blocks, tiles, nodes, hands of a tile); empty with the strategy
    possible: NDArray[np.bool_]  # the same: whether there is a hand
    upwards: Indices  # as many numbers as a shape has nodes at most, from the highest down
    segment: Segment


def new_block_side(treeplex: BlockTreeplex, precision: str, recalls: bool) -> BlockSide:
    """A side before the first iteration. Where a rule ``recalls`` strategies they are kept, uniform at first."""
    kind, size = KEPT[precision], kept_size(treeplex.size, precision)
    shapes = treeplex.layout.shapes
    nodes = max(len(shape.parents[treeplex.player]) for shape in shapes)
    most = max((len(moves) for shape in shapes for moves in shape.moves[treeplex.player]), default=1)
    strategy, possible = np.zeros(0, dtype=kind), np.zeros(0, dtype=bool)
    if recalls:
        strategy = aligned_zeros(size, kind)
        possible = np.zeros(treeplex.memory_size, dtype=bool)
        _begin_uniform(treeplex, strategy, possible)
    return BlockSide(
        aligned_zeros(size, kind),
        aligned_zeros(size, kind),
        strategy,
        np.zeros(treeplex.memory_size if recalls else 0),
        possible,
        np.arange(nodes, dtype=np.uint32)[::-1].copy(),
        Segment(np.zeros(most), np.zeros(most), np.zeros(most)),
    )


def _begin_uniform(treeplex: BlockTreeplex, strategy: Floats, possible: NDArray[np.bool_]) -> None:
    """Every action equally likely where there is a hand. Block by block: lists of all places would take more memory
    than the run itself."""
    width, player = int(WIDTH), treeplex.player
    for shape, board, stored, noded in treeplex.blocks():
        tiles, first = board.tiles(player), np.array(shape.firsts[player])
        nodes, own = len(first) - 1, shape.slots(player) - shape.entries
        held = (np.arange(tiles * width) < len(board.hands[player])).reshape(tiles, 1, width)
        each = np.repeat(1 / np.diff(first), np.diff(first)).reshape(1, own, 1)
        pack(held * each, strategy, stored)
        possible[noded : noded + tiles * nodes * width].reshape(tiles, nodes, width)[:] = held


class BlockState(NamedTuple):
    """Both players, and where walks find what they need."""

    ground: Ground
    top: Room  # of the first block
    room: Room  # of all blocks below it
    zero: BlockSide
    one: BlockSide
    who: Indices  # (1,) who learns in this pass
    drawn: Drawn
    seed: int
    links: Indices  # empty: all of them


class BlockShareState(NamedTuple):
    """The same for one of several cores: the first block is everybody's, and each has some of its links."""

    ground: Ground
    top: Room
    room: Room
    zero: BlockSide
    one: BlockSide
    who: Indices
    drawn: Drawn
    seed: int
    links: Indices
    counters: Counters
    core: int


REAL: Any = np.float64
play_tiles: Any = None
recall_tiles: Any = None
average_tiles: Any = None
load_tile: Any = None
keep_tile: Any = None
walk: Any = None
IS_PACKED = False
"""The kernels for numbers of a precision, which ``block_loop`` puts in place of these."""


def play_side(shapes: Shapes, side: BlockSide, room: Room, k: int, tiles: int, stored: int, begin: int) -> None:
    """What a player plays in a block."""
    if len(side.strategy) > 0:
        recall_tiles(shapes, k, tiles, stored, begin, side.strategy, room)
    else:
        play_tiles(shapes, k, tiles, stored, begin, side.regret, room)


def count_side(
    shapes: Shapes, side: BlockSide, room: Room, step: Step, k: int, tiles: int, stored: int, begin: int
) -> None:
    """What a learner has played counts in the average."""
    entries, slots = np.uint64(shapes.entries[k >> _ONE]), np.uint64(shapes.slots[k])
    fade, weight = REAL(step.fade), REAL(step.weight)
    average_tiles(entries, slots, tiles, stored, begin, room, side.total, fade, weight)


def close_side(
    ground: Ground, side: BlockSide, room: Room, update: LaneUpdate, step: Step, k: int, board: int, tiles: int,
    stored: int, noded: int, begin: int,
) -> None:  # fmt: skip
    """Let a player learn in a block, tile by tile."""
    shapes = ground.shapes
    entries, slots = np.uint64(shapes.entries[k >> _ONE]), np.uint64(shapes.slots[k])
    node, end = np.uint64(shapes.node[k]), np.uint64(shapes.node[k + _ONE])
    nodes, own = end - node, slots - entries
    if nodes == _NONE:
        return
    first, parent = shapes.first[node + k : end + k + _ONE], shapes.parent[node:end]
    order = side.upwards[np.uint64(len(side.upwards)) - nodes :]
    for t in range(np.uint64(tiles)):
        start, store = begin + t * slots * WIDTH, stored + t * own * WIDTH
        if IS_PACKED:
            load_tile(side.regret, store, own, room.learned)
            update(
                step, order, len(order), first, parent, start, _NONE - entries * WIDTH, noded + t * nodes * WIDTH,
                room.learned, room.values, room.strategy, side.memory, side.possible, room.rows, side.segment,
            )  # fmt: skip
            keep_tile(room.learned, _NONE, own, side.regret, store, room.sums)
        else:
            update(
                step, order, len(order), first, parent, start, store - entries * WIDTH, noded + t * nodes * WIDTH,
                side.regret, room.values, room.strategy, side.memory, side.possible, room.rows, side.segment,
            )  # fmt: skip
        if len(side.strategy) > 0:
            keep_tile(room.strategy, start + entries * WIDTH, own, side.strategy, store, room.sums)


def see(state: BlockState, who: int, step: Step) -> None:
    """Nothing but who is to learn, and on which boards: seeing and learning go together."""
    state.who[0] = who
    draw_boards(state.ground.boards, state.drawn, state.seed, int(step.number))


def learn(state: BlockState, player: int, update: LaneUpdate, step: Step) -> None:
    """One walk for all who learn in this pass, when the first of them is called up."""
    if player == 0 or state.who[0] == 2:
        walk(state, state.top, int(state.who[0]), update, step, _NONE, _NONE, _NONE, WHOLE, state.links)


@kernel
def draw_boards(boards: Boards, drawn: Drawn, seed: int, iteration: int) -> None:
    """Turn up one card after the other, each with its probability; boards that only suits tell apart count together.

    What a block earns counts as often as its board would have to be drawn for it to come up once, so that on average
    everybody sees what a walk over all boards would show. Both passes of an iteration see the same cards.
    """
    board = _NONE
    for level in range(len(drawn.which)):
        first, end = np.uint64(boards.child[board]), np.uint64(boards.child[board + _ONE])
        if first == end:
            return
        cards = 0
        for c in range(first, end):
            after = np.uint64(boards.next[c])
            cards += int(boards.image[after + _ONE]) - int(boards.image[after])
        card = int(uniform(seed, iteration, level) * cards)
        for c in range(first, end):
            after = np.uint64(boards.next[c])
            alike = int(boards.image[after + _ONE]) - int(boards.image[after])
            if card < alike:
                drawn.which[level] = c - first
                drawn.scale[level + 1] = drawn.scale[level] * cards / alike
                board = after
                break
            card -= alike


def see_share(state: BlockShareState, who: int, step: Step) -> None:
    """Nothing but who is to learn."""
    if state.core == 0:
        state.who[0] = who
        draw_boards(state.ground.boards, state.drawn, state.seed, int(step.number))
    meet(state.counters, state.core)


def learn_share(state: BlockShareState, player: int, update: LaneUpdate, step: Step) -> None:
    """A core's part of a walk: the first core opens and closes the first block, and links are shared out."""
    if player == 0 or state.who[0] == 2:
        who = int(state.who[0])
        if state.core == 0:
            walk(state, state.top, who, update, step, _NONE, _NONE, _NONE, OPEN, state.links)
        meet(state.counters, state.core)
        if len(state.links) > 0:
            walk(state, state.top, who, update, step, _NONE, _NONE, _NONE, GO_ON, state.links)
        meet(state.counters, state.core)
        if state.core == 0:
            walk(state, state.top, who, update, step, _NONE, _NONE, _NONE, CLOSE, state.links)
        meet(state.counters, state.core)


@cache
def block_loop(precision: str, shared: bool) -> Kernels:
    """The parts of the loop for numbers of a precision."""
    real = computed_in(precision)
    parts: dict[str, Any] = {"REAL": REALS[real], "IS_PACKED": precision == PACKED}
    for each in ("play_tiles", "recall_tiles", "average_tiles", "load_tile", "keep_tile"):
        parts[each] = block_kernel(each, real, precision)
    sides = [kernel(specialised(text, precision, **parts)) for text in (play_side, count_side, close_side)]
    made = {"walk": block_walk("shared_learning" if shared else "learning", real, precision, *sides)}
    texts: tuple[Any, Any] = (see_share, learn_share) if shared else (see, learn)
    seeing, learning = (inlined_kernel(specialised(text, precision, **made)) for text in texts)
    return Kernels(f"{'shared_' * shared}blocks_{precision}", seeing, learning, begin_share if shared else at_once)


class BlockFeedback(Feedback):
    """All hands of all boards, or of boards that are ``drawn``, by several threads where that is quicker."""

    def __init__(
        self, form: BlockForm, sides: tuple[BlockSide, BlockSide], wishes: Wishes, draws: bool = False
    ) -> None:
        self._form, self._sides = form, sides
        real, wished = computed_in(wishes.precision), wishes.cores
        drawn = all_boards(form.layout, real)
        if draws:
            drawn = drawn._replace(which=np.zeros(len(form.layout.levels), dtype=np.uint32))
        self.size = form.payoff.size
        height = len(form.layout.levels) - 1
        self._kernels = block_loop(wishes.precision, False)
        layout = form.layout
        ground, top = layout.ground(real), entered(layout, layout.new_room(real, levels=[0]))
        who = np.zeros(1, dtype=np.uint32)
        self._state = BlockState(
            ground,
            top,
            layout.new_room(real, layout.lower) if height else top,
            *sides,
            who,
            drawn,
            wishes.seed,
            NO_LINKS,
        )
        cores = checked_cores(wished, pays=height > 0)
        self._crew = None
        if cores > 1 and height:
            self._crew = Crew(block_loop(wishes.precision, True), cores, self._shared(real, cores))

    def _shared(self, precision: str, cores: int) -> Callable[[Counters, int], BlockShareState]:
        """What gives each core its state: links of the first block, a room of its own."""
        layout, state = self._form.layout, self._state
        rooms = [state.room, *(layout.new_room(precision, layout.lower) for _ in range(cores - 1))]
        shares = layout.shared_links(cores)

        def own(side: BlockSide) -> BlockSide:
            return side._replace(segment=Segment(*(part.copy() for part in side.segment)))

        sides = [(own(state.zero), own(state.one)) for _ in range(cores)]

        def state_of(counters: Counters, core: int) -> BlockShareState:
            return BlockShareState(
                state.ground,
                state.top,
                rooms[core],
                *sides[core],
                state.who,
                state.drawn,
                state.seed,
                shares[core],
                counters,
                core,
            )

        return state_of

    def see(self, who: int, step: Step) -> None:
        """Note who learns."""
        self._state.top.played[:] = 0
        self._kernels.see(self._state, who, step)

    def learn(self, player: int, update: Any, step: Step) -> None:
        """One walk over all blocks, for all who learn in this pass."""
        self._kernels.learn(self._state, player, update, step)

    def advance(self, loop_of: Callable[[Kernels], Loop], schedule: int, update: Any, steps: Floats) -> bool:
        """All iterations in one kernel."""
        self._state.top.played[:] = 0  # what was learned may have been changed, by a saved run or a new start

        def alone(some: Floats) -> None:
            loop_of(self._kernels)(self._state, schedule, update, some)

        if self._crew is None:
            alone(steps)
        else:
            self._crew.advance(loop_of, alone, schedule, update, steps)
        return True

    def look(self, player: int, iteration: int, behaviours: Behaviours) -> Sight:
        """Nobody looks at so many numbers at once."""
        raise UserError(f"{self._form.name} is too large to be looked at number by number; solve it by histories")
