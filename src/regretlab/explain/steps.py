"""What is told about each event."""

from __future__ import annotations

from collections.abc import Sequence

from regretlab.explain.document import (
    Block,
    Branch,
    Equations,
    Heading,
    Panel,
    Paragraph,
    Tree,
    code,
    strong,
    words,
)
from regretlab.explain.events import Arrival, Chance, Choice, Departure, Ending, Part, Update
from regretlab.explain.expression import (
    Call,
    Equation,
    Expression,
    Symbol,
    Value,
    add,
    multiply,
    negate,
    subtract,
)
from regretlab.explain.weighing import ANY, tell_weighing
from regretlab.games import Number

Pieces = list[tuple[Block, ...]]
"""Blocks that belong together; recipes that agree in all of a piece are told together."""


def tell_chance(event: Chance) -> Pieces:
    """A deal, a card, a roll."""
    said = words(event.words) if event.words else words("Chance: ", code(event.history[-1]), ".")
    weight = () if event.probability == 1 else (Equations((Equation((Symbol("P"), Value(event.probability))),)),)
    return [(Panel(_path(event.history), said), *weight)]


def tell_ending(event: Ending) -> Pieces:
    """Who wins what, and why; in chips for player 0."""
    said = words(event.words) if event.words else words(_result(event.payoff))
    return [(Panel(f"{_path(event.history)}: the end", said), Equations((Equation((Symbol("u"), Value(event.payoff))),)))]


def _result(payoff: Number) -> str:
    if payoff == 0:
        return "Nobody wins."
    return f"Player {0 if payoff > 0 else 1} wins."


def _path(history: Sequence[str]) -> str:
    return " › ".join(history)


def tell_arrival(event: Arrival) -> Pieces:
    """Where we are, which strategy is played here and why, and how probable it is to come here."""
    place = f"{event.label}: {event.meaning}" if event.meaning else event.label
    who = words(f"Player {event.player} chooses between ", *_listed(event.actions), ".")
    here = (Heading(3, words(place)), Paragraph(who), _tree(event))
    strategy = (Paragraph(words(strong("The strategy"), " that is played here.")), *tell_weighing(event.weighing, event.actions))
    reach = (Paragraph(words(strong("The reach"), ", how probable both players make it to come here.")), Equations(tuple(_reach(event))))
    return [here, strategy, reach]


def _listed(actions: Sequence[str]) -> list[str | object]:
    """Names with commas and a last "and"."""
    pieces: list[str | object] = []
    for place, action in enumerate(actions):
        pieces += ["" if place == 0 else " and " if place == len(actions) - 1 else ", ", code(action)]
    return pieces


def _reach(event: Arrival) -> list[Equation]:
    reach = {event.player: event.own_reach, 1 - event.player: event.opponent_reach}
    lines = [_player_reach(player, event.choices[player], reach[player]) for player in (0, 1)]
    return lines if event.chance_reach == 1 else [*lines, Equation((Symbol("P"), Value(event.chance_reach)), "by the deal")]


def _player_reach(player: int, choices: Sequence[Choice], reach: Number) -> Equation:
    name = Symbol("π", str(player))
    if not choices:
        return Equation((name, Value(reach)), f"player {player} has not acted yet")
    formula = multiply(*(Symbol("σ", of=f"{choice.label}: {choice.action}") for choice in choices))
    factors = multiply(*(Value(choice.probability) for choice in choices))
    sides: tuple[Expression, ...] = (name, formula, factors, Value(reach)) if len(choices) > 1 else (name, formula, factors)
    return Equation(sides, f"player {player} chose {', '.join(choice.action for choice in choices)}")


def _tree(event: Arrival) -> Tree:
    """The way from the root to here, with what was not taken beside it, and the actions here."""
    choices = sorted(event.choices[0] + event.choices[1], key=lambda choice: event.history.index(choice.action))
    return Tree((Branch("", " › ".join(event.history) or event.label, True), *()))
