"""A rule is a way to accumulate and a way to weigh: what the actions earned in, the next strategy out."""

from __future__ import annotations

from regretlab.forms.kernel import Floats, Indices, kernel
from regretlab.rules.accumulate import accumulate
from regretlab.rules.weigh import NORMALHEDGE, normalhedge, regret_matching


@kernel
def update(
    accumulate_kind: int,
    weigh_kind: int,
    order: Indices,
    count: int,
    first: Indices,
    parent: Indices,
    regret: Floats,
    values: Floats,
    strategy: Floats,
) -> None:
    """Let information sets learn one after the other: the first ``count`` of ``order``.

    Each is a segment ``first[i]:first[i + 1]`` of ``regret``, ``values`` and ``strategy``. It learns from the values of
    its actions and adds what its old strategy earned to ``values[parent[i]]``, so where children stand before their
    parents in ``order``, the parents see it.

    The loop over information sets is in here, because what a compiler makes of it depends on everything in it: with
    NormalHedge called, and not written out, it takes two thirds of the time.
    """
    for k in range(count):
        i = order[k]
        low, high = first[i], first[i + 1]
        value = 0.0
        for s in range(low, high):
            value += strategy[s] * values[s]
        total = accumulate(accumulate_kind, regret, values, value, low, high)
        if weigh_kind == NORMALHEDGE:
            normalhedge(regret, strategy, low, high)
        else:
            regret_matching(regret, total, strategy, low, high)
        values[parent[i]] += value
