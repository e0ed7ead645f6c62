"""What a suite amounts to: jobs, each known by its hash, how they are handed out, and how long they will take."""

from __future__ import annotations

import time
from base64 import b64decode
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from regretlab.endgames import Spot, usual_iterations
from regretlab.experiments.kept import bytes_of_views, file_name
from regretlab.experiments.measures import DISTANCE, Measurement
from regretlab.experiments.specs import BoardOf, RunSpec, Suite, digest, identity, recipe_of, text_fingerprint
from regretlab.experiments.store import StoredRun
from regretlab.forms import AnyForm, BlockSize, SequenceForm, form_to_solve
from regretlab.games import Size, load
from regretlab.rules import WEIGHINGS
from regretlab.solving.steps import recalls
from regretlab.solving.storage import fingerprint

SECONDS_A_RUN, SECONDS_AN_ENTRY = 5e-4, 1.7e-9
"""What setting a run up and looking at it takes, and in each iteration an entry of the payoff.

Measured with full feedback on one core of a server; sampling takes less.
"""

SECONDS_A_DISTANCE = 8e-3
"""What the two linear programmes of a distance to the equilibria take, on a small game."""

SECONDS_A_SPOT = 0.02
"""What a spot takes besides its iterations: to make its boards, to judge it, to read its first decision."""

BYTES_A_PROCESS, BYTES_AN_ENTRY = 200 * 2**20, 40
"""Measured: Python, Numba and the kernels, when these are compiled already; and what a run takes beside the compiled
game."""


class Job(NamedTuple):
    """A run and what it is known by."""

    run: RunSpec
    identity: dict[str, Any]
    hash: str
    seconds: float  # about how long it will take
    nbytes: int  # of memory that it takes, besides the process
    file: str | None = None  # of a spot: the name of the file in which its strategy is kept, if it is
    board: BoardOf | None = None  # of a spot: what its suite calls it
    kept: int = 0  # of a spot: bytes that are kept of its strategy at most

    @property
    def name(self) -> str:
        """What people call the game."""
        return self.run.game if self.board is None else f"{self.board.spot} on {self.board.board}"


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
        root = b64decode(said["root"]) if "root" in said else None
        known = (job.hash, job.run.game, job.run.recipe, job.identity)
        return cls(job, StoredRun(*known, *provenance, measurements, root))


def plan(suite: Suite) -> list[Job]:
    """The runs of a suite with their hashes; every game is compiled once for it, but for spots, which are counted."""
    boards = dict(suite.boards)
    tables = [run for run in suite.runs if not run.is_spot]
    sizes = {game: game_size(form_to_solve(game)) for game in dict.fromkeys(run.game for run in tables)}
    spots: dict[str, tuple[Spot, BlockSize]] = {}
    jobs: dict[str, Job] = {}
    for run in suite.runs:
        job = _spot_job(run, boards[run.game], spots) if run.is_spot else _job(run, sizes[run.game])
        # Two names may mean the same recipe; the first one stays.
        jobs.setdefault(job.hash, job)
    return list(jobs.values())


class GameSize(NamedTuple):
    """What is remembered of a compiled game."""

    fingerprint: str
    histories: int
    sequences: int
    entries: int


def game_size(form: AnyForm) -> GameSize:
    """How large a compiled game is, and its fingerprint."""
    histories = form.tree.histories if isinstance(form, SequenceForm) and form.tree is not None else 0
    sequences = form.treeplexes[0].sequences + form.treeplexes[1].sequences
    return GameSize(fingerprint(form), histories, sequences, form.payoff.entries)


def _job(run: RunSpec, size: GameSize) -> Job:
    """A run on a game that was compiled."""
    known = identity(run, size.fingerprint)
    weigh = WEIGHINGS[recipe_of(run.recipe).weigh].seconds
    programmes = len(run.checkpoints) * SECONDS_A_DISTANCE if DISTANCE in run.measures else 0.0
    an_iteration = weigh * size.sequences + SECONDS_AN_ENTRY * size.entries
    seconds = SECONDS_A_RUN + programmes + run.checkpoints[-1] * an_iteration
    return Job(run, known, digest(known), seconds, Size(size.histories).nbytes + BYTES_AN_ENTRY * size.entries)


