"""A document as Markdown; formulas and trees are blocks of plain text, which every reader shows alike."""

from __future__ import annotations

from collections.abc import Iterator

from regretlab.documents.blocks import (
    Block,
    Branch,
    Bullets,
    Code,
    Document,
    DrawnTree,
    Equations,
    Heading,
    Panel,
    Paragraph,
    Table,
    Words,
    cell_text,
    prose,
)
from regretlab.documents.expressions import Equation, equation_sides
from regretlab.documents.numbers import Notation

_MARKS = {"": "", "code": "`", "strong": "**"}
_SPECIAL = str.maketrans({letter: f"\\{letter}" for letter in "\\`*_[]<>#|"})


def as_text(document: Document) -> str:
    """The whole document."""
    return "\n\n".join(part for block in document.blocks for part in _block(block, document.notation)) + "\n"


def _block(block: Block, notation: Notation) -> Iterator[str]:
    if isinstance(block, Heading):
        yield f"{'#' * block.level} {_words(block.words)}"
    elif isinstance(block, Paragraph):
        yield _words(block.words)
    elif isinstance(block, Bullets):
        yield "\n".join(f"- {_words(item)}" for item in block.items)
    elif isinstance(block, Equations):
        yield _fenced("text", "\n".join(_equation(line, notation) for line in block.lines))
    elif isinstance(block, Table):
        if block.title:
            yield f"**{_words(prose(block.title))}**"
        yield _table(block, notation)
        if block.note:
            yield _words(prose(block.note))
    elif isinstance(block, DrawnTree):
        yield _fenced("text", "\n".join(map(_branch, block.branches)))
    elif isinstance(block, Panel):
        yield f"> **{_plain(block.title)}**: {_words(block.words)}"
        if block.lines:
            yield from _block(Equations(block.lines), notation)
    elif isinstance(block, Code):
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


def _words(words: Words) -> str:
    """A sentence; code stands as it is between its marks, which must not occur in it."""
    pieces = ((span.text.replace("`", "'") if span.kind == "code" else _plain(span.text), span.kind) for span in words)
    return "".join(f"{_MARKS[kind]}{text}{_MARKS[kind]}" for text, kind in pieces)


def _equation(equation: Equation, notation: Notation) -> str:
    note = f"   ({equation.note})" if equation.note else ""
    return " ".join(equation_sides(equation, notation)) + note


def _branch(branch: Branch) -> str:
    return f"{branch.lead}{branch.text}{'  ◀ here' if branch.here else ''}"


def _table(block: Table, notation: Notation) -> str:
    marks = ["--:" if block.is_numeric(column) else "---" for column in range(len(block.head))]
    rows = [[_words(prose(cell_text(cell, notation))) for cell in row] for row in block.rows]
    lines = [[_words(prose(heading)) for heading in block.head], marks, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
