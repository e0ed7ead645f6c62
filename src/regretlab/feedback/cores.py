"""Full feedback on several cores, for games so large that it pays: the same numbers to the last bit.

The product is split by rows. A player's information sets are split into *groups* that hand nothing to each other and a
small *crown* above them: groups learn at the same time, then the crown; the new plan goes down the other way. Within a
group everything happens in the usual order, so every sum has its terms in the usual order.

Every core runs the whole loop on its share, and they meet where one needs what another has done.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretlab.errors import UserError
from regretlab.feedback.barrier import CAN_MEET, Counters, abandon, all_have_come, begin, meet, new_counters
from regretlab.feedback.full import FullFeedback, earn
from regretlab.feedback.protocol import Kernels, Loop
from regretlab.feedback.side import Side
from regretlab.forms import SequenceForm, SparseMatrix, Treeplex
from regretlab.forms.kernel import Floats, Indices, inlined_kernel, kernel
from regretlab.forms.passes import sparse_product
from regretlab.machine import usable_cores
from regretlab.rules import Step, Update
from regretlab.spec import whole

ENTRIES_THAT_PAY = 100_000
"""Payoff entries from which on several cores are used unless told otherwise; below, meeting takes the gain away."""


def cores_to_use(form: SequenceForm, wished: int | None) -> int:
    """As many as are wished for; otherwise all that this process may use where it pays, else one."""
    cores = checked_cores(wished, pays=form.payoff.entries >= ENTRIES_THAT_PAY)
    return 1 if form.payoff.sparse is None else cores


def checked_cores(wished: int | None, pays: bool) -> int:
    """As many as are wished for, if there are so many; otherwise all where it ``pays``, else one."""
    usable = len(usable_cores())
    if wished is not None and whole("cores", wished, least=1) > usable:
        raise UserError(f"cores={wished} are more than there are: this program may use {usable} here")
    if not CAN_MEET:
        return 1
    return wished or (usable if pays else 1)


FINENESS = 32
"""How many branches a group has at least, so that groups come out about equal."""


class Cut(NamedTuple):
    """A player's information sets, children before parents in each part."""

    groups: list[Indices]
    crown: Indices


