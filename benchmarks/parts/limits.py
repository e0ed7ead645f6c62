"""What the machine allows, and what an iteration asks of it.

Limits are how fast memory streams and how fast the sparse product is on data in the cache; the loops that measure them
do a fixed amount of work. What an iteration has to touch follows from the sizes of the arrays that the solver works on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.clock import Clock, Pace, Series, Task, interleave
from benchmarks.results import Limits, Load, Measurement
from regretlab.feedback import AnySide
from regretlab.forms import AnyForm
from regretlab.forms.kernel import Floats, Indices, kernel
from regretlab.forms.passes import sparse_product
from regretlab.solving import Recipe, Solver

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


OPERATIONS_AN_ENTRY = 2
"""A multiplication and an addition."""

OPERATIONS_A_SEQUENCE = 17
"""Average 3, expectation 2, regret with discount and floor 5, positive part, sum and count 4, division 2, reach 1."""


def load_of(name: str, form: AnyForm, solver: Solver) -> Load:
    """Bytes and operations of one iteration of ``solver``.

    Bytes are the least that can be: the payoff is read once for each player in the order it is stored, the numbers of
    a side are read and written, its indices and the opponent's plan are read. A loop that goes twice over an array
    which has left the cache in between moves more than is counted here, and reaches a smaller part of the limit.
    """
    payoff = form.payoff.nbytes
    sides = [array for side in solver.sides for array in touched(side, solver.recipe)]
    numbers = sum(array.nbytes for array in sides if array.dtype.kind == "f")
    indices = sum(array.nbytes for array in sides if array.dtype.kind != "f")
    plans = sum(plan.nbytes for plan in solver.plans)
    entries = form.payoff.entries
    sequences = form.treeplexes[0].sequences + form.treeplexes[1].sequences
    return Load(
        game=name,
        entries=entries,
        bytes=payoff + 2 * numbers + indices + plans,
        operations=2 * OPERATIONS_AN_ENTRY * entries + OPERATIONS_A_SEQUENCE * sequences,
        footprint=payoff + numbers + indices,
    )


def touched(side: AnySide, recipe: Recipe) -> Iterator[NDArray[Any]]:
    """The arrays of one player that an iteration looks at: regret matching and rules of one's own keep no memory."""
    remembers = recipe.rule is None and recipe.weigh != "regret-matching"
    return arrays_in(side if remembers else side._replace(memory=side.memory[:0]))


def arrays_in(value: Any) -> Iterator[NDArray[Any]]:
    """All arrays of a nested value of tuples and lists."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple | list):
        for part in value:
            yield from arrays_in(part)
