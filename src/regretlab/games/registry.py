"""Games by name, those in a user's own file, such as ``./my_game.py:MyGame(cards=4)``, included."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

from regretlab.errors import GameError, UserError, unknown
from regretlab.games.goofspiel import Goofspiel
from regretlab.games.kuhn import Kuhn
from regretlab.games.leduc import Leduc
from regretlab.games.liars_dice import LiarsDice
from regretlab.games.locked import LOCKED_AT
from regretlab.games.matrix import MatchingPennies, Matrix, RockPaperScissors
from regretlab.games.protocol import Game, pays_each
from regretlab.own_file import guarded, is_in_a_file, load_from_file, split_place
from regretlab.plugins import find_plugin, plugins
from regretlab.spec import number, parse_call

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
    "holdem": "regretlab.endgames.reading:holdem",
    "libratus": "regretlab.endgames.libratus:read_libratus",
    "openspiel": "regretlab.interop.openspiel:OpenSpielGame",
}
"""Where games outside of this folder come from, by the word before the colon; imported when one is asked for."""

HOLDEM = "holdem:river-polar"
"""One of the Hold'em endgames, for those who look for poker."""

SPOT_FILE = ".toml"
"""How the name of a file ends that describes a Hold'em endgame."""


def as_rules(game: str | Game) -> Game:
    """The rules of a game given by name or as rules already."""
    if isinstance(game, str):
        return load(game)
    if isinstance(game, type) or not hasattr(game, "root"):
        raise UserError(f"{game!r:.60} is no game; give a name such as kuhn, or an object with the methods of a game")
    return _named(game)


def _named(game: Game) -> Game:
    """The game, if people can call it by its name: it stands in tables, files and commands."""
    name = getattr(game, "name", None)
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise GameError(
            f"the name of {type(game).__name__} is {name!r:.60}; it should be a text on one line, such as 'my game'"
        )
    return game


def load(name: str) -> Game:
    """Make the game that a name with arguments describes.

    Other packages may add names, see ``plugins``. ``openspiel:`` hands everything after the colon to OpenSpiel
    untouched, ``./my_game.py:MyGame`` is a game in a file of one's own, ``holdem:river-polar`` and ``spot.toml`` are
    Hold'em endgames, ``libratus:file`` is one of the match that Libratus played. What follows ``locked at`` is held
    fixed, see ``lock``.

    >>> load("kuhn(ante=1, bet=2)").name
    'kuhn(bet=2)'
    >>> load("kuhn locked at Jb: fold").name
    'kuhn locked at Jb: fold'
    """
    if not isinstance(name, str):
        raise UserError(f"{name!r:.60} is no name of a game; write it like kuhn or kuhn(bet=2)")
    free, locked, text = name.partition(LOCKED_AT)
    if locked:
        from regretlab.games.locking import lock  # it walks games, and walks take games by name

        return lock(load(free), text)
    library, colon, text = name.partition(":")
    if name.endswith(SPOT_FILE) and library not in FOREIGN:
        library, colon, text = "holdem", ":", name
    if colon and library in FOREIGN:
        module, _, maker = FOREIGN[library].partition(":")
        return getattr(import_module(module), maker)(text)  # type: ignore[no-any-return]
    if is_in_a_file(name):
        return load_user_game(name)
    short, arguments = parse_call(name)
    if short not in GAMES:
        return _load_installed(name)
    make: Any = GAMES[short]
    keys = [field.name for field in dataclasses.fields(make)]
    for key in arguments:
        if key not in keys:
            raise unknown(f"argument of {short}", key, keys)
    try:
        return make(**arguments)  # type: ignore[no-any-return]
    except UserError as error:
        raise UserError(f"{name}: {error}") from None


def _load_installed(name: str) -> Game:
    """Make a game that another package adds by being installed."""
    short, arguments = parse_call(name)
    plugin = find_plugin("game", short)
    if plugin is None:
        installed = [other.name for other in plugins("game", GAMES) if not other.fault]
        raise unknown("game", short, [*GAMES, *installed, HOLDEM])
    found = plugin.load()
    return _checked(_made(plugin.path, short, found, arguments), short, plugin.path, name)


_PARTS = ("name", "root", "player", "actions", "child", "label")
"""What every game has, beside ``payoff`` or ``payoffs``; one without chance may leave out ``chance``."""


def load_user_game(name: str) -> Game:
    """Run the file and make the game that stands after the colon: a class, a function that makes a game, or a game.

    The game remembers in ``loaded_from`` how it was asked for: by its own name it would not be found again.
    """
    path, call = split_place(name, "game")
    short, arguments = parse_call(call)
    found = load_from_file(path, short, "game", _may_be_meant)
    return _checked(_made(path, short, found, arguments), short, path, name)


def _checked(game: Any, short: str, path: str, name: str) -> Game:
    """A game that is not ours, if it has all that a game needs; it remembers the name by which it was asked for."""
    paid = "payoffs" if pays_each(game) else "payoff"
    missing = [part for part in (*_PARTS, paid) if not hasattr(game, part)]
    if missing:
        raise UserError(f"'{short}' in '{path}' is no game: it has no {', '.join(missing)}")
    if isinstance(game, type):
        raise UserError(f"'{short}' in '{path}' gives a class; it should give a game made from it")
    with suppress(AttributeError):  # a class with __slots__ has no place for it; its games are to be given again
        object.__setattr__(game, "loaded_from", name)
    return _named(game)


def _may_be_meant(module: ModuleType, value: object) -> bool:
    """Whether something in a module is a game, a class of games, or a function of the module's own."""
    return hasattr(value, "root") or (inspect.isfunction(value) and value.__module__ == module.__name__)


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


class ListedGame(NamedTuple):
    """A game for those who list all of them."""

    name: str
    package: str  # that it comes from
    parameters: dict[str, Any]  # with their defaults; None where there is none
    rules: str  # the docstring


OURS = "regretlab"


def listed_games() -> tuple[list[ListedGame], list[str]]:
    """All games that have a name, and a line for each one of another package that can't be used."""
    listed, broken = [], []
    make: Any
    for name, make in GAMES.items():
        parameters = {field.name: field.default for field in dataclasses.fields(make)}
        listed.append(ListedGame(name, OURS, parameters, inspect.getdoc(make) or ""))
    for plugin in plugins("game", GAMES):
        try:
            made = plugin.load()
            is_made = not (inspect.isclass(made) or inspect.isfunction(made))
            parameters = {} if is_made else _parameters(plugin.path, made)
        except UserError as error:
            broken.append(str(error))
            continue
        rules = inspect.getdoc(type(made) if is_made else made) or ""
        listed.append(ListedGame(plugin.name, plugin.package, parameters, rules))
    return listed, broken


def _parameters(path: str, make: Any) -> dict[str, Any]:
    """What a class or a function takes, with the defaults."""
    known = guarded(path, lambda: inspect.signature(make).parameters.values())
    return {each.name: None if each.default is each.empty else each.default for each in known}
