"""The passes over a treeplex with lanes: the loops of ``passes``, for all hands of a public node at once.

A *slot* is an action of a public node, and a *lane* is a hand. Every number is kept for each slot and each lane, in
tiles of WIDTH lanes, ``(tiles, slots, WIDTH)`` as one flat array: the innermost loop of every pass runs over neighbours
in memory, and a pass over one tile touches nothing of another. Slot 0 is the empty sequence. Where a slot is given by
an array, it is by where its first lane stands in the first tile: its number times WIDTH.

What is here are texts; ``lane_kernels`` makes kernels of them, for tiles of a width and numbers of a precision. To
the compiler the width is a constant: a loop with a known number of steps becomes a few vector instructions. All
indices are unsigned, as everywhere; mixed with signed ones Numba would make floats of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, get_type_hints

import numpy as np
from numba import from_dtype, types
from numpy.typing import NDArray

from regretlab.forms.kernel import Floats, Indices, specialised, vector_kernel

WIDTH = np.uint64(8)
"""How many lanes a tile has."""

REALS: dict[str, Any] = {"f64": np.float64, "f32": np.float32}
"""The precisions in which numbers can be kept, by name."""

_NONE, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)


CACHE_LINE = 64
"""Bytes. Eight lanes are one; an array that begins in the middle of one takes twice as long to go through."""


def aligned_zeros(size: int, kind: Any = np.float64) -> NDArray[Any]:
    """As many zeros, which begin where a cache line does; pages that nobody has written to take no memory."""
    nbytes = size * np.dtype(kind).itemsize
    room = np.zeros(nbytes + CACHE_LINE, dtype=np.uint8)
    begin = -room.ctypes.data % CACHE_LINE
    return room[begin : begin + nbytes].view(kind)


def aligned(numbers: NDArray[Any]) -> NDArray[Any]:
    """A copy that begins where a cache line does."""
    copy = aligned_zeros(numbers.size, numbers.dtype)
    copy[:] = numbers
    return copy


class Dense(NamedTuple):
    """A player's endings whose hand kernels are matrices; those of slot s are ``rows[s]:rows[s + 1]``."""

    rows: Indices  # (slots + 1,)
    other: Indices  # (endings,) the other player's slot
    offset: Indices  # (endings,) where the hand kernel begins in ``entry``
    factor: Floats  # (endings,)
    entry: Floats  # (kernels, the other player's hands, own lanes): own lanes next to each other
    places: Indices  # (the other player's hands,) where each stands in slot 0


class Sorted(NamedTuple):
    """A player's endings whose hand kernels compare strengths, summed in the order of strength.

    What a slot of the other player brings to each own hand, by folding and by showing, is a *sight*: one sweep over
    the hands of both from the weakest to the strongest and one back. Those that share a slot share it. An *order* is
    how strong the hands are and how likely, on one board. Two hands with a card in common exclude each other; a hand
    has up to two cards.
    """

    rows: Indices  # (slots + 1,)
    sight: Indices  # (endings,)
    fold: Floats  # (endings,) the factor on the reach of all hands
    show: Floats  # (endings,) the factor on the reach of the weaker ones minus that of the stronger ones
    seen: Indices  # (sights,) the other player's slot
    order: Indices  # (sights,)
    # By order, from the weakest own hand to the strongest: (orders, own hands).
    lane: Indices
    likely: Floats  # the weight of the own hand
    begin: Indices  # how many of the other player's hands are weaker,
    end: Indices  # and how many are not stronger
    same: Indices  # where the other player's hand of the same two cards stands; behind all where there is none
    card: Indices  # (orders, own hands, 2) the cards; without one, the card before the last, which nobody holds
    # By order, from the other player's weakest hand to the strongest: (orders, the other player's hands).
    place: Indices  # where the hand stands in slot 0
    weight: Floats
    held: Indices  # (…, 2) the cards; without one, the last card
    apart: Indices  # (orders,) 1 where hands exclude each other only if they are equally strong, and few are
    # For sweeps.
    weaker: Floats  # (the other player's hands + 1,) the reach of those before each, in the order of strength,
    stronger: Floats  # and of those from each on
    cards: Floats  # (cards + 2,) the reach of the hands with each card so far
    reach: Floats  # (the other player's hands,) in the order of strength
    folded: Floats  # (sights, own lanes) the sights
    shown: Floats


