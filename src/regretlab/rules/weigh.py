"""Weigh: which strategy follows from the regrets of one information set.

The regrets come in ``strategy[low:high]`` and are replaced there by the probabilities. ``memory[i]`` is one number
that a way to weigh may keep for information set i from one time to the next, 0 at the start.
"""

from __future__ import annotations

import math

from regretlab.forms.kernel import Floats, inlined_kernel, kernel

REGRET_MATCHING = 0
NORMALHEDGE = 1
HEDGE = 2

WEIGH = {"regret-matching": REGRET_MATCHING, "normalhedge": NORMALHEDGE, "hedge": HEDGE}
"""The names of the ways to weigh, and the small integers by which kernels know them."""

MOST_STEPS = 50
"""A bound that is never met: one to four steps suffice."""

STEP_TOLERANCE = 1e-5
"""Steps of third order: after one this small, relative to s, what is left is rounding."""


@inlined_kernel
def regret_matching(total: float, strategy: Floats, low: int, high: int) -> None:
    """Proportional to the positive regrets, which sum to ``total``; uniform if there are none.

    Hart, Mas-Colell (2000), "A Simple Adaptive Procedure Leading to Correlated Equilibrium".
    """
    for s in range(low, high):
        strategy[s] = max(strategy[s], 0.0) / total if total > 0.0 else 1.0 / (high - low)


@kernel
def hedge(values: Floats, strategy: Floats, memory: Floats, i: int, low: int, high: int) -> None:
    """Proportional to exp(η R), the exponential weights, with η = √(8 ln N / V).

    V, the memory, sums the squares of the ranges of the values seen so far. With values that range over 1 it is t, and
    η that of Cesa-Bianchi and Lugosi (2006), "Prediction, Learning, and Games", theorem 2.3; in this form nobody needs
    to know the range beforehand, and scaling all values changes nothing.
    """
    least, most, largest = values[low], values[low], strategy[low]
    for s in range(low + 1, high):
        least, most, largest = min(least, values[s]), max(most, values[s]), max(largest, strategy[s])
    memory[i] += (most - least) * (most - least)
    eta = math.sqrt(8.0 * math.log(high - low) / memory[i]) if memory[i] > 0.0 else 0.0
    total = 0.0
    for s in range(low, high):
        strategy[s] = math.exp(eta * (strategy[s] - largest))
        total += strategy[s]
    for s in range(low, high):
        strategy[s] /= total


@kernel
def normalhedge(values: Floats, strategy: Floats, memory: Floats, i: int, low: int, high: int) -> None:
    """Proportional to R₊/c · exp(R₊²/2c), where c solves mean(exp(R₊²/2c)) = e; some regret has to be positive.

    With one positive regret the strategy is that action, and with none it is uniform, as in regret matching: then
    nothing needs solving, and this is not called. Chaudhuri, Freund, Hsu (2009), "A Parameter-free Hedging Algorithm".

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
