"""The words of an .efg file, one after the other, and the line that an error names."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from regretlab import spec
from regretlab.errors import UserError

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
