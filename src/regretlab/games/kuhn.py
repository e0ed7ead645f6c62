"""Kuhn poker: one card each, one bet (Kuhn, 1950)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from regretlab.games.protocol import TERMINAL
from regretlab.games.public import UNDEALT, Always, Deal, Ending, Product, PublicGame, Stronger
from regretlab.games.size import Size
from regretlab.spec import format_changed, positive, whole

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
_FOLD = Always()
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
class Kuhn(PublicGame):
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
        object.__setattr__(self, "cards", whole("cards", self.cards, least=3, most=100_000))

    @property
    def name(self) -> str:
        """The name with the parameters that are not the default."""
        return format_changed("kuhn", self)

    def hands(self, player: int) -> list[str]:
        """One card."""
        return [self.card(rank) for rank in range(self.cards)]

    def weights(self) -> Product:
        """Every deal is equally likely."""
        return Product((1,) * self.cards, (1,) * self.cards)

    def held(self, player: int) -> list[tuple[int, ...]]:
        """No card is dealt twice."""
        return [(rank,) for rank in range(self.cards)]

    def deal(self, mine: int, theirs: int) -> str:
        """``JQ``, or ``12-7`` with numbered cards."""
        return f"{self.card(mine)}{'' if self.cards == len(_NAMED_CARDS) else '-'}{self.card(theirs)}"

    def start(self) -> str:
        """The public state is the moves so far."""
        return ""

    def turn(self, moves: str) -> int:
        """Player 0 begins."""
        return _PLAYER.get(moves, TERMINAL)

    def moves(self, moves: str) -> Sequence[str]:
        """Check and bet, or fold and call."""
        return _ACTIONS[moves]

    def after(self, moves: str, move: int) -> str:
        """One more letter."""
        return _NEXT[moves][move]

    def knows(self, player: int, hand: int, moves: str) -> str:
        """The own card, then the moves so far."""
        return self.card(hand) + moves

    def ending(self, moves: str) -> Ending:
        """Who folds loses the ante; at a showdown the higher card wins what the other has put in."""
        if moves[-1] == "f":
            return Ending(_FOLD, self.ante if moves == "bf" else -self.ante)
        return Ending(self._higher, self.ante if moves == "cc" else self.ante + self.bet)

    def public_states(self) -> int:
        """Four decisions and five endings."""
        return 9

    @cached_property
    def _higher(self) -> Stronger:
        ranks = tuple(range(self.cards))
        return Stronger(ranks, ranks)

    def card(self, rank: int) -> str:
        """How the card of this rank is written; rank 0 is the lowest."""
        return _NAMED_CARDS[rank] if self.cards == len(_NAMED_CARDS) else str(rank + 1)

    def counted(self) -> Size:
        """Each deal has four histories where somebody acts and five that end it."""
        return Size(1 + 9 * self.cards * (self.cards - 1), 4 * self.cards)

    def meaning(self, label: str) -> str:
        """A label in words: ``Jcb`` is 'Jack, checked, facing a bet'."""
        card = label.rstrip("cb")
        return f"{_spoken_card(card)}, {_SITUATION[label[len(card) :]]}"

    def tell(self, state: Deal) -> str:
        """What a deal or the end of a hand means, in words; empty where the hand goes on."""
        mine, theirs, moves = state
        if theirs == UNDEALT or moves in ("c", "b", "cb"):
            return ""
        cards = [_spoken_card(self.card(rank)) for rank in (mine, theirs)]
        if not moves:
            dealt = f"Player 0 gets the {cards[0]}, player 1 the {cards[1]}."
            return f"{dealt} Each has put in {spoken_chips(self.ante)}: the pot holds {spoken_chips(2 * self.ante)}."
        winner = 0 if self.payoff(state) > 0 else 1
        lost = "ante" if moves in ("cc", "bf", "cbf") else "ante and bet"
        won = f"player {winner} wins player {1 - winner}'s {lost}, {spoken_chips(abs(Fraction(self.payoff(state))))}."
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
