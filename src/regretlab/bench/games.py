"""The games of the benchmark: OpenSpiel's, so that everybody plays exactly the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from regretlab.errors import UserError, unknown
from regretlab.games import Game, load

PREFIX = "openspiel:"


@dataclass(frozen=True)
class BenchGame:
    """A game by a short name and as OpenSpiel calls it."""

    name: str
    text: str

    def rules(self) -> Game:
        """The game as rules for regretlab."""
        if self.name == "kuhn" and not has_openspiel():
            return load("kuhn")
        from regretlab.interop import OpenSpielGame

        return OpenSpielGame(self.text)


GAMES = {
    game.name: game
    for game in (
        BenchGame("kuhn", "kuhn_poker"),
        BenchGame("leduc", "leduc_poker"),
        BenchGame("goofspiel-4", "goofspiel(imp_info=True,num_cards=4,points_order=descending)"),
        BenchGame("liars-dice-6", "liars_dice(numdice=1,dice_sides=6)"),
    )
}
"""The games that are measured where none are named, from small to large."""

QUICK_GAMES = ("kuhn", "leduc")


def choose_games(names: Sequence[str]) -> list[BenchGame]:
    """The games of these names; ``openspiel:…`` is any game of OpenSpiel.

    >>> [game.name for game in choose_games(["kuhn", "openspiel:tiny_bridge_2p"])]
    ['kuhn', 'openspiel:tiny_bridge_2p']
    """
    if not names:
        raise UserError(f"no game was given; there are: {', '.join(GAMES)}")
    for name in names:
        if name not in GAMES and not name.startswith(PREFIX):
            raise unknown("game of the benchmark", name, [*GAMES, f"{PREFIX}…"])
    return [GAMES.get(name) or BenchGame(name, name.removeprefix(PREFIX)) for name in dict.fromkeys(names)]


def has_openspiel() -> bool:
    """Whether OpenSpiel is installed; nothing is loaded to find out."""
    return find_spec("pyspiel") is not None
