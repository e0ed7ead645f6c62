"""Chance sampling: an iteration walks one deal instead of all of them.

At each chance history one outcome is drawn with its probability and all actions of both players are walked below it,
so the counterfactual values carry the opponent's reach and no chance probability; their expectation is the full
traversal's. Zinkevich, Johanson, Bowling, Piccione (2007) trained this way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretlab.feedback.draws import uniform
from regretlab.feedback.touched import Touched, new_touched, note
from regretlab.forms import Tree
from regretlab.forms.kernel import Floats, Indices, kernel
from regretlab.games import CHANCE, TERMINAL


class Histories(NamedTuple):
    """The tree's columns, see ``forms.tree``, and room for what one walk meets."""

    children: Indices
    player: NDArray[np.int8]
    infoset: Indices
    probability: Floats
    payoff: Floats
    met: Indices  # (histories,) the histories of this walk, parents before children
    below: Indices  # (histories,) where in ``met`` the children of each begin
    reach_zero: Floats  # (histories,) player 0's reach of each
    reach_one: Floats  # (histories,) player 1's reach of each
    value: Floats  # (histories,) player 0's expected payoff from each
    walked: Floats  # (2,) how many walks there were, and player 0's expected payoff at their roots, summed


class Seen(NamedTuple):
    """What one player sees of a walk: the values of the actions where it was, and how it got there."""

    first: Indices  # (infosets + 1,) of the treeplex
    strategy: Floats  # (sequences,) read
    values: Floats  # (sequences,) counterfactual values, written where the walk came by
    reach: Floats  # (infosets,) the player's own reach, written where the walk came by
    touched: Touched  # where the walk came by
    marked: NDArray[np.bool_]  # (infosets,) whether it did


def new_histories(tree: Tree) -> Histories:
    """The tree's columns with room for a walk."""
    size = tree.histories
    return Histories(
        tree.children,
        tree.player,
        tree.infoset,
        tree.probability,
        tree.payoff,
        met=np.zeros(size, dtype=np.uint32),
        below=np.zeros(size, dtype=np.uint32),
        reach_zero=np.zeros(size),
        reach_one=np.zeros(size),
        value=np.zeros(size),
        walked=np.zeros(2),
    )


def new_seen(first: Indices, strategy: Floats, values: Floats) -> Seen:
    """A player's view that shares ``strategy`` and ``values`` with whoever learns from it."""
    infosets = len(first) - 1
    marked = np.zeros(infosets, dtype=np.bool_)
    return Seen(first, strategy, values, np.zeros(infosets), new_touched(infosets), marked)


@kernel
def forget(seen: Seen) -> None:
    """Clear the marks of the walk before."""
    for k in range(seen.touched.size[0]):
        seen.marked[seen.touched.order[k]] = False
    seen.touched.size[0] = 0


@kernel
def touch(seen: Seen, infoset: int, reach: float) -> None:
    """Note that the walk came by an information set; perfect recall gives all its histories the same own reach."""
    if seen.marked[infoset]:
        return
    seen.marked[infoset] = True
    note(seen.touched, infoset)
    seen.reach[infoset] = reach
    for s in range(seen.first[infoset], seen.first[infoset + 1]):
        seen.values[s] = 0.0


@kernel
def draw(tree: Histories, history: int, chosen: float) -> int:
    """The outcome of a chance history for a number in [0, 1)."""
    last = tree.children[history + 1] - 1
    for outcome in range(tree.children[history], last):
        chosen -= tree.probability[outcome]
        if chosen < 0.0:
            return outcome
    return last  # type: ignore[no-any-return]


@kernel
def walk_down(tree: Histories, zero: Seen, one: Seen, seed: int, iteration: int, deals: Indices) -> int:
    """Collect the histories of one walk with both players' reach; returns how many there are.

    ``deals``, where it is not empty, holds the outcome at the root for each iteration in place of a random one.
    """
    tree.met[0], tree.reach_zero[0], tree.reach_one[0] = 0, 1.0, 1.0
    count = 1
    k = 0
    while k < count:
        history = tree.met[k]
        player = tree.player[history]
        tree.below[k] = count
        if player == CHANCE:
            if history == 0 and len(deals) > 0:
                tree.met[count] = tree.children[0] + deals[iteration - 1]
            else:
                tree.met[count] = draw(tree, history, uniform(seed, iteration, history))
            tree.reach_zero[count], tree.reach_one[count] = tree.reach_zero[k], tree.reach_one[k]
            count += 1
        elif player != TERMINAL:
            infoset = tree.infoset[history]
            mine = zero if player == 0 else one
            touch(mine, infoset, tree.reach_zero[k] if player == 0 else tree.reach_one[k])
            for a in range(tree.children[history + 1] - tree.children[history]):
                probability = mine.strategy[mine.first[infoset] + a]
                tree.met[count] = tree.children[history] + a
                tree.reach_zero[count] = tree.reach_zero[k] * (probability if player == 0 else 1.0)
                tree.reach_one[count] = tree.reach_one[k] * (probability if player == 1 else 1.0)
                count += 1
        k += 1
    return count


@kernel
def walk_up(tree: Histories, zero: Seen, one: Seen, count: int) -> None:
    """From the leaves to the root: the value of each history, and what both players' actions earned."""
    for back in range(count):
        k = count - 1 - back
        history, below = tree.met[k], tree.below[k]
        player = tree.player[history]
        if player == TERMINAL:
            tree.value[k] = tree.payoff[history]
        elif player == CHANCE:
            tree.value[k] = tree.value[below]
        else:
            mine = zero if player == 0 else one
            opponent = tree.reach_one[k] if player == 0 else -tree.reach_zero[k]
            start = mine.first[tree.infoset[history]]
            value = 0.0
            for a in range(tree.children[history + 1] - tree.children[history]):
                value += mine.strategy[start + a] * tree.value[below + a]
                mine.values[start + a] += opponent * tree.value[below + a]
            tree.value[k] = value


@kernel
def sample_chance(tree: Histories, zero: Seen, one: Seen, seed: int, iteration: int, deals: Indices) -> float:
    """Walk one deal; both players' views are overwritten. Returns player 0's expected payoff in it."""
    forget(zero)
    forget(one)
    walk_up(tree, zero, one, walk_down(tree, zero, one, seed, iteration, deals))
    tree.walked[0] += 1.0
    tree.walked[1] += tree.value[0]
    return tree.value[0]  # type: ignore[no-any-return]
