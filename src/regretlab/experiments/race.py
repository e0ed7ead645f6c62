"""The recipes of a suite on one game: where each of them stands at every checkpoint."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from regretlab.experiments.ranking import SOLVED, Standing, standings
from regretlab.experiments.tidy import Row

JUDGED_BY = "exploitability"


@dataclass(frozen=True)
class Race:
    """One game. Recipes that have solved it come first, the soonest of them at the very top; then the best."""

    game: str
    iteration: int  # the checkpoint at which the recipes are compared
    final: tuple[Standing, ...]  # there
    looks: tuple[tuple[int, Standing], ...]  # at every checkpoint
    solved: dict[str, int]  # the recipes that have solved the game, and the first checkpoint at which they had


def judged(rows: Iterable[Row]) -> list[Row]:
    """The rows that can be compared: those with an exploitability."""
    return [row for row in rows if row.get(JUDGED_BY) is not None]


def common_checkpoint(rows: Iterable[Row]) -> int:
    """The iteration at which most recipes were looked at on most games; the last one of several."""
    looks = {(row["iteration"], row["game"], row["recipe"]) for row in rows}
    counts: Counter[int] = Counter(iteration for iteration, _, _ in looks)
    return max(counts, key=lambda iteration: (counts[iteration], iteration))


def race(rows: Sequence[Row]) -> Race:
    """The race of the rows of one game."""
    iteration = common_checkpoint(rows)
    checkpoints = sorted({row["iteration"] for row in rows})
    looks = [(each, one) for each in checkpoints for one in standings(rows, each)]
    solved: dict[str, int] = {}
    for each, one in looks:
        if one.mean < SOLVED and each <= iteration:
            solved.setdefault(one.recipe, each)
    final = sorted(standings(rows, iteration), key=lambda one: (solved.get(one.recipe, math.inf), one.mean))
    return Race(rows[0]["game"], iteration, tuple(final), tuple(looks), solved)
