"""Games in a user's own file, such as ``./my_game.py:MyGame(cards=4)``."""

from __future__ import annotations

import inspect
import re
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from regretlab.errors import UserError, unknown
from regretlab.games.protocol import Game
from regretlab.spec import number, parse_call

Made = TypeVar("Made")

_PLACE = re.compile(r"\s*(?P<path>\S.*\.py)\s*(?::(?P<call>.*))?", re.DOTALL)

_PARTS = ("name", "root", "player", "actions", "child", "label", "payoff")
"""What every game has; one without chance may leave out ``chance``."""


def is_in_a_file(name: str) -> bool:
    """Whether the name is a place in a file: a path that ends in .py, a colon, a name and perhaps arguments."""
    return _PLACE.fullmatch(name) is not None


def load_from_file(name: str) -> Game:
    """Run the file and make the game that stands after the colon: a class, a function that makes a game, or a game.

    The game remembers in ``loaded_from`` how it was asked for: by its own name it would not be found again.
    """
    match = _PLACE.fullmatch(name)
    assert match is not None
    path, call = match["path"], match["call"]
    if not call:
        raise UserError(f"'{path}' is a file; name the game in it as well, like {path}:MyGame")
    short, arguments = parse_call(call)
    module = _run(path)
    if not hasattr(module, short):
        raise unknown(f"game in '{path}'", short, _games_in(module))
    game = _made(path, short, getattr(module, short), arguments)
    _check_parts(f"'{short}' in '{path}'", game)
    with suppress(AttributeError):  # a class with __slots__ has no place for it; its games are to be given again
        object.__setattr__(game, "loaded_from", name)
    return game  # type: ignore[no-any-return]


def _run(path: str) -> ModuleType:
    """The module in a file, run afresh: a file that was edited must not be taken from a cache."""
    try:
        source = Path(path).read_bytes()
    except FileNotFoundError:
        raise UserError(f"there is no file '{path}'") from None
    except (OSError, ValueError) as error:
        raise UserError(f"can't read '{path}': {getattr(error, 'strerror', None) or error}") from None
    module = ModuleType(f"<{path}>")
    module.__file__ = path
    sys.modules[module.__name__] = module  # dataclasses look their module up there
    _guarded(path, lambda: exec(compile(source, path, "exec", dont_inherit=True), module.__dict__))
    return module


def _check_parts(what: str, game: object) -> None:
    missing = [part for part in _PARTS if not hasattr(game, part)]
    if missing:
        raise UserError(f"{what} is no game: it has no {', '.join(missing)}")
    if isinstance(game, type):
        raise UserError(f"{what} gives a class; it should give a game made from it")


def _games_in(module: ModuleType) -> list[str]:
    """The names in a module that may be meant: its own classes and functions, and its games."""
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and (hasattr(value, "root") or _is_function_of(module, value))
    ]


def _is_function_of(module: ModuleType, value: object) -> bool:
    return inspect.isfunction(value) and value.__module__ == module.__name__


def _made(path: str, short: str, found: Any, arguments: dict[str, str]) -> Any:
    """What a class or a function makes of the arguments, or the game that is there already."""
    if not callable(found) or (hasattr(found, "root") and not isinstance(found, type)):
        if arguments:
            raise UserError(f"'{short}' in '{path}' is not a class or function and takes no arguments")
        return found
    values = {key: _value(text) for key, text in arguments.items()}
    known = _guarded(path, lambda: inspect.signature(found).parameters)
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in known.values())
    for key in values:
        if key not in known and not takes_any:
            raise unknown(f"argument of {short}", key, known)
    return _guarded(path, lambda: found(**values))


def _value(text: str) -> int | Fraction | bool | str:
    """A number where the text reads as one, a truth value for true and false, else the text."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        value = number("value", text)
    except UserError:
        return text
    return int(value) if value.denominator == 1 else value


def _guarded(path: str, run: Callable[[], Made]) -> Made:
    """Run what is in a user's file; what it raises is told in one line, with the place in the file."""
    try:
        return run()
    except UserError as error:
        raise UserError(f"'{path}': {error}") from None
    except (Exception, SystemExit) as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
        said = str(error)
        if isinstance(error, SyntaxError) and error.filename == path:
            lines, said = [error.lineno], error.msg
        place = f", line {lines[-1]}" if lines else ""
        raise UserError(f"'{path}'{place}: {type(error).__name__}: {' '.join(said.split())}") from error
