"""Runs on this machine: spawned processes, one for each core."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from regretlab.errors import UserError
from regretlab.experiments.jobs import BYTES_A_PROCESS, NOTHING_SAID, Answer, Job, JobQueue, Means
from regretlab.machine import usable_cores

COMMAND = (sys.executable, "-P", "-m", "regretlab.experiments.worker")

MOST_FALSE_STARTS = 3
"""So many workers in a row that die before they are ready, and it is given up."""

SECONDS_WITHOUT_A_WORD = 0.1
"""How long nothing may arrive before the caller is given a chance to stop."""

ONE_THREAD = dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def run_locally(jobs: Sequence[Job], means: Means = NOTHING_SAID) -> Generator[list[Answer], None, None]:
    """Perform the jobs; yields what has arrived, and an empty list where for a moment nothing has.

    Each job is answered once. Closing the iterator ends the workers at once.
    """
    crew = _Processes(jobs, means)
    try:
        crew.hire(means.processes(jobs, means.workers or len(usable_cores())))
        while crew.unanswered:
            yield crew.arrived()
    finally:
        crew.dismiss()


def environment() -> dict[str, str]:
    """A worker finds modules where this process does, and uses one thread."""
    found = os.pathsep.join(folder or str(Path.cwd()) for folder in sys.path)
    return os.environ | ONE_THREAD | {"PYTHONPATH": found}


class _Worker:
    """A process and the jobs that it has been given and not answered."""

    def __init__(self, inbox: SimpleQueue[tuple[_Worker, dict[str, Any] | None]]) -> None:
        self.jobs: deque[Job] = deque()
        self.holds = 0  # bytes that its largest job takes
        self.ready = False
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 closed by ``end``
        try:
            self._process = subprocess.Popen(
                COMMAND,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env=environment(),
                encoding="utf-8",
            )
        except OSError as error:
            self._errors.close()
            raise UserError(f"can't start a process for runs: {error.strerror or error}") from None
        self._reader = Thread(target=self._read, args=(inbox,), daemon=True)
        self._reader.start()

    def _read(self, inbox: SimpleQueue[tuple[_Worker, dict[str, Any] | None]]) -> None:
        """Hand on what the process says, and None when it has ended."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.endswith("\n"):  # a last line that was cut off says nothing
                inbox.put((self, json.loads(line)))
        inbox.put((self, None))

    def give(self, batch: Sequence[Job], means: Means) -> None:
        assert self._process.stdin is not None
        self.jobs.extend(batch)
        self.holds = max(job.nbytes for job in batch)
        files = [means.file(job) for job in batch]
        orders = [
            (vars(job.run), job.hash, None if file is None else str(file))
            for job, file in zip(batch, files, strict=True)
        ]
        with suppress(OSError):  # where it is dead, the reader finds out
            self._process.stdin.write(json.dumps(orders) + "\n")
            self._process.stdin.flush()

    def reason(self) -> str:
        """Why the process has ended, in words."""
        status = self._process.wait()
        if status < 0:
            hint = ", perhaps because memory ran out" if status == -signal.SIGKILL else ""
            return f"its process was ended by {signal.Signals(-status).name}{hint}"
        self._errors.seek(0)
        last = self._errors.read().decode(errors="replace").strip().splitlines()[-1:]
        return f"its process left with status {status}{''.join(f': {line}' for line in last)}"

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            with suppress(OSError):  # a batch that was never read
                stream.close()  # type: ignore[union-attr]


class _Processes:
    """The workers, the jobs that wait for one, and what has been said."""

    def __init__(self, jobs: Sequence[Job], means: Means) -> None:
        self._waiting = JobQueue(jobs)
        self._means = means
        self.unanswered = len(jobs)
        self._false_starts = 0
        self._inbox: SimpleQueue[tuple[_Worker, dict[str, Any] | None]] = SimpleQueue()
        self._workers: list[_Worker] = []

    def hire(self, count: int) -> None:
        for _ in range(count):
            self._workers.append(_Worker(self._inbox))

    def arrived(self) -> list[Answer]:
        """What the workers have said since the last time, at most as much as fits into a moment."""
        answers: list[Answer] = []
        end = time.monotonic() + SECONDS_WITHOUT_A_WORD
        while (left := end - time.monotonic()) > 0:
            try:
                worker, said = self._inbox.get(timeout=0.0 if answers else left)
            except Empty:
                break
            if said is None:
                answers += self._replace(worker)
                continue
            if "ready" in said:
                worker.ready, self._false_starts = True, 0
            else:
                answers.append(Answer.of(worker.jobs.popleft(), said))
            self._hand_out()
        self.unanswered -= len(answers)
        return answers

    def _hand_out(self) -> None:
        """Give something to do to all who have nothing, as far as there is memory for it."""
        for worker in self._workers:
            if worker.ready and not worker.jobs and self._waiting:
                batch = self._waiting.batch(len(self._workers), self._room())
                if batch:
                    worker.give(batch, self._means)

    def _room(self) -> int | None:
        """How much memory is left for games."""
        if self._means.memory is None:
            return None
        held = sum(worker.holds for worker in self._workers if worker.jobs)
        return self._means.memory - len(self._workers) * BYTES_A_PROCESS - held

    def _replace(self, worker: _Worker) -> list[Answer]:
        """A worker has died: the run that it was at is tried again or given up, the others of its batch wait again."""
        self._workers.remove(worker)
        reason = worker.reason()
        worker.end()
        given_up: list[Answer] = []
        if not worker.ready:
            self._false_starts += 1
            if self._false_starts == MOST_FALSE_STARTS:
                raise UserError(
                    f"no run was performed by the last {MOST_FALSE_STARTS} processes; the last one: {reason}"
                )
        elif worker.jobs:
            if answer := self._waiting.after_a_death(worker.jobs[0], reason):
                given_up.append(answer)
                worker.jobs.popleft()
            self._waiting.again(worker.jobs)
        if self._waiting:
            self.hire(1)
        return given_up

    def dismiss(self) -> None:
        for worker in self._workers:
            worker.end()
