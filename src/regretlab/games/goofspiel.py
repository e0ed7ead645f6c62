"""Goofspiel: both players bid for one prize after another, each card once (Ross, 1971)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TypeAlias

from regretlab.errors import unknown
from regretlab.games.protocol import CHANCE, TERMINAL
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

    def root(self) -> State:
        """Before the first prize; where the order is known, it is up already."""
        return self._next_turn((), (), ())

    def player(self, state: State) -> int:
        """Chance turns up a prize, then player 0 bids, then player 1."""
        prizes, mine, theirs = state
        if len(theirs) == (self.cards if self.turns == ALL else self.turns):
            return TERMINAL
        if len(prizes) == len(theirs):
            return CHANCE
        return 0 if len(mine) == len(theirs) else 1

    def actions(self, state: State) -> Sequence[str]:
        """The cards on hand, or the prizes that are left."""
        player = self.player(state)
        word = "prize" if player == CHANCE else "bid"
        return [f"{word} {card}" for card in _left(self.cards, _used(state, player))]

    def chance(self, state: State) -> Sequence[Fraction]:
        """Every prize that is left is equally likely."""
        left = self.cards - len(state[0])
        return [Fraction(1, left)] * left

    def child(self, state: State, action: int) -> State:
        """The state after the next prize or bid; a bid of player 1 ends the turn."""
        prizes, mine, theirs = state
        player = self.player(state)
        card = _left(self.cards, _used(state, player))[action]
        if player == CHANCE:
            return (*prizes, card), mine, theirs
        if player == 0:
            return prizes, (*mine, card), theirs
        return self._next_turn(prizes, mine, (*theirs, card))

    def _next_turn(self, prizes: Cards, mine: Cards, theirs: Cards) -> State:
        """Turn up the next prize where it is known which one it is, and play the last cards of a full game."""
        turn = len(prizes)
        if turn == self.cards - 1 and self.turns == ALL:
            return (
                prizes + _left(self.cards, prizes),
                mine + _left(self.cards, mine),
                theirs + _left(self.cards, theirs),
            )
        if self.prizes == "random" or turn == self.turns:
            return prizes, mine, theirs
        return (*prizes, turn + 1 if self.prizes == "ascending" else self.cards - turn), mine, theirs

    def label(self, state: State) -> str:
        """The player, the turns so far as the player has seen them, and the prize that is up."""
        player, prizes = self.player(state), state[0]
        turns = zip(prizes, _used(state, player), _used(state, 1 - player), strict=False)
        if self.bids == "open":
            seen = [f"{prize}:{own}v{other}" for prize, own, other in turns]
        else:
            seen = [f"{prize}:{own}{_SIGNS[_sign(own - other)]}" for prize, own, other in turns]
        return " ".join([f"p{player}", *seen, str(prizes[-1])])

    def payoff(self, state: State) -> int | Fraction:
        """The sign of the difference in points, or half of it: the own points less the mean of both."""
        ahead = sum(prize * _sign(mine - theirs) for prize, mine, theirs in zip(*state, strict=True))
        return _sign(ahead) if self.returns == "win_loss" else Fraction(ahead, 2)

    def meaning(self, label: str) -> str:
        """A label in words: ``p0 4:2- 3`` is 'lost 4 with 2; bids for 3'."""
        _, *turns, prize = label.split()
        return "; ".join([*map(_spoken_turn, turns), f"bids for {prize}"])


@cache  # every order of bids is met in very many histories
def _left(cards: int, used: Cards) -> Cards:
    """The cards from 1 that have not been used."""
    return tuple(card for card in range(1, cards + 1) if card not in used)


def _used(state: State, player: int) -> Cards:
    """The cards that a player has bid, or the prizes that chance has turned up."""
    return state[0] if player == CHANCE else state[1 + player]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _spoken_turn(turn: str) -> str:
    prize, _, bids = turn.partition(":")
    own, against, other = bids.partition("v")
    if against:
        return f"{_SPOKEN_SIGNS[_SIGNS[_sign(int(own) - int(other))]]} {prize} with {own} against {other}"
    return f"{_SPOKEN_SIGNS[own[-1]]} {prize} with {own[:-1]}"
