"""A comparison for people: four charts, and the sections of a page with its tables and what was run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import itemgetter

from regretlab.documents.blocks import Cell, Chart, Section, Table, Target
from regretlab.documents.numbers import written
from regretlab.experiments.comparing.comparison import Column, Comparison, RecipeRow, Spread, arrivals, columns
from regretlab.experiments.comparing.strategies import (
    SINGLE_SWINGS,
    equilibrium_in_percent,
    nearest_in_percent,
    percent,
    shortened,
    side_by_side,
)
from regretlab.experiments.findings.ranking import SMALLEST
from regretlab.experiments.rows import recipe_lines

CLOSE = 1.1
"""On a logarithmic axis points nearer to each other than by this factor are left out: the file stays small."""

END_NOTE = "Improvement and speed-up: how many times as good as the first recipe. Off by: from the exact value."
SPREAD_NOTE = "Over seeds where something is drawn at random, else over starts: the usual one and random ones."
UNTIL_NOTE = "The first look at the run from which on the exploitability stayed at or below the target to its end."

SWINGS = 1 / 4
"""The value is drawn from iteration T^SWINGS on: its first swings would flatten all that comes after them."""


def comparison_charts(comparison: Comparison) -> tuple[Chart, ...]:
    """How exploitable, how far from the value, what the regrets do; without those for which something is lacking."""
    history, exact = comparison.history(), comparison.exact_value
    exploitability = Chart(
        title="Exploitability of the average strategy",
        x_label="iterations",
        y_label="exploitability (chips a game)",
        x_scale="log",
        y_scale="log",
        series=recipe_lines(history, lambda row: max(row["exploitability"], SMALLEST)),
        note="What a best responder wins against it; 0 at an equilibrium.",
    )
    late = [row for row in history if row["iteration"] >= comparison.iterations**SWINGS]
    value = Chart(
        title="Value of the running average strategy",
        x_label="iterations",
        y_label="player 0's payoff (chips a game)",
        x_scale="log",
        y_scale="linear",
        series=recipe_lines(late, itemgetter("value")),
        # With the minus sign that axes have.
        targets=() if exact is None else (Target(f"exact value {exact + 0.0:.6g}".replace("-", "−"), exact),),
        note="What player 0 expects when both follow the average of all strategies so far.",
    )
    found = [exploitability, value]
    if exact is not None:
        distance = Chart(
            title="How far that value is from the exact one",
            x_label="iterations",
            y_label="|value − exact value| (chips a game)",
            x_scale="log",
            y_scale="log",
            series=recipe_lines(history, lambda row: max(row["value_distance"], SMALLEST)),
            note="It may come close by luck: two errors can cancel, which exploitability never lets them.",
        )
        found.append(distance)
    if comparison.regret_of is not None:
        label, action = comparison.regret_of
        early = [row for row in comparison.regrets() if row["iteration"] <= SINGLE_SWINGS]
        regrets = Chart(
            title=f"Cumulative regret of {action} at {label}",
            x_label="iterations",
            y_label="cumulative regret (chips)",
            x_scale="linear",
            y_scale="linear",
            series=recipe_lines(early, itemgetter("regret")),
            targets=(Target("no regret", 0.0),),
            note="Without truncation an action that did badly runs up a debt, and is not played until that is paid "
            "back; with truncation it starts from 0 again.",
        )
        found.append(regrets)
    return tuple(found)


def comparison_sections(comparison: Comparison) -> list[Section]:
    """All that a page shows of a comparison."""
    rows, exact = comparison.rows, f"The exact value is unknown: {comparison.why_no_equilibrium}."
    if comparison.exact_value is not None:
        how = "in fractions, with a proof" if comparison.proven else "by linear programming"
        exact = f"The value of the game for player 0, computed {how}, is {written(comparison.exact_value, 6)}."
    note = comparison.one_draw_note
    race = [race_table(rows)]
    if until := [column for _, *pair in arrivals(rows) for column in pair]:
        race.append(_table("When they got there", rows, until, UNTIL_NOTE))
    if any(row.spread for row in rows):
        ranges = tuple((row.recipe.name, float(len(row.traces)), *(row.spread or (None,) * 3)) for row in rows)
        race.append(Table("Range of the exploitability", ("recipe", "runs", *Spread._fields), ranges, SPREAD_NOTE))
    # The whole tuple of each recipe, and how many seeds: what a name alone would leave open.
    parts = list(dict.fromkeys(part for row in rows for part in row.recipe.parts))
    run: list[tuple[Cell, ...]] = []
    for row in rows:
        choices = (str(row.recipe.parts.get(part, "–")) for part in parts)
        run.append((row.recipe.name, *choices, float(len(row.traces))))
    curves = [_thinned(chart) if chart.x_scale == "log" else chart for chart in comparison_charts(comparison)]
    return [
        Section("The race", (exact, *([f"{note[:1].upper()}{note[1:]}."] if note else [])), tables=tuple(race)),
        Section("On the way", charts=tuple(curves)),
        _strategies(comparison),
        Section("What was run", tables=(Table("Recipes", ("recipe", *parts, "runs"), tuple(run)),)),
    ]


def race_table(rows: Sequence[RecipeRow]) -> Table:
    """How good the recipes were at the end, and how fast."""
    return _table("Where they are at the end", rows, columns(rows), END_NOTE)


def _table(title: str, rows: Sequence[RecipeRow], shown: Iterable[Column], note: str) -> Table:
    """Some columns of the race; a standard error has one of its own."""
    head: list[str] = ["recipe"]
    cells: list[list[Cell]] = [[row.recipe.name] for row in rows]
    best: set[tuple[int, int]] = set()
    for column in shown:
        best |= {(row, len(head)) for row in column.best}
        scale = 1e6 if column.kind == "seconds" else 1
        estimates = [entry if isinstance(entry, tuple) else (entry, None) for entry in column.entries]
        parts = [[None if part is None else scale * part for part in estimate] for estimate in estimates]
        kept = 2 if any(error is not None for _, error in parts) else 1
        head += [f"{column.name}, µs" if column.kind == "seconds" else column.name, "±"][:kept]
        for line, part in zip(cells, parts, strict=True):
            line += part[:kept]
    return Table(title, tuple(head), tuple(map(tuple, cells)), note, frozenset(best))


def _thinned(chart: Chart) -> Chart:
    """The chart with fewer points."""
    lines = []
    for line in chart.series:
        kept: set[float] = {line.points[-1][0]}
        last = 0.0
        for x, _ in line.points:
            if x >= CLOSE * last:
                kept.add(x)
                last = x
        points = tuple(point for point in line.points if point[0] in kept)
        lines.append(replace(line, points=points, band=tuple(part for part in line.band if part[0] in kept)))
    return replace(chart, series=tuple(lines))


def _strategies(comparison: Comparison) -> Section:
    """What the recipes do at key information sets, beside what equilibria do there."""
    said = "How often the average strategies choose an action at key information sets"
    if comparison.family is not None:
        said += (
            ", beside the lowest and the highest probability over all equilibria. In parentheses stands the "
            "equilibrium that bets the Jack as often as the recipe does."
        )
    elif comparison.equilibrium is not None:
        said += (
            ", beside an equilibrium that linear programming found. There may be others, so a difference alone "
            "is no error."
        )
    else:
        said += (
            f". No equilibrium stands beside them: {comparison.why_no_equilibrium}. {comparison.no_promise}".rstrip()
        )
    known = ["equilibria"] if comparison.family else ["equilibrium"] if comparison.equilibrium else []
    rows = []
    for each in shortened(side_by_side(comparison)):
        played = [percent(one.mean) + nearest_in_percent(each, row) for row, one in enumerate(each.played)]
        rows.append((each.label, each.action, *([equilibrium_in_percent(each)] if known else []), *played))
    head = ("information set", "action", *known, *(row.recipe.name for row in comparison.rows))
    return Section("Strategies", (said,), (Table("Average strategies, in percent", head, tuple(rows)),))
