"""From a suite and a store to all that a report says."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from regretlab.documents import Section
from regretlab.errors import UserError
from regretlab.experiments.kuhn_report import kuhn_report
from regretlab.experiments.origins import origins
from regretlab.experiments.overview import count, overview
from regretlab.experiments.plan import Job, plan
from regretlab.experiments.spec import digest
from regretlab.experiments.store import Store
from regretlab.experiments.suite_file import read_suite
from regretlab.experiments.tidy import rows_of, runs_of

ORIGINAL_STUDY = "kuhn-report"
"""The suite whose report also holds an older study against the runs."""


@dataclass(frozen=True)
class Report:
    """A whole report."""

    name: str  # of the suite
    title: str
    missing: str  # which runs are not in it yet, and the command that runs them; empty if it has all
    sections: tuple[Section, ...]


def read_report(source: str, store: str | Path | None = None) -> Report:
    """All that the runs of a suite show, as far as they are in the store."""
    suite = read_suite(source)
    jobs = plan(suite)
    with Store.to_read(store) as opened:
        runs = runs_of(opened, jobs)
        if not runs:
            run = _command(f"regretlab experiment {shlex.quote(source)}", store)
            raise UserError(f"no run of {suite.name} is in {opened.path}{_older(opened, jobs)}; first: {run}")
        again = _again(source, store)
        missing = "" if len(runs) == len(jobs) else _missing(opened, jobs, len(runs), again["run what is missing"])
        studied = kuhn_report(runs, len(jobs)) if source == ORIGINAL_STUDY else ()
    return Report(suite.name, suite.title, missing, (*studied, *overview(rows_of(runs)), origins(runs, again)))


def _again(source: str, store: str | Path | None) -> dict[str, str]:
    """The commands behind a report. It may be passed on, so folders of this machine stay out."""
    name, stem = shlex.quote(Path(source).name), shlex.quote(Path(source).stem)
    commands = {
        "run what is missing": f"regretlab experiment {name}",
        "write the report": f"regretlab report {name} -o {stem}.html",
        "all that was measured, as a table": f"regretlab results export {stem}.csv --suite {name}",
    }
    return {goal: _command(command, store and Path(store).name) for goal, command in commands.items()}


def _command(command: str, store: str | Path | None) -> str:
    return command if store is None else f"{command} --store {shlex.quote(str(store))}"


def _missing(store: Store, jobs: Sequence[Job], there: int, command: str) -> str:
    """What is not there, and what to do."""
    return f"Only {there:,} of {len(jobs):,} runs are in the store{_older(store, jobs)}; the others: `{command}`"


def _older(store: Store, jobs: Sequence[Job]) -> str:
    """A remark where runs are there that count no more."""
    stale = _stale(store, jobs)
    return f" ({count(stale, 'run')} there that another version of the code has computed)" if stale else ""


def _stale(store: Store, jobs: Sequence[Job]) -> int:
    """How many of the runs are there with the numbers of another version of the code."""
    stored = store.runs()
    versions = {run.identity["numerics"] for run in stored}
    old = {run.hash for run in stored} - {job.hash for job in jobs}
    return sum(any(digest(job.identity | {"numerics": each}) in old for each in versions) for job in jobs)
