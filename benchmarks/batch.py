"""Many narrow rivers by one worker and by two: how much quicker are two, what does a spot cost besides solving, and how
much memory does it all take?

    python -m benchmarks.batch
    python -m benchmarks.batch --rivers 50 --rounds 1

A run counts from the moment at which a tenth of its rivers are answered, when all workers have come up, to the last
one. Throughput wants a quiet machine with two cores. What a spot costs is told in processor time, which neighbours on
the machine hardly change: that of the workers and of the process that writes results, less that of solving and judging
the same rivers with nothing around them.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

from regretlab.endgames.cards import DECK, hand_name
from regretlab.experiments import Store, read_suite
from regretlab.experiments.jobs import Job, SuiteProgress, estimated_bytes, plan
from regretlab.experiments.running import run_jobs
from regretlab.solving import Solver

SPOT, UNTIL = "turn-3bet", "0.01%"
"""Ranges of some hundred hands, closely solved: 30 ms a river or so."""

SEED = 22
MEGABYTE = 10**6


class Point(NamedTuple):
    """A moment of a run."""

    seconds: float
    done: int  # how many rivers were answered
    working: float  # seconds of processor time of all processes so far


@dataclass
class Watched:
    """One run as it was seen from outside."""

    workers: int
    points: list[Point] = field(default_factory=list)
    peak: int = 0  # bytes of memory of all processes, at most

    def watch(self, progress: SuiteProgress) -> None:
        """The callback of the run."""
        everybody = [os.getpid(), *children()]
        self.points.append(Point(time.perf_counter(), progress.done, sum(map(working, everybody))))
        self.peak = max(self.peak, sum(map(resident, everybody)))

    @property
    def counted(self) -> Point:
        """What happened from the moment from which it counts."""
        last = self.points[-1]
        first = next(point for point in self.points if point.done >= last.done / 10)
        return Point(last.seconds - first.seconds, last.done - first.done, last.working - first.working)

    @property
    def rate(self) -> float:
        """Rivers per second."""
        return self.counted.done / self.counted.seconds


def children() -> list[int]:
    """The processes that this one has started."""
    listed = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text()
    return [int(number) for number in listed.split()]


def resident(process: int) -> int:
    """The bytes of memory of a process; 0 where it is gone."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def working(process: int) -> float:
    """The seconds of processor time of a process so far; 0 where it is gone."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def alone(jobs: Sequence[Job]) -> float:
    """Seconds of processor time that solving and judging a river takes, with nothing around it."""
    spent = 0.0
    for job in jobs:
        solver = Solver(job.run.game, job.run.recipe, cores=1)
        before = time.process_time()
        solver.run_on(job.run.checkpoints[-1], job.run.until, None)
        spent += time.process_time() - before
    return spent / len(jobs)


def rivers(count: int) -> list[Job]:
    """So many rivers, drawn at random and always the same."""
    random, boards = Random(SEED), dict[str, None]()
    while len(boards) < count:
        boards[hand_name(sorted(random.sample(range(DECK), 5), reverse=True))] = None
    return plan(read_suite({"spots": [{"spot": SPOT, "boards": [*boards], "until": UNTIL}]}))


def measured(jobs: Sequence[Job], workers: int) -> Watched:
    """Solve them all, into a store that is thrown away."""
    seen = Watched(workers)
    with tempfile.TemporaryDirectory() as folder, Store.to_write(Path(folder, "s")) as store:
        outcome = run_jobs(jobs, store, workers=workers, callback=seen.watch)
        if outcome.failures:
            raise SystemExit(f"a river failed: {outcome.failures[0][1]}")
    return seen


def report(jobs: Sequence[Job], runs: Sequence[Watched], solving: float) -> str:
    """What came of it, in lines."""
    lines = []
    rates: dict[int, list[float]] = {}
    for run in runs:
        rates.setdefault(run.workers, []).append(run.rate)
        each = run.counted.working / run.counted.done
        lines.append(
            f"{run.workers} worker{'s' if run.workers > 1 else ' '}: {run.rate:5.1f} rivers/s; "
            f"{1000 * each:.1f} ms of processor time each, {1000 * (each - solving):.1f} besides solving and judging; "
            f"{run.peak / MEGABYTE:,.0f} MB, promised {estimated_bytes(jobs, run.workers) / MEGABYTE:,.0f}"
        )
    one, two = (median(rates[workers]) for workers in (1, 2))
    lines.append(f"two workers are {two / one:.2f} times as quick as one (medians)")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Measure in turn, so that both meet the same neighbours."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.batch", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--rivers", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args(arguments)
    jobs = rivers(given.rivers)
    measured(jobs[: max(2, len(jobs) // 10)], 2)  # kernels are compiled
    runs = [measured(jobs, workers) for _ in range(given.rounds) for workers in (1, 2)]
    print(report(jobs, runs, alone(jobs)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
