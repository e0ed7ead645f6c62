"""What is known about a game without any learning: an equilibrium, its value, and where to look at it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from regretlab.errors import UserError
from regretlab.evaluation import Equilibrium, KuhnEquilibria, kuhn_equilibria, nash
from regretlab.experiments.regrets import actions_at
from regretlab.forms import SequenceForm, Strategy, Tree
from regretlab.games import Kuhn

MOST_SEQUENCES_FOR_PROOF = 300
"""Up to so many sequences the exact solution takes a moment."""

MOST_SEQUENCES_FOR_VALUE = 10_000
"""Above so many sequences the linear programme would take longer than the comparison itself; the value is left out."""

MOST_KEY_INFOSETS, MOST_KEY_ACTIONS = 12, 36
"""So many information sets, with so many actions in all, can be read at a glance: all of Kuhn poker."""

SETTLED = 1e-6
"""What an information set counts where the strategy does not mix, beside what it counts where it does."""


def equilibrium(form: SequenceForm) -> Equilibrium | None:
    """An equilibrium, in fractions where that is quick, else by linear programming; None for games too large."""
    size = sum(treeplex.sequences for treeplex in form.treeplexes)
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


def key_infosets(form: SequenceForm, played: Strategy) -> tuple[str, ...]:
    """The labels of the information sets that say most about a strategy, in the order of the form.

    All of them if they are few; else those where play most often comes by and does something else than it usually
    does there: the largest reach × (1 − the probability of the favourite).
    """
    if form.infosets <= MOST_KEY_INFOSETS:
        return form.labels
    weights = np.concatenate([_weights(form, played, player) for player in (0, 1)])
    ranked = [i for i in np.argsort(-weights, kind="stable").tolist() if weights[i] > 0]
    sizes = np.cumsum([len(actions_at(form, form.labels[i])) for i in ranked[:MOST_KEY_INFOSETS]])
    kept = max(1, int(np.searchsorted(sizes, MOST_KEY_ACTIONS, side="right")))
    return tuple(form.labels[i] for i in sorted(ranked[:kept]))


def _weights(form: SequenceForm, played: Strategy, player: int) -> NDArray[np.float64]:
    """How much each information set of a player says."""
    first = form.treeplexes[player].first[:-1]
    if not len(first):
        return np.zeros(0)
    mixing = 1 - np.maximum.reduceat(played.arrays[player], first)
    return np.asarray(_visits(form, played, player) * (mixing + SETTLED))


def _visits(form: SequenceForm, played: Strategy, player: int) -> NDArray[np.float64]:
    """How probable it is that play comes by; without histories only what the player contributes is known."""
    treeplex = form.treeplexes[player]
    if form.tree is None:
        return np.asarray(played.plan(player)[treeplex.parent])
    mine, reach = form.tree.player == player, _reach(form, form.tree, played)
    return np.asarray(np.bincount(form.tree.infoset[mine], reach[mine], treeplex.infosets), dtype=np.float64)


def _reach(form: SequenceForm, tree: Tree, played: Strategy) -> NDArray[np.float64]:
    """How probable each history is: that of its parent times that of the move between, level by level."""
    parent = np.repeat(np.arange(tree.histories), np.diff(tree.children))  # of history 1, 2, …
    number = np.arange(1, tree.histories) - tree.children[parent]
    move = tree.probability[1:].copy()
    for player, treeplex in enumerate(form.treeplexes):
        mine = tree.player[parent] == player
        move[mine] = played.arrays[player][treeplex.first[tree.infoset[parent[mine]]] + number[mine]]
    reach = np.ones(tree.histories)
    begin, end = 0, 1
    while end < tree.histories:
        begin, end = end, int(tree.children[end])
        reach[begin:end] = reach[parent[begin - 1 : end - 1]] * move[begin - 1 : end - 1]
    return reach
