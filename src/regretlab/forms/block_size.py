"""How large a game is in blocks, before any of it is made: counted from its shapes and the hands on its boards.

What is promised here is what a run keeps: regrets and averages, strategies where a recipe recalls them, rooms, and
tables of boards and orders. The program itself, with its compiled kernels, comes on top of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from regretlab.errors import UserError
from regretlab.forms.block_passes import LANES, SUMS, WIDTH
from regretlab.forms.blocks import ROWS, BlockForm, Shape, most_rows
from regretlab.forms.lane_passes import REALS
from regretlab.forms.packed import PACKED, computed_in, kept_bytes
from regretlab.games.protocol import Game, HasBlockSize
from regretlab.games.size import written_bytes
from regretlab.machine import free_memory, usable_cores

if TYPE_CHECKING:
    from regretlab.forms.lanes import AnyForm

_WIDTH, _LANES = int(WIDTH), int(LANES)

DOUBLE = 8
"""Bytes of a number as the judge takes it, whatever the precision of the run."""

BYTES_A_HAND = 2 + 2 * 2 + 2 * 8
"""What a hand of an order takes before it is flat: strength, two cards, two weights."""

FLAT_BYTES_A_HAND = 6 * 4
"""What it takes in flat tables besides its two weights: who is weaker, who is not stronger, who has the same cards,
two cards, and its number."""

BYTES_AN_IMAGE = 8 + 4
"""What a hand of a board's image takes: its place on the board above, twice."""

BYTES_A_BOARD = 1_800
"""What Python takes for a board and its order besides their numbers: some dozen objects. Measured on a flop."""

SECONDS_A_NUMBER = {"16bit": 5e-9, "f32": 4.5e-9, "f64": 7e-9}
"""About what an iteration takes for each number, by the precision. Measured on one core of a busy machine: 4.2 to 7
and 6.4 to 11 ns on rivers and turns; half of that on a quiet one."""


class HandsOnBoards(NamedTuple):
    """How many hands both players have on the boards of a level that are solved."""

    boards: Sequence[tuple[int, int]]
    images: int  # hands of both players, once for each board that a board stands for
    orders: int  # hands of both players with padding, once for each order of strength that is made


@dataclass(frozen=True)
class BlockSize:
    """How large a game is in blocks, for a run of a precision that recalls strategies or does not."""

    decisions: int  # on all boards that are solved
    boards: int
    numbers: int  # of an array over all actions and hands, padding included
    memories: int  # of an array over all decisions and hands
    room: int  # numbers of a room for blocks of all levels,
    top: int  # of one for the first block,
    lower: int  # and of one for all others
    levels: int
    images: int  # hands in images of boards
    orders: int  # hands in orders
    most_sizes: str = ""  # what to shorten first, in words
    precision: str = "f64"
    recalls: bool = False

    unit: ClassVar[str] = "numbers"
    estimates: ClassVar[tuple[int, ...]] = ()

    @property
    def walked(self) -> int:
        """How many numbers an iteration goes through."""
        return self.numbers

    @property
    def bytes_a_number(self) -> int:
        """As it is computed."""
        return int(np.dtype(REALS[computed_in(self.precision)]).itemsize)

    @property
    def average(self) -> int:
        """Bytes of the average strategy alone."""
        return kept_bytes(self.numbers, self.precision)

    @property
    def kept(self) -> int:
        """Bytes of what a run learns, which is also the size of the file in which it is saved."""
        each = self.average
        return 2 * each + (each + self.memories * (DOUBLE + 1) if self.recalls else 0)

    @property
    def nbytes(self) -> int:
        """Bytes that a run takes at most, its judge included: where cards are turned up, both have a room for each core
        besides that of the first block."""
        each, cores = self.bytes_a_number, len(usable_cores())
        run, judge = self.room, self.room
        if self.levels > 1:
            run, judge = self.top + cores * self.lower, self.room + (cores - 1) * self.lower
        rooms = run * each + judge * DOUBLE
        flat = 2 * DOUBLE + FLAT_BYTES_A_HAND + (0 if each == DOUBLE else 2 * each)
        tables = self.orders * (BYTES_A_HAND + flat) + self.images * BYTES_AN_IMAGE + self.boards * BYTES_A_BOARD
        return self.kept + rooms + tables

    @property
    def seconds(self) -> float:
        """About how long an iteration takes on one core."""
        return self.numbers * SECONDS_A_NUMBER[self.precision]

    def __str__(self) -> str:
        """The size in words."""
        boards = "1 board" if self.boards == 1 else f"{self.boards:,} boards"
        return (
            f"{self.decisions:,} decisions on {boards}, {self.numbers:,} numbers; {self.precision} "
            f"{written_bytes(self.nbytes)}, an iteration about {self.seconds:.2g} s on one core"
        )


