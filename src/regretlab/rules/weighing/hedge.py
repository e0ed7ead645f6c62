"""Hedge: exponential weights, with a rate that follows from what was seen.

Cesa-Bianchi, Lugosi (2006), "Prediction, Learning, and Games", theorem 2.3.
"""

from __future__ import annotations

import math

from regretlab.forms.kernel import Floats, kernel
from regretlab.rules.citations import HEDGE
from regretlab.rules.weighing.protocol import Weighing


@kernel
def weigh_exponentially(
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
    """Proportional to exp(η R) with η = √(8 ln N / V).

    V, the memory, sums the squares of the ranges of the values seen so far. With values that range over 1 it is t, and
    η is that of the theorem; in this form nobody needs to know the range beforehand, and scaling all values changes
    nothing. A range that is only rounding counts nothing: as long as V is 0, all actions are played alike.
    """
    least, most, largest = values[low], values[low], strategy[low]
    for s in range(low + 1, high):
        least, most, largest = min(least, values[s]), max(most, values[s]), max(largest, strategy[s])
    if most - least > ties:
        memory[i] += (most - least) * (most - least)
    eta = math.sqrt(8.0 * math.log(high - low) / memory[i]) if memory[i] > 0.0 else 0.0
    weights = 0.0
    for s in range(low, high):
        strategy[s] = math.exp(eta * (strategy[s] - largest))
        weights += strategy[s]
    for s in range(low, high):
        strategy[s] /= weights


WEIGHING = Weighing(
    "hedge",
    weigh_exponentially,
    citations=HEDGE,
    formula="σ ∝ exp(η {plain}), η = √(8 ln N / V), V the sum of the squared ranges of what was seen",
    words="The strategy follows from exponential weights, with a rate that follows from what was seen.",
    letters={
        "V": "the sum of the squares of the ranges of what was seen",
        "η, w(a)": "Hedge's rate, and the weights that follow from it",
    },
    code="""V += (max(r) - min(r))**2
eta = sqrt(8 * log(len(R)) / V) if V > 0 else 0
weights = [exp(eta * (regret - max({answered}))) for regret in {answered}]""",
    code_imports="from math import exp, log, sqrt",
    keeps="Hedge also keeps V.",
    plays_all=True,
    scale_free=False,
    seconds=33e-9,
)
