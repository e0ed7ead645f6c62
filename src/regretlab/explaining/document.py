"""A document in blocks, before it is decided where it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from regretlab.explaining.expression import Equation, Value
from regretlab.explaining.notation import Notation


@dataclass(frozen=True)
class Span:
    """A piece of a sentence: plain, ``code`` (a label, a command) or ``strong``."""

    text: str
    kind: str = ""


Words: TypeAlias = tuple[Span, ...]
"""A sentence or several."""

Cell: TypeAlias = str | Value
"""What stands in one field of a table."""


def words(*pieces: str | Span) -> Words:
    """A sentence from plain texts and marked pieces."""
    return tuple(Span(piece) if isinstance(piece, str) else piece for piece in pieces)


def code(text: str) -> Span:
    """A label, an action, a command."""
    return Span(text, "code")


def strong(text: str) -> Span:
    """What should be seen first."""
    return Span(text, "strong")


@dataclass(frozen=True)
class Heading:
    """A title; level 1 is the whole document's."""

    level: int
    words: Words


@dataclass(frozen=True)
class Paragraph:
    """Sentences."""

    words: Words


@dataclass(frozen=True)
class Bullets:
    """A list of sentences."""

    items: tuple[Words, ...]


@dataclass(frozen=True)
class Equations:
    """Formulas, one below the other."""

    lines: tuple[Equation, ...]


@dataclass(frozen=True)
class Table:
    """Rows under headings; columns from ``numbers`` on are flush right."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    numbers: int


@dataclass(frozen=True)
class Branch:
    """A line of a drawn tree."""

    lead: str  # the lines that connect it
    text: str
    on_path: bool  # whether it leads to where the document stands
    here: bool = False  # whether it is that place


@dataclass(frozen=True)
class Tree:
    """A game tree, drawn as far as the current path shows it."""

    branches: tuple[Branch, ...]


@dataclass(frozen=True)
class Panel:
    """Something that happens in the game, a deal or an end, and the number that it brings."""

    title: str
    words: Words
    lines: tuple[Equation, ...] = ()


@dataclass(frozen=True)
class Code:
    """Python that runs."""

    text: str


@dataclass(frozen=True)
class Side:
    """One of several that stand side by side."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Sides:
    """What differs, side by side."""

    sides: tuple[Side, ...]


Block: TypeAlias = Heading | Paragraph | Bullets | Equations | Table | Tree | Panel | Code | Sides


@dataclass(frozen=True)
class Document:
    """Blocks, and how their numbers are written."""

    blocks: tuple[Block, ...]
    notation: Notation

    @property
    def title(self) -> str:
        """The text of the first heading."""
        first = next(block for block in self.blocks if isinstance(block, Heading))
        return "".join(span.text for span in first.words)
