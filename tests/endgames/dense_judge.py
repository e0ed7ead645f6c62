"""A judge of profiles that shares nothing with the engine: dense matrices over pairs of hands, in numpy.

Hands are ranked as the best of 21 hands of five cards, by counting. Chips are counted from the names of actions, rake
by its definition, and cards that cannot come are masked out of a matrix of all pairs. Of a spot it takes the board, the
hands and weights of both ranges, pot, rake and locks, and what can be done where.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from regretlab.endgames import Deal, Decision, Fold, Showdown, Spot
from regretlab.endgames.betting import Node
from regretlab.forms import Strategy

Array: TypeAlias = NDArray[np.float64]

Policy: TypeAlias = Callable[[int, tuple[int, int], tuple[str, ...]], dict[str, float]]
"""What a player does with a hand after a line with all its cards: probabilities by action."""

RANKS, SUITS = "23456789TJQKA", "cdhs"
FIVE_OF_SEVEN = np.array(list(combinations(range(7), 5)))
WHEEL_TOP, ACE = 3, 12

# The sum over five cards of how many of them have the same rank tells what kind of hand they are.
KIND = {17: 7, 13: 6, 11: 3, 9: 2, 7: 1, 5: 0}  # quads, full house, trips, two pairs, a pair, nothing
STRAIGHT_FLUSH, FLUSH, STRAIGHT = 8, 5, 4


def ranked(board: tuple[int, ...], hands: list[tuple[int, int]]) -> NDArray[np.int64]:
    """How strong each hand is with five cards on the board; a hand that has one of them gets some number too."""
    seven = np.array([[*hand, *board] for hand in hands])
    cards = seven[:, FIVE_OF_SEVEN]  # (hands, 21, 5)
    rank, suit = cards // 4, cards % 4
    alike = (rank[..., :, None] == rank[..., None, :]).sum(axis=-1)
    # Those of which there are most come first, and among them the highest.
    digits = -np.sort(-(alike * 13 + rank), axis=-1) % 13
    kinds = alike.sum(axis=-1)
    kind = np.vectorize(KIND.get, otypes=[np.int64])(kinds, 0)
    flush = (suit == suit[..., :1]).all(axis=-1)
    apart = kinds == 5
    wheel = apart & (digits[..., 0] == ACE) & (digits[..., 1] == WHEEL_TOP)
    straight = wheel | (apart & (digits[..., 0] - digits[..., 4] == 4))
    digits[wheel] = [WHEEL_TOP, 2, 1, 0, 0]
    kind = np.where(straight & flush, STRAIGHT_FLUSH, np.where(flush, FLUSH, np.where(straight, STRAIGHT, kind)))
    number: NDArray[np.int64] = (digits * 13 ** np.arange(4, -1, -1)).sum(axis=-1) + kind * 13**5
    return number.max(axis=1)


class Verdict(NamedTuple):
    """What a profile is worth to each player, chips above half of the pot, and what a best response would be."""

    values: tuple[float, float]
    best: tuple[float, float]

    @property
    def exploitability(self) -> float:
        """NashConv / 2."""
        return (sum(self.best) - sum(self.values)) / 2


@dataclass
class _Place:
    """Where a walk is: the line with its cards, the board, what both have put in before this street and on it."""

    line: tuple[str, ...]
    board: tuple[int, ...]
    before: int
    bets: tuple[int, int]
    pairs: Array  # (hands, hands) how probable each pair is together with the cards that came


def judge(spot: Spot, policy: Policy) -> Verdict:
    """Judge a profile, with a lock's owner bound to it also in the best response."""
    court = DenseJudge(spot, policy)
    expected, best = ([float(court.worth(player, free).sum()) for player in (0, 1)] for free in (False, True))
    return Verdict((expected[0], expected[1]), (best[0], best[1]))


