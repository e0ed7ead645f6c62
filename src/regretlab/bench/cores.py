"""What a second core brings, beside what it brings to memory alone.

``python -m regretlab.bench.cores stream CORES`` and ``… solve CORES`` are the processes that are timed: each says when
it is ready, and then answers every line on its input with a number and the share of a core that it had.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from regretlab.bench.one_core import hold
from regretlab.bench.results import Cores

ENTRIES = 2_000_000
"""Of the form that is solved: far larger than any cache."""

ITERATIONS = 10
"""Of one answer."""

FREE = 0.9
"""A process that had less than this share of a core had a neighbour on it, and its round does not count."""

MOST_TRIES = 4
"""Rounds that are tried for each one that counts."""

STREAM_WORDS = 16 * 2**20
STREAM_SECONDS = 0.5


def measure_cores(cores: Sequence[int], rounds: int) -> Cores | None:
    """Streaming by one process and by two at once, solving by one thread and by two, in turn; None if disturbed.

    All of them may run on either core: a process that is held on one would gain by leaving it to a neighbour.
    """
    both = [str(core) for core in cores[-2:]]
    workers = [
        Worker(kind, threads, both) for kind, threads in (("stream", 1), ("stream", 1), ("solve", 1), ("solve", 2))
    ]
    try:
        return _in_turn(workers, rounds)
    finally:
        for worker in workers:
            worker.end()


def _in_turn(workers: Sequence[Worker], rounds: int) -> Cores | None:
    """So many rounds in which both cores were free, if there are that many among the rounds that are tried."""
    kept: list[list[float]] = []
    tries = 0
    while len(kept) < rounds and tries < MOST_TRIES * rounds:
        tries += 1
        one, other, solo, duo = workers
        answers = [ask(each) for each in ([one], [one, other], [solo], [duo])]
        # The solver with two threads may leave a core idle; all others should have had one for themselves.
        if all(answer.share > FREE for each in answers[:3] for answer in each):
            kept.append([sum(answer.number for answer in each) for each in answers])
    if len(kept) < rounds:
        return None
    alone, together, single, double = (tuple(column) for column in zip(*kept, strict=True))
    return Cores(ENTRIES, alone, together, single, double, tries)


class Answer(NamedTuple):
    """What a worker has measured, and which share of a core it had meanwhile."""

    number: float
    share: float


class Worker:
    """A process that measures when it is asked to."""

    def __init__(self, kind: str, threads: int, cores: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "regretlab.bench.cores", kind, *cores],
            env=os.environ | {"NUMBA_NUM_THREADS": str(threads)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.answer()  # ready

    def begin(self) -> None:
        """Let it measure."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def answer(self) -> Answer:
        """Wait for the numbers."""
        assert self._process.stdout is not None
        number, share = self._process.stdout.readline().split()
        return Answer(float(number), float(share))

    def end(self) -> None:
        """Without input it ends by itself."""
        self._process.communicate()


def ask(workers: Sequence[Worker]) -> list[Answer]:
    """What workers that begin at the same moment answer."""
    for worker in workers:
        worker.begin()
    return [worker.answer() for worker in workers]


def stream() -> Callable[[], float]:
    """Measures words a second for a fixed time: two processes are then busy for as long as either is timed."""
    import numpy as np

    from regretlab.bench.kernels import read

    words = np.ones(STREAM_WORDS, dtype=np.uint64)

    def measure() -> float:
        start, count = time.perf_counter(), 0
        while time.perf_counter() - start < STREAM_SECONDS:
            read(words)
            count += 1
        return count * STREAM_WORDS / (time.perf_counter() - start)

    return measure


def solve() -> Callable[[], float]:
    """Measures seconds an iteration of CFR+ on a random form, with as many threads as Numba was given."""
    from regretlab.bench.random_forms import random_form
    from regretlab.solve import Solver

    solver = Solver(random_form(ENTRIES), "cfr+")

    def measure() -> float:
        start = time.perf_counter()
        solver.advance(ITERATIONS)
        return (time.perf_counter() - start) / ITERATIONS

    return measure


def main(kind: str, *cores: str) -> None:
    """Answer every line with what was measured, and the share of a core."""
    hold([int(core) for core in cores])
    measure = {"stream": stream, "solve": solve}[kind]()
    measure()
    print(0, 0, flush=True)
    for _ in sys.stdin:
        start, begun = time.perf_counter(), time.process_time()
        number = measure()
        print(number, (time.process_time() - begun) / (time.perf_counter() - start), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
