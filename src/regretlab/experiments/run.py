"""Suites run to the end: what is in the store already is not run again."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from regretlab.errors import UserError, unknown
from regretlab.experiments.local import available_cores, run_locally
from regretlab.experiments.plan import Answer, Job, in_order, plan
from regretlab.experiments.store import Store
from regretlab.experiments.suite_file import SuiteLike, read_suite
from regretlab.experiments.tidy import tidy
from regretlab.spec import whole

Place: TypeAlias = Callable[[Sequence[Job], int], Generator[list[Answer], None, None]]
"""Where runs are performed, by so many workers: yields what has arrived, and now and then an empty list."""

PLACES: dict[str, Place] = {"local": run_locally}

MOST_WORKERS = 1_000


class Progress(NamedTuple):
    """How far it is."""

    done: int  # runs that were answered
    runs: int  # runs to be performed now
    seconds_left: float | None


Callback: TypeAlias = Callable[[Progress], object]
"""Called several times a second; what it returns, if true, stops it."""


class Failure(NamedTuple):
    """A run that could not be performed."""

    job: Job
    reason: str


@dataclass(frozen=True)
class Outcome:
    """What became of a suite."""

    there: int  # runs that were in the store already
    done: int  # runs that were performed now
    failures: tuple[Failure, ...]
    stopped: bool  # by the callback; what was not done yet is left


def experiment(
    suite: SuiteLike,
    *,
    store: str | Path | None = None,
    on: str = "local",
    workers: int | None = None,
    callback: Callback | None = None,
) -> list[dict[str, Any]]:
    """Run a suite to the end and return its results, a dictionary for each run and checkpoint.

    ``suite`` is the name of one that comes with the package, a ``.toml`` file, or the content of such a file. Results
    are kept in ``store``, a file (in the user's data folder unless given); what is there is not run again. The rows
    are what ``pandas.DataFrame`` and ``polars.DataFrame`` take.

    >>> from tempfile import TemporaryDirectory
    >>> suite = {"runs": [{"games": "kuhn", "recipes": ["cfr", "cfr+"], "iterations": [10, 100]}]}
    >>> with TemporaryDirectory() as folder:
    ...     rows = experiment(suite, store=f"{folder}/results.sqlite", workers=1)
    >>> [(row["recipe"], row["iteration"], round(row["exploitability"], 4)) for row in rows]
    [('cfr', 10, 0.0962), ('cfr', 100, 0.0257), ('cfr+', 10, 0.0327), ('cfr+', 100, 0.0012)]
    """
    jobs = plan(read_suite(suite))
    with Store.to_write(store) as opened:
        outcome = run_jobs(jobs, opened, on=on, workers=workers, callback=callback)
        if outcome.failures:
            job, reason = outcome.failures[0]
            raise UserError(
                f"{len(outcome.failures)} of {len(jobs)} runs failed, and the others are kept; the first: "
                f"{job.run.recipe} on {job.run.game}: {reason}"
            )
        return tidy(opened, jobs)


def run_jobs(
    jobs: Sequence[Job],
    store: Store,
    *,
    on: str = "local",
    workers: int | None = None,
    callback: Callback | None = None,
) -> Outcome:
    """Perform the jobs that are not in the store, and write each into it, whole."""
    place, count = find_place(on), workers_to_use(workers)
    known = store.hashes()
    missing = in_order([job for job in jobs if job.hash not in known])
    answers: list[Answer] = []
    stopped = False
    with closing(place(missing, count)) as arriving:
        clock = _Clock(missing)
        for arrived in arriving:
            answers += arrived
            if kept := [answer.stored for answer in arrived if answer.stored is not None]:
                store.add(kept)
            stopped = bool(callback is not None and callback(clock.progress(answers)))
            if stopped:
                break
    failures = tuple(Failure(answer.job, answer.reason) for answer in answers if answer.stored is None)
    return Outcome(len(jobs) - len(missing), len(answers) - len(failures), failures, stopped)


def find_place(on: str) -> Place:
    """Where to run, by name."""
    if on not in PLACES:
        raise unknown("place to run", on, PLACES)
    return PLACES[on]


def workers_to_use(workers: int | None) -> int:
    """One a core unless told otherwise."""
    return available_cores() if workers is None else whole("workers", workers, least=1, most=MOST_WORKERS)


class _Clock:
    """Tells how much time is left, from how long the estimates turn out to be."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self._begin = time.monotonic()
        self._runs = len(jobs)
        self._all = sum(job.seconds for job in jobs)

    def progress(self, answers: Sequence[Answer]) -> Progress:
        done = sum(answer.job.seconds for answer in answers)
        left = (time.monotonic() - self._begin) * (self._all - done) / done if done else None
        return Progress(len(answers), self._runs, left)
