"""How far a suite is, and how long the rest will take."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from regretlab.experiments.plan import Answer, Job

HEAD_START = 1.0
"""Seconds for which the estimates count as if they had been seen to be right; then what is seen outweighs them."""


class Progress(NamedTuple):
    """How far it is."""

    done: int  # runs that were answered
    runs: int  # runs to be performed now
    rate: float | None  # runs a second since the first was answered, so that getting ready does not count
    seconds_left: float | None  # None where it is overdue


class Clock:
    """Tells how much time is left, from how long the estimates turn out to be.

    Between two answers it counts down: who is at a long run gets nearer to its end.
    """

    def __init__(self, jobs: Sequence[Job], workers: int) -> None:
        self._runs, self._answered = len(jobs), 0
        self._workers = workers
        self._rest, self._done = sum(job.seconds for job in jobs), 0.0  # as estimated
        self._begin = self._end = 0.0
        self._first: tuple[float, int] | None = None  # when the first answers came, and how many

    def progress(self, arrived: Sequence[Answer]) -> Progress:
        """Called the first time when workers are there."""
        now = time.monotonic()
        begins = not self._begin
        if begins:
            self._begin = now
        if begins or arrived:
            self._learn(arrived, now)
        left = self._end - now
        return Progress(self._answered, self._runs, self._rate(now), left if left > 0 else None)

    def _rate(self, now: float) -> float | None:
        if self._first is None or now <= self._first[0] or self._answered == self._first[1]:
            return None
        return (self._answered - self._first[1]) / (now - self._first[0])

    def _learn(self, arrived: Sequence[Answer], now: float) -> None:
        done = sum(answer.job.seconds for answer in arrived)
        self._answered += len(arrived)
        if arrived and self._first is None:
            self._first = now, len(arrived)
        self._done += done
        self._rest -= done
        slowness = (now - self._begin + HEAD_START) / (self._done + HEAD_START * self._workers)
        self._end = now + self._rest * slowness
