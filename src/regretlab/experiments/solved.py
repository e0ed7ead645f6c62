"""The spots of a batch that are solved, one after the other, with as much of their strategies as was kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from regretlab.endgames import NodeView
from regretlab.endgames.lines import line_as_said
from regretlab.errors import UserError
from regretlab.experiments.jobs import Job, plan
from regretlab.experiments.kept import STREET, WHOLE, strategies_folder, unpacked
from regretlab.experiments.rows import Row, rows_of
from regretlab.experiments.store import Store, StoredRun
from regretlab.experiments.suite_reading import SuiteLike, read_suite
from regretlab.solving import Solution


@dataclass(frozen=True, eq=False)
class KeptSpot:
    """A spot of a batch that is solved. Its strategy is read when it is asked for."""

    job: Job
    run: StoredRun
    store: Path

    @property
    def row(self) -> Row:
        """What was measured at the end."""
        assert self.job.board is not None
        return rows_of([self.run], {self.run.hash: self.job.board})[-1]

    @property
    def board(self) -> str:
        """The board."""
        return str(self.row["board"])

    @cached_property
    def root(self) -> NodeView:
        """The first decision: what both players hold, do and expect."""
        with Store.to_read(self.store) as opened:
            data = opened.root(self.run.hash)
        if data is None:
            raise UserError(f"the first decision of {self.job.name} is gone from '{self.store}'; solve it anew")
        return unpacked(data, f"the first decision of {self.job.name}")[0]

    @cached_property
    def solution(self) -> Solution:
        """The whole strategy, where it was kept; no run goes on with it."""
        file = self.file
        if file is None or file.suffix != WHOLE:
            raise UserError(f'of {self.job.name} not all of the strategy was kept; say keep = "all" in its block')
        return Solution.load(file)

    def at(self, *line: str) -> NodeView:
        """What players hold, do and expect after a line, as far as that was kept."""
        words = tuple(line_as_said(line))
        if not words:
            return self.root
        if self.file is not None and self.file.suffix == WHOLE:
            return self.solution.at(*words)
        if words not in self._street:
            kept = "the first street" if self._street else "the first decision"
            raise UserError(f"of {self.job.name} only {kept} was kept, and '{', '.join(words)}' is not there")
        return self._street[words]

    @property
    def file(self) -> Path | None:
        """Where the strategy lies, if more than the first decision was kept."""
        return None if self.job.file is None else strategies_folder(self.store) / self.job.file

    @cached_property
    def _street(self) -> dict[tuple[str, ...], NodeView]:
        """The decisions of the first street by their lines, where they were kept."""
        if self.file is None or self.file.suffix != STREET:
            return {}
        try:
            data = self.file.read_bytes()
        except OSError as error:
            raise UserError(f"can't read '{self.file}': {error.strerror or error}") from None
        return {view.line: view for view in unpacked(data, f"'{self.file}'")}


def solved(suite: SuiteLike, store: str | Path | None = None) -> Iterator[KeptSpot]:
    """The spots of a suite's batches that are in a store, in the order of the suite; none of their strategies is read
    before it is asked for.

    >>> from tempfile import TemporaryDirectory
    >>> from regretlab.experiments.running import experiment
    >>> suite = {"spots": [{"spot": "river-polar", "until": "1%"}]}
    >>> with TemporaryDirectory() as folder:
    ...     rows = experiment(suite, store=f"{folder}/s", workers=1)
    ...     for spot in solved(suite, f"{folder}/s"):
    ...         print(spot.board, spot.root.actions, f"{spot.row['ev of oop']:.0f}")
    KsTd7h4c2s ('check', 'bet 100') 69
    """
    jobs = {job.hash: job for job in plan(read_suite(suite)) if job.run.is_spot}
    with Store.to_read(store) as opened:
        runs = {run.hash: run for run in opened.runs(set(jobs))}
        path = opened.path
    return (KeptSpot(job, runs[name], path) for name, job in jobs.items() if name in runs)
