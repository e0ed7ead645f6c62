"""The passes over games with hands in which cards are turned up, block by block.

A *block* is what happens in public between two cards: a *shape*, which is a small treeplex for each player, on a
*board*, which says which hands there are and how strong they are. Its slots are numbered from 0; the first ones, the
*entries*, are where the block is entered, and their reach comes from the block above. Numbers that outlive a pass,
regrets and averages, are kept for all blocks, ``(blocks, tiles, slots without entries, WIDTH)`` in one flat array.
Everything else, strategies, plans and values, is needed for one block at a time, so it stays in a *room* for each level
of blocks, and the processor finds it in its cache.

Where the game ends, a sweep sums over the other player's hands in the order of their strength. There lanes are not
hands but LANES slots of the other player at once: the running sums of a sweep depend on each other from hand to hand,
but not from slot to slot. So plans are turned from ``(slot, hand)`` to ``(hand, slot)`` before a sweep, and what it
found is turned back.

What is here are texts; ``block_kernel`` makes kernels of them for numbers of a precision.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeAlias, get_type_hints

import numpy as np
from numba import from_dtype, types
from numpy.typing import NDArray

from regretlab.forms.kernel import Floats, Indices, inlined_kernel, specialised, vector_kernel
from regretlab.forms.lane_passes import REALS
from regretlab.forms.numba_private import SQUARE, square_turner
from regretlab.forms.packed import KEPT, ROW, keeping

WIDTH = ROW
"""Hands of a tile."""

LANES = np.uint64(48)
"""The most slots of the other player that a sweep takes at once."""

CARDS = 52
ABSENT = CARDS
"""In place of the card that a hand does not have."""

SUMS = CARDS + 2
"""Rows of running sums in a sweep: one a card, one for the absent card, and one for all hands."""

EDGE = np.uint64(SQUARE)
"""Numbers are turned in squares of so many rows and columns, which fit into the processor's registers."""

_NONE, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)

REAL = np.float64
unit_of: Any = None
keep_row: Any = None
"""The precision and how numbers are kept, which ``block_kernel`` puts in place of these."""

Places: TypeAlias = NDArray[np.uint64]
"""Where something begins in arrays that may be longer than 2³² numbers."""


class Shapes(NamedTuple):
    """All shapes, in flat arrays. What belongs to a player of a shape has the number k = 2 × shape + player."""

    entries: Indices  # (shapes,) how many slots are entries
    slots: Indices  # (k,) entries included
    node: Indices  # (k + 1,) where the nodes of k begin in ``parent``
    parent: Indices  # the player's own last slot before each node, parents before children
    first: Indices  # the slots of node n are first[n]:first[n + 1]; those of k begin at node[k] + k
    group: Indices  # (k + 1,) the groups of slots of the other player that the player's sweeps take at once
    seen: Indices  # (groups + 1,) where those of each begin in ``slot``
    slot: Indices
    end: Indices  # (groups + 1,) where the player's endings against each group begin
    own: Indices  # (endings,) the own slot
    lane: Indices  # (endings,) which of the group's slots the other player's is
    fold: Floats  # (endings,) the factor on the reach of all hands
    show: Floats  # (endings,) the factor on the reach of the weaker ones minus that of the stronger ones
    link: Indices  # (shapes + 1,) where a card is turned up next: the links of a shape
    below: Indices  # (links,) the shape that follows,
    entry: Indices  # (links + 1,) and where its entries begin in ``source``
    source: Indices  # (entries, 2) the slots of both players above
    cell: Indices  # (shapes,) the number of the block on the first board of its level
    lock: Indices  # (k + 1,) where the locks of k begin
    lock_node: Indices  # (locks,) the node that is locked,
    lock_board: Indices  # on this board, or on EVERY_BOARD
    lock_at: Indices  # (locks,) where its probabilities begin in ``locked``
    locked: Floats  # (actions, hands of the player) the probabilities of each lock, FREE where a hand is not locked


class Boards(NamedTuple):
    """All boards, each after the one that it came from. What belongs to a player has the number 2 × board + player."""

    hands: Indices  # (2 × boards,)
    order: Indices  # (boards,) how strong hands are: boards that have the same cards share an order
    rank: Indices  # (boards,) the number of the board among those of its level
    child: Indices  # (boards + 1,) where the boards that follow begin in ``next``
    next: Indices
    image: Indices  # (boards + 1,) images: the board as it is, and others that only suits tell from it
    place: Places  # (2 × images,) where the hands of an image begin in ``hand``
    hand: Indices  # for each hand which hand it is on the board above
    alike: Indices  # (2 × boards + 1,) where groups of hands that only suits tell apart begin in ``twins``
    twins: Indices  # the last hand of each group has TWINS_END added


