"""Full feedback on several cores, for games so large that it pays: the same numbers to the last bit.

The product is split by rows. A player's information sets are split into *groups* that hand nothing to each other and a
small *crown* above them: groups learn at the same time, then the crown; the new plan goes down the other way. Within a
group everything happens in the usual order, so every sum has its terms in the usual order.

Every core runs the whole loop on its share, and they meet where one needs what another has done.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretlab.forms import SequenceForm, SparseMatrix, SparsePayoff, Treeplex
from regretlab.forms.kernel import Floats, Indices, inlined_kernel, kernel
from regretlab.forms.passes import sparse_product
from regretlab.machine import usable_cores
from regretlab.rules import Step, Update
from regretlab.solving.algorithm import Algorithm
from regretlab.solving.feedback import FullFeedback
from regretlab.solving.fused import step_of
from regretlab.solving.meeting import Counters, abandon, begin, meet, new_counters
from regretlab.solving.schedule import ALTERNATING, ONE_PLAYER, SIMULTANEOUS
from regretlab.solving.side import Side

ENTRIES_THAT_PAY = 100_000
"""Payoff entries from which on several cores are used unless told otherwise; below, meeting takes the gain away."""


def cores_to_use(form: SequenceForm) -> int:
    """All that this process may use where it pays, else one."""
    payoff = form.payoff
    large = isinstance(payoff, SparsePayoff) and len(payoff.matrices[0].entry) >= ENTRIES_THAT_PAY
    return len(usable_cores()) if large else 1


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


class Share(NamedTuple):
    """What one core does for one player."""

    rows: SparseMatrix  # a stretch of the rows of the player's matrix
    values: Floats  # what comes out of them
    plan: Floats  # a stretch of the player's plan,
    total: Floats  # and of the average
    group: Indices  # information sets, children before parents
    crown: Indices  # those above all groups; the first core has them


def shares(matrix: SparseMatrix, treeplex: Treeplex, side: Side, cores: int) -> list[Share]:
    """Share a player's work out."""
    parts = cut(treeplex, cores)
    nothing = np.empty(0, dtype=np.uint32)
    groups = parts.groups + [nothing] * (cores - len(parts.groups))
    rows = _ends(matrix.first, cores)
    ends = _ends(np.arange(len(side.plan) + 1), cores)
    return [
        Share(
            SparseMatrix(matrix.first[rows[k] : rows[k + 1] + 1], matrix.column, matrix.entry),
            side.values[rows[k] : rows[k + 1]],
            side.plan[ends[k] : ends[k + 1]],
            side.total[ends[k] : ends[k + 1]],
            groups[k],
            nothing if k else parts.crown,
        )
        for k in range(cores)
    ]


def _ends(first: NDArray[Any], pieces: int) -> list[int]:
    """Where stretches of rows with about the same number of entries each begin, and where the last one ends."""
    between = np.searchsorted(first, np.linspace(0, int(first[-1]), pieces + 1)[1:-1]).tolist()
    return [0, *between, len(first) - 1]


@inlined_kernel
def observe_share(share: Share, theirs: Side) -> None:
    """A stretch of the gradient of one player against the other's plan."""
    sparse_product(share.rows.first, share.rows.column, share.rows.entry, theirs.plan, share.values)


@kernel
def learn_share(mine: Side, share: Share, update: Update, step: Step, counters: Counters, core: int) -> None:
    """Average and group, then the crown, then the plan from the crown down, after all have observed.

    When it returns, all have learned.
    """
    _, first, _, strategy, _, regret, _, values, memory = mine
    meet(counters, core)
    for s in range(len(share.plan)):
        share.total[s] = share.total[s] * step.fade + step.weight * share.plan[s]
    update(step, share.group, len(share.group), first, mine.parent, regret, values, strategy, memory)
    meet(counters, core)
    update(step, share.crown, len(share.crown), first, mine.parent, regret, values, strategy, memory)
    plan_part(mine, share.crown)
    meet(counters, core)
    plan_part(mine, share.group)
    meet(counters, core)


@kernel
def plan_part(mine: Side, order: Indices) -> None:
    """The realisation plan of a part; that of what is above it has to be there."""
    for k in range(len(order)):
        i = order[len(order) - 1 - k]
        reach = mine.plan[mine.parent[i]]
        for s in range(mine.first[i], mine.first[i + 1]):
            mine.plan[s] = reach * mine.strategy[s]


@kernel
def advance_share(
    core: int,
    counters: Counters,
    zero: Side,
    one: Side,
    share_zero: Share,
    share_one: Share,
    schedule: int,
    update: Update,
    steps: Floats,
) -> None:
    """What ``advance_full`` does, by one of several cores."""
    if not begin(counters, core):
        return
    for k in range(len(steps)):
        step = step_of(steps, k)
        odd = step.number % 2 == 1
        if schedule == SIMULTANEOUS:
            observe_share(share_zero, one)
            observe_share(share_one, zero)
            learn_share(zero, share_zero, update, step, counters, core)
            learn_share(one, share_one, update, step, counters, core)
        if schedule == ALTERNATING or (schedule == ONE_PLAYER and odd):
            observe_share(share_zero, one)
            learn_share(zero, share_zero, update, step, counters, core)
        if schedule == ALTERNATING or (schedule == ONE_PLAYER and not odd):
            observe_share(share_one, zero)
            learn_share(one, share_one, update, step, counters, core)


class CoresFeedback(FullFeedback):
    """All deals, as in FullFeedback, by several threads at once; kernels let go of Python's lock.

    Every core has one share of the work for good. What a core wrote it finds in its own cache again.
    """

    def __init__(self, form: SequenceForm, payoff: SparsePayoff, sides: tuple[Side, Side], cores: int) -> None:
        super().__init__(form, sides)
        self._pool = ThreadPoolExecutor(cores - 1)  # the calling thread is one of them
        by_player = [
            shares(matrix, treeplex, side, cores)
            for matrix, treeplex, side in zip(payoff.matrices, form.treeplexes, sides, strict=True)
        ]
        self._shares = list(zip(*by_player, strict=True))

    def advance(self, algorithm: Algorithm, steps: Floats) -> bool:
        """Send the others off, and do the first share here."""
        counters = new_counters(len(self._shares))
        work = [(core, counters, *self._sides, *share, *algorithm, steps) for core, share in enumerate(self._shares)]
        others = []
        try:
            others = [self._pool.submit(advance_share, *arguments) for arguments in work[1:]]
            advance_share(*work[0])
        finally:
            abandon(counters)
            for other in others:
                other.result()
        return True
