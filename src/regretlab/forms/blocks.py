"""The form of games with hands in which cards are turned up: shapes of betting times boards.

What can be done between two cards does not depend on which cards they are. So a game is a few *shapes*, each a small
treeplex for both players, and *boards*, each with its own hands in the order of their strength; a *block* is a shape on
a board. Compiling looks at each shape and each board once, and never at their product.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from regretlab.documents import numbers
from regretlab.forms.block_passes import (
    CARDS,
    EVERY_BOARD,
    FREE,
    LANES,
    SUMS,
    TWINS_END,
    WIDTH,
    Boards,
    Orders,
    Places,
    Room,
    Shapes,
)
from regretlab.forms.block_walk import Ground
from regretlab.forms.form import Form
from regretlab.forms.kernel import Floats, Indices
from regretlab.forms.lane_passes import REALS, aligned_zeros
from regretlab.games.public import PublicGame

ROWS = 8
"""Rows of a tile that rules may use as scratch."""


class BlockEnding(NamedTuple):
    """Where the game ends: both players' slots, and what each gets, by the reach of all hands of the other player that
    go with a hand, and by that of the weaker ones minus that of the stronger ones."""

    slots: tuple[int, int]
    fold: tuple[float, float]
    show: tuple[float, float]


class Link(NamedTuple):
    """Where a card is turned up: the shape that follows, and both players' slots above each of its entries."""

    shape: int
    slots: tuple[tuple[int, int], ...]


Streets: TypeAlias = tuple[tuple[str, ...], ...]
"""What was done before the first card, between two cards, and since the last one."""


class BlockLock(NamedTuple):
    """A strategy that is fixed at a node of a shape."""

    player: int
    node: int
    board: int | None  # None: on all boards
    probabilities: Floats  # (actions, the player's hands in the game), FREE where a hand is not locked


@dataclass(eq=False)
class Shape:
    """What can be done between two cards: for each player nodes, parents before children."""

    level: int  # cards turned up before
    entries: int
    parents: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    firsts: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    moves: tuple[list[tuple[str, ...]], list[tuple[str, ...]]] = field(default_factory=lambda: ([], []))
    lines: tuple[list[Streets], list[Streets]] = field(default_factory=lambda: ([], []))
    """What was done before each node, for people."""
    endings: list[BlockEnding] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    locks: list[BlockLock] = field(default_factory=list)  # of several that hold the last one counts

    def __post_init__(self) -> None:
        for first in self.firsts:
            first.append(self.entries)

    def slots(self, player: int) -> int:
        """How many slots a player has, entries included."""
        return self.firsts[player][-1]


