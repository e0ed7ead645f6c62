"""What a second core brings, beside what it brings to memory alone.

``python -m benchmarks.parts.cores WORK CORES`` is the process that is timed. It says when it is ready, and then answers
every line on its input, which holds the number of cores to use, with a number and the share of a core that it had.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from benchmarks import ROOT
from benchmarks.machine import hold
from benchmarks.results import BesideNeighbours, Cores, Speedup
from benchmarks.spots import TURN, is_spot, load_spot

if TYPE_CHECKING:
    from regretlab.forms import SequenceForm
    from regretlab.solving import Solver

STREAM, GAME, RANDOM = "streaming", "kuhn(cards=1000)", "random form"
"""What a process does: read memory, or solve a game or a form that is far larger than any cache.

The game is what counts. The random form has one deep treeplex where the game has a thousand small ones.
"""

DICE = "liars_dice"
"""Small enough that cores meet every tenth of a millisecond: where they wait for each other, it shows."""

RANDOM_ENTRIES = 2_000_000

ITERATIONS = {GAME: 50, RANDOM: 50, DICE: 1_000, TURN: 40}
"""Of one answer: about as long as the streaming kernel is timed."""

NEIGHBOURS = (0, 1, 2)
"""How many other programs want a core all the time."""

BUSY = "import os, sys; os.sched_setaffinity(0, map(int, sys.argv[1:]))\nwhile True: pass"
"""A program that wants a core all the time, one of those that it is told."""

FREE = 0.9
"""A process that had less than this share of a core had a neighbour on it, and its round does not count."""

MOST_TRIES = 4
"""Rounds that are tried for each one that counts."""

STREAM_WORDS = 16 * 2**20
STREAM_SECONDS = 0.5


def measure_cores(cores: Sequence[int], rounds: int, works: Sequence[str] = (GAME, RANDOM)) -> Cores | None:
    """Streaming by one process and by two at once, solving with one core and with two, in turn; None if disturbed.

    All of them may run on either core: a process that is held on one would gain by leaving it to a neighbour.
    """
    both = [str(core) for core in cores[-2:]]
    workers = [Worker(work, both) for work in (STREAM, STREAM, *works)]
    try:
        return _in_turn(workers, rounds)
    finally:
        for worker in workers:
            worker.end()


def measure_beside_neighbours(cores: Sequence[int], rounds: int) -> list[BesideNeighbours]:
    """Solving with one core and with two, in turn, while other programs want the same two cores."""
    both = [str(core) for core in cores[-2:]]
    worker = Worker(DICE, both)
    found = []
    try:
        for count in NEIGHBOURS:
            busy = [subprocess.Popen([sys.executable, "-c", BUSY, *both]) for _ in range(count)]
            try:
                ask([worker], 2)  # the solver notices what has changed
                times = [(ask([worker], 1)[0].number, ask([worker], 2)[0].number) for _ in range(rounds)]
            finally:
                for neighbour in busy:
                    neighbour.kill()
                    neighbour.wait()
            one, two = zip(*times, strict=True)
            found.append(BesideNeighbours(count, one, two))
    finally:
        worker.end()
    return found


def _in_turn(workers: Sequence[Worker], rounds: int) -> Cores | None:
    """So many rounds in which both cores were free, if there are that many among the rounds that are tried."""
    first, second, *solvers = workers
    turns = [([first], 1), ([first, second], 1), *(([solver], cores) for solver in solvers for cores in (1, 2))]
    kept: list[list[float]] = []
    tries = 0
    while len(kept) < rounds and tries < MOST_TRIES * rounds:
        tries += 1
        answers = [ask(each, cores) for each, cores in turns]
        # With two cores the solver may leave one idle; all others should have had one for themselves.
        alone = [answer for (_, cores), each in zip(turns, answers, strict=True) if cores == 1 for answer in each]
        if all(answer.share > FREE for answer in alone):
            kept.append([sum(answer.number for answer in each) for each in answers])
    if len(kept) < rounds:
        return None
    one, both, *times = (tuple(column) for column in zip(*kept, strict=True))
    pairs = zip(solvers, times[::2], times[1::2], strict=True)
    return Cores(one, both, tuple(Speedup(solver.work, solver.entries, *pair) for solver, *pair in pairs), tries)


class Answer(NamedTuple):
    """What a worker has measured, and which share of a core it had meanwhile."""

    number: float
    share: float


class Worker:
    """A process that measures when it is asked to."""

    def __init__(self, work: str, cores: Sequence[str]) -> None:
        self.work = work
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.parts.cores", work, *cores],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.entries = int(self.answer().number)  # when it is ready it says how many the form has

    def begin(self, cores: int) -> None:
        """Let it measure with so many cores."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{cores}\n")
        self._process.stdin.flush()

    def answer(self) -> Answer:
        """Wait for the numbers."""
        assert self._process.stdout is not None
        number, share = self._process.stdout.readline().split()
        return Answer(float(number), float(share))

    def end(self) -> None:
        """Without input it ends by itself."""
        self._process.communicate()


