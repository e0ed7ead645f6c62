"""The walk over all blocks of a game: down with reach, up with values, one block of each level at a time.

It is a text, as the passes are. What is done where a block is opened and closed makes it a learner's pass, a judge's
expectation or a best response.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretlab.forms.block_passes import WIDTH, Boards, Orders, Places, Room, Shapes, block_kernel
from regretlab.forms.kernel import Floats, Indices, kernel, specialised
from regretlab.forms.lane_passes import REALS
from regretlab.forms.packed import PACKED

if TYPE_CHECKING:
    from regretlab.forms.blocks import BlockLayout

_NONE, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)


class Ground(NamedTuple):
    """What a walk goes over; numbers are of one precision."""

    shapes: Shapes
    boards: Boards
    orders: Orders
    stored: Places  # (2 × blocks,) where the numbers of each block and player begin
    noded: Places  # (2 × blocks,) and those of its nodes


class Drawn(NamedTuple):
    """Which boards a walk goes to, where it does not go to all."""

    which: Indices  # (levels,) the number of the board among those that follow; empty if all are walked
    scale: Floats  # (levels,) one over the probability of having drawn the board, of the precision of the walk


def all_boards(layout: BlockLayout, precision: str) -> Drawn:
    """Nothing is drawn."""
    return Drawn(NO_LINKS, np.ones(len(layout.levels), dtype=REALS[precision]))


OPEN, GO_ON, CLOSE = np.int64(1), np.int64(2), np.int64(4)
"""The parts of a walk through a block: its own slots on the way down, what follows it, its own slots on the way up.

