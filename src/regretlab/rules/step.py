"""The numbers that a rule takes in each iteration."""

from __future__ import annotations

import math
from typing import NamedTuple


class Step(NamedTuple):
    """What belongs to one iteration, the same at every information set; floats all, for kernels."""

    number: float  # t, from 1
    weight: float  # how much the strategy of this iteration counts in the average
    fade: float  # the factor on all that the average has counted before
    positive: float  # the factor on positive regrets so far, before the new ones are added
    negative: float  # the same for negative regrets
    next_positive: float  # both for the iteration after this one, which prediction looks ahead to
    next_negative: float
    level: float  # regrets are kept from falling below −level × the largest one: 0 truncates, infinity sums


PLAIN_STEP = Step(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, math.inf)
"""Everything counts the same, nothing fades, and regrets are summed."""
