"""What a suite amounts to: jobs, each known by its hash, how they are handed out, and how long they will take."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Sequence
from typing import Any, NamedTuple

from regretlab.experiments.measures import DISTANCE, Measurement
from regretlab.experiments.specs import RunSpec, Suite, digest, identity, recipe_of
from regretlab.experiments.store import StoredRun
from regretlab.forms import AnyForm, SequenceForm, form_to_solve
from regretlab.games import Size
from regretlab.rules import WEIGHINGS
from regretlab.solving.storage import fingerprint

SECONDS_A_RUN, SECONDS_AN_ENTRY = 5e-4, 1.7e-9
"""What setting a run up and looking at it takes, and in each iteration an entry of the payoff.

Measured with full feedback on one core of a server; sampling takes less.
"""

SECONDS_A_DISTANCE = 8e-3
"""What the two linear programmes of a distance to the equilibria take, on a small game."""

BYTES_A_PROCESS, BYTES_AN_ENTRY = 180 * 2**20, 40
"""Measured: Python, Numba and the kernels; and what a run takes beside the compiled game."""


class GameSize(NamedTuple):
    """What is remembered of a compiled game."""

    fingerprint: str
    histories: int
    sequences: int
    entries: int


class Job(NamedTuple):
    """A run and what it is known by."""

    run: RunSpec
    identity: dict[str, Any]
    hash: str
    size: GameSize
    seconds: float  # about how long it will take


class Answer(NamedTuple):
    """What became of a job: a run to keep, or the reason why there is none."""

    job: Job
    stored: StoredRun | None
    reason: str = ""

    @classmethod
    def of(cls, job: Job, said: dict[str, Any]) -> Answer:
        """From what a worker has said."""
        if "error" in said:
            return cls(job, None, said["error"])
        measurements = tuple(Measurement(*each) for each in said["measurements"])
        provenance = (said["provenance"], said["finished"], said["seconds"])
        return cls(job, StoredRun(job.hash, job.run.game, job.run.recipe, job.identity, *provenance, measurements))


def plan(suite: Suite) -> list[Job]:
    """The runs of a suite with their hashes; every game is compiled once for it."""
    sizes = {game: game_size(form_to_solve(game)) for game in dict.fromkeys(run.game for run in suite.runs)}
    jobs: dict[str, Job] = {}
    for run in suite.runs:
        size = sizes[run.game]
        known = identity(run, size.fingerprint)
        name = digest(known)
        weigh = WEIGHINGS[recipe_of(run.recipe).weigh].seconds
        programmes = len(run.checkpoints) * SECONDS_A_DISTANCE if DISTANCE in run.measures else 0.0
        an_iteration = weigh * size.sequences + SECONDS_AN_ENTRY * size.entries
        seconds = SECONDS_A_RUN + programmes + run.checkpoints[-1] * an_iteration
        # Two names may mean the same recipe; the first one stays.
        jobs.setdefault(name, Job(run, known, name, size, seconds))
    return list(jobs.values())


def game_size(form: AnyForm) -> GameSize:
    """How large a compiled game is, and its fingerprint."""
    histories = form.tree.histories if isinstance(form, SequenceForm) and form.tree is not None else 0
    sequences = form.treeplexes[0].sequences + form.treeplexes[1].sequences
    return GameSize(fingerprint(form), histories, sequences, form.payoff.entries)


def in_order(jobs: Sequence[Job]) -> list[Job]:
    """Long ones first, so that no core is left alone at the end; a game's together, so that each compiles it once."""
    longest: dict[str, float] = {}
    for job in jobs:
        longest[job.run.game] = max(longest.get(job.run.game, 0.0), job.seconds)
    return sorted(jobs, key=lambda job: (-longest[job.run.game], job.run.game, -job.seconds))


def estimated_seconds(jobs: Sequence[Job], workers: int) -> float:
    """About how long the jobs take on so many cores."""
    return max(sum(job.seconds for job in jobs) / workers, max((job.seconds for job in jobs), default=0.0))


def estimated_bytes(jobs: Sequence[Job], workers: int) -> int:
    """About how much memory that takes: a process a core and one more, each with the largest game."""
    sizes = {job.size for job in jobs}
    largest = max((Size(each.histories).nbytes + BYTES_AN_ENTRY * each.entries for each in sizes), default=0)
    return (min(workers, len(jobs)) + 1) * (BYTES_A_PROCESS + largest)


BATCH_SECONDS = 0.2
"""Estimated seconds of work handed out at once: long beside the handing out, short beside what a crash may cost."""

LARGEST_BATCH = 50

ATTEMPTS = 3
"""How often a run is tried whose worker dies over it."""


class JobQueue:
    """Jobs in the order in which they are to be performed."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self._jobs = deque(jobs)
        self._attempts: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._jobs)

    def batch(self, workers: int) -> list[Job]:
        """The next jobs: enough to be worth the handing out, and no more than a fair share of what is left."""
        most = max(1, min(LARGEST_BATCH, len(self._jobs) // (2 * workers)))
        batch = [self._jobs.popleft()]
        while self._jobs and len(batch) < most and sum(job.seconds for job in batch) < BATCH_SECONDS:
            batch.append(self._jobs.popleft())
        return batch

    def again(self, jobs: Sequence[Job]) -> None:
        """Jobs that were handed out and not answered are the next ones."""
        self._jobs.extendleft(reversed(jobs))

    def after_a_death(self, job: Job, reason: str) -> Answer | None:
        """A worker has died over this job: None if it should be tried again, its answer if that was the last time."""
        self._attempts[job.hash] += 1
        tried = self._attempts[job.hash]
        return Answer.of(job, {"error": f"{tried} times {reason}"}) if tried == ATTEMPTS else None


HEAD_START = 1.0
"""Seconds for which the estimates count as if they had been seen to be right; then what is seen outweighs them."""


class SuiteProgress(NamedTuple):
    """How far it is."""

    done: int  # runs that were answered
    runs: int  # runs to be performed now
    rate: float | None  # runs per second since the first was answered, so that getting ready does not count
    seconds_left: float | None  # None where it is overdue


class SuiteClock:
    """Tells how much time is left, from how long the estimates turn out to be.

    Between two answers it counts down: who is at a long run gets nearer to its end.
    """

    def __init__(self, jobs: Sequence[Job], workers: int) -> None:
        self._runs, self._answered = len(jobs), 0
        self._workers = workers
        self._rest, self._done = sum(job.seconds for job in jobs), 0.0  # as estimated
        self._begin = self._end = 0.0
        self._first: tuple[float, int] | None = None  # when the first answers came, and how many

    def progress(self, arrived: Sequence[Answer]) -> SuiteProgress:
        """Called the first time when workers are there."""
        now = time.monotonic()
        begins = not self._begin
        if begins:
            self._begin = now
        if begins or arrived:
            done = sum(answer.job.seconds for answer in arrived)
            self._answered += len(arrived)
            if arrived and self._first is None:
                self._first = now, len(arrived)
            self._done += done
            self._rest -= done
            slowness = (now - self._begin + HEAD_START) / (self._done + HEAD_START * self._workers)
            self._end = now + self._rest * slowness
        rate = None
        if self._first is not None and now > self._first[0] and self._answered > self._first[1]:
            rate = (self._answered - self._first[1]) / (now - self._first[0])
        left = self._end - now
        return SuiteProgress(self._answered, self._runs, rate, left if left > 0 else None)