class DenseJudge:
    """Walks the betting of a spot with all cards, for one player at a time."""

    def __init__(self, spot: Spot, policy: Policy) -> None:
        self.spot, self.policy = spot, policy
        self.hands = [list(spot.cards(player)) for player in (0, 1)]
        weights = np.outer(spot.hand_weights(0), spot.hand_weights(1))
        self.pairs: Array = weights * [[not set(a) & set(b) for b in self.hands[1]] for a in self.hands[0]]
        self.pairs /= self.pairs.sum()
        self._played: dict[tuple[str, ...], Array] = {}
        self._signs: dict[frozenset[int], Array] = {}

    def worth(self, player: int, free: bool) -> Array:
        """What each hand of a player brings, times its probability: by the profile, or ``free`` to do what is best."""
        place = _Place((), self.spot.board, 0, (0, 0), self.pairs)
        reach = np.ones(len(self.hands[1 - player]))
        return self._worth(self.spot.betting, place, player, reach, free)

    def equities(self) -> tuple[float, float]:
        """Each player's share of the pot where everybody checks to the end; for rivers."""
        share = float((self.pairs * (1 + self.signs(self.spot.board)) / 2).sum())
        return share, 1 - share

    def signs(self, board: tuple[int, ...]) -> Array:
        """Of each pair of hands whether player 0's is stronger (1), weaker (−1) or as strong (0)."""
        key = frozenset(board)
        if key not in self._signs:
            zero, one = (ranked(board, hands) for hands in self.hands)
            self._signs[key] = np.sign(zero[:, None] - one[None, :]).astype(float)
        return self._signs[key]

    def played(self, decision: Decision, place: _Place) -> Array:
        """What the profile does at a decision: (hands, actions), 0 for hands that have a card of the board."""
        line, player = place.line, decision.player
        if line not in self._played:
            rows = [
                {} if set(hand) & set(place.board) else self.policy(player, hand, line) for hand in self.hands[player]
            ]
            self._played[line] = np.array([[row.get(action, 0.0) for action in decision.actions] for row in rows])
        return self._played[line]

    def _worth(self, node: Node, place: _Place, player: int, reach: Array, free: bool) -> Array:
        match node:
            case Decision():
                return self._decided(node, place, player, reach, free)
            case Deal():
                return self._dealt(node, place, player, reach, free)
            case Fold() | Showdown():
                return self._ended(node, place, player, reach)

    def _decided(self, node: Decision, place: _Place, player: int, reach: Array, free: bool) -> Array:
        played = self.played(node, place)
        after = [_acted(place, node.player, action) for action in node.actions]
        if node.player != player:
            return sum(
                (
                    self._worth(child, there, player, reach * played[:, a], free)
                    for a, (child, there) in enumerate(zip(node.after, after, strict=True))
                ),
                np.zeros(len(self.hands[player])),
            )
        below = np.array(
            [self._worth(child, there, player, reach, free) for child, there in zip(node.after, after, strict=True)]
        )
        expected: Array = (played.T * below).sum(axis=0)
        return np.where(self._bound(player, place.line), expected, below.max(axis=0)) if free else expected

    def _bound(self, player: int, line: tuple[str, ...]) -> NDArray[np.bool_]:
        """Which hands a lock leaves no choice."""
        found = locked_rows(self.spot, line)
        rows = found if found is not None else [None] * len(self.hands[player])
        return np.array([row is not None for row in rows])

    def _dealt(self, node: Deal, place: _Place, player: int, reach: Array, free: bool) -> Array:
        total = np.zeros(len(self.hands[player]))
        for card in set(range(52)) - set(place.board):
            without = [np.array([card not in hand for hand in hands], dtype=float) for hands in self.hands]
            # Nobody holds the card, and of those that nobody holds it is one of so many.
            pairs = place.pairs * np.outer(*without) / (52 - 4 - len(place.board))
            name = RANKS[card // 4] + SUITS[card % 4]
            matched = place.before + min(place.bets)
            there = _Place((*place.line, name), (*place.board, card), matched, (0, 0), pairs)
            total += self._worth(node.after, there, player, reach, free)
        return total

    def _ended(self, node: Fold | Showdown, place: _Place, player: int, reach: Array) -> Array:
        matched = place.before + min(place.bets)
        rate, cap = self.spot.rake
        rake = float(rate) * (self.spot.pot + 2 * matched)
        rake = rake if cap is None else min(rake, float(cap))
        lost = -self.spot.pot / 2 - matched
        won = -lost - rake
        if isinstance(node, Fold):
            # Who has put in less on this street has folded.
            paid: Array = np.full(self.pairs.shape, lost if place.bets[player] < place.bets[1 - player] else won)
        else:
            sign = self.signs(place.board) * (1 if player == 0 else -1)
            paid = np.where(sign > 0, won, np.where(sign < 0, lost, -rake / 2))
        worth = place.pairs * paid
        return worth @ reach if player == 0 else worth.T @ reach


def _acted(place: _Place, player: int, action: str) -> _Place:
    """The place after an action, which says to how many chips it raises."""
    bets = list(place.bets)
    if action == "call":
        bets[player] = bets[1 - player]
    elif action not in ("fold", "check"):
        bets[player] = int(action.split()[1])
    return _Place((*place.line, action), place.board, place.before, (bets[0], bets[1]), place.pairs)


def locked_rows(spot: Spot, line: tuple[str, ...]) -> list[tuple[Fraction, ...] | None] | None:
    """What a lock has each hand do after a line with all its cards, None where the hand is free.

    A lock's line may leave out cards; of several that hold, the one that names most counts.
    """
    cards = {rank + suit for rank in RANKS for suit in SUITS}
    holding = []
    for lock in spot.locks:
        # Every way to leave cards out of the line, actions kept.
        turned = [k for k, word in enumerate(line) if word in cards]
        left_out = (set(some) for count in range(len(turned) + 1) for some in combinations(turned, count))
        if any(tuple(word for k, word in enumerate(line) if k not in some) == lock.line for some in left_out):
            holding.append(lock)
    return list(max(holding, key=lambda lock: len(lock.line)).probabilities) if holding else None


def read_policy(strategy: Strategy) -> Policy:
    """A strategy by its labels."""

    def policy(player: int, hand: tuple[int, int], line: tuple[str, ...]) -> dict[str, float]:
        return strategy[label_of(hand, line)]

    return policy


def read_merged_policy(spot: Spot, strategy: Strategy) -> Policy:
    """A strategy of which only one of several boards that suits do not tell apart has labels.

    Suits are exchanged in the hand and the line until there is a label, among all exchanges that change neither the
    board nor the ranges nor the locks.
    """
    board = set(spot.board)
    ranges = [dict(zip(spot.cards(p), spot.hand_weights(p).tolist(), strict=True)) for p in (0, 1)]

    def moved(cards: tuple[int, ...], suits: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(card // 4 * 4 + suits[card % 4] for card in cards)

    def kept(each: dict[tuple[int, int], Any], suits: tuple[int, ...]) -> bool:
        return {tuple(sorted(moved(hand, suits), reverse=True)): what for hand, what in each.items()} == each

    # A lock that names a card holds on that board alone; where there is one, every board has labels.
    locks = [dict(zip(spot.cards(lock.player), lock.probabilities, strict=True)) for lock in spot.locks]
    group = [
        suits
        for suits in permutations(range(4))
        if set(moved(spot.board, suits)) == board and all(kept(each, suits) for each in (*ranges, *locks))
    ]
    labels = set(strategy)

    def policy(player: int, hand: tuple[int, int], line: tuple[str, ...]) -> dict[str, float]:
        for suits in group:
            spelled = {SUITS[k]: SUITS[to] for k, to in enumerate(suits)}
            there = tuple(word[0] + spelled[word[1]] if len(word) == 2 else word for word in line)
            high, low = sorted(moved(hand, suits), reverse=True)
            if label_of((high, low), there) in labels:
                return strategy[label_of((high, low), there)]
        raise AssertionError(f"no label for {hand} after {line}")

    return policy


def label_of(hand: tuple[int, int], line: tuple[str, ...]) -> str:
    """The own hand, the higher card first, and the line."""
    return f"{''.join(RANKS[card // 4] + SUITS[card % 4] for card in hand)} {', '.join(line)}".strip()
