"""The walk over all blocks of a game: down with reach, up with values, one block of each level at a time.

It is a text, as the passes are. What is done where a block is opened and closed makes it a learner's pass, a judge's
expectation or a best response.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from regretlab.forms.block_passes import WIDTH, Boards, Orders, Places, Room, Shapes, block_kernel
from regretlab.forms.kernel import kernel, specialised

_NONE, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)


class Ground(NamedTuple):
    """What a walk goes over; numbers are of one precision."""

    shapes: Shapes
    boards: Boards
    orders: Orders
    stored: Places  # (2 × blocks,) where the numbers of each block and player begin
    noded: Places  # (2 × blocks,) and those of its nodes


block_gradient: Any = None
enter_block: Any = None
leave_block: Any = None
even_out: Any = None
open_block: Any = None
open_side: Any = None
close_block: Any = None
close_side: Any = None
walk_below: Any = None
walk_link: Any = None
"""The parts of the texts below, which ``block_walk`` puts in place of these."""


def walk_text(state: Any, room: Room, who: int, update: Any, step: Any, level: int, shape: int, board: int) -> None:
    """Go through a block and all that follow it; the reach of its entries has to be there."""
    open_block(state, room, who, step, level, shape, board)
    links = state.ground.shapes.link
    for link in range(np.uint64(links[shape]), np.uint64(links[shape + _ONE])):
        walk_link(state, room, who, update, step, level, shape, board, link)
    close_block(state, room, who, update, step, level, shape, board)


def link_text(
    state: Any, room: Room, who: int, update: Any, step: Any, level: int, shape: int, board: int, link: int
) -> None:
    """Go through all blocks that follow a link, board after board, and hand up what they are worth."""
    shapes, boards, below = state.ground.shapes, state.ground.boards, level + _ONE
    here, after = _TWO * shape, np.uint64(shapes.below[link])
    for c in range(np.uint64(boards.child[board]), np.uint64(boards.child[board + _ONE])):
        turned = np.uint64(boards.next[c])
        for player in range(_TWO):
            above, begin = room.at[_TWO * level + player], state.room.at[_TWO * below + player]
            slots = np.uint64(shapes.slots[here + player])
            enter_block(shapes, boards, room, state.room, link, turned, player, above, begin, slots)
        walk_below(state, state.room, who, update, step, below, after, turned)
        for player in range(_TWO):
            if who >> int(player) & 1:
                above, begin = room.at[_TWO * level + player], state.room.at[_TWO * below + player]
                slots = np.uint64(shapes.slots[here + player])
                leave_block(shapes, boards, room, state.room, link, turned, player, above, begin, slots)


def open_text(state: Any, room: Room, who: int, step: Any, level: int, shape: int, board: int) -> None:
    """Both players' strategies and plans in a block, and what it earns whom where the game ends there."""
    ground, boards = state.ground, state.ground.boards
    cell = _TWO * (np.uint64(ground.shapes.cell[shape]) + np.uint64(boards.rank[board]))
    for player in range(_TWO):
        tiles = (np.uint64(boards.hands[_TWO * board + player]) + WIDTH - _ONE) // WIDTH
        begin, stored = room.at[_TWO * level + player], ground.stored[cell + player]
        learns = (who >> int(player) & 1) == 1
        if player == _NONE:
            open_side(state, state.zero, room, learns, step, _TWO * shape, tiles, stored, begin)
        else:
            open_side(state, state.one, room, learns, step, _TWO * shape + _ONE, tiles, stored, begin)
    for player in range(_TWO):
        if who >> int(player) & 1:
            block_gradient(
                ground.shapes, ground.orders, room, _TWO * shape + player, np.uint64(boards.order[board]),
                np.uint64(boards.hands[_TWO * board + player]), np.uint64(boards.hands[_TWO * board + (_ONE - player)]),
                room.at[_TWO * level + player], room.at[_TWO * level + (_ONE - player)],
            )  # fmt: skip


def close_text(state: Any, room: Room, who: int, update: Any, step: Any, level: int, shape: int, board: int) -> None:
    """Values go up to the entries of a block, and whoever learns learns on the way."""
    ground, boards = state.ground, state.ground.boards
    cell = _TWO * (np.uint64(ground.shapes.cell[shape]) + np.uint64(boards.rank[board]))
    for player in range(_TWO):
        if who >> int(player) & 1:
            k, begin = _TWO * shape + player, room.at[_TWO * level + player]
            tiles = (np.uint64(boards.hands[_TWO * board + player]) + WIDTH - _ONE) // WIDTH
            if boards.alike[_TWO * board + player] < boards.alike[_TWO * board + player + _ONE]:
                even_out(boards, room, board, player, np.uint64(ground.shapes.slots[k]), begin)
            stored, noded = ground.stored[cell + player], ground.noded[cell + player]
            if player == _NONE:
                close_side(state, state.zero, room, update, step, k, tiles, stored, noded, begin)
            else:
                close_side(state, state.one, room, update, step, k, tiles, stored, noded, begin)


def nothing_below(state: Any, room: Room, who: int, update: Any, step: Any, level: int, shape: int, board: int) -> None:
    """What follows the last card."""


class BlockWalk(NamedTuple):
    """The kernels of one kind of walk, for blocks that so many cards follow."""

    walk: Callable[..., None]
    link: Callable[..., None]
    open: Callable[..., None]
    close: Callable[..., None]


@cache
def block_walk(name: str, precision: str, height: int, opening: Callable[..., None], closing: Callable[..., None]) -> BlockWalk:
    """A walk that opens and closes blocks in a way that goes by ``name``; ``height`` cards are yet to come."""
    full = f"{name}_{precision}_{height}"
    parts: dict[str, Any] = {
        each: block_kernel(each, precision) for each in ("block_gradient", "enter_block", "leave_block", "even_out")
    }
    parts |= {"open_side": opening, "close_side": closing}
    if height:
        parts["walk_below"] = block_walk(name, precision, height - 1, opening, closing).walk
    else:
        parts["walk_below"] = kernel(specialised(nothing_below, full))
    for part, text in (("open_block", open_text), ("close_block", close_text), ("walk_link", link_text)):
        parts[part] = kernel(specialised(text, full, **parts))
    walk = kernel(specialised(walk_text, full, **parts))
    return BlockWalk(walk, parts["walk_link"], parts["open_block"], parts["close_block"])