Not plain integers: to Numba such a constant is a type of its own, so that the walk would call another version of
itself, and kernels that do so can't be found again on disk: the process dies.
"""

WHOLE = OPEN | GO_ON | CLOSE

block_gradient: Any = None
enter_block: Any = None
leave_block: Any = None
even_out: Any = None
lock_tiles: Any = None
follow_tiles: Any = None
play_side: Any = None
count_side: Any = None
close_side: Any = None
walk_below: Any = None
EVENS = False
"""The parts of the text below, which ``block_walk`` puts in place of these."""


def walk_text(
    state: Any, room: Room, who: int, update: Any, step: Any, level: int, shape: int, board: int, parts: int,
    links: Indices,
) -> None:  # fmt: skip
    """Go through a block and all that follow it by some ``links``, or by all if none is given.

    The reach of the block's entries has to be in ``room``, and what they are worth is there in the end.

    Opened: both players' strategies and plans, and what the block earns those in ``who`` where the game ends there.
    What somebody plays in the first block stays in its room until he has learned: who takes turns plays half as often.
    Then all blocks below, board after board, each of which hands up what it is worth. Closed: values go up to the
    entries, and whoever learns learns on the way.
    """
    ground, shapes, boards = state.ground, state.ground.shapes, state.ground.boards
    cell = _TWO * (np.uint64(shapes.cell[shape]) + np.uint64(boards.rank[board]))
    here, below = _TWO * shape, level + _ONE
    if parts & OPEN:
        for player in range(_TWO):
            tiles = (np.uint64(boards.hands[_TWO * board + player]) + WIDTH - _ONE) // WIDTH
            begin, stored = room.at[_TWO * level + player], ground.stored[cell + player]
            k, side = here + player, state.zero if player == _NONE else state.one
            if level > _NONE or room.played[player] == 0:
                play_side(shapes, side, room, k, tiles, stored, begin)
                changed = False
                if EVENS and boards.alike[_TWO * board + player] < boards.alike[_TWO * board + player + _ONE]:
                    even_out(boards, room.strategy, board, player, np.uint64(shapes.slots[k]), begin)
                    changed = True
                if shapes.lock[k] < shapes.lock[k + _ONE]:
                    at = ground.orders.at[_TWO * np.uint64(boards.order[board]) + player]
                    hands = np.uint64(boards.hands[player])
                    lock_tiles(shapes, ground.orders, room, k, board, hands, at, tiles, begin)
                    changed = True
                if changed:
                    follow_tiles(shapes, room, k, tiles, begin)
                if level == _NONE:
                    room.played[player] = 1
            if who >> int(player) & 1:
                count_side(shapes, side, room, step, k, tiles, stored, begin)
        for player in range(_TWO):
            if who >> int(player) & 1:
                other = _ONE - player
                block_gradient(
                    shapes, ground.orders, room, here + player, np.uint64(boards.order[board]),
                    np.uint64(boards.hands[_TWO * board + player]), np.uint64(boards.hands[_TWO * board + other]),
                    room.at[_TWO * level + player], room.at[_TWO * level + other], state.drawn.scale[level],
                )  # fmt: skip
    if parts & GO_ON:
        first = np.uint64(shapes.link[shape])
        count = np.uint64(len(links)) if len(links) > 0 else np.uint64(shapes.link[shape + _ONE]) - first
        for number in range(count):
            link = first + (np.uint64(links[number]) if len(links) > 0 else number)
            after = np.uint64(shapes.below[link])
            low, high = np.uint64(boards.child[board]), np.uint64(boards.child[board + _ONE])
            if len(state.drawn.which) > 0:
                low += np.uint64(state.drawn.which[level])
                high = low + _ONE
            for c in range(low, high):
                turned = np.uint64(boards.next[c])
                for player in range(_TWO):
                    above, begin = room.at[_TWO * level + player], state.room.at[_TWO * below + player]
                    slots = np.uint64(shapes.slots[here + player])
                    enter_block(shapes, boards, room, state.room, link, turned, player, above, begin, slots)
                walk_below(state, state.room, who, update, step, below, after, turned, WHOLE, links[:0])
                for player in range(_TWO):
                    if who >> int(player) & 1:
                        above, begin = room.at[_TWO * level + player], state.room.at[_TWO * below + player]
                        slots = np.uint64(shapes.slots[here + player])
                        leave_block(shapes, boards, room, state.room, link, turned, player, above, begin, slots)
    if parts & CLOSE:
        for player in range(_TWO):
            if who >> int(player) & 1:
                k, begin = here + player, room.at[_TWO * level + player]
                tiles = (np.uint64(boards.hands[_TWO * board + player]) + WIDTH - _ONE) // WIDTH
                if boards.alike[_TWO * board + player] < boards.alike[_TWO * board + player + _ONE]:
                    even_out(boards, room.values, board, player, np.uint64(shapes.slots[k]), begin)
                stored, noded = ground.stored[cell + player], ground.noded[cell + player]
                side = state.zero if player == _NONE else state.one
                close_side(ground, side, room, update, step, k, board, tiles, stored, noded, begin)
                if level == _NONE:
                    room.played[player] = 0


def block_walk(
    name: str,
    precision: str,
    stored: str,
    play_side: Callable[..., None],
    count_side: Callable[..., None],
    close_side: Callable[..., None],
) -> Callable[..., None]:
    """The walk that goes by ``name``: how players play in a block, how that is counted, and what they make of it.

    Strategies that follow from packed numbers are evened out: hands that only suits tell apart may stand in different
    rows, which are rounded to multiples of different units.
    """
    kernels = ("block_gradient", "enter_block", "leave_block", "even_out", "lock_tiles", "follow_tiles")
    parts: dict[str, Any] = {each: block_kernel(each, precision) for each in kernels}
    parts["EVENS"] = stored == PACKED
    parts |= {"play_side": play_side, "count_side": count_side, "close_side": close_side}
    text = specialised(walk_text, f"{name}_{precision}_{stored}", **parts)
    walk = kernel(text)
    text.__globals__["walk_below"] = walk  # the same walk, one level below
    return walk


NO_LINKS: Indices = np.zeros(0, dtype=np.uint32)


def entered(layout: BlockLayout, room: Room) -> Room:
    """A room in which every hand has come to the first block."""
    for player in (0, 1):
        place = places_in_room(layout, room, player, level=0, shape=0, board=0)
        room.plan[place] = 1
    return room


def places_in_room(
    layout: BlockLayout, room: Room, player: int, level: int, shape: int, board: int, slot: int = 0
) -> NDArray[np.int64]:
    """Where the hands of a player stand in the row of a slot of a block, while it is open."""
    slots, width = layout.shapes[shape].slots(player), int(WIDTH)
    hand = np.arange(len(layout.boards[board].hands[player]))
    return int(room.at[2 * level + player]) + (hand // width * slots + slot) * width + hand % width
