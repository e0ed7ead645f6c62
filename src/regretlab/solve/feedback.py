"""Feedbacks: which regrets the rule sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from regretlab.errors import UserError, unknown
from regretlab.forms import SequenceForm, SparsePayoff, Tree
from regretlab.forms.kernel import Floats, Indices
from regretlab.games import CHANCE
from regretlab.rules import Step
from regretlab.sampling import new_histories, new_seen, sample_chance
from regretlab.solve.algorithm import Algorithm
from regretlab.solve.fused import advance_chance, advance_full
from regretlab.solve.side import Side, learn, learn_where_touched


class Feedback(Protocol):
    """How a pass looks at the game, and who learns from it how."""

    def see(self, players: Sequence[int], iteration: int) -> None:
        """Fill in the values that ``players`` learn from."""

    def learn(self, player: int, algorithm: Algorithm, step: Step) -> None:
        """Let one player learn from what was seen, and count the strategy that was played in the average."""

    def advance(self, algorithm: Algorithm, steps: Floats) -> bool:
        """All iterations in one kernel; False if there is none for this payoff, and nothing was done."""


class FullFeedback:
    """All deals, weighted with their chance probability: one gradient for each player."""

    def __init__(self, form: SequenceForm, sides: tuple[Side, Side]) -> None:
        self._payoff = form.payoff
        self._sides = sides

    def see(self, players: Sequence[int], iteration: int) -> None:
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


class ChanceFeedback:
    """One deal an iteration, drawn with its probability, or taken from a given list."""

    def __init__(self, form: SequenceForm, sides: tuple[Side, Side], seed: int, deals: Sequence[str] | None) -> None:
        if form.tree is None:
            raise UserError(f"{form.name} was compiled without its histories, which sampling needs")
        self._tree = new_histories(form.tree)
        self._sides = sides
        zero, one = sides
        self._seen = (
            new_seen(zero.first, zero.strategy, zero.values),
            new_seen(one.first, one.strategy, one.values),
        )
        self._seed = seed
        self._deals = read_deals(form.tree, deals or ())

    def see(self, players: Sequence[int], iteration: int) -> None:
        """Walk the deal of this iteration; both players see it, whoever learns."""
        sample_chance(self._tree, *self._seen, self._seed, iteration, self._deals)

    def learn(self, player: int, algorithm: Algorithm, step: Step) -> None:
        """Only the information sets that the walk came by."""
        learn_where_touched(self._sides[player], self._seen[player], algorithm.update, step)

    def advance(self, algorithm: Algorithm, steps: Floats) -> bool:
        """Many deals in one kernel."""
        advance_chance(*self._sides, *self._seen, self._tree, *algorithm, steps, self._seed, self._deals)
        return True


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
