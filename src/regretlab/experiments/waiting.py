"""The jobs that wait for a worker: handed out in batches, and tried again where a worker dies over one."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence

from regretlab.experiments.plan import Answer, Job

BATCH_SECONDS = 0.2
"""Estimated seconds of work handed out at once: long beside the handing out, short beside what a crash may cost."""

LARGEST_BATCH = 50

ATTEMPTS = 3
"""How often a run is tried whose worker dies over it."""


class Waiting:
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
