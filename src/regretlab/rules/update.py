"""A rule at work: what the actions earned in, the next strategy out."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

from numba import types

from regretlab.forms.kernel import Floats, Indices, as_argument
from regretlab.rules.accumulate import accumulate, clip
from regretlab.rules.step import Step
from regretlab.rules.weigh import HEDGE, NORMALHEDGE, hedge, normalhedge, regret_matching

Update: TypeAlias = Callable[..., None]
"""Lets information sets learn one after the other: the first ``count`` of ``order``.

Each is a segment ``first[i]:first[i + 1]`` of ``regret``, ``values`` and ``strategy``, and ``memory[i]``. It learns
from the values of its actions and adds what its old strategy earned to ``values[parent[i]]``, so where children stand
before their parents in ``order``, the parents see it.

The loop over information sets is in here, and not around it, because what a compiler makes of a loop depends on all
that is in it. Everybody who calls an update takes it as an argument, so one compiled caller serves all rules.
"""

_FLOATS, _INDICES = types.float64[::1], types.uint32[::1]

UPDATE = types.void(
    types.NamedUniTuple(types.float64, len(Step._fields), Step),  # type: ignore[no-untyped-call]
    _INDICES,  # order
    types.int64,  # count
    _INDICES,  # first
    _INDICES,  # parent
    _FLOATS,  # regret
    _FLOATS,  # values
    _FLOATS,  # strategy
    _FLOATS,  # memory
)
"""The signature of all updates."""


@cache
def built_in_update(clips: bool, predict: bool, weigh: int) -> Update:
    """The update of a built-in rule, compiled when it is first asked for.

    The three choices are constants to the compiler, which leaves out what a rule does not use.
    """

    def update(
        step: Step,
        order: Indices,
        count: int,
        first: Indices,
        parent: Indices,
        regret: Floats,
        values: Floats,
        strategy: Floats,
        memory: Floats,
    ) -> None:
        for k in range(count):
            i = order[k]
            low, high = first[i], first[i + 1]
            value = 0.0
            for s in range(low, high):
                value += strategy[s] * values[s]
            total, positive = accumulate(predict, step, regret, values, value, strategy, low, high)
            if clips:
                total, positive = clip(predict, step, regret, values, value, strategy, low, high)
            if weigh == HEDGE:
                hedge(values, strategy, memory, i, low, high)
            elif weigh == NORMALHEDGE and positive > 1:
                normalhedge(values, strategy, memory, i, low, high)
            else:
                regret_matching(total, strategy, low, high)
            values[parent[i]] += value

    compiled: Any = as_argument(update, UPDATE)
    return compiled  # type: ignore[no-any-return]
