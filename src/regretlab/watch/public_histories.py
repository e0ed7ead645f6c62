"""The histories of any game put together by what everybody sees: a tree that one can draw, with hands at each node.

Nothing in a game's rules says what is public, but its information sets do. Who can't tell two histories apart has seen
the same in both, so they belong to one public history; so do the histories before them; and a player's action is seen
by all, as long as nobody is known to miss it, so what follows with the same action belongs together, too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regretlab.errors import UserError
from regretlab.forms import SequenceForm
from regretlab.forms.form import Tree
from regretlab.forms.kernel import Floats


@dataclass(frozen=True, eq=False)
class PublicHistories:
    """The public tree of a game, parents before children; node 0 is the start."""

    parent: tuple[int, ...]  # (nodes,) −1 for the start
    actions: tuple[tuple[str, ...], ...]  # (nodes,) what led here: one name, or several that are not seen by all
    player: tuple[int, ...]  # (nodes,) 0, 1, CHANCE or TERMINAL
    infosets: tuple[tuple[int, ...], ...]  # (nodes,) of the player who decides there: numbers in its treeplex
    node: np.ndarray  # (histories,) the node that each history belongs to

    @property
    def nodes(self) -> int:
        """How many public histories there are."""
        return len(self.parent)


def public_histories(form: SequenceForm) -> PublicHistories:
    """The public tree of a compiled game."""
    tree = form.tree
    assert tree is not None
    before = _before(tree)
    groups = _Groups(tree.histories)
    while groups.changed:
        groups.changed = False
        _join_what_looks_alike(tree, before, groups)
    order: dict[int, int] = {}
    parent, actions, player = list[int](), list[dict[str, None]](), list[int]()
    infosets = list[dict[int, None]]()
    node = np.empty(tree.histories, dtype=np.int64)
    for history in range(tree.histories):
        root = groups.find(history)
        if root not in order:
            order[root] = len(order)
            parent.append(int(node[before[history]]) if history else -1)
            actions.append({})
            player.append(int(tree.player[history]))
            infosets.append({})
        node[history] = here = order[root]
        if history and int(node[before[history]]) != parent[here]:
            raise UserError(
                f"{form.name} can't be drawn by what everybody sees: a player there forgets how long the game has been "
                "going on"
            )
        actions[here][tree.names[history]] = None
        if tree.player[history] >= 0:
            infosets[here][int(tree.infoset[history])] = None
    return PublicHistories(tuple(parent), tuple(map(tuple, actions)), tuple(player), tuple(map(tuple, infosets)), node)


def _before(tree: Tree) -> list[int]:
    """For each history the one before it; the start is before itself."""
    return [0, *np.repeat(np.arange(tree.histories), _counts(tree)).tolist()]


def _counts(tree: Tree) -> np.ndarray:
    """How many children each history has."""
    children = tree.children.astype(np.int64)
    return np.asarray(children[1:] - children[:-1])


def _join_what_looks_alike(tree: Tree, before: list[int], groups: _Groups) -> None:
    """Once over all histories, joining each with the first one that looks the same."""
    met: dict[tuple[object, ...], int] = {}
    for history in reversed(range(1, tree.histories)):  # children first, so that what is joined goes up at once
        player, above = int(tree.player[history]), before[history]
        if player >= 0:
            groups.join(history, met.setdefault((player, int(tree.infoset[history])), history))
        follows = (groups.find(above), tree.names[history], player)
        groups.join(history, met.setdefault(("after", *follows), history))
        groups.join(above, met.setdefault(("before", groups.find(history)), above))


class _Groups:
    """Histories that were joined; what groups there are is found by following leaders (union and find)."""

    def __init__(self, count: int) -> None:
        self.leader = list(range(count))
        self.changed = True

    def find(self, member: int) -> int:
        """Who leads the group of a history."""
        while self.leader[member] != member:
            self.leader[member] = self.leader[self.leader[member]]
            member = self.leader[member]
        return member

    def join(self, one: int, other: int) -> None:
        """Make two groups one."""
        first, second = self.find(one), self.find(other)
        if first != second:
            self.leader[max(first, second)] = min(first, second)
            self.changed = True


class PublicReach:
    """How often play comes by each public history, for any pair of strategies."""

    def __init__(self, form: SequenceForm, public: PublicHistories) -> None:
        tree = form.tree
        assert tree is not None
        self.public = public
        self.before = np.array(_before(tree))
        self.chance = tree.probability
        self.mover = tree.player[self.before].astype(np.int64)
        number = np.arange(tree.histories) - tree.children.astype(np.int64)[self.before]  # which child of its parent
        first = [treeplex.first.astype(np.int64) for treeplex in form.treeplexes]
        own = [np.where(self.mover == p, tree.infoset[self.before].astype(np.int64), 0) for p in (0, 1)]
        self.sequence = [np.where(self.mover == p, first[p][own[p]] + number, 0) for p in (0, 1)]
        depth = np.zeros(tree.histories, dtype=np.int64)
        for history in range(1, tree.histories):
            depth[history] = depth[self.before[history]] + 1
        self.levels = [np.flatnonzero(depth == level) for level in range(1, int(depth.max()) + 1)]

    def shares(self, arrays: tuple[Floats, Floats]) -> list[float | None]:
        """For each node, how often it follows the node before it: None where play never comes to that one."""
        played = self.chance.copy()
        for player in (0, 1):
            played = np.where(self.mover == player, arrays[player][self.sequence[player]], played)
        reach = np.ones(len(self.before))
        for level in self.levels:  # each history is one step after another of the level before
            reach[level] = reach[self.before[level]] * played[level]
        total = np.bincount(self.public.node, weights=reach, minlength=self.public.nodes)
        above = [1.0 if parent < 0 else float(total[parent]) for parent in self.public.parent]
        return [
            float(mine / all_of) if all_of > 0 else None for mine, all_of in zip(total.tolist(), above, strict=True)
        ]
