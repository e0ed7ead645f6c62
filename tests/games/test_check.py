"""The conformance check finds every broken promise and names the history."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from random_games import RandomGame, random_games

from regretlab.errors import GameError
from regretlab.games import CHANCE, TERMINAL, Size, check_game


class Pennies:
    """Matching pennies with a toss before: a sound game to break in one place at a time."""

    name = "pennies"

    def root(self) -> Any:
        return ()

    def player(self, state: Any) -> int:
        return (CHANCE, 0, 1, TERMINAL)[len(state)]

    def actions(self, state: Any) -> Any:
        return ["heads", "tails"]

    def chance(self, state: Any) -> Any:
        return [Fraction(1, 2), Fraction(1, 2)]

    def child(self, state: Any, action: int) -> Any:
        return (*state, action)

    def label(self, state: Any) -> str:
        return f"{len(state)}"

    def payoff(self, state: Any) -> Any:
        return 1 if state[1] == state[2] else -1


class OddChance(Pennies):
    def chance(self, state: Any) -> Any:
        return [Fraction(1, 2), Fraction(1, 3)]


class MissingChance(Pennies):
    def chance(self, state: Any) -> Any:
        return [1]


class NegativeChance(Pennies):
    def chance(self, state: Any) -> Any:
        return [1.5, -0.5]


class SharedLabel(Pennies):
    def label(self, state: Any) -> str:
        return "everyone"


class OtherActions(Pennies):
    def actions(self, state: Any) -> Any:
        return ["heads", "tails", "edge"] if state == (1,) else ["heads", "tails"]


class Forgetful(Pennies):
    """Player 0 moves twice and forgets the first move."""

    def player(self, state: Any) -> int:
        return (0, 0, TERMINAL)[len(state)]

    def label(self, state: Any) -> str:
        return "first" if not state else "second"

    def payoff(self, state: Any) -> Any:
        return 0


class Infinite(Pennies):
    def payoff(self, state: Any) -> Any:
        return float("inf") if state == (1, 0, 1) else 0


class Enormous(Pennies):
    def payoff(self, state: Any) -> Any:
        return 10**400


class NotANumber(Pennies):
    def payoff(self, state: Any) -> Any:
        return "one"


class Stuck(Pennies):
    def actions(self, state: Any) -> Any:
        return [] if state == (0, 1) else ["heads", "tails"]


class SameNames(Pennies):
    def actions(self, state: Any) -> Any:
        return ["heads", "heads"]


class StrangePlayer(Pennies):
    def player(self, state: Any) -> int:
        return 7 if len(state) == 2 else super().player(state)


class NoLabel(Pennies):
    def label(self, state: Any) -> Any:
        return None


class ListLabel(Pennies):
    def label(self, state: Any) -> Any:
        return [1]


class NumberedActions(Pennies):
    def actions(self, state: Any) -> Any:
        return [1, 2]


class Miscounted(Pennies):
    def counted(self) -> Size:
        return Size(16, 2)


class Endless(Pennies):
    """Tails goes on for ever."""

    def child(self, state: Any, action: int) -> Any:
        return (action,)

    def player(self, state: Any) -> int:
        return TERMINAL if state and state[-1] == 0 else 0

    def label(self, state: Any) -> str:
        return f"{len(state)}"

    def payoff(self, state: Any) -> Any:
        return 0


@pytest.mark.parametrize(
    ("game", "complaint"),
    [
        (OddChance(), "at the root: the chance probabilities sum to 5/6, not 1"),
        (MissingChance(), "at the root: 2 outcomes but 1 probabilities"),
        (NegativeChance(), "at the root: the chance probability -0.5 is not a number from 0 on"),
        (SharedLabel(), "at history 'heads heads': label 'everyone' is player 1's here and player 0's elsewhere"),
        (OtherActions(), "at history 'tails': '1' offers heads, tails, edge here and heads, tails elsewhere"),
        (Forgetful(), "at history 'tails': player 0 has forgotten an own action: 'second'"),
        (Infinite(), "at history 'tails heads tails': the payoff inf is not an int, float or Fraction that is finite"),
        (Enormous(), "at history 'heads heads heads': the payoff 10000000"),
        (NotANumber(), "at history 'heads heads heads': the payoff 'one' is not an int, float or Fraction"),
        (Stuck(), "at history 'heads tails': '2' offers"),
        (SameNames(), "at the root: two actions share a name: heads, heads"),
        (StrangePlayer(), "at history 'heads heads': player is 7"),
        (NoLabel(), "at history 'heads': the label None is not a text"),
        (ListLabel(), "at history 'heads': the label [1] is not a text"),
        (NumberedActions(), "at the root: the names of actions (1, 2) are not texts"),
        (
            Miscounted(),
            "counted() says 16 histories, 2 information sets, less than 1 MB, but there are 15 ",
        ),
        (Endless(), "always taking action 1, a history goes on after 100,000 moves"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_a_broken_promise_is_named_with_its_history(game: Any, complaint: str) -> None:
    with pytest.raises(GameError) as caught:
        check_game(game)
    assert str(caught.value).startswith("pennies")
    assert complaint in str(caught.value)


def test_a_game_without_end_meets_the_limit() -> None:
    with pytest.raises(GameError, match="more than 50 histories and no end in sight"):
        check_game(RandomGame(11), limit=50)


def test_the_sound_game_passes() -> None:
    check_game(Pennies())


@given(random_games())
def test_random_games_keep_the_protocol(game: RandomGame) -> None:
    check_game(game)


def test_a_long_history_is_shortened_in_its_error() -> None:
    class Long(Endless):
        def child(self, state: Any, action: int) -> Any:
            return (*state, action)

        def player(self, state: Any) -> int:
            return 0 if len(state) < 40 else TERMINAL

        def label(self, state: Any) -> str:
            return f"{len(state)}"

        def actions(self, state: Any) -> Any:
            return ["on"]

        def payoff(self, state: Any) -> Any:
            return float("nan")

    with pytest.raises(GameError, match=r"at history 'on on on on on on … on on on on on on': the payoff nan"):
        check_game(Long())
