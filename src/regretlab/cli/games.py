"""``regretlab games``, ``nash``, ``export``: what can be played, its exact solution, and files for other libraries."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from fractions import Fraction
from itertools import islice
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from regretlab.cli import screen
from regretlab.cli.progress import RunDisplay
from regretlab.cli.screen import AsJson, GameName, Locks, check_target, load_locked
from regretlab.documents import numbers
from regretlab.errors import UserError
from regretlab.spec import format_call

if TYPE_CHECKING:
    from regretlab.games.size import LaneSize, Size
    from regretlab.games.walk import Infoset

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
    from regretlab.games import load
    from regretlab.games.public import PublicGame
    from regretlab.games.size import Size, lane_size_of, size_of
    from regretlab.games.walk import walk

    if name is None:
        _list(json)
        return
    game: Any = load(name)
    histories = walk(game)
    visits = list(islice(histories, MOST_HISTORIES))
    found = {visit.infoset.label: visit.infoset for visit in visits if visit.infoset is not None}
    complete = next(histories, None) is None
    size = Size(len(visits), len(found)) if complete else size_of(game)
    lanes = lane_size_of(game) if isinstance(game, PublicGame) else None
    order = getattr(game, "order", lambda _: 0)
    infosets = sorted(found.values(), key=lambda infoset: (infoset.player, order(infoset.label), infoset.index))
    endings = list(game.endings()) if hasattr(game, "endings") else []
    if not json:
        _print_game(game, size, lanes, endings, infosets, complete)
        return
    meaning = getattr(game, "meaning", lambda _: None)
    told = [
        {"label": each.label, "player": each.player, "meaning": meaning(each.label), "actions": each.actions}
        for each in infosets
    ]
    ends = [{"moves": moves, "what": what, "payoff": payoff} for moves, what, payoff in endings]
    large: dict[str, Any] = {
        "histories": size.histories,
        "information_sets": size.infosets,
        "estimate": bool(size.estimates),
    }
    if lanes is not None:
        large["lanes"] = {
            "public_states": lanes.public,
            "hands": lanes.hands,
            "estimate": bool(lanes.estimates),
            "bytes": {"f64": lanes.nbytes(8), "f32": lanes.nbytes(4)},
        }
    data = {"name": game.name, "rules": _rules(type(game)), "size": large | {"bytes": size.nbytes}, "endings": ends}
    screen.as_json(data | {"information_sets": told, "complete": complete})


def _list(json: bool) -> None:
    """All games: ours, and those of other packages that are installed."""
    from regretlab.games.registry import OURS, listed_games

    listed, broken = listed_games()
    for line in broken:
        screen.note(f"{line}; it is left out")
    if json:
        screen.as_json([each._asdict() | {"summary": _plain(each.rules).partition("\n")[0]} for each in listed])
        return
    page = screen.Page()
    for is_ours in (True, False):
        headings = ("game and defaults", "rules", *([] if is_ours else ["package"]))
        table = screen.new_table(*headings, fold=headings)
        for each in listed:
            if (each.package == OURS) == is_ours:
                call = format_call(each.name, each.parameters)
                shown = fill(call, NAME_WIDTH, subsequent_indent="  ", break_on_hyphens=False)
                table.add_row(shown, _plain(each.rules).partition("\n")[0], *([] if is_ours else [each.package]))
        if table.rows:
            page.table(table)
    page.print("Numbers may be written 2, 0.5 or 1/3. One of them in full: regretlab games kuhn")
    page.print("Besides: ./my_game.py:MyGame, of your own; openspiel:leduc_poker, of OpenSpiel")
    page.print("Hold'em endgames: holdem:river-polar, which is ready; spot.toml, of your own")


def _rules(make: Any) -> str:
    return _plain(inspect.getdoc(make) or "")


def _plain(docstring: str) -> str:
    """A docstring without the marks that Python's documentation needs."""
    return docstring.replace("``", "")


def _print_game(
    game: Any,
    size: Size,
    lanes: LaneSize | None,
    endings: Sequence[tuple[str, str, str]],
    infosets: Sequence[Infoset],
    complete: bool,
) -> None:
    """The rules, the size, how it ends, and its information sets, of which ``complete`` says whether they are all."""
    page = screen.Page()
    page.print(f"{game.name}\n", style="bold")
    for paragraph in _rules(type(game)).split("\n\n"):
        page.print(f"{' '.join(paragraph.split())}\n")
    page.print(f"Size: {size}\n")
    if lanes is not None:
        page.print(f"On lanes: {lanes}\n")
    if endings:
        table = screen.new_table(
            "moves", "how the game ends", "player 0 wins", right=["player 0 wins"], fold=["how the game ends"]
        )
        for ending in endings:
            table.add_row(*ending)
        page.table(table)
    in_words = ["meaning"] if hasattr(game, "meaning") else []
    headings = ("information set", "player", *in_words, "actions")
    table = screen.new_table(*headings, fold=headings)
    most = screen.most_shown(len(infosets))
    shown = [infoset for infoset in infosets if infoset.index < most]
    for infoset in shown:
        words = [game.meaning(infoset.label)] if in_words else []
        table.add_row(infoset.label, str(infoset.player), *words, ", ".join(infoset.actions))
    page.table(table)
    if complete:
        screen.cut_note(page, len(infosets) - len(shown))
    else:
        page.print("… and many more information sets")