class Orders(NamedTuple):
    """How strong hands are on boards, weakest first. What belongs to a player has the number 2 × order + player."""

    at: Places  # (2 × orders,) where the hands of a player begin below
    likely: Floats  # the weight of the own hand, and how probable the board is
    weight: Floats  # of the hand for the other player
    weaker: Indices  # how many of the other player's hands are weaker,
    level: Indices  # and how many are not stronger
    same: Indices  # where the other player's hand of the same cards stands; behind all where there is none
    card: Indices  # (hands, 2)
    number: Indices  # of the hand among the player's hands in the game


class Room(NamedTuple):
    """Numbers that are needed for one block of each level at a time."""

    at: Places  # (2 × levels,) where the block of a level begins, for each player
    strategy: Floats
    plan: Floats
    values: Floats
    reach: Floats  # (hands + 1, LANES) of the other player; the last row is 0
    sums: Floats  # (SUMS, LANES)
    folded: Floats  # (hands, LANES) the reach of all hands that go with a hand,
    shown: Floats  # and of the weaker ones minus that of the stronger ones
    turned: Floats  # (2, LANES, WIDTH) both, for the hands of one tile
    rows: Floats  # scratch of rules
    learned: Floats  # (slots, WIDTH) regrets of a tile, where those that are kept are packed
    played: Indices  # (2,) 1 where what a player plays in the first block is here already, from a pass before


EVERY_BOARD = np.uint32(2**32 - 1)
FREE = -1.0
"""In place of a probability: the player may do there whatever is best."""

TWINS_END = np.uint32(1 << 31)
"""Marks the last hand of a group of twins."""


def play_tiles(
    shapes: Shapes, k: np.uint64, tiles: np.uint64, stored: np.uint64, begin: np.uint64, kept: Floats, room: Room
) -> None:
    """The strategy of a player in a block that follows from regrets or other weights: proportional to the positive
    ones, uniform where there are none; and its plan, from the reach of the entries."""
    strategy, plan, rows = room.strategy, room.plan, room.rows
    entries, slots, node = np.uint64(shapes.entries[k >> _ONE]), np.uint64(shapes.slots[k]), np.uint64(shapes.node[k])
    nodes, first = np.uint64(shapes.node[k + _ONE]) - node, node + k
    zero, one = REAL(0.0), REAL(1.0)
    for t in range(tiles):
        start = begin + t * slots * WIDTH
        store = stored + t * (slots - entries) * WIDTH - entries * WIDTH  # may wrap below 0; with a slot it does not
        for n in range(nodes):
            low, high = np.uint64(shapes.first[first + n]), np.uint64(shapes.first[first + n + _ONE])
            before = start + np.uint64(shapes.parent[node + n]) * WIDTH
            uniform = one / REAL(high - low)
            for h in range(WIDTH):
                rows[h] = zero
            for s in range(low, high):
                unit = unit_of(kept, store + s * WIDTH)
                for h in range(WIDTH):
                    rows[h] += max(REAL(kept[store + s * WIDTH + h]) * unit, zero)
            for s in range(low, high):
                base, place = start + s * WIDTH, store + s * WIDTH
                unit = unit_of(kept, place)
                for h in range(WIDTH):
                    share = max(REAL(kept[place + h]) * unit, zero) / (rows[h] if rows[h] > zero else one)
                    strategy[base + h] = share if rows[h] > zero else uniform
                    plan[base + h] = plan[before + h] * strategy[base + h]


