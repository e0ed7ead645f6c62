"""What the runs of a suite show: a summary in words, all games together, and every game by itself."""

from __future__ import annotations

from collections.abc import Sequence

from regretlab.documents import Cell, Chart, Section, Series, Table, written
from regretlab.experiments.game_findings import Colours, game_section, unjudged_section
from regretlab.experiments.race import Race, common_checkpoint, judged, race
from regretlab.experiments.ranking import CLOSE, Standing, Summary, standings, summaries
from regretlab.experiments.tidy import Row

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


def overview(rows: Sequence[Row]) -> tuple[Section, ...]:
    """The sections that every report has, from tidy rows: the summary first, then all games together, then each."""
    by_game: dict[str, list[Row]] = {}
    for row in rows:
        by_game.setdefault(row["game"], []).append(row)
    known = judged(rows)
    races = {game: race(judged(mine)) for game, mine in by_game.items() if judged(mine)}
    colours = _colours(known) if known else {}
    parts = [
        game_section(races[game], mine, colours) if game in races else unjudged_section(game, mine)
        for game, mine in by_game.items()
    ]
    together = (_together(known, colours),) if len(races) > 1 else ()
    reading = (Section("How to read this", READING),) if races else ()
    return (_in_short(rows, known, list(races.values())), *together, *parts, *reading)


def _colours(rows: Sequence[Row]) -> Colours:
    """All recipes if they are few; else the first of the suite, for comparison, and the best over all games."""
    recipes = list(dict.fromkeys(row["recipe"] for row in rows))
    if len(recipes) > MOST_COLOURS + 1:
        ranked = [one.recipe for one in summaries(standings(rows, common_checkpoint(rows)))]
        recipes = list(dict.fromkeys([recipes[0], *ranked]))[:MOST_COLOURS]
    return {recipe: number for number, recipe in enumerate(recipes, start=1)}


# ---- in short


def _in_short(rows: Sequence[Row], known: Sequence[Row], races: Sequence[Race]) -> Section:
    runs, recipes, games = (len({row[key] for row in rows}) for key in ("run", "recipe", "game"))
    last = max(row["iteration"] for row in rows)
    sizes = f"{count(runs, 'run')} of {count(recipes, 'recipe')} on {count(games, 'game')}"
    said = [f"{sizes}, up to {count(last, 'iteration')}."]
    if not races:
        return Section("All runs in short", (*said, "No exploitability was measured, so recipes are not ranked."))
    said += _closest(known) + _solved(races) + _certainty(races)
    return Section("All runs in short", tuple(said), (_best_table(races, known[0]["recipe"]),))


def _closest(rows: Sequence[Row]) -> list[str]:
    """Which recipe is closest to the best over all games."""
    iteration = common_checkpoint(rows)
    ranked = summaries(standings(rows, iteration))
    if len(ranked) < 2 or ranked[0].games < 2:
        return []
    first, second = ranked[:2]
    after, next_one = f"After {count(iteration, 'iteration')}", f"Next comes `{second.recipe}`: {_share(second)}"
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


def _solved(races: Sequence[Race]) -> list[str]:
    """How many games were solved by several recipes: there, it is only a question of when."""
    found = sum(len(each.solved) > 1 for each in races)
    if not found:
        return []
    return [
        f"{found} of {count(len(races), 'game')} {'was' if found == 1 else 'were'} solved by several recipes: they "
        "lose less than a billionth of a chip there, and what is left is rounding. The soonest counts as the best."
    ]


def _certainty(races: Sequence[Race]) -> list[str]:
    """On how many games the spreads of the first two do not overlap."""
    pairs = [each.final[:2] for each in races if len(each.final) > 1 and len(each.solved) < 2]
    repeated = [pair for pair in pairs if min(one.runs for one in pair) > 1]
    if not repeated:
        return []
    apart = sum(first.high < second.low for first, second in repeated)
    where = f"{len(repeated)} {'other ' if len(repeated) < len(races) else ''}game{'' if len(repeated) == 1 else 's'}"
    if not apart:
        return [f"On {where} the spreads of the first two recipes overlap: which of them comes first may be chance."]
    rest = " Elsewhere their spreads overlap, and the order may be chance." if apart < len(repeated) else ""
    return [f"On {apart} of {where} even the worst run of the best recipe beats every run of the second.{rest}"]


def _best_table(races: Sequence[Race], reference: str) -> Table:
    """The best recipe of each game, the second, and the first of the suite for comparison."""
    times = "×\u00a0best"
    head = ("game", "iterations", "best", "exploitability", "second", times, "the suite's first", times)
    rows = tuple(_best_row(each, reference) for each in races)
    return Table("The best on each game", head, rows, f"The suite's first, to compare with, is `{reference}`.")


def _best_row(each: Race, reference: str) -> tuple[Cell, ...]:
    first = each.final[0]
    second = each.final[1] if len(each.final) > 1 else None
    base = next((one for one in each.final if one.recipe == reference), None)
    behind = (None, None) if second is None else (second.recipe, second.ratio)
    compared = (None, None) if base is None else (base.mean, base.ratio)
    return each.game, each.iteration, first.recipe, first.mean, *behind, *compared


# ---- all games together


def _together(rows: Sequence[Row], colours: Colours) -> Section:
    iteration = common_checkpoint(rows)
    made = standings(rows, iteration)
    said = (
        f"Every recipe after {count(iteration, 'iteration')}; the one that is most often within a factor of "
        f"{written(CLOSE)} of the best comes first."
    )
    charts = (_shares_chart(made, colours),) if len({one.game for one in made}) >= LEAST_GAMES else ()
    return Section("All games together", (said,), (_summary_table(summaries(made)),), charts)


def _summary_table(ranked: Sequence[Summary]) -> Table:
    head = ("recipe", "games", "best on", "close on", "mean ×\u00a0best", "worst ×\u00a0best")
    rows = tuple((one.recipe, one.games, one.best, one.close, one.ratio, one.worst) for one in ranked)
    nearest = min(range(len(ranked)), key=lambda number: ranked[number].ratio)
    safest = min(range(len(ranked)), key=lambda number: ranked[number].worst)
    return Table("Ranking", head, rows, "Means over games are geometric.", frozenset({(nearest, 4), (safest, 5)}))


def _shares_chart(made: Sequence[Standing], colours: Colours) -> Chart:
    """On which share of the games a recipe is within a factor of the best."""
    series = []
    for recipe, colour in colours.items():
        ratios = [one.ratio for one in made if one.recipe == recipe]
        shares = tuple((factor, sum(ratio <= factor for ratio in ratios) / len(ratios)) for factor in FACTORS if ratios)
        series.append(Series(recipe, shares, colour=colour))
    return Chart(
        "How often a recipe is how close to the best",
        "within this factor of the best",
        "share of games",
        "log",
        "linear",
        tuple(each for each in series if each.points),
        note="Further up and to the left is better.",
    )


def count(number: int, noun: str) -> str:
    """So many of something."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
