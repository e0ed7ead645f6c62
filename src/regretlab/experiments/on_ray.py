"""Runs on Ray: on a cluster, or on a Ray that is started on this machine for the time (extra ``ray``)."""

from __future__ import annotations

import logging
import os
import socket
import tempfile
import warnings
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from regretlab.errors import UserError
from regretlab.experiments.jobs import BYTES_A_PROCESS, NOTHING_SAID, Answer, Job, JobQueue, Means
from regretlab.experiments.local import ONE_THREAD, SECONDS_WITHOUT_A_WORD
from regretlab.files import written_beside
from regretlab.games.size import written_bytes
from regretlab.identity import number_identity

CLIENT = "ray://"
"""How the address of a cluster begins that this machine is no part of."""

NO_STATISTICS = ("RAY_USAGE_STATS_ENABLED", "0")
"""What keeps Ray from telling its makers that it is used, unless somebody has chosen otherwise."""

SECONDS_TO_ANSWER = 5.0
"""How long a cluster may take to accept a connection."""

ONE_CORE: dict[str, Any] = {"num_cpus": 1, "runtime_env": {"env_vars": ONE_THREAD}}
"""What a task is given."""

PRINTER = "print_to_stdstream"
"""The function in Ray that prints what its nodes complain about."""

DEATHS = {
    "NodeDiedError": "its node died",
    "OutOfMemoryError": "its node ran out of memory",
    "WorkerCrashedError": "its process died",
}
"""What Ray's errors mean for people, by their names."""


def check_ray(address: str | None) -> None:
    """Raise UserError where Ray, or what it needs to reach this address, is not installed."""
    for module in ("ray", "grpc") if address else ("ray",):
        if find_spec(module) is None:
            raise UserError(f"the module {module} is not installed; pip install 'regretlab[ray]' brings it")


def run_on_ray(
    jobs: Sequence[Job], means: Means = NOTHING_SAID, address: str | None = None
) -> Generator[list[Answer], None, None]:
    """Perform the jobs; yields what has arrived, and an empty list where for a moment nothing has.

    Each job is answered once. Closing the iterator ends what is running. As many run at once as there are cores in the
    cluster, unless ``means`` say it; each declares its memory, so that a node takes no more than it has. Without an
    address it is the cluster that Ray finds (``ray start``, RAY_ADDRESS), or else one that lives on this machine as
    long as the iterator.
    """
    if not jobs:
        return
    with _connected(address):
        crew = _RayTasks(jobs, means)
        try:
            while not crew.is_ready():
                yield []
            while crew.unanswered:
                yield crew.arrived()
        except (ConnectionError, _ray().exceptions.RayError) as error:
            raise UserError(
                f"Ray has failed ({_said(error)}); the same command goes on from what has arrived"
            ) from None
        finally:
            crew.dismiss()


@contextmanager
def _connected(address: str | None) -> Iterator[None]:
    """A connection to Ray: the one that there is, which stays, or else a new one."""
    os.environ.setdefault(*NO_STATISTICS)
    _check_address(address or os.environ.get("RAY_ADDRESS") or _last_cluster())
    ray = _ray()
    if address is None and ray.is_initialized():
        yield
        return
    with _silence():
        try:
            with warnings.catch_warnings(action="ignore"):  # what it warns of, it raises as well
                ray.init(address, include_dashboard=False, log_to_driver=False, logging_level=logging.CRITICAL)
        except Exception as error:
            where = f" at {address}" if address else ""
            hint = ""
            if where.startswith(f" at {CLIENT}") and not os.environ.get("RAY_AUTH_MODE"):  # it refuses in silence
                hint = (
                    "; if the cluster asks for a token, set RAY_AUTH_MODE=token and copy its ~/.ray/auth_token to here"
                )
            raise UserError(f"can't connect to Ray{where}: {_said(error)}{hint}") from None
        try:
            yield
        finally:
            ray.shutdown()


def _check_address(address: str) -> None:
    """Raise UserError where nobody answers; Ray would try for minutes."""
    host, _, port = address.removeprefix(CLIENT).rpartition(":")
    if not host or not port.isdigit():  # nothing that can be tried, such as "auto"
        return
    try:
        socket.create_connection((host, int(port)), SECONDS_TO_ANSWER).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"nobody answers at Ray's address '{address}': {reason}; 'ray stop' forgets old ones") from None


def _last_cluster() -> str:
    """The address that ``ray start`` has left on this machine; Ray takes it for alive after a crash, too."""
    with suppress(ImportError, AttributeError):  # nothing that Ray promises to keep
        return import_module("ray._private.utils").read_ray_address() or ""
    return ""


@contextmanager
def _silence() -> Iterator[None]:
    """Ray prints on standard output that a node has died, say, whatever it is told; there our results are printed."""
    module: Any = import_module("ray._private.worker")
    before = getattr(module, PRINTER, None)
    setattr(module, PRINTER, lambda *_, **__: None)
    try:
        yield
    finally:
        setattr(module, PRINTER, before)


