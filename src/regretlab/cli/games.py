"""``regretlab games``: what can be played."""

from __future__ import annotations

import dataclasses
import inspect
from itertools import islice
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from regretlab.cli import show
from regretlab.cli.options import AsJson
from regretlab.spec import format_call

if TYPE_CHECKING:
    from regretlab.games import Game
    from regretlab.games.walk import InformationSet

EXAMPLES = """Examples:
  regretlab games
  regretlab games kuhn
  regretlab games 'kuhn(ante=1, bet=2)'
  regretlab games ./my_game.py:MyGame"""

MOST_HISTORIES = 200_000
"""How far a game is walked for its information sets: about a second."""

NAME_WIDTH = 32
"""Names with longer arguments take several lines of the list, so that the rules beside them have room."""


def games(
    name: Annotated[
        str | None, Parameter(help="A game to look at more closely, such as kuhn or 'kuhn(bet=2)'.")
    ] = None,
    /,
    *,
    json: AsJson = False,
) -> None:
    """List the games, or show one of them in full.

    In full: the rules, how the game can end, and its information sets.
    """
    from regretlab.games import GAMES, load

    if name is None:
        listed = [_summary(short, make) for short, make in GAMES.items()]
        show.as_json(listed) if json else _print_list(listed)
        return
    game = load(name)
    infosets, complete = _information_sets(game)
    if json:
        show.as_json(_as_dict(game, infosets, complete))
    else:
        _print(game, infosets, complete)


def _summary(name: str, make: Any) -> dict[str, Any]:
    parameters = {field.name: field.default for field in dataclasses.fields(make)}
    return {"name": name, "parameters": parameters, "summary": _rules(make).partition("\n")[0]}


def _rules(make: Any) -> str:
    """A class's docstring without the marks that Python's documentation needs."""
    return (inspect.getdoc(make) or "").replace("``", "")


def _print_list(listed: list[dict[str, Any]]) -> None:
    headings = ("game and defaults", "rules")
    page, table = show.Page(), show.new_table(*headings, fold=headings)
    for game in listed:
        name = format_call(game["name"], game["parameters"])
        table.add_row(fill(name, NAME_WIDTH, subsequent_indent="  ", break_on_hyphens=False), game["summary"])
    page.table(table)
    page.print("Numbers may be written 2, 0.5 or 1/3. One of them in full: regretlab games kuhn")
    page.print("Besides: ./my_game.py:MyGame, of your own; openspiel:leduc_poker, of OpenSpiel")


def _information_sets(game: Game) -> tuple[list[InformationSet], bool]:
    """The information sets of a game, player 0's first, and whether these are all."""
    from regretlab.games.walk import walk

    histories = walk(game)
    met = (visit.infoset for visit in islice(histories, MOST_HISTORIES))
    found = {infoset.label: infoset for infoset in met if infoset is not None}
    order = getattr(game, "order", lambda _: 0)
    infosets = sorted(found.values(), key=lambda infoset: (infoset.player, order(infoset.label), infoset.index))
    return infosets, next(histories, None) is None


def _as_dict(game: Any, infosets: list[InformationSet], complete: bool) -> dict[str, Any]:
    return {
        "name": game.name,
        "rules": _rules(type(game)),
        "endings": [{"moves": moves, "what": what, "payoff": payoff} for moves, what, payoff in _endings(game)],
        "information_sets": [
            {
                "label": infoset.label,
                "player": infoset.player,
                "meaning": _meaning(game, infoset.label),
                "actions": infoset.actions,
            }
            for infoset in infosets
        ],
        "complete": complete,
    }


def _endings(game: Any) -> list[tuple[str, str, str]]:
    return list(game.endings()) if hasattr(game, "endings") else []


def _meaning(game: Any, label: str) -> str | None:
    return game.meaning(label) if hasattr(game, "meaning") else None


def _print(game: Any, infosets: list[InformationSet], complete: bool) -> None:
    page = show.Page()
    page.print(f"{game.name}\n", style="bold")
    for paragraph in _rules(type(game)).split("\n\n"):
        page.print(f"{' '.join(paragraph.split())}\n")
    if endings := _endings(game):
        table = show.new_table(
            "moves", "how the game ends", "player 0 wins", right=["player 0 wins"], fold=["how the game ends"]
        )
        for ending in endings:
            table.add_row(*ending)
        page.table(table)
    _print_information_sets(page, game, infosets, complete)


def _print_information_sets(page: show.Page, game: Any, infosets: list[InformationSet], complete: bool) -> None:
    in_words = ["meaning"] if hasattr(game, "meaning") else []
    headings = ("information set", "player", *in_words, "actions")
    table = show.new_table(*headings, fold=headings)
    shown = _first_of_each(infosets)
    for infoset in shown:
        words = [game.meaning(infoset.label)] if in_words else []
        table.add_row(infoset.label, str(infoset.player), *words, ", ".join(infoset.actions))
    page.table(table)
    if complete:
        show.cut_note(page, len(infosets) - len(shown))
    else:
        page.print("… and many more information sets")


def _first_of_each(infosets: list[InformationSet]) -> list[InformationSet]:
    """The information sets to show: all, or the first of each player."""
    most = show.most_shown(len(infosets))
    return [infoset for infoset in infosets if infoset.index < most]