def _spot_job(run: RunSpec, board: BoardOf, spots: dict[str, tuple[Spot, BlockSize]]) -> Job:
    """A run on a spot; ``spots`` are those that were made before, by name."""
    known = identity(run, text_fingerprint(run.game))
    name = digest(known)
    if run.game not in spots:
        made = load(run.game)
        assert isinstance(made, Spot)  # batches have nothing else
        spots[run.game] = made, made.block_size()
    spot, plain = spots[run.game]
    size = replace(plain, precision=run.precision, recalls=recalls(recipe_of(run.recipe)))
    iterations = run.checkpoints[-1]
    if run.until is not None:
        iterations = min(iterations, usual_iterations(run.until / spot.pot, spot.stack / spot.pot))
    seconds = SECONDS_A_SPOT + iterations * size.seconds
    kept = bytes_of_views(spot, "root") + (bytes_of_views(spot, run.keep) if run.keep == "street" else 0)
    kept += size.average if run.keep == "all" else 0
    return Job(run, known, name, seconds, size.nbytes, file_name(run, board.board, name), board, kept)


def in_order(jobs: Sequence[Job]) -> list[Job]:
    """Long ones first, so that no core is left alone at the end; a game's together, so that each compiles it once."""
    longest: dict[str, float] = {}
    for job in jobs:
        longest[job.run.game] = max(longest.get(job.run.game, 0.0), job.seconds)
    return sorted(jobs, key=lambda job: (-longest[job.run.game], job.run.game, -job.seconds))


def estimated_seconds(jobs: Sequence[Job], workers: int) -> float:
    """About how long the jobs take on so many cores."""
    return max(sum(job.seconds for job in jobs) / workers, max((job.seconds for job in jobs), default=0.0))


def estimated_bytes(jobs: Sequence[Job], workers: int, memory: int | None = None) -> int:
    """About how much memory that takes: the processes, this one too, and the largest games that are there at once.

    No more are at once than there is ``memory`` for. This process has compiled what is no spot.
    """
    processes = min(workers, len(jobs))
    games = sum(sorted((job.nbytes for job in jobs), reverse=True)[:processes])
    if memory is not None:
        games = min(games, max(0, memory - processes * BYTES_A_PROCESS))
    compiled = max((job.nbytes for job in jobs if not job.run.is_spot), default=0)
    return (processes + 1) * BYTES_A_PROCESS + games + compiled


class Means(NamedTuple):
    """What runs may use."""

    workers: int | None = None  # how many may run at once; None for one a core
    memory: int | None = None  # bytes for all processes together; None where nobody counts
    folder: Path | None = None  # where files with strategies are written

    def fits(self, job: Job) -> bool:
        """Whether there is memory for a run when nothing else runs."""
        return self.memory is None or BYTES_A_PROCESS + job.nbytes <= self.memory

    def processes(self, jobs: Sequence[Job], workers: int) -> int:
        """How many processes there may be, if the largest run is to fit beside all of them."""
        count = min(workers, len(jobs))
        if self.memory is None or not jobs:
            return count
        return max(1, min(count, (self.memory - max(job.nbytes for job in jobs)) // BYTES_A_PROCESS))

    def file(self, job: Job) -> Path | None:
        """Where the strategy of a run is kept, if it is."""
        return None if job.file is None or self.folder is None else self.folder / job.file


NOTHING_SAID = Means()
"""All cores, and nobody counts."""


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

    def batch(self, workers: int, room: int | None = None) -> list[Job]:
        """The next jobs that fit into so many bytes: enough to be worth the handing out, and no more than a fair share
        of what is left; none where none fits now."""
        most = max(1, min(LARGEST_BATCH, len(self._jobs) // (2 * workers)))
        batch: list[Job] = []
        passed: list[Job] = []
        while self._jobs and len(batch) < most and sum(job.seconds for job in batch) < BATCH_SECONDS:
            job = self._jobs.popleft()
            (batch if room is None or job.nbytes <= room else passed).append(job)
        self._jobs.extendleft(reversed(passed))
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
