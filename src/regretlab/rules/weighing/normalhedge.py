"""NormalHedge: weights that grow faster than the regrets, and a scale that is found by solving an equation.

Chaudhuri, Freund, Hsu (2009), "A Parameter-free Hedging Algorithm".
"""

from __future__ import annotations

import math

from regretlab.forms.kernel import Floats, inlined_kernel, kernel
from regretlab.rules.citations import NORMALHEDGE
from regretlab.rules.weighing.protocol import Weighing
from regretlab.rules.weighing.regret_matching import match_regrets

MOST_STEPS = 50
"""A bound that is never met: one to four steps suffice."""

STEP_TOLERANCE = 1e-5
"""Steps of third order: after one this small, relative to s, what is left is rounding."""


@inlined_kernel
def weigh_by_potential(
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
    """Regret matching unless several regrets are positive: with one it is that action, with none it is uniform."""
    if positive > 1:
        normalhedge(values, strategy, memory, i, low, high)
    else:
        match_regrets(ties, total, positive, values, strategy, memory, i, low, high)


@kernel
def normalhedge(values: Floats, strategy: Floats, memory: Floats, i: int, low: int, high: int) -> None:
    """Proportional to R₊/c · exp(R₊²/2c), where c solves mean(exp(R₊²/2c)) = e; some regret has to be positive.

    c is never formed, because it leaves the range of floats for regrets that are large or small. With x = R₊ / max R₊
    and s = max(R₊)² / 2c the weights are proportional to x · exp(s x²), and exp(s x²) lies between 1 and N (e − 1) + 1
    whatever the size of the regrets. The memory holds the last s, from which the next one is not far.

    ``values``, which nobody needs any more, holds the exponentials: they are what costs.
    """
    largest = strategy[low]
    for s in range(low + 1, high):
        largest = max(largest, strategy[s])
    for s in range(low, high):
        strategy[s] = max(strategy[s], 0.0) / largest
    scale, step = normalhedge_scale(strategy, memory[i], values, low, high)
    memory[i] = scale
    total = 0.0
    for s in range(low, high):
        x = strategy[s]
        moved = -step * x * x  # the exponentials are those before the last step; after it they have grown by exp(moved)
        strategy[s] = x * values[s] * (1.0 + moved * (1.0 + moved / 2.0))
        total += strategy[s]
    for s in range(low, high):
        strategy[s] /= total


@inlined_kernel
def normalhedge_scale(x: Floats, start: float, weights: Floats, low: int, high: int) -> tuple[float, float]:
    """The root s of F(s) = mean(exp(s x²)) − e for ``x[low:high]`` in [0, 1] with maximum 1, and the last step to it.

    F is convex and increasing, and its root lies in [1, ln(N (e − 1) + 1)]; the steps begin at ``start``, or at the
    right end if that is 0. Halley's step divides Newton's by 1 − F F''/2F'², which is kept from becoming small far
    from the root. ``weights`` becomes exp(s x²) before the last step.
    """
    actions = high - low
    scale = start if start > 0.0 else math.log(actions * (math.e - 1.0) + 1.0)
    step = 0.0
    for _ in range(MOST_STEPS):
        potential, first, second = 0.0, 0.0, 0.0
        for s in range(low, high):
            square = x[s] * x[s]
            weight = math.exp(scale * square) if square > 0.0 else 1.0
            weights[s] = weight
            potential += weight
            first += square * weight
            second += square * square * weight
        newton = (potential - math.e * actions) / first
        step = newton / max(1.0 - newton * second / (2.0 * first), 0.5)
        scale -= step
        if abs(step) <= STEP_TOLERANCE * scale:
            break
    return scale, step


WEIGHING = Weighing(
    "normalhedge",
    weigh_by_potential,
    citations=(NORMALHEDGE,),
    formula="σ ∝ {positive}/c · exp({positive}²/2c), c such that mean(exp({positive}²/2c)) = e",
    short="NormalHedge: σ ∝ R₊/c · exp(R₊²/2c)",
    words="The strategy follows from NormalHedge: weights grow faster than the regrets, and a scale c, found "
    "anew each time, keeps them in proportion.",
    letters={
        "c, w(a)": "NormalHedge's scale, and the weights that follow from it",
        "x(a), s": "regret and scale in a form in which no number becomes large",
    },
    code="""positive = [max(regret, 0) for regret in {answered}]
weights = positive
if sum(regret > 0 for regret in positive) > 1:
    x = [regret / max(positive) for regret in positive]
    s = log(len(x) * (e - 1) + 1)
    for _ in range(9):  # Newton's steps
        w = [exp(s * (y * y - 1)) for y in x]
        slope = sum(y * y * p for y, p in zip(x, w)) / sum(w)
        s -= (s + log(sum(w) / len(w)) - 1) / slope
    weights = [y * exp(s * (y * y - 1)) for y in x]""",
    code_imports="from math import e, exp, log",
    seconds=20e-9,
)
