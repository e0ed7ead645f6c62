"""What the runs on one game show: charts over iterations, and a table of where they end."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean

from regretlab.documents import Cell, Chart, Section, Series, Table, written
from regretlab.experiments.perform import SECONDS
from regretlab.experiments.race import Race, judged
from regretlab.experiments.ranking import SMALLEST, SOLVED, Standing
from regretlab.experiments.tidy import Row

ALSO_SHOWN = {
    "current_exploitability": "of the last strategy",
    "value": "value",
    "nash_conv": "NashConv",
    "regret_bound": "regret bound",
    "zero_regrets": "regrets at zero",
    "never_played": "never played",
    "distance": "distance to equilibrium",
    "final_value": "value of the last tenth",
}
"""What stands beside the exploitability in a table where it was measured, and its name there."""

NEVER_NEGATIVE = ("current_exploitability", "nash_conv")

BEST_HERE = 8
"""The colour of a recipe that is drawn only because it is the best on one game."""

MOST_NAMED = 4
"""So many recipes are named in a sentence."""

Colours = Mapping[str, int]
"""The recipes that are drawn in every chart, and the number of each one's colour."""


def game_section(race: Race, rows: Sequence[Row], colours: Colours) -> Section:
    """One game: what is best on it, how all recipes came there, and where they are."""
    final = [row for row in judged(rows) if row["iteration"] == race.iteration]
    said = solved_sentence(race) if len(race.solved) > 1 else _best_sentence(race)
    return Section(race.game, (said,), (_table(race, final),), (_chart(race, colours),))


def solved_sentence(race: Race) -> str:
    """Who has solved the game, and who first."""
    soonest = min(race.solved.values())
    first = [f"`{recipe}`" for recipe, iteration in race.solved.items() if iteration == soonest]
    more = f" and {len(first) - MOST_NAMED} more" if len(first) > MOST_NAMED else ""
    return (
        f"After {race.iteration:,} iterations {len(race.solved)} of {len(race.final)} recipes have solved it: they "
        "lose less than a billionth of a chip a game. "
        f"Soonest, by iteration {soonest:,}: {', '.join(first[:MOST_NAMED])}{more}."
    )


def _best_sentence(race: Race) -> str:
    first = race.final[0]
    best = f"`{first.recipe}` is best with {written(first.mean)} chips a game{_span(first)}"
    said = f"After {race.iteration:,} iterations {best}."
    if len(race.final) == 1:
        return said
    second = race.final[1]
    said += f" Next comes `{second.recipe}` with {written(second.ratio)} times as much{_span(second)}."
    if min(first.runs, second.runs) == 1:
        return said
    if first.high < second.low:
        return f"{said} Their spreads do not overlap."
    return f"{said} Their spreads overlap, so the order of the two may be chance."


def _span(one: Standing) -> str:
    return "" if one.runs == 1 else f" ({written(one.low)} to {written(one.high)} over {one.runs:,} runs)"


def _chart(race: Race, colours: Colours) -> Chart:
    """The mean at every checkpoint, with a band from the best run to the worst."""
    best = race.final[0].recipe
    drawn = {**colours, best: colours.get(best, BEST_HERE)}
    series = [_series(race, recipe, colour) for recipe, colour in drawn.items()]
    shown = tuple(each for each in series if each.points)
    total = len({one.recipe for _, one in race.looks})
    return Chart(
        f"Exploitability on {race.game}",
        "iterations",
        "exploitability (chips a game)",
        "log",
        "log",
        shown,
        note=f"{len(shown)} of {total} recipes are drawn; the table has them all." if len(shown) < total else "",
    )


def _series(race: Race, recipe: str, colour: int) -> Series:
    mine = [(iteration, one) for iteration, one in race.looks if one.recipe == recipe]
    points = tuple((iteration, one.mean) for iteration, one in mine)
    several = any(one.runs > 1 for _, one in mine)
    band = tuple((iteration, one.low, one.high) for iteration, one in mine) if several else ()
    return Series(recipe, points, band, colour=colour)


def _table(race: Race, rows: Sequence[Row]) -> Table:
    shown = [measure for measure in ALSO_SHOWN if any(row.get(measure) is not None for row in rows)]
    head = ("recipe", "runs", "exploitability", "best run", "worst run", "×\u00a0best", "rate")
    mine = [[row for row in rows if row["recipe"] == one.recipe] for one in race.final]
    times = [1e6 * fmean(row[SECONDS] / row["iteration"] for row in group) for group in mine]
    means = [[_mean(measure, group) for measure in shown] for group in mine]
    cells = tuple(
        (*_standing(one), *measured, time) for one, measured, time in zip(race.final, means, times, strict=True)
    )
    best = {(number, 2) for number, one in enumerate(race.final) if one.ratio == 1}
    fastest = (times.index(min(times)), len(cells[0]) - 1)
    names = (*head, *(ALSO_SHOWN[measure] for measure in shown), "µs an iteration")
    return Table(f"After {race.iteration:,} iterations", names, cells, best=frozenset(best | {fastest}))


def _standing(one: Standing) -> tuple[Cell, ...]:
    """A rate means nothing where only rounding is left."""
    return one.recipe, one.runs, one.mean, one.low, one.high, one.ratio, one.rate if one.mean >= SOLVED else None


def _mean(measure: str, rows: Sequence[Row]) -> float | None:
    """The plain mean; what can't be negative is no less than what counts as rounding."""
    known = [row[measure] for row in rows if row.get(measure) is not None]
    least = SMALLEST if measure in NEVER_NEGATIVE else -math.inf
    return max(fmean(known), least) if known else None


def unjudged_section(game: str, rows: Sequence[Row]) -> Section:
    """A game on which no exploitability was measured: the plain mean of whatever was, and its spread."""
    measured = {
        measure: [row for row in rows if row.get(measure) is not None]
        for measure in ALSO_SHOWN
        if any(row.get(measure) is not None for row in rows)
    }
    charts = tuple(_plain_chart(game, measure, found) for measure, found in measured.items())
    return Section(game, charts=charts)


def _plain_chart(game: str, measure: str, rows: Sequence[Row]) -> Chart:
    words = ALSO_SHOWN[measure]
    series = tuple(_plain_series(recipe, rows, measure) for recipe in dict.fromkeys(row["recipe"] for row in rows))
    return Chart(f"{words[:1].upper()}{words[1:]} on {game}", "iterations", words, "log", "linear", series)


def _plain_series(recipe: str, rows: Sequence[Row], measure: str) -> Series:
    found: dict[int, list[float]] = {}
    for row in rows:
        if row["recipe"] == recipe:
            found.setdefault(row["iteration"], []).append(row[measure])
    means = sorted((iteration, fmean(amounts)) for iteration, amounts in found.items())
    spread = sorted((iteration, min(amounts), max(amounts)) for iteration, amounts in found.items())
    several = any(len(amounts) > 1 for amounts in found.values())
    return Series(recipe, tuple(means), tuple(spread) if several else ())
