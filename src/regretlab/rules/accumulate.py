"""Accumulate: how the regrets of one information set take in what was just seen.

``values[s]`` is what each action earned and ``value`` what the strategy earned, so ``values[s] - value`` is the
instantaneous regret.
"""

from __future__ import annotations

from regretlab.forms.kernel import Floats, inlined_kernel

SUM = 0
TRUNCATE = 1

ACCUMULATE = {"sum": SUM, "truncate": TRUNCATE}
"""The names of the ways to accumulate, and the small integers by which kernels know them."""


@inlined_kernel
def accumulate(kind: int, regret: Floats, values: Floats, value: float, low: int, high: int) -> float:
    """Update ``regret[low:high]`` in place; returns the sum of the positive ones, which weighing asks for next.

    - sum: R ← R + r. Zinkevich, Johanson, Bowling, Piccione (2007), "Regret Minimization in Games with Incomplete
      Information".
    - truncate: R ← max(R + r, 0), regret matching⁺. Tammelin (2014), "Solving Large Imperfect Information Games Using
      CFR+". Truncation comes once an information set and pass, after the regrets of all deals are summed: clipping
      deal by deal is a different and much worse algorithm.
    """
    total = 0.0
    for s in range(low, high):
        summed = regret[s] + (values[s] - value)
        positive = max(summed, 0.0)
        regret[s] = positive if kind == TRUNCATE else summed
        total += positive
    return total
