"""Regret matching: proportional to the positive regrets.

Hart, Mas-Colell (2000), "A Simple Adaptive Procedure Leading to Correlated Equilibrium".
"""

from __future__ import annotations

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
    for s in range(low, high):
        strategy[s] = max(strategy[s], 0.0) / total if total > 0.0 else 1.0 / (high - low)


WEIGHING = Weighing(
    "regret-matching",
    match_regrets,
    citations=(REGRET_MATCHING,),
    formula="σ ∝ {positive}",
    short="regret matching: σ ∝ R₊",
    code="positive = [max(regret, 0) for regret in {answered}]\nweights = positive",
    seconds=7e-9,
)