def padded(hands: int) -> int:
    """Hands of whole tiles."""
    return -(-hands // _WIDTH) * _WIDTH


def block_size(shapes: Sequence[Shape], levels: Sequence[HandsOnBoards], most_sizes: str = "") -> BlockSize:
    """The size of a game with these shapes, and with these hands on the boards of each level."""
    tiles = [np.array([[-(-count // _WIDTH) for count in board] for board in level.boards]) for level in levels]
    totals, most = [each.sum(axis=0) for each in tiles], [each.max(axis=0) for each in tiles]
    numbers = memories = decisions = 0
    blocks = [0] * len(levels)  # numbers of the largest block of each level
    for shape in shapes:
        for player in (0, 1):
            width, nodes = int(totals[shape.level][player]) * _WIDTH, len(shape.parents[player])
            numbers += (shape.slots(player) - shape.entries) * width
            memories += nodes * width
            decisions += nodes * len(levels[shape.level].boards)
    for level in range(len(levels)):
        for player in (0, 1):
            slots = max((shape.slots(player) for shape in shapes if shape.level == level), default=0)
            blocks[level] += 3 * slots * int(most[level][player]) * _WIDTH
    hands = _WIDTH * max(int(each.max()) for each in most)
    scratch = (3 * hands + 1 + SUMS) * _LANES + 2 * _LANES * _WIDTH + (ROWS + most_rows(shapes)) * _WIDTH
    return BlockSize(
        decisions=decisions,
        boards=sum(len(level.boards) for level in levels),
        numbers=numbers,
        memories=memories,
        room=scratch + sum(blocks),
        top=scratch + blocks[0],
        lower=scratch + sum(blocks[1:]),
        levels=len(levels),
        images=sum(level.images for level in levels),
        orders=sum(level.orders for level in levels),
        most_sizes=most_sizes,
    )


MOST_NAMED = 10_000_000
"""Numbers up to which information sets are looked at one by one, by their labels: a few seconds, some hundred MB."""


def check_can_be_named(game: Game | AnyForm, what: str) -> None:
    """Raise UserError where a game in blocks has too many information sets for what looks at each by its label."""
    rules = game.rules if isinstance(game, BlockForm) else game
    if isinstance(rules, HasBlockSize) and rules.block_size().numbers > MOST_NAMED:
        size = rules.block_size()
        raise UserError(
            f"{game.name} is too large to {what}: {size.decisions:,} decisions, {size.numbers:,} numbers, and at most "
            f"{MOST_NAMED:,} can be looked at one by one; solve, which does not, takes it"
        )


def check_blocks_fit(name: str, size: BlockSize) -> None:
    """Raise UserError where there is no memory to solve a game in blocks, and say what would fit, or help."""
    free = free_memory()
    if free is None or size.nbytes <= free:
        return
    smaller = [replace(size, precision=precision) for precision in ("f32", PACKED)]
    fitting = next((each for each in smaller if each.nbytes <= free), None)
    lean = replace(size, precision=PACKED, recalls=False)
    if fitting is not None:
        hint = f"precision={fitting.precision} would fit, with {written_bytes(fitting.nbytes)}"
    elif lean.nbytes <= free:
        hint = (
            f"{PACKED} and a recipe that keeps no strategy, such as dcfr, would fit, with {written_bytes(lean.nbytes)}"
        )
    else:
        hint = f"give fewer sizes: {size.most_sizes}" if size.most_sizes else "give fewer sizes"
    raise UserError(f"{name} is too large: {size}; {written_bytes(free)} are free on this machine; {hint}")
