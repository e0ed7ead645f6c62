"""Batches of spots on the terminal: what a suite would solve, and what it has found board by board."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table

from regretlab.cli import screen
from regretlab.documents import numbers

if TYPE_CHECKING:
    from regretlab.experiments.jobs import Job

MOST_BOARDS = 20
"""A table has at most so many boards; results and the report have them all."""

Row = Mapping[str, Any]


def planned(jobs: Sequence[Job]) -> Table:
    """What the spots of a suite would take, a line for each spot, recipe and precision."""
    from regretlab.games.size import written_bytes

    headings = ("spot", "recipe", "precision", "boards", "memory each", "kept", "about")
    table = screen.new_table(*headings, right=headings[3:], fold=["spot", "recipe"])
    groups: dict[tuple[str, str, str], list[Job]] = {}
    for job in jobs:
        if job.board is not None:
            groups.setdefault((job.board.spot, job.run.recipe, job.run.precision), []).append(job)
    for key, mine in groups.items():
        memory = written_bytes(max(job.nbytes for job in mine)).removeprefix("about ")
        kept = written_bytes(sum(job.kept for job in mine)).removeprefix("about ")
        table.add_row(*key, f"{len(mine):,}", memory, kept, numbers.long_duration(sum(job.seconds for job in mine)))
    return table


def solved(rows: Sequence[Row]) -> Iterator[tuple[str, Table, str]]:
    """For each spot, recipe, precision and target: a title, its boards, and how well they are solved."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        if row.get("board") is not None and row.get("ev of oop") is not None:
            groups.setdefault(tuple(row[key] for key in ("game", "recipe", "precision", "until")), []).append(row)
    for (spot, recipe, precision, _), mine in groups.items():
        left, worst = len(mine) - MOST_BOARDS, max(row["exploitability_of_pot"] for row in mine)
        most = max(row["iteration"] for row in mine)
        note = f"… and {numbers.count(left, 'more board')}; regretlab results export has them all\n" if left > 0 else ""
        note += f"exploitability at most {numbers.significant(100 * worst, 2)} % of the pot, after {most:,} iterations"
        yield f"{spot} by {recipe}, {precision}", _boards(mine), f"{note} or fewer" if len(mine) > 1 else note


def _boards(rows: Sequence[Row]) -> Table:
    """A line for each board, and the mean of all."""
    from regretlab.experiments.measures import FREQUENCY

    often = [name for name in rows[0] if name.startswith(FREQUENCY) and rows[0][name] is not None]
    often.sort(key=lambda name: int(name.rpartition(" ")[2]) if name[-1].isdigit() else 0)
    actions = [name.removeprefix(FREQUENCY) for name in often]
    headings = ("board", "EV of oop", "equity", *actions)
    table = screen.new_table(*headings, right=headings[1:], fold=["board"])
    for row in rows[:MOST_BOARDS]:
        shares = (numbers.percent(row[name]) for name in ("equity of oop", *often))
        table.add_row(row["board"], numbers.value(row["ev of oop"]), *shares)
    if len(rows) > 1:
        shares = (numbers.percent(mean(rows, name)) for name in ("equity of oop", *often))
        table.add_section()
        table.add_row("mean", numbers.value(mean(rows, "ev of oop")), *shares)
    return table


def mean(rows: Sequence[Row], measure: str) -> float:
    """The mean over boards, each as often as it comes: by how many it stands for, and the pairs of hands it leaves."""
    weights = [row["weight"] * row["pairs"] for row in rows]
    return math.fsum(weight * row[measure] for weight, row in zip(weights, rows, strict=True)) / math.fsum(weights)