def cut(parents: Indices, firsts: Indices, pieces: int) -> Cut:
    """Cut where there is little enough below, and put what is below into about ``pieces`` groups.

    All that hangs below one sequence stays together, so each group adds to the values of its own sequences and of the
    crown's sequences that nobody else adds to. Only below the empty sequence every information set is on its own:
    several groups add to its value, which nobody reads. Neighbours share a group, because they share cache lines.
    """
    first, parent = firsts.tolist(), parents.tolist()
    infosets, sequences = len(parent), first[-1]
    # How many information sets there are from each one on, and below each sequence.
    subtree, below = [0] * infosets, [0] * sequences
    for i in reversed(range(infosets)):
        subtree[i] = 1 + sum(below[first[i] : first[i + 1]])
        below[parent[i]] += subtree[i]
    # The information set of each sequence; the empty one belongs to none and stands as 0.
    owner = [0, *(i for i in range(infosets) for _ in range(first[i], first[i + 1]))]
    most = infosets // (FINENESS * pieces)
    branch = np.full(infosets, -1, dtype=np.int64)  # what it hangs on: a sequence, or itself below the root
    for i, before in enumerate(parent):
        above = branch[owner[before]] if before else -1
        own, size = (before, below[before]) if before else (sequences + i, subtree[i])
        branch[i] = above if above >= 0 else own if size <= most else -1
    inside = branch >= 0
    _, number, sizes = np.unique(branch[inside], return_inverse=True, return_counts=True)
    ends = np.cumsum(sizes)
    group = np.full(infosets, -1, dtype=np.int64)
    group[inside] = ((ends - sizes) * pieces // max(1, sum(sizes.tolist())))[number]
    upwards = np.arange(infosets, dtype=np.uint32)[::-1]
    return Cut(
        [upwards[group[::-1] == k].copy() for k in range(pieces) if (group == k).any()],
        upwards[group[::-1] == -1].copy(),
    )


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
    parts = cut(treeplex.parent, treeplex.first, cores)
    nothing = np.empty(0, dtype=np.uint32)
    groups = parts.groups + [nothing] * (cores - len(parts.groups))
    rows = stretches(matrix.first, cores)
    ends = stretches(np.arange(len(side.plan) + 1), cores)
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


def stretches(first: NDArray[Any], pieces: int) -> list[int]:
    """Where stretches of rows with about the same number of entries each begin, and where the last one ends."""
    between = np.searchsorted(first, np.linspace(0, int(first[-1]), pieces + 1)[1:-1]).tolist()
    return [0, *between, len(first) - 1]


class ShareState(NamedTuple):
    """Both players, and what one core does for each of them."""

    zero: Side
    one: Side
    share_zero: Share
    share_one: Share
    counters: Counters
    core: int


class PaidShareState(NamedTuple):
    """The same for games that are not zero-sum, with what ``earn`` counts."""

    zero: Side
    one: Side
    share_zero: Share
    share_one: Share
    counters: Counters
    core: int
    earned: Floats


@inlined_kernel
def begin_share(state: ShareState | PaidShareState) -> bool:
    """Wait until all cores are there."""
    return begin(state.counters, state.core)


@inlined_kernel
def see_share(state: ShareState, who: int, step: Step) -> None:
    """A stretch of the gradient of each player who learns."""
    if who & 1:
        rows = state.share_zero.rows
        sparse_product(rows.first, rows.column, rows.entry, state.one.plan, state.share_zero.values)
    if who & 2:
        rows = state.share_one.rows
        sparse_product(rows.first, rows.column, rows.entry, state.zero.plan, state.share_one.values)


@inlined_kernel
def see_paid_share(state: PaidShareState, who: int, step: Step) -> None:
    """A stretch of the gradients that ``see_paid`` needs; the first core counts what they earn, before any learns."""
    if who & 1:
        rows = state.share_zero.rows
        sparse_product(rows.first, rows.column, rows.entry, state.one.plan, state.share_zero.values)
    rows = state.share_one.rows
    sparse_product(rows.first, rows.column, rows.entry, state.zero.plan, state.share_one.values)
    if who & 1:
        meet(state.counters, state.core)
        if state.core == 0:
            earn(state.zero, state.one, step, state.earned)


@inlined_kernel
def learn_share(state: ShareState | PaidShareState, player: int, update: Update, step: Step) -> None:
    """A core's part of one player's pass over the information sets."""
    if player == 0:
        learn_part(state.zero, state.share_zero, update, step, state.counters, state.core)
    else:
        learn_part(state.one, state.share_one, update, step, state.counters, state.core)


@kernel
def learn_part(mine: Side, share: Share, update: Update, step: Step, counters: Counters, core: int) -> None:
    """Average and group, then the crown, then the plan from the crown down, after all have seen.

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


SHARES = Kernels("shares", see_share, learn_share, begin_share)
PAID_SHARES = Kernels("paid_shares", see_paid_share, learn_share, begin_share)


SHORT_SLEEP, LONGEST_WAIT = 2e-5, 0.05
"""Seconds between two looks whether all threads have woken up, and after which they are awaited in compiled code."""


class Pace:
    """Which of two ways to do the same work is the quicker one just now: on one core, or on all.

    Cores that wait awake for each other are slow where other programs want them too, up to twenty times slower than
    one core alone, and that may change at any moment. So both ways are timed: work is done in short stretches, the way
    that is slower now is tried again from time to time, and so rarely that what the tries cost stays a small share.
    """

    STRETCH = 0.03
    """How many seconds of work are done before the next decision: many times as long as waking threads up takes."""

    TRY = 0.005
    """How many seconds a try of the other way should take."""

    LEAST_PAUSE = 0.2
    """How many seconds lie between two tries at least."""

    SHARE_OF_TRIES = 0.015
    """How much of the time tries may cost, beyond what the work would have taken anyway."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._seconds: dict[bool, float] = {}  # per iteration, by whether all cores were used
        self._next_try = 0.0
        self._together = self.TRY  # how long all cores may work before the next look: longer while all goes well

    def work(self, do: Callable[[bool, int, int], float], iterations: int) -> None:
        """Have ``iterations`` done by calls of ``do(all_cores, begin, end)``.

        Each returns how many seconds went by before the work began: what it takes to wake threads up says nothing
        about how quick they are, and would decide short tries.
        """
        done = 0
        while done < iterations:
            way, seconds, trying = self._decide()
            most = max(1, int(seconds / max(self._seconds.get(way, seconds), 1e-9)))
            end = min(done + most, iterations)
            start = self._clock()
            waking = do(way, done, end)
            self._note(way, end - done, self._clock() - start, waking, trying)
            done = end

    def _decide(self) -> tuple[bool, float, bool]:
        """Whether to use all cores next, for how many seconds, and whether that is a try."""
        if len(self._seconds) < 2:
            return bool(self._seconds), self.TRY, True  # first one core, then all
        best = self._seconds[True] < self._seconds[False]
        if self._clock() >= self._next_try:
            return not best, self.TRY, True
        return best, self._together if best else self.STRETCH, False

    def _note(self, way: bool, iterations: int, took: float, waking: float, trying: bool) -> None:
        """Take in how long some iterations took; after a try, decide when the next one comes."""
        now = (took - waking) / iterations
        if way and not trying:
            as_expected = now < 1.5 * self._seconds[way]
            self._together = min(2 * self._together, self.STRETCH) if as_expected else self.TRY
        loss = took - iterations * min(self._seconds.values(), default=now)
        self._seconds[way] = (self._seconds.get(way, now) + now) / 2
        if trying and len(self._seconds) == 2:
            self._next_try = self._clock() + max(self.LEAST_PAUSE, loss / self.SHARE_OF_TRIES)


class Crew:
    """Threads that do one run's iterations together where that is quicker; kernels let go of Python's lock.

    Every core has one share of the work for good. What a core wrote it finds in its own cache again.
    """

    def __init__(self, kernels: Kernels, cores: int, state_of: Callable[[Counters, int], Any]) -> None:
        self._kernels, self._cores, self._state_of = kernels, cores, state_of
        self._pool = ThreadPoolExecutor(cores - 1)  # the calling thread is one of them
        self._pace = Pace()

    def advance(
        self,
        loop_of: Callable[[Kernels], Loop],
        alone: Callable[[Floats], object],
        schedule: int,
        update: Any,
        steps: Floats,
    ) -> None:
        """All iterations, now on one core, by ``alone``, now on all of them; both give the same bits."""
        loop = loop_of(self._kernels)

        def do(all_cores: bool, begin: int, end: int) -> float:
            if all_cores:
                return self._advance_together(loop, schedule, update, steps[begin:end])
            alone(steps[begin:end])
            return 0.0

        if len(steps):
            self._pace.work(do, len(steps))
        else:  # compile or load both
            do(False, 0, 0)
            do(True, 0, 0)

    def _advance_together(self, loop: Loop, schedule: int, update: Any, steps: Floats) -> float:
        """Send the others off, and do the first share here when they are there; returns how long that took."""
        start = time.perf_counter()
        counters = new_counters(self._cores)
        states = [self._state_of(counters, core) for core in range(self._cores)]
        others = []
        try:
            others = [self._pool.submit(loop, state, schedule, update, steps) for state in states[1:]]
            while not all_have_come(counters) and time.perf_counter() - start < LONGEST_WAIT:
                time.sleep(SHORT_SLEEP)  # Python's lock, which they need to come, is free meanwhile
            waking = time.perf_counter() - start
            loop(states[0], schedule, update, steps)
        finally:
            abandon(counters)
            for other in others:
                other.result()
        return waking


class CoresFeedback(FullFeedback):
    """All deals, as in FullFeedback, by several threads at once where that is quicker."""

    def __init__(self, form: SequenceForm, sides: tuple[Side, Side], cores: int) -> None:
        super().__init__(form, sides)
        assert form.payoff.sparse is not None
        of_zero, of_one = (
            shares(matrix, treeplex, side, cores)
            for matrix, treeplex, side in zip(form.payoff.sparse.matrices, form.treeplexes, sides, strict=True)
        )

        def state_of(counters: Counters, core: int) -> ShareState | PaidShareState:
            parts = *sides, of_zero[core], of_one[core], counters, core
            return ShareState(*parts) if self.earned is None else PaidShareState(*parts, self.earned)

        self._crew = Crew(SHARES if self.earned is None else PAID_SHARES, cores, state_of)

    def advance(self, loop_of: Callable[[Kernels], Loop], schedule: int, update: Update, steps: Floats) -> bool:
        """All iterations, now on one core, now on all of them."""

        def alone(some: Floats) -> None:
            super(CoresFeedback, self).advance(loop_of, schedule, update, some)

        self._crew.advance(loop_of, alone, schedule, update, steps)
        return True
