"""What the runs of a suite show: a summary in words, all games together, and every game by itself."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from statistics import fmean

from regretlab.documents.blocks import Cell, Chart, Section, Series, Table
from regretlab.documents.numbers import count, written
from regretlab.experiments.findings.ranking import (
    CLOSE,
    SMALLEST,
    SOLVED,
    GameRanking,
    Standing,
    Summary,
    common_checkpoint,
    exploitability_lines,
    judged,
    rank_game,
    standings,
    summaries,
)
from regretlab.experiments.measures import SECONDS
from regretlab.experiments.rows import Row, recipe_lines

MOST_COLOURS = 7
"""Recipes that have a colour of their own in all charts; the eighth is for whoever is the best on one game."""

LEAST_GAMES = 3
"""With fewer games, shares of games say nothing."""

FACTORS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)

READING = (
    "Exploitability is how many chips a game the average strategy loses to opponents that know it, the mean of both "
    "seats; 0 is an equilibrium, and less than a billionth of a chip counts as solved. Less than 10⁻¹⁶ is nothing but "
    "rounding and shown as that.",
    "Means of exploitabilities over starts and seeds are geometric, other means are plain. Bands reach from the best "
    "run to the worst. The rate is the slope on logarithmic axes over the last factor of ten: −0.5 is 1/√T, −1 is 1/T. "
    "× best is the exploitability divided by that of the best recipe on the game, both counted as at least a "
    "billionth of a chip.",
)


ALSO_SHOWN = {
    "current_exploitability": "of the last strategy",
    "value": "value",
    "nash_conv": "NashConv",
    "cce_gap": "gap to a coarse correlated equilibrium",
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


def overview_sections(rows: Sequence[Row]) -> tuple[Section, ...]:
    """The sections that every report has, from tidy rows: the summary first, then all games together, then each."""
    by_game: dict[str, list[Row]] = {}
    for row in rows:
        by_game.setdefault(row["game"], []).append(row)
    known = judged(rows)
    rankings = {game: rank_game(judged(mine)) for game, mine in by_game.items() if judged(mine)}
    # All recipes are drawn if they are few; else the first of the suite, for comparison, and the best over all games.
    recipes = list(dict.fromkeys(row["recipe"] for row in known))
    if len(recipes) > MOST_COLOURS + 1:
        ranked = [one.recipe for one in summaries(standings(known, common_checkpoint(known)))]
        recipes = list(dict.fromkeys([recipes[0], *ranked]))[:MOST_COLOURS]
    colours = {recipe: number for number, recipe in enumerate(recipes, start=1)}
    parts = [
        _game_section(rankings[game], mine, colours) if game in rankings else _unjudged_section(game, mine)
        for game, mine in by_game.items()
    ]
    together = (_together(known, colours),) if len(rankings) > 1 else ()
    reading = (Section("How to read this", READING),) if rankings else ()
    return (_in_short(rows, known, list(rankings.values())), *together, *parts, *reading)


# ---- in short


def _in_short(rows: Sequence[Row], known: Sequence[Row], rankings: Sequence[GameRanking]) -> Section:
    """What was run, who did best, how sure that is, and the best recipe of each game beside the suite's first."""
    runs, recipes, games = (len({row[key] for row in rows}) for key in ("run", "recipe", "game"))
    last = max(row["iteration"] for row in rows)
    sizes = f"{count(runs, 'run')} of {count(recipes, 'recipe')} on {count(games, 'game')}"
    said = [f"{sizes}, up to {count(last, 'iteration')}."]
    if not rankings:
        return Section("All runs in short", (*said, "No exploitability was measured, so recipes are not ranked."))
    said += _closest(known)
    if several := sum(len(each.solved) > 1 for each in rankings):  # there, it is only a question of when
        said.append(
            f"{several} of {count(len(rankings), 'game')} {'was' if several == 1 else 'were'} solved by several "
            "recipes: they lose less than a billionth of a chip there, and what is left is rounding. The soonest "
            "counts as the best."
        )
    said += _certainty(rankings)
    reference, times = known[0]["recipe"], "×\u00a0best"
    head = ("game", "iterations", "best", "exploitability", "second", times, "the suite's first", times)
    cells: list[tuple[Cell, ...]] = []
    for each in rankings:
        first, *others = each.final
        behind = (others[0].recipe, others[0].ratio) if others else (None, None)
        base = next((one for one in each.final if one.recipe == reference), None)
        compared = (None, None) if base is None else (base.mean, base.ratio)
        cells.append((each.game, each.iteration, first.recipe, first.mean, *behind, *compared))
    note = f"The suite's first, to compare with, is `{reference}`."
    return Section("All runs in short", tuple(said), (Table("The best on each game", head, tuple(cells), note),))