LONG = 5
"""Seconds from which on people are told that they will wait."""

NASH_EXAMPLES = """Examples:
  regretlab nash kuhn
  regretlab nash 'kuhn(ante=2, bet=1/3)' --exact
  regretlab nash kuhn --lock 'Jb: fold 0.7, call 0.3' --exact
  regretlab nash 'kuhn(cards=13)' --json"""


def nash(
    game: GameName,
    /,
    *,
    exact: Annotated[bool, Parameter(help="In fractions and with a proof; for games that are not too large.")] = False,
    lock: Locks = None,
    json: AsJson = False,
) -> None:
    """Compute an equilibrium, without any learning.

    It is a linear programme over all strategies of both players.
    With --exact everything is a fraction, and a best response in exact
    arithmetic proves that nobody can gain.
    """
    from regretlab.evaluation import nash
    from regretlab.evaluation.equilibrium import check_can_be_exact
    from regretlab.evaluation.programme import expected_seconds
    from regretlab.experiments.comparing.strategies import kuhn_family
    from regretlab.forms import compile

    rules = load_locked(game, lock)
    if exact:
        check_can_be_exact(rules)
    with RunDisplay() as watch:
        form = compile(rules, tree=False)
        expected = expected_seconds(form)
        if expected >= LONG:
            size, wait = f"{form.infosets:,} information sets", numbers.long_duration(expected)
            screen.note(f"a linear programme of {size} takes about {wait}")
        watch.waiting("linear programming")
        found = nash(form, exact=exact)
    family = kuhn_family(rules)
    value = float(found.value)
    if json:
        # Numbers as floats; beside them, if exact, the fractions as text.
        data: dict[str, Any] = {
            "game": rules.name,
            "method": found.method,
            "value": value,
            "exploitability": found.exploitability,
            "strategy": {label: found.strategy[label] for label in found.strategy},
        }
        if found.exact_strategy is not None:
            data |= {"exact_value": Fraction(found.value), "gap": found.gap, "exact_strategy": found.exact_strategy}
        if family is not None:
            data["family"] = {"regime": family.regime, "alpha_range": family.alpha_range, "ranges": family.ranges}
        screen.as_json(data)
        return
    page, unit = screen.Page(), numbers.Unit.of(rules)
    page.print(f"{rules.name}: an equilibrium ({found.method})\n", style="bold")
    if found.exact_strategy is None:
        screen.strategy(page, rules, found.strategy.form, found.strategy, numbers.percent)
    else:
        screen.strategy(page, rules, found.strategy.form, found.exact_strategy, str)
    fraction = f"{found.value} = " if isinstance(found.value, Fraction) and found.value.denominator > 1 else ""
    facts = [("value", f"{fraction}{numbers.value(value)} chips, {unit.show(value)} {unit.name}, for player 0")]
    if found.gap is None:
        left = f"{numbers.loss(found.exploitability)} chips: what the solver's tolerance leaves of 0"
        facts.append(("exploitability", f"{left}; --exact leaves nothing"))
    else:
        facts.append(("proof", f"the best-response gap, in exact fractions, is {found.gap}"))
    if family is not None:
        low, high = family.alpha_range
        alpha = f"α = {low}" if low == high else f"any α from {low} to {high}"
        facts.append(("all equilibria", f"{family.regime}: player 0 bets the Jack with {alpha}"))
    page.facts(facts)


EXPORT_EXAMPLES = """Examples:
  regretlab export kuhn kuhn.efg
  regretlab export 'kuhn(ante=1/3, bet=2/7)' stakes.efg
  regretlab export openspiel:leduc_poker leduc.efg --json"""


def export(
    game: GameName,
    file: Annotated[Path, Parameter(help="Where to write it; the name ends in .efg.")],
    /,
    *,
    json: AsJson = False,
) -> None:
    """Write a game to a file for Gambit.

    The file holds the whole tree, with exact numbers as fractions. Gambit,
    OpenSpiel and regretlab itself (as efg:FILE) read it.
    """
    from regretlab.games import load
    from regretlab.games.size import LARGE, most_histories, size_of
    from regretlab.interop import write_efg

    if file.suffix != ".efg":
        raise UserError(f"can't export to '{file}': the name of a file for Gambit ends in .efg")
    check_target(file)
    rules = load(game)
    size = size_of(rules)
    most_histories(rules, size)  # what will not fit is refused before anything is said of it
    if size.histories >= LARGE:
        screen.note(f"{rules.name}: {size}")
    nodes = write_efg(rules, file)
    if json:
        screen.as_json({"game": rules.name, "file": str(file), "nodes": nodes})
    else:
        screen.Page().print(f"{rules.name} is in {file}: {numbers.count(nodes, 'node')}")
