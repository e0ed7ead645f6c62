"""Memories of fixed size: a sample of all that walks have seen, each sample as likely to be in it as any other.

A memory is what a network learns from. Samples of one information set add up to a *tally* before that: the squared
error of a prediction f on samples x with weights w is Σ w (f − x)² = W (f − m)² + a constant, with W = Σ w and m the
weighted mean. So a network that is trained on W and m, a row for each information set that is in the memory, minimises
the very loss of Deep CFR, and its steps have none of the noise of single samples.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretlab.forms import Treeplex
from regretlab.forms.kernel import Floats, Indices, inlined_kernel, kernel


class Memory(NamedTuple):
    """Samples, each a number for every action of an information set; ``size`` says how many there are."""

    infoset: Indices  # (capacity,)
    weight: Floats  # (capacity,) how much each counts
    sample: Floats  # (capacity, most actions) the first ones of a row, as many as the information set has actions
    seen: NDArray[np.int64]  # (1,) how many samples there have ever been


class Tally(NamedTuple):
    """The samples of each information set, summed."""

    weight: Floats  # (infosets,) Σ weight, 0 where the memory has nothing
    total: Floats  # (sequences,) Σ weight × sample


def new_memory(treeplex: Treeplex, capacity: int) -> Memory:
    """An empty memory for one player; the system provides its room page by page, as it fills."""
    actions = int(np.diff(treeplex.first).max(initial=1))
    return Memory(
        np.zeros(capacity, dtype=np.uint32),
        np.zeros(capacity),
        np.zeros((capacity, actions)),
        np.zeros(1, dtype=np.int64),
    )


def new_tally(treeplex: Treeplex) -> Tally:
    """A tally in which nothing has been counted yet."""
    return Tally(np.zeros(treeplex.infosets), np.zeros(treeplex.sequences))


def size(memory: Memory) -> int:
    """How many samples are in the memory."""
    return min(int(memory.seen[0]), len(memory.infoset))


@inlined_kernel
def place(memory: Memory, chosen: float) -> int:
    """Where the next sample goes for a number in [0, 1); the capacity or more if it is not kept.

    Sample n takes one of n places, and is kept if the memory has that: "algorithm R", Vitter (1985), "Random Sampling
    with a Reservoir".
    """
    memory.seen[0] += 1
    seen = memory.seen[0]
    return seen - 1 if seen <= len(memory.infoset) else int(chosen * seen)


@inlined_kernel
def remember(memory: Memory, chosen: float, infoset: int, weight: float, values: Floats, low: int, high: int) -> None:
    """Take in ``values[low:high]``, perhaps in place of an older sample."""
    row = place(memory, chosen)
    if row < len(memory.infoset):
        memory.infoset[row], memory.weight[row] = infoset, weight
        for s in range(low, high):
            memory.sample[row, s - low] = values[s]


def samples(memory: Memory) -> dict[str, NDArray[Any]]:
    """A copy of what is in the memory, by name."""
    return {name: array[: size(memory)].copy() for name, array in memory._asdict().items()}


def refill(memory: Memory, saved: Mapping[str, NDArray[Any] | None], infosets: int) -> bool:
    """Put back what ``samples`` gave; False if that can't be it, for a player with so many information sets."""
    seen = saved["seen"]
    if seen is None or seen.shape != (len(seen),) or len(seen) > 1 or not (seen >= 0).all():
        return False
    memory.seen[: len(seen)] = seen
    for name, array in memory._asdict().items():
        given = saved[name]
        right = given is not None and given.dtype == array.dtype and given.shape == array[: size(memory)].shape
        if given is None or not right or not np.isfinite(given).all():
            return False
        array[: len(given)] = given
    return bool((memory.infoset[: size(memory)] < infosets).all())


def tally(memory: Memory, treeplex: Treeplex) -> Tally:
    """Sum up the samples of each information set."""
    summed = new_tally(treeplex)
    add_up(memory, size(memory), treeplex.first, summed)
    return summed


@kernel
def add_up(memory: Memory, count: int, first: Indices, summed: Tally) -> None:
    """Add the first ``count`` samples to a tally, in order."""
    for row in range(count):
        i, weight = memory.infoset[row], memory.weight[row]
        summed.weight[i] += weight
        for s in range(first[i], first[i + 1]):
            summed.total[s] += weight * memory.sample[row, s - first[i]]