@dataclass(eq=False)
class Board:
    """What has been turned up, and who can hold what there."""

    level: int
    turned: tuple[str, ...]  # the names of the cards that were turned up since the beginning
    order: int
    hands: tuple[NDArray[np.int64], NDArray[np.int64]]  # each player's, by number in the game, in the order of strength
    images: list[tuple[NDArray[np.int64], NDArray[np.int64]]]  # for each hand where it stands on the board above
    suits: list[tuple[int, ...]] = field(default_factory=list)  # for each image what every suit is called in it
    alike: tuple[list[list[int]], list[list[int]]] = field(default_factory=lambda: ([], []))  # places of twins
    children: list[int] = field(default_factory=list)

    def tiles(self, player: int) -> int:
        """How many tiles a player's hands make."""
        return -(-len(self.hands[player]) // int(WIDTH))


class Order(NamedTuple):
    """How strong the hands of both players are on a board, weakest first; each field for each player."""

    hands: tuple[NDArray[np.int64], NDArray[np.int64]]  # by number in the game
    strength: tuple[NDArray[np.int16], NDArray[np.int16]]
    cards: tuple[NDArray[np.int16], NDArray[np.int16]]  # (hands, 2)
    likely: tuple[Floats, Floats]
    weight: tuple[Floats, Floats]


@dataclass(frozen=True, eq=False, repr=False)
class BlockTreeplex:
    """One player's blocks: every number is kept for each slot of each block and each hand of its board."""

    player: int
    layout: BlockLayout
    rules: PublicGame

    @property
    def size(self) -> int:
        """How many numbers an array over all slots and hands has, padding included."""
        return self.layout.sizes[self.player]

    @property
    def memory_size(self) -> int:
        """How many numbers an array over all nodes and hands has."""
        return self.layout.memory_sizes[self.player]

    @cached_property
    def infosets(self) -> int:
        """How many information sets the player has; those of boards that were merged into others are not counted."""
        return sum(len(shape.parents[self.player]) * self._hands[shape.level] for shape in self.layout.shapes)

    @cached_property
    def sequences(self) -> int:
        """How many sequences the player has, the empty one included."""
        return 1 + sum(
            (shape.slots(self.player) - shape.entries) * self._hands[shape.level] for shape in self.layout.shapes
        )

    @cached_property
    def _hands(self) -> dict[int, int]:
        """The number of hands on all boards of a level together."""
        counts: dict[int, int] = {}
        for board in self.layout.boards:
            counts[board.level] = counts.get(board.level, 0) + len(board.hands[self.player])
        return counts

    def blocks(self) -> Iterator[tuple[Shape, Board, int, int]]:
        """Every block in which the player acts, where its numbers begin, and where those of its nodes do."""
        for number, shape in enumerate(self.layout.shapes):
            if shape.parents[self.player]:
                for board_number in self.layout.levels[shape.level]:
                    cell = 2 * self.layout.cell(number, board_number) + self.player
                    stored, noded = int(self.layout.stored[cell]), int(self.layout.noded[cell])
                    yield shape, self.layout.boards[board_number], stored, noded

    @cached_property
    def _numbered(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], list[Any]]:
        """Of each information set where its first action stands, how many it has, its place among the memories, and
        what its label is made of."""
        width, begins, counts, places, about = int(WIDTH), [], [], [], []
        for shape, board, stored, noded in self.blocks():
            hand = np.arange(len(board.hands[self.player]))
            tile, lane = hand // width, hand % width
            own, nodes = shape.slots(self.player) - shape.entries, len(shape.parents[self.player])
            for n, (low, high) in enumerate(zip(*_pairs(shape.firsts[self.player]), strict=True)):
                begins.append(stored + (tile * own + low - shape.entries) * width + lane)
                counts.append(np.full(len(hand), high - low))
                places.append(noded + (tile * nodes + n) * width + lane)
                about.append((shape, board, n))
        if not begins:
            nothing = np.zeros(0, dtype=np.int64)
            return nothing, nothing, nothing, about
        return np.concatenate(begins), np.concatenate(counts), np.concatenate(places), about

    def own(self, i: int) -> slice:
        """Where the actions of information set ``i`` stand in an array over all slots and hands."""
        begin, count = int(self._numbered[0][i]), int(self._numbered[1][i])
        return slice(begin, begin + count * int(WIDTH), int(WIDTH))

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """Where the actions of all information sets stand, one information set after the other."""
        begin, counts = self._numbered[0], self._numbered[1]
        ends = np.cumsum(counts)
        within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)
        places: NDArray[np.int64] = np.repeat(begin, counts) + within * int(WIDTH)
        return places

    @property
    def memory_place(self) -> NDArray[np.int64]:
        """(infosets,) where each stands in an array over all nodes and hands."""
        return self._numbered[2]

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """(infosets,) for people; made when they are first asked for."""
        return tuple(
            self.rules.knows(self.player, hand, public)
            for shape, board, n in self._numbered[3]
            for public in [line_of(shape, board, self.player, n)]
            for hand in board.hands[self.player].tolist()
        )

    @cached_property
    def actions(self) -> Sequence[tuple[str, ...]]:
        """(infosets,) the names of the actions of each."""
        return [
            shape.moves[self.player][n]
            for shape, board, n in self._numbered[3]
            for _ in range(len(board.hands[self.player]))
        ]

    @cached_property
    def index(self) -> dict[str, int]:
        """The number of the information set with each label."""
        return {label: i for i, label in enumerate(self.labels)}

    @cached_property
    def _node_begins(self) -> NDArray[np.int64]:
        """The number of the first information set of each node of each block."""
        counts = [len(board.hands[self.player]) for _, board, _ in self._numbered[3]]
        return np.cumsum([0, *counts])[:-1]

    def locked(self, i: int) -> list[float] | None:
        """How a player is held to act at information set ``i``; None where the player is free."""
        if not any(shape.locks for shape in self.layout.shapes):
            return None
        node = int(np.searchsorted(self._node_begins, i, side="right")) - 1
        shape, board, n = self._numbered[3][node]
        hand, found = board.hands[self.player][i - self._node_begins[node]], None
        for lock in shape.locks:  # later ones count more
            if (lock.player, lock.node) == (self.player, n):
                if lock.board is not None and self.layout.boards[lock.board] is not board:
                    continue
                chances = lock.probabilities[:, hand]
                found = found if chances[0] == FREE else chances.tolist()
        return found

    def told_apart(self, behaviour: Floats, close: float) -> tuple[str, str] | None:
        """The labels of two hands that play differently though only merged suits tell them apart, if there are any."""
        width, at = int(WIDTH), 0
        for shape, board, n in self._numbered[3]:
            low, high = shape.firsts[self.player][n : n + 2]
            rows = self._numbered[0][at : at + len(board.hands[self.player]), None] + width * np.arange(high - low)
            for first, *others in board.alike[self.player]:
                for other in others:
                    if (abs(behaviour[rows[first]] - behaviour[rows[other]]) > close).any():
                        return self.labels[at + first], self.labels[at + other]
            at += len(rows)
        return None

    def described(self) -> list[Any]:
        """What names follow from, for a fingerprint."""
        lines = [[shape.lines[self.player], shape.moves[self.player]] for shape in self.layout.shapes]
        return [list(self.rules.hands(self.player)), lines, [board.turned for board in self.layout.boards]]

    @property
    def parent(self) -> NDArray[np.uint32]:
        """Of all shapes, one after the other."""
        return np.array([p for shape in self.layout.shapes for p in shape.parents[self.player]], dtype=np.uint32)

    @property
    def first(self) -> NDArray[np.uint32]:
        """Of all shapes, one after the other."""
        return np.array([f for shape in self.layout.shapes for f in shape.firsts[self.player]], dtype=np.uint32)

    def __repr__(self) -> str:
        return f"<{numbers.count(self.infosets, 'information set')} with {numbers.count(self.sequences, 'sequence')}>"


