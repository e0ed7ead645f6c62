"""Regret matching: proportional to the positive regrets.

Hart, Mas-Colell (2000), "A Simple Adaptive Procedure Leading to Correlated Equilibrium".
"""

from __future__ import annotations

import numpy as np

from regretlab.forms.kernel import Floats, inlined_kernel
from regretlab.rules.citations import REGRET_MATCHING
from regretlab.rules.weighing.protocol import Weighing


@inlined_kernel
def match_regrets(
    ties: float,
    total: float,
    positive: int,
    values: Floats,
    strategy: Floats,
    memory: Floats,
    i: int,
    low: int,
    high: int,
) -> None:
    """Proportional to the positive regrets, which sum to ``total``; uniform if there are none."""
    uniform = 1.0 / (high - low)
    for s in range(low, high):
        strategy[s] = proportion(strategy[s], total, uniform)


@inlined_kernel
def proportion(regret: float, total: float, uniform: float) -> float:
    """The probability of an action. The division is done in any case: a branch would keep hands from going together."""
    share = max(regret, 0.0) / (total if total > 0.0 else 1.0)
    return share if total > 0.0 else uniform


WIDTH, REAL = np.uint64(8), np.float64
"""Lanes of a tile, and the precision, which whoever makes a kernel of the text below puts in place of these."""


def match_regrets_on_lanes(
    values: Floats, strategy: Floats, memory: Floats, rows: Floats, node: int, low: int, high: int
) -> None:
    """The same for all hands of a node; the totals are row 1."""
    uniform = REAL(1.0) / REAL((high - low) // WIDTH)
    for base in range(low, high, WIDTH):
        for h in range(WIDTH):
            strategy[base + h] = proportion(strategy[base + h], rows[WIDTH + h], uniform)


WEIGHING = Weighing(
    "regret-matching",
    match_regrets,
    citations=(REGRET_MATCHING,),
    formula="σ ∝ {positive}",
    short="regret matching: σ ∝ R₊",
    code="positive = [max(regret, 0) for regret in {answered}]\nweights = positive",
    lanes=match_regrets_on_lanes,
    seconds=7e-9,
)
