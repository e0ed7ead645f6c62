"""Accumulate: how the regrets of one information set take in what was just seen.

``values[s]`` is what each action earned and ``value`` what the strategy earned, so ``values[s] - value`` is the
instantaneous regret r.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple, Protocol

from regretlab.forms.kernel import Floats, inlined_kernel, kernel


class Step(NamedTuple):
    """What belongs to one iteration, the same at every information set. All of it is floats, for kernels."""

    number: float  # t, from 1
    weight: float  # how much the strategy of this iteration counts in the average
    fade: float  # the factor on all that the average has counted before
    positive: float  # the factor on positive regrets so far, before the new ones are added
    negative: float  # the factor on negative regrets so far
    next_positive: float  # both factors for the iteration after this one, which prediction looks ahead to
    next_negative: float
    level: float  # 0 truncates the sums at 0, infinity keeps them; other levels are for what ``bounds`` them afterwards
    ties: float  # regrets no further from 0 than this are 0 but for rounding
    predict: float  # p: how much of the last regrets the next strategy expects once more, for rules that predict


PLAIN_STEP = Step(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, math.inf, 0.0, 1.0)
"""Everything counts the same, nothing fades, regrets are summed, rounding decides ties, predictions are full."""

TIES = Fraction(1, 10**12)
"""How near to 0, relative to the size of what is seen, a regret counts as 0.

Where actions are worth exactly the same, their regrets are 0 in exact arithmetic and about ±1e-17 in floats, depending
on the order of additions. Regret matching would make a pure strategy of that, another one in every program. Left in
the sum, such errors grow: on battleship 1e-14 is too small before 1,000 iterations. From 1e-13 to 1e-10 no difference
was seen there.

