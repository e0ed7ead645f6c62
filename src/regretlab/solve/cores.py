"""Full feedback on several cores, for games so large that it pays: the same numbers to the last bit.

The product is split by rows. A player's information sets are split into *groups* that hand nothing to each other and a
small *crown* above them: groups learn at the same time, then the crown; the new plan goes down the other way. Within a
group everything happens in the usual order, so every sum has its terms in the usual order.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretlab.forms import SequenceForm, SparseMatrix, SparsePayoff, Treeplex
from regretlab.forms.kernel import Floats, Indices, kernel
from regretlab.forms.passes import sparse_product
from regretlab.rules import Step, Update
from regretlab.solve.algorithm import Algorithm
from regretlab.solve.feedback import Feedback
from regretlab.solve.side import Side

ENTRIES_THAT_PAY = 1_000_000
"""Payoff entries from which on several cores are used unless told otherwise; below, handing work out costs more."""


def cores_to_use(form: SequenceForm) -> int:
    """All that this process may use where it pays, else one."""
    payoff = form.payoff
    large = isinstance(payoff, SparsePayoff) and len(payoff.matrices[0].entry) >= ENTRIES_THAT_PAY
    return _available() if large else 1


def _available() -> int:
    affinity: Callable[[int], Iterable[int]] | None = getattr(os, "sched_getaffinity", None)
    return len(list(affinity(0))) if affinity is not None else os.cpu_count() or 1


INFOSETS_THAT_PAY = 20_000
"""A player's information sets from which on they are cut into groups: they then take longer than waking a core up."""

FINENESS = 32
"""How many branches a group has at least, so that groups come out about equal."""


class Cut(NamedTuple):
    """A player's information sets, children before parents in each part."""

    groups: list[Indices]
    crown: Indices


