"""Suites run to the end: what is in the store already is not run again."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from regretlab.documents.rows import Rows
from regretlab.errors import UserError, unknown
from regretlab.experiments.jobs import BYTES_A_PROCESS, Answer, Job, Means, SuiteClock, SuiteProgress, in_order, plan
from regretlab.experiments.kept import strategies_folder
from regretlab.experiments.local import run_locally
from regretlab.experiments.on_ray import CLIENT, check_ray, run_on_ray
from regretlab.experiments.rows import tidy
from regretlab.experiments.store import Store
from regretlab.experiments.suite_reading import SuiteLike, read_suite
from regretlab.games.size import written_bytes
from regretlab.machine import free_memory, usable_cores
from regretlab.spec import whole

Place: TypeAlias = Callable[[Sequence[Job], Means], Generator[list[Answer], None, None]]
"""Where runs are performed, by what means there are.

It yields what has arrived, and now and then an empty list.
"""

PLACES: dict[str, Place] = {"local": run_locally, "ray": run_on_ray}

MOST_WORKERS = 1_000

SECONDS_TO_WRITE = 3600.0
"""No strategy takes longer to be written than this."""


Callback: TypeAlias = Callable[[SuiteProgress], object]
"""Called several times a second; what it returns, if true, stops the suite."""


@dataclass(frozen=True)
class Outcome:
    """What became of a suite."""

    there: int  # runs that were in the store already
    done: int  # runs that were performed now
    failures: tuple[tuple[Job, str], ...]  # runs that could not be performed, and why
    stopped: bool  # by the callback; what was not done yet is left

    def as_dict(self) -> dict[str, Any]:
        """As plain values."""
        failures = [
            {key: getattr(job.run, key) for key in ("game", "recipe", "seed", "start")}
            | ({} if job.board is None else job.board._asdict())
            | {"reason": reason}
            for job, reason in self.failures
        ]
        complete = not (failures or self.stopped)
        return {"there": self.there, "done": self.done, "failures": failures, "complete": complete}


def experiment(
    suite: SuiteLike,
    *,
    store: str | Path | None = None,
    on: str = "local",
    workers: int | None = None,
    memory: int | None = None,
    callback: Callback | None = None,
) -> Rows:
    """Run a suite to the end and return its results, a dictionary for each run and checkpoint.

    ``suite`` is the name of one that comes with the package, a ``.toml`` file, or the content of such a file. Results
    are kept in ``store``, a file (in the user's data folder unless given); what is there is not run again. Runs are
    performed ``on`` this machine, ``"local"``, or ``"ray"``, or a cluster's ``"ray://host:port"``. On this machine they
    take no more ``memory`` than so many bytes; what is free, unless given. The rows are a list,
    and their ``frame()`` is a frame of pandas or polars, if one of them is installed.

    >>> from tempfile import TemporaryDirectory
    >>> suite = {"runs": [{"games": "kuhn", "recipes": ["cfr", "cfr+"], "iterations": [10, 100]}]}
    >>> with TemporaryDirectory() as folder:
    ...     rows = experiment(suite, store=f"{folder}/results.sqlite", workers=1)
    >>> [(row["recipe"], row["iteration"], round(row["exploitability"], 4)) for row in rows]
    [('cfr', 10, 0.0962), ('cfr', 100, 0.0257), ('cfr+', 10, 0.0327), ('cfr+', 100, 0.0012)]
    """
    jobs = plan(read_suite(suite))
    with Store.to_write(store) as opened:
        outcome = run_jobs(jobs, opened, on=on, workers=workers, memory=memory, callback=callback)
        if outcome.failures:
            job, reason = outcome.failures[0]
            raise UserError(
                f"{len(outcome.failures)} of {len(jobs)} runs failed, and the others are kept; the first: "
                f"{job.run.recipe} on {job.name}: {reason}"
            )
        return tidy(opened, jobs)


def run_jobs(
    jobs: Sequence[Job],
    store: Store,
    *,
    on: str = "local",
    workers: int | None = None,
    memory: int | None = None,
    callback: Callback | None = None,
) -> Outcome:
    """Perform the jobs that are not in the store, and write each into it, whole.

    No more are performed at once on this machine than there is ``memory`` for, in bytes; without it, what is free now.
    Who would not fit alone is not begun.
    """
    place, count = find_place(on), workers_to_use(workers)
    if memory is not None and on != "local":
        raise UserError("a limit of memory is for this machine; on Ray each node says what it has (ray start --memory)")
    means = Means(
        None if workers is None else count, memory_to_use(memory) if on == "local" else None, folder_of(store, jobs)
    )
    missing = missing_jobs(jobs, store)
    fitting = in_order([job for job in missing if means.fits(job)])
    failures = [(job, too_large(job, means.memory)) for job in missing if not means.fits(job)]
    clock = SuiteClock(fitting, count)
    done, stopped = 0, False
    with closing(place(fitting, means)) as arriving:
        for arrived in arriving:
            if kept := [answer.stored for answer in arrived if answer.stored is not None]:
                store.add(kept)
            done += len(kept)
            failures += [(answer.job, answer.reason) for answer in arrived if answer.stored is None]
            stopped = bool(callback is not None and callback(clock.progress(arrived)))
            if stopped:
                break
    return Outcome(len(jobs) - len(missing), done, tuple(failures), stopped)


def missing_jobs(jobs: Sequence[Job], store: Store) -> list[Job]:
    """Those that are not in the store, or whose strategy is not beside it as it should be."""
    known, folder = store.hashes(), strategies_folder(store.path)
    return [job for job in jobs if job.hash not in known or not (job.file is None or (folder / job.file).exists())]


def folder_of(store: Store, jobs: Sequence[Job]) -> Path | None:
    """The folder for strategies, which is made if any are to be kept."""
    if all(job.file is None for job in jobs):
        return None
    folder = strategies_folder(store.path)
    try:
        folder.mkdir(exist_ok=True)
        for left in folder.glob(".*"):  # half-written by a process that was killed; a young one may still be written to
            if time.time() - left.stat().st_mtime > SECONDS_TO_WRITE:
                left.unlink(missing_ok=True)
    except OSError as error:
        raise UserError(f"can't make the folder '{folder}' for strategies: {error.strerror or error}") from None
    return folder


def memory_to_use(memory: int | None) -> int | None:
    """What is free on this machine unless told otherwise; None where the system does not say."""
    return free_memory() if memory is None else memory


def too_large(job: Job, memory: int | None) -> str:
    """Why a run is not begun."""
    needed, there = written_bytes(job.nbytes + BYTES_A_PROCESS), written_bytes(memory or 0)
    return f"it takes {needed} of memory, and there are {there}; it was not begun"


def find_place(on: str) -> Place:
    """Where to run, by name; raises UserError where what that takes is not installed."""
    address = on if on.startswith(CLIENT) else None
    if on not in PLACES and address is None:
        raise unknown("place to run", on, [*PLACES, f"{CLIENT}host:port"])
    if on != "local":
        check_ray(address)
    return partial(run_on_ray, address=address) if address else PLACES[on]


def workers_to_use(workers: int | None) -> int:
    """One for each core unless told otherwise."""
    return len(usable_cores()) if workers is None else whole("workers", workers, least=1, most=MOST_WORKERS)