def recall_tiles(
    shapes: Shapes, k: np.uint64, tiles: np.uint64, stored: np.uint64, begin: np.uint64, kept: Floats, room: Room
) -> None:
    """The same for a strategy that is kept as it is."""
    strategy, plan = room.strategy, room.plan
    entries, slots, node = np.uint64(shapes.entries[k >> _ONE]), np.uint64(shapes.slots[k]), np.uint64(shapes.node[k])
    nodes, first = np.uint64(shapes.node[k + _ONE]) - node, node + k
    for t in range(tiles):
        start = begin + t * slots * WIDTH
        store = stored + t * (slots - entries) * WIDTH - entries * WIDTH
        for n in range(nodes):
            before = start + np.uint64(shapes.parent[node + n]) * WIDTH
            for s in range(np.uint64(shapes.first[first + n]), np.uint64(shapes.first[first + n + _ONE])):
                base, place = start + s * WIDTH, store + s * WIDTH
                unit = unit_of(kept, place)
                for h in range(WIDTH):
                    strategy[base + h] = REAL(kept[place + h]) * unit
                    plan[base + h] = plan[before + h] * strategy[base + h]


def lock_tiles(
    shapes: Shapes, orders: Orders, room: Room, k: np.uint64, board: np.uint64, hands: np.uint64, at: np.uint64,
    tiles: np.uint64, begin: np.uint64,
) -> None:  # fmt: skip
    """Put what is locked in place of a strategy. The player has ``hands`` in the game."""
    strategy, locked = room.strategy, shapes.locked
    slots, first = np.uint64(shapes.slots[k]), np.uint64(shapes.node[k]) + k
    for t in range(tiles):
        start = begin + t * slots * WIDTH
        for e in range(np.uint64(shapes.lock[k]), np.uint64(shapes.lock[k + _ONE])):
            if shapes.lock_board[e] != board and shapes.lock_board[e] != EVERY_BOARD:
                continue
            held = first + np.uint64(shapes.lock_node[e])
            low = np.uint64(shapes.first[held])
            for a in range(np.uint64(shapes.first[held + _ONE]) - low):
                for h in range(WIDTH):
                    hand = np.uint64(orders.number[at + t * WIDTH + h])
                    probability = locked[np.uint64(shapes.lock_at[e]) + a * hands + hand]
                    if probability >= REAL(0.0):
                        strategy[start + (low + a) * WIDTH + h] = probability


def follow_tiles(shapes: Shapes, room: Room, k: np.uint64, tiles: np.uint64, begin: np.uint64) -> None:
    """Have the plan of a player in a block follow from a strategy that was changed."""
    strategy, plan = room.strategy, room.plan
    slots, node = np.uint64(shapes.slots[k]), np.uint64(shapes.node[k])
    nodes, first = np.uint64(shapes.node[k + _ONE]) - node, node + k
    for t in range(tiles):
        start = begin + t * slots * WIDTH
        for n in range(nodes):
            before = start + np.uint64(shapes.parent[node + n]) * WIDTH
            for s in range(np.uint64(shapes.first[first + n]), np.uint64(shapes.first[first + n + _ONE])):
                for h in range(WIDTH):
                    plan[start + s * WIDTH + h] = plan[before + h] * strategy[start + s * WIDTH + h]


def average_tiles(
    entries: np.uint64, slots: np.uint64, tiles: np.uint64, stored: np.uint64, begin: np.uint64, room: Room,
    total: Floats, fade: float, weight: float,
) -> None:  # fmt: skip
    """Add the plan that was played to the average."""
    plan, rows, own = room.plan, room.rows, slots - entries
    for t in range(tiles):
        for s in range(own):
            base, place = begin + (t * slots + entries + s) * WIDTH, stored + (t * own + s) * WIDTH
            unit = unit_of(total, place)
            for h in range(WIDTH):
                rows[h] = REAL(total[place + h]) * unit * fade + weight * plan[base + h]
            keep_row(rows, _NONE, total, place, room.sums)


def load_tile(kept: Floats, place: np.uint64, rows: np.uint64, numbers: Floats) -> None:
    """Some rows of what is kept as they are computed with."""
    for s in range(rows):
        unit = unit_of(kept, place + s * WIDTH)
        for h in range(WIDTH):
            numbers[s * WIDTH + h] = REAL(kept[place + s * WIDTH + h]) * unit


def keep_tile(
    numbers: Floats, begin: np.uint64, rows: np.uint64, kept: Floats, place: np.uint64, scratch: Floats
) -> None:
    """Keep some rows."""
    for s in range(rows):
        keep_row(numbers, begin + s * WIDTH, kept, place + s * WIDTH, scratch)