def cut(treeplex: Treeplex, pieces: int) -> Cut:
    """Cut where there is little enough below, and put what is below into about ``pieces`` groups.

    All that hangs below one sequence stays together, so each group adds to the values of its own sequences and of the
    crown's sequences that nobody else adds to. Only below the empty sequence every information set is on its own:
    several groups add to its value, which nobody reads. Neighbours share a group, because they share cache lines.
    """
    subtree, below = _sizes(treeplex)
    owner = _owners(treeplex)
    most = treeplex.infosets // (FINENESS * pieces)
    branch = np.full(treeplex.infosets, -1, dtype=np.int64)  # what it hangs on: a sequence, or itself below the root
    for i, before in enumerate(treeplex.parent.tolist()):
        above = branch[owner[before]] if before else -1
        own, size = (before, below[before]) if before else (treeplex.sequences + i, subtree[i])
        branch[i] = above if above >= 0 else own if size <= most else -1
    inside = branch >= 0
    _, number, sizes = np.unique(branch[inside], return_inverse=True, return_counts=True)
    ends = np.cumsum(sizes)
    group = np.full(treeplex.infosets, -1, dtype=np.int64)
    group[inside] = ((ends - sizes) * pieces // max(1, sum(sizes.tolist())))[number]
    upwards = np.arange(treeplex.infosets, dtype=np.uint32)[::-1]
    return Cut(
        [upwards[group[::-1] == k].copy() for k in range(pieces) if (group == k).any()],
        upwards[group[::-1] == -1].copy(),
    )


def _pays(treeplex: Treeplex) -> bool:
    return treeplex.infosets >= INFOSETS_THAT_PAY


def _uncut(treeplex: Treeplex) -> Cut:
    """Everything is crown."""
    return Cut([], np.arange(treeplex.infosets, dtype=np.uint32)[::-1].copy())


def _sizes(treeplex: Treeplex) -> tuple[list[int], list[int]]:
    """How many information sets there are from each one on, and below each sequence."""
    subtree, below = [0] * treeplex.infosets, [0] * treeplex.sequences
    first, parent = treeplex.first.tolist(), treeplex.parent.tolist()
    for i in reversed(range(treeplex.infosets)):
        subtree[i] = 1 + sum(below[first[i] : first[i + 1]])
        below[parent[i]] += subtree[i]
    return subtree, below


def _owners(treeplex: Treeplex) -> list[int]:
    """The information set of each sequence; the empty one belongs to none and stands as 0."""
    first = treeplex.first.tolist()
    return [0, *(i for i in range(treeplex.infosets) for _ in range(first[i], first[i + 1]))]


@kernel
def learn_part(mine: Side, order: Indices, update: Update, step: Step) -> None:
    """Let a part of the information sets learn, children before parents."""
    update(step, order, len(order), mine.first, mine.parent, mine.regret, mine.values, mine.strategy, mine.memory)


@kernel
def plan_part(mine: Side, order: Indices) -> None:
    """The realisation plan of a part; that of what is above it has to be there."""
    for k in range(len(order)):
        i = order[len(order) - 1 - k]
        reach = mine.plan[mine.parent[i]]
        for s in range(mine.first[i], mine.first[i + 1]):
            mine.plan[s] = reach * mine.strategy[s]


@kernel
def count_part(plan: Floats, total: Floats, step: Step) -> None:
    """Add a stretch of the plan to the average."""
    for s in range(len(plan)):
        total[s] = total[s] * step.fade + step.weight * plan[s]


class CoresFeedback(Feedback):
    """All deals, as in FullFeedback, by several threads; kernels let go of Python's lock.

    Every core gets one piece of the work. Smaller ones would even out better, but each costs ten microseconds to hand
    out, and a core more than that to wake up.
    """

    def __init__(self, payoff: SparsePayoff, treeplexes: Sequence[Treeplex], sides: Sequence[Side], cores: int) -> None:
        self._payoff, self._sides = payoff, sides
        self._pool = ThreadPoolExecutor(max(1, cores - 1))  # this thread is one of them
        self._cuts = [cut(treeplex, cores) if _pays(treeplex) else _uncut(treeplex) for treeplex in treeplexes]
        self._rows = [_stretches(matrix.first, cores) for matrix in payoff.matrices]
        self._stretches = [
            _stretches(np.arange(len(side.plan) + 1), cores if parts.groups else 1)
            for side, parts in zip(sides, self._cuts, strict=True)
        ]

    def see(self, players: Sequence[int], step: Step) -> None:
        """The gradient of each player against the other's plan, a stretch of rows for each core."""
        for player in players:
            matrix, mine, theirs = self._payoff.matrices[player], self._sides[player], self._sides[1 - player]
            self._all(partial(_product_part, matrix, theirs.plan, mine.values), self._rows[player])

    def learn(self, player: int, algorithm: Algorithm, step: Step) -> None:
        """Average and groups, then the crown, then the plan from the crown down."""
        side, parts = self._sides[player], self._cuts[player]
        self._all(lambda piece: count_part(*_stretch(side, piece), step), self._stretches[player])
        self._all(lambda order: learn_part(side, order, algorithm.update, step), parts.groups)
        learn_part(side, parts.crown, algorithm.update, step)
        plan_part(side, parts.crown)
        self._all(lambda order: plan_part(side, order), parts.groups)

    def advance(self, algorithm: Algorithm, steps: Floats) -> bool:
        """The plain loop does it: what Python costs between two passes does not show here."""
        return False

    def _all(self, work: Callable[[Any], None], pieces: Sequence[Any]) -> None:
        """Do the first piece here, hand the others out, and wait for them.

        Handing all of them out is simpler, but wakes up one thread more: Kuhn with 700 cards takes a sixth longer.
        """
        others = [self._pool.submit(work, piece) for piece in pieces[1:]]
        for piece in pieces[:1]:
            work(piece)
        for other in others:
            other.result()


def _product_part(matrix: SparseMatrix, plan: Floats, out: Floats, rows: tuple[int, int]) -> None:
    low, high = rows
    sparse_product(matrix.first[low : high + 1], matrix.column, matrix.entry, plan, out[low:high])


def _stretch(side: Side, piece: tuple[int, int]) -> tuple[Floats, Floats]:
    low, high = piece
    return side.plan[low:high], side.total[low:high]


def _stretches(first: NDArray[Any], pieces: int) -> list[tuple[int, int]]:
    """Stretches of rows with about the same number of entries each."""
    bounds = np.searchsorted(first, np.linspace(0, int(first[-1]), pieces + 1)[1:-1]).tolist()
    ends = [0, *bounds, len(first) - 1]
    return [(low, high) for low, high in pairwise(ends) if low < high]
