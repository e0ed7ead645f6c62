"""A document on the terminal, by rich."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel as Box
from rich.rule import Rule
from rich.syntax import Syntax
from rich.table import Table as Grid
from rich.text import Text

from regretlab.documents.blocks import (
    Block,
    Branch,
    Bullets,
    Code,
    Document,
    Equations,
    Heading,
    Panel,
    Paragraph,
    Side,
    Sides,
    Table,
    Tree,
    Words,
    cell_text,
    prose,
)
from regretlab.documents.expressions import Equation, equation_sides
from regretlab.documents.numbers import Notation

INDENT = 2
"""Columns before a formula or a tree."""

EDGES = 4
"""Columns that a box takes for itself."""

LEAST_SIDE = 30
"""Columns that sentences need beside others."""

_STYLES = {"": "", "code": "cyan", "strong": "bold"}


def render(document: Document, width: int) -> Iterator[RenderableType]:
    """What rich prints in a window of so many columns."""
    for block in document.blocks:
        yield from _block(block, document.notation, width)


def as_text(document: Document, width: int = 100) -> str:
    """The same without colours."""
    out = StringIO()
    console = Console(file=out, width=width, color_system=None, markup=False, highlight=False, emoji=False)
    for part in render(document, width):
        console.print(part)
    return "".join(line.rstrip() + "\n" for line in out.getvalue().splitlines())


def _block(block: Block, notation: Notation, width: int) -> Iterator[RenderableType]:
    """A block and an empty line."""
    if isinstance(block, Heading):
        yield from _heading(block)
    elif isinstance(block, Sides):
        yield from _sides(block, notation, width)
    else:
        yield _plain_block(block, notation, width)
        yield ""


def _plain_block(block: Block, notation: Notation, width: int) -> RenderableType:
    if isinstance(block, Paragraph):
        return _words(block.words)
    if isinstance(block, Bullets):
        return _bullets(block)
    if isinstance(block, Equations):
        return Padding(Group(*_equations(block.lines, notation, width - INDENT)), (0, 0, 0, INDENT))
    if isinstance(block, Table):
        return _table(block, notation)
    if isinstance(block, Tree):
        return Padding(Group(*map(_branch, block.branches)), (0, 0, 0, INDENT))
    if isinstance(block, Panel):
        inside = Group(_words(block.words), *_equations(block.lines, notation, width - EDGES))
        return Box(inside, title=Text(block.title), title_align="left", border_style="yellow", box=box.ROUNDED)
    assert isinstance(block, Code)
    return Padding(
        Syntax(block.text, "python", theme="ansi_dark", background_color="default", word_wrap=True), (0, 0, 0, INDENT)
    )


def _words(words: Words) -> Text:
    return Text.assemble(*((span.text, _STYLES[span.kind]) for span in words))


def _heading(heading: Heading) -> Iterator[RenderableType]:
    title = "".join(span.text for span in heading.words)
    if heading.level == 3:
        yield Text(f"▌ {title}", style="bold green")
    else:
        yield Rule(
            Text(title, style="bold"), characters="━" if heading.level == 1 else "─", align="left", style="green"
        )
    yield ""


def _bullets(block: Bullets) -> Grid:
    grid = Grid.grid(padding=(0, 1, 0, 0))
    for item in block.items:
        grid.add_row("•", _words(item))
    return grid


def _branch(branch: Branch) -> Text:
    style = "bold yellow" if branch.here else "bold" if branch.on_path else "dim"
    return Text.assemble((branch.lead, "dim"), (branch.text + ("  ◀ here" if branch.here else ""), style))


def _equations(lines: Sequence[Equation], notation: Notation, width: int) -> Iterator[Text]:
    return (line for each in lines for line in _equation(each, notation, width))


def _equation(equation: Equation, notation: Notation, width: int) -> Iterator[Text]:
    """An equation in one line if it fits, else one line a side, all signs below the first one."""
    sides = equation_sides(equation, notation)
    whole = " ".join(sides)
    note = f"   ({equation.note})" if equation.note else ""
    if len(whole) <= width:
        text = Text(whole)
        note = (
            note
            if len(whole) + len(note) <= width
            else f"\n{' ' * (len(sides[0]) + 3)}({equation.note})"
            if note
            else ""
        )
        yield text.append(note, style="dim")
        return
    for line in _broken(sides, width):
        yield Text(line)
    if note:
        yield Text(" " * (len(sides[0]) + 3) + f"({equation.note})", style="dim")


def _broken(sides: Sequence[str], width: int) -> Iterator[str]:
    """A line a side; one that is too long is broken before its signs."""
    lead = " " * (len(sides[0]) + 1)
    for number, side in enumerate(sides[1:]):
        first = f"{sides[0]} " if number == 0 else lead
        lines = _filled(side, max(width - len(lead) - 2, 20))
        yield from (start + line for start, line in zip([first, *[lead + "  "] * (len(lines) - 1)], lines, strict=True))


def _filled(side: str, width: int) -> list[str]:
    """A side in lines of so many letters, broken where as few brackets are open as possible."""
    for depth in range(side.count("(") + 1):
        lines = _wrapped(_pieces(side, depth), width)
        if max(map(len, lines)) <= width:
            break
    return lines


def _pieces(side: str, depth: int) -> list[str]:
    """A text cut at the spaces inside at most ``depth`` brackets; the sign at its start stays with what follows."""
    pieces, start, opened = [], 0, 0
    for place, letter in enumerate(side):
        opened += (letter == "(") - (letter == ")")
        if letter == " " and opened <= depth and place > 1:
            pieces.append(side[start:place])
            start = place + 1
    return [*pieces, side[start:]]


def _wrapped(pieces: Sequence[str], width: int) -> list[str]:
    lines = [""]
    for piece in pieces:
        longer = f"{lines[-1]} {piece}".strip()
        if len(longer) > width and lines[-1]:
            lines.append(piece)
        else:
            lines[-1] = longer
    return lines


def _table(block: Table, notation: Notation) -> Grid:
    grid = Grid(
        title=_words(prose(block.title)) if block.title else None,
        caption=_words(prose(block.note)) if block.note else None,
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        header_style="bold",
        padding=(0, 1, 0, 0),
    )
    for column, heading in enumerate(block.head):
        grid.add_column(_words(prose(heading)), justify="right" if block.is_numeric(column) else "left", vertical="top")
    for row in block.rows:
        grid.add_row(*(_words(prose(cell_text(cell, notation))) for cell in row))
    return grid


def _sides(block: Sides, notation: Notation, width: int) -> Iterator[RenderableType]:
    """Boxes beside each other where they fit, else below each other."""
    for row in _rows(block, notation, width):
        share = width // len(row)
        grid = Grid.grid(expand=True)
        for _ in row:
            grid.add_column(ratio=1)
        grid.add_row(*(_side(side, notation, share - EDGES) for side in row))
        yield grid
    yield ""


def _rows(block: Sides, notation: Notation, width: int) -> Iterator[list[Side]]:
    """As many sides in a row as fit without breaking a line."""
    row: list[Side] = []
    for side in block.sides:
        widest = max(_widest(each.blocks, notation) + EDGES for each in [*row, side])
        if row and widest * (len(row) + 1) > width:
            yield row
            row = []
        row.append(side)
    yield row


def _widest(blocks: Sequence[Block], notation: Notation) -> int:
    """The columns that blocks need for their formulas, tables and code; sentences can be broken anywhere."""
    widths = [LEAST_SIDE]
    for block in blocks:
        if isinstance(block, Equations):
            widths += [INDENT + len(" ".join(equation_sides(line, notation))) for line in block.lines]
        elif isinstance(block, Table):
            widths.append(Console(width=500).measure(_table(block, notation)).maximum)
        elif isinstance(block, Code):
            widths += [INDENT + len(line) for line in block.text.splitlines()]
    return max(widths)


def _side(side: Side, notation: Notation, width: int) -> Box:
    parts = [part for block in side.blocks for part in _block(block, notation, width)][:-1]
    return Box(Group(*parts), title=Text(side.title, style="bold magenta"), title_align="left", border_style="magenta")