def block_gradient(
    shapes: Shapes, orders: Orders, room: Room, k: np.uint64, order: np.uint64, mine: np.uint64, theirs: np.uint64,
    begin: np.uint64, other: np.uint64, scale: float,
) -> None:  # fmt: skip
    """What each slot of a player earns with each hand where the game ends in the block; overwrites its values.

    ``k`` is the player of the shape, with ``mine`` hands against ``theirs``; the player's numbers begin at ``begin`` in
    the room, the other player's at ``other``. Where boards are drawn, ``scale`` makes up for those that were not.
    """
    values, reach, turned = room.values, room.reach, room.turned
    slots, rival = np.uint64(shapes.slots[k]), np.uint64(shapes.slots[k ^ _ONE])
    at, there = orders.at[_TWO * order + (k & _ONE)], orders.at[_TWO * order + ((k & _ONE) ^ _ONE)]
    tiles, their_tiles = (mine + WIDTH - _ONE) // WIDTH, (theirs + WIDTH - _ONE) // WIDTH
    for s in range(tiles * slots * WIDTH):
        values[begin + s] = REAL(0.0)
    for g in range(np.uint64(shapes.group[k]), np.uint64(shapes.group[k + _ONE])):
        first, count = np.uint64(shapes.seen[g]), np.uint64(shapes.seen[g + _ONE]) - np.uint64(shapes.seen[g])
        for t in range(their_tiles):
            turn_plan(
                room.plan, reach, turned, shapes.slot, first, count, other + t * rival * WIDTH, orders.weight,
                there + t * WIDTH, t * WIDTH * LANES,
            )  # fmt: skip
        for v in range(LANES):
            reach[theirs * LANES + v] = REAL(0.0)
        sweep_block(orders, at, there, mine, theirs, reach, room.sums, room.folded, room.shown)
        for s in range(mine * LANES, tiles * WIDTH * LANES):  # lanes without a hand
            room.folded[s] = REAL(0.0)
            room.shown[s] = REAL(0.0)
        low, high = np.uint64(shapes.end[g]), np.uint64(shapes.end[g + _ONE])
        for t in range(tiles):
            turn_back(room.folded, turned, t * WIDTH * LANES, _NONE)
            turn_back(room.shown, turned, t * WIDTH * LANES, LANES * WIDTH)
            start = begin + t * slots * WIDTH
            for e in range(low, high):
                base, lane = start + np.uint64(shapes.own[e]) * WIDTH, np.uint64(shapes.lane[e]) * WIDTH
                fold, show = shapes.fold[e] * scale, shapes.show[e] * scale
                for h in range(WIDTH):
                    values[base + h] += fold * turned[lane + h] + show * turned[(LANES * WIDTH) + lane + h]


def turn_plan(
    plan: Floats, reach: Floats, turned: Floats, slot: Indices, first: np.uint64, count: np.uint64, start: np.uint64,
    weight: Floats, hand: np.uint64, to: np.uint64,
) -> None:  # fmt: skip
    """A tile of a plan times the weights of hands, from rows of slots to rows of hands. Lanes without a slot are 0."""
    for v in range(LANES):
        if v < count:
            row = start + np.uint64(slot[first + v]) * WIDTH
            for h in range(WIDTH):
                turned[v * WIDTH + h] = plan[row + h] * weight[hand + h]
        else:
            for h in range(WIDTH):
                turned[v * WIDTH + h] = REAL(0.0)
    for v in range(_NONE, LANES, EDGE):
        for h in range(_NONE, WIDTH, EDGE):
            turn_square(turned, v * WIDTH + h, WIDTH, reach, to + h * LANES + v, LANES)


def turn_back(found: Floats, turned: Floats, begin: np.uint64, to: np.uint64) -> None:
    """What a sweep found for the hands of a tile, from rows of hands to rows of slots."""
    for v in range(_NONE, LANES, EDGE):
        for h in range(_NONE, WIDTH, EDGE):
            turn_square(found, begin + h * LANES + v, LANES, turned, to + v * WIDTH + h, WIDTH)


def turn_square_by_numbers(
    source: Floats, begin: np.uint64, stride: np.uint64, target: Floats, to: np.uint64, target_stride: np.uint64
) -> None:
    """What ``square_turner`` makes, one number after the other."""
    for a in range(EDGE):
        for b in range(EDGE):
            target[to + b * target_stride + a] = source[begin + a * stride + b]


turn_square: Any = square_turner() or inlined_kernel(turn_square_by_numbers)
"""Turn eight rows of eight numbers into columns."""