def _closest(rows: Sequence[Row]) -> list[str]:
    """Which recipe is closest to the best over all games."""
    iteration = common_checkpoint(rows)
    ranked = summaries(standings(rows, iteration))
    if len(ranked) < 2 or ranked[0].games < 2:
        return []
    first, second = ranked[:2]
    after = f"After {count(iteration, 'iteration')}"
    next_one = f"Next comes `{second.recipe}`: {_share(second)}"
    if first.best == first.games:
        return [
            f"{after} `{first.recipe}` is the best on all {count(first.games, 'game')}. {next_one}, and on average "
            f"{written(second.ratio)} times the exploitability of the best."
        ]
    return [
        f"{after} `{first.recipe}` is closest to the best over all games: {_share(first)}, and on average "
        f"{written(first.ratio)} times the exploitability of the best (at worst {written(first.worst)} times). "
        f"{next_one}, on average {written(second.ratio)} times."
    ]


def _share(one: Summary) -> str:
    return f"within a factor of {written(CLOSE)} on {one.close} of {count(one.games, 'game')}"


def _certainty(rankings: Sequence[GameRanking]) -> list[str]:
    """On how many games the spreads of the first two do not overlap."""
    pairs = [each.final[:2] for each in rankings if len(each.final) > 1 and len(each.solved) < 2]
    repeated = [pair for pair in pairs if min(one.runs for one in pair) > 1]
    if not repeated:
        return []
    apart = sum(first.high < second.low for first, second in repeated)
    where = count(len(repeated), "other game" if len(repeated) < len(rankings) else "game")
    if not apart:
        return [f"On {where} the spreads of the first two recipes overlap: which of them comes first may be chance."]
    rest = " Elsewhere their spreads overlap, and the order may be chance." if apart < len(repeated) else ""
    return [f"On {apart} of {where} even the worst run of the best recipe beats every run of the second.{rest}"]


# ---- all games together


def _together(rows: Sequence[Row], colours: Colours) -> Section:
    """All recipes over all games, and on which share of the games each is within a factor of the best."""
    iteration = common_checkpoint(rows)
    made = standings(rows, iteration)
    said = (
        f"Every recipe after {count(iteration, 'iteration')}; the one that is most often within a factor of "
        f"{written(CLOSE)} of the best comes first."
    )
    ranked = summaries(made)
    head = ("recipe", "games", "best on", "close on", "mean ×\u00a0best", "worst ×\u00a0best")
    cells = tuple((one.recipe, one.games, one.best, one.close, one.ratio, one.worst) for one in ranked)
    nearest = min(range(len(ranked)), key=lambda number: ranked[number].ratio)
    safest = min(range(len(ranked)), key=lambda number: ranked[number].worst)
    best = frozenset({(nearest, 4), (safest, 5)})
    table = Table("Ranking", head, cells, "Means over games are geometric.", best)
    if len({one.game for one in made}) < LEAST_GAMES:
        return Section("All games together", (said,), (table,))
    series = []
    for recipe, colour in colours.items():
        if ratios := [one.ratio for one in made if one.recipe == recipe]:
            shares = tuple((factor, sum(ratio <= factor for ratio in ratios) / len(ratios)) for factor in FACTORS)
            series.append(Series(recipe, shares, colour=colour))
    chart = Chart(
        "How often a recipe is how close to the best",
        "within this factor of the best",
        "share of games",
        "log",
        "linear",
        tuple(series),
        note="Further up and to the left is better.",
    )
    return Section("All games together", (said,), (table,), (chart,))


# ---- one game


