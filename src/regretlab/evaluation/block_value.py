"""What a profile is worth in games that are compiled in blocks, and how much either player could still gain.

The walk is the learner's, in double precision; what is done in a block is the judge's own.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretlab.forms.block_passes import WIDTH, Room, Shapes, block_kernel
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
    places_in_room,
)
from regretlab.forms.blocks import BlockForm, BlockLayout
from regretlab.forms.kernel import Floats, Indices, kernel, specialised
from regretlab.forms.packed import precision_of
from regretlab.machine import usable_cores

_ONE, _TWO = np.uint64(1), np.uint64(2)

ZERO, BOTH = 1, 3
"""Who is looked at: player 0, or both players."""


class Weighed(NamedTuple):
    """What a player's strategy is proportional to, as it is stored."""

    weights: NDArray[Any]


class JudgeState(NamedTuple):
    """A profile, and where walks find what they need."""

    ground: Ground
    room: Room
    zero: Weighed
    one: Weighed
    drawn: Drawn


play_tiles: Any = None
expect_tiles: Any = None
best_tiles: Any = None
"""The kernels for weights of a precision, which ``judging_walk`` puts in place of these."""

EXPECT, BEST = 0, 1
"""What is asked for: what the profile earns, or what the best response to it does."""


def play_side(shapes: Shapes, side: Weighed, room: Room, k: int, tiles: int, stored: int, begin: int) -> None:
    """What a player plays in a block."""
    play_tiles(shapes, k, tiles, stored, begin, side.weights, room)


def count_side(
    shapes: Shapes, side: Weighed, room: Room, step: float, k: int, tiles: int, stored: int, begin: int
) -> None:
    """A judge counts nothing."""


def close_side(
    ground: Ground, side: Weighed, room: Room, asked: int, step: float, k: int, board: int, tiles: int, stored: int,
    noded: int, begin: int,
) -> None:  # fmt: skip
    """What a player gets in a block."""
    if asked == BEST:
        player = k & _ONE
        at = ground.orders.at[_TWO * np.uint64(ground.boards.order[board]) + player]
        hands = np.uint64(ground.boards.hands[player])
        best_tiles(ground.shapes, ground.orders, room, k, board, hands, at, tiles, begin)
    else:
        expect_tiles(ground.shapes, k, tiles, begin, room)


@cache
def judging_walk(stored: str) -> Callable[..., None]:
    """The walk of a judge over weights of a precision."""
    parts = {each: block_kernel(each, "f64") for each in ("expect_tiles", "best_tiles")}
    parts["play_tiles"] = block_kernel("play_tiles", "f64", stored)
    sides = [kernel(specialised(text, stored, **parts)) for text in (play_side, count_side, close_side)]
    return block_walk("judging", "f64", stored, *sides)


class BlockJudge:
    """Looks at a profile that is given by weights, which need not sum to 1."""

    def __init__(self, form: BlockForm, weights: tuple[NDArray[Any], NDArray[Any]]) -> None:
        self.layout: BlockLayout = form.layout
        self._stored = precision_of(weights[0])
        room = entered(self.layout, self.layout.new_room("f64"))
        zero, one = (np.lib.stride_tricks.as_strided(each, writeable=False) for each in weights)
        self.state = JudgeState(
            self.layout.ground("f64"), room, Weighed(zero), Weighed(one), all_boards(self.layout, "f64")
        )

    def judge(
        self, asked: int, level: int = 0, shape: int = 0, board: int = 0, parts: np.int64 = WHOLE, who: int = BOTH
    ) -> None:
        """Leave in the room what every slot of a block is worth; the reach of its entries has to be there."""
        self.state.room.played[:] = 0  # weights may be those of a run that has gone on
        place = [np.uint64(number) for number in (level, shape, board)]
        judging_walk(self._stored)(self.state, self.state.room, who, asked, 0.0, *place, parts, NO_LINKS)

    def judge_all(self, asked: int, who: int = BOTH) -> None:
        """The same for the whole game, by as many threads as there are cores; kernels let go of Python's lock."""
        shares = [links for links in self.layout.shared_links(len(usable_cores())) if len(links)]
        if len(shares) < 2:
            self.judge(asked, who=who)
            return
        walk, root = judging_walk(self._stored), [np.uint64(0)] * 3
        rooms = [self.state.room, *(self.layout.new_room("f64", self.layout.lower) for _ in shares[1:])]

        def share(room: Room, links: Indices) -> None:
            walk(self.state._replace(room=room), self.state.room, who, asked, 0.0, *root, GO_ON, links)

        self.judge(asked, parts=OPEN, who=who)
        with ThreadPoolExecutor(len(shares)) as pool:
            list(pool.map(share, rooms, shares))
        self.judge(asked, parts=CLOSE, who=who)

    def values(self, asked: int, who: int = BOTH) -> tuple[Floats, Floats]:
        """What each hand of each player in ``who`` brings, weighted with how likely it is, by what is ``asked``."""
        self.judge_all(asked, who)
        room = self.state.room
        zero, one = (room.values[places_in_room(self.layout, room, player, 0, 0, 0)] for player in (0, 1))
        return zero, one

    def best_values(self, player: int) -> tuple[float, Floats]:
        """What a player's best response is worth, and what each own slot of all blocks earns with it."""
        room, size = self.state.room, self.layout.sizes[player]
        earned = np.zeros(size)
        self._best_below(player, (0, 0, 0), earned)
        self.judge(BEST, who=1 << player)
        return float(room.values[places_in_room(self.layout, room, player, 0, 0, 0)].sum()), earned

    def _best_below(self, player: int, place: tuple[int, int, int], earned: Floats) -> None:
        """Write down what slots earn in a block and those below, each judged anew: rooms hold a block of each level."""
        layout, room, (level, number, board) = self.layout, self.state.room, place
        self.judge(BEST, level, number, board, who=1 << player)
        shape, width, tiles = layout.shapes[number], int(WIDTH), layout.boards[board].tiles(player)
        begin, slots = int(room.at[2 * level + player]), shape.slots(player)
        values = room.values[begin : begin + tiles * slots * width].reshape(tiles, slots, width)[:, shape.entries :]
        stored = int(layout.stored[2 * layout.cell(number, board) + player])
        earned[stored : stored + values.size] = values.ravel()
        for link in shape.links:
            for turned in layout.boards[board].children:
                image = layout.boards[turned].images[0]
                for p in (0, 1):
                    for entry, slot in enumerate(link.slots):
                        above = places_in_room(layout, room, p, *place, slot[p])
                        here = places_in_room(layout, room, p, level + 1, link.shape, turned, entry)
                        room.plan[here] = room.plan[above][image[p]]
                self._best_below(player, (level + 1, link.shape, turned), earned)

    def totals(self, asked: int, who: int = BOTH) -> tuple[float, float]:
        """What each player in ``who`` gets in all."""
        zero, one = self.values(asked, who)
        return float(zero.sum()), float(one.sum())
