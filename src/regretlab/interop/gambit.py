"""Gambit's games in extensive form: out of .efg files as rules for regretlab, and games of ours as such files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from pathlib import Path

from regretlab.files import written_beside
from regretlab.games import CHANCE, TERMINAL, Game, Number
from regretlab.games.registry import as_rules
from regretlab.games.size import most_histories, size_of
from regretlab.games.walk import Visit, walk
from regretlab.interop.efg_reading import Key, Moves, Node, read_efg
from regretlab.spec import distinct_names, number


class EfgGame:
    """A two-player game in extensive form from a file in Gambit's format .efg.

    Where payoffs have a constant sum, player 0's are kept as they are in the file; player 1 counts as losing them,
    which is the same game when the sum is 0, and one with the same strategies when it is not. Where they have not, the
    game has ``payoffs`` and is not zero-sum.

    Labels are the file's names of the information sets. Where one is missing or two are the same, all have the player's
    number there, 1 or 2, and the information set's in front: ``1.3 name``.
    """

    def __init__(self, path: str) -> None:
        self.name = f"efg:{path}"
        self._root, moves, constant_sum = read_efg(path)
        if not constant_sum:
            self.payoffs = _paid
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


def _paid(node: Node) -> tuple[Fraction, Fraction]:
    """What both players get: the sums of the payoffs on the way."""
    return node.paid


def _labels(names: dict[Key, str]) -> dict[Key, str]:
    """A label for each information set."""
    if all(names.values()) and len(set(names.values())) == len(names):
        return names
    return {key: f"{key[0] + 1}.{key[1]} {name}".rstrip() for key, name in names.items()}


def _possible(moves: Moves) -> Moves:
    """The moves without outcomes of probability 0, and with names that tell them apart."""
    kept = [k for k, probability in enumerate(moves.probabilities) if probability > 0]
    names = distinct_names([moves.actions[k] for k in kept])
    return Moves(moves.name, names, tuple(moves.probabilities[k] for k in kept))


_UNWRITABLE = re.compile(r'[^ -~]|\\(?="|$)')


def write_efg(game: str | Game, path: str | Path) -> int:
    """Write ``game``, given by name or as rules, to a file that Gambit reads; returns the number of nodes.

    Exact numbers are written as fractions, floats as the decimals that they print as. Probabilities that are floats
    are divided by their sum: the format wants it to be exactly 1.
    """
    rules = as_rules(game)
    visits = list(walk(rules, most_histories(rules, size_of(rules))))
    with written_beside(path) as file:
        file.writelines(f"{line}\n".encode() for line in _lines(rules.name, visits))
    return len(visits)


def _lines(name: str, visits: list[Visit]) -> Iterator[str]:
    """The prologue, then the nodes in prefix order; the walk has met them level by level."""
    yield f'EFG 2 R {_quoted(name)} {{ "Player 1" "Player 2" }}'
    first_child = list(accumulate((visit.children for visit in visits), initial=1))
    outcomes: dict[str, int] = {}
    pending = [0]
    while pending:
        index = pending.pop()
        visit, below = visits[index], range(first_child[index], first_child[index + 1])
        yield _node(index, visit, [visits[child] for child in below], outcomes)
        pending.extend(reversed(below))


def _node(index: int, visit: Visit, children: list[Visit], outcomes: dict[str, int]) -> str:
    """The line of one history; ``outcomes`` numbers the payoffs met so far and grows."""
    if visit.player == TERMINAL:
        mine, theirs = _written(visit.payoff), _written(visit.theirs)
        outcome = outcomes.setdefault(f"{mine}, {theirs}", len(outcomes) + 1)
        return f't "" {outcome} "{mine}" {{ {mine}, {theirs} }}'
    if visit.player == CHANCE:
        # Nobody sees the number of a chance event; that of the history is one that no other has.
        probabilities = [number("probability", child.probability) for child in children]
        total = sum(probabilities)
        pairs = zip(children, probabilities, strict=True)
        dealt = " ".join(f"{_quoted(child.name)} {probability / total}" for child, probability in pairs)
        return f'c "" {index + 1} "" {{ {dealt} }} 0'
    infoset = visit.infoset
    assert infoset is not None
    actions = " ".join(map(_quoted, infoset.actions))
    return f'p "" {infoset.player + 1} {infoset.index + 1} {_quoted(infoset.label)} {{ {actions} }} 0'


def _written(value: Number) -> str:
    """A payoff as Gambit reads it."""
    if isinstance(value, float):
        return repr(float(value)).replace("+", "")  # Gambit reads 1e20 but not 1e+20
    return str(Fraction(value))


def _quoted(text: str) -> str:
    """A name as Gambit takes it: printable ASCII with single spaces between the words.

    Other letters are written as ``\\x`` and their number. So is a backslash before a quote, which it would escape.
    """
    words = " ".join(text.split())
    printable = _UNWRITABLE.sub(lambda letter: f"\\x{ord(letter[0]):x}", words)
    escaped = printable.replace('"', '\\"')
    return f'"{escaped}"'