def sweep_block(
    orders: Orders, at: np.uint64, there: np.uint64, mine: np.uint64, theirs: np.uint64, reach: Floats, sums: Floats,
    folded: Floats, shown: Floats,
) -> None:  # fmt: skip
    """For each own hand the reach of the hands that go with it, and of the weaker minus the stronger of these.

    With a and b the own cards it is S − S_a − S_b, and the hand {a, b} itself was taken away twice. That one is exactly
    as strong, so it is neither among the weaker nor the stronger ones. Sums of the weaker and of the stronger hands
    grow apart from each other: taken as a total minus one of them, exact ties would be broken by rounding.
    """
    card, weaker, level = orders.card, orders.weaker, orders.level
    everything = np.uint64(SUMS - 1) * LANES
    for c in range(np.uint64(SUMS) * LANES):
        sums[c] = REAL(0.0)
    j, i = _NONE, _NONE
    while i < mine:
        begin, end = np.uint64(weaker[at + i]), np.uint64(level[at + i])
        while j < begin:
            a, b = np.uint64(card[_TWO * (there + j)]) * LANES, np.uint64(card[_TWO * (there + j) + _ONE]) * LANES
            for v in range(LANES):
                sums[everything + v] += reach[j * LANES + v]
            for v in range(LANES):
                sums[a + v] += reach[j * LANES + v]
            for v in range(LANES):
                sums[b + v] += reach[j * LANES + v]
            j += _ONE
        stop = i
        while stop < mine and weaker[at + stop] == begin and level[at + stop] == end:
            a, b = np.uint64(card[_TWO * (at + stop)]) * LANES, np.uint64(card[_TWO * (at + stop) + _ONE]) * LANES
            for v in range(LANES):
                shown[stop * LANES + v] = sums[everything + v] - sums[a + v] - sums[b + v]
            stop += _ONE
        while j < end:
            a, b = np.uint64(card[_TWO * (there + j)]) * LANES, np.uint64(card[_TWO * (there + j) + _ONE]) * LANES
            for v in range(LANES):
                sums[everything + v] += reach[j * LANES + v]
            for v in range(LANES):
                sums[a + v] += reach[j * LANES + v]
            for v in range(LANES):
                sums[b + v] += reach[j * LANES + v]
            j += _ONE
        while i < stop:
            a, b = np.uint64(card[_TWO * (at + i)]) * LANES, np.uint64(card[_TWO * (at + i) + _ONE]) * LANES
            twin = np.uint64(orders.same[at + i]) * LANES
            for v in range(LANES):
                folded[i * LANES + v] = sums[everything + v] - sums[a + v] - sums[b + v] + reach[twin + v]
            i += _ONE
    for c in range(np.uint64(SUMS) * LANES):
        sums[c] = REAL(0.0)
    j = theirs
    while i > _NONE:
        i -= _ONE
        while j > level[at + i]:
            j -= _ONE
            a, b = np.uint64(card[_TWO * (there + j)]) * LANES, np.uint64(card[_TWO * (there + j) + _ONE]) * LANES
            for v in range(LANES):
                sums[everything + v] += reach[j * LANES + v]
            for v in range(LANES):
                sums[a + v] += reach[j * LANES + v]
            for v in range(LANES):
                sums[b + v] += reach[j * LANES + v]
        a, b = np.uint64(card[_TWO * (at + i)]) * LANES, np.uint64(card[_TWO * (at + i) + _ONE]) * LANES
        likely = orders.likely[at + i]
        for v in range(LANES):
            stronger = sums[everything + v] - sums[a + v] - sums[b + v]
            folded[i * LANES + v] = (folded[i * LANES + v] + stronger) * likely
            shown[i * LANES + v] = (shown[i * LANES + v] - stronger) * likely


