"""Rules on lanes: what ``update`` does at one information set, for all hands of a public node at once.

The formulas are those of ``accumulate`` and of the ways to weigh. Where a way to weigh has no loop over lanes of its
own, or the rule is a user's, each hand's numbers are copied into a segment, and the rule works there as it always does.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, Protocol

import numpy as np
from numba import from_dtype, types
from numpy.typing import NDArray

from regretlab.forms.kernel import Floats, Indices, inlined_kernel, specialised, vector_argument
from regretlab.forms.lane_passes import REALS
from regretlab.rules.accumulate import ACCUMULATIONS, Step, accumulated, answered
from regretlab.rules.update import built_in_response, rule_name
from regretlab.rules.weighing import WEIGHINGS

ROWS = 8
"""Rows of lanes that a rule may use as scratch."""


class Segment(NamedTuple):
    """One hand's numbers at a node, next to each other."""

    regret: Floats  # (the most actions that a node has,)
    values: Floats
    strategy: Floats


class LaneUpdate(Protocol):
    """Lets the nodes of one tile learn one after the other: the first ``count`` of ``order``.

    The numbers of the tile begin at ``start`` in ``values`` and ``strategy``, at ``stored`` in ``regret``, and those of
    its nodes at ``node_start`` in ``memory`` and ``possible``. Otherwise it is as in ``Update``.
    """

    def __call__(
        self,
        step: Step,
        order: Indices,
        count: int,
        first: Indices,
        parent: Indices,
        start: np.uint64,
        stored: np.uint64,
        node_start: np.uint64,
        regret: Floats,
        values: Floats,
        strategy: Floats,
        memory: Floats,
        possible: NDArray[np.bool_],
        rows: Floats,
        segment: Segment,
    ) -> None: ...


def lane_signature(precision: str) -> Any:
    """The signature of all lane updates with numbers of a precision, for the compiler."""
    number: Any = from_dtype(np.dtype(REALS[precision]))
    floats, indices, doubles = number[::1], types.uint32[::1], types.float64[::1]
    return types.void(
        types.NamedUniTuple(types.float64, len(Step._fields), Step),  # type: ignore[no-untyped-call]
        indices,  # order
        types.int64,  # count
        indices,  # first
        indices,  # parent
        types.uint64,  # start
        types.uint64,  # stored
        types.uint64,  # node_start
        floats,  # regret
        floats,  # values
        floats,  # strategy
        doubles,  # memory
        types.boolean[::1],  # possible
        floats,  # rows
        types.NamedUniTuple(doubles, len(Segment._fields), Segment),  # type: ignore[no-untyped-call]
    )


WIDTH, REAL, PREDICTS, WEIGHS = np.uint64(8), np.float64, False, True
respond: Any = None
weigh_lanes: Any = None
"""The parts of an update, which ``specialised`` puts in place of these."""

_ONE = np.uint64(1)


def through_segments(
    step: Step,
    order: Indices,
    count: int,
    first: Indices,
    parent: Indices,
    start: np.uint64,
    stored: np.uint64,
    node_start: np.uint64,
    regret: Floats,
    values: Floats,
    strategy: Floats,
    memory: Floats,
    possible: NDArray[np.bool_],
    rows: Floats,
    segment: Segment,
) -> None:
    """The text of updates that work on one hand at a time. Hands that can't be held learn nothing."""
    shift = stored - start
    for k in range(count):
        n = np.uint64(order[k])
        actions = np.uint64(first[n + _ONE]) - np.uint64(first[n])
        low, before = start + np.uint64(first[n]) * WIDTH, start + np.uint64(parent[n]) * WIDTH
        for h in range(WIDTH):
            i = node_start + n * WIDTH + h
            if not possible[i]:
                continue
            value = 0.0
            for a in range(actions):
                place = low + a * WIDTH + h
                segment.regret[a], segment.values[a] = regret[place + shift], values[place]
                segment.strategy[a] = strategy[place]
                value += segment.strategy[a] * segment.values[a]
            respond(step, segment.regret, segment.values, value, segment.strategy, memory, i, 0, actions)
            for a in range(actions):
                place = low + a * WIDTH + h
                regret[place + shift], strategy[place] = segment.regret[a], segment.strategy[a]
            values[before + h] += value