def dense_gradient(endings: Dense, plan: Floats, out: Floats, low: int, high: int) -> None:
    """``out[s, h] = Σ factor · Σ_j entry[j, h] · plan[other, j]`` over the endings of slot s; ``out`` is overwritten.

    For the slots ``low:high``. Each of the other player's hands is one number times a row of own lanes, so nothing is
    summed across lanes.
    """
    rows, other, offset, factor, entry, places = endings
    slots = np.uint64(len(rows) - 1)
    tiles = np.uint64(len(out)) // (slots * WIDTH)
    for t in range(tiles):
        for s in range(np.uint64(low), np.uint64(high)):
            base = (t * slots + s) * WIDTH
            for h in range(WIDTH):
                out[base + h] = 0.0
            for k in range(rows[s], rows[s + _ONE]):
                row = np.uint64(offset[k]) + t * WIDTH
                for j in range(len(places)):
                    reach = factor[k] * plan[np.uint64(places[j]) + np.uint64(other[k])]
                    for h in range(WIDTH):
                        out[base + h] += reach * entry[row + h]
                    row += tiles * WIDTH


def sweeps(endings: Sorted, plan: Floats, low: int, high: int) -> None:
    """Fill in the sights ``low:high``, in a time that grows with the number of hands and not of pairs."""
    for v in range(np.uint64(low), np.uint64(high)):
        sweep(endings, np.uint64(v), np.uint64(len(endings.folded)) // np.uint64(len(endings.seen)), plan)


def sorted_gradient(endings: Sorted, out: Floats, low: int, high: int) -> None:
    """Add to ``out``, for the slots ``low:high``, what the sights bring."""
    if len(endings.seen) == 0:
        return
    rows, folded, shown = endings.rows, endings.folded, endings.shown
    slots = np.uint64(len(rows) - 1)
    tiles = np.uint64(len(out)) // (slots * WIDTH)
    for t in range(tiles):
        for s in range(np.uint64(low), np.uint64(high)):
            base = (t * slots + s) * WIDTH
            for k in range(rows[s], rows[s + _ONE]):
                row = np.uint64(endings.sight[k]) * tiles * WIDTH + t * WIDTH
                fold, show = endings.fold[k], endings.show[k]
                for h in range(WIDTH):
                    out[base + h] += fold * folded[row + h] + show * shown[row + h]


def sweep(endings: Sorted, v: np.uint64, lanes: np.uint64, plan: Floats) -> None:
    """Fill in sight number ``v``.

    With a and b the own cards, what is reached by compatible hands is S − S_a − S_b, plus the hand {a, b} itself, which
    was taken away twice. Sums of the weaker and of the stronger hands grow apart from each other: taken as a total
    minus one of them, exact ties would be broken by rounding.
    """
    cards, reach, same, card = endings.cards, endings.reach, endings.same, endings.card
    theirs = np.uint64(len(reach))
    mine = np.uint64(len(endings.lane)) // (np.uint64(len(endings.place)) // theirs)
    slot, row = np.uint64(endings.seen[v]), v * lanes
    own, other = np.uint64(endings.order[v]) * mine, np.uint64(endings.order[v]) * theirs
    for j in range(theirs):
        reach[j] = plan[np.uint64(endings.place[other + j]) + slot] * endings.weight[other + j]
    if endings.apart[endings.order[v]]:
        sweep_apart(endings, own, other, mine, row)
        return
    for c in range(len(cards)):
        cards[c] = 0.0
    total, k, i = reach[0] * 0, _NONE, _NONE  # a 0 of the right precision
    while i < mine:
        begin, end = np.uint64(endings.begin[own + i]), np.uint64(endings.end[own + i])
        while k < begin:
            total += reach[k]
            cards[endings.held[_TWO * (other + k)]] += reach[k]
            cards[endings.held[_TWO * (other + k) + _ONE]] += reach[k]
            k += _ONE
        stop = i
        while stop < mine and endings.begin[own + stop] == begin and endings.end[own + stop] == end:
            g = own + stop
            weaker = total - cards[card[_TWO * g]] - cards[card[_TWO * g + _ONE]]
            endings.shown[row + np.uint64(endings.lane[g])] = weaker + reach[same[g]] if same[g] < begin else weaker
            stop += _ONE
        while k < end:
            total += reach[k]
            cards[endings.held[_TWO * (other + k)]] += reach[k]
            cards[endings.held[_TWO * (other + k) + _ONE]] += reach[k]
            k += _ONE
        while i < stop:
            g = own + i
            up_to = total - cards[card[_TWO * g]] - cards[card[_TWO * g + _ONE]]
            endings.folded[row + np.uint64(endings.lane[g])] = up_to + reach[same[g]] if same[g] < end else up_to
            i += _ONE
    for c in range(len(cards)):
        cards[c] = 0.0
    total, k = reach[0] * 0, theirs
    while i > _NONE:
        i -= _ONE
        g = own + i
        while k > endings.end[g]:
            k -= _ONE
            total += reach[k]
            cards[endings.held[_TWO * (other + k)]] += reach[k]
            cards[endings.held[_TWO * (other + k) + _ONE]] += reach[k]
        stronger = total - cards[card[_TWO * g]] - cards[card[_TWO * g + _ONE]]
        if endings.end[g] <= same[g] < theirs:
            stronger += reach[same[g]]
        lane = row + np.uint64(endings.lane[g])
        endings.folded[lane] = (endings.folded[lane] + stronger) * endings.likely[g]
        endings.shown[lane] = (endings.shown[lane] - stronger) * endings.likely[g]


def sweep_apart(endings: Sorted, own: np.uint64, other: np.uint64, mine: np.uint64, row: np.uint64) -> None:
    """A sight where cards need no sums: whoever is weaker or stronger is compatible, and the few equals are looked at
    one by one."""
    weaker, stronger, reach = endings.weaker, endings.stronger, endings.reach
    theirs = np.uint64(len(reach))
    weaker[0] = 0.0
    stronger[theirs] = 0.0
    for j in range(theirs):
        weaker[j + _ONE] = weaker[j] + reach[j]
    for j in range(theirs):
        k = theirs - _ONE - j
        stronger[k] = stronger[k + _ONE] + reach[k]
    for i in range(mine):
        g = own + i
        a, b = endings.card[_TWO * g], endings.card[_TWO * g + _ONE]
        begin, end = np.uint64(endings.begin[g]), np.uint64(endings.end[g])
        below, above = weaker[begin], stronger[end]
        folded = below + above
        for equal in range(begin, end):
            c, d = endings.held[_TWO * (other + equal)], endings.held[_TWO * (other + equal) + _ONE]
            if a != c and a != d and b != c and b != d:
                folded += reach[equal]
        lane = row + np.uint64(endings.lane[g])
        endings.folded[lane] = folded * endings.likely[g]
        endings.shown[lane] = (below - above) * endings.likely[g]


def lane_plan(
    parent: Indices, first: Indices, upwards: Indices, low: int, high: int, strategy: Floats, plan: Floats
) -> None:
    """Reach, from the root to the leaves: the plan of a slot is that of the slot before its node times the strategy.

    For the tiles ``low:high`` and the nodes of ``upwards``, from its end on: parents come last there.
    """
    slots = np.uint64(first[len(parent)])
    for t in range(np.uint64(low), np.uint64(high)):
        start = t * slots * WIDTH
        for h in range(WIDTH):
            plan[start + h] = strategy[start + h]
        for k in range(len(upwards)):
            n = np.uint64(upwards[len(upwards) - 1 - k])
            before = start + np.uint64(parent[n]) * WIDTH
            for s in range(np.uint64(first[n]), np.uint64(first[n + _ONE])):
                base = start + s * WIDTH
                for h in range(WIDTH):
                    plan[base + h] = plan[before + h] * strategy[base + h]


def lane_average(total: Floats, plan: Floats, low: int, high: int, fade: float, weight: float) -> None:
    """Add the plan that was played to the average, for the numbers ``low:high``."""
    for s in range(np.uint64(low), np.uint64(high)):
        total[s] = total[s] * fade + weight * plan[s]


def lane_expectation(parent: Indices, first: Indices, strategy: Floats, values: Floats) -> float:
    """Counterfactual values, from the leaves to the root; ``values`` is modified. Returns the value at the root."""
    slots = np.uint64(first[len(parent)])
    value = 0.0
    for t in range(np.uint64(len(values)) // (slots * WIDTH)):
        start = t * slots * WIDTH
        for k in range(len(parent)):
            n = len(parent) - 1 - k
            before = start + np.uint64(parent[n]) * WIDTH
            for s in range(np.uint64(first[n]), np.uint64(first[n + 1])):
                base = start + s * WIDTH
                for h in range(WIDTH):
                    values[before + h] += strategy[base + h] * values[base + h]
        for h in range(WIDTH):
            value += values[start + h]
    return value


def lane_best_response(parent: Indices, first: Indices, values: Floats, choice: Indices) -> float:
    """The best response, from the leaves to the root; ``values`` is modified. Returns the value at the root.

    ``choice`` (tiles, nodes, WIDTH) becomes the number of the best action, the first one where several are equal.
    """
    slots, nodes = np.uint64(first[len(parent)]), np.uint64(len(parent))
    value = 0.0
    for t in range(np.uint64(len(values)) // (slots * WIDTH)):
        start = t * slots * WIDTH
        for k in range(nodes):
            n = nodes - _ONE - np.uint64(k)
            low, high = np.uint64(first[n]), np.uint64(first[n + _ONE])
            before, node = start + np.uint64(parent[n]) * WIDTH, (t * nodes + n) * WIDTH
            for h in range(WIDTH):
                best, most = _NONE, values[start + low * WIDTH + h]
                for a in range(_ONE, high - low):
                    here = values[start + (low + a) * WIDTH + h]
                    if here > most:
                        best, most = np.uint64(a), here
                choice[node + h] = best
                values[before + h] += most
        for h in range(WIDTH):
            value += values[start + h]
    return value


def lane_normalise(parent: Indices, first: Indices, weights: Floats, strategy: Floats) -> None:
    """Behaviour from non-negative weights: proportional at each information set, uniform where all are 0."""
    slots = np.uint64(first[len(parent)])
    for t in range(np.uint64(len(weights)) // (slots * WIDTH)):
        start = t * slots * WIDTH
        for h in range(WIDTH):
            strategy[start + h] = 1.0
        for n in range(len(parent)):
            low, high = np.uint64(first[n]), np.uint64(first[n + 1])
            for h in range(WIDTH):
                total = 0.0
                for s in range(low, high):
                    total += weights[start + s * WIDTH + h]
                for s in range(low, high):
                    place = start + s * WIDTH + h
                    strategy[place] = weights[place] / total if total > 0.0 else 1.0 / (high - low)


@cache
def lane_kernel(name: str, width: int, precision: str = "f64") -> Any:
    """The kernel of a text for tiles of ``width`` lanes and numbers of a precision."""
    number: Any = from_dtype(np.dtype(REALS[precision]))
    floats, indices = number[::1], types.uint32[::1]
    given = types.Array(number, 1, "C", readonly=True)

    def endings(kind: Any) -> Any:
        fields = [floats if hint == Floats else indices for hint in get_type_hints(kind).values()]
        return types.NamedTuple(fields, kind)  # type: ignore[no-untyped-call]

    span = types.int64, types.int64
    texts: dict[str, tuple[Callable[..., Any], Any]] = {
        "dense_gradient": (dense_gradient, types.void(endings(Dense), given, floats, *span)),
        "sweeps": (sweeps, types.void(endings(Sorted), given, *span)),
        "sorted_gradient": (sorted_gradient, types.void(endings(Sorted), floats, *span)),
        "sweep": (sweep, types.void(endings(Sorted), types.uint64, types.uint64, given)),
        "sweep_apart": (sweep_apart, types.void(endings(Sorted), *[types.uint64] * 4)),
        "lane_plan": (lane_plan, types.void(indices, indices, indices, *span, given, floats)),
        "lane_average": (lane_average, types.void(floats, given, *span, number, number)),
        "lane_expectation": (lane_expectation, types.float64(indices, indices, given, floats)),
        "lane_best_response": (lane_best_response, types.float64(indices, indices, floats, indices)),
        "lane_normalise": (lane_normalise, types.void(indices, indices, given, floats)),
    }
    text, signature = texts[name]
    parts: dict[str, Any] = {"WIDTH": np.uint64(width)}
    for part in {"sweeps": ["sweep"], "sweep": ["sweep_apart"]}.get(name, []):
        parts[part] = lane_kernel(part, width, precision)
    return vector_kernel(specialised(text, f"{width}_{precision}", **parts), signature)
