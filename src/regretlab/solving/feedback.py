"""Feedbacks: which regrets the rule sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from regretlab.errors import UserError, unknown
from regretlab.feedback import new_ground, new_histories, new_seen, new_walker, sample_chance
from regretlab.forms import SequenceForm, SparsePayoff, Tree
from regretlab.forms.kernel import Floats, Indices
from regretlab.games import CHANCE
from regretlab.rules import Step
from regretlab.solving.algorithm import Algorithm
from regretlab.solving.fused import (
    advance_chance,
    advance_external,
    advance_full,
    advance_outcome,
    see_external,
    see_outcome,
)
from regretlab.solving.side import Side, learn, learn_from_walk, learn_where_touched

Learned: TypeAlias = dict[str, NDArray[Any]]
"""What networks and their memories hold, by name."""


class Feedback(Protocol):
    """How a pass looks at the game, and who learns from it how."""

    def see(self, players: Sequence[int], step: Step) -> None:
        """Fill in the values that ``players`` learn from."""

    def learn(self, player: int, algorithm: Algorithm, step: Step) -> None:
        """Let one player learn from what was seen.

        The strategy that was played counts in the average here or, where walks count what they come by, in ``see``.
        """

    def advance(self, algorithm: Algorithm, steps: Floats) -> bool:
        """All iterations in one kernel; False if there is none for this payoff, and nothing was done."""

    def settle(self, iteration: int) -> None:
        """Bring the average up to date before it is looked at; most keep it so."""
        return

    def told(self) -> str:
        """What there is to tell about a run beside its exploitability."""
        return ""

    def learned(self) -> Learned:
        """What a run needs beside the sides to go on later."""
        return {}

    def restore(self, learned: Learned) -> None:
        """Go on with what ``learned`` gave."""
        return


class FullFeedback(Feedback):
    """All deals, weighted with their chance probability: one gradient for each player."""

    def __init__(self, form: SequenceForm, sides: tuple[Side, Side]) -> None:
        self._payoff = form.payoff
        self._sides = sides

    def see(self, players: Sequence[int], step: Step) -> None:
        """The gradient of each player against the other's plan."""
        for player in players:
            self._payoff.gradient(player, self._sides[1 - player].plan, self._sides[player].values)

    def learn(self, player: int, algorithm: Algorithm, step: Step) -> None:
        """One pass over all information sets of the player."""
        learn(self._sides[player], algorithm.update, step)

    def advance(self, algorithm: Algorithm, steps: Floats) -> bool:
        """For the sparse payoff; any other goes through the plain loop."""
        if not isinstance(self._payoff, SparsePayoff):
            return False
        advance_full(*self._sides, *self._payoff.matrices, *algorithm, steps)
        return True


class ChanceFeedback(Feedback):
    """One deal an iteration, drawn with its probability, or taken from a given list."""

    def __init__(self, form: SequenceForm, sides: tuple[Side, Side], seed: int, deals: Sequence[str] | None) -> None:
        tree = histories_of(form)
        self._tree = new_histories(tree)
        self._sides = sides
        zero, one = sides
        self._seen = (
            new_seen(zero.first, zero.strategy, zero.values),
            new_seen(one.first, one.strategy, one.values),
        )
        self._seed = seed
        self._deals = read_deals(tree, deals or ())

    @property
    def walked(self) -> tuple[int, float]:
        """How many deals were walked, and the sum of what player 0 expected in them when they were."""
        walks, earned = self._tree.walked.tolist()
        return int(walks), earned

    def see(self, players: Sequence[int], step: Step) -> None:
        """Walk the deal of this iteration; both players see it, whoever learns."""
        sample_chance(self._tree, *self._seen, self._seed, int(step.number), self._deals)

    def learn(self, player: int, algorithm: Algorithm, step: Step) -> None:
        """Only the information sets that the walk came by."""
        learn_where_touched(self._sides[player], self._seen[player], algorithm.update, step)

    def advance(self, algorithm: Algorithm, steps: Floats) -> bool:
        """Many deals in one kernel."""
        advance_chance(*self._sides, *self._seen, self._tree, *algorithm, steps, self._seed, self._deals)
        return True


class ExternalFeedback(Feedback):
    """A walk for each player who learns: all own actions, and one draw of everything else."""

    def __init__(self, form: SequenceForm, sides: tuple[Side, Side], seed: int) -> None:
        self._ground = new_ground(histories_of(form))
        self._sides = sides
        zero, one = sides
        self._walkers = (
            new_walker(0, zero.first, zero.strategy, zero.values, zero.total),
            new_walker(1, one.first, one.strategy, one.values, one.total),
        )
        self._seed = seed

    def see(self, players: Sequence[int], step: Step) -> None:
        """Walk for each of them, and count the other one's strategy in the average."""
        for player in players:
            see_external(self._ground, self._walkers[player], self._walkers[1 - player], self._seed, step)

    def learn(self, player: int, algorithm: Algorithm, step: Step) -> None:
        """Only the information sets that the player's own walk came by."""
        learn_from_walk(self._sides[player], self._walkers[player].touched, algorithm.update, step)

    def advance(self, algorithm: Algorithm, steps: Floats) -> bool:
        """Many walks in one kernel."""
        advance_external(*self._sides, *self._walkers, self._ground, *algorithm, steps, self._seed)
        return True


class OutcomeFeedback(ExternalFeedback):
    """The same along one history, with own actions drawn, too: from the strategy, and with probability ε from all."""

    def __init__(self, form: SequenceForm, sides: tuple[Side, Side], seed: int, epsilon: float) -> None:
        super().__init__(form, sides, seed)
        self._epsilon = epsilon

    def see(self, players: Sequence[int], step: Step) -> None:
        """Walk for each of them, and count the other one's strategy in the average."""
        for player in players:
            mine, theirs = self._walkers[player], self._walkers[1 - player]
            see_outcome(self._ground, mine, theirs, self._epsilon, self._seed, step)

    def advance(self, algorithm: Algorithm, steps: Floats) -> bool:
        """Many walks in one kernel."""
        advance_outcome(*self._sides, *self._walkers, self._ground, *algorithm, steps, self._seed, self._epsilon)
        return True


def histories_of(form: SequenceForm) -> Tree:
    """The histories of a game, if they were kept."""
    if form.tree is None:
        raise UserError(f"{form.name} was compiled without its histories, which sampling needs")
    return form.tree


def read_deals(tree: Tree, deals: Sequence[str]) -> Indices:
    """The outcomes at the root that names such as ``JQ`` stand for."""
    if deals and tree.player[0] != CHANCE:
        raise UserError("deals were given, but the game does not begin with one")
    names = tree.names[int(tree.children[0]) : int(tree.children[1])]
    numbers = {name: number for number, name in enumerate(names)}
    for deal in deals:
        if deal not in numbers:
            raise unknown("deal", deal, names)
    return np.array([numbers[deal] for deal in deals], dtype=np.uint32)
