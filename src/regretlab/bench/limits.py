"""What the machine allows: how fast memory streams, and how fast the sparse product is on data in the cache."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from regretlab.bench.clock import Clock, Pace, Series, Task, interleave
from regretlab.bench.kernels import products, read, triad
from regretlab.bench.results import Limits, Measurement

MACHINE = "this machine"
STREAMING, PRODUCT = "streaming", "sparse product, cached"
READ, TRIAD = "read", "triad"

CACHES = 4
"""The arrays that are streamed are so many times as large as the last-level cache, all together."""

CACHED_ENTRIES = 2_048
"""Entries of the cached product: with their columns 24 KiB, which stays in the nearest cache."""

CACHED_PLAN = 512
LENGTHS = (1, 2, 3, 4, 6, 8, 16, 32)
"""Entries a row. Additions of a row wait for each other, and short rows cost a branch each: the best lies between."""


def measure_limits(clock: Clock, pace: Pace, cache: int) -> tuple[Limits, list[Measurement]]:
    """The limits, and the raw timings that they come from; ``cache`` is the last-level cache in bytes."""
    kernels = streaming_kernels(cache)
    streaming = Measurement(MACHINE, STREAMING, interleave(clock, kernels.tasks, pace))
    product = Measurement(MACHINE, PRODUCT, interleave(clock, [_product_task(length) for length in LENGTHS], pace))
    limits = Limits(
        read=kernels.bytes / _best(streaming.series[0]),
        triad=kernels.bytes / _best(streaming.series[1]),
        product={length: CACHED_ENTRIES / _best(one) for length, one in zip(LENGTHS, product.series, strict=True)},
    )
    return limits, [streaming, product]


def _best(series: Series) -> float:
    """A limit is what the machine can do when nobody disturbs it, so the quickest batch counts."""
    return min(series.seconds)


class Streaming(NamedTuple):
    """The kernels that stream through memory, and how many bytes each of them moves a call."""

    tasks: tuple[Task, Task]
    bytes: int


def streaming_kernels(cache: int) -> Streaming:
    """Reading and the triad, over the same memory."""
    size = CACHES * cache // 24
    numbers = np.ones(3 * size)
    words = numbers.view(np.uint64)
    out, left, right = numbers[:size], numbers[size : 2 * size], numbers[2 * size :]
    tasks = Task(READ, _times(lambda: read(words))), Task(TRIAD, _times(lambda: triad(out, left, right, 0.5)))
    return Streaming(tasks, numbers.nbytes)


def _times(call: Callable[[], object]) -> Callable[[int], None]:
    def work(count: int) -> None:
        for _ in range(count):
            call()

    return work


def _product_task(length: int) -> Task:
    """The sparse product with ``length`` entries in each row, columns in order."""
    rows = CACHED_ENTRIES // length
    first = np.arange(0, rows * length + 1, length, dtype=np.uint32)
    first[-1] = CACHED_ENTRIES  # the last row takes what is left over
    column = (np.arange(CACHED_ENTRIES) % CACHED_PLAN).astype(np.uint32)
    entry, plan, out = np.ones(CACHED_ENTRIES), np.ones(CACHED_PLAN), np.empty(rows)
    return Task(f"{length} a row", lambda count: products(count, first, column, entry, plan, out))
