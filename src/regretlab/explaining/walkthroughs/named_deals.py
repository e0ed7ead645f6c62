"""Deals by name: what chance does in each iteration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from regretlab.errors import UserError, unknown
from regretlab.explaining.textbook import History
from regretlab.games import CHANCE, TERMINAL, Game

SEPARATORS = " -/"
"""May stand between the outcomes of a deal: JsQhKs, Js-Qh-Ks."""


@dataclass(frozen=True)
class NamedDeal:
    """The outcomes of chance, one after the other, on every way through the game."""

    text: str
    outcomes: tuple[str, ...]


def first_chances(game: Game, state: Any) -> Iterator[Any]:
    """The states at or below ``state`` where chance moves next, whatever the players do."""
    if game.player(state) == CHANCE:
        yield state
    elif game.player(state) != TERMINAL:
        for action in range(len(game.actions(state))):
            yield from first_chances(game, game.child(state, action))


def after(game: Game, state: Any, outcome: str) -> list[Any]:
    """Where chance moves next after one of its outcomes; where that is impossible, nowhere."""
    names = list(game.actions(state))
    return list(first_chances(game, game.child(state, names.index(outcome)))) if outcome in names else []


def read_deal(game: Game, text: str) -> NamedDeal:
    """A deal such as ``JQ`` or, where chance moves several times, ``JsQhKs``.

    >>> from regretlab.games import load
    >>> read_deal(load("leduc"), "Js-Qh-Ks").outcomes
    ('Js', 'Qh', 'Ks')
    """
    states = list(first_chances(game, game.root()))
    if not states:
        raise UserError(f"{game.name} has no deals, so '{text}' can't be one; leave --deals out")
    found = list(_readings(game, states, text.strip()))
    if len(found) == 1:
        return NamedDeal(text.strip(), found[0])
    sample = first_deal(game)
    if len(sample.outcomes) == 1:
        raise unknown(f"deal of {game.name}", text, game.actions(states[0]))
    problem = "can be read in several ways" if found else f"is no deal of {game.name}"
    raise UserError(
        f"'{text}' {problem}; name what chance does one after the other, such as {'-'.join(sample.outcomes)}"
    )


def _readings(game: Game, states: list[Any], text: str) -> Iterator[tuple[str, ...]]:
    """The ways to read a text as one outcome for each time that chance moves."""
    if not states and not text:
        yield ()
    for name in game.actions(states[0]) if states else ():
        if text.startswith(name):
            below = [later for state in states for later in after(game, state, name)]
            rest = text[len(name) :].lstrip(SEPARATORS)
            yield from ((name, *outcomes) for outcomes in _readings(game, below, rest))


def first_deal(game: Game) -> NamedDeal:
    """The deal that takes the first outcome each time that can happen."""
    outcomes: list[str] = []
    states = list(first_chances(game, game.root()))
    while states:
        first = next(k for k, chance in enumerate(game.chance(states[0])) if chance)
        outcomes.append(game.actions(states[0])[first])
        states = [later for state in states for later in after(game, state, outcomes[-1])]
    return NamedDeal("-".join(outcomes), tuple(outcomes))


def chooser(game: Game, deals: Sequence[NamedDeal]) -> Callable[[int, History], int]:
    """Chance's outcome by iteration and history, as the textbook asks for it; the deals repeat."""

    def choose(iteration: int, history: History) -> int:
        deal = deals[(iteration - 1) % len(deals)]
        state, moved = game.root(), 0
        for name in history:
            moved += game.player(state) == CHANCE
            state = game.child(state, list(game.actions(state)).index(name))
        names = list(game.actions(state))
        if moved >= len(deal.outcomes) or deal.outcomes[moved] not in names:
            raise UserError(
                f"the deal '{deal.text}' of {game.name} does not say which of {', '.join(names)} "
                f"comes after '{' '.join(history)}'"
            )
        return names.index(deal.outcomes[moved])

    return choose
