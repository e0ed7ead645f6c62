"""The form of games with hands: public nodes times hands, so that compiling does not see pairs of hands.

A player's information set is a public node and a hand. All hands of a node have the same actions, the same parent and
the same children, so the treeplex is that of the public tree, and every number is kept for each slot and each *lane*,
which is a hand. Where the game ends, what a hand earns is summed over the other player's hands by a *hand kernel*: a
matrix, or, for hands that are compared by strength, a sweep in the order of strength.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from regretlab.documents import numbers
from regretlab.errors import GameError
from regretlab.forms.blocks import BlockForm, BlockTreeplex
from regretlab.forms.form import Form, SequenceForm, Treeplex
from regretlab.forms.hand_kernels import Hands, LanePayoff
from regretlab.forms.kernel import Floats, Indices
from regretlab.forms.lane_passes import lane_kernel
from regretlab.forms.public_tree import walk_public
from regretlab.games.public import PublicGame, check_hands

NARROW, WIDE = 8, 64
"""Lanes of a tile: few hands waste little in narrow ones, many waste little time between tiles in wide ones."""

MOST_NARROW_HANDS = 32


@dataclass(frozen=True, eq=False, repr=False)
class LaneTreeplex:
    """A player's public nodes, parents before children, times the player's hands."""

    parent: Indices  # (nodes,) the player's own last slot before this node
    first: Indices  # (nodes + 1,) the slots of node n are first[n]:first[n + 1]; first[0] is 1
    width: int  # lanes of a tile
    hands: int
    player: int
    depth: Indices  # (nodes,) public moves before the node
    board: Indices  # (nodes,) what has been turned up when the node is reached
    possible: NDArray[np.bool_]  # (boards, hands) whether the player can hold a hand there
    names: NodeNames  # of nodes and actions, for people

    @property
    def nodes(self) -> int:
        """How many public nodes the player has."""
        return len(self.parent)

    @property
    def slots(self) -> int:
        """How many actions all nodes have together, the empty sequence included."""
        return int(self.first[-1])

    @property
    def lanes(self) -> int:
        """The number of hands, up to the next multiple of the width."""
        return self.tiles * self.width

    @property
    def tiles(self) -> int:
        """How many tiles the lanes make."""
        return -(-self.hands // self.width)

    @cached_property
    def upwards(self) -> Indices:
        """(nodes,) all nodes, children before parents."""
        return np.arange(self.nodes, dtype=np.uint32)[::-1].copy()

    @property
    def size(self) -> int:
        """How many numbers an array over all slots and lanes has."""
        return self.slots * self.lanes

    @property
    def memory_size(self) -> int:
        """How many numbers an array over all nodes and lanes has."""
        return self.nodes * self.lanes

    @cached_property
    def _numbered(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Node and hand of each information set, those near the root first: what the player can come to."""
        by_depth = np.argsort(self.depth, kind="stable")
        node, hand = np.nonzero(self.possible[self.board[by_depth]])
        return by_depth[node], hand

    @property
    def infosets(self) -> int:
        """How many information sets the player has."""
        return int(np.count_nonzero(self.possible, axis=1)[self.board].sum())

    @property
    def sequences(self) -> int:
        """How many sequences the player has, the empty one included."""
        return 1 + int((np.count_nonzero(self.possible, axis=1)[self.board] * np.diff(self.first)).sum())

    def own(self, i: int) -> slice:
        """Where the actions of information set ``i`` stand in an array over all slots and lanes."""
        node, hand = int(self._numbered[0][i]), int(self._numbered[1][i])
        tile, lane = divmod(hand, self.width)
        begin = (tile * self.slots + int(self.first[node])) * self.width + lane
        return slice(begin, begin + self.width * int(self.first[node + 1] - self.first[node]), self.width)

    @cached_property
    def memory_place(self) -> NDArray[np.int64]:
        """(infosets,) where each stands in an array over all nodes and lanes."""
        node, hand = self._numbered
        places: NDArray[np.int64] = (hand // self.width * self.nodes + node) * self.width + hand % self.width
        return places

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """Where the actions of all information sets stand, one information set after the other."""
        node, hand = self._numbered
        counts = np.diff(self.first).astype(np.int64)[node]
        begin = (hand // self.width * self.slots + self.first[node].astype(np.int64)) * self.width + hand % self.width
        ends = np.cumsum(counts)
        within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)
        places: NDArray[np.int64] = np.repeat(begin, counts) + within * self.width
        return places

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """(infosets,) for people; made when they are first asked for."""
        return tuple(self.names.label(*pair) for pair in zip(*(each.tolist() for each in self._numbered), strict=True))

    @cached_property
    def actions(self) -> Sequence[tuple[str, ...]]:
        """(infosets,) the names of the actions of each."""
        return _Actions(self.names.moves, self._numbered[0])

    @cached_property
    def index(self) -> dict[str, int]:
        """The number of the information set with each label."""
        found = {label: i for i, label in enumerate(self.labels)}
        if len(found) < len(self.labels):
            twice = next(label for label, count in Counter(self.labels).items() if count > 1)
            raise GameError(f"{self.names.game.name}: two information sets share the label '{twice}'")
        return found

    def described(self) -> list[Any]:
        """What names follow from, for a fingerprint: hands, and for each node its label with the first of them."""
        hands, nodes = self.names.game.hands(self.player), range(self.nodes)
        return [list(hands), [self.names.label(node, 0) for node in nodes], self.names.moves]

    def plan(self, behaviour: Floats, out: Floats) -> None:
        """The realisation plan of a behaviour."""
        lane_kernel("lane_plan", self.width)(self.parent, self.first, self.upwards, 0, self.tiles, behaviour, out)

    def expectation(self, behaviour: Floats, values: Floats) -> float:
        """Counterfactual values of a gradient, in place; returns the value at the root."""
        return float(lane_kernel("lane_expectation", self.width)(self.parent, self.first, behaviour, values))

    def best_response(self, values: Floats) -> tuple[float, NDArray[np.int64]]:
        """The best response to a gradient, in place: the value at the root, and where each infoset's action stands."""
        choice = np.zeros(self.memory_size, dtype=np.uint32)
        value = float(lane_kernel("lane_best_response", self.width)(self.parent, self.first, values, choice))
        return value, choice[self.memory_place].astype(np.int64)

    def normalise(self, weights: Floats, out: Floats) -> None:
        """Behaviour proportional to weights, uniform where all are 0."""
        lane_kernel("lane_normalise", self.width)(self.parent, self.first, weights, out)

    def __repr__(self) -> str:
        return f"<{numbers.count(self.infosets, 'information set')} with {numbers.count(self.sequences, 'sequence')}>"


class _Actions(Sequence[tuple[str, ...]]):
    """The names of actions by information set, of which there is only one list for each node."""

    def __init__(self, moves: Sequence[tuple[str, ...]], node: NDArray[np.int64]) -> None:
        self._moves, self._node = moves, node

    def __len__(self) -> int:
        return len(self._node)

    @overload
    def __getitem__(self, i: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, i: slice) -> list[tuple[str, ...]]: ...
    def __getitem__(self, i: int | slice) -> tuple[str, ...] | list[tuple[str, ...]]:
        if isinstance(i, slice):
            return [self._moves[n] for n in self._node[i].tolist()]
        return self._moves[int(self._node[i])]

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return (self._moves[n] for n in self._node.tolist())


@dataclass(frozen=True, eq=False)
class NodeNames:
    """What people call a player's nodes."""

    game: PublicGame
    player: int
    public: list[Any]  # (nodes,) the public states
    moves: list[tuple[str, ...]]  # (nodes,)

    def label(self, node: int, hand: int) -> str:
        """The label of an information set."""
        return self.game.knows(self.player, hand, self.public[node])


@dataclass(frozen=True, eq=False, repr=False)
class LaneForm(Form[LaneTreeplex]):
    """A compiled game with hands."""

    payoff: LanePayoff
    rules: PublicGame

    @property
    def zero_sum(self) -> bool:
        """Whether one player wins what the other loses, wherever the game ends."""
        return self.payoff.zero_sum

    @property
    def width(self) -> int:
        """Lanes of a tile."""
        return self.payoff.width

    @property
    def _words(self) -> str:
        return "with hands as lanes"

    def _facts(self) -> list[tuple[str, str]]:
        zero, one = self.treeplexes
        return [("hands", f"{zero.hands:,} and {one.hands:,}"), ("public nodes", f"{zero.nodes:,} and {one.nodes:,}")]


AnyForm: TypeAlias = SequenceForm | LaneForm | BlockForm
AnyTreeplex: TypeAlias = Treeplex | LaneTreeplex | BlockTreeplex


def compile_lanes(game: PublicGame, watch: Callable[[int], None] = lambda _: None) -> LaneForm:
    """The form of a game with hands; ``watch`` is called now and then with the number of public states so far."""
    check_hands(game)
    hands = Hands(
        game,
        (tuple(game.hands(0)), tuple(game.hands(1))),
        game.weights(),
        ([tuple(cards) for cards in game.held(0)], [tuple(cards) for cards in game.held(1)]),
    )
    tree = walk_public(game, watch)
    hands.check_chances(tree)
    width = NARROW if max(hands.counts) <= MOST_NARROW_HANDS else WIDE
    possible = [hands.possible(board) for board in tree.boards]
    zero, one = (
        LaneTreeplex(
            parent=np.array(side.parent, dtype=np.uint32),
            first=np.array(side.first, dtype=np.uint32),
            width=width,
            hands=hands.counts[player],
            player=player,
            depth=np.array(side.depth, dtype=np.uint32),
            board=np.array(side.board, dtype=np.uint32),
            possible=np.array([each[player] for each in possible]),
            names=NodeNames(game, player, side.public, side.moves),
        )
        for player, side in enumerate(tree.sides)
    )
    return LaneForm(game.name, (zero, one), LanePayoff(tree, hands, (zero.slots, one.slots), width), game)
