"""Games in which each player is dealt a hand once and everything after that is public: most card and dice games.

Such a game is written here without ever speaking of two hands at a time: which hands there are, how likely pairs of
them are, what can be done in public, and what an ending is worth as a number times a *hand kernel*. From that
``PublicGame`` makes an ordinary game, history by history, for all who want histories; and ``forms.lanes`` compiles the
public tree alone, in which all hands of a player act side by side.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from regretlab.errors import GameError
from regretlab.games.protocol import CHANCE, TERMINAL, Number, is_finite
from regretlab.spec import LARGEST

UNDEALT = -1
"""In place of a hand that is yet to be dealt."""


@dataclass(frozen=True)
class Product:
    """A number for each pair of hands that is a product: ``first`` of player 0's hand × ``second`` of player 1's."""

    first: tuple[Number, ...]
    second: tuple[Number, ...]

    def at(self, mine: int, theirs: int) -> Number:
        """The number of a pair of hands."""
        return self.first[mine] * self.second[theirs]


@dataclass(frozen=True)
class Played(Product):
    """How probable a move is that chance makes for a player, hand by hand.

    A hand that never makes it could be held there all the same, so what follows stays in the game with probability 0.
    """


@dataclass(frozen=True)
class Table:
    """Any numbers for pairs of hands: ``rows[mine][theirs]``."""

    rows: tuple[tuple[Number, ...], ...]

    def at(self, mine: int, theirs: int) -> Number:
        """The number of a pair of hands."""
        return self.rows[mine][theirs]


@dataclass(frozen=True)
class Always:
    """The hand kernel of a fold: 1, whatever the hands are."""

    def at(self, mine: int, theirs: int) -> int:
        """The number of a pair of hands."""
        return 1


@dataclass(frozen=True)
class Stronger:
    """The hand kernel of a showdown: 1 where player 0's hand is stronger, −1 where player 1's is, 0 where equal."""

    first: tuple[int, ...]  # how strong each hand of player 0 is
    second: tuple[int, ...]

    def at(self, mine: int, theirs: int) -> int:
        """The number of a pair of hands."""
        return (self.first[mine] > self.second[theirs]) - (self.first[mine] < self.second[theirs])


Weights: TypeAlias = Product | Table
"""How likely pairs of hands are, or an outcome is for each pair of hands."""

HandKernel: TypeAlias = Always | Stronger | Table
"""What pairs of hands earn where the game ends, up to a factor."""


class Ending(NamedTuple):
    """What player 0 wins where the game ends: the hand kernel's number times ``factor``.

    Player 1 loses that. A ``rake`` is what the house takes: both players lose half of it besides.
    """

    kernel: HandKernel
    factor: Number
    rake: Number = 0


class Deal(NamedTuple):
    """A state of the ordinary game: both hands, by number, and the public state."""

    mine: int
    theirs: int
    public: Any


class PublicGame(ABC):
    """The rules of a two-player game with hands, zero-sum but for rake. A public state is any value that can be hashed.

    The methods up to ``deal`` are what a game defines; all that follow are the ordinary protocol (``games.protocol``),
    made from them.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """How people call this game, parameters included."""

    @abstractmethod
    def hands(self, player: int) -> Sequence[str]:
        """The names of the hands that a player can be dealt."""

    @abstractmethod
    def weights(self) -> Weights:
        """How likely each pair of hands is, compared with others; they need not sum to 1."""

    def held(self, player: int) -> Sequence[tuple[int, ...]]:
        """The cards in each hand, by number: two hands with a card in common exclude each other. None unless given."""
        return [()] * len(self.hands(player))

    @abstractmethod
    def start(self) -> Any:
        """The public state right after the deal."""

    @abstractmethod
    def turn(self, public: Any) -> int:
        """Whose turn it is: 0 or 1, CHANCE where something is turned up for all to see, or TERMINAL."""

    @abstractmethod
    def moves(self, public: Any) -> Sequence[str]:
        """The names of what can happen next, the same for all hands."""

    @abstractmethod
    def after(self, public: Any, move: int) -> Any:
        """The public state after move number ``move``."""

    def outcomes(self, public: Any) -> Sequence[Weights]:
        """Where chance moves: for each move how probable it is with each pair of hands, 0 where they exclude it."""
        raise GameError(f"{self.name}: chance moves at {public!r}, but there is no method outcomes")

    @abstractmethod
    def ending(self, public: Any) -> Ending:
        """What player 0 wins where the game has ended."""

    @abstractmethod
    def knows(self, player: int, hand: int, public: Any) -> str:
        """What the acting player knows: the label of the information set."""

    def deal(self, mine: int, theirs: int) -> str:
        """How dealing both hands at once is called; empty where they are dealt one after the other."""
        return ""

    def public_states(self) -> int | None:
        """How many public states there are, chance and endings included, where the game can say it without a walk."""
        return None

    def possible(self, mine: int, theirs: int) -> bool:
        """Whether the two hands have no card in common."""
        return not self._masks[0][mine] & self._masks[1][theirs]

    @cached_property
    def _masks(self) -> tuple[list[int], list[int]]:
        """The cards of each hand as a set of bits."""
        zero, one = ([sum(1 << card for card in hand) for hand in self.held(player)] for player in (0, 1))
        return zero, one

    def root(self) -> Deal:
        """Before the deal."""
        return Deal(UNDEALT, UNDEALT, self.start())

    def player(self, state: Deal) -> int:
        """Chance deals, then it is as the public state says."""
        return CHANCE if state[1] == UNDEALT else self._spot(state[2]).turn

    def actions(self, state: Deal) -> Sequence[str]:
        """What is dealt, what can come up with these hands, or what the player can do."""
        if state.theirs == UNDEALT:
            return self._deals[state.mine].names
        spot = self._spot(state.public)
        if spot.turn != CHANCE:
            return spot.moves
        return [spot.moves[move] for move in self._possible_moves(state)]

    def chance(self, state: Deal) -> Sequence[Number]:
        """How probable each of them is."""
        if state.theirs == UNDEALT:
            return self._deals[state.mine].chances
        return list(self._possible_moves(state).values())

    def child(self, state: Deal, action: int) -> Deal:
        """The next state."""
        mine, theirs, public = state
        if theirs == UNDEALT:
            return Deal(*self._deals[mine].hands[action], public)
        spot = self._spot(public)
        if spot.turn == CHANCE:
            action = list(self._possible_moves(state))[action]
        return Deal(mine, theirs, spot.after[action])

    def label(self, state: Deal) -> str:
        """What the acting player knows."""
        player, _, _, labels, _ = self._spot(state.public)
        hand = state[player]
        known = labels.get(hand)
        if known is None:
            known = labels[hand] = self.knows(player, hand, state.public)
        return known

    def _spot(self, public: Any) -> _Spot:
        """What is the same for all hands: a public state comes up with each pair of them, and is asked about once."""
        known = self._spots.get(public)
        if known is None:
            turn = self.turn(public)
            moves = () if turn == TERMINAL else tuple(self.moves(public))
            after = tuple(self.after(public, move) for move in range(len(moves)))
            outcomes = sound_outcomes(self, public, moves) if turn == CHANCE else ()
            known = self._spots[public] = _Spot(turn, moves, after, {}, outcomes)
        return known

    @cached_property
    def _spots(self) -> dict[Any, _Spot]:
        return {}

    def payoff(self, state: Deal) -> Number:
        """What player 0 wins."""
        return self._won_by_each(state)[0]

    def payoffs(self, state: Deal) -> tuple[Number, Number]:
        """What both players win. A derived class with a payoff of its own says what one wins and the other loses."""
        if type(self).payoff is PublicGame.payoff:
            return self._won_by_each(state)
        won = self.payoff(state)
        return won, -won

    def _won_by_each(self, state: Deal) -> tuple[Number, Number]:
        """What both players win by the ending. Products with fractions are slow, and there are few different ones."""
        known = self._payoffs.get(state.public)
        if known is None:
            known = self._payoffs[state.public] = (sound_ending(self, state.public), {})
        ending, products = known
        number = ending.kernel.at(state.mine, state.theirs)
        if number not in products:
            won = ending.factor * number
            half = ending.rake / 2 if isinstance(ending.rake, float) else Fraction(ending.rake, 2)
            products[number] = (won - half, -won - half) if half else (won, -won)
        return products[number]

    @cached_property
    def _payoffs(self) -> dict[Any, tuple[Ending, dict[Number, tuple[Number, Number]]]]:
        return {}

    def _possible_moves(self, state: Deal) -> Mapping[int, Number]:
        """What chance can turn up with these hands, and how probable it is."""
        chances = {}
        for move, weights in enumerate(self._spot(state.public).outcomes):
            chance = weights.at(state.mine, state.theirs)
            if chance or isinstance(weights, Played):
                chances[move] = chance
        return chances

    @cached_property
    def sound(self) -> dict[tuple[int, float], object]:
        """Numbers for pairs of hands that have been checked, by address: games give the same ones again and again."""
        return {}

    @cached_property
    def _deals(self) -> dict[int, _Deals]:
        """What chance deals before anything is dealt, and after each hand of player 0."""
        check_hands(self)
        weights, mine, theirs = self.weights(), self.hands(0), self.hands(1)
        pairs: dict[int, dict[int, Number]] = {}
        for i in range(len(mine)):
            row = {j: weights.at(i, j) for j in range(len(theirs)) if self.possible(i, j)}
            pairs[i] = {j: weight for j, weight in row.items() if weight}
        sums: dict[int, Number] = {i: sum(row.values()) for i, row in pairs.items() if row}
        total = sum(sums.values())
        if not sums or not total > 0:
            raise GameError(f"{self.name}: no pair of hands has a weight above 0")
        one = Fraction(1) if not isinstance(total, float) else 1.0
        if self.deal(0, next(iter(pairs[next(iter(sums))]))):
            both = [(i, j) for i in sums for j in pairs[i]]
            each = {weight: weight * one / total for weight in {pairs[i][j] for i, j in both}}
            names = tuple(self.deal(i, j) for i, j in both)
            return {UNDEALT: _Deals(names, tuple(each[pairs[i][j]] for i, j in both), tuple(both))}
        first = _Deals(
            tuple(mine[i] for i in sums),
            tuple(weight * one / total for weight in sums.values()),
            tuple((i, UNDEALT) for i in sums),
        )
        return {UNDEALT: first} | {
            i: _Deals(
                tuple(theirs[j] for j in pairs[i]),
                tuple(weight * one / sums[i] for weight in pairs[i].values()),
                tuple((i, j) for j in pairs[i]),
            )
            for i in sums
        }


