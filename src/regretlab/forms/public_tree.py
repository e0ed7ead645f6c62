"""From public rules to arrays: the public tree is walked once, whatever the number of hands.

What comes out is still about games: hands, weights of pairs, endings. ``lanes`` makes of it what passes work on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from regretlab.errors import GameError, UserError
from regretlab.games.protocol import CHANCE, TERMINAL
from regretlab.games.public import HandKernel, PublicGame, Weights, sound_ending, sound_outcomes
from regretlab.games.walk import LONGEST_GAME

MOST_PUBLIC_NODES = 50_000_000
"""Where the walk gives up: a game without end would otherwise fill the memory."""

STATES_BETWEEN = 20_000
"""Public states between two calls of who watches: a twentieth of a second."""


class NotOnLanes(UserError):  # noqa: N818 - named after what is so
    """A game with hands that can only be compiled by its histories."""


@dataclass
class PublicSide:
    """One player's public nodes, parents before children, as the walk meets them."""

    parent: list[int] = field(default_factory=list)  # the player's own last slot before each node
    first: list[int] = field(default_factory=lambda: [1])  # the slots of node n are first[n]:first[n + 1]
    depth: list[int] = field(default_factory=list)  # public moves before it
    board: list[int] = field(default_factory=list)  # what has been turned up when it is reached
    public: list[Any] = field(default_factory=list)  # its public state, for labels
    moves: list[tuple[str, ...]] = field(default_factory=list)


class PublicEnding(NamedTuple):
    """Where the game ends: both players' last slots, what has been turned up, and what pairs of hands earn."""

    slots: tuple[int, int]
    board: int
    kernel: int
    factor: float


@dataclass
class PublicTree:
    """All public nodes and endings of a game."""

    sides: tuple[PublicSide, PublicSide] = field(default_factory=lambda: (PublicSide(), PublicSide()))
    endings: list[PublicEnding] = field(default_factory=list)
    boards: list[tuple[Weights, ...]] = field(default_factory=lambda: [()])  # how probable each is with pairs of hands
    turned: dict[tuple[int, tuple[int, ...]], Any] = field(default_factory=dict)
    """A board and what can become of it by one move of chance; and the first public state where that is so."""
    kernels: list[HandKernel] = field(default_factory=list)
    nodes: int = 0  # public states, those of chance and the endings included


def walk_public(
    game: PublicGame, watch: Callable[[int], None] = lambda _: None, limit: int = MOST_PUBLIC_NODES
) -> PublicTree:
    """Walk the public states of a game, depth first; ``watch`` is called now and then with their number so far.

    Outcomes that lead to the same probabilities, such as one card after different bets, are one *board*.
    """
    tree = PublicTree()
    boards: dict[tuple[Weights, ...], int] = {(): 0}
    kernels: dict[HandKernel, int] = {}
    # Comparing tables is slow, and games give the same object again and again.
    known: dict[tuple[int, int], tuple[object, int]] = {}

    def number(kind: int, value: Any, among: dict[Any, int], listed: list[Any]) -> int:
        """The number of a value among equal ones."""
        found = known.get((kind, id(value)))
        if found is None:
            place = among.setdefault(value, len(among))
            if place == len(listed):
                listed.append(value)
            found = known[kind, id(value)] = value, place
        return found[1]

    waiting: list[tuple[Any, int, int, int, int]] = [(game.start(), 0, 0, 0, 0)]
    while waiting:
        public, zero, one, board, depth = waiting.pop()
        tree.nodes += 1
        if tree.nodes % STATES_BETWEEN == 0:
            watch(tree.nodes)
        if tree.nodes > limit:
            raise GameError(f"{game.name}: more than {limit:,} public states and no end in sight")
        if depth > LONGEST_GAME:
            raise GameError(f"{game.name}: the game goes on after {LONGEST_GAME:,} public moves")
        player = game.turn(public)
        if player == TERMINAL:
            kernel, factor, rake = sound_ending(game, public)
            if rake:
                raise NotOnLanes(f"{game.name} takes rake, so it is not zero-sum, and lanes are; use form=histories")
            place = number(0, kernel, kernels, tree.kernels)
            tree.endings.append(PublicEnding((zero, one), board, place, float(factor)))
            continue
        moves = tuple(game.moves(public))
        check_moves(game, public, moves)
        below: list[tuple[Any, int, int, int, int]] = []
        if player == CHANCE:
            outcomes, turned = sound_outcomes(game, public, moves), []
            for move, weights in enumerate(outcomes):
                found = known.get((1 + board, id(weights)))
                if found is None:
                    path = (*tree.boards[board], weights)
                    place = boards.setdefault(path, len(boards))
                    if place == len(tree.boards):
                        tree.boards.append(path)
                    found = known[1 + board, id(weights)] = weights, place
                turned.append(found[1])
                below.append((game.after(public, move), zero, one, found[1], depth + 1))
            tree.turned.setdefault((board, tuple(turned)), public)
        elif player in (0, 1):
            side = tree.sides[player]
            first = side.first[-1]
            side.parent.append(one if player else zero)
            side.first.append(first + len(moves))
            side.depth.append(depth)
            side.board.append(board)
            side.public.append(public)
            side.moves.append(moves)
            for move in range(len(moves)):
                slots = (zero, first + move) if player else (first + move, one)
                below.append((game.after(public, move), *slots, board, depth + 1))
        else:
            raise GameError(f"{game.name}, at {public!r}: turn is {player!r}, not 0, 1, CHANCE or TERMINAL")
        waiting += reversed(below)
    return tree


def check_moves(game: PublicGame, public: Any, moves: Sequence[str]) -> None:
    """Raise GameError unless there is something to do, and each thing has a name of its own."""
    if not moves:
        raise GameError(f"{game.name}, at {public!r}: nothing can be done, yet the game has not ended")
    if len(set(moves)) != len(moves):
        raise GameError(f"{game.name}, at {public!r}: two moves share a name: {', '.join(moves)}")
