"""Games by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from importlib import import_module
from typing import Any

from regretlab.errors import UserError, unknown
from regretlab.games.goofspiel import Goofspiel
from regretlab.games.kuhn import Kuhn
from regretlab.games.leduc import Leduc
from regretlab.games.liars_dice import LiarsDice
from regretlab.games.matrix import MatchingPennies, Matrix, RockPaperScissors
from regretlab.games.protocol import Game
from regretlab.games.user_file import load_user_game
from regretlab.own_file import is_in_a_file
from regretlab.spec import parse_call

GAMES: dict[str, Callable[..., Game]] = {
    "kuhn": Kuhn,
    "leduc": Leduc,
    "liars_dice": LiarsDice,
    "goofspiel": Goofspiel,
    "matrix": Matrix,
    "rps": RockPaperScissors,
    "matching_pennies": MatchingPennies,
}
"""Every game that has a name; the class's fields are the arguments that the name takes."""


FOREIGN = {
    "efg": "regretlab.interop.gambit:EfgGame",
    "openspiel": "regretlab.interop.openspiel:OpenSpielGame",
}
"""Where the games of other libraries come from, by the word before the colon; imported when one is asked for."""


def as_rules(game: str | Game) -> Game:
    """The rules of a game given by name or as rules already."""
    if isinstance(game, str):
        return load(game)
    if isinstance(game, type) or not hasattr(game, "root"):
        raise UserError(f"{game!r:.60} is no game; give a name such as kuhn, or an object with the methods of a game")
    return game


def load(name: str) -> Game:
    """Make the game that a name with arguments describes.

    ``openspiel:`` hands everything after the colon to OpenSpiel untouched, and ``./my_game.py:MyGame`` is a game in a
    file of one's own.

    >>> load("kuhn(ante=1, bet=2)").name
    'kuhn(bet=2)'
    """
    if not isinstance(name, str):
        raise UserError(f"{name!r:.60} is no name of a game; write it like kuhn or kuhn(bet=2)")
    library, colon, text = name.partition(":")
    if colon and library in FOREIGN:
        module, _, maker = FOREIGN[library].partition(":")
        return getattr(import_module(module), maker)(text)  # type: ignore[no-any-return]
    if is_in_a_file(name):
        return load_user_game(name)
    short, arguments = parse_call(name)
    if short not in GAMES:
        raise unknown("game", short, GAMES)
    make: Any = GAMES[short]
    keys = [field.name for field in dataclasses.fields(make)]
    for key in arguments:
        if key not in keys:
            raise unknown(f"argument of {short}", key, keys)
    try:
        return make(**arguments)  # type: ignore[no-any-return]
    except UserError as error:
        raise UserError(f"{name}: {error}") from None
