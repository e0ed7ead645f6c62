"""What can be measured of a run after an iteration."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from regretlab.endgames.spot import PLAYERS
from regretlab.errors import unknown
from regretlab.evaluation import distance_to_equilibria
from regretlab.feedback.chance import ChanceFeedback
from regretlab.forms import AnyForm
from regretlab.solving import Solution, Solver

OF_A_SOLUTION = (
    "exploitability",
    "current_exploitability",
    "value",
    "nash_conv",
    "cce_gap",
    "regret_bound",
    "zero_regrets",
    "never_played",
)
"""What a ``Solution`` says of itself under this name."""

USUAL_MEASURES = OF_A_SOLUTION[:3]

OF_A_SPOT = (
    "exploitability_of_pot",
    *(f"ev of {who}" for who in PLAYERS),
    *(f"equity of {who}" for who in PLAYERS),
    "pairs",
)
"""What is measured of a spot in a batch besides: ``pairs`` is how much the pairs of hands weigh that its board leaves.

How often each first action is taken comes after these, see ``frequency_of``.
"""

SPOT_MEASURES = ("exploitability", "value", *OF_A_SPOT)
DISTANCE, FINAL_VALUE = "distance", "final_value"

LATE = 10
"""The final value is the mean over the last iterations: one in so many of all."""

FREQUENCY = "frequency of "

SECONDS = "seconds"
"""The measure that every run has: solving time so far, compilation and evaluation excluded."""


class Measurement(NamedTuple):
    """One number: what was measured after an iteration."""

    iteration: int
    measure: str
    amount: float | None  # None where it means nothing, as a bound that does not hold for a recipe


class Walked(NamedTuple):
    """What chance sampling has seen up to an iteration."""

    deals: int
    earned: float  # player 0's expected payoff in each of them when it was walked, summed


class Look(NamedTuple):
    """What a measure looks at."""

    solution: Solution
    before: Walked | None = None  # up to where the last iterations begin; None where deals are not sampled
    now: Walked | None = None


LONGEST_ADVANCE = 100_000
"""Iterations at a time; the steps of all of them are in memory."""


def advance_to(solver: Solver, iteration: int) -> None:
    """Go on until that many iterations are done, with nobody looking."""
    while solver.iteration < iteration:
        solver.advance(min(LONGEST_ADVANCE, iteration - solver.iteration))


Measure: TypeAlias = Callable[[Look], float | None]
"""What a measure amounts to; None where it means nothing, as a bound that does not hold for a recipe."""


def walked(solver: Solver) -> Walked | None:
    """What chance sampling has seen so far."""
    return Walked(*solver.feedback.walked) if isinstance(solver.feedback, ChanceFeedback) else None


def late_from(checkpoint: int) -> int:
    """The iteration after which the last ones begin: a tenth of them, and at least one.

    >>> late_from(10_000), late_from(7)
    (9000, 6)
    """
    return checkpoint - max(1, checkpoint // LATE)


def _final_value(look: Look) -> float | None:
    """The mean of the sampled values of the last tenth: noise of the deals around the value of the last strategies."""
    if look.before is None or look.now is None:
        return None
    return (look.now.earned - look.before.earned) / (look.now.deals - look.before.deals)


MEASURES: dict[str, Measure] = {
    **{name: attrgetter(f"solution.{name}") for name in OF_A_SOLUTION},
    DISTANCE: lambda look: distance_to_equilibria(look.solution.form, look.solution.strategy).distance,
    FINAL_VALUE: _final_value,
}
"""The measures that have a name; there is also a ``Probability`` for every action."""


def actions_at(form: AnyForm, label: str) -> tuple[str, ...]:
    """The names of the actions at an information set."""
    player = form.owner(label)
    if player is None:
        raise unknown("information set", label, form.labels)
    return form.treeplexes[player].actions[form.treeplexes[player].index[label]]


def check_action(form: AnyForm, label: str, action: str) -> None:
    """Raise UserError where the game has no such information set, or no such action there."""
    actions = actions_at(form, label)
    if action not in actions:
        raise unknown(f"action at '{label}'", action, actions)


@dataclass(frozen=True)
class Probability:
    """How likely an action is in the average strategy, or in the current one."""

    strategy: str
    label: str
    action: str

    def __call__(self, look: Look) -> float:
        strategy = look.solution.strategy if self.strategy == "average" else look.solution.current
        return strategy[self.label][self.action]


_PROBABILITY = re.compile(r"(?P<strategy>average|current)\((?P<label>.+): (?P<action>.+)\)")


def frequency_of(action: str) -> str:
    """The measure that says how often an action is taken at the first decision of a spot."""
    return f"{FREQUENCY}{action}"


def is_measure(name: str) -> bool:
    """Whether something that can be measured has this name."""
    known = name in MEASURES or name in OF_A_SPOT or name.startswith(FREQUENCY)
    return known or _PROBABILITY.fullmatch(name) is not None


def find_measure(name: str) -> Measure | Probability:
    """The measure of a name.

    >>> find_measure("average(J: bet)")
    Probability(strategy='average', label='J', action='bet')
    """
    if name in MEASURES:
        return MEASURES[name]
    match = _PROBABILITY.fullmatch(name)
    if match is None:
        raise unknown("measure", name, [*MEASURES, "average(LABEL: ACTION)", "current(LABEL: ACTION)"])
    return Probability(**match.groupdict())
