"""Many narrow rivers by one worker and by two: how much quicker are two, what does a spot cost besides solving, and how
much memory does it all take?

    python -m benchmarks.batch
    python -m benchmarks.batch --rivers 50 --rounds 1

For a quiet machine with two cores. A run counts from the moment at which a tenth of its rivers are answered, when all
workers have come up, to the last one.
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

from regretlab.endgames.cards import DECK, hand_name
from regretlab.experiments import Store, read_suite
from regretlab.experiments.jobs import Job, SuiteProgress, estimated_bytes, plan
from regretlab.experiments.rows import tidy
from regretlab.experiments.running import run_jobs

SPOT, UNTIL = "turn-3bet", "0.01%"
"""Ranges of some hundred hands, closely solved: 30 ms a river or so."""

SEED = 22
MEGABYTE = 10**6


@dataclass
class Watched:
    """One run as it was seen from outside."""

    workers: int
    points: list[tuple[float, int]] = field(default_factory=list)  # seconds, and how many were answered then
    solving: float = 0.0  # seconds of solving, of all rivers together
    peak: int = 0  # bytes of memory of all processes, at most

    def watch(self, progress: SuiteProgress) -> None:
        """The callback of the run."""
        self.points.append((time.perf_counter(), progress.done))
        self.peak = max(self.peak, resident(os.getpid()) + sum(map(resident, children())))

    @property
    def rate(self) -> float:
        """Rivers per second."""
        last, count = self.points[-1]
        first, before = next(point for point in self.points if point[1] >= count / 10)
        return (count - before) / (last - first)


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
        seen.solving = sum(row["seconds"] for row in tidy(store, jobs))
    return seen


def report(jobs: Sequence[Job], runs: Sequence[Watched]) -> str:
    """What came of it, in lines."""
    lines = []
    rates: dict[int, list[float]] = {}
    for run in runs:
        rates.setdefault(run.workers, []).append(run.rate)
        each = 1000 * run.workers / run.rate
        solving = 1000 * run.solving / len(jobs)
        lines.append(
            f"{run.workers} worker{'s' if run.workers > 1 else ' '}: {run.rate:6.1f} rivers/s; {each:5.1f} ms of a "
            f"core each, of which {solving:5.1f} solving and {each - solving:5.1f} all else; "
            f"{run.peak / MEGABYTE:,.0f} MB, promised {estimated_bytes(jobs, run.workers) / MEGABYTE:,.0f}"
        )
    one, two = (median(rates[workers]) for workers in (1, 2))
    return "\n".join([*lines, f"two workers are {two / one:.2f} times as quick as one (medians)"])


def main(arguments: Sequence[str]) -> int:
    """Measure in turn, so that both meet the same neighbours."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.batch", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--rivers", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args(arguments)
    jobs = rivers(given.rivers)
    measured(jobs[: max(2, len(jobs) // 10)], 2)  # kernels are compiled
    print(report(jobs, [measured(jobs, workers) for _ in range(given.rounds) for workers in (1, 2)]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