class _Spot(NamedTuple):
    """A public state."""

    turn: int
    moves: tuple[str, ...]
    after: tuple[Any, ...]  # the public state after each move
    labels: dict[int, str]  # by the hand of the player whose turn it is
    outcomes: Sequence[Weights]  # where chance moves


class _Deals(NamedTuple):
    """What chance can deal next."""

    names: tuple[str, ...]
    chances: tuple[Number, ...]
    hands: tuple[tuple[int, int], ...]  # both players' hands afterwards


def check_hands(game: PublicGame) -> None:
    """Raise GameError unless hands have names of their own, and cards and weights are those of these hands."""
    for player in (0, 1):
        names, held = list(game.hands(player)), list(game.held(player))
        if not names:
            raise GameError(f"{game.name}: player {player} has no hands")
        for name, count in Counter(names).items():
            if not isinstance(name, str) or not name:
                raise GameError(f"{game.name}: the name of a hand of player {player}, {name!r:.40}, is not a text")
            if count > 1:
                raise GameError(f"{game.name}: player {player} has {count} hands called '{name}'")
        if len(held) != len(names):
            raise GameError(f"{game.name}: player {player} has {len(names)} hands, but held has {len(held)}")
        for name, cards in zip(names, held, strict=True):
            if len(set(cards)) < len(cards) or not all(isinstance(card, int) and card >= 0 for card in cards):
                problem = f"{cards!r:.60}; cards are whole numbers from 0 on, each once"
                raise GameError(f"{game.name}: hand '{name}' of player {player} holds {problem}")
    _check_numbers(game, f"{game.name}, weights", game.weights(), (Product, Table), least=0)


