"""A rule at work: what the actions earned in, the next strategy out."""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol

from numba import types

from regretlab.forms.kernel import Floats, Indices, as_argument, inlined_kernel, specialised
from regretlab.rules.accumulate import ACCUMULATIONS, Step, accumulate
from regretlab.rules.weighing import WEIGHINGS


class Update(Protocol):
    """Lets information sets learn one after the other: the first ``count`` of ``order``.

    Each is a segment ``first[i]:first[i + 1]`` of ``regret``, ``values`` and ``strategy``, and ``memory[i]``. It learns
    from the values of its actions and adds what its old strategy earned to ``values[parent[i]]``, so where children
    stand before their parents in ``order``, the parents see it.

    The loop over information sets is in here, and not around it, because what a compiler makes of a loop depends on all
    that is in it. Everybody who calls an update takes it as an argument, so one compiled caller serves all rules.
    """

    def __call__(
        self,
        step: Step,
        order: Indices,
        count: int,
        first: Indices,
        parent: Indices,
        regret: Floats,
        values: Floats,
        strategy: Floats,
        memory: Floats,
    ) -> None: ...


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
"""The signature of all updates, for the compiler."""

respond: Any = None
"""What one information set does with what its actions earned: each rule puts its own in place of this."""


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
    """The text of all updates, a user's own included."""
    for k in range(count):
        i = order[k]
        low, high = first[i], first[i + 1]
        value = 0.0
        for s in range(low, high):
            value += strategy[s] * values[s]
        respond(step, regret, values, value, strategy, memory, i, low, high)
        values[parent[i]] += value


BOUNDED, PREDICTS = False, False
bounds: Any = None
weigh: Any = None
"""The parts of a built-in rule, which ``built_in_update`` puts in place of these."""


def accumulate_and_weigh(
    step: Step,
    regret: Floats,
    values: Floats,
    value: float,
    strategy: Floats,
    memory: Floats,
    i: int,
    low: int,
    high: int,
) -> None:
    """The text of what all built-in rules do at one information set."""
    total, positive = accumulate(PREDICTS, step, regret, values, value, strategy, low, high)
    if BOUNDED:
        total, positive = bounds(PREDICTS, step, regret, values, value, strategy, low, high)
    weigh(step.ties, total, positive, values, strategy, memory, i, low, high)


def built_in_update(accumulation: str, predicts: bool, weighing: str) -> Update:
    """The update of a built-in rule, compiled when it is first asked for."""
    # Those without bounds differ only in the level, which is a number of each step.
    return _compiled(accumulation if ACCUMULATIONS[accumulation].bounds else "", predicts, weighing)


@cache
def _compiled(bounded: str, predicts: bool, weighing: str) -> Update:
    made = built_in_response(bounded, predicts, weighing)
    compiled: Update = as_argument(specialised(update, rule_name(bounded, predicts, weighing), respond=made), UPDATE)
    return compiled


def rule_name(bounded: str, predicts: bool, weighing: str) -> str:
    """What kernels of a built-in rule are called."""
    return f"{weighing}_{bounded}{'_predictive' * predicts}".replace("-", "_")


@cache
def built_in_response(bounded: str, predicts: bool, weighing: str) -> Any:
    """What a built-in rule does at one information set; ``bounded`` is an accumulation with bounds, or empty.

    Its parts are constants to the compiler, which leaves out what the rule does not use.
    """
    parts = {"BOUNDED": bool(bounded), "PREDICTS": predicts, "weigh": WEIGHINGS[weighing].kernel}
    if bounded:
        parts["bounds"] = ACCUMULATIONS[bounded].bounds
    return inlined_kernel(specialised(accumulate_and_weigh, rule_name(bounded, predicts, weighing), **parts))
