"""Gambit's .efg files: from text to a tree of nodes.

The format lists the nodes of a game in prefix order, each before all that follows from it. An information set, a chance
event or an outcome is described where it first occurs; after that its number is enough. Payoffs can be attached to any
node, and a player gets the sum of those on the way.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeVar

from regretlab import spec
from regretlab.errors import UserError
from regretlab.games import CHANCE, TERMINAL

# Only a quote is escaped: a backslash before anything else is a backslash.
_TEXT = r'"(?P<text>(?:[^"\\]|\\"|\\(?!"))*)"'
_TOKEN = re.compile(rf'\s*(?:{_TEXT}|(?P<mark>[{{}},])|(?P<word>[^\s"{{}},]+)|(?P<unclosed>")|(?P<end>\Z))')
_SPOKEN = {"text": 'the text "{}"', "mark": "'{}'", "word": "'{}'", "end": "the end of the file"}

LONGEST_SHOWN = 40
"""Letters of an unexpected word that its error shows."""

MOST_NUMBERS_KEPT = 100_000
"""The same numbers occur at thousands of nodes, so those that were read are kept."""
_number = lru_cache(MOST_NUMBERS_KEPT)(spec.number)
_whole = lru_cache(MOST_NUMBERS_KEPT)(spec.whole)

Read = TypeVar("Read")


class Tokens:
    """What is left of a file, from the word that is next."""

    def __init__(self, path: str, content: str) -> None:
        self.path, self._content = path, content.rstrip()
        self._matches = _TOKEN.finditer(self._content)
        self.advance()

    def advance(self) -> None:
        """Go on to the next word."""
        self.here = next(self._matches)
        self.kind = self.here.lastgroup or ""
        self.word: str = self.here[self.kind]
        if self.kind == "unclosed":
            raise self.mistake("the text that begins here has no closing quote")

    def mistake(self, problem: str, place: re.Match[str] | None = None) -> UserError:
        """The error for the word that is next, or for an earlier one; in one line, though texts may have several."""
        place = place or self.here
        line = 1 + self._content.count("\n", 0, place.start(place.lastgroup or 0))
        return UserError(f"'{self.path}', line {line}: {' '.join(problem.split())}")

    def expected(self, what: str) -> UserError:
        """The error for a word of the wrong kind."""
        shown = self.word if len(self.word) <= LONGEST_SHOWN else f"{self.word[:LONGEST_SHOWN]}…"
        return self.mistake(f"expected {what}, found {_SPOKEN[self.kind].format(shown)}")

    def take(self, kind: str, what: str) -> str:
        """The next word, which must be of this kind."""
        if self.kind != kind:
            raise self.expected(what)
        word = self.word
        self.advance()
        return word

    def text(self, what: str) -> str:
        """The text that is next."""
        return self.take("text", f"{what} in quotes").replace('\\"', '"')

    def optional_text(self) -> str:
        """The text that is next; empty if there is none."""
        return self.text("a text") if self.kind == "text" else ""

    def number(self, what: str) -> Fraction:
        """The number that is next."""
        return self._read(_number, what)

    def whole(self, what: str, least: int, most: int | None = None) -> int:
        """The whole number that is next, between two bounds."""
        return self._read(_whole, what, least, most)

    def _read(self, reader: Callable[..., Read], what: str, *bounds: int | None) -> Read:
        place, word = self.here, self.take("word", f"a number ({what})")
        try:
            return reader(what, word, *bounds)
        except UserError as error:
            raise self.mistake(str(error), place) from None

    def passes(self, mark: str) -> bool:
        """Whether this mark is next; then it is passed."""
        found = self.word == mark and self.kind == "mark"
        if found:
            self.advance()
        return found

    def require(self, mark: str) -> None:
        """Pass the mark that must be next."""
        if not self.passes(mark):
            raise self.expected(f"'{mark}'")


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


class EfgTree(NamedTuple):
    """A game as the file has it."""

    root: Node
    moves: dict[Key, Moves]
    constant_sum: bool  # whether both players' payoffs have the same sum wherever the game ends


def read_efg(path: str) -> EfgTree:
    """The game in a file; raises UserError, naming the line, unless it is a game for two."""
    reader = _Reader(Tokens(path, _content(path)))
    reader.prologue()
    return EfgTree(reader.tree(), reader.moves, len(reader.payoff_sums) == 1)


def _content(path: str) -> str:
    if not path:
        raise UserError("efg: names no file; write it like efg:game.efg")
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
        self.payoff_sums: set[Fraction] = set()  # of both players, wherever the game ends

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
            self.payoff_sums.add(paid[0] + paid[1])
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

    def mistake(self, problem: str) -> UserError:
        """The error for the node that is being read."""
        return self.tokens.mistake(problem, self.place)


def _spoken(key: Key) -> str:
    player, number = key
    return f"chance event {number}" if player == CHANCE else f"information set {number} of player {player + 1}"


def _shown(moves: Moves) -> str:
    pairs = zip(moves.actions, moves.probabilities, strict=True)
    return f"'{moves.name}' ({', '.join(action if share == 1 else f'{action} {share}' for action, share in pairs)})"
