"""A rule is a way to accumulate and a way to weigh: one information set's numbers in, its next strategy out."""

from __future__ import annotations

from regretlab.forms.kernel import Floats, inlined_kernel
from regretlab.rules.accumulate import accumulate
from regretlab.rules.weigh import weigh


@inlined_kernel
def update(
    accumulate_kind: int, weigh_kind: int, regret: Floats, values: Floats, strategy: Floats, low: int, high: int
) -> float:
    """Let one information set learn from the values of its actions; returns what its strategy earned.

    ``regret[low:high]`` and ``strategy[low:high]`` are modified in place, ``values[low:high]`` is read.
    """
    value = 0.0
    for s in range(low, high):
        value += strategy[s] * values[s]
    total = accumulate(accumulate_kind, regret, values, value, low, high)
    weigh(weigh_kind, regret, total, strategy, low, high)
    return value
