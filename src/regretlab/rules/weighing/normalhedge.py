"""NormalHedge: weights that grow faster than the regrets, and a scale that is found by solving an equation.

Chaudhuri, Freund, Hsu (2009), "A Parameter-free Hedging Algorithm".
"""

from __future__ import annotations

import math

import numpy as np

from regretlab.forms.kernel import Floats, inlined_kernel, kernel
from regretlab.rules.citations import NORMALHEDGE
from regretlab.rules.weighing.protocol import Weighing
from regretlab.rules.weighing.regret_matching import match_regrets, proportion

_TWO, _THREE, _FOUR, _FIVE, _SIX, _SEVEN = (np.uint64(k) for k in range(2, 8))

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


WIDTH, REAL = np.uint64(8), np.float64
"""Lanes of a tile, and the precision, which whoever makes a kernel of the text below puts in place of these."""


@inlined_kernel
def bounded_exponential(y: float) -> float:
    """exp(y) for y ≥ 0: the first eleven terms of the series at y/16, and squared four times.

    Up to y = 3.3, which 15 actions need, it is right to a relative 2e-14, half of which is rounding that the squares
    make 16 times as large. What the series leaves out grows from there: 1e-11 at y = 6, which 234 actions need.
    Unlike the library's function it is a chain of products and sums, which several hands go through at once.
    """
    z = y * 0.0625
    e = 1 / 5040 + z * (1 / 40320 + z * (1 / 362880 + z * (1 / 3628800)))
    e = 1.0 + z * (1.0 + z * (1 / 2 + z * (1 / 6 + z * (1 / 24 + z * (1 / 120 + z * (1 / 720 + z * e))))))
    e = e * e
    e = e * e
    e = e * e
    return e * e


def normalhedge_on_lanes(
    values: Floats, strategy: Floats, memory: Floats, rows: Floats, node: int, low: int, high: int
) -> None:
    """``weigh_by_potential`` for all hands of a node: all take as many steps as the one that needs the most.

    Rows from 2 on: the largest regret, how many are positive, s, and the sums of Halley's step.
    """
    largest, several, scale = _TWO * WIDTH, _THREE * WIDTH, _FOUR * WIDTH
    potential, first, second = _FIVE * WIDTH, _SIX * WIDTH, _SEVEN * WIDTH
    actions = (high - low) // WIDTH
    uniform = REAL(1.0) / REAL(actions)
    for h in range(WIDTH):
        rows[several + h] = 0.0
    for base in range(low, high, WIDTH):
        for h in range(WIDTH):
            rows[several + h] += REAL(1.0) if strategy[base + h] > 0.0 else REAL(0.0)
    most = REAL(0.0)
    for h in range(WIDTH):
        most = max(most, rows[several + h])
    if most <= 1.0:
        for base in range(low, high, WIDTH):
            for h in range(WIDTH):
                strategy[base + h] = proportion(strategy[base + h], rows[WIDTH + h], uniform)
        return
    goal, end = REAL(math.e) * REAL(actions), REAL(math.log(actions * (math.e - 1.0) + 1.0))
    for h in range(WIDTH):
        rows[largest + h] = 0.0
        rows[scale + h] = memory[node + h] if memory[node + h] > 0.0 else end
    for base in range(low, high, WIDTH):
        for h in range(WIDTH):
            rows[largest + h] = max(rows[largest + h], strategy[base + h])
    for h in range(WIDTH):
        rows[largest + h] = REAL(1.0) / (rows[largest + h] if rows[largest + h] > 0.0 else REAL(1.0))
    for base in range(low, high, WIDTH):
        for h in range(WIDTH):
            strategy[base + h] = max(strategy[base + h], REAL(0.0)) * rows[largest + h]
    for _ in range(MOST_STEPS):
        for h in range(WIDTH):
            rows[potential + h] = 0.0
            rows[first + h] = 0.0
            rows[second + h] = 0.0
        for base in range(low, high, WIDTH):
            for h in range(WIDTH):
                square = strategy[base + h] * strategy[base + h]
                weight = REAL(bounded_exponential(float(rows[scale + h] * square)))
                values[base + h] = weight
                rows[potential + h] += weight
                rows[first + h] += square * weight
                rows[second + h] += square * square * weight
        for h in range(WIDTH):
            slope = rows[first + h] if rows[several + h] > 1.0 else REAL(1.0)
            newton = (rows[potential + h] - goal) / slope
            step = newton / max(REAL(1.0) - newton * rows[second + h] / (slope + slope), REAL(0.5))
            rows[first + h] = step if rows[several + h] > 1.0 else REAL(0.0)
            rows[scale + h] -= rows[first + h]
        furthest = REAL(0.0)
        for h in range(WIDTH):
            furthest = max(furthest, abs(rows[first + h]))
        if furthest <= REAL(STEP_TOLERANCE):
            break
    for h in range(WIDTH):
        rows[potential + h] = 0.0
    for base in range(low, high, WIDTH):
        for h in range(WIDTH):
            x = strategy[base + h]
            moved = -rows[first + h] * x * x
            strategy[base + h] = x * values[base + h] * (REAL(1.0) + moved * (REAL(1.0) + moved * REAL(0.5)))
            rows[potential + h] += strategy[base + h]
    for base in range(low, high, WIDTH):
        for h in range(WIDTH):
            strategy[base + h] = proportion(strategy[base + h], rows[potential + h], uniform)
    for h in range(WIDTH):
        memory[node + h] = rows[scale + h] if rows[several + h] > 1.0 else memory[node + h]


WEIGHING = Weighing(
    "normalhedge",
    weigh_by_potential,
    lanes=normalhedge_on_lanes,
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
