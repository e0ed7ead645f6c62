"""The table of a comparison, column by column, with the best of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from regretlab.experiments.comparison import Estimate, Row

Kind = Literal["loss", "value", "ratio", "seconds", "iterations"]


class Column(NamedTuple):
    """One quantity of all recipes."""

    name: str
    kind: Kind  # what the numbers are, for those who write them
    entries: tuple[Estimate | float | None, ...]  # a recipe each; None where there is nothing to say
    best: frozenset[int]  # the numbers of the rows that nobody surpasses; none where all are alike


def columns(rows: Sequence[Row]) -> list[Column]:
    """How good the strategies are, and how fast they come."""
    return [
        _column("exploitability", "loss", [row.exploitability for row in rows], min),
        _column("improvement", "ratio", [row.improvement for row in rows], max),
        _column("value", "value", [row.value for row in rows]),
        _column("off by", "loss", [row.value_distance for row in rows], min),
        _column("time an iteration", "seconds", [row.microseconds / 1e6 for row in rows], min),
        _column("speed-up", "ratio", [row.speed_up for row in rows], max),
    ]


def arrivals(rows: Sequence[Row]) -> Iterator[tuple[float, Column, Column]]:
    """For each target: iterations and time until the exploitability stays at or below it."""
    for found in zip(*(row.arrivals for row in rows), strict=True):
        target = found[0].target
        yield (
            target,
            _column(f"iterations until {target:g}", "iterations", [each.iterations for each in found], min),
            _column(f"time until {target:g}", "seconds", [each.seconds for each in found], min),
        )


def _column(
    name: str,
    kind: Kind,
    entries: Sequence[Estimate | float | None],
    choose: Callable[[set[float]], float] | None = None,
) -> Column:
    means = [entry[0] if isinstance(entry, tuple) else entry for entry in entries]
    known = {mean for mean in means if mean is not None}
    if choose is None or not known or len(set(means)) == 1:
        return Column(name, kind, tuple(entries), frozenset())
    best = choose(known)
    return Column(name, kind, tuple(entries), frozenset(k for k, mean in enumerate(means) if mean == best))
