"""Timing on a machine that is shared: short batches in turn, each between two runs of a fixed loop."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import NamedTuple

SLOWED = 1.25
"""A batch is measured again where the machine was slower than this, whichever of the two signs shows it:

the fixed loop beside it took so many times as long as the best one so far, which shows a slower clock; or the batch
took so many times as long as the processor worked for it, which shows that another process had the core in between.
"""

MOST_RETRIES = 3
"""How often one batch is measured again."""

FIRST_LOOPS = 30
"""Runs of the fixed loop before the first batch, so that ``best`` means something from the start."""

LEAST_ROUNDS = 7
"""A median of fewer batches is not called one: the report says how many there were."""


class Batch(NamedTuple):
    """Some calls timed together."""

    seconds: float  # of all calls
    calls: int
    calibration: float  # seconds of the fixed loop, the slower one of before and after
    share: float | None = None  # processor time ÷ seconds; None where the task waits for something else
    retries: int = 0

    def slowness(self, best: float) -> float:
        """How many times as slow as it can be the machine was, where the fixed loop takes ``best`` seconds at best."""
        waiting = 1.0 if self.share is None else 1 / max(self.share, 1e-3)
        return max(self.calibration / best, waiting)


@dataclass(frozen=True)
class Task:
    """Something to be timed: ``work(n)`` does it n times.

    ``prepare``, if given, is called before every batch, outside the timing; a batch is then a single call. A task that
    ``waits`` for the disk or for other processes is not suspected because the processor did little for it.
    """

    name: str
    work: Callable[[int], object]
    prepare: Callable[[], object] | None = None
    waits: bool = False


@dataclass(frozen=True)
class Pace:
    """How long to measure."""

    rounds: int  # batches of each task
    batch: float  # seconds that a batch should last at least
    longest: float  # seconds for all batches of a task; a slower task gets fewer rounds


@dataclass(frozen=True)
class Series:
    """All batches of one task."""

    name: str
    batches: tuple[Batch, ...]
    note: str = ""  # where the time was not measured, how it was found

    @property
    def seconds(self) -> list[float]:
        """Seconds a call, one number a batch."""
        return [batch.seconds / batch.calls for batch in self.batches]

    @property
    def median(self) -> float:
        """The middle of the batches, seconds a call."""
        return median(self.seconds)

    @property
    def quartiles(self) -> tuple[float, float]:
        """Between these lies the middle half of the batches."""
        return quartiles(self.seconds)


class Clock:
    """Times batches, and measures again what a neighbour has disturbed.

    ``loop`` does a fixed amount of work. ``patience`` is how many seconds may be spent on measuring again in all.
    """

    def __init__(
        self,
        loop: Callable[[], object],
        *,
        timer: Callable[[], float] = time.perf_counter,
        processor: Callable[[], float] = time.process_time,
        patience: float = 60.0,
    ) -> None:
        self._loop = loop
        self._timer = timer
        self._processor = processor
        self.patience = patience
        self.retries = 0
        self.best = math.inf
        loop()  # compiles
        for _ in range(FIRST_LOOPS):
            self.calibrate()

    def calibrate(self) -> float:
        """Seconds of the fixed loop now."""
        seconds = self._seconds(self._loop)
        self.best = min(self.best, seconds)
        return seconds

    def is_slowed(self, batch: Batch) -> bool:
        """Whether the machine was slower during this batch than it can be."""
        return batch.slowness(self.best) > SLOWED

    def batch(self, task: Task, calls: int) -> Batch:
        """Time so many calls; again, up to a limit, where the machine was slowed, and the least slowed one counts."""
        kept = self._attempt(task, calls)
        retries = 0
        while self.is_slowed(kept) and retries < MOST_RETRIES and self.patience > 0:
            again = self._attempt(task, calls)
            self.patience -= again.seconds
            retries += 1
            kept = min(kept, again, key=lambda batch: batch.slowness(self.best))
        self.retries += retries
        return kept._replace(retries=retries)

    def size(self, task: Task, pace: Pace) -> Batch:
        """How many calls last as long as a batch should, found by trying; the last try is returned.

        The first call of all is thrown away, because it compiles, loads and allocates, unless it takes too long.
        """
        batch = self._attempt(task, 1)
        if batch.seconds > pace.longest:
            return batch
        batch = self._attempt(task, 1)
        while batch.seconds < pace.batch and task.prepare is None:
            grown = math.ceil(batch.calls * 1.2 * pace.batch / max(batch.seconds, 1e-9))
            batch = self._attempt(task, min(max(grown, 2 * batch.calls), 10 * batch.calls))
        return batch

    def _attempt(self, task: Task, calls: int) -> Batch:
        if task.prepare is not None:
            task.prepare()
        before = self.calibrate()
        begun = self._processor()
        seconds = self._seconds(lambda: task.work(calls))
        worked = self._processor() - begun
        share = None if task.waits else worked / max(seconds, 1e-9)
        return Batch(seconds, calls, max(before, self.calibrate()), share)

    def _seconds(self, work: Callable[[], object]) -> float:
        start = self._timer()
        work()
        return self._timer() - start


def interleave(clock: Clock, tasks: Sequence[Task], pace: Pace) -> tuple[Series, ...]:
    """Time the tasks in turn, a batch of each a round: what slows the machine for a while slows them all.

    A task too slow for all rounds gets as many as ``pace.longest`` allows, the trial that showed it included.
    """
    trials = [clock.size(task, pace) for task in tasks]
    rounds = [_rounds(trial, pace) for trial in trials]
    batches = [[trial] if count < pace.rounds else [] for trial, count in zip(trials, rounds, strict=True)]
    gc.collect()
    gc.freeze()  # else one library's objects would slow the garbage collections of another
    try:
        for _ in range(pace.rounds):
            for task, trial, count, kept in zip(tasks, trials, rounds, batches, strict=True):
                if len(kept) < count:
                    kept.append(clock.batch(task, trial.calls))
    finally:
        gc.unfreeze()
    return tuple(Series(task.name, tuple(kept)) for task, kept in zip(tasks, batches, strict=True))


def _rounds(trial: Batch, pace: Pace) -> int:
    affordable = int(pace.longest / max(trial.seconds, 1e-9))
    return max(1, min(pace.rounds, affordable))


def quartiles(values: Sequence[float]) -> tuple[float, float]:
    """The lower and the upper quartile; of a single value, that value twice."""
    if len(values) == 1:
        return values[0], values[0]
    low, _, high = quantiles(values, n=4, method="inclusive")
    return low, high
