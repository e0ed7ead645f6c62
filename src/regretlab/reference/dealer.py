"""Where chance moves: one deal drawn, one deal given, or all of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

from regretlab.errors import UserError, unknown
from regretlab.games import CHANCE, Game, Number

History: TypeAlias = tuple[str, ...]
"""The names of all that has happened so far."""

Deals: TypeAlias = Literal["all"] | Sequence[str] | Callable[[int, History], int] | None
"""Which outcomes of chance an iteration walks through.

- None: one outcome at each chance history, drawn at random.
- A list of names, such as ``["JQ", "QK", "JQ"]``: what chance does at the root in iterations 1, 2, 3. Chance further
  down is drawn.
- A function of iteration and history that returns the number of the outcome.
- ``"all"``: every outcome, weighted with its probability.
"""


class Dealer:
    """Answers which outcomes are walked at a chance history, the same throughout an iteration."""

    def __init__(self, game: Game, deals: Deals, seed: int | None) -> None:
        self._game = game
        self._walks_all = isinstance(deals, str) and deals == "all"
        self._choose = deals if callable(deals) else None
        self._listed = None if self._walks_all or deals is None or callable(deals) else _numbers(game, deals)
        self._random = random.Random(seed)
        self._iteration = 0
        self._dealt: dict[History, int] = {}

    def check(self, last: int) -> None:
        """Raise UserError unless there are deals for iterations up to ``last``."""
        if self._listed is not None and len(self._listed) < last:
            end = len(self._listed)
            raise UserError(f"the list of deals ends after iteration {end}; {last} iterations need {last}")

    def outcomes(self, iteration: int, history: History, state: Any) -> list[tuple[int, Number]]:
        """The outcomes to walk, with the weight of each.

        An outcome that was drawn has weight 1: its probability is already in how often it is drawn.
        """
        if self._walks_all:
            return list(enumerate(self._game.chance(state)))
        if iteration != self._iteration:
            self._iteration, self._dealt = iteration, {}
        if history not in self._dealt:
            self._dealt[history] = self._deal(iteration, history, state)
        return [(self._dealt[history], 1)]

    def _deal(self, iteration: int, history: History, state: Any) -> int:
        if self._listed is not None and not history:
            return self._listed[iteration - 1]
        probabilities = self._game.chance(state)
        if self._choose is None:
            return self._random.choices(range(len(probabilities)), weights=probabilities)[0]
        outcome = self._choose(iteration, history)
        if outcome not in range(len(probabilities)):
            raise UserError(f"deals chose outcome {outcome!r} of {len(probabilities)} in iteration {iteration}")
        return outcome


def _numbers(game: Game, deals: Sequence[str]) -> list[int]:
    """The numbers of the root's outcomes with these names."""
    if isinstance(deals, str):
        raise UserError(f"deals='{deals}' is neither 'all' nor a list of deals")
    root = game.root()
    if game.player(root) != CHANCE:
        raise UserError(f"{game.name} does not begin with a deal, so none can be listed")
    numbers = {name: number for number, name in enumerate(game.actions(root))}
    for name in deals:
        if name not in numbers:
            raise unknown(f"deal of {game.name}", str(name), numbers)
    return [numbers[name] for name in deals]