class _RayTasks:
    """Ray's workers, the jobs that wait for one, and those that have been handed out."""

    def __init__(self, jobs: Sequence[Job], means: Means) -> None:
        self._ray = _ray()
        # A batch that is lost comes back to us: Ray would run it again as a whole, and with it what has killed it.
        self._perform = self._ray.remote(**ONE_CORE, max_retries=0)(_perform)
        self._first = self._ray.remote(**ONE_CORE)(_version).remote()
        self._folder = str(Path.cwd())
        self._means = means
        self._waiting = JobQueue(jobs)
        self._suspects: deque[Job] = deque()  # of batches that were lost: one of them may be what killed the worker
        self._given: dict[Any, list[Job]] = {}
        self.unanswered = len(jobs)

    def is_ready(self) -> bool:
        """Whether a worker has come up; if it can't perform our runs, none can."""
        if not self._ray.wait([self._first], timeout=SECONDS_WITHOUT_A_WORD)[0]:
            return False
        try:
            version = self._ray.get(self._first)
        except self._ray.exceptions.RayError as error:
            raise UserError(f"a worker of Ray can't perform runs: {_said(error)}") from None
        if version != number_identity():
            raise UserError("on Ray there is another version of regretlab; install the same one everywhere")
        return True

    def arrived(self) -> list[Answer]:
        """What has been found since the last time; waits a moment where nothing has."""
        answers = self._hand_out()
        self._ray.wait(list(self._given), timeout=SECONDS_WITHOUT_A_WORD)
        ready, _ = self._ray.wait(list(self._given), num_returns=len(self._given), timeout=0)
        for task in ready:
            batch = self._given.pop(task)
            try:
                said = self._ray.get(task)
            except self._ray.exceptions.RayError as error:
                # The worker or its node has died. Alone, a run shows whether it was the cause.
                if len(batch) == 1 and (answer := self._waiting.after_a_death(batch[0], _said(error))):
                    answers.append(answer)
                else:
                    self._suspects.extend(batch)
            else:
                answers += [self._answer(job, each) for job, each in zip(batch, said, strict=True)]
        self.unanswered -= len(answers)
        return answers

    def _hand_out(self) -> list[Answer]:
        """A batch for every core that has none; nodes may come and go. What no node has the memory for is answered."""
        cores = self._means.workers or max(1, int(self._ray.cluster_resources().get("CPU", 0)))
        refused = []
        while len(self._given) < cores and (self._suspects or self._waiting):
            batch = [self._suspects.popleft()] if self._suspects else self._waiting.batch(cores)
            memory = BYTES_A_PROCESS + max(job.nbytes for job in batch)
            if memory > (most := self._largest_node()):
                said = f"it takes {written_bytes(memory)} of memory, and no node of the cluster has more than "
                refused += [Answer.of(job, {"error": f"{said}{written_bytes(most)}"}) for job in batch]
                continue
            orders = [(vars(job.run), job.hash, job.file) for job in batch]
            self._given[self._perform.options(memory=memory).remote(self._folder, orders)] = batch
        return refused

    def _largest_node(self) -> int:
        """The memory of the node that has most, in bytes."""
        nodes = (node["Resources"] for node in self._ray.nodes() if node["Alive"])
        return max((int(resources.get("memory", 0)) for resources in nodes), default=0)

    def _answer(self, job: Job, said: dict[str, Any]) -> Answer:
        """What a worker has said; the strategy that comes with it is written here, where the store is."""
        file = self._means.file(job)
        if file is not None and "strategy" in said:
            try:
                with written_beside(file) as opened:
                    opened.write(said["strategy"])
            except UserError as error:
                return Answer.of(job, {"error": str(error)})
        return Answer.of(job, said)

    def dismiss(self) -> None:
        for task in (self._first, *self._given):
            with suppress(Exception):  # it may be over, and so may be the cluster
                self._ray.cancel(task, force=True)


def _version() -> str:
    """What a worker does first: it says which version of the numerics it has."""
    return number_identity()


def _perform(folder: str, batch: Sequence[tuple[dict[str, Any], str, str | None]]) -> list[dict[str, Any]]:
    """What a worker does: a batch of runs, on one core, in the folder in which they were asked for if it is there."""
    from regretlab.experiments.worker import answer  # a module that is also started by itself: nobody imports it first

    with suppress(OSError):  # else only games and rules in files with a relative name are missed
        os.chdir(folder)
    said = []
    with tempfile.TemporaryDirectory() as scratch:
        for spec, expected, file in batch:
            path = None if file is None else Path(scratch, file)
            found = answer(spec, expected, None if path is None else str(path))
            if path is not None and path.exists():
                found["strategy"] = path.read_bytes()
                path.unlink()
            said.append(found)
    return said


def _said(error: Exception) -> str:
    """An error of Ray in one line: the last one, where Python puts what went wrong."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return DEATHS.get(type(error).__name__, lines[-1].strip())


def _ray() -> Any:
    """Ray, which is loaded where it is used."""
    return import_module("ray")
