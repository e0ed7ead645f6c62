"""Values as notebooks show them: a few blocks and pictures in HTML, small, on light and on dark ground.

``_repr_html_`` of whatever people meet in Python is made here. There is no script and no fixed ground, and what is long
is cut: a cell shows what something is, and its methods have the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeAlias

from regretlab.documents import svg
from regretlab.documents.blocks import Block, Cell, Chart, Document, Mosaic, Paragraph, Table, prose, strong, words
from regretlab.documents.html import fragment
from regretlab.documents.numbers import Notation

Piece: TypeAlias = Block | Chart | Mosaic

MOST_ROWS = 24
"""Of a table: the twelve information sets of Kuhn poker with two actions each."""

_STYLE = (
    ".regretlab .number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
    ".regretlab th,.regretlab td{padding:.15em .7em;text-align:left;vertical-align:top}"
    ".regretlab .best{font-weight:bold}.regretlab .hidden{display:none}.regretlab p{margin:.4em 0}"
    ".regretlab .scroll{overflow-x:auto}.regretlab meter{width:6em}"
    ".regretlab .share{display:inline-block;min-width:5em}"
    ".regretlab .pictures{display:flex;flex-wrap:wrap;gap:1em}"
)


def as_html(*pieces: Piece | None, notation: Notation | None = None) -> str:
    """Some blocks and pictures, one below the other, pictures that follow each other side by side; None is left out."""
    chosen = notation or Notation()
    parts: list[str] = []
    pictures: list[str] = []
    for piece in (*pieces, None):
        if isinstance(piece, Chart | Mosaic):
            pictures.append(svg.chart(piece) if isinstance(piece, Chart) else svg.mosaic(piece))
            continue
        if pictures:
            parts.append(f'<div class="pictures">{"".join(pictures)}</div>')
            pictures = []
        if isinstance(piece, Table):
            note = (Paragraph(prose(piece.note)),) if piece.note else ()
            parts.append(fragment(Document((replace(piece, note=""), *note), chosen)))
        elif piece is not None:
            parts.append(fragment(Document((piece,), chosen)))
    return f'<div class="regretlab"><style>{_STYLE}</style>{"".join(parts)}</div>'


def headline(name: str, rest: str = "") -> Paragraph:
    """What the value is, in one line."""
    return Paragraph(words(strong(name), *prose(rest)))


def facts(*rows: tuple[str, Cell] | None) -> Table:
    """Names and what is to be said about them; None is left out."""
    return Table("", ("", ""), tuple(row for row in rows if row is not None))


def listed(
    head: Sequence[str], rows: Iterable[tuple[Cell, ...]], count: int, where: str, most: int = MOST_ROWS
) -> Table:
    """The first rows of a table that has ``count``; a note says ``where`` the others are."""
    shown = tuple(islice(rows, most))
    note = f"{len(shown)} of {count:,} rows; {where}" if count > len(shown) else ""
    return Table("", tuple(head), shown, note)
