"""Leduc poker: one card each, one on the table, two rounds of betting (Southey et al., 2005)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from regretlab.errors import UserError
from regretlab.games.kuhn import spoken_chips
from regretlab.games.protocol import CHANCE, TERMINAL
from regretlab.games.public import (
    UNDEALT,
    Always,
    Deal,
    Ending,
    Product,
    PublicGame,
    Stronger,
    Table,
    Weights,
)
from regretlab.games.size import Size
from regretlab.spec import format_changed, positive, truth, whole

_ACTIONS = {"cb": ("check", "bet"), "fcr": ("fold", "call", "raise"), "fc": ("fold", "call")}
_SPOKEN_RANKS = {"J": "Jack", "Q": "Queen", "K": "King"}
_NAMED_RANKS = tuple(_SPOKEN_RANKS)
_SPOKEN_SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
_SUITS = "".join(_SPOKEN_SUITS)
_FOLD = Always()


class Public(NamedTuple):
    """What both players see: the moves of both betting rounds, and the card that is turned up between them."""

    first: str = ""
    card: int = UNDEALT
    second: str = ""

    @property
    def moves(self) -> str:
        """The moves of the round that is being played."""
        return self.first if self.card == UNDEALT else self.second


@dataclass(frozen=True)
class Leduc(PublicGame):
    """Each player antes and gets a card; they bet, one more card is turned up for both, and they bet again.

    Who has the rank of the card on the table wins a showdown, else the higher rank; equal ranks split the pot. Player 0
    begins both rounds. Who faces no bet checks or bets; who faces one folds, calls or raises. A bet or raise adds
    first_bet in the first round and second_bet in the second, and a round has at most cap of them. A fold loses what
    one has put in.

    The deck has every rank once in each suit. Suits never matter: with merge_suits cards of one rank look alike, which
    makes the game smaller and leaves its value as it is.

    Labels are the own card, the moves of the first round, the card on the table and the moves of the second, with
    ``c`` for check and call, ``b`` for bet, ``r`` for raise: ``Qs cbc Kh b`` is a Queen of spades whose bet was called
    and who faces one now that the King of hearts is on the table. Three ranks are J, Q, K; others 1 to n.
    """

    ranks: int = 3
    suits: int = 2
    ante: Fraction = Fraction(1)
    first_bet: Fraction = Fraction(2)
    second_bet: Fraction = Fraction(4)
    cap: int = 2
    merge_suits: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "ranks", whole("ranks", self.ranks, least=2, most=50))
        object.__setattr__(self, "suits", whole("suits", self.suits, least=1, most=len(_SUITS)))
        for key in ("ante", "first_bet", "second_bet"):
            object.__setattr__(self, key, positive(key, getattr(self, key)))
        object.__setattr__(self, "cap", whole("cap", self.cap, least=1, most=50))
        object.__setattr__(self, "merge_suits", truth("merge_suits", self.merge_suits))
        if self.ranks * self.suits < 3:
            raise UserError(
                f"ranks={self.ranks} and suits={self.suits} leave no card for the table; the deck needs 3 cards"
            )

    @property
    def name(self) -> str:
        """The name with the parameters that are not the default."""
        return format_changed("leduc", self)

    @property
    def suited(self) -> bool:
        """Whether cards of one rank can be told apart."""
        return self.suits > 1 and not self.merge_suits

    def hands(self, player: int) -> tuple[str, ...]:
        """One card."""
        return self._cards

    @cached_property
    def _cards(self) -> tuple[str, ...]:
        return tuple(self.card(card) for card in range(self._kinds))

    @property
    def _kinds(self) -> int:
        """How many cards can be told apart."""
        return self.ranks * self.suits if self.suited else self.ranks

    def weights(self) -> Weights:
        """In how many ways two cards can be dealt."""
        kinds = range(self._kinds)
        if self.suited or self.suits == 1:
            return Product((1,) * len(kinds), (1,) * len(kinds))
        return Table(tuple(tuple(self.suits * (self.suits - (i == j)) for j in kinds) for i in kinds))

    def held(self, player: int) -> list[tuple[int, ...]]:
        """No card is dealt twice; of cards that look alike there are several."""
        return [(card,) if self.suited or self.suits == 1 else () for card in range(self._kinds)]

    def start(self) -> Public:
        """Nobody has done anything, and no card is turned up."""
        return Public()

    def turn(self, public: Public) -> int:
        """The players take turns; chance turns up the card between the rounds."""
        moves = public.moves
        # All folds and calls end a round, and a check that answers a check.
        if len(moves) < 2 or moves[-1] not in "cf":
            return len(moves) % 2
        return CHANCE if public.card == UNDEALT and moves[-1] != "f" else TERMINAL

    def moves(self, public: Public) -> Sequence[str]:
        """Check and bet, or fold, call and raise; the cards where chance turns one up."""
        if self.turn(public) == CHANCE:
            return self._cards
        return _ACTIONS[self._options(public.moves)]

    def after(self, public: Public, move: int) -> Public:
        """The state after the next card or move."""
        if self.turn(public) == CHANCE:
            return public._replace(card=move)
        letter = self._options(public.moves)[move]
        if public.card == UNDEALT:
            return Public(public.first + letter)
        return public._replace(second=public.second + letter)

    def outcomes(self, public: Public) -> Sequence[Weights]:
        """Every card that is left in the deck is equally likely."""
        return self._outcomes

    @cached_property
    def _outcomes(self) -> tuple[Weights, ...]:
        kinds, left = range(self._kinds), self.ranks * self.suits - 2
        if self.suited or self.suits == 1:
            chances = [tuple(int(card != turned) for card in kinds) for turned in kinds]
            return tuple(Product(chance, tuple(Fraction(other, left) for other in chance)) for chance in chances)
        copies = [[[self.suits - (i == k) - (j == k) for j in kinds] for i in kinds] for k in kinds]
        return tuple(
            Table(tuple(tuple(Fraction(max(count, 0), left) for count in row) for row in rows)) for rows in copies
        )

    def knows(self, player: int, hand: int, public: Public) -> str:
        """The own card, the moves of the first round, the card on the table, the moves of the second."""
        if public.card == UNDEALT:
            return f"{self.card(hand)} {public.first}".rstrip()
        return f"{self.card(hand)} {public.first} {self.card(public.card)} {public.second}".rstrip()

    def ending(self, public: Public) -> Ending:
        """The winner gets the loser's ante and called bets."""
        paid = self._paid[_called(public.first)][_called(public.second)]
        if public.moves[-1] == "f":
            return Ending(_FOLD, paid if len(public.moves) % 2 == 0 else -paid)
        return Ending(self._showdowns[public.card], paid)

    @cached_property
    def _paid(self) -> list[list[Fraction]]:
        """What each player has put in, by the called bets of both rounds; arithmetic with fractions is slow."""
        bets = range(self.cap + 1)
        return [[self.ante + first * self.first_bet + second * self.second_bet for second in bets] for first in bets]

    def public_states(self) -> int:
        """Those of a round, and those of another for each card after each way in which the first goes on."""
        # Each bet brings a decision, a fold and a call, whether the other player has checked before or not.
        a_round, going_on = 3 + 2 * 3 * self.cap, 1 + 2 * self.cap
        return a_round + going_on * self._kinds * a_round

    @cached_property
    def _showdowns(self) -> tuple[Stronger, ...]:
        """For each card on the table: who has its rank wins, else the higher rank."""
        strengths = [
            tuple(self.ranks if self._rank(card) == self._rank(turned) else self._rank(card) for card in kinds)
            for kinds in [range(self._kinds)]
            for turned in kinds
        ]
        return tuple(Stronger(each, each) for each in strengths)

    def _rank(self, card: int) -> int:
        return card // self.suits if self.suited else card

    def _options(self, moves: str) -> str:
        """The letters of what can be done after these moves of a round."""
        bets = _bets(moves)
        if bets == 0:
            return "cb"
        return "fcr" if bets < self.cap else "fc"

    def card(self, card: int) -> str:
        """How a card is written; 0 is the lowest."""
        rank = self._rank(card)
        text = _NAMED_RANKS[rank] if self.ranks == len(_NAMED_RANKS) else str(rank + 1)
        return text + _SUITS[card % self.suits] if self.suited else text

    def counted(self) -> Size:
        """In a round 2 + 2 cap histories are decisions, 2 cap end by a fold, and 1 + 2 cap end the round."""
        decisions, calls = 2 + 2 * self.cap, 1 + 2 * self.cap
        round_size = decisions + 2 * self.cap + calls
        cards, copies = self._kinds, 1 if self.suited else self.suits
        # Two cards of one kind can be dealt where there are two; a third one is on the table where there are three.
        pairs = cards * (cards - 1) + cards * (copies > 1)
        tables = cards * (cards - 1) * (cards - 2 * (copies == 1)) + cards * (copies > 1) * (cards - (copies == 2))
        seen = cards * (cards - (copies == 1))
        histories = 1 + cards + pairs * round_size + tables * calls * round_size
        return Size(histories, cards * decisions + seen * calls * decisions)

    def meaning(self, label: str) -> str:
        """A label in words: ``Js cb`` is 'Jack of spades; check, bet'."""
        own, first, public, second = _words(label)
        spoken = f"{_spoken_card(own)}; {_spoken_moves(first)}"
        return f"{spoken}; {_spoken_card(public)} on the table; {_spoken_moves(second)}" if public else spoken

    def tell(self, state: Deal) -> str:
        """What the cards dealt so far or the end of a hand mean, in words; empty where the hand goes on."""
        player, public = self.player(state), state.public
        if player == TERMINAL:
            return self._tell_end(state)
        if state.theirs == UNDEALT or public.moves or player == CHANCE:
            return ""
        paid = self.ante + _called(public.first) * self.first_bet
        pot = f"Each has put in {spoken_chips(paid)}: the pot holds {spoken_chips(2 * paid)}."
        if public.card != UNDEALT:
            return f"The {self._spoken(public.card)} is turned up. {pot}"
        return f"Player 0 gets the {self._spoken(state.mine)}, player 1 the {self._spoken(state.theirs)}. {pot}"

    def _tell_end(self, state: Deal) -> str:
        payoff, public = Fraction(self.payoff(state)), state.public
        if not payoff:
            return "The cards are shown. Both have the same rank: the pot is split, and nobody wins."
        winner = 0 if payoff > 0 else 1
        won = f"player {winner} wins what player {1 - winner} has put in, {spoken_chips(abs(payoff))}."
        if public.moves[-1] == "f":
            return f"Player {1 - winner} folds: {won}"
        best, other = (state.mine, state.theirs) if winner == 0 else (state.theirs, state.mine)
        pairs = self._rank(best) == self._rank(public.card)
        paired = f", paired with the {self._spoken(public.card)}," if pairs else ""
        return f"The cards are shown. The {self._spoken(best)}{paired} beats the {self._spoken(other)}: {won}"

    def _spoken(self, card: int) -> str:
        return _spoken_card(self.card(card))

    def order(self, label: str) -> tuple[object, ...]:
        """Where people expect a label in a list: by round, by situation, then by the own card."""
        own, first, public, second = _words(label)
        return public != "", len(first), first, _place(public), len(second), second, _place(own)

    def encode(self, label: str) -> list[float]:
        """A label in numbers, for networks: the ranks, whether they pair, which move came when. Suits never matter."""
        own, first, public, second = _words(label)
        lowest = 0 if self.ranks == len(_NAMED_RANKS) else 1
        mine, theirs = (_place(card)[0] - lowest if card else UNDEALT for card in (own, public))
        ranks = [float(rank == card) for card in (mine, theirs) for rank in range(self.ranks)]
        made = [moves[k : k + 1] for moves in (first, second) for k in range(self.cap + 2)]
        return [*ranks, float(bool(public)), float(mine == theirs), *(float(move == m) for move in made for m in "cbr")]