What it costs: per iteration at most this much of a true regret is left out at an information set, so the bound on the
exploitability rises by at most |I| × this, relative to the payoffs, however many iterations there are.
"""


@inlined_kernel
def accumulate(
    predicts: bool, step: Step, regret: Floats, values: Floats, value: float, strategy: Floats, low: int, high: int
) -> tuple[float, int]:
    """Update ``regret[low:high]`` in place, and write what the next strategy follows from into ``strategy[low:high]``.

    R ← d R + r, with the discount d of R's sign, not below 0 if the level is 0, and 0 where it is 0 but for rounding.

    - sum (level ∞, d = 1): R ← R + r. Zinkevich, Johanson, Bowling, Piccione (2007), "Regret Minimization in Games
      with Incomplete Information".
    - truncate (level 0, d = 1): R ← max(R + r, 0), regret matching⁺. Tammelin (2014), "Solving Large Imperfect
      Information Games Using CFR+". Truncation comes once an information set and pass, after the regrets of all deals
      are summed: clipping deal by deal is a different and much worse algorithm.
    - discounts: Brown, Sandholm (2019), "Solving Imperfect-Information Games via Discounted Regret Minimization".
      Multiplying by 1 changes no bit, so rules without discounts need no case of their own.

    Returns the sum of the positive ones among those that the next strategy follows from, and how many they are. All of
    this is one loop: information sets are short, and what costs is leaving a loop.
    """
    floor = 0.0 if step.level == 0.0 else -math.inf
    total, positive = 0.0, 0
    for s in range(low, high):
        instant = values[s] - value
        regret[s] = accumulated(step, floor, regret[s], instant)
        strategy[s] = answered(predicts, step, regret[s], instant)
        total += max(strategy[s], 0.0)
        positive += strategy[s] > 0.0
    return total, positive


@inlined_kernel
def accumulated(step: Step, floor: float, regret: float, instant: float) -> float:
    """d R + r, not below the floor, and 0 where it is 0 but for rounding."""
    discount = step.positive if regret > 0.0 else step.negative
    summed = max(regret * discount + instant, floor)
    return summed if abs(summed) > step.ties else 0.0  # a tie is a tie


@inlined_kernel
def answered(predicts: bool, step: Step, regret: float, instant: float) -> float:
    """The regret that the next strategy answers: as it is, or as it will be if the last one comes once more.

    Then it is d' R + p r, with the next iteration's discount d'. With p = 1 the last regret is expected as it was:
    Farina, Kroer, Sandholm (2021), "Faster Game Solving via Predictive Blackwell Approachability"; with discounts Xu,
    Li, Liu, Fu, Fu, Xing, Cheng (2024), "Minimizing Weighted Counterfactual Regret with Optimistic Online Mirror
    Descent". With less, a prediction that fails does less harm: Meng, Yang, Zhang, Ge, Gao (2026), "Faster Game Solving
    via Asymmetry of Step Sizes".
    """
    if predicts:
        expected = regret * (step.next_positive if regret > 0.0 else step.next_negative) + step.predict * instant
        return expected if abs(expected) > step.ties else 0.0
    return regret


@kernel
def clip(
    predicts: bool, step: Step, regret: Floats, values: Floats, value: float, strategy: Floats, low: int, high: int
) -> tuple[float, int]:
    """After ``accumulate``: raise the regrets to −level × the largest of them, or to 0 if none is positive.

    What an action has lost is forgotten beyond a multiple of what the best one has gained. The level adapts to the
    regrets, so the rule stays scale-free. Returns what ``accumulate`` returns.
    """
    largest, total, positive = 0.0, 0.0, 0
    for s in range(low, high):
        largest = max(largest, regret[s])
    for s in range(low, high):
        regret[s] = max(regret[s], -step.level * largest)
        strategy[s] = answered(predicts, step, regret[s], values[s] - value)
        total += max(strategy[s], 0.0)
        positive += strategy[s] > 0.0
    return total, positive


@inlined_kernel
def lift(numbers: Floats, least: float, low: int, high: int) -> float:
    """What has to be added to all of ``numbers[low:high]`` for their positive parts to sum to ``least``; 0 if they do.

    All are lifted as if none stayed below 0; those that do are left out, and so on. The largest is never left out.
    """
    total = 0.0
    for s in range(low, high):
        total += max(numbers[s], 0.0)
    if total >= least:
        return 0.0
    lifted, before = math.inf, high - low + 1
    while True:
        total, count = 0.0, 0
        for s in range(low, high):
            if numbers[s] + lifted > 0.0:
                total += numbers[s]
                count += 1
        if count >= before:  # not only where they are the same: rounding can bring one back
            return lifted
        lifted, before = (least - total) / count, count


@kernel
def smooth(
    predicts: bool, step: Step, regret: Floats, values: Floats, value: float, strategy: Floats, low: int, high: int
) -> tuple[float, int]:
    """After ``accumulate``: move the regrets to the nearest ones that are not negative and sum to at least the level.

    The same for those that the strategy answers. Far enough from 0, no small change of the regrets turns the strategy
    round. Farina, Grand-Clément, Kroer, Lee, Luo (2023), "Regret Matching+: (In)Stability and Fast Convergence in
    Games". The level is in chips, so the rule is not scale-free. Returns what ``accumulate`` returns.
    """
    lifted = lift(regret, step.level, low, high)
    for s in range(low, high):
        regret[s] = regret[s] + lifted if regret[s] + lifted > step.ties else 0.0
        strategy[s] = answered(predicts, step, regret[s], values[s] - value)
    lifted, total, positive = lift(strategy, step.level, low, high), 0.0, 0
    for s in range(low, high):
        strategy[s] = strategy[s] + lifted if strategy[s] + lifted > step.ties else 0.0
        total += strategy[s]
        positive += strategy[s] > 0.0
    return total, positive


@kernel
def restart(
    predicts: bool, step: Step, regret: Floats, values: Floats, value: float, strategy: Floats, low: int, high: int
) -> tuple[float, int]:
    """After ``accumulate``: truncate the regrets at 0, and where they sum to less than the level, make them all alike.

    The other way to keep regret matching⁺ stable, from the paper that ``smooth`` names: to begin anew, with regrets
    that sum to the level. Returns what ``accumulate`` returns.
    """
    total, positive = 0.0, 0
    for s in range(low, high):
        regret[s] = max(regret[s], 0.0)
        total += regret[s]
    # With two actions the sum often stays exactly at the level, where rounding must not decide.
    begins_anew = total < step.level - step.ties * (high - low)
    total = 0.0
    for s in range(low, high):
        if begins_anew:
            regret[s] = step.level / (high - low)
        strategy[s] = answered(predicts, step, regret[s], values[s] - value)
        total += max(strategy[s], 0.0)
        positive += strategy[s] > 0.0
    return total, positive


class Bounds(Protocol):
    """Brings the regrets of one information set back to where they may be, after ``accumulate`` has summed them."""

    def __call__(
        self,
        predicts: bool,
        step: Step,
        regret: Floats,
        values: Floats,
        value: float,
        strategy: Floats,
        low: int,
        high: int,
    ) -> tuple[float, int]: ...


class Accumulation(NamedTuple):
    """A way to accumulate, and what people are told about it."""

    level: float  # of ``Step``; where the regrets are bounded, only the default
    formula: str  # how R changes, as a formula of {sum}, which is R + r or d R + r, and of the recipe's {level}
    short: str = ""  # name and formula for a table with little room; empty if it is not one of the four's
    words: str = ""  # what is special about it, in a sentence for people who know sums of regrets
    bounds: Bounds | None = None  # what is done to the sums, by the recipe's level


ACCUMULATIONS = {
    "sum": Accumulation(math.inf, "R ← {sum}", "sum: R ← R + r"),
    "truncate": Accumulation(
        0.0,
        "R ← max({sum}, 0)",
        "truncate: R ← max(R + r, 0)",
        "Regrets never fall below 0: what was bad is forgotten at once instead of being paid back.",
    ),
    "clip": Accumulation(
        1.0,
        "R ← max({sum}, −{level} max R₊)",
        words="Regrets never fall further below 0 than a multiple of the largest one.",
        bounds=clip,
    ),
    "smooth": Accumulation(
        1.0,
        "R ← max({sum} + λ, 0), λ the least number from 0 on such that Σ R is at least {level}",
        words="Regrets never fall below 0, nor their sum below a level: they are lifted to it, all by the same.",
        bounds=smooth,
    ),
    "stable": Accumulation(
        1.0,
        "R ← max({sum}, 0), and {level}/N for all where Σ R is less than {level}",
        words="Regrets never fall below 0, and where their sum falls below a level they begin anew, all alike.",
        bounds=restart,
    ),
}
"""By the name that recipes know them by."""
