"""Loops with a fixed amount of work, to see what the machine gives at the moment and at best."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from regretlab.forms.kernel import Floats, Indices, kernel
from regretlab.forms.passes import sparse_product

Words = NDArray[np.uint64]


@kernel
def stroll(steps: int, table: Indices) -> int:
    """Walk through ``table``, whose length is a power of two, by pseudo-random jumps; every one waits for the last.

    A neighbour shows in this loop whether it takes time on the core or clock speed.
    """
    place, mask = np.uint32(1), np.uint32(len(table) - 1)
    for _ in range(steps):
        # A linear congruential generator: its upper bits are the random ones.
        place = np.uint32(place * np.uint32(1664525) + np.uint32(1013904223) + table[(place >> np.uint32(8)) & mask])
    return int(place)


@kernel
def triad(out: Floats, left: Floats, right: Floats, factor: float) -> None:
    """``out = left + factor · right``: the streaming kernel of McCalpin's STREAM benchmark (1995)."""
    for i in range(len(out)):
        out[i] = left[i] + factor * right[i]


@kernel
def read(words: Words) -> int:
    """The sum of all words. Integers may be added in any order, so the compiler reads several at a time."""
    total = np.uint64(0)
    for i in range(len(words)):
        total += words[i]
    return int(total)


@kernel
def products(count: int, first: Indices, column: Indices, entry: Floats, plan: Floats, out: Floats) -> None:
    """The same sparse product so many times, without Python between."""
    for _ in range(count):
        sparse_product(first, column, entry, plan, out)
