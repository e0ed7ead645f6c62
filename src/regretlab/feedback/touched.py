"""Which information sets a walk came by, so that nothing else has to be looked at, cleared or learned from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regretlab.feedback.side import Side, fade
from regretlab.forms.kernel import Indices, inlined_kernel
from regretlab.rules import Step, Update


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
    number, weight, faded, _, _, next_positive, next_negative, level = step
    step = Step(number, weight, faded, 1.0, 1.0, next_positive, next_negative, level)
    order, count = touched.order, touched.size[0]
    update(step, order, count, mine.first, mine.parent, mine.regret, mine.values, mine.strategy, mine.memory)
