"""Gambit's games in extensive form, out of .efg files, as rules for regretlab."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from regretlab.games import CHANCE
from regretlab.interop.efg_reading import Key, Moves, Node, read_efg
from regretlab.interop.names import distinct


class EfgGame:
    """A two-player game in extensive form from a file in Gambit's format .efg.

    Payoffs must have a constant sum. Player 0's are kept as they are in the file; player 1 counts as losing them, which
    is the same game when the sum is 0, and one with the same strategies when it is not.

    Labels are the file's names of the information sets. Where one is missing or two are the same, all have the player's
    number there, 1 or 2, and the information set's in front: ``1.3 name``.
    """

    def __init__(self, path: str) -> None:
        self.name = f"efg:{path}"
        self._root, moves = read_efg(path)
        self._labels = _labels({key: moves[key].name for key in moves if key[0] != CHANCE})
        self._moves = {key: _possible(moves[key]) for key in moves}

    def root(self) -> Node:
        """The file's first node."""
        return self._root

    def player(self, node: Node) -> int:
        """Whose turn it is."""
        return node.key[0]

    def actions(self, node: Node) -> Sequence[str]:
        """The file's names of the actions."""
        return self._moves[node.key].actions

    def chance(self, node: Node) -> Sequence[Fraction]:
        """The probabilities, exactly as in the file."""
        return self._moves[node.key].probabilities

    def child(self, node: Node, action: int) -> Node:
        """The node after an action."""
        return node.children[action]

    def label(self, node: Node) -> str:
        """The name of the information set."""
        return self._labels[node.key]

    def payoff(self, node: Node) -> Fraction:
        """What player 0 gets: the sum of the payoffs on the way."""
        return node.paid[0]


def _labels(names: dict[Key, str]) -> dict[Key, str]:
    """A label for each information set."""
    if all(names.values()) and len(set(names.values())) == len(names):
        return names
    return {key: f"{key[0] + 1}.{key[1]} {name}".rstrip() for key, name in names.items()}


def _possible(moves: Moves) -> Moves:
    """The moves without outcomes of probability 0, and with names that tell them apart."""
    kept = [k for k, probability in enumerate(moves.probabilities) if probability > 0]
    names = distinct([moves.actions[k] for k in kept])
    return Moves(moves.name, names, tuple(moves.probabilities[k] for k in kept))
