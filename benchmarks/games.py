"""The games of the benchmark, each by both of its names: regretlab's, and OpenSpiel's, whose game the peers play.

That both are the same game shows in the exploitabilities, which agree after the same iterations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from regretlab.errors import UserError, unknown
from regretlab.games import Game, load

PREFIX = "openspiel:"


@dataclass(frozen=True)
class BenchGame:
    """A game by a short name, as regretlab calls it, and as OpenSpiel does."""

    name: str
    ours: str
    openspiel: str
    alike_for: int | None = None
    """For so many iterations all programs agree; then comes a tie, which the rounding of other libraries breaks."""

    def rules(self) -> Game:
        """The game as rules for regretlab."""
        return load(self.ours)

    @property
    def is_openspiel(self) -> bool:
        """Whether regretlab, too, has it only from there."""
        return self.ours.startswith(PREFIX)


def _openspiel_game(name: str) -> BenchGame:
    return BenchGame(name, name, name.removeprefix(PREFIX))


def _goofspiel(cards: int, alike_for: int | None = None) -> BenchGame:
    return BenchGame(
        f"goofspiel-{cards}",
        f"goofspiel(cards={cards}, prizes=descending, bids=hidden)",
        f"goofspiel(imp_info=True,num_cards={cards},points_order=descending)",
        alike_for,
    )


GAMES = {
    game.name: game
    for game in (
        BenchGame("kuhn", "kuhn", "kuhn_poker"),
        BenchGame("leduc", "leduc", "leduc_poker"),
        _goofspiel(4),
        _goofspiel(5, alike_for=2),
        BenchGame("liars-dice-6", "liars_dice(dice=1, sides=6)", "liars_dice(numdice=1,dice_sides=6)"),
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
    return [GAMES.get(name) or _openspiel_game(name) for name in dict.fromkeys(names)]


def has_openspiel() -> bool:
    """Whether OpenSpiel is installed; nothing is loaded to find out."""
    return find_spec("pyspiel") is not None