def on_lanes(
    step: Step,
    order: Indices,
    count: int,
    first: Indices,
    parent: Indices,
    start: np.uint64,
    stored: np.uint64,
    node_start: np.uint64,
    regret: Floats,
    values: Floats,
    strategy: Floats,
    memory: Floats,
    possible: NDArray[np.bool_],
    rows: Floats,
    segment: Segment,
) -> None:
    """The text of built-in updates that work on all hands of a tile at once.

    ``rows`` holds the value of each hand, then the sum of what is positive among what the next strategy follows from.
    Without WEIGHS the regrets learn, and whoever plays next makes the strategy from them.
    """
    now = Step(
        REAL(step.number),
        REAL(step.weight),
        REAL(step.fade),
        REAL(step.positive),
        REAL(step.negative),
        REAL(step.next_positive),
        REAL(step.next_negative),
        REAL(step.level),
        REAL(step.ties),
        REAL(step.predict),
    )
    floor = REAL(0.0) if step.level == 0.0 else REAL(-math.inf)
    shift = stored - start
    for k in range(count):
        n = np.uint64(order[k])
        low, high = start + np.uint64(first[n]) * WIDTH, start + np.uint64(first[n + _ONE]) * WIDTH
        before = start + np.uint64(parent[n]) * WIDTH
        for h in range(WIDTH):
            rows[h] = strategy[low + h] * values[low + h]
            rows[WIDTH + h] = 0.0
        for base in range(low + WIDTH, high, WIDTH):
            for h in range(WIDTH):
                rows[h] += strategy[base + h] * values[base + h]
        for base in range(low, high, WIDTH):
            for h in range(WIDTH):
                place = base + shift + h
                regret[place] = accumulated(now, floor, regret[place], values[base + h] - rows[h])
        # Apart from the loop above, because together they are too much to be done for several hands at once.
        if WEIGHS:
            for base in range(low, high, WIDTH):
                for h in range(WIDTH):
                    expected = answered(PREDICTS, now, regret[base + shift + h], values[base + h] - rows[h])
                    strategy[base + h] = expected
                    rows[WIDTH + h] += max(expected, REAL(0.0))
            weigh_lanes(values, strategy, memory, rows, node_start + n * WIDTH, low, high)
        for h in range(WIDTH):
            values[before + h] += rows[h]


def built_in_lane_update(
    accumulation: str, predicts: bool, weighing: str, width: int, precision: str, weighs: bool = True
) -> LaneUpdate:
    """The update of a built-in rule on lanes, compiled when it is first asked for.

    Without ``weighs`` it leaves the strategy alone, for rules whose strategy ``follows_from_regrets``.
    """
    bounded = accumulation if ACCUMULATIONS[accumulation].bounds else ""
    return _compiled(bounded, predicts, weighing, width, precision, weighs)


def follows_from_regrets(accumulation: str, predicts: bool, weighing: str) -> bool:
    """Whether the strategy can be made from the stored regrets at any time, by regret matching."""
    return not (ACCUMULATIONS[accumulation].bounds or predicts) and weighing == "regret-matching"


@cache
def _compiled(bounded: str, predicts: bool, weighing: str, width: int, precision: str, weighs: bool) -> LaneUpdate:
    name = f"{rule_name(bounded, predicts, weighing)}_{width}_{precision}{'' if weighs else '_regrets'}"
    lanes = WEIGHINGS[weighing].lanes
    if bounded or lanes is None:
        return lane_update_of(built_in_response(bounded, predicts, weighing), name, width, precision)
    parts = {"WIDTH": np.uint64(width), "REAL": REALS[precision]}
    weigh = inlined_kernel(specialised(lanes, name, **parts))
    made = specialised(on_lanes, name, PREDICTS=predicts, WEIGHS=weighs, weigh_lanes=weigh, **parts)
    compiled: LaneUpdate = vector_argument(made, lane_signature(precision))
    return compiled


def lane_update_of(
    response: Callable[..., None], name: str, width: int, precision: str, kept: bool = True
) -> LaneUpdate:
    """The update on lanes of a rule that works on one information set at a time."""
    made = specialised(through_segments, name, WIDTH=np.uint64(width), respond=response)
    compiled: LaneUpdate = vector_argument(made, lane_signature(precision), kept=kept, allocates=not kept)
    return compiled
