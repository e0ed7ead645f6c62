"""What tests of the laboratory share: made-up runs, runs performed in this process, and what a store holds."""

from collections.abc import Generator, Sequence
from pathlib import Path

from regretlab.experiments.jobs import NOTHING_SAID, Answer, Job, Means
from regretlab.experiments.rows import export, rows_of, without_timings
from regretlab.experiments.store import Store, StoredRun
from regretlab.experiments.worker import Measurement, answer


def fake(number: int, size: int = 4) -> StoredRun:
    """A made-up run with `size` measurements."""
    known = {"recipe": {"weigh": "x"}, "checkpoints": [10], "seed": number, "start": 0, "measures": [], "numerics": "n"}
    measured = tuple(Measurement(10, f"m{k:02}", number + k / 7) for k in range(size))
    about = {"regretlab": "1", "machine": "m"}
    return StoredRun(f"{number:032x}", "game", "recipe", known, about, "2026-01-01T00:00:00Z", 0.5, measured)


def in_process(jobs: Sequence[Job], means: Means = NOTHING_SAID) -> Generator[list[Answer], None, None]:
    """A place to run: here."""
    for job in jobs:
        file = means.file(job)
        yield [Answer.of(job, answer(vars(job.run), job.hash, None if file is None else str(file)))]


def csv_of(path: Path, folder: Path) -> bytes:
    """The exported results of a store, without what differs between two of them."""
    with Store.to_read(path) as store:
        export(without_timings(rows_of(store.runs())), folder / f"{path.name}.csv")
    return (folder / f"{path.name}.csv").read_bytes()
