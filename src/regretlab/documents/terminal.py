"""A document on the terminal, by rich."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO

from rich import box
from rich.console import Console, Group, JustifyMethod, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from regretlab.documents import blocks
from regretlab.documents.blocks import cell_text, prose
from regretlab.documents.expressions import Equation, equation_sides
from regretlab.documents.numbers import Notation

INDENT = 2
"""Columns before a formula or a tree."""

EDGES = 4
"""Columns that a box takes for itself."""

LEAST_SIDE = 30
"""Columns that sentences need beside others."""

_STYLES = {"": "", "code": "cyan", "strong": "bold"}


def render(document: blocks.Document, width: int) -> Iterator[RenderableType]:
    """What rich prints in a window of ``width`` columns."""
    for block in document.blocks:
        yield from _block(block, document.notation, width)


def as_text(document: blocks.Document, width: int = 100) -> str:
    """A document as the terminal shows it, without colours."""
    out = StringIO()
    console = Console(file=out, width=width, color_system=None, markup=False, highlight=False, emoji=False)
    for part in render(document, width):
        console.print(part)
    return "".join(line.rstrip() + "\n" for line in out.getvalue().splitlines())


def _block(block: blocks.Block, notation: Notation, width: int) -> Iterator[RenderableType]:
    """A block as rich prints it, and an empty line."""
    if isinstance(block, blocks.Heading):
        title = "".join(span.text for span in block.words)
        line = "━" if block.level == 1 else "─"
        if block.level == 3:
            yield Text(f"▌ {title}", style="bold green")
        else:
            yield Rule(Text(title, style="bold"), characters=line, align="left", style="green")
    elif isinstance(block, blocks.Paragraph):
        yield _words(block.words)
    elif isinstance(block, blocks.Bullets):
        grid = Table.grid(padding=(0, 1, 0, 0))
        for item in block.items:
            grid.add_row("•", _words(item))
        yield grid
    elif isinstance(block, blocks.Equations):
        yield _indented(Group(*_equations(block.lines, notation, width - INDENT)))
    elif isinstance(block, blocks.Table):
        yield _table(block, notation)
    elif isinstance(block, blocks.DrawnTree):
        lines = []
        for branch in block.branches:
            style = "bold yellow" if branch.here else "bold" if branch.on_path else "dim"
            lines.append(Text.assemble((branch.lead, "dim"), (branch.marked, style)))
        yield _indented(Group(*lines))
    elif isinstance(block, blocks.Panel):
        inside = Group(_words(block.words), *_equations(block.lines, notation, width - EDGES))
        yield Panel(inside, title=Text(block.title), title_align="left", border_style="yellow", box=box.ROUNDED)
    elif isinstance(block, blocks.Code):
        yield _indented(Syntax(block.text, "python", theme="ansi_dark", background_color="default", word_wrap=True))
    else:
        yield from _alternatives(block, notation, width)
    yield ""


def _indented(inside: RenderableType) -> Padding:
    return Padding(inside, (0, 0, 0, INDENT))


def _words(words: blocks.Words) -> Text:
    return Text.assemble(*((span.text, _STYLES[span.kind]) for span in words))


def _table(block: blocks.Table, notation: Notation) -> Table:
    grid = Table(
        title=_words(prose(block.title)) if block.title else None,
        caption=_words(prose(block.note)) if block.note else None,
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        header_style="bold",
        padding=(0, 1, 0, 0),
    )
    for column, heading in enumerate(block.head):
        justify: JustifyMethod = "right" if block.is_numeric(column) else "left"
        grid.add_column(_words(prose(heading)), justify=justify, vertical="top")
    for row in block.rows:
        grid.add_row(*(_words(prose(cell_text(cell, notation))) for cell in row))
    return grid


# ---- formulas


def _equations(lines: Sequence[Equation], notation: Notation, width: int) -> Iterator[Text]:
    """Each equation in one line if it fits, else one line per side, all signs below the first one."""
    for equation in lines:
        sides = equation_sides(equation, notation)
        whole, note = " ".join(sides), f"   ({equation.note})" if equation.note else ""
        below = " " * (len(sides[0]) + 3) + f"({equation.note})"
        if len(whole) <= width:
            beside = note if len(whole) + len(note) <= width else f"\n{below}"
            yield Text(whole).append(beside, style="dim")
        else:
            yield from map(Text, _broken(sides, width))
            if note:
                yield Text(below, style="dim")


def _broken(sides: Sequence[str], width: int) -> Iterator[str]:
    """A line per side; one that is too long is broken before its signs, where as few brackets are open as possible."""
    lead = " " * (len(sides[0]) + 1)
    room = max(width - len(lead) - 2, 20)
    for number, side in enumerate(sides[1:]):
        for depth in range(side.count("(") + 1):
            lines = _wrapped(side, depth, room)
            if max(map(len, lines)) <= room:
                break
        yield (lead if number else f"{sides[0]} ") + lines[0]
        yield from (f"{lead}  {line}" for line in lines[1:])


def _wrapped(side: str, depth: int, width: int) -> list[str]:
    """A text in lines of so many letters, cut at spaces inside at most ``depth`` brackets.

    The sign at its start stays with what follows. A piece that can't be cut may be longer than ``width``.
    """
    pieces, start, opened = [], 0, 0
    for place, letter in enumerate(side):
        opened += (letter == "(") - (letter == ")")
        if letter == " " and opened <= depth and place > 1:
            pieces.append(side[start:place])
            start = place + 1
    lines = [""]
    for piece in (*pieces, side[start:]):
        longer = f"{lines[-1]} {piece}".strip()
        if len(longer) > width and lines[-1]:
            lines.append(piece)
        else:
            lines[-1] = longer
    return lines


# ---- what stands side by side


def _alternatives(block: blocks.Alternatives, notation: Notation, width: int) -> Iterator[RenderableType]:
    """Boxes beside each other, as many in a row as fit without breaking a line, else below each other."""
    rows: list[list[blocks.Alternative]] = [[]]
    for side in block.sides:
        widest = max(_widest(each.blocks, notation) + EDGES for each in [*rows[-1], side])
        if rows[-1] and widest * (len(rows[-1]) + 1) > width:
            rows.append([])
        rows[-1].append(side)
    for row in rows:
        grid, boxes = Table.grid(expand=True), []
        for side in row:
            grid.add_column(ratio=1)
            room = width // len(row) - EDGES
            parts = [part for each in side.blocks for part in _block(each, notation, room)][:-1]
            title = Text(side.title, style="bold magenta")
            boxes.append(Panel(Group(*parts), title=title, title_align="left", border_style="magenta"))
        grid.add_row(*boxes)
        yield grid


def _widest(inside: Sequence[blocks.Block], notation: Notation) -> int:
    """The columns that blocks need for their formulas, tables and code; sentences can be broken anywhere."""
    widths = [LEAST_SIDE]
    for block in inside:
        if isinstance(block, blocks.Equations):
            widths += [INDENT + len(" ".join(equation_sides(line, notation))) for line in block.lines]
        elif isinstance(block, blocks.Table):
            widths.append(Console(width=500).measure(_table(block, notation)).maximum)
        elif isinstance(block, blocks.Code):
            widths += [INDENT + len(line) for line in block.text.splitlines()]
    return max(widths)