def _bets(moves: str) -> int:
    """How many bets and raises a round has seen."""
    return moves.count("b") + moves.count("r")


def _called(moves: str) -> int:
    """How many bets of a finished round both players have paid; the one that made somebody fold is not among them."""
    return _bets(moves) - moves.count("f")


def _words(label: str) -> tuple[str, str, str, str]:
    """The own card, the first moves, the card on the table, the second moves; empty where a label does not say."""
    own, first, public, second, *_ = (*label.split(), "", "", "")
    return own, first, public, second


def _place(card: str) -> tuple[int, int]:
    """Rank and suit of a card as it is written."""
    rank = card.rstrip(_SUITS)
    number = _NAMED_RANKS.index(rank) if rank in _NAMED_RANKS else int(rank or UNDEALT)
    return number, _SUITS.find(card[len(rank) :])


def _spoken_card(card: str) -> str:
    rank = card.rstrip(_SUITS)
    spoken = _SPOKEN_RANKS.get(rank, f"card {rank}")
    return f"{spoken} of {_SPOKEN_SUITS[card[-1]]}" if rank != card else spoken


def _spoken_moves(moves: str) -> str:
    """The moves of a round in words; a ``c`` after a bet is a call, before it a check."""
    words = {"c": "check", "b": "bet", "r": "raise"}
    spoken = ["call" if letter == "c" and "b" in moves[:k] else words[letter] for k, letter in enumerate(moves)]
    return ", ".join(spoken) or "first to act"
