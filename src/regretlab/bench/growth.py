"""How the cost of an iteration grows with the game: nanoseconds a payoff entry should stay the same."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from regretlab.bench.clock import Clock, Pace, Task, interleave
from regretlab.bench.limits import Streaming
from regretlab.bench.load import load_of
from regretlab.bench.random_forms import random_form
from regretlab.bench.results import Point
from regretlab.forms import SequenceForm, compile
from regretlab.games import Kuhn
from regretlab.solving import Solver

KUHN, RANDOM = "Kuhn poker", "random forms"

LARGE_FORM = 3.0
"""The form on which the share of the bandwidth is measured, in multiples of the last-level cache."""

BYTES_AN_ENTRY = 40
"""Of a random form, with all arrays of a run: about, to choose sizes by."""

SMALLEST_FORM = 1_000
STEP = 4


def grow_kuhn(clock: Clock, pace: Pace, streaming: Streaming, cards: Sequence[int]) -> Iterator[Point]:
    """Kuhn poker with more and more cards."""
    for count in cards:
        make = partial(compile, Kuhn(cards=count), tree=False)
        yield _point(clock, pace, streaming, KUHN, f"{count} cards", make)


def grow_random(clock: Clock, pace: Pace, streaming: Streaming, cache: int, largest: float) -> Iterator[Point]:
    """Random forms up to ``largest`` times the last-level cache, one of them at LARGE_FORM."""
    for entries in sizes(cache, largest):
        yield _point(clock, pace, streaming, RANDOM, f"{entries:,} entries", partial(random_form, entries))


def sizes(cache: int, largest: float) -> list[int]:
    """Numbers of entries from SMALLEST_FORM on, each STEP times the one before, up to the two that are asked for.

    >>> sizes(2_000_000, 3.0)
    [1000, 4000, 16000, 64000, 150000]
    """
    marks = sorted({int(times * cache / BYTES_AN_ENTRY) for times in (min(LARGE_FORM, largest), largest)})
    small = [SMALLEST_FORM]
    while small[-1] * STEP < marks[0] * 0.75:
        small.append(small[-1] * STEP)
    return [*small, *marks]


def large_point(points: Sequence[Point], cache: int) -> Point | None:
    """The smallest random form that is LARGE_FORM times the cache, or nearly, if there is one."""
    large = [point for point in points if point.family == RANDOM and point.load.footprint > 0.9 * LARGE_FORM * cache]
    return min(large, key=lambda point: point.load.footprint, default=None)


def _point(
    clock: Clock, pace: Pace, streaming: Streaming, family: str, name: str, make: Callable[[], SequenceForm]
) -> Point:
    """An iteration beside the streaming kernels: what neighbours leave of the bandwidth changes all the time."""
    start = time.perf_counter()
    form = make()
    setup = time.perf_counter() - start
    solver = Solver(form, "cfr+", cores=1)
    series, *beside = interleave(clock, [Task(name, solver.advance), *streaming.tasks], pace)
    return Point(family, name, load_of(name, form, solver), series, tuple(beside), streaming.bytes, setup)
