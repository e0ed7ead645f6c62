"""Games by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from regretlab.errors import UserError, unknown
from regretlab.games.kuhn import Kuhn
from regretlab.games.protocol import Game
from regretlab.spec import parse_call

GAMES: dict[str, Callable[..., Game]] = {"kuhn": Kuhn}
"""Every game that has a name; the class's fields are the arguments that the name takes."""


def load(name: str) -> Game:
    """Make the game that a name with arguments describes.

    >>> load("kuhn(ante=1, bet=2)").name
    'kuhn(bet=2)'
    """
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
