"""Kuhn poker: one card each, one bet (Kuhn, 1950)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from regretlab.games.protocol import CHANCE, TERMINAL
from regretlab.spec import format_changed, positive, whole

State: TypeAlias = tuple[int, int, str] | None
"""Player 0's card, player 1's card, the moves so far; None before the deal."""

_MOVES = {
    "": (("check", "c"), ("bet", "b")),
    "c": (("check", "c"), ("bet", "b")),
    "b": (("fold", "f"), ("call", "c")),
    "cb": (("fold", "f"), ("call", "c")),
}
_ACTIONS = {moves: tuple(name for name, _ in options) for moves, options in _MOVES.items()}
_NEXT = {moves: tuple(moves + letter for _, letter in options) for moves, options in _MOVES.items()}
_PLAYER = {"": 0, "c": 1, "b": 1, "cb": 0}
_SITUATION = {"": "first to act", "c": "after a check", "b": "facing a bet", "cb": "checked, facing a bet"}
_NAMED_CARDS = ("J", "Q", "K")
_SPOKEN_CARDS = {"J": "Jack", "Q": "Queen", "K": "King"}


def spoken_chips(amount: Fraction) -> str:
    """So many chips.

    >>> spoken_chips(Fraction(1)), spoken_chips(Fraction(5, 2))
    ('1 chip', '5/2 chips')
    """
    return f"{amount} chip{'' if amount == 1 else 's'}"


def _spoken_card(card: str) -> str:
    return _SPOKEN_CARDS.get(card, f"card {card}")


@dataclass(frozen=True)
class Kuhn:
    """Each player antes and gets one of the cards; the higher one wins a showdown.

    Player 0 checks or bets. After a bet the other player folds or calls. After a check player 1 may check, which ends
    the hand, or bet, and then player 0 folds or calls. A fold loses the ante; a called bet is won or lost on top of it.

    Labels are the own card and the moves so far, ``c`` for check and call, ``b`` for bet: ``Qcb`` is a Queen that has
    checked and faces a bet. With three cards they are J, Q, K; otherwise 1 to n.
    """

    ante: Fraction = Fraction(1)
    bet: Fraction = Fraction(1)
    cards: int = 3

    def __post_init__(self) -> None:
        object.__setattr__(self, "ante", positive("ante", self.ante))
        object.__setattr__(self, "bet", positive("bet", self.bet))
        object.__setattr__(self, "cards", whole("cards", self.cards, least=3, most=1_000))

    @property
    def name(self) -> str:
        """The name with the parameters that are not the default."""
        return format_changed("kuhn", self)

    def root(self) -> State:
        """Before the deal."""
        return None

    def player(self, state: State) -> int:
        """Chance deals, then the moves decide."""
        return CHANCE if state is None else _PLAYER.get(state[2], TERMINAL)

    def actions(self, state: State) -> Sequence[str]:
        """Check and bet, or fold and call; the deals ``JQ``, ``JK``, … (``12-7`` with numbered cards) before that."""
        if state is not None:
            return _ACTIONS[state[2]]
        cards = [self.card(rank) for rank in range(self.cards)]
        joint = "" if self.cards == len(_NAMED_CARDS) else "-"
        return [f"{mine}{joint}{theirs}" for mine in cards for theirs in cards if mine != theirs]

    def chance(self, state: State) -> Sequence[Fraction]:
        """Every deal is equally likely."""
        deals = self.cards * (self.cards - 1)
        return [Fraction(1, deals)] * deals

    def child(self, state: State, action: int) -> State:
        """Deal number ``action``, or the next move."""
        if state is None:
            mine, theirs = divmod(action, self.cards - 1)
            return mine, theirs + (theirs >= mine), ""
        return state[0], state[1], _NEXT[state[2]][action]

    def label(self, state: State) -> str:
        """The own card, then the moves so far."""
        assert state is not None
        mine, theirs, moves = state
        return self.card(theirs if _PLAYER[moves] else mine) + moves

    def payoff(self, state: State) -> Fraction:
        """Who folds loses the ante; at a showdown the higher card wins what the other has put in."""
        assert state is not None
        mine, theirs, moves = state
        if moves == "bf":
            return self.ante
        if moves == "cbf":
            return -self.ante
        stake = self.ante if moves == "cc" else self.ante + self.bet
        return stake if mine > theirs else -stake

    def card(self, rank: int) -> str:
        """How the card of this rank is written; rank 0 is the lowest."""
        return _NAMED_CARDS[rank] if self.cards == len(_NAMED_CARDS) else str(rank + 1)

    def meaning(self, label: str) -> str:
        """A label in words: ``Jcb`` is 'Jack, checked, facing a bet'."""
        card = label.rstrip("cb")
        return f"{_spoken_card(card)}, {_SITUATION[label[len(card) :]]}"

    def tell(self, state: State) -> str:
        """What a deal or the end of a hand means, in words; empty where the hand goes on."""
        if state is None or state[2] in ("c", "b", "cb"):
            return ""
        mine, theirs, moves = state
        cards = [_spoken_card(self.card(rank)) for rank in (mine, theirs)]
        if not moves:
            dealt = f"Player 0 gets the {cards[0]}, player 1 the {cards[1]}."
            return f"{dealt} Each has put in {spoken_chips(self.ante)}: the pot holds {spoken_chips(2 * self.ante)}."
        winner = 0 if self.payoff(state) > 0 else 1
        lost = "ante" if moves in ("cc", "bf", "cbf") else "ante and bet"
        won = f"player {winner} wins player {1 - winner}'s {lost}, {spoken_chips(abs(self.payoff(state)))}."
        if moves[-1] == "f":
            return f"Player {1 - winner} folds: {won}"
        before = "Both have checked" if moves == "cc" else "The bet is called"
        return f"{before}, and the cards are shown. The {cards[winner]} beats the {cards[1 - winner]}: {won}"

    def order(self, label: str) -> tuple[int, int]:
        """Where people expect a label in a list: by situation, then by card."""
        card = label.rstrip("cb")
        rank = _NAMED_CARDS.index(card) if card in _NAMED_CARDS else int(card)
        return list(_SITUATION).index(label[len(card) :]), rank

    def encode(self, label: str) -> list[float]:
        """A label in numbers, for networks: which card it is, how high it is, which situation."""
        situation, rank = self.order(label)
        place = rank if self.cards == len(_NAMED_CARDS) else rank - 1
        cards = [float(place == card) for card in range(self.cards)]
        return [*cards, place / (self.cards - 1), *(float(situation == k) for k in range(len(_SITUATION)))]

    def endings(self) -> list[tuple[str, str, str]]:
        """The ways in which a hand ends: moves, what happened, player 0's payoff."""
        ante, raised = self.ante, self.ante + self.bet
        return [
            ("cc", "both check, showdown", f"±{ante}"),
            ("bf", "player 0 bets, player 1 folds", f"+{ante}"),
            ("bc", "player 0 bets, player 1 calls, showdown", f"±{raised}"),
            ("cbf", "player 0 checks, player 1 bets, player 0 folds", f"-{ante}"),
            ("cbc", "player 0 checks, player 1 bets, player 0 calls, showdown", f"±{raised}"),
        ]
