"""OpenSpiel's games as rules for regretlab, and strategies as policies of OpenSpiel (extra ``openspiel``)."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from regretlab.errors import UserError, unknown
from regretlab.games import CHANCE, TERMINAL, Number
from regretlab.spec import distinct_names

if TYPE_CHECKING:
    from regretlab.forms import Strategy

MOST_DENOMINATOR = 1_000_000
"""OpenSpiel gives floats. One that is a fraction with a denominator up to this, to the last bit, is taken for it."""

Position: TypeAlias = tuple[Any, int, Sequence[int]]
"""OpenSpiel's state, whose turn it is there, and OpenSpiel's numbers of the legal actions."""


class OpenSpielGame:
    """A two-player game of OpenSpiel, by the name and parameters that it has there.

    Where OpenSpiel says that payoffs have a constant sum, player 1 counts as losing what player 0 gets; else the game
    has ``payoffs`` and is not zero-sum.

    Moves made at the same time are made one after the other, the second player not seeing the first's. Labels are
    OpenSpiel's information-state strings behind the player's number, because both players may share a string there.
    """

    def __init__(self, text: str) -> None:
        self._game = _load(text)
        if not _is_constant_sum(self._game):
            self.payoffs = _returns
        self.name = f"openspiel:{text}"

    def root(self) -> Position:
        """OpenSpiel's initial state."""
        return _position(self._game.new_initial_state())

    def player(self, state: Position) -> int:
        """Whose turn it is."""
        return state[1]

    def actions(self, state: Position) -> Sequence[str]:
        """OpenSpiel's names of the legal actions; some games repeat one, such as for two dice that show the same."""
        name, player = state[0].action_to_string, state[1]
        return _distinct_names(tuple([name(player, action) for action in state[2]]))

    def chance(self, state: Position) -> Sequence[Number]:
        """The probabilities of the outcomes, in the order of the actions."""
        outcomes = dict(state[0].chance_outcomes())
        exact = [_as_fraction(outcomes[action]) for action in state[2]]
        return exact if sum(exact) == 1 else [float(probability) for probability in exact]

    def child(self, state: Position, action: int) -> Position:
        """A copy of the state with the action applied."""
        return _position(state[0].child(state[2][action]))

    def label(self, state: Position) -> str:
        """The player's number and OpenSpiel's information-state string."""
        return label_of(state[0], state[1])

    def payoff(self, state: Position) -> Number:
        """What player 0 gets."""
        return _as_fraction(state[0].player_return(0))


def _returns(state: Position) -> tuple[Number, Number]:
    """What both players get."""
    mine, theirs = state[0].returns()
    return _as_fraction(mine), _as_fraction(theirs)


def _position(state: Any) -> Position:
    """A state with what is asked most often: OpenSpiel answers each time anew, and a game has many states."""
    player = state.current_player()
    return (state, player, state.legal_actions()) if player >= CHANCE else (state, TERMINAL, ())


_distinct_names = lru_cache(maxsize=10_000)(distinct_names)


def openspiel_policy(strategy: Any) -> Any:
    """A strategy of an ``openspiel:`` game, or a solution's, as OpenSpiel's ``TabularPolicy``.

    Its ``game`` is OpenSpiel's: for a game with simultaneous moves the turn-based one that it was turned into.
    """
    strategy, text = _of_openspiel(strategy)
    if not strategy.form.infosets:
        raise UserError(f"nobody ever acts in '{text}', so there is no policy for it")
    policy = import_module("open_spiel.python.policy").TabularPolicy(_load(text))
    if len(policy.state_lookup) != strategy.form.infosets:
        raise UserError(
            f"the strategy has {strategy.form.infosets} information sets, and a TabularPolicy of '{text}' "
            f"{len(policy.state_lookup)} states: OpenSpiel does not tell the players' apart"
        )
    for player, behaviour in enumerate(strategy.arrays):
        treeplex = strategy.form.treeplexes[player]
        for i, label in enumerate(treeplex.labels):
            row = policy.state_lookup[label.removeprefix(_mark(player))]
            legal = policy.legal_actions_mask[row] > 0  # both sides list actions in the order of their ids
            policy.action_probability_array[row, legal] = behaviour[treeplex.own(i)]
    return policy


