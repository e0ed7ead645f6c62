"""What a second core brings, beside what it brings to memory alone.

``python -m regretlab.bench.cores stream CORE`` and ``… solve CORE [CORE]`` are the processes that are timed: each says
when it is ready, and then answers every line on its input with a number.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

from regretlab.bench.one_core import hold
from regretlab.bench.results import Cores

ENTRIES = 2_000_000
"""Of the form that is solved: far larger than any cache."""

ITERATIONS = 10
"""Of one answer."""

STREAM_WORDS = 16 * 2**20
STREAM_SECONDS = 0.5


def measure_cores(cores: Sequence[int], rounds: int) -> Cores:
    """Streaming by one process and by two at once, solving by one thread and by two, in turn."""
    first, second = str(cores[-1]), str(cores[-2])
    workers = [
        Worker("stream", first),
        Worker("stream", second),
        Worker("solve", first),
        Worker("solve", first, second),
    ]
    try:
        return _in_turn(workers, rounds)
    finally:
        for worker in workers:
            worker.end()


def _in_turn(workers: Sequence[Worker], rounds: int) -> Cores:
    streaming, solving = workers[:2], workers[2:]
    asked = [(ask(streaming[:1]), ask(streaming), ask(solving[:1]), ask(solving[1:])) for _ in range(rounds)]
    alone, together, one, two = (tuple(sum(answers) for answers in column) for column in zip(*asked, strict=True))
    return Cores(ENTRIES, alone, together, one, two)


class Worker:
    """A process that measures when it is asked to, on its own cores."""

    def __init__(self, kind: str, *cores: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "regretlab.bench.cores", kind, *cores],
            env=os.environ | {"NUMBA_NUM_THREADS": str(len(cores))},
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

    def answer(self) -> float:
        """Wait for the number."""
        assert self._process.stdout is not None
        return float(self._process.stdout.readline())

    def end(self) -> None:
        """Without input it ends by itself."""
        self._process.communicate()


def ask(workers: Sequence[Worker]) -> list[float]:
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
    """Answer every line with a number."""
    hold([int(core) for core in cores])
    measure = {"stream": stream, "solve": solve}[kind]()
    measure()
    print(0, flush=True)
    for _ in sys.stdin:
        print(measure(), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
