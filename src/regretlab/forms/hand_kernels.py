"""What pairs of hands earn where the game ends, as the passes take it: matrices, or orders of strength."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretlab.errors import GameError
from regretlab.forms.kernel import Floats, Indices
from regretlab.forms.lane_passes import REALS, Dense, Sorted, aligned, lane_kernel
from regretlab.forms.public_tree import PublicTree
from regretlab.games.protocol import Number
from regretlab.games.public import Always, HandKernel, Played, Product, PublicGame, Stronger, Table, Weights
from regretlab.games.walk import CHANCE_TOLERANCE

MOST_HANDS_IN_A_MATRIX = 64
"""With more hands, those that are compared by strength are summed by sorting them."""

FEW_EQUALS = 4
"""Hands of the same strength, on average, that are looked at one by one."""

MOST_HANDS_TRIED = 64
"""About so many hands of player 0 are tried when the probabilities of what is turned up are checked."""

MOST_CARDS_IN_A_HAND = 2
"""That sorting knows how to exclude."""


@dataclass(frozen=True, eq=False)
class Hands:
    """The hands of both players of a game, and how likely pairs of them are."""

    game: PublicGame
    names: tuple[tuple[str, ...], tuple[str, ...]]
    weights: Weights
    held: tuple[list[tuple[int, ...]], list[tuple[int, ...]]]

    @property
    def counts(self) -> tuple[int, int]:
        """How many hands each player can be dealt."""
        return len(self.names[0]), len(self.names[1])

    @cached_property
    def compatible(self) -> NDArray[np.bool_]:
        """(hands of player 0, of player 1): whether they have no card in common."""
        free = np.ones(self.counts, dtype=bool)
        for card in {card for hand in self.held[0] for card in hand}:
            zero, one = (np.array([card in hand for hand in self.held[player]]) for player in (0, 1))
            free[np.ix_(zero, one)] = False
        return free

    @cached_property
    def total(self) -> Number:
        """The sum of the weights of all pairs."""
        most = max((len(hand) for held in self.held for hand in held), default=0)
        if isinstance(self.weights, Table) or most > MOST_CARDS_IN_A_HAND:
            pairs = np.argwhere(self.compatible).tolist()
            total: Any = sum(self.weights.at(i, j) for i, j in pairs)
        else:  # all of them, less those with a card in common, which those with two in common were counted twice in
            first, second = self.weights.first, self.weights.second
            everything: Any = sum(second)
            by_cards: dict[frozenset[int], Any] = {}
            for hand, weight in zip(self.held[1], second, strict=True):
                for key in {frozenset(hand), *(frozenset([card]) for card in hand)}:
                    by_cards[key] = by_cards.get(key, 0) + weight
            total = 0
            for hand, weight in zip(self.held[0], first, strict=True):
                taken = sum(by_cards.get(frozenset([card]), 0) for card in hand)
                both = by_cards.get(frozenset(hand), 0) if len(hand) == MOST_CARDS_IN_A_HAND else 0
                total += weight * (everything - taken + both)
        if not total > 0:
            raise GameError(f"{self.game.name}: no pair of hands has a weight above 0")
        return total  # type: ignore[no-any-return]

    def probability(self, board: tuple[Weights, ...]) -> Floats:
        """(hands of player 0, of player 1) how probable each pair is, and a board with it."""
        chance = _matrix(self.weights) / float(self.total) * self.compatible
        for outcome in board:
            chance = chance * _matrix(outcome)
        return chance

    def possible(self, board: tuple[Weights, ...]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """For each hand of each player whether it can be held on a board, whatever is played for the players."""
        board = tuple(outcome for outcome in board if not isinstance(outcome, Played))
        parts = (self.weights, *board)
        products = [part for part in parts if isinstance(part, Product)]
        if len(products) < len(parts):
            pairs: Any = self.probability(board) > 0
            return pairs.any(axis=1), pairs.any(axis=0)
        zero = np.array([all(part.first[hand] > 0 for part in products) for hand in range(self.counts[0])])
        one = np.array([all(part.second[hand] > 0 for part in products) for hand in range(self.counts[1])])
        for player, (own, other) in enumerate(((zero, one), (one, zero))):
            holders = Counter(card for hand in np.flatnonzero(other).tolist() for card in self.held[1 - player][hand])
            rivals = int(other.sum())
            for hand in np.flatnonzero(own).tolist():
                # A hand that excludes all that the other player may hold can't be held. Few come near that.
                if sum(holders[card] for card in self.held[player][hand]) >= rivals:
                    own[hand] = self._has_rival(player, hand, other)
        return zero, one

    def check_chances(self, tree: PublicTree) -> None:
        """Raise GameError unless what chance can turn up has a probability of 1 in all, with every pair of hands.

        Where there are many hands, with some of them; ``check_game`` tries all.
        """
        some = np.arange(self.counts[0])[:: max(1, self.counts[0] // MOST_HANDS_TRIED)]
        for (board, turned), public in tree.turned.items():
            held: Any = _matrix(self.weights, some) * self.compatible[some] > 0
            for outcome in tree.boards[board]:
                held &= _matrix(outcome, some) > 0
            sums: Any = sum(_matrix(tree.boards[after][-1], some) for after in turned)
            wrong = np.argwhere(held & ~(abs(sums - 1) <= CHANCE_TOLERANCE))
            if len(wrong):
                i, j = wrong[0].tolist()
                hands = f"{self.names[0][int(some[i])]} and {self.names[1][j]}"
                total = float(sums[i, j])
                problem = f"with the hands {hands} the chance probabilities sum to {total:.12g}, not 1"
                raise GameError(f"{self.game.name}, at {public!r:.60}: {problem}")

    def _has_rival(self, player: int, hand: int, other: NDArray[np.bool_]) -> bool:
        """Whether the other player may hold anything together with this hand."""
        mine, theirs = set(self.held[player][hand]), self.held[1 - player]
        return any(not mine & set(theirs[rival]) for rival in np.flatnonzero(other).tolist())


def _matrix(numbers: Weights | HandKernel, some: NDArray[np.int64] | None = None) -> Floats:
    """Numbers of pairs of hands as a matrix, for ``some`` hands of player 0 or for all; a fold's is a single 1."""
    match numbers:
        case Product(first, second):
            own = np.array(first, dtype=np.float64)
            return np.outer(own if some is None else own[some], np.array(second, dtype=np.float64))
        case Table(rows):
            return np.array(rows if some is None else [rows[i] for i in some.tolist()], dtype=np.float64)
        case Stronger(first, second):
            differences: Floats = np.subtract.outer(np.array(first, dtype=np.float64), np.array(second))
            return np.sign(differences)
        case Always():
            return np.ones((1, 1))


