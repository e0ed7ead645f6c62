"""Games: pure rules, one file each, and the check that they keep the protocol."""

from regretlab.games.check import check_game
from regretlab.games.kuhn import Kuhn
from regretlab.games.protocol import CHANCE, TERMINAL, Game, Number
from regretlab.games.registry import GAMES, load

__all__ = ["CHANCE", "GAMES", "TERMINAL", "Game", "Kuhn", "Number", "check_game", "load"]
