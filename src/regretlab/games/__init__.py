"""Games: pure rules, one file each, and the check that they keep the protocol."""

from regretlab.games.goofspiel import Goofspiel
from regretlab.games.kuhn import Kuhn
from regretlab.games.leduc import Leduc
from regretlab.games.liars_dice import LiarsDice
from regretlab.games.locked import Locked, LockedDecision
from regretlab.games.locking import Lock, lock
from regretlab.games.matrix import MatchingPennies, Matrix, RockPaperScissors
from regretlab.games.protocol import CHANCE, TERMINAL, Game, Number
from regretlab.games.public import Always, Ending, Product, PublicGame, Stronger, Table
from regretlab.games.registry import GAMES, load
from regretlab.games.size import Size
from regretlab.games.walk import check_game

__all__ = [
    "CHANCE",
    "GAMES",
    "TERMINAL",
    "Always",
    "Ending",
    "Game",
    "Goofspiel",
    "Kuhn",
    "Leduc",
    "LiarsDice",
    "Lock",
    "Locked",
    "LockedDecision",
    "MatchingPennies",
    "Matrix",
    "Number",
    "Product",
    "PublicGame",
    "RockPaperScissors",
    "Size",
    "Stronger",
    "Table",
    "check_game",
    "load",
    "lock",
]