def sound_ending(game: PublicGame, public: Any) -> Ending:
    """What is won where the game has ended; GameError unless it is a kernel of these hands, a number, and a rake."""
    given = game.ending(public)
    if not isinstance(given, tuple) or len(given) not in (2, 3):
        raise GameError(f"{_place(game, public)}: the ending is {given!r:.60}, not Ending(kernel, factor)")
    ending = Ending(*given)
    if not is_finite(ending.factor):
        raise GameError(
            f"{_place(game, public)}: the factor {ending.factor!r:.60} is not a finite number up to {LARGEST:.0e}"
        )
    if not is_finite(ending.rake) or ending.rake < 0:
        raise GameError(
            f"{_place(game, public)}: the rake {ending.rake!r:.60} is not a finite number that is 0 or more"
        )
    if (id(ending.kernel), -math.inf) not in game.sound:
        _check_numbers(game, _place(game, public), ending.kernel, (Always, Stronger, Table))
    return ending


def sound_outcomes(game: PublicGame, public: Any, moves: Sequence[str]) -> Sequence[Weights]:
    """How probable what chance turns up is; GameError unless that is said of each move and of these hands."""
    outcomes = game.outcomes(public)
    if len(outcomes) != len(moves):
        raise GameError(f"{_place(game, public)}: {len(moves)} moves but {len(outcomes)} outcomes")
    for weights in outcomes:
        if (id(weights), 0) not in game.sound:
            _check_numbers(game, _place(game, public), weights, (Product, Table), least=0)
    return outcomes


