"""OpenSpiel's games as rules for regretlab (extra ``openspiel``)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from regretlab.errors import UserError
from regretlab.games import CHANCE, TERMINAL, Number

MOST_DENOMINATOR = 1_000_000
"""OpenSpiel gives floats. One that is a fraction with a denominator up to this, to the last bit, is taken for it."""


class OpenSpielGame:
    """A two-player zero-sum game of OpenSpiel, by the name and parameters that it has there.

    Moves made at the same time are made one after the other, the second player not seeing the first's. Labels are
    OpenSpiel's information-state strings behind the player's number, because both players may share a string there.
    """

    def __init__(self, text: str) -> None:
        self._game = _load(text)
        self.name = f"openspiel:{text}"

    def root(self) -> Any:
        """OpenSpiel's initial state."""
        return self._game.new_initial_state()

    def player(self, state: Any) -> int:
        """Whose turn it is."""
        if state.is_terminal():
            return TERMINAL
        return CHANCE if state.is_chance_node() else int(state.current_player())

    def actions(self, state: Any) -> Sequence[str]:
        """OpenSpiel's names of the legal actions."""
        names = [state.action_to_string(state.current_player(), action) for action in state.legal_actions()]
        # Some games repeat a name at one state, such as two dice that show the same.
        return names if len(set(names)) == len(names) else [f"{k} {name}" for k, name in enumerate(names)]

    def chance(self, state: Any) -> Sequence[Number]:
        """The probabilities of the outcomes, in the order of the actions."""
        outcomes = dict(state.chance_outcomes())
        exact = [_as_fraction(outcomes[action]) for action in state.legal_actions()]
        return exact if sum(exact) == 1 else [float(probability) for probability in exact]

    def child(self, state: Any, action: int) -> Any:
        """A copy of the state with the action applied."""
        return state.child(state.legal_actions()[action])

    def label(self, state: Any) -> str:
        """The player's number and OpenSpiel's information-state string."""
        player = state.current_player()
        return f"{player}: {state.information_state_string(player)}"

    def payoff(self, state: Any) -> Number:
        """What player 0 gets."""
        return _as_fraction(state.returns()[0])


def _load(text: str) -> Any:
    try:
        import pyspiel
    except ImportError:
        raise UserError("OpenSpiel is not installed; pip install 'regretlab[openspiel]' brings it") from None
    try:
        game = pyspiel.load_game(text)
    except pyspiel.SpielError as error:
        raise UserError(f"OpenSpiel can't load '{text}': {str(error).splitlines()[0]}") from None
    kind = game.get_type()
    if game.num_players() != 2 or kind.utility != pyspiel.GameType.Utility.ZERO_SUM:
        raise UserError(f"'{text}' is not a two-player zero-sum game")
    if kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    if not game.get_type().provides_information_state_string:
        raise UserError(f"'{text}' has no information states")
    return game


def _as_fraction(value: float) -> Number:
    """The fraction with a small denominator that rounds to this float, or the float itself."""
    near = Fraction(value).limit_denominator(MOST_DENOMINATOR)
    return near if float(near) == value else value
