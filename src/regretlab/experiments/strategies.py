"""Strategies side by side with the equilibrium."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from regretlab.experiments.regrets import actions_at

if TYPE_CHECKING:
    from regretlab.evaluation import KuhnEquilibria
    from regretlab.experiments.comparison import Comparison, Estimate, Row


MOST_ACTIONS = 6
"""So many actions of one information set can be read side by side."""


class SideBySide(NamedTuple):
    """One action at one key information set: how often recipes and equilibria choose it."""

    player: int
    label: str
    action: str
    equilibrium: float | None  # in the one that was computed; others may be as good
    lowest: float | None  # over all equilibria, where they are known in closed form
    highest: float | None
    played: tuple[Estimate, ...]  # by the average strategy of each recipe
    nearest: tuple[float | None, ...]  # in the equilibrium that bluffs as often as that, where all are known


def side_by_side(comparison: Comparison) -> list[SideBySide]:
    """Every action at the key information sets."""
    members = [None if comparison.family is None else _member(comparison.family, row) for row in comparison.rows]
    found = []
    for label in comparison.key:
        player = comparison.form.owner(label)
        assert player is not None
        for number, action in enumerate(actions_at(comparison.form, label)):
            lowest, highest = (None, None) if comparison.family is None else _range(comparison.family, label, number)
            found.append(
                SideBySide(
                    player,
                    label,
                    action,
                    None if comparison.equilibrium is None else comparison.equilibrium.strategy[label][action],
                    lowest,
                    highest,
                    tuple(row.probability(label, action) for row in comparison.rows),
                    tuple(None if member is None else float(member[label][action]) for member in members),
                )
            )
    return found


def shortened(found: Sequence[SideBySide]) -> list[SideBySide]:
    """Of two actions at an information set only the second: the first does the rest. Of many those chosen most."""
    kept = []
    for _, group in itertools.groupby(found, key=lambda each: each.label):
        actions = list(group)
        often = sorted(actions, key=_highest, reverse=True)[:MOST_ACTIONS]
        kept += actions[1:] if len(actions) == 2 else [each for each in actions if each in often]
    return kept


def percent(probability: float) -> str:
    """A probability in percent, to one decimal."""
    return f"{100 * probability + 0.0:.1f}"


def equilibrium_in_percent(each: SideBySide) -> str:
    """What equilibria do: the range over all of them, or one; empty where none is known."""
    if each.lowest is not None and each.highest is not None:
        low, high = percent(each.lowest), percent(each.highest)
        return low if low == high else f"{low}–{high}"
    return "" if each.equilibrium is None else percent(each.equilibrium)


def nearest_in_percent(each: SideBySide, row: int) -> str:
    """In parentheses what the equilibrium does that bluffs as often as a recipe; empty where all do the same."""
    nearest = each.nearest[row]
    return "" if nearest is None or each.lowest == each.highest else f" ({percent(nearest)})"


def _highest(each: SideBySide) -> float:
    """The highest probability that anybody gives it."""
    return max([each.equilibrium or 0.0, *(played.mean for played in each.played)])


def _member(family: KuhnEquilibria, row: Row) -> dict[str, dict[str, Fraction]]:
    """The equilibrium whose α is nearest to the recipe's: the members of the family differ in how often they bluff."""
    low, high = family.alpha_range
    return family.profile(min(max(Fraction(row.probability("J", "bet").mean), low), high))


def _range(family: KuhnEquilibria, label: str, number: int) -> tuple[float, float]:
    """The family says it of the second action, and the first one does the rest."""
    low, high = family.ranges[label]
    return (float(low), float(high)) if number == 1 else (float(1 - high), float(1 - low))
