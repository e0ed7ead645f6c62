"""What tests of the laboratory share: made-up runs, and runs performed in this process."""

from collections.abc import Generator, Sequence

from regretlab.experiments.perform import Measurement
from regretlab.experiments.plan import Answer, Job
from regretlab.experiments.store import StoredRun
from regretlab.experiments.worker import answer


def fake(number: int, size: int = 4) -> StoredRun:
    """A made-up run with `size` measurements."""
    known = {"recipe": {"weigh": "x"}, "checkpoints": [10], "seed": number, "start": 0, "measures": [], "numerics": "n"}
    measured = tuple(Measurement(10, f"m{k:02}", number + k / 7) for k in range(size))
    about = {"regretlab": "1", "machine": "m"}
    return StoredRun(f"{number:032x}", "game", "recipe", known, about, "2026-01-01T00:00:00Z", 0.5, measured)


def in_process(jobs: Sequence[Job], workers: int) -> Generator[list[Answer], None, None]:
    """A place to run: here."""
    for job in jobs:
        yield [Answer.of(job, answer(vars(job.run)))]
