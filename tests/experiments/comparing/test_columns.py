"""The best of each column."""

from types import SimpleNamespace
from typing import Any

from regretlab.experiments import Estimate
from regretlab.experiments.comparing.comparison import TargetReached, arrivals, columns


def row(loss: float, improvement: float | None, time: float, until: float | None) -> Any:
    when = None if until is None else Estimate(until, None)
    return SimpleNamespace(
        exploitability=Estimate(loss, 0.5),
        improvement=improvement,
        value=Estimate(-loss, None),
        value_distance=None,
        microseconds=1e6 * time,
        speed_up=1 / time,
        arrivals=(TargetReached(0.01, 1, when, when), TargetReached(0.001, 0, None, None)),
    )


ROWS = [row(0.5, 1.0, 4.0, None), row(0.1, 5.0, 2.0, 30), row(0.1, 5.0, 8.0, 70)]


def test_less_is_better_but_for_ratios_where_more_is() -> None:
    best = {column.name: set(column.best) for column in columns(ROWS)}
    assert best == {
        "exploitability": {1, 2},
        "improvement": {1, 2},
        "value": set(),
        "off by": set(),
        "time an iteration": {1},
        "speed-up": {1},
    }


def test_who_gets_there_is_better_than_who_does_not() -> None:
    (target, iterations, time), (_, never, _) = arrivals(ROWS)
    assert (target, iterations.best, time.best, never.best) == (0.01, {1}, {1}, frozenset())
    only = [ROWS[0], ROWS[1]]
    assert next(arrivals(only))[1].best == {1}


def test_where_all_are_alike_nobody_is_best() -> None:
    assert all(not column.best for column in columns(ROWS[:1]))
    assert not columns(ROWS[1:])[0].best


def test_entries_are_those_of_the_rows() -> None:
    first, *_ = columns(ROWS)
    assert (first.kind, first.entries) == ("loss", (Estimate(0.5, 0.5), Estimate(0.1, 0.5), Estimate(0.1, 0.5)))
    assert list(arrivals([SimpleNamespace(arrivals=())])) == []  # type: ignore[list-item]
