"""Rules as plain online learners on a stream of losses, the form in which their theorems are stated."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from regretlab.errors import UserError
from regretlab.forms.kernel import Floats, Indices, allocating_kernel
from regretlab.rules.accumulate import PLAIN_STEP, Step
from regretlab.rules.custom import fault
from regretlab.rules.update import Update
from regretlab.spec import whole

LARGEST_VALUE = 1e290
"""Beyond this the sums of a long stream may leave the range of floats."""


class Learner:
    """One information set that plays against whatever losses come.

    >>> from regretlab.rules import built_in_update
    >>> learner = Learner(built_in_update("sum", predicts=False, weighing="regret-matching"), actions=3)
    >>> learner.observe([1.0, 0.0, 0.5]).round(3)
    array([0., 1., 0.])
    """

    def __init__(self, update: Update, actions: int, step: Callable[[int], Step] = lambda _: PLAIN_STEP) -> None:
        actions = whole("actions", actions, least=1)
        self._update = update
        self._step = step
        # One information set, number 0, with nothing before it; entry 0 of the arrays is the empty sequence's.
        self._first = np.array([1, actions + 1], dtype=np.uint32)
        self._kept = np.zeros(actions + 1)
        self._strategy = np.full(actions + 1, 1.0 / actions)
        self._memory = np.zeros(1)
        self._regret = np.zeros(actions)
        self._largest = 0.0  # the largest value seen: ties are relative to it
        self.rounds = 0

    @property
    def strategy(self) -> Floats:
        """The distribution that is played next."""
        return self._strategy[1:].copy()

    @property
    def kept(self) -> Floats:
        """What the rule keeps: the cumulative regrets as it accumulates them, truncated where it truncates."""
        return self._kept[1:].copy()

    @property
    def regret(self) -> Floats:
        """The true regret for each action: own cumulative loss minus that action's."""
        return self._regret.copy()

    def observe(self, losses: ArrayLike | None = None, *, utilities: ArrayLike | None = None) -> Floats:
        """Take in one round's losses (or utilities, which are negative losses) and return the next strategy.

        Adding a constant to all losses changes nothing, and neither does multiplying every round's by one constant.
        """
        if (losses is None) == (utilities is None):
            raise UserError("observe takes losses or utilities, one of the two")
        given = utilities if losses is None else losses
        try:
            values = np.array(given, dtype=np.float64) * (1 if losses is None else -1)
        except (TypeError, ValueError):
            raise UserError(f"{given!r} are not {len(self._regret)} numbers") from None
        if values.shape != self._regret.shape:
            raise UserError(f"{values.shape} values were observed; this learner has {len(self._regret)} actions")
        if not (abs(values) <= LARGEST_VALUE).all():
            raise UserError(f"{given!r} are not all finite numbers up to {LARGEST_VALUE:g}")
        self.rounds += 1
        self._largest = max(self._largest, abs(values).max())
        earned = np.array([0.0, *values])
        state = self._first, self._kept, earned, self._strategy, self._memory
        step = self._step(self.rounds)
        learn_alone(self._update, step._replace(ties=step.ties * self._largest), *state)
        problem = fault(self._strategy[1:])
        if problem:
            raise UserError(f"in round {self.rounds}: {problem}")
        self._regret += values - earned[0]  # what the strategy earned was handed up to the empty sequence
        return self.strategy


@allocating_kernel
def learn_alone(
    update: Update,
    step: Step,
    first: Indices,
    regret: Floats,
    values: Floats,
    strategy: Floats,
    memory: Floats,
) -> None:
    """One information set, number 0, that follows no other."""
    only = np.zeros(1, dtype=np.uint32)
    update(step, only, 1, first, only, regret, values, strategy, memory)
