"""A document as Markdown; formulas and trees are blocks of plain text, which every reader shows alike."""

from __future__ import annotations

from collections.abc import Iterator

from regretlab.documents import blocks
from regretlab.documents.blocks import cell_text, prose
from regretlab.documents.expressions import equation_sides
from regretlab.documents.numbers import Notation

_MARKS = {"": "", "code": "`", "strong": "**"}
_SPECIAL = str.maketrans({letter: f"\\{letter}" for letter in "\\`*_[]<>#|"})


def as_text(document: blocks.Document) -> str:
    """The whole document."""
    return "\n\n".join(part for block in document.blocks for part in _block(block, document.notation)) + "\n"


def _block(block: blocks.Block, notation: Notation) -> Iterator[str]:
    if isinstance(block, blocks.Heading):
        yield f"{'#' * block.level} {_words(block.words)}"
    elif isinstance(block, blocks.Paragraph):
        yield _words(block.words)
    elif isinstance(block, blocks.Bullets):
        yield "\n".join(f"- {_words(item)}" for item in block.items)
    elif isinstance(block, blocks.Equations):
        lines = []
        for line in block.lines:
            note = f"   ({line.note})" if line.note else ""
            lines.append(" ".join(equation_sides(line, notation)) + note)
        yield _fenced("text", "\n".join(lines))
    elif isinstance(block, blocks.Table):
        if block.title:
            yield f"**{_words(prose(block.title))}**"
        head = [_words(prose(heading)) for heading in block.head]
        marks = ["--:" if block.is_numeric(column) else "---" for column in range(len(block.head))]
        rows = [[_words(prose(cell_text(cell, notation))) for cell in row] for row in block.rows]
        yield "\n".join(f"| {' | '.join(cells)} |" for cells in (head, marks, *rows))
        if block.note:
            yield _words(prose(block.note))
    elif isinstance(block, blocks.DrawnTree):
        yield _fenced("text", "\n".join(branch.lead + branch.marked for branch in block.branches))
    elif isinstance(block, blocks.Panel):
        yield f"> **{_plain(block.title)}**: {_words(block.words)}"
        if block.lines:
            yield from _block(blocks.Equations(block.lines), notation)
    elif isinstance(block, blocks.Code):
        yield _fenced("python", block.text)
    else:
        for side in block.sides:
            yield f"*{_plain(side.title)}:*"
            for each in side.blocks:
                yield from _block(each, notation)


def _fenced(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```"


def _plain(text: str) -> str:
    return text.translate(_SPECIAL)


def _words(words: blocks.Words) -> str:
    """A sentence; code stands as it is between its marks, which must not occur in it."""
    pieces = ((span.text.replace("`", "'") if span.kind == "code" else _plain(span.text), span.kind) for span in words)
    return "".join(f"{_MARKS[kind]}{text}{_MARKS[kind]}" for text, kind in pieces)
