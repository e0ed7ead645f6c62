"""One player's half of a run: the numbers that an algorithm keeps, and how they learn from what was seen.

Where a walk sees a part of the game, it notes by which information sets it came, so that nothing else has to be looked
at, cleared or learned from.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regretlab.forms import Treeplex, uniform_behaviour
from regretlab.forms.kernel import Floats, Indices, inlined_kernel, kernel
from regretlab.forms.passes import realisation_plan
from regretlab.rules import Step, Update


class Side(NamedTuple):
    """The arrays of one player, in the order of the player's sequences; entry 0 belongs to the empty sequence."""

    parent: Indices  # (infosets,) of the treeplex
    first: Indices  # (infosets + 1,) of the treeplex
    upwards: Indices  # (infosets,) the information sets, children before parents
    strategy: Floats  # (sequences,) the current behaviour
    plan: Floats  # (sequences,) its realisation plan
    regret: Floats  # (sequences,) the cumulative regrets
    total: Floats  # (sequences,) the sum of weight × plan: the average, before it is normalised
    values: Floats  # (sequences,) the gradient, then counterfactual values, then whatever a rule left there
    memory: Floats  # (infosets,) what the way to weigh keeps


def new_side(treeplex: Treeplex) -> Side:
    """A side before the first iteration: no regrets, and every action equally likely."""
    strategy = uniform_behaviour(treeplex)
    plan = np.empty_like(strategy)
    realisation_plan(treeplex.parent, treeplex.first, strategy, plan)
    zeros = np.zeros_like(strategy)
    memory = np.zeros(treeplex.infosets)
    upwards = np.arange(treeplex.infosets, dtype=np.uint32)[::-1].copy()
    return Side(treeplex.parent, treeplex.first, upwards, strategy, plan, zeros, zeros.copy(), zeros.copy(), memory)


@kernel
def learn_everywhere(mine: Side, update: Update, step: Step) -> None:
    """One pass for one player, whose gradient against the opponent's plan is in ``mine.values``.

    The plan that was played is added to the average; from the leaves to the root each information set learns from the
    values of its actions and hands its own value up; from the root to the leaves the new plan follows. Children have
    learned before their parents are looked at, but what they hand up is what their old strategy earned.
    """
    parent, first, upwards, strategy, plan, regret, total, values, memory = mine
    for s in range(len(plan)):
        total[s] = total[s] * step.fade + step.weight * plan[s]
    update(step, upwards, len(upwards), first, parent, regret, values, strategy, memory)
    realisation_plan(parent, first, strategy, plan)


@kernel
def fade(numbers: Floats, positive: float, negative: float) -> None:
    """Multiply all positive and all negative numbers by a factor each."""
    if positive == 1.0 and negative == 1.0:
        return
    for s in range(len(numbers)):
        numbers[s] *= positive if numbers[s] > 0.0 else negative


class Touched(NamedTuple):
    """The information sets of one player that a walk came by, each once, in the order in which it met them."""

    order: Indices  # (infosets,) the first ``size[0]`` of it
    size: Indices  # (1,)


def new_touched(infosets: int) -> Touched:
    """Nothing touched yet."""
    return Touched(np.zeros(infosets, dtype=np.uint32), np.zeros(1, dtype=np.uint32))


@inlined_kernel
def note(touched: Touched, infoset: int) -> None:
    """Add an information set."""
    touched.order[touched.size[0]] = infoset
    touched.size[0] += 1


@inlined_kernel
def turn_round(touched: Touched) -> None:
    """Reverse the order. A walk meets parents before children; then children stand before their parents."""
    size = touched.size[0]
    for k in range(size // 2):
        other = size - 1 - k
        touched.order[k], touched.order[other] = touched.order[other], touched.order[k]


@inlined_kernel
def learn_where_touched(mine: Side, touched: Touched, update: Update, step: Step) -> None:
    """Let the information sets that were touched learn. Discounts are for all, wherever the walk came by."""
    fade(mine.regret, step.positive, step.negative)
    number, weight, faded, _, _, next_positive, next_negative, level, ties, predict = step
    step = Step(number, weight, faded, 1.0, 1.0, next_positive, next_negative, level, ties, predict)
    order, count = touched.order, touched.size[0]
    update(step, order, count, mine.first, mine.parent, mine.regret, mine.values, mine.strategy, mine.memory)
