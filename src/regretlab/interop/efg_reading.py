"""Gambit's .efg files: from text to a tree of nodes.

The format lists the nodes of a game in prefix order, each before all that follows from it. An information set, a chance
event or an outcome is described where it first occurs; after that its number is enough. Payoffs can be attached to any
node, and a player gets the sum of those on the way.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple, TypeAlias

from regretlab.errors import UserError
from regretlab.games import CHANCE, TERMINAL
from regretlab.interop.efg_tokens import Tokens

Key: TypeAlias = tuple[int, int]
"""Whose turn it is, and the number that the file gives to the information set or chance event."""

Payments: TypeAlias = tuple[Fraction, Fraction]
"""What each player gets."""

_NOTHING = (Fraction(0), Fraction(0))
_THE_END = (TERMINAL, 0)


class Moves(NamedTuple):
    """What can happen at an information set or a chance event."""

    name: str
    actions: tuple[str, ...]
    probabilities: tuple[Fraction, ...]  # of chance; 1 each where a player moves


@dataclass(slots=True, eq=False)
class Node:
    """A history."""

    key: Key
    paid: Payments  # on the way, this node included
    children: list[Node] = field(default_factory=list)


class Tree(NamedTuple):
    """A game as the file has it."""

    root: Node
    moves: dict[Key, Moves]


def read_efg(path: str) -> Tree:
    """The game in a file; raises UserError, naming the line, unless it is a two-player constant-sum game."""
    reader = _Reader(Tokens(path, _content(path)))
    reader.prologue()
    return Tree(reader.tree(), reader.moves)


def _content(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UserError(f"can't read '{path}': {error.strerror or error}") from None
    except ValueError:
        raise UserError(f"'{path}' is not an .efg file: it is not text in UTF-8") from None


class _Reader:
    """What has been described so far."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.place = tokens.here  # where the node that is being read begins
        self.moves: dict[Key, Moves] = {}
        self.outcomes: dict[int, Payments] = {0: _NOTHING}
        self.payoff_sum: Fraction | None = None  # the same wherever the game ends

    def prologue(self) -> None:
        """``EFG 2 R "title" { "player" "player" } "comment"``, where the comment can be missing."""
        if self.tokens.word != "EFG":
            raise self.tokens.mistake("this is not an .efg file, which would begin with EFG 2 R")
        self.tokens.advance()
        for words, meaning in ((("2",), "2, the version of the format"), (("R", "D"), "R")):
            if self.tokens.word not in words:
                raise self.tokens.expected(meaning)
            self.tokens.advance()
        self.tokens.text("the title")
        self.players()
        self.tokens.optional_text()

    def players(self) -> None:
        self.place, names = self.tokens.here, []
        self.tokens.require("{")
        while not self.tokens.passes("}"):
            names.append(self.tokens.text("the name of a player"))
        if len(names) != 2:
            raise self.mistake(f"the game is for {len(names)} players; only games for two can be solved")

    def tree(self) -> Node:
        """The root and, without recursion, since a game may be deeper than Python's stack, all that follows."""
        root = self.node(_NOTHING)
        unfinished = [(root, iter(self.probabilities(root)))]
        while unfinished:
            parent, rest = unfinished[-1]
            probability = next(rest, None)
            if probability is None:
                unfinished.pop()
                continue
            child = self.node(parent.paid)
            if probability > 0:  # the format knows outcomes that never happen
                parent.children.append(child)
            unfinished.append((child, iter(self.probabilities(child))))
        if self.tokens.kind != "end":
            raise self.tokens.expected("nothing after the last node")
        return root

    def probabilities(self, node: Node) -> tuple[Fraction, ...]:
        return () if node.key == _THE_END else self.moves[node.key].probabilities

    def node(self, paid: Payments) -> Node:
        kind, self.place = self.tokens.word, self.tokens.here
        if self.tokens.kind != "word" or kind not in ("c", "p", "t"):
            raise self.tokens.expected("one more node: c, p or t")
        self.tokens.advance()
        self.tokens.text("the name of the node")
        key = self.key(kind)
        mine, theirs = self.outcome()
        paid = (paid[0] + mine, paid[1] + theirs)
        if key == _THE_END:
            self.check_payoff_sum(paid[0] + paid[1])
        return Node(key, paid)

    def key(self, kind: str) -> Key:
        if kind == "t":
            return _THE_END
        player = CHANCE if kind == "c" else self.tokens.whole("player", least=1, most=2) - 1
        key = player, self.tokens.whole("chance event" if kind == "c" else "information set", least=1)
        self.describe(key)
        return key

    def describe(self, key: Key) -> None:
        """Read a description, if there is one; it must agree with an earlier one."""
        name = self.tokens.optional_text()
        if self.tokens.passes("{"):
            described = Moves(name, *self.listed(key[0] == CHANCE))
            if described != self.moves.setdefault(key, described):
                raise self.mistake(f"{_spoken(key)} is {_shown(described)} here and {_shown(self.moves[key])} before")
        elif key not in self.moves:
            raise self.mistake(f"{_spoken(key)} has no actions, neither here nor before")

    def listed(self, chance: bool) -> tuple[tuple[str, ...], tuple[Fraction, ...]]:
        """The actions in braces, and their probabilities."""
        names, probabilities = [], []
        while not self.tokens.passes("}"):
            names.append(self.tokens.text("the name of an action"))
            probabilities.append(self.tokens.number("probability") if chance else Fraction(1))
        if not names:
            raise self.mistake("there are no actions in the braces")
        if min(probabilities) < 0:
            raise self.mistake(f"the chance probability {min(probabilities)} is below 0")
        if chance and sum(probabilities) != 1:
            raise self.mistake(f"the chance probabilities sum to {sum(probabilities)}, not 1")
        return tuple(names), tuple(probabilities)

    def outcome(self) -> Payments:
        number = self.tokens.whole("outcome", least=0)
        self.tokens.optional_text()
        if self.tokens.passes("{"):
            payments = self.payments()
            if payments != self.outcomes.setdefault(number, payments):
                here, before = (", ".join(map(str, paid)) for paid in (payments, self.outcomes[number]))
                raise self.mistake(f"outcome {number} pays {here} here and {before} before")
        elif number not in self.outcomes:
            raise self.mistake(f"outcome {number} has no payoffs, neither here nor before")
        return self.outcomes[number]

    def payments(self) -> Payments:
        mine = self.tokens.number("payoff")
        self.tokens.passes(",")
        theirs = self.tokens.number("payoff")
        self.tokens.passes(",")
        self.tokens.require("}")
        return mine, theirs

    def check_payoff_sum(self, payoff_sum: Fraction) -> None:
        if self.payoff_sum is None:
            self.payoff_sum = payoff_sum
        if self.payoff_sum != payoff_sum:
            raise self.mistake(
                f"the payoffs sum to {payoff_sum} here and to {self.payoff_sum} elsewhere; "
                "only zero-sum games, and those with a constant sum, can be solved"
            )

    def mistake(self, problem: str) -> UserError:
        """The error for the node that is being read."""
        return self.tokens.mistake(problem, self.place)


def _spoken(key: Key) -> str:
    player, number = key
    return f"chance event {number}" if player == CHANCE else f"information set {number} of player {player + 1}"


def _shown(moves: Moves) -> str:
    pairs = zip(moves.actions, moves.probabilities, strict=True)
    return f"'{moves.name}' ({', '.join(action if share == 1 else f'{action} {share}' for action, share in pairs)})"