def ask(workers: Sequence[Worker], cores: int) -> list[Answer]:
    """What workers that begin at the same moment answer."""
    for worker in workers:
        worker.begin(cores)
    return [worker.answer() for worker in workers]


def stream() -> tuple[int, Callable[[int], float]]:
    """Measures words a second for a fixed time: two processes are then busy for as long as either is timed."""
    import numpy as np

    from benchmarks.parts.limits import read

    words = np.ones(STREAM_WORDS, dtype=np.uint64)

    def measure(_: int) -> float:
        start, count = time.perf_counter(), 0
        while time.perf_counter() - start < STREAM_SECONDS:
            read(words)
            count += 1
        return count * STREAM_WORDS / (time.perf_counter() - start)

    return STREAM_WORDS, measure


def solve(form: SequenceForm, iterations: int = 50) -> tuple[int, Callable[[int], float]]:
    """Measures seconds an iteration of CFR+ with so many cores; says how many payoff entries there are."""
    from regretlab.solving import Solver

    return form.payoff.entries, _measuring([Solver(form, "cfr+", cores=cores) for cores in (1, 2)], iterations)


def solve_spot(name: str, iterations: int = 50) -> tuple[int, Callable[[int], float]]:
    """The same of a spot by DCFR in single precision; says how many numbers there are for actions and hands."""
    from regretlab.solving import Solver

    spot = load_spot(name)
    form = spot.blocks()
    solvers = [Solver(form, "dcfr", cores=cores, precision="f32") for cores in (1, 2)]
    return spot.block_size().numbers, _measuring(solvers, iterations)


def _measuring(solvers: Sequence[Solver], iterations: int) -> Callable[[int], float]:
    """Measures seconds an iteration by the solver that has so many cores."""

    def measure(cores: int) -> float:
        start = time.perf_counter()
        solvers[cores - 1].advance(iterations)
        return (time.perf_counter() - start) / iterations

    return measure


def large_form(work: str) -> SequenceForm:
    """The game of this name, or the random form."""
    from benchmarks.parts.growth import random_form
    from regretlab.forms import compile

    return random_form(RANDOM_ENTRIES) if work == RANDOM else compile(work, tree=False)


def worker_for(work: str) -> tuple[int, Callable[[int], float]]:
    """How large the work of this name is, and what measures it."""
    iterations = ITERATIONS.get(work, 50)
    if work == STREAM:
        return stream()
    return solve_spot(work, iterations) if is_spot(work) else solve(large_form(work), iterations)


def main(work: str, *cores: str) -> None:
    """Answer every line with what was measured, and the share of a core."""
    hold([int(core) for core in cores])
    size, measure = worker_for(work)
    for count in (1, 2):  # compiles
        measure(count)
    print(size, 0, flush=True)
    for line in sys.stdin:
        start, begun = time.perf_counter(), time.process_time()
        number = measure(int(line))
        print(number, (time.process_time() - begun) / (time.perf_counter() - start), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
