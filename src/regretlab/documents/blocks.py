"""The model of a document: blocks of sentences, formulas, tables, trees and charts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from regretlab.documents.expressions import Equation, Value
from regretlab.documents.numbers import Notation, percent, written


@dataclass(frozen=True)
class Span:
    """A piece of a sentence: plain, ``code`` (a label, a command) or ``strong``."""

    text: str
    kind: str = ""


Words: TypeAlias = tuple[Span, ...]
"""A sentence or several."""


@dataclass(frozen=True)
class Share:
    """How much of a whole something is, from 0 to 1: a page draws a bar beside the number."""

    part: float


Cell: TypeAlias = str | float | Value | Share | None
"""What stands in one field of a table.

A text may have `code` between backticks. A ``Value`` is a step of some arithmetic and written in the document's
notation; a ``Share`` is written in percent. A float is something measured: it is shown with three digits, and kept to
the last bit where a writer can.
"""

Scale = Literal["log", "linear"]


def words(*pieces: str | Span) -> Words:
    """A sentence from plain texts and marked pieces."""
    return tuple(Span(piece) if isinstance(piece, str) else piece for piece in pieces)


def prose(text: str) -> Words:
    """A sentence from a text in which `code` stands between backticks.

    >>> prose("run `regretlab solve` now")
    (Span(text='run ', kind=''), Span(text='regretlab solve', kind='code'), Span(text=' now', kind=''))
    """
    pieces = re.split(r"`([^`]+)`", text)
    return tuple(Span(piece, "code" if k % 2 else "") for k, piece in enumerate(pieces) if piece)


def code(text: str) -> Span:
    """A label, an action, a command."""
    return Span(text, "code")


def strong(text: str) -> Span:
    """A piece that should be seen first."""
    return Span(text, "strong")


@dataclass(frozen=True)
class Heading:
    """A title; level 1 is the whole document's."""

    level: int
    words: Words


@dataclass(frozen=True)
class Paragraph:
    """Sentences that belong together."""

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
    """A table of which every row is as long as its head.

    Where there is a title, the first cell of a row is what the row is about.
    """

    title: str  # may be empty
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""  # one or two sentences below it
    best: frozenset[tuple[int, int]] = frozenset()  # the cells to mark: (row, column), both from 0

    def is_numeric(self, column: int) -> bool:
        """Whether a column holds numbers and no text: such a column is flush right."""
        cells = [row[column] for row in self.rows]
        return any(cell is not None for cell in cells) and not any(isinstance(cell, str) for cell in cells)


def cell_text(cell: Cell, notation: Notation) -> str:
    """A field of a table as text."""
    if isinstance(cell, Value):
        return cell.written(notation).text
    if isinstance(cell, Share):
        return percent(cell.part)
    return "–" if cell is None else cell if isinstance(cell, str) else written(cell)


@dataclass(frozen=True)
class Branch:
    """A line of a drawn tree."""

    lead: str  # the lines that connect it
    text: str
    on_path: bool  # whether it leads to where the document stands
    here: bool = False  # whether it is that place

    @property
    def marked(self) -> str:
        """The text, with a mark at the place where the document stands."""
        return f"{self.text}  ◀ here" if self.here else self.text


@dataclass(frozen=True)
class DrawnTree:
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
class Alternative:
    """One of several texts that stand side by side."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Alternatives:
    """Several texts side by side, where recipes differ."""

    sides: tuple[Alternative, ...]


Block: TypeAlias = Heading | Paragraph | Bullets | Equations | Table | DrawnTree | Panel | Code | Alternatives


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


# ---- pictures that need no script


@dataclass(frozen=True)
class Tile:
    """A field of a mosaic: how much of it each kind fills, from the left; what they leave stays empty."""

    name: str
    parts: tuple[float, ...]


@dataclass(frozen=True)
class Mosaic:
    """Fields in rows and columns, such as the 13 × 13 classes of hands, each divided among some kinds."""

    title: str
    kinds: tuple[str, ...]
    colours: tuple[str, ...]  # of each kind, as #rrggbb
    rows: tuple[tuple[Tile, ...], ...]


# ---- reports: sections with charts, which only a page can show


@dataclass(frozen=True)
class Series:
    """One line of a chart."""

    name: str
    points: tuple[tuple[float, float], ...]  # (x, y), x ascending
    band: tuple[tuple[float, float, float], ...] = ()  # (x, low, high): the spread around it
    dashed: bool = False
    colour: int | None = None  # 1 to 8, so that one recipe looks the same in all charts; else the chart chooses


@dataclass(frozen=True)
class Target:
    """A level to compare with: a dashed horizontal line."""

    name: str
    y: float


@dataclass(frozen=True)
class Chart:
    """Lines over one axis. On a log axis only what is above 0 can be drawn; the data keep the rest."""

    title: str
    x_label: str
    y_label: str
    x_scale: Scale
    y_scale: Scale
    series: tuple[Series, ...]
    targets: tuple[Target, ...] = ()
    note: str = ""  # one or two sentences below it

    @property
    def table(self) -> Table:
        """All numbers that the chart shows."""
        rows: list[tuple[Cell, ...]] = []
        for series in self.series:
            spread = {x: (low, high) for x, low, high in series.band}
            rows += [(series.name, x, y, *spread.get(x, (None, None))) for x, y in series.points]
        rows += [(target.name, None, target.y, None, None) for target in self.targets]
        shown = 5 if any(series.band for series in self.series) else 3
        head = ("line", self.x_label, self.y_label, "low", "high")
        return Table(f"{self.title}: numbers", head[:shown], tuple(row[:shown] for row in rows))


@dataclass(frozen=True)
class Section:
    """A part of a report. Paragraphs are plain text, in which `code` stands between backticks."""

    title: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    scripted: str = ""  # the id of a place below the paragraphs that a script of the report fills