def _place(game: PublicGame, public: Any) -> str:
    """Where something is wrong; names of games take time to make, so only whoever needs it asks."""
    return f"{game.name}, at {public!r:.60}"


def _check_numbers(
    game: PublicGame, place: str, numbers: Any, kinds: tuple[type[Any], ...], least: float = -math.inf
) -> None:
    """Raise GameError unless this is a number for each pair of hands, finite and not below ``least``."""
    if not isinstance(numbers, kinds):
        raise GameError(f"{place}: {numbers!r:.60} is not one of {', '.join(kind.__name__ for kind in kinds)}")
    counts = len(game.hands(0)), len(game.hands(1))
    if not isinstance(numbers, Always):
        rows = numbers.rows if isinstance(numbers, Table) else (numbers.first, numbers.second)
        if not isinstance(rows, tuple) or not all(isinstance(row, tuple) for row in rows):
            raise GameError(f"{place}: {type(numbers).__name__} is to be given tuples, not {rows!r:.60}")
        sizes = [len(row) for row in rows]
        if sizes != ([counts[1]] * counts[0] if isinstance(numbers, Table) else [*counts]):
            found = f"{len(sizes)} rows of {' or '.join(map(str, sorted(set(sizes))))} numbers"
            if not isinstance(numbers, Table):
                found = f"{sizes[0]} and {sizes[1]} numbers"
            raise GameError(
                f"{place}: {type(numbers).__name__} has {found}; the players have {counts[0]} and {counts[1]} hands"
            )
        for number in (number for row in rows for number in row):
            if not is_finite(number) or number < least:
                wanted = "a finite number" if least < 0 else "a finite number that is 0 or more"
                raise GameError(f"{place}: {number!r:.60} is not {wanted}")
    game.sound[id(numbers), least] = numbers
