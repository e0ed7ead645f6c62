"""Tables in windows of any width: where one does not fit, it goes on below itself, with the names once more."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.table import Column, Table
from rich.text import Text

LEAST_ROOM = 16
"""The width that a column of names or sentences has at least, if it needs so much; longer ones are broken."""


class FoldingTable(Table):
    """A table whose columns are printed below each other where they don't fit beside each other.

    The first ``leads`` columns say what a line is about, and stand in front of each part. ``spare`` are the places of
    columns that narrow windows leave out, the first one first. A heading that begins with an empty line goes on with
    that of the column before, so the two stay together.
    """

    def __init__(self, gap: int, leads: int = 1, spare: Sequence[int] = ()) -> None:
        shape: dict[str, Any] = {"box": box.SIMPLE_HEAD, "show_edge": False, "pad_edge": False}
        super().__init__(**shape, header_style="bold", padding=(0, gap - 1, 0, 0))
        self.gap, self.leads, self.spare = gap, leads, spare

    def parts(self, width: int) -> Iterator[Table]:
        """What is printed in a window of so many columns: the table, or several that have its columns in turn."""
        places = list(range(len(self.columns)))
        for spare in self.spare:
            if self._room(places) > width:
                places.remove(spare)
        lead = [place for place in places if place < self.leads]
        shown = list(lead)
        for together in self._together([place for place in places if place >= self.leads], width - self._room(lead)):
            if len(shown) > len(lead) and self._room([*shown, *together]) > width:
                yield self._with(shown)
                shown = list(lead)
            shown += together
        yield self._with(shown)

    def _together(self, places: Sequence[int], room: int) -> Iterator[list[int]]:
        """Columns that stay beside each other, unless they need more than there is."""
        groups: list[list[int]] = []
        for place in places:
            if groups and str(self.columns[place].header).startswith("\n"):
                groups[-1].append(place)
            else:
                groups.append([place])
        for group in groups:
            yield from [group] if self._room(group) + self.gap <= room else [[place] for place in group]

    def _room(self, places: Sequence[int]) -> int:
        return sum(_least_width(self.columns[place]) + self.gap for place in places) - self.gap

    def _with(self, places: Sequence[int]) -> Table:
        """A table of some columns."""
        if len(places) == len(self.columns):
            return self
        part = FoldingTable(self.gap)
        columns = [self.columns[place] for place in places]
        for each in columns:
            shape: dict[str, Any] = {"justify": each.justify, "vertical": "top", "overflow": "fold"}
            part.add_column(each.header, **shape, no_wrap=each.no_wrap)
        for row, cells in zip(self.rows, zip(*(each.cells for each in columns), strict=True), strict=True):
            part.add_row(*cells, end_section=row.end_section)
        return part


def _least_width(column: Column) -> int:
    """What a column needs: its longest line or, where lines may be broken, its longest word or LEAST_ROOM."""
    texts = [cell.plain if isinstance(cell, Text) else str(cell) for cell in (column.header, *column.cells)]
    if column.no_wrap:
        return max(cell_len(line) for text in texts for line in [*text.splitlines(), ""])
    return min(max(cell_len(word) for text in texts for word in [*text.split(), ""]), LEAST_ROOM)


def new_table(
    *headings: str,
    right: Collection[str] = (),
    fold: Collection[str] = (),
    gap: int = 2,
    leads: int = 1,
    spare: Sequence[int] = (),
) -> FoldingTable:
    """An empty table; columns named in ``right`` are flush right, and only those in ``fold`` may break their lines."""
    table = FoldingTable(gap, leads, spare)
    for heading in headings:
        justify: Any = "right" if heading in right else "left"
        table.add_column(heading, justify=justify, vertical="top", no_wrap=heading not in fold, overflow="fold")
    return table


def facts_table(rows: Iterable[Sequence[str]], width: int) -> Table:
    """Lines of a name and what is to be said about it, in columns; in a window that is too narrow, below each other."""
    told = [list(row) for row in rows]
    grid = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    grid.add_column(style="bold", no_wrap=True, overflow="fold")
    count = max(map(len, told), default=0)
    columns = [[row[k] for row in told if len(row) > k] for k in range(count)]
    words = [max(cell_len(word) for cell in column for word in [*cell.split(), ""]) for column in columns[1:]]
    names = max(map(cell_len, columns[0]), default=0) if columns else 0
    if names + sum(min(word, LEAST_ROOM) + 2 for word in words) <= width:
        for row in told:
            grid.add_row(*row)
        return grid
    for name, *rest in told:
        grid.add_row(name)
        grid.add_row(
            Text(f"  {', '.join(cell for cell in rest if cell)}", style="not bold", overflow="fold", no_wrap=False)
        )
    grid.columns[0].no_wrap = False
    return grid
