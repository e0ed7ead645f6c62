"""Games in a user's own file, such as ``./my_game.py:MyGame(cards=4)``."""

from __future__ import annotations

import inspect
from contextlib import suppress
from fractions import Fraction
from types import ModuleType
from typing import Any

from regretlab.errors import UserError, unknown
from regretlab.games.protocol import Game
from regretlab.own_file import guarded, load_from_file, split_place
from regretlab.spec import number, parse_call

_PARTS = ("name", "root", "player", "actions", "child", "label", "payoff")
"""What every game has; one without chance may leave out ``chance``."""


def load_user_game(name: str) -> Game:
    """Run the file and make the game that stands after the colon: a class, a function that makes a game, or a game.

    The game remembers in ``loaded_from`` how it was asked for: by its own name it would not be found again.
    """
    path, call = split_place(name, "game")
    short, arguments = parse_call(call)
    game = _made(path, short, load_from_file(path, short, "game", _may_be_meant), arguments)
    _check_parts(f"'{short}' in '{path}'", game)
    with suppress(AttributeError):  # a class with __slots__ has no place for it; its games are to be given again
        object.__setattr__(game, "loaded_from", name)
    return game  # type: ignore[no-any-return]


def _may_be_meant(module: ModuleType, value: object) -> bool:
    """Whether something in a module is a game, a class of games, or a function of the module's own."""
    return hasattr(value, "root") or (inspect.isfunction(value) and value.__module__ == module.__name__)


def _check_parts(what: str, game: object) -> None:
    missing = [part for part in _PARTS if not hasattr(game, part)]
    if missing:
        raise UserError(f"{what} is no game: it has no {', '.join(missing)}")
    if isinstance(game, type):
        raise UserError(f"{what} gives a class; it should give a game made from it")


def _made(path: str, short: str, found: Any, arguments: dict[str, str]) -> Any:
    """What a class or a function makes of the arguments, or the game that is there already."""
    if not callable(found) or (hasattr(found, "root") and not isinstance(found, type)):
        if arguments:
            raise UserError(f"'{short}' in '{path}' is not a class or function and takes no arguments")
        return found
    values = {key: _value(text) for key, text in arguments.items()}
    known = guarded(path, lambda: inspect.signature(found).parameters)
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in known.values())
    for key in values:
        if key not in known and not takes_any:
            raise unknown(f"argument of {short}", key, known)
    return guarded(path, lambda: found(**values))


def _value(text: str) -> int | Fraction | bool | str:
    """A number where the text reads as one, a truth value for true and false, else the text."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        value = number("value", text)
    except UserError:
        return text
    return int(value) if value.denominator == 1 else value