def enter_block(
    shapes: Shapes, boards: Boards, high_room: Room, room: Room, link: np.uint64, board: np.uint64, player: np.uint64,
    above: np.uint64, begin: np.uint64, above_slots: np.uint64,
) -> None:  # fmt: skip
    """The reach of the entries of a block on ``board``, from the plan of the block above."""
    plan, here, k = high_room.plan, room.plan, _TWO * np.uint64(shapes.below[link]) + player
    slots, hands = np.uint64(shapes.slots[k]), np.uint64(boards.hands[_TWO * board + player])
    at = boards.place[_TWO * np.uint64(boards.image[board]) + player]
    low, high = np.uint64(shapes.entry[link]), np.uint64(shapes.entry[link + _ONE])
    for e in range(high - low):
        row = above + np.uint64(shapes.source[_TWO * (low + e) + player]) * WIDTH
        for i in range((hands + WIDTH - _ONE) // WIDTH * WIDTH):
            to = begin + (i // WIDTH * slots + e) * WIDTH + i % WIDTH
            if i < hands:
                hand = np.uint64(boards.hand[at + i])
                here[to] = plan[row + hand // WIDTH * above_slots * WIDTH + hand % WIDTH]
            else:
                here[to] = REAL(0.0)


def leave_block(
    shapes: Shapes, boards: Boards, high_room: Room, room: Room, link: np.uint64, board: np.uint64, player: np.uint64,
    above: np.uint64, begin: np.uint64, above_slots: np.uint64,
) -> None:  # fmt: skip
    """Hand the values of the entries up, once for each image of the board."""
    values, here, k = high_room.values, room.values, _TWO * np.uint64(shapes.below[link]) + player
    slots, hands = np.uint64(shapes.slots[k]), np.uint64(boards.hands[_TWO * board + player])
    low, high = np.uint64(shapes.entry[link]), np.uint64(shapes.entry[link + _ONE])
    for m in range(np.uint64(boards.image[board]), np.uint64(boards.image[board + _ONE])):
        at = boards.place[_TWO * m + player]
        for e in range(high - low):
            row = above + np.uint64(shapes.source[_TWO * (low + e) + player]) * WIDTH
            for i in range(hands):
                hand = np.uint64(boards.hand[at + i])
                to = row + hand // WIDTH * above_slots * WIDTH + hand % WIDTH
                values[to] += here[begin + (i // WIDTH * slots + e) * WIDTH + i % WIDTH]


def even_out(
    boards: Boards, values: Floats, board: np.uint64, player: np.uint64, slots: np.uint64, begin: np.uint64
) -> None:
    """Give hands that only suits tell apart the same values or strategies: their mean.

    They are the same but for rounding. Left as they are, that would grow in some games, and boards that were merged
    because they are alike would no longer be.
    """
    twins = boards.twins
    low, high = np.uint64(boards.alike[_TWO * board + player]), np.uint64(boards.alike[_TWO * board + player + _ONE])
    for s in range(slots):
        row, total, first = begin + s * WIDTH, REAL(0.0), low
        for w in range(low, high):
            hand = np.uint64(twins[w] & np.uint32(TWINS_END - 1))
            total += values[row + hand // WIDTH * slots * WIDTH + hand % WIDTH]
            if twins[w] >= TWINS_END:
                for back in range(first, w + _ONE):
                    hand = np.uint64(twins[back] & np.uint32(TWINS_END - 1))
                    values[row + hand // WIDTH * slots * WIDTH + hand % WIDTH] = total / REAL(w + _ONE - first)
                total, first = REAL(0.0), w + _ONE


def expect_tiles(shapes: Shapes, k: np.uint64, tiles: np.uint64, begin: np.uint64, room: Room) -> None:
    """Counterfactual values of a block, from the leaves to its entries."""
    strategy, values = room.strategy, room.values
    slots, node = np.uint64(shapes.slots[k]), np.uint64(shapes.node[k])
    nodes, first = np.uint64(shapes.node[k + _ONE]) - node, node + k
    for t in range(tiles):
        start = begin + t * slots * WIDTH
        for back in range(nodes):
            n = nodes - _ONE - back
            before = start + np.uint64(shapes.parent[node + n]) * WIDTH
            for s in range(np.uint64(shapes.first[first + n]), np.uint64(shapes.first[first + n + _ONE])):
                base = start + s * WIDTH
                for h in range(WIDTH):
                    values[before + h] += strategy[base + h] * values[base + h]


def best_tiles(
    shapes: Shapes, orders: Orders, room: Room, k: np.uint64, board: np.uint64, hands: np.uint64, at: np.uint64,
    tiles: np.uint64, begin: np.uint64,
) -> None:  # fmt: skip
    """The same with the best action in place of the strategy, except where that is locked."""
    strategy, values, rows = room.strategy, room.values, room.rows
    slots, node = np.uint64(shapes.slots[k]), np.uint64(shapes.node[k])
    nodes, first = np.uint64(shapes.node[k + _ONE]) - node, node + k
    for t in range(tiles):
        start = begin + t * slots * WIDTH
        for back in range(nodes):
            n = nodes - _ONE - back
            before = start + np.uint64(shapes.parent[node + n]) * WIDTH
            low, high = np.uint64(shapes.first[first + n]), np.uint64(shapes.first[first + n + _ONE])
            for h in range(WIDTH):
                rows[h] = values[start + low * WIDTH + h]
            for s in range(low + _ONE, high):
                for h in range(WIDTH):
                    rows[h] = max(rows[h], values[start + s * WIDTH + h])
            for e in range(np.uint64(shapes.lock[k]), np.uint64(shapes.lock[k + _ONE])):
                held = shapes.lock_board[e] == board or shapes.lock_board[e] == EVERY_BOARD
                if held and shapes.lock_node[e] == n:
                    for h in range(WIDTH):
                        hand = np.uint64(orders.number[at + t * WIDTH + h])
                        if shapes.locked[np.uint64(shapes.lock_at[e]) + hand] >= REAL(0.0):
                            rows[h] = REAL(0.0)
                            for s in range(low, high):
                                rows[h] += strategy[start + s * WIDTH + h] * values[start + s * WIDTH + h]
            for h in range(WIDTH):
                values[before + h] += rows[h]


@cache
def block_kernel(name: str, precision: str, stored: str | None = None) -> Any:
    """The kernel of a text for numbers of a precision; what is ``stored`` may have another one."""
    number: Any = from_dtype(np.dtype(REALS[precision]))
    kept: Any = from_dtype(np.dtype(KEPT[stored or precision]))
    store, given = kept[::1], types.Array(kept, 1, "C", readonly=True)
    floats, place = number[::1], types.uint64

    def tuple_of(kind: Any) -> Any:
        kinds = {Floats: floats, Indices: types.uint32[::1], Places: types.uint64[::1]}
        return types.NamedTuple([kinds[hint] for hint in get_type_hints(kind).values()], kind)  # type: ignore[no-untyped-call]

    shapes, boards, orders, room = (tuple_of(kind) for kind in (Shapes, Boards, Orders, Room))
    texts: dict[str, tuple[Callable[..., Any], Any]] = {
        "play_tiles": (play_tiles, types.void(shapes, *[place] * 4, given, room)),
        "recall_tiles": (recall_tiles, types.void(shapes, *[place] * 4, given, room)),
        "average_tiles": (average_tiles, types.void(*[place] * 5, room, store, number, number)),
        "block_gradient": (block_gradient, types.void(shapes, orders, room, *[place] * 6, number)),
        "turn_plan": (
            turn_plan,
            types.void(floats, floats, floats, types.uint32[::1], *[place] * 3, floats, place, place),
        ),
        "turn_back": (turn_back, types.void(floats, floats, place, place)),
        "sweep_block": (sweep_block, types.void(orders, *[place] * 4, *[floats] * 4)),
        "enter_block": (enter_block, types.void(shapes, boards, room, room, *[place] * 6)),
        "leave_block": (leave_block, types.void(shapes, boards, room, room, *[place] * 6)),
        "even_out": (even_out, types.void(boards, floats, *[place] * 4)),
        "expect_tiles": (expect_tiles, types.void(shapes, *[place] * 3, room)),
        "best_tiles": (best_tiles, types.void(shapes, orders, room, *[place] * 6)),
        "lock_tiles": (lock_tiles, types.void(shapes, orders, room, *[place] * 6)),
        "follow_tiles": (follow_tiles, types.void(shapes, room, *[place] * 3)),
        "load_tile": (load_tile, types.void(given, place, place, floats)),
        "keep_tile": (keep_tile, types.void(floats, place, place, store, place, floats)),
    }
    text, signature = texts[name]
    real = {"REAL": REALS[precision]}
    version = f"{precision}_{stored or precision}"
    parts: dict[str, Any] = real | {
        each: inlined_kernel(specialised(kept_text, version, **real))
        for each, kept_text in keeping(stored or precision).items()
    }
    for part in {"block_gradient": ["turn_plan", "turn_back", "sweep_block"]}.get(name, []):
        parts[part] = block_kernel(part, precision)
    return vector_kernel(specialised(text, version, **parts), signature)
