"""Games as environments of PettingZoo, for those who learn by playing (extra ``pettingzoo``)."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from regretlab.errors import UserError
from regretlab.games import Game
from regretlab.games.registry import as_rules


def pettingzoo_env(game: str | Game, render_mode: str | None = None) -> Any:
    """A game as a turn-based environment of PettingZoo (AEC): agents ``player_0`` and ``player_1``, chance drawn by it.

    An observation is a dictionary: ``observation``, the numbers in which the game says what the agent knew at its last
    decision (as a network of ours would see it, or a 1 at the place of the information set), and ``action_mask``,
    which actions it has now. ``infos`` have the label of the information set and the names of the actions, so that a
    solution's strategy can be asked what it would do. Rewards come at the end, in chips.
    """
    rules = as_rules(game)
    try:
        environment = import_module("regretlab.interop.environment")
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pettingzoo", "gymnasium"):
            raise
        raise UserError("PettingZoo is not installed; pip install 'regretlab[pettingzoo]' brings it") from None
    return environment.GameEnv(rules, render_mode)