def _pairs(first: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
    return first[:-1], first[1:]


def line_of(shape: Shape, board: Board, player: int, node: int) -> tuple[str, ...]:
    """The actions and cards before a node."""
    *before, since = shape.lines[player][node]
    line = [word for done, card in zip(before, board.turned, strict=True) for word in (*done, card)]
    return (*line, *since)


class BlockLayout:
    """Shapes and boards, and where the numbers of each block stand."""

    def __init__(self, shapes: list[Shape], boards: list[Board], orders: list[Order]) -> None:
        self.shapes, self.boards, self.orders = shapes, boards, orders
        self._grounds: dict[str, Ground] = {}
        count = 1 + max(board.level for board in boards)
        self.levels = [[b for b, board in enumerate(boards) if board.level == level] for level in range(count)]
        self.lower = range(1, count)  # the levels below the first block, of which each core has a room of its own
        self._rank = {b: rank for level in self.levels for rank, b in enumerate(level)}
        firsts = np.cumsum([0, *(len(self.levels[shape.level]) for shape in shapes)])
        self._cells = firsts.tolist()
        self.stored, self.sizes = self._placed(lambda shape, p: shape.slots(p) - shape.entries)
        self.noded, self.memory_sizes = self._placed(lambda shape, p: len(shape.parents[p]))

    def cell(self, shape: int, board: int) -> int:
        """The number of a block."""
        return int(self._cells[shape]) + self._rank[board]

    def _placed(self, rows: Callable[[Shape, int], int]) -> tuple[Places, tuple[int, int]]:
        """Where the rows of each block begin for each player, and how many numbers there are."""
        tiles = [np.array([[self.boards[b].tiles(p) for p in (0, 1)] for b in level]) for level in self.levels]
        counts = [tiles[shape.level] * [rows(shape, 0), rows(shape, 1)] * int(WIDTH) for shape in self.shapes]
        sizes = np.concatenate(counts)
        begins = np.cumsum(sizes, axis=0) - sizes
        return begins.ravel().astype(np.uint64), (int(sizes[:, 0].sum()), int(sizes[:, 1].sum()))

    def flat_shapes(self, precision: str) -> Shapes:
        """All shapes as kernels take them."""
        groups = [_groups(shape, player) for shape in self.shapes for player in (0, 1)]
        flat = [group for each in groups for group in each]
        endings = [ending for group in flat for ending in group.endings]
        links = [link for shape in self.shapes for link in shape.links]
        sides = [(shape, player) for shape in self.shapes for player in (0, 1)]
        reals = REALS[precision]
        locks = [lock for shape, player in sides for lock in shape.locks if lock.player == player]
        sizes = np.cumsum([0, *(lock.probabilities.size for lock in locks)])
        return Shapes(
            entries=_indices(shape.entries for shape in self.shapes),
            slots=_indices(shape.slots(player) for shape, player in sides),
            node=_ends(len(shape.parents[player]) for shape, player in sides),
            parent=_indices(p for shape, player in sides for p in shape.parents[player]),
            first=_indices(f for shape, player in sides for f in shape.firsts[player]),
            group=_ends(len(each) for each in groups),
            seen=_ends(len(group.slots) for group in flat),
            slot=_indices(slot for group in flat for slot in group.slots),
            end=_ends(len(group.endings) for group in flat),
            own=_indices(ending[0] for ending in endings),
            lane=_indices(ending[1] for ending in endings),
            fold=np.array([ending[2] for ending in endings], dtype=reals),
            show=np.array([ending[3] for ending in endings], dtype=reals),
            link=_ends(len(shape.links) for shape in self.shapes),
            below=_indices(link.shape for link in links),
            entry=_ends(len(link.slots) for link in links),
            source=_indices(slot for link in links for pair in link.slots for slot in pair),
            cell=_indices(self._cells[:-1]),
            lock=_ends(sum(lock.player == player for lock in shape.locks) for shape, player in sides),
            lock_node=_indices(lock.node for lock in locks),
            lock_board=_indices(int(EVERY_BOARD) if lock.board is None else lock.board for lock in locks),
            lock_at=_indices(sizes[:-1].tolist()),
            locked=np.concatenate([np.zeros(0), *(lock.probabilities.ravel() for lock in locks)]).astype(reals),
        )

    @cached_property
    def flat_boards(self) -> Boards:
        """All boards as kernels take them."""
        images = [image for board in self.boards for image in board.images]
        sides = [(board, player) for board in self.boards for player in (0, 1)]
        sizes = [len(hands) for image in images for hands in image]
        twins = [
            place + (int(TWINS_END) if k == len(group) - 1 else 0)
            for board, player in sides
            for group in board.alike[player]
            for k, place in enumerate(group)
        ]
        return Boards(
            hands=_indices(len(board.hands[player]) for board, player in sides),
            order=_indices(board.order for board in self.boards),
            rank=_indices(self._rank[b] for b in range(len(self.boards))),
            child=_ends(len(board.children) for board in self.boards),
            next=_indices(child for board in self.boards for child in board.children),
            image=_ends(len(board.images) for board in self.boards),
            place=(np.cumsum([0, *sizes])[:-1]).astype(np.uint64),
            hand=np.concatenate([np.zeros(0, np.int64), *(hands for image in images for hands in image)]).astype(
                np.uint32
            ),
            alike=_ends(sum(map(len, board.alike[player])) for board, player in sides),
            twins=_indices(twins),
        )

    def flat_orders(self, precision: str) -> Orders:
        """All orders as kernels take them, with numbers of a precision. Their indices are the same in all."""
        real, orders = REALS[precision], self._flat_orders
        return orders._replace(
            likely=orders.likely.astype(real, copy=False), weight=orders.weight.astype(real, copy=False)
        )

    @cached_property
    def _flat_orders(self) -> Orders:
        """In double precision; the hands of each are padded to whole tiles, with weights of 0."""
        sizes = [len(strength) for order in self.orders for strength in order.strength]
        padded = [size + -size % int(WIDTH) for size in sizes]
        begins = np.cumsum([0, *padded])
        count = int(begins[-1])
        # Filled in place: pieces to be joined would lie in memory twice, and leave holes that nothing large fits into.
        likely, weight = np.zeros(count), np.zeros(count)
        weaker, not_stronger, same, hands = (np.zeros(count, np.uint32) for _ in range(4))
        cards = np.zeros((count, 2), np.uint32)
        for side, (order, player) in enumerate((order, player) for order in self.orders for player in (0, 1)):
            mine, theirs = order.strength[player], order.strength[1 - player]
            own, others = (
                each[:, 0] * np.int16(CARDS) + each[:, 1] for each in (order.cards[player], order.cards[1 - player])
            )
            # A card may leave the other player no hand at all; so there is one more key, which no hand has.
            rivals = np.append(others, -1)
            by_key = np.argsort(rivals, kind="stable")
            near = by_key[np.minimum(np.searchsorted(rivals[by_key], own), len(theirs))]
            place = slice(begins[side], begins[side] + sizes[side])
            likely[place], weight[place] = order.likely[player], order.weight[player]
            weaker[place] = np.searchsorted(theirs, mine, side="left")
            not_stronger[place] = np.searchsorted(theirs, mine, side="right")
            same[place] = np.where(rivals[near] == own, near, len(theirs))
            cards[place], hands[place] = order.cards[player], order.hands[player]
        return Orders(begins[:-1].astype(np.uint64), likely, weight, weaker, not_stronger, same, cards.ravel(), hands)

    def ground(self, precision: str) -> Ground:
        """What walks go over, with numbers of a precision; made once for each."""
        if precision not in self._grounds:
            flat = self.flat_shapes(precision), self.flat_boards, self.flat_orders(precision)
            self._grounds[precision] = Ground(*flat, self.stored, self.noded)
        return self._grounds[precision]

    def shared_links(self, cores: int) -> list[Indices]:
        """The links of the first block, shared out so that cores have about the same to do; heavy ones first."""

        def work(number: int) -> int:
            shape = self.shapes[number]
            own = len(self.levels[shape.level]) * (shape.slots(0) + shape.slots(1))
            return own + sum(work(link.shape) for link in shape.links)

        loads = [0] * cores
        shares: list[list[int]] = [[] for _ in range(cores)]
        for place, link in sorted(enumerate(self.shapes[0].links), key=lambda each: -work(each[1].shape)):
            least = loads.index(min(loads))
            loads[least] += work(link.shape)
            shares[least].append(place)
        return [_indices(sorted(share)) for share in shares]

    def new_room(self, precision: str, levels: Sequence[int] | None = None) -> Room:
        """Room for the largest block of each level, or of some of them."""
        width, real = int(WIDTH), REALS[precision]
        sizes: list[int] = []
        for level, boards in enumerate(self.levels):
            here = [shape for shape in self.shapes if shape.level == level and (levels is None or level in levels)]
            for player in (0, 1):
                most = max((shape.slots(player) for shape in here), default=0)
                sizes.append(most * max(self.boards[b].tiles(player) for b in boards) * width)
        hands = width * max(board.tiles(player) for board in self.boards for player in (0, 1))
        total, lanes = sum(sizes), int(LANES)

        def zeros(count: int) -> NDArray[Any]:
            return aligned_zeros(count, real)

        return Room(
            (np.cumsum(sizes) - sizes).astype(np.uint64),
            zeros(total),
            zeros(total),
            zeros(total),
            zeros((hands + 1) * lanes),
            zeros(SUMS * lanes),
            zeros(hands * lanes),
            zeros(hands * lanes),
            zeros(2 * lanes * width),
            zeros(ROWS * width),
            zeros(most_rows(self.shapes) * width),
            np.zeros(2, dtype=np.uint32),
        )

    def fingerprint(self) -> bytes:
        """A hash of all that payoffs depend on."""
        ground = self.ground("f64")
        parts = [*ground.shapes, *ground.boards, *ground.orders]
        return hashlib.sha256(b"".join(np.asarray(part).tobytes() for part in parts)).digest()


def most_rows(shapes: Sequence[Shape]) -> int:
    """The most slots of a player that a shape has."""
    return max((shape.slots(player) for shape in shapes for player in (0, 1)), default=0)


class _Group(NamedTuple):
    """Slots of the other player that a sweep takes at once, and a player's endings against them."""

    slots: list[int]
    endings: list[tuple[int, int, float, float]]  # own slot, which of the slots, fold, show


def _groups(shape: Shape, player: int) -> list[_Group]:
    """A player's endings in a shape; those of the same two slots are one."""
    found: dict[tuple[int, int], list[float]] = {}
    for slots, fold, show in shape.endings:
        factors = found.setdefault((slots[player], slots[1 - player]), [0.0, 0.0])
        factors[0] += fold[player]
        factors[1] += show[player]
    seen = sorted({theirs for _, theirs in found})
    groups = []
    for begin in range(0, len(seen), int(LANES)):
        some = seen[begin : begin + int(LANES)]
        lane = {slot: v for v, slot in enumerate(some)}
        ends = [
            (mine, lane[theirs], fold, show) for (mine, theirs), (fold, show) in sorted(found.items()) if theirs in lane
        ]
        groups.append(_Group(some, ends))
    return groups


def _indices(numbers: Any) -> NDArray[np.uint32]:
    return np.array(list(numbers), dtype=np.uint32)


def _ends(counts: Any) -> NDArray[np.uint32]:
    """Where things begin that are counted one after the other, and where the last one ends."""
    return np.cumsum([0, *counts]).astype(np.uint32)


@dataclass(frozen=True, eq=False)
class BlockPayoff:
    """What a block form pays, as far as others ask; the passes work on the layout."""

    layout: BlockLayout

    sparse = None

    def gradient(self, player: int, plan: Floats, out: Floats) -> None:
        """There are no plans over all blocks: they would not fit into memory."""
        raise NotImplementedError

    def fingerprint(self) -> bytes:
        """A hash of all that payoffs depend on."""
        return self.layout.fingerprint()

    @property
    def entries(self) -> int:
        """How many terms one gradient sums."""
        return sum(self.layout.sizes)

    @property
    def nbytes(self) -> int:
        """The size of orders and boards."""
        ground = self.layout.ground("f64")
        return sum(part.nbytes for part in (*ground.boards, *ground.orders))

    @cached_property
    def zero_sum(self) -> bool:
        """Whether one player wins what the other loses at every ending."""
        return all(
            fold[0] + fold[1] == 0 and show[0] == show[1]
            for shape in self.layout.shapes
            for _, fold, show in shape.endings
        )

    @cached_property
    def size(self) -> float:
        """The most that a slot can earn or lose with a hand, up to a small factor."""
        largest = 0.0
        for order in self.layout.orders:
            for player in (0, 1):
                reach = float(order.weight[1 - player].sum()) * float(order.likely[player].max(initial=0.0))
                largest = max(largest, reach)
        factors = [
            abs(a) + abs(b) for shape in self.layout.shapes for e in shape.endings for a, b in zip(*e[1:], strict=True)
        ]
        return largest * max(factors, default=0.0)


@dataclass(frozen=True, eq=False, repr=False)
class BlockForm(Form[BlockTreeplex]):
    """A compiled game with hands and cards that are turned up."""

    payoff: BlockPayoff
    rules: PublicGame

    width = int(WIDTH)

    @property
    def zero_sum(self) -> bool:
        """Whether one player wins what the other loses."""
        return self.payoff.zero_sum

    @property
    def layout(self) -> BlockLayout:
        """Shapes and boards."""
        return self.payoff.layout

    @property
    def _words(self) -> str:
        return "in blocks"


def block_form(rules: PublicGame, shapes: list[Shape], boards: list[Board], orders: list[Order]) -> BlockForm:
    """Put a form together."""
    layout = BlockLayout(shapes, boards, orders)
    zero, one = (BlockTreeplex(player, layout, rules) for player in (0, 1))
    return BlockForm(rules.name, (zero, one), BlockPayoff(layout), rules)
