"""A comparison in four charts: how exploitable, how far from the value, and what the regrets do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

from regretlab.documents import Chart, Series, Target
from regretlab.experiments import Comparison
from regretlab.experiments.comparing.strategies import SINGLE_SWINGS
from regretlab.experiments.findings.ranking import SMALLEST
from regretlab.experiments.rows import Row

SWINGS = 1 / 4
"""The value is drawn from iteration T^SWINGS on: its first swings would flatten all that comes after them."""


def charts(comparison: Comparison) -> tuple[Chart, ...]:
    """The charts, without those for which the exact value or the regrets are lacking."""
    found = [_exploitability(comparison), _value(comparison)]
    if comparison.exact_value is not None:
        found.append(_error(comparison))
    if comparison.regret_of is not None:
        found.append(_regrets(comparison))
    return tuple(found)


def _exploitability(comparison: Comparison) -> Chart:
    return Chart(
        title="Exploitability of the average strategy",
        x_label="iterations",
        y_label="exploitability (chips a game)",
        x_scale="log",
        y_scale="log",
        series=_series(comparison.history(), lambda row: max(row["exploitability"], SMALLEST)),
        note="What a best responder wins against it; 0 at an equilibrium.",
    )


def _value(comparison: Comparison) -> Chart:
    exact = comparison.exact_value
    late = [row for row in comparison.history() if row["iteration"] >= comparison.iterations**SWINGS]
    return Chart(
        title="Value of the running average strategy",
        x_label="iterations",
        y_label="player 0's payoff (chips a game)",
        x_scale="log",
        y_scale="linear",
        series=_series(late, lambda row: row["value"]),
        targets=() if exact is None else (Target(exact_name(exact), exact),),
        note="What player 0 expects when both follow the average of all strategies so far.",
    )


def _error(comparison: Comparison) -> Chart:
    return Chart(
        title="How far that value is from the exact one",
        x_label="iterations",
        y_label="|value − exact value| (chips a game)",
        x_scale="log",
        y_scale="log",
        series=_series(comparison.history(), lambda row: max(row["value_distance"], SMALLEST)),
        note="It may come close by luck: two errors can cancel, which exploitability never lets them.",
    )


def _regrets(comparison: Comparison) -> Chart:
    assert comparison.regret_of is not None
    label, action = comparison.regret_of
    early = [row for row in comparison.regrets() if row["iteration"] <= SINGLE_SWINGS]
    return Chart(
        title=f"Cumulative regret of {action} at {label}",
        x_label="iterations",
        y_label="cumulative regret (chips)",
        x_scale="linear",
        y_scale="linear",
        series=_series(early, lambda row: row["regret"]),
        targets=(Target("no regret", 0.0),),
        note="Without truncation an action that did badly runs up a debt, and is not played until that is paid back; "
        "with truncation it starts from 0 again.",
    )


def _series(rows: Sequence[Row], height: Callable[[Row], float]) -> tuple[Series, ...]:
    """A line for each recipe: the mean over its seeds, and a band from the lowest to the highest."""
    found: dict[str, dict[int, list[float]]] = {}
    for row in rows:
        found.setdefault(row["recipe"], {}).setdefault(row["iteration"], []).append(height(row))
    return tuple(_line(recipe, heights) for recipe, heights in found.items())


def _line(recipe: str, heights: dict[int, list[float]]) -> Series:
    several = any(len(seen) > 1 for seen in heights.values())
    return Series(
        name=recipe,
        points=tuple((t, fmean(seen)) for t, seen in heights.items()),
        band=tuple((t, min(seen), max(seen)) for t, seen in heights.items()) if several else (),
    )


def exact_name(value: float) -> str:
    """How the exact value is called in pictures, with the minus sign that axes have."""
    return f"exact value {value + 0.0:.6g}".replace("-", "−")
