"""What a suite amounts to: its runs, each known by its hash, and what they will cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from regretlab.experiments.measures import DISTANCE
from regretlab.experiments.perform import Measurement
from regretlab.experiments.spec import Run, Suite, digest, identity, recipe_of
from regretlab.experiments.store import StoredRun
from regretlab.forms import SequenceForm, compile
from regretlab.solving.storage import fingerprint

SECONDS_A_RUN, SECONDS_AN_ENTRY = 5e-4, 1.7e-9
SECONDS_A_SEQUENCE = {"regret-matching": 7e-9, "normalhedge": 20e-9, "hedge": 33e-9}
"""What setting a run up and looking at it takes, and in each iteration an entry of the payoff and a sequence.

Measured with full feedback on one core of a server; sampling takes less.
"""

SECONDS_A_DISTANCE = 8e-3
"""What the two linear programmes of a distance to the equilibria take, on a small game."""

BYTES_A_PROCESS, BYTES_A_HISTORY, BYTES_AN_ENTRY = 180 * 2**20, 200, 40
"""Measured: Python, Numba and the kernels; and what a compiled game takes."""


class Size(NamedTuple):
    """What is remembered of a compiled game."""

    fingerprint: str
    histories: int
    sequences: int
    entries: int


class Job(NamedTuple):
    """A run and what it is known by."""

    run: Run
    identity: dict[str, Any]
    hash: str
    size: Size
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
    sizes = {game: size(compile(game)) for game in dict.fromkeys(run.game for run in suite.runs)}
    jobs: dict[str, Job] = {}
    for run in suite.runs:
        known = identity(run, sizes[run.game].fingerprint)
        name = digest(known)
        # Two names may mean the same recipe; the first one stays.
        jobs.setdefault(name, Job(run, known, name, sizes[run.game], _seconds(run, sizes[run.game])))
    return list(jobs.values())


def _seconds(run: Run, size: Size) -> float:
    """About how long a run takes."""
    weigh = SECONDS_A_SEQUENCE.get(recipe_of(run.recipe).weigh, max(SECONDS_A_SEQUENCE.values()))
    programmes = len(run.checkpoints) * SECONDS_A_DISTANCE if DISTANCE in run.measures else 0.0
    return SECONDS_A_RUN + programmes + run.checkpoints[-1] * (weigh * size.sequences + SECONDS_AN_ENTRY * size.entries)


def size(form: SequenceForm) -> Size:
    """How large a compiled game is, and its fingerprint."""
    histories = 0 if form.tree is None else form.tree.histories
    return Size(fingerprint(form), histories, sum(each.sequences for each in form.treeplexes), form.payoff.entries)


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
    largest = max((BYTES_A_HISTORY * each.histories + BYTES_AN_ENTRY * each.entries for each in sizes), default=0)
    return (min(workers, len(jobs)) + 1) * (BYTES_A_PROCESS + largest)