def openspiel_bot(strategy: Any, player: int, seed: int = 0) -> Any:
    """A bot of OpenSpiel that plays one player's part of a strategy of an ``openspiel:`` game, or of a solution's.

    Its ``game`` is OpenSpiel's: for a game with simultaneous moves the turn-based one that it was turned into.
    """
    strategy, text = _of_openspiel(strategy)
    if player not in (0, 1):
        raise UserError(f"player={player!r:.40} must be 0 or 1")
    game = _load(text)
    return import_module("regretlab.interop.strategy_bot").StrategyBot(game, strategy, player, seed)


def _of_openspiel(strategy: Any) -> tuple[Strategy, str]:
    """The strategy, or the solution's, and what OpenSpiel calls its game."""
    from regretlab.forms import Strategy

    strategy = getattr(strategy, "strategy", strategy)
    if not isinstance(strategy, Strategy):
        raise UserError(f"{strategy!r:.40} is no strategy of a game; give what solve or nash returned")
    library, _, text = strategy.form.name.partition(":")
    if library != "openspiel":
        raise UserError(f"{strategy.form.name} is not OpenSpiel's; solve its game, such as openspiel:kuhn_poker")
    return strategy, text


def label_of(state: Any, player: int) -> str:
    """What we call OpenSpiel's information state of a player."""
    return _mark(player) + state.information_state_string(player)  # type: ignore[no-any-return]


def _mark(player: int) -> str:
    """What a player's labels begin with."""
    return f"{player}: "


def _load(text: str) -> Any:
    """OpenSpiel's game, turn-based; raises UserError, saying why, if it is not for us."""
    try:
        import pyspiel
    except ImportError:
        raise UserError("OpenSpiel is not installed; pip install 'regretlab[openspiel]' brings it") from None
    name = text.partition("(")[0].strip()
    if name not in pyspiel.registered_names():
        raise unknown("game of OpenSpiel", name, pyspiel.registered_names())
    try:
        with _quiet_errors():
            game = pyspiel.load_game(text)
            if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
                game = pyspiel.convert_to_turn_based(game)
            game.new_initial_state()  # some parameters are found wrong only here
            refusal = _refusal(game)
    # Besides its own error, OpenSpiel lets those of the C++ library through.
    except (pyspiel.SpielError, LookupError, ValueError, RuntimeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise UserError(f"OpenSpiel can't load '{text}': {reason}") from None
    if refusal:
        raise UserError(f"'{text}' can't be solved: {refusal}")
    return game


def _is_constant_sum(game: Any) -> bool:
    """Whether OpenSpiel says that both players' payoffs have the same sum wherever the game ends."""
    from pyspiel import GameType

    return game.get_type().utility in (GameType.Utility.ZERO_SUM, GameType.Utility.CONSTANT_SUM)


def _refusal(game: Any) -> str:
    """Why a game can't be solved here; empty if it can."""
    from pyspiel import GameType

    kind = game.get_type()
    if game.num_players() != 2:
        return f"it is not for two players but for {game.num_players()}"
    if not kind.provides_information_state_string:
        return "OpenSpiel has no information states for it"
    if kind.chance_mode == GameType.ChanceMode.SAMPLED_STOCHASTIC:
        return "OpenSpiel draws its chance outcomes without giving their probabilities"
    return ""


@contextmanager
def _quiet_errors() -> Iterator[None]:
    """Keep back what OpenSpiel writes to standard error; if there is no error, show it after all.

    It prints what it raises, too, and an unknown parameter or a missing one would be told twice.
    """
    sys.stderr.flush()
    shown = os.dup(2)
    with tempfile.TemporaryFile() as kept_back:
        os.dup2(kept_back.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(shown, 2)
            os.close(shown)
        kept_back.seek(0)
        os.write(2, kept_back.read())


@lru_cache(maxsize=10_000)  # a game has few different numbers
def _as_fraction(value: float) -> Number:
    """The fraction with a small denominator that rounds to this float, or the float itself."""
    near = Fraction(value).limit_denominator(MOST_DENOMINATOR)
    return near if float(near) == value else value
