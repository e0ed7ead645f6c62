"""From a spot to blocks: shapes from the betting tree, boards from the cards that may come.

Suits that neither the board nor the ranges tell apart are merged: of boards that a permutation of suits turns into each
other only one is solved, and what its hands are worth counts for the permuted hands on the others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretlab.endgames.betting import STREETS, Deal, Decision, Fold, Node, Showdown
from regretlab.endgames.cards import DECK, card_name
from regretlab.endgames.locks import Lock
from regretlab.endgames.sizes import Menu
from regretlab.endgames.spot import PLAYERS, Spot
from regretlab.endgames.strengths import strengths
from regretlab.endgames.suits import IDENTITY, Permutation, moved, moved_hand, suits_alike
from regretlab.forms.block_passes import FREE, LANES
from regretlab.forms.block_size import BlockSize, HandsOnBoards, block_size, padded
from regretlab.forms.blocks import (
    BlockEnding,
    BlockForm,
    BlockLock,
    Board,
    Link,
    Order,
    Shape,
    Streets,
    block_form,
    line_of,
)

SUITS = 4
CARDS_ON_THE_RIVER = 5


def spot_form(spot: Spot) -> BlockForm:
    """The form in which a spot is solved."""
    shapes = _Shapes(spot).listed
    boards = _Boards(spot)
    boards.list_all()
    for lock in sorted(spot.locks, key=lambda lock: len(lock.line)):  # those that name cards count more
        _put_lock(lock, shapes, boards.listed)
    return block_form(spot, shapes, boards.listed, boards.orders)


def _put_lock(lock: Lock, shapes: list[Shape], boards: list[Board]) -> None:
    """Write a lock down at its node, on all boards or on those that it names."""
    free = [FREE] * len(lock.actions)
    rows = [free if chances is None else [float(chance) for chance in chances] for chances in lock.probabilities]
    table = np.array(rows, dtype=np.float64).T
    for shape in shapes:
        for node, line in enumerate(shape.lines[lock.player]):
            if tuple(action for done in line for action in done) != lock.moves:
                continue
            if lock.moves == lock.line:
                shape.locks.append(BlockLock(lock.player, node, None, table))
                continue
            for number, board in enumerate(boards):
                if board.level == shape.level and lock.holds(line_of(shape, board, lock.player, node)):
                    shape.locks.append(BlockLock(lock.player, node, number, table))


def spot_size(spot: Spot) -> BlockSize:
    """How large that form is. Boards are only counted, nothing is sorted: what is too large is known at once."""
    return block_size(_Shapes(spot).listed, _Boards(spot).counted(), _most_sizes(spot))


def _most_sizes(spot: Spot) -> str:
    """The longest menu that is used, in words."""
    menus = [
        (len(sizes), f"{PLAYERS[player]}'s {kind} on the {STREETS[street]}")
        for player in (0, 1)
        for street in range(len(spot.board) - 3, len(STREETS))
        for kind, sizes in zip(Menu._fields, spot.menus[player][street], strict=True)
        if sizes
    ]
    count, which = max(menus, key=lambda menu: menu[0])
    return f"{which} have the most, {count}" if count > 1 else "no menu has more than one; narrow the ranges"


class _Entry(NamedTuple):
    """Where a shape is entered: the node of the betting tree, both players' slots above, and what was done before."""

    node: Node
    slots: tuple[int, int]
    line: Streets


class _Shapes:
    """The shapes of a spot, those above before those below.

    Wherever a card is turned up the betting goes on in a subtree of its own, and most of these are small. Sweeps take
    many slots at once, so that subtrees are put together into shapes with several entries, as many as a sweep takes.
    """

    def __init__(self, spot: Spot) -> None:
        self.half = spot.pot / 2
        self.listed: list[Shape] = []
        self._shape(0, [_Entry(spot.betting, (0, 0), ())])

    def _shape(self, level: int, entries: list[_Entry]) -> int:
        """Make the shape that is entered at some nodes, and all that follow it."""
        shape, number = Shape(level, len(entries)), len(self.listed)
        self.listed.append(shape)
        dealt: list[_Entry] = []
        for place, entry in enumerate(entries):
            self._walk(shape, entry.node, (place, place), (*entry.line, ()), dealt)
        for together in _packed(dealt):
            slots = tuple(entry.slots for entry in together)
            shape.links.append(Link(self._shape(level + 1, together), slots))
        return number

    def _walk(self, shape: Shape, node: Node, slots: tuple[int, int], line: Streets, dealt: list[_Entry]) -> None:
        """Write down a node and what is below it, up to the next card."""
        match node:
            case Decision(player, _, actions, after):
                first = shape.firsts[player]
                low = first[-1]
                first.append(low + len(actions))
                shape.parents[player].append(slots[player])
                shape.moves[player].append(actions)
                shape.lines[player].append(line)
                for place, (action, child) in enumerate(zip(actions, after, strict=True), low):
                    below = (slots[0], place) if player else (place, slots[1])
                    self._walk(shape, child, below, (*line[:-1], (*line[-1], action)), dealt)
            case Deal(_, after):
                dealt.append(_Entry(after, slots, line))
            case Fold(winner, matched, rake):
                # The winner gets what the loser has put in, less the rake.
                lost, won = -self.half - matched, self.half + matched - float(rake)
                shape.endings.append(BlockEnding(slots, (lost, won) if winner else (won, lost), (0.0, 0.0)))
            case Showdown(matched, rake):
                # Each loses half of the rake, and the stronger hand wins from the weaker one.
                half, amount = -float(rake) / 2, self.half + matched - float(rake) / 2
                shape.endings.append(BlockEnding(slots, (half, half), (amount, amount)))


