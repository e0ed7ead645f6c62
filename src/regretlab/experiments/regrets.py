"""Cumulative regrets: which action's are worth a picture."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretlab.errors import UserError, unknown
from regretlab.forms import SequenceForm

if TYPE_CHECKING:
    from regretlab.experiments.comparison import Row
    from regretlab.experiments.trace import Trace


SINGLE_SWINGS = 1_000
"""Regrets are drawn up to this iteration: single swings can still be told apart there."""


class Action(NamedTuple):
    """An action at an information set."""

    label: str
    action: str

    def __str__(self) -> str:
        return f"{self.label}:{self.action}"


def actions_at(form: SequenceForm, label: str) -> tuple[str, ...]:
    """The names of the actions at an information set."""
    player = form.owner(label)
    if player is None:
        raise unknown("information set", label, form.labels)
    return form.treeplexes[player].actions[form.treeplexes[player].index[label]]


def read_action(form: SequenceForm, text: str) -> Action:
    """The action that ``LABEL:ACTION`` names; the label may contain colons itself."""
    label, colon, action = str(text).rpartition(":")
    if not colon:
        raise UserError(f"'{text}' names no action; write LABEL:ACTION, such as {_example(form)}")
    if action not in actions_at(form, label):
        raise unknown(f"action at '{label}'", action, actions_at(form, label))
    return Action(label, action)


def _example(form: SequenceForm) -> Action:
    return Action(form.labels[0], actions_at(form, form.labels[0])[-1])


def telling_action(form: SequenceForm, labels: Sequence[str], rows: Sequence[Row]) -> Action | None:
    """The action whose regrets show best what truncation does.

    It is the one that was deepest in debt and yet came back: the largest negative regret that some run has paid back
    later. A rule that truncates never has such a debt. Where no debt was paid back, the deepest counts. Recipes that
    sample are only asked if all do: their debts are noise.
    """
    rows = [row for row in rows if row.recipe.feedback == "full"] or rows
    every = [(label, action, k) for label in labels for k, action in enumerate(actions_at(form, label))]
    seen = [[_early(trace, label)[:, k] for row in rows for trace in row.traces] for label, _, k in every]
    debts = [(max(map(_debt_paid_back, lines)), max(-line.min() for line in lines)) for lines in seen if lines]
    if not debts:
        return None
    best = max(range(len(debts)), key=lambda place: debts[place])
    return Action(*every[best][:2])


def _early(trace: Trace, label: str) -> NDArray[np.float64]:
    """The part that is drawn."""
    return trace.regrets[label][: bisect_right(trace.looks, SINGLE_SWINGS)]


def _debt_paid_back(regret: NDArray[np.float64]) -> float:
    """The largest negative regret before a positive one."""
    positive = np.flatnonzero(regret > 0)
    return max(0.0, -float(regret[: positive[-1]].min())) if len(positive) and positive[-1] else 0.0
