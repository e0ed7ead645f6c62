"""Goofspiel: both players bid for one prize after another, each card once (Ross, 1971)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import TypeAlias

from regretlab.errors import unknown
from regretlab.games.protocol import CHANCE, TERMINAL
from regretlab.games.size import Size
from regretlab.spec import format_changed, whole

Cards: TypeAlias = tuple[int, ...]

State: TypeAlias = tuple[Cards, Cards, Cards]
"""The prizes that were turned up, player 0's bids, player 1's bids, each in the order in which they came."""

ALL = "all"

_OPTIONS = {
    "prizes": ("random", "descending", "ascending"),
    "bids": ("open", "hidden"),
    "returns": ("win_loss", "point_difference"),
}
_SIGNS = {1: "+", -1: "-", 0: "="}
_SPOKEN_SIGNS = {"+": "won", "-": "lost", "=": "tied"}


@dataclass(frozen=True)
class Goofspiel:
    """Each player bids cards 1 to n, each card once, for prizes worth 1 to n points; the higher card gets the prize.

    One prize is turned up a turn, in random, descending or ascending order. Both players bid at the same time: player
    1 moves second and has not seen player 0's card. Equal bids discard the prize. With bids=open both cards are then
    shown, with bids=hidden only who has won the prize. The last cards of a full game are played without asking.

    With returns=win_loss who has more points wins one chip; with point_difference a player gets the own points less
    the mean of both. Defaults are those of OpenSpiel, except that it has 13 cards, more than can be solved.

    Labels are the player, each turn so far as prize:bid with ``+`` for won, ``-`` for lost, ``=`` for tied, and the
    prize that is up: ``p0 4:2- 3`` is player 0, who lost prize 4 with a bid of 2 and bids for prize 3. Open bids
    are written ``4:2v3``, the own one first.
    """

    cards: int = 4
    turns: int | str = ALL
    prizes: str = "random"
    bids: str = "open"
    returns: str = "win_loss"

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", whole("cards", self.cards, least=2, most=1_000))
        for key, options in _OPTIONS.items():
            if getattr(self, key) not in options:
                raise unknown(key, getattr(self, key), options)
        if self.turns != ALL:
            turns = whole("turns", self.turns, least=1, most=self.cards)
            object.__setattr__(self, "turns", ALL if turns == self.cards else turns)

    @property
    def name(self) -> str:
        """The name with the parameters that are not the default."""
        return format_changed("goofspiel", self)

    @cached_property
    def _last_turn(self) -> int:
        """After how many turns the game ends."""
        return self.cards if self.turns == ALL else int(self.turns)

    def root(self) -> State:
        """Before the first prize; where the order is known, it is up already."""
        return self._next_turn((), (), ())

    def player(self, state: State) -> int:
        """Chance turns up a prize, then player 0 bids, then player 1."""
        prizes, mine, theirs = state
        turn = len(theirs)
        if len(mine) > turn:
            return 1
        if turn == self._last_turn:
            return TERMINAL
        return CHANCE if len(prizes) == turn else 0

    def actions(self, state: State) -> Sequence[str]:
        """The cards on hand, or the prizes that are left."""
        player = self.player(state)
        return (
            _names(self.cards, "prize", state[0]) if player == CHANCE else _names(self.cards, "bid", state[1 + player])
        )

    def chance(self, state: State) -> Sequence[Fraction]:
        """Every prize that is left is equally likely."""
        return _equally_likely(self.cards - len(state[0]))

    def child(self, state: State, action: int) -> State:
        """The state after the next prize or bid; a bid of player 1 ends the turn."""
        prizes, mine, theirs = state
        if len(mine) > len(theirs):
            return self._next_turn(prizes, mine, _longer(self.cards, theirs)[action])
        if len(prizes) > len(mine):
            return prizes, _longer(self.cards, mine)[action], theirs
        return _longer(self.cards, prizes)[action], mine, theirs

    def _next_turn(self, prizes: Cards, mine: Cards, theirs: Cards) -> State:
        """Turn up the next prize where it is known which one it is, and play the last cards of a full game."""
        turn = len(prizes)
        if turn == self.cards - 1 and self.turns == ALL:
            return _longer(self.cards, prizes)[0], _longer(self.cards, mine)[0], _longer(self.cards, theirs)[0]
        if self.prizes == "random" or turn == self.turns:
            return prizes, mine, theirs
        return (*prizes, turn + 1 if self.prizes == "ascending" else self.cards - turn), mine, theirs

    def label(self, state: State) -> str:
        """The player, the turns so far as the player has seen them, and the prize that is up."""
        prizes, mine, theirs = state
        player = 1 if len(mine) > len(theirs) else 0
        turns = zip(prizes, theirs, mine) if player else zip(prizes, mine, theirs)  # noqa: B905 - a prize more is up
        seen = f"p{player}"
        for prize, own, other in turns:
            seen += f" {prize}:{own}v{other}" if self.bids == "open" else f" {prize}:{own}{_SIGNS[_sign(own - other)]}"
        return f"{seen} {prizes[-1]}"

    def payoff(self, state: State) -> int | Fraction:
        """The sign of the difference in points, or half of it: the own points less the mean of both."""
        ahead = 0
        for prize, mine, theirs in zip(*state, strict=True):
            if mine > theirs:
                ahead += prize
            elif mine < theirs:
                ahead -= prize
        return _sign(ahead) if self.returns == "win_loss" else Fraction(ahead, 2)

    def counted(self) -> Size:
        """Counted turn by turn; with hidden bids nobody has a formula for the information sets."""
        histories = ways = 1
        infosets = 0
        for turn in range(self.cards - 1 if self.turns == ALL else self._last_turn):
            left = self.cards - turn
            if self.prizes == "random":
                ways *= left
                histories += ways
            infosets += 2 * ways  # player 1 does not see what player 0 has just bid
            histories += ways * left + ways * left**2
            ways *= left**2
        return Size(histories, infosets if self.bids == "open" else None)

    def meaning(self, label: str) -> str:
        """A label in words: ``p0 4:2- 3`` is 'lost 4 with 2; bids for 3'."""
        _, *turns, prize = label.split()
        return "; ".join([*map(_spoken_turn, turns), f"bids for {prize}"])


# The orders of prizes and of bids are few, and each is met in very many histories: they share one tuple.


@cache
def _longer(cards: int, used: Cards) -> tuple[Cards, ...]:
    """What the cards that have been used become with each of those that are left, from the lowest on."""
    return tuple((*used, card) for card in range(1, cards + 1) if card not in used)


@cache
def _names(cards: int, word: str, used: Cards) -> tuple[str, ...]:
    """What the cards that are left are called."""
    return tuple(f"{word} {longer[-1]}" for longer in _longer(cards, used))


@cache
def _equally_likely(outcomes: int) -> tuple[Fraction, ...]:
    return (Fraction(1, outcomes),) * outcomes


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _spoken_turn(turn: str) -> str:
    prize, _, bids = turn.partition(":")
    own, against, other = bids.partition("v")
    if against:
        return f"{_SPOKEN_SIGNS[_SIGNS[_sign(int(own) - int(other))]]} {prize} with {own} against {other}"
    return f"{_SPOKEN_SIGNS[own[-1]]} {prize} with {own[:-1]}"