def _game_section(ranking: GameRanking, rows: Sequence[Row], colours: Colours) -> Section:
    """One game: what is best on it, how all recipes came there, and where they are."""
    known = judged(rows)
    best = ranking.final[0].recipe
    drawn = {**colours, best: colours.get(best, BEST_HERE)}
    lines = [replace(line, colour=drawn[line.name]) for line in exploitability_lines(known, drawn) if line.points]
    total = len({row["recipe"] for row in known})
    chart = Chart(
        f"Exploitability on {ranking.game}",
        "iterations",
        "exploitability (chips a game)",
        "log",
        "log",
        tuple(lines),
        note=f"{len(lines)} of {total} recipes are drawn; the table has them all." if len(lines) < total else "",
    )
    final = [row for row in known if row["iteration"] == ranking.iteration]
    return Section(ranking.game, (_best_sentence(ranking),), (_table(ranking, final),), (chart,))


def _best_sentence(ranking: GameRanking) -> str:
    """Who has solved the game, and who first; where that are not several, who is best, and how sure that is."""
    if len(ranking.solved) > 1:
        soonest = min(ranking.solved.values())
        names = [f"`{recipe}`" for recipe, iteration in ranking.solved.items() if iteration == soonest]
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        return (
            f"After {ranking.iteration:,} iterations {len(ranking.solved)} of {len(ranking.final)} recipes have solved "
            "it: they lose less than a billionth of a chip a game. "
            f"Soonest, by iteration {soonest:,}: {', '.join(names[:MOST_NAMED])}{more}."
        )
    first = ranking.final[0]
    best = f"`{first.recipe}` is best with {written(first.mean)} chips a game{_span(first)}"
    said = f"After {ranking.iteration:,} iterations {best}."
    if len(ranking.final) == 1:
        return said
    second = ranking.final[1]
    said += f" Next comes `{second.recipe}` with {written(second.ratio)} times as much{_span(second)}."
    if min(first.runs, second.runs) == 1:
        return said
    if first.high < second.low:
        return f"{said} Their spreads do not overlap."
    return f"{said} Their spreads overlap, so the order of the two may be chance."


def _span(one: Standing) -> str:
    return "" if one.runs == 1 else f" ({written(one.low)} to {written(one.high)} over {one.runs:,} runs)"


def _table(ranking: GameRanking, rows: Sequence[Row]) -> Table:
    """All recipes at the checkpoint at which they are compared, from the rows of that checkpoint."""
    shown = [measure for measure in ALSO_SHOWN if any(row.get(measure) is not None for row in rows)]
    head = ("recipe", "runs", "exploitability", "best run", "worst run", "×\u00a0best", "rate")
    names = (*head, *(ALSO_SHOWN[measure] for measure in shown), "µs an iteration")
    cells: list[tuple[Cell, ...]] = []
    times = []
    for one in ranking.final:
        mine = [row for row in rows if row["recipe"] == one.recipe]
        means: list[float | None] = []
        for measure in shown:
            known = [row[measure] for row in mine if row.get(measure) is not None]
            # What can't be negative is no less than what counts as rounding.
            least = SMALLEST if measure in NEVER_NEGATIVE else -math.inf
            means.append(max(fmean(known), least) if known else None)
        times.append(1e6 * fmean(row[SECONDS] / row["iteration"] for row in mine))
        rate = one.rate if one.mean >= SOLVED else None  # it means nothing where only rounding is left
        cells.append((one.recipe, one.runs, one.mean, one.low, one.high, one.ratio, rate, *means, times[-1]))
    best = {(number, 2) for number, one in enumerate(ranking.final) if one.ratio == 1}
    fastest = (times.index(min(times)), len(names) - 1)
    return Table(f"After {ranking.iteration:,} iterations", names, tuple(cells), best=frozenset(best | {fastest}))


def _unjudged_section(game: str, rows: Sequence[Row]) -> Section:
    """A game on which no exploitability was measured: the plain mean of whatever was, and its spread."""
    charts = []
    for measure, words in ALSO_SHOWN.items():
        measured = [row for row in rows if row.get(measure) is not None]
        if measured:
            lines = recipe_lines(measured, itemgetter(measure))
            title = f"{words[:1].upper()}{words[1:]} on {game}"
            charts.append(Chart(title, "iterations", words, "log", "linear", lines))
    return Section(game, charts=tuple(charts))
