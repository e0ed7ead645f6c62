"""The public conformance check for games."""

from __future__ import annotations

from collections import deque

from regretlab.errors import GameError
from regretlab.games.protocol import TERMINAL, Game
from regretlab.games.registry import as_rules
from regretlab.games.walk import MOST_HISTORIES, walk

LONGEST_GAME = 100_000
"""Moves after which a history counts as endless."""

PLAYOUTS = 8
"""How many one-sided playouts look for an endless history before the walk."""


def check_game(game: str | Game, limit: int = MOST_HISTORIES) -> None:
    """Raise GameError, naming the offending history, unless ``game`` keeps every promise of the protocol.

    Probabilities sum to 1, players remember what they did, an information set offers the same actions throughout,
    labels are unique across players, payoffs are finite, and every history ends.

    >>> check_game("kuhn")
    """
    rules = as_rules(game)
    for action in range(PLAYOUTS):
        _playout(rules, action)
    deque(walk(rules, limit), maxlen=0)


def _playout(game: Game, action: int) -> None:
    """Always take the same action: where a history has no end, one of these usually follows it.

    The walk alone would find that out too, but only after it has met ``limit`` histories.
    """
    state = game.root()
    for _ in range(LONGEST_GAME):
        if game.player(state) == TERMINAL:
            return
        count = len(game.actions(state))
        if count == 0:
            return  # the walk names this history
        state = game.child(state, min(action, count - 1))
    raise GameError(f"{game.name}: always taking action {action}, a history goes on after {LONGEST_GAME:,} moves")
