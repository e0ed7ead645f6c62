"""Where to look at strategies: an equilibrium, the information sets that say most, and recipes side by side there."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretlab.errors import UserError
from regretlab.evaluation import Equilibrium, KuhnEquilibria, kuhn_equilibria, nash
from regretlab.experiments.measures import actions_at, check_action
from regretlab.forms import AnyForm, BlockForm, SequenceForm, Strategy, Tree
from regretlab.games import Kuhn
from regretlab.games.size import size_of

if TYPE_CHECKING:
    from regretlab.experiments.comparing.comparison import Comparison, Estimate, RecipeRow

MOST_SEQUENCES_FOR_PROOF = 300
"""Up to so many sequences the exact solution takes a moment."""

MOST_SEQUENCES_FOR_VALUE = 10_000
"""Above so many sequences the linear programme would take longer than the comparison itself; the value is left out."""

MOST_HISTORIES_FOR_VALUE = 100_000
"""The same for games in blocks, which have to be walked by their histories for it."""

MOST_KEY_INFOSETS, MOST_KEY_ACTIONS = 12, 36
"""So many information sets, with so many actions in all, can be read at a glance: all of Kuhn poker."""

SETTLED = 1e-6
"""What an information set counts where the strategy does not mix, beside what it counts where it does."""


def equilibrium(form: AnyForm) -> Equilibrium | None:
    """An equilibrium, in fractions where that is quick, else by linear programming; None for games too large,
    or not zero-sum."""
    if not form.zero_sum:
        return None
    if isinstance(form, BlockForm) and size_of(form.rules).walked > MOST_HISTORIES_FOR_VALUE:
        return None
    size = form.treeplexes[0].sequences + form.treeplexes[1].sequences
    if size <= MOST_SEQUENCES_FOR_PROOF:
        try:
            return nash(form, exact=True)
        except UserError:  # payoffs that are not rational
            pass
    if size <= MOST_SEQUENCES_FOR_VALUE:
        try:
            return nash(form)
        except UserError:  # a payoff that is not a matrix
            pass
    return None


def kuhn_family(game: object) -> KuhnEquilibria | None:
    """All equilibria, where they are known in closed form: for Kuhn poker with three cards."""
    if type(game) is Kuhn and game.cards == 3:  # a class derived from it may have other rules
        return kuhn_equilibria(game.ante, game.bet)
    return None


def key_infosets(form: AnyForm, played: Strategy) -> tuple[str, ...]:
    """The labels of the information sets that say most about a strategy, in the order of the form.

    All of them if they are few; else those where play most often comes by and does something else than it usually
    does there: the largest reach × (1 − the probability of the favourite). In blocks, where reach is not kept as a
    whole, hands of all kinds at the first decision of each player.
    """
    if form.infosets <= MOST_KEY_INFOSETS:
        return form.labels
    if isinstance(form, BlockForm):
        return _hands_of_all_kinds(form)
    tree = form.tree if isinstance(form, SequenceForm) else None
    reach = None if tree is None else _reach(form, tree, played)
    parts = []
    for player in (0, 1):
        treeplex = form.treeplexes[player]
        if treeplex.infosets:
            first = np.cumsum([0, *(len(actions) for actions in treeplex.actions)])[:-1]
            if tree is None or reach is None:  # without histories only what the player contributes is known
                visits = np.add.reduceat(played.plan(player)[treeplex.places], first)
            else:
                mine = tree.player == player
                visits = np.bincount(tree.infoset[mine], reach[mine], treeplex.infosets).astype(np.float64)
            favourite = np.maximum.reduceat(played.arrays[player][treeplex.places], first)
            parts.append(visits * (1 - favourite + SETTLED))
    weights = np.concatenate(parts)
    ranked = [i for i in np.argsort(-weights, kind="stable").tolist() if weights[i] > 0]
    sizes = np.cumsum([len(actions_at(form, form.labels[i])) for i in ranked[:MOST_KEY_INFOSETS]])
    kept = max(1, int(np.searchsorted(sizes, MOST_KEY_ACTIONS, side="right")))
    return tuple(form.labels[i] for i in sorted(ranked[:kept]))


def _hands_of_all_kinds(form: BlockForm) -> tuple[str, ...]:
    """The labels of some hands, at equal distances, at the first decision of each player."""
    found: list[str] = []
    for treeplex in form.treeplexes:
        hands = min(treeplex.infosets, len(form.layout.boards[0].hands[treeplex.player]))
        places = np.linspace(0, hands - 1, min(hands, MOST_KEY_INFOSETS // 2)).round().astype(int)
        found += [treeplex.labels[place] for place in places]
    return tuple(found)


def _reach(form: AnyForm, tree: Tree, played: Strategy) -> NDArray[np.float64]:
    """How probable each history is: that of its parent times that of the move between, level by level."""
    parent = np.repeat(np.arange(tree.histories), np.diff(tree.children))  # of history 1, 2, …
    number = np.arange(1, tree.histories) - tree.children[parent]
    move = tree.probability[1:].copy()
    for player in (0, 1):
        mine = tree.player[parent] == player
        first = np.cumsum([0, *(len(actions) for actions in form.treeplexes[player].actions)])
        actions = played.arrays[player][form.treeplexes[player].places]
        move[mine] = actions[first[tree.infoset[parent[mine]]] + number[mine]]
    reach = np.ones(tree.histories)
    begin, end = 0, 1
    while end < tree.histories:
        begin, end = end, int(tree.children[end])
        reach[begin:end] = reach[parent[begin - 1 : end - 1]] * move[begin - 1 : end - 1]
    return reach


SINGLE_SWINGS = 1_000
"""Regrets are drawn up to this iteration: single swings can still be told apart there."""


class Action(NamedTuple):
    """An action at an information set."""

    label: str
    action: str

    def __str__(self) -> str:
        return f"{self.label}:{self.action}"


def read_action(form: AnyForm, text: str) -> Action:
    """The action that ``LABEL:ACTION`` names; the label may contain colons itself."""
    label, colon, action = str(text).rpartition(":")
    if not colon:
        example = Action(form.labels[0], actions_at(form, form.labels[0])[-1])
        raise UserError(f"'{text}' names no action; write LABEL:ACTION, such as {example}")
    check_action(form, label, action)
    return Action(label, action)


def telling_action(form: AnyForm, labels: Sequence[str], rows: Sequence[RecipeRow]) -> Action | None:
    """The action whose regrets show best what truncation does.

    It is the one that was deepest in debt and yet came back: the largest negative regret that some run has paid back
    later. A rule that truncates never has such a debt. Where no debt was paid back, the deepest counts. Recipes that
    sample are only asked if all do: their debts are noise.
    """
    rows = [row for row in rows if not row.recipe.feedback_kind.samples] or rows
    every = [(label, action, k) for label in labels for k, action in enumerate(actions_at(form, label))]
    drawn = [(trace, bisect_right(trace.looks, SINGLE_SWINGS)) for row in rows for trace in row.traces]
    seen = [[trace.regrets[label][:end, k] for trace, end in drawn] for label, _, k in every]
    debts = [(max(map(_debt_paid_back, lines)), max(-line.min() for line in lines)) for lines in seen if lines]
    if not debts:
        return None
    best = max(range(len(debts)), key=lambda place: debts[place])
    return Action(*every[best][:2])


def _debt_paid_back(regret: NDArray[np.float64]) -> float:
    """The largest negative regret before a positive one."""
    positive = np.flatnonzero(regret > 0)
    return max(0.0, -float(regret[: positive[-1]].min())) if len(positive) and positive[-1] else 0.0


# ---- strategies beside the equilibrium

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
    family = comparison.family
    members: list[dict[str, dict[str, Fraction]] | None] = [None] * len(comparison.rows)
    if family is not None:
        # The members of the family differ in how often they bluff: the nearest one has the nearest α.
        low, high = family.alpha_range
        bluffs = (Fraction(row.probability("J", "bet").mean) for row in comparison.rows)
        members = [family.profile(min(max(bluff, low), high)) for bluff in bluffs]
    found = []
    for label in comparison.key:
        player = comparison.form.owner(label)
        assert player is not None
        for number, action in enumerate(actions_at(comparison.form, label)):
            lowest = highest = None
            if family is not None:
                low, high = family.ranges[label]
                # The family says it of the second action, and the first one does the rest.
                lowest, highest = map(float, (low, high) if number == 1 else (1 - high, 1 - low))
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

    def highest(each: SideBySide) -> float:
        """The highest probability that anybody gives it."""
        return max([each.equilibrium or 0.0, *(played.mean for played in each.played)])

    kept = []
    for _, group in itertools.groupby(found, key=lambda each: each.label):
        actions = list(group)
        often = sorted(actions, key=highest, reverse=True)[:MOST_ACTIONS]
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
