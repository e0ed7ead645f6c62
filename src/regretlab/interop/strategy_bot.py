"""A bot of OpenSpiel that plays a strategy of ours; imported when one is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyspiel

from regretlab.forms import Strategy
from regretlab.interop.openspiel import label_of


class StrategyBot(pyspiel.Bot):  # type: ignore[misc]
    """One player's part of a strategy, drawn anew at every decision."""

    def __init__(self, game: Any, strategy: Strategy, player: int, seed: int) -> None:
        super().__init__()
        self.game = game
        self._strategy, self._player, self._random = strategy, player, np.random.default_rng(seed)

    def player_id(self) -> int:
        """Whom the bot plays for."""
        return self._player

    def provides_policy(self) -> bool:
        """It knows the probabilities that it draws from."""
        return True

    def restart_at(self, state: Any) -> None:
        """Nothing is remembered from one decision to the next."""

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        """The probability of each legal action."""
        probabilities: Sequence[float] = list(self._strategy[label_of(state, self._player)].values())
        # Both sides list actions in the order of OpenSpiel's numbers.
        return list(zip(state.legal_actions(self._player), probabilities, strict=True))

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """The probabilities, and the action that was drawn."""
        policy = self.get_policy(state)
        actions, probabilities = zip(*policy, strict=True)
        return policy, int(self._random.choice(actions, p=probabilities))

    def step(self, state: Any) -> int:
        """The action that was drawn."""
        return self.step_with_policy(state)[1]