class LanePayoff:
    """The payoff of a game with hands: for each player the endings, as matrices or in the order of strength."""

    sparse = None
    zero_sum = True  # rake is refused before

    def __init__(self, tree: PublicTree, hands: Hands, slots: tuple[int, int], width: int) -> None:
        self.width, self._slots = width, slots
        self._lanes = tuple(-(-count // width) * width for count in hands.counts)
        sorts = [
            max(hands.counts) > MOST_HANDS_IN_A_MATRIX
            and not isinstance(tree.kernels[ending.kernel], Table)
            and all(isinstance(part, Product) for part in (hands.weights, *tree.boards[ending.board]))
            and _can_exclude(hands)
            for ending in tree.endings
        ]
        both = np.array([[*ending.slots, ending.board, ending.kernel] for ending in tree.endings], dtype=np.int64)
        both = both.reshape(-1, 4)
        factor = np.array([ending.factor for ending in tree.endings], dtype=np.float64)
        chosen = np.array(sorts, dtype=bool)
        matrices, number = _matrices(tree, hands, both[~chosen])
        self.dense = tuple(
            self._dense(player, hands, both[~chosen], factor[~chosen], matrices, number) for player in (0, 1)
        )
        orders = _Orders(tree, hands, both[chosen])
        self.sorted = tuple(self._sorted(player, hands, both[chosen], factor[chosen], orders) for player in (0, 1))

    def _places(self, player: int, hands: int) -> Indices:
        """Where each hand of a player stands in slot 0."""
        hand = np.arange(hands)
        place = hand // self.width * self._slots[player] * self.width + hand % self.width
        return place.astype(np.uint32)

    def _dense(
        self,
        player: int,
        hands: Hands,
        endings: NDArray[np.int64],
        factor: Floats,
        matrices: list[Floats],
        number: NDArray[np.int64],
    ) -> Dense:
        rivals, lanes = hands.counts[1 - player], self._lanes[player]
        entry = np.zeros((len(matrices), rivals, lanes))
        for k, matrix in enumerate(matrices):
            entry[k, :, : hands.counts[player]] = -matrix if player else matrix.T
        order = np.argsort(endings[:, player], kind="stable")
        return Dense(
            np.searchsorted(endings[order, player], np.arange(self._slots[player] + 1)).astype(np.uint32),
            (endings[order, 1 - player] * self.width).astype(np.uint32),
            (number[order] * rivals * lanes).astype(np.uint32),
            factor[order],
            aligned(entry.ravel()),
            self._places(1 - player, rivals),
        )

    def _sorted(self, player: int, hands: Hands, endings: NDArray[np.int64], factor: Floats, orders: _Orders) -> Sorted:
        lanes, sign = self._lanes[player], -1.0 if player else 1.0
        sights: dict[tuple[int, int], int] = {}
        parts: dict[tuple[int, int], list[float]] = {}
        for (zero, one, board, kernel), amount in zip(endings.tolist(), factor.tolist(), strict=True):
            mine, theirs = (one, zero) if player else (zero, one)
            sight = sights.setdefault((theirs, orders.number[board, kernel]), len(sights))
            fold_show = parts.setdefault((mine, sight), [0.0, 0.0])
            if orders.folds[kernel]:
                fold_show[0] += sign * amount
            else:
                fold_show[1] += amount
        ends = sorted(parts)
        seen = list(sights)
        own, other = orders.own(player), orders.other(player)
        numbers: list[Any] = [
            np.searchsorted([mine for mine, _ in ends], np.arange(self._slots[player] + 1)).astype(np.uint32),
            np.array([sight for _, sight in ends], dtype=np.uint32),
            np.array([parts[end][0] for end in ends]),
            np.array([parts[end][1] for end in ends]),
            np.array([slot * self.width for slot, _ in seen], dtype=np.uint32),
            np.array([order for _, order in seen], dtype=np.uint32),
            *own,
            self._places(1 - player, hands.counts[1 - player])[other[0]],
            *other[1:],
            orders.apart(player),
            np.zeros(hands.counts[1 - player] + 1),
            np.zeros(hands.counts[1 - player] + 1),
            np.zeros(orders.cards + 2),
            np.zeros(hands.counts[1 - player]),
            np.zeros(len(seen) * lanes),
            np.zeros(len(seen) * lanes),
        ]
        return Sorted(*numbers)

    def endings(self, player: int, precision: str) -> tuple[Dense, Sorted]:
        """A player's endings with numbers of a precision. Sights are scratch, so each caller has its own."""

        def cast(part: Any) -> Any:
            return aligned(part.astype(REALS[precision]) if part.dtype == np.float64 else part)

        dense, swept = self.dense[player], self.sorted[player]
        return Dense(*map(cast, dense)), Sorted(*map(cast, swept))

    def gradient(self, player: int, plan: Floats, out: Floats) -> None:
        """What each slot of ``player`` earns with each hand against the other player's plan; overwrites ``out``."""
        dense, swept, slots = self.dense[player], self.sorted[player], self._slots[player]
        lane_kernel("dense_gradient", self.width)(dense, plan, out, 0, slots)
        lane_kernel("sweeps", self.width)(swept, plan, 0, len(swept.seen))
        lane_kernel("sorted_gradient", self.width)(swept, out, 0, slots)

    def fingerprint(self) -> bytes:
        """A hash of player 0's endings; player 1's follow from them."""
        parts = (*self.dense[0], *self.sorted[0][:-6])
        return hashlib.sha256(b"".join(part.tobytes() for part in parts)).digest()

    @property
    def entries(self) -> int:
        """How many terms one gradient sums."""
        dense, swept = self.dense[0], self.sorted[0]
        return len(dense.factor) * len(dense.places) * self._lanes[0] + 4 * len(swept.seen) * len(swept.reach)

    @property
    def nbytes(self) -> int:
        """The size of what the gradients of both players read."""
        return sum(part.nbytes for both in (self.dense, self.sorted) for endings in both for part in endings)

    @cached_property
    def size(self) -> float:
        """The largest sum of what a slot can earn or lose with a hand, summed over the endings."""
        largest = 0.0
        for player in (0, 1):
            most = _largest(self.dense[player], self.sorted[player], self._lanes[player])
            largest = max(largest, most)
        return largest


def _largest(dense: Dense, swept: Sorted, lanes: int) -> float:
    """The largest sum of absolute amounts over the endings of a slot, for any hand."""
    rows = len(dense.rows) - 1
    most = np.zeros(rows)
    if len(dense.factor):
        sums = np.abs(dense.entry.reshape(-1, len(dense.places), lanes)).sum(axis=1)  # (kernels, lanes)
        each = sums[dense.offset // (len(dense.places) * lanes)] * np.abs(dense.factor)[:, None]
        slot = np.repeat(np.arange(rows), np.diff(dense.rows))
        by_lane = np.zeros((rows, lanes))
        np.add.at(by_lane, slot, each)
        most += by_lane.max(axis=1)
    if len(swept.sight):
        count = len(swept.reach)
        reach = swept.weight.reshape(-1, count).sum(axis=1)
        likely = swept.likely.reshape(len(reach), -1).max(axis=1)
        order = swept.order[swept.sight]
        slot = np.repeat(np.arange(rows), np.diff(swept.rows))
        np.add.at(most, slot, (np.abs(swept.fold) + np.abs(swept.show)) * (reach * likely)[order])
    return float(most.max(initial=0.0))


def _matrices(tree: PublicTree, hands: Hands, endings: NDArray[np.int64]) -> tuple[list[Floats], NDArray[np.int64]]:
    """The different matrices of hand kernels × how probable pairs and boards are, and which of them each ending has."""
    boards: dict[int, Floats] = {}
    made: dict[tuple[int, int], int] = {}
    matrices: list[Floats] = []
    for board, kernel in endings[:, 2:].tolist():
        if (board, kernel) in made:
            continue
        if board not in boards:
            boards[board] = hands.probability(tree.boards[board])
        made[board, kernel] = len(matrices)
        matrices.append(boards[board] * _matrix(tree.kernels[kernel]))
    return matrices, np.array([made[board, kernel] for board, kernel in endings[:, 2:].tolist()], dtype=np.int64)


def _can_exclude(hands: Hands) -> bool:
    """Whether hands have so few cards that sums by card tell which exclude each other."""
    for held in hands.held:
        pairs = [frozenset(cards) for cards in held if len(cards) == MOST_CARDS_IN_A_HAND]
        if len(set(pairs)) < len(pairs) or any(len(cards) > MOST_CARDS_IN_A_HAND for cards in held):
            return False
    return True


class _Orders:
    """How strong hands are, by board and showdown; folds on a board take any order there is."""

    def __init__(self, tree: PublicTree, hands: Hands, endings: NDArray[np.int64]) -> None:
        self.hands, self.folds = hands, [isinstance(kernel, Always) for kernel in tree.kernels]
        self.cards = 1 + max((card for held in hands.held for hand in held for card in hand), default=-1)
        pairs = {(board, kernel) for board, kernel in endings[:, 2:].tolist()}
        self.number: dict[tuple[int, int], int] = {}
        self._listed: list[tuple[int, Stronger]] = []
        level = Stronger((0,) * hands.counts[0], (0,) * hands.counts[1])
        for board, kernel in sorted(pairs, key=lambda pair: (pair[0], self.folds[pair[1]], pair[1])):
            here = [k for k, (other, _) in enumerate(self._listed) if other == board]
            if self.folds[kernel] and here:
                self.number[board, kernel] = here[0]
                continue
            self.number[board, kernel] = len(self._listed)
            found = tree.kernels[kernel]
            self._listed.append((board, found if isinstance(found, Stronger) else level))
        self._likely = {board: self._weights(tree.boards[board]) for board, _ in self._listed}

    def _weights(self, board: tuple[Weights, ...]) -> tuple[Floats, Floats]:
        """The weight of each hand of each player on a board; player 0's make up for the pairs that are excluded."""
        parts: list[Any] = [self.hands.weights, *board]
        zero = math.prod(np.array(part.first, dtype=np.float64) for part in parts)
        one = math.prod(np.array(part.second, dtype=np.float64) for part in parts)
        return zero / float(self.hands.total), one  # type: ignore[return-value]

    def _cards(self, player: int, absent: int) -> Indices:
        """(hands, 2) the cards of each hand, ``absent`` where there is none. With more than two nothing is sorted."""
        padded = [(*cards, *[absent] * MOST_CARDS_IN_A_HAND) for cards in self.hands.held[player]]
        return np.array([cards[:MOST_CARDS_IN_A_HAND] for cards in padded], dtype=np.uint32)

    def own(self, player: int) -> tuple[Any, ...]:
        """``lane`` to ``card`` of ``Sorted``."""
        cards, rivals = self._cards(player, self.cards), self.hands.counts[1 - player]
        theirs = {frozenset(held): hand for hand, held in enumerate(self.hands.held[1 - player])}
        twin = [
            theirs.get(frozenset(held), rivals) if len(held) == MOST_CARDS_IN_A_HAND else rivals
            for held in self.hands.held[player]
        ]
        columns: list[list[NDArray[Any]]] = [[] for _ in range(6)]
        for board, showdown in self._listed:
            mine, others = (np.array(each) for each in (showdown.first, showdown.second)[:: -1 if player else 1])
            lane, rival = np.argsort(mine, kind="stable"), np.argsort(others, kind="stable")
            rank = np.append(np.argsort(rival, kind="stable"), rivals)  # where each rival stands; behind all: none
            columns[0].append(lane)
            columns[1].append(self._likely[board][player][lane])
            columns[2].append(np.searchsorted(others[rival], mine[lane], side="left"))
            columns[3].append(np.searchsorted(others[rival], mine[lane], side="right"))
            columns[4].append(rank[np.array(twin)[lane]])
            columns[5].append(cards[lane].ravel())
        return tuple(_flat(column, np.float64 if k == 1 else np.uint32) for k, column in enumerate(columns))

    def other(self, player: int) -> tuple[Any, ...]:
        """The other player's hands by number, and ``weight`` and ``held`` of ``Sorted``."""
        cards = self._cards(1 - player, self.cards + 1)
        columns: list[list[NDArray[Any]]] = [[] for _ in range(3)]
        for board, showdown in self._listed:
            rival = np.argsort((showdown.second, showdown.first)[player], kind="stable")
            columns[0].append(rival)
            columns[1].append(self._likely[board][1 - player][rival])
            columns[2].append(cards[rival].ravel())
        return tuple(_flat(column, np.float64 if k == 1 else np.uint32) for k, column in enumerate(columns))

    def apart(self, player: int) -> Indices:
        """(orders,) 1 where a hand excludes nobody weaker or stronger, and equals are few enough to be looked at."""
        holders: dict[int, list[int]] = {}
        for rival, held in enumerate(self.hands.held[1 - player]):
            for card in held:
                holders.setdefault(card, []).append(rival)
        found = []
        for _, showdown in self._listed:
            mine, theirs = (showdown.first, showdown.second)[:: -1 if player else 1]
            only_equals = all(
                theirs[rival] == mine[hand]
                for hand, held in enumerate(self.hands.held[player])
                for card in held
                for rival in holders.get(card, ())
            )
            equals = Counter(theirs)
            found.append(only_equals and sum(equals[strength] for strength in mine) <= FEW_EQUALS * len(mine))
        return np.array(found, dtype=np.uint32)


def _flat(columns: list[NDArray[Any]], kind: Any) -> NDArray[Any]:
    """Columns one after the other."""
    return np.concatenate(columns).astype(kind) if columns else np.zeros(0, dtype=kind)
