"""From a suite and a store to all that a report says, and where its numbers come from."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from regretlab.documents.blocks import Cell, Section, Table
from regretlab.documents.numbers import count, written
from regretlab.errors import UserError
from regretlab.experiments.findings.boards import Batch, batches_of
from regretlab.experiments.findings.kuhn_report import founding_study
from regretlab.experiments.findings.overview import overview_sections
from regretlab.experiments.jobs import Job, plan
from regretlab.experiments.kept import strategies_folder
from regretlab.experiments.rows import boards_of, rows_of, runs_of
from regretlab.experiments.solved import KeptSpot
from regretlab.experiments.specs import BoardOf, digest
from regretlab.experiments.store import Store, StoredRun
from regretlab.experiments.suite_reading import read_suite

ORIGINAL_STUDY = "kuhn-report"
"""The suite whose report also holds an older study against the runs."""


@dataclass(frozen=True)
class SuiteReport:
    """A whole report."""

    name: str  # of the suite
    title: str
    missing: str  # which runs are not in it yet, and the command that runs them; empty if it has all
    sections: tuple[Section, ...]
    batches: tuple[Batch, ...] = ()  # of spots, which have a part of their own
    strategies: str = ""  # the name of the folder in which their strategies are kept
    command: str = ""  # which writes the report


def read_report(source: str, store: str | Path | None = None, line: Sequence[str] = ()) -> SuiteReport:
    """All that the runs of a suite show, as far as they are in the store; batches of spots at the decision after a line
    of actions."""
    suite = read_suite(source)
    jobs = plan(suite)
    with Store.to_read(store) as opened:
        runs = runs_of(opened, jobs)
        if not runs:
            run = _command(f"regretlab experiment {shlex.quote(source)}", store)
            raise UserError(f"no run of {suite.name} is in {opened.path}{_older(opened, jobs)}; first: {run}")
        # A report may be passed on, so folders of this machine stay out of the commands behind it.
        name, stem = shlex.quote(Path(source).name), shlex.quote(Path(source).stem)
        at = f" --at {shlex.quote(', '.join(line))}" if line else ""
        commands = {
            "run what is missing": f"regretlab experiment {name}",
            "write the report": f"regretlab report {name} -o {stem}.html{at}",
            "all that was measured, as a table": f"regretlab results export {stem}.csv --suite {name}",
        }
        again = {goal: _command(command, store and Path(store).name) for goal, command in commands.items()}
        missing = ""
        if len(runs) < len(jobs):
            there = f"Only {len(runs):,} of {len(jobs):,} runs are in the store{_older(opened, jobs)}"
            missing = f"{there}; the others: `{again['run what is missing']}`"
        studied = founding_study(runs, len(jobs)) if source == ORIGINAL_STUDY else ()
        path = opened.path
    spots, named = boards_of(jobs), {job.hash: job for job in jobs}
    if line and not spots:
        raise UserError(f"{suite.name} has no spots, so there is no line to look at")
    others = [run for run in runs if run.hash not in spots]
    return SuiteReport(
        suite.name,
        suite.title,
        missing,
        (*studied, *(overview_sections(rows_of(others)) if others else ()), origin_section(runs, again, spots)),
        tuple(batches_of([KeptSpot(named[run.hash], run, path) for run in runs if run.hash in spots], line)),
        strategies_folder(path).name,
        again["write the report"],
    )


def _command(command: str, store: str | Path | None) -> str:
    return command if store is None else f"{command} --store {shlex.quote(str(store))}"


def _older(store: Store, jobs: Sequence[Job]) -> str:
    """A remark where runs are there that another version of the code has computed, so that they do not count."""
    stored = store.runs()
    versions = {run.identity["numerics"] for run in stored}
    old = {run.hash for run in stored} - {job.hash for job in jobs}
    stale = sum(any(digest(job.identity | {"numerics": each}) in old for each in versions) for job in jobs)
    return f" ({count(stale, 'run')} there that another version of the code has computed)" if stale else ""


MOST_LISTED = 8
"""So many seeds that have gaps are listed one by one."""


SHOWN_OF_A_FINGERPRINT = 12


def origin_section(
    runs: Sequence[StoredRun], commands: Mapping[str, str], spots: Mapping[str, BoardOf] | None = None
) -> Section:
    """The last section of a report; ``commands`` say by what each of their goals is reached, ``spots`` what the runs of
    batches are called, by their hashes."""
    spots = spots or {}
    finished = sorted(run.finished.replace("T", " ").replace("Z", " UTC") for run in runs)
    minutes = sum(run.seconds for run in runs) / 60
    said = (
        f"{count(len(runs), 'run')}, finished between {finished[0]} and {finished[-1]}; together they took "
        f"{written(minutes, 2)} minutes of one core."
    )
    again = Table("To make it anew", ("", ""), tuple((goal, f"`{command}`") for goal, command in commands.items()))
    # Every combination of machine and versions: a row for each fact, so that long texts stand below each other.
    groups = Counter(tuple((run.provenance | {"numerics": run.identity["numerics"]}).items()) for run in runs)
    names = _union(dict(facts) for facts in groups)
    rows: list[tuple[Cell, ...]] = [(name, *(dict(facts).get(name) for facts in groups)) for name in names]
    rows.append(("runs", *(f"{number:,}" for number in groups.values())))
    heads = ("", "") if len(groups) == 1 else ("", *(f"({number + 1})" for number in range(len(groups))))
    machines = Table("Machine and versions", heads, tuple(rows))
    games: dict[str, list[StoredRun]] = {}
    for run in runs:
        games.setdefault(spots[run.hash].spot if run.hash in spots else run.game, []).append(run)
    rows = []
    for game, mine in games.items():
        known = [run.identity for run in mine]
        checkpoints = {each for one in known for each in one["checkpoints"]}
        numbers = (_listed({one[key] for one in known}) for key in ("seed", "start"))
        looks = ", ".join(f"{each:,}" for each in sorted(checkpoints))
        prints = {one["fingerprint"][:SHOWN_OF_A_FINGERPRINT] for one in known}
        rows.append((game, len(known), looks, *numbers, prints.pop() if len(prints) == 1 else f"{len(prints)} of them"))
    note = "Start 0 begins with uniform strategies, the others with random ones. Fingerprints are of compiled games."
    head = ("game", "runs", "looked at after", "seeds", "starts", "fingerprint")
    played = Table("Games", head, tuple(rows), note)
    # The tuple behind every name; a user's own rule is known by the hash of its file, too.
    tuples = {run.recipe: run.identity["recipe"] for run in runs}
    parts = _union(tuples.values())
    rows = []
    for recipe, known_parts in tuples.items():
        choices = (known_parts.get(part) for part in parts)
        rows.append((recipe, *(None if choice in (None, "none") else str(choice) for choice in choices)))
    recipes = Table("Recipes", ("recipe", *parts), tuple(rows))
    return Section("Where the numbers come from", (said,), (again, machines, played, recipes))


def _listed(numbers: Iterable[int]) -> str:
    """Numbers in few words.

    >>> _listed({0}), _listed({2, 0, 1}), _listed({3, 7})
    ('0', '0 to 2', '3, 7')
    """
    known = sorted(numbers)
    if len(known) > 1 and known[-1] - known[0] == len(known) - 1:
        return f"{known[0]} to {known[-1]}"
    more = ", …" if len(known) > MOST_LISTED else ""
    return ", ".join(map(str, known[:MOST_LISTED])) + more


def _union(groups: Iterable[dict[str, object]]) -> list[str]:
    """All keys, in the order in which they come."""
    return list(dict.fromkeys(key for group in groups for key in group))