def _packed(dealt: list[_Entry]) -> list[list[_Entry]]:
    """Entries put together as long as a sweep takes all their slots at once: the largest first, each where it fits."""
    packs: list[tuple[int, list[_Entry]]] = []
    for size, entry in sorted(((_slots(entry.node), entry) for entry in dealt), key=lambda pair: -pair[0]):
        for place, (filled, pack) in enumerate(packs):
            if filled + size <= LANES:
                packs[place] = filled + size, [*pack, entry]
                break
        else:
            packs.append((size, [entry]))
    return [pack for _, pack in packs]


def _slots(node: Node) -> int:
    """How many slots the player with more of them has below a node, up to the next card; at least the entry."""

    def count(below: Node, player: int) -> int:
        if not isinstance(below, Decision):
            return 0
        own = len(below.actions) if below.player == player else 0
        return own + sum(count(child, player) for child in below.after)

    return max(1, count(node, 0), count(node, 1))


class _Boards:
    """All boards of a spot, one of each kind that suits do not tell apart."""

    def __init__(self, spot: Spot) -> None:
        self.spot = spot
        self.listed: list[Board] = []
        self.orders: list[Order] = []
        self._cards = [np.array(spot.cards(player), dtype=np.int16).reshape(-1, 2) for player in (0, 1)]
        self._weights = [spot.hand_weights(player) for player in (0, 1)]
        self._number = [{hand: number for number, hand in enumerate(spot.cards(player))} for player in (0, 1)]
        self._total = self._pairs()
        self._held: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []  # by order
        self._orders: dict[frozenset[int], int] = {}
        group = suits_to_merge(spot)
        self._permuted = {suits: [self._permute(player, suits) for player in (0, 1)] for suits in group}
        self._group = group

    def list_all(self) -> None:
        """List all boards, with the order of the hands on each."""
        self._board(self.spot.board, self._group, 1.0)

    def counted(self) -> list[HandsOnBoards]:
        """How many hands there are on the boards of each level."""
        without = [(cards[:, :, None] != np.arange(DECK)).all(axis=1) for cards in self._cards]
        levels = CARDS_ON_THE_RIVER - len(self.spot.board) + 1
        boards: list[list[tuple[int, int]]] = [[] for _ in range(levels)]
        images, orders, seen = [0] * levels, [0] * levels, set[frozenset[int]]()
        waiting = [(self.spot.board, self._group, 0)]
        while waiting:
            cards, alike, stands_for = waiting.pop()
            level = len(cards) - len(self.spot.board)
            zero, one = (int(free[:, list(cards)].all(axis=1).sum()) for free in without)
            boards[level].append((zero, one))
            images[level] += stands_for * (zero + one)
            if frozenset(cards) not in seen:
                seen.add(frozenset(cards))
                orders[level] += padded(zero) + padded(one)
            if level < levels - 1:
                for card, turned in _orbits(cards, alike):
                    stays = [suits for suits in alike if moved(card, suits) == card]
                    waiting.append(((*cards, card), stays, len(turned)))
        return [HandsOnBoards(*level) for level in zip(boards, images, orders, strict=True)]

    def _pairs(self) -> float:
        """The sum of the weights of all pairs of hands without a card in common."""
        by_card = np.zeros(DECK)
        for k in (0, 1):
            np.add.at(by_card, self._cards[1][:, k], self._weights[1])
        both = np.array([self._number[1].get(hand, -1) for hand in self.spot.cards(0)])
        same = np.where(both >= 0, self._weights[1][both], 0.0)
        rivals = self._weights[1].sum() - by_card[self._cards[0]].sum(axis=1) + same
        return float((self._weights[0] * rivals).sum())

    def _permute(self, player: int, suits: tuple[int, ...]) -> NDArray[np.int64]:
        """The number of each hand after a permutation of suits."""
        number = self._number[player]
        return np.array([number[moved_hand(hand, suits)] for hand in number], dtype=np.int64)

    def _board(self, cards: tuple[int, ...], alike: list[tuple[int, ...]], chance: float) -> int:
        """List a board and all that follow it.

        ``alike`` are the permutations of suits that change nothing on it; ``chance`` is how probable it is with any two
        hands that allow it.
        """
        number = len(self.listed)
        order = self._order(cards, chance)
        board = Board(
            level=len(cards) - len(self.spot.board),
            turned=tuple(map(card_name, cards[len(self.spot.board) :])),
            order=order,
            hands=self._held[order],
            images=[],
        )
        self.listed.append(board)
        if len(cards) == CARDS_ON_THE_RIVER:
            return number
        left = DECK - len(cards) - SUITS  # four cards are in the players' hands
        for card, images in _orbits(cards, alike):
            stays = [suits for suits in alike if moved(card, suits) == card]
            child = self._board((*cards, card), stays, chance / left)
            board.children.append(child)
            self.listed[child].images = [self._image(board, self.listed[child], suits) for suits in images]
            self.listed[child].suits = images
        if len(alike) > 1:
            board.alike = self._twins(board, 0, alike), self._twins(board, 1, alike)
        return number

    def _image(self, above: Board, below: Board, suits: tuple[int, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where each hand of a board, after a permutation of suits, stands on the board above."""
        zero, one = (
            self._places(above, player)[self._permuted[suits][player][below.hands[player]]] for player in (0, 1)
        )
        return zero, one

    def _places(self, board: Board, player: int) -> NDArray[np.int64]:
        """Where each hand of the game stands on a board."""
        places = np.full(len(self._cards[player]), -1)
        places[board.hands[player]] = np.arange(len(board.hands[player]))
        return places

    def _twins(self, board: Board, player: int, alike: list[tuple[int, ...]]) -> list[list[int]]:
        """Places of hands that permutations of suits turn into each other on a board, where there are several."""
        places, groups = self._places(board, player), {}
        for hand in board.hands[player].tolist():
            orbit = frozenset(int(self._permuted[suits][player][hand]) for suits in alike)
            if len(orbit) > 1:
                groups[orbit] = sorted(places[list(orbit)].tolist())
        return list(groups.values())

    def _order(self, cards: tuple[int, ...], chance: float) -> int:
        """The number of the order of a board's hands; the cards may have come in any order."""
        known = self._orders.get(frozenset(cards))
        if known is not None:
            return known
        hands, strong = [], []
        for player in (0, 1):
            free = np.flatnonzero(~np.isin(self._cards[player], cards).any(axis=1))
            rank = np.zeros(len(free), dtype=np.int16)
            if len(cards) == CARDS_ON_THE_RIVER:
                rank = strengths(cards, [tuple(hand) for hand in self._cards[player][free].tolist()])
            by_strength = np.argsort(rank, kind="stable")
            hands.append(free[by_strength])
            strong.append(rank[by_strength])
        zero, one = hands
        self.orders.append(
            Order(
                (zero, one),
                (strong[0], strong[1]),
                (self._cards[0][zero], self._cards[1][one]),
                (self._weights[0][zero] * (chance / self._total), self._weights[1][one] * (chance / self._total)),
                (self._weights[0][zero], self._weights[1][one]),
            )
        )
        self._held.append((zero, one))
        self._orders[frozenset(cards)] = len(self.orders) - 1
        return len(self.orders) - 1


def suits_to_merge(spot: Spot) -> list[Permutation]:
    """The permutations of suits that leave board, ranges and locks as they are, if the spot allows to merge suits; the
    identity is the first."""
    if not spot.merge_suits:
        return [IDENTITY]
    found = suits_alike(spot.board, spot.ranges)
    return [suits for suits in found if all(_keeps(spot, lock, suits) for lock in spot.locks)]


def _keeps(spot: Spot, lock: Lock, suits: Permutation) -> bool:
    """Whether a lock names no card and treats hands alike that a permutation turns into each other."""
    if lock.moves != lock.line:
        return suits == IDENTITY
    number = {hand: k for k, hand in enumerate(spot.cards(lock.player))}
    images = [number[moved_hand(hand, suits)] for hand in number]
    return all(lock.probabilities[image] == lock.probabilities[k] for k, image in enumerate(images))


def _orbits(board: tuple[int, ...], alike: list[tuple[int, ...]]) -> list[tuple[int, list[tuple[int, ...]]]]:
    """One card of each kind that permutations of suits do not tell apart, and one permutation for each card of it."""
    found: dict[int, list[tuple[int, ...]]] = {}
    seen: set[int] = set(board)
    for card in range(DECK):
        if card in seen:
            continue
        images: dict[int, tuple[int, ...]] = {}
        for suits in alike:
            images.setdefault(moved(card, suits), suits)
        seen.update(images)
        found[card] = list(images.values())
    return list(found.items())
