"""A comparison as tables for people."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from rich.table import Table
from rich.text import Text

from regretlab.cli import screen
from regretlab.documents import numbers

if TYPE_CHECKING:
    from regretlab.experiments import Comparison, Estimate, RecipeRow
    from regretlab.experiments.comparing.comparison import Column as Quantity
    from regretlab.experiments.comparing.comparison import Kind
    from regretlab.experiments.comparing.strategies import SideBySide

LEAST_ROOM = 16
"""The width that names of recipes have at least; longer ones get a line for each argument."""

GAP = 2
"""Spaces between columns."""

Write = Callable[[float], str]


def _whole(number: float) -> str:
    return f"{number:,.0f}"


WRITERS: dict[Kind, tuple[Write, Write]] = {
    "loss": (numbers.loss, numbers.error),
    "value": (numbers.value, numbers.error),
    "ratio": (numbers.ratio, numbers.ratio),
    "seconds": (numbers.duration, numbers.duration),
    "iterations": (_whole, _whole),
}
"""How a mean and its standard error are written."""

HEADINGS = {
    "exploitability": "exploit-\nability\nchips",
    "improvement": "better",
    "value": "value\nchips",
    "off by": "off by\nchips",
    "time an iteration": "time an\niter.",
    "speed-up": "faster",
}


class TextColumn(NamedTuple):
    """A heading, and the cells below it."""

    heading: str
    cells: list[Text]
    justify: Literal["left", "right"] = "right"

    @property
    def width(self) -> int:
        """Of the column, without the gap."""
        lines = [*self.heading.split("\n"), *(line for cell in self.cells for line in cell.plain.split("\n"))]
        return max(map(len, lines))


def print_race(page: screen.Page, result: Comparison, unit: numbers.Unit) -> None:
    """How well recipes do and how fast they get there: one table if the window is wide enough, else two."""
    quality, speed = _quality(result.rows, unit), _arrivals(result.rows)
    names = [row.recipe.name for row in result.rows]
    together = [*quality, *speed]
    fits = _width(together) + max(map(len, names)) <= page.width
    for columns in [together] if fits else [quality, speed] if speed else [quality]:
        page.table(_race(names, columns, page.width))
    for line in _legend(result):
        page.print(line, style="dim")
    page.print()


def _width(columns: Sequence[TextColumn], gap: int = GAP) -> int:
    return sum(gap + column.width for column in columns)


def _race(names: Sequence[str], columns: Sequence[TextColumn], width: int) -> Table:
    gap = GAP if _width(columns) + LEAST_ROOM <= width else GAP - 1
    room = max(LEAST_ROOM, width - _width(columns, gap))
    table = screen.new_table("recipe", fold=["recipe"], gap=gap)
    for column in columns:
        table.add_column(column.heading, justify="right", vertical="top", no_wrap=True)
    for name, *cells in zip(names, *(column.cells for column in columns), strict=True):
        table.add_row(screen.broken(name, room), *cells)
    return table


def _quality(rows: Sequence[RecipeRow], unit: numbers.Unit) -> list[TextColumn]:
    """All but the targets; what a best responder wins stands there in the small unit, too."""
    from regretlab.experiments.comparing.comparison import columns

    first, *others = columns(rows)
    small = [_spread(row.exploitability, (unit.show, unit.show_error)) for row in rows]
    return [_column(first), TextColumn(unit.name, [Text(cell) for cell in small]), *map(_column, others)]


def _arrivals(rows: Sequence[RecipeRow]) -> list[TextColumn]:
    """Two columns a target: iterations and time."""
    from regretlab.experiments.comparing.comparison import arrivals

    found = []
    for number, (target, iterations, time) in enumerate(arrivals(rows)):
        lacking = [_lacking(row.arrivals[number].runs, len(row.traces)) for row in rows]
        found += [_column(iterations, f"until {target:g}\niterations", lacking), _column(time, "\ntime")]
    return found


def _lacking(reached: int, runs: int) -> str:
    """What stands where not all seeds got to a target."""
    return f"{reached} of {runs}" if reached else "–"


def _column(column: Quantity, heading: str | None = None, lacking: Sequence[str] | None = None) -> TextColumn:
    """A column with stars where it is best, and room for stars where it could be."""
    room = " " if column.kind != "value" else ""
    cells = []
    for k, entry in enumerate(column.entries):
        cell = (lacking[k] if lacking else "–") if entry is None else _spread(entry, WRITERS[column.kind])
        cells.append(_marked(cell, "★" if k in column.best else room))
    return TextColumn(HEADINGS[column.name] if heading is None else heading, cells)


def _spread(entry: Estimate | float, write: tuple[Write, Write]) -> str:
    """The mean, and below it the standard error, if there is one."""
    mean, error = entry if isinstance(entry, tuple) else (entry, None)
    return write[0](mean) + ("" if error is None else f"\n± {write[1](error)}")


def _marked(cell: str, star: str) -> Text:
    """A cell with a star behind its first line, and as much room behind the others."""
    first, *others = cell.split("\n")
    lines = [first + star, *(line + " " * len(star) for line in others)]
    return Text("\n".join(lines), style="bold green" if star == "★" else "")


def _legend(result: Comparison) -> Iterator[str]:
    """What the columns mean."""
    most = max(len(row.traces) for row in result.rows)
    spread = f"; ± standard error over {most} seeds" if most > 1 else ""
    yield f"★ best of its column; better, faster: how many times as good as the first{spread}"
    if result.exact_value is not None:
        yield "off by: how far the value is from the exact one"
    if result.rows[0].arrivals:
        looks = _when(result.rows[0].traces[0].looks)
        seeds = ", or how many seeds got there" if _some_seeds_only(result.rows) else ""
        yield (
            "until: from this iteration on the exploitability stayed at or below so many chips wherever it was looked "
            f"at ({looks}){seeds}; time is solving time"
        )


def _some_seeds_only(rows: Sequence[RecipeRow]) -> bool:
    return any(0 < arrival.runs < len(row.traces) for row in rows for arrival in row.arrivals)


def _when(looks: Sequence[int]) -> str:
    """After which iterations a run was looked at."""
    jump = next((k for k, (early, late) in enumerate(itertools.pairwise(looks)) if late > early + 1), None)
    return "every iteration" + ("" if jump is None else f" up to {looks[jump]}, then {looks[jump + 1]}, …")


def print_strategies(page: screen.Page, game: Any, result: Comparison) -> None:
    """What the average strategies do at key information sets, beside the equilibrium, in percent."""
    from regretlab.experiments.comparing.strategies import shortened, side_by_side

    shown = _in_order(game, shortened(side_by_side(result)))
    page.print("How often the average strategies choose an action, in %\n", style="bold")
    recipes = [_probabilities(row.recipe.name, shown, k) for k, row in enumerate(result.rows)]
    where = _where(game, shown, result)
    if _width([*where, *recipes]) > page.width + GAP:  # no gap stands before the first
        where = [column for column in where if column.heading != "meaning"]
    for some in _that_fit(recipes, page.width + GAP - min(_width(where), page.width // 2)):
        page.table(_strategies([*where, *some], shown))
    page.print(_explained(result), style="dim")
    page.print()


def _in_order(game: Any, every: Sequence[SideBySide]) -> list[SideBySide]:
    """As people expect the information sets, player by player."""
    order = getattr(game, "order", None)
    return sorted(every, key=lambda each: (each.player, order(each.label) if order else 0))


def _where(game: Any, shown: Sequence[SideBySide], result: Comparison) -> list[TextColumn]:
    """The columns on the left: which action where, and what equilibria do."""
    from regretlab.experiments.comparing.strategies import equilibrium_in_percent

    meaning = getattr(game, "meaning", None)
    columns = {"at": [each.label for each in shown]}
    if meaning is not None:
        columns["meaning"] = [meaning(each.label) for each in shown]
    for names in columns.values():
        names[1:] = [name if name != before else "" for before, name in itertools.pairwise(names)]
    columns["action"] = [each.action for each in shown]
    if result.family or result.equilibrium:
        columns["equilibria" if result.family else "equilibrium"] = list(map(equilibrium_in_percent, shown))
    return [
        TextColumn(heading, [Text(cell) for cell in cells], "right" if heading.startswith("equi") else "left")
        for heading, cells in columns.items()
    ]


def _probabilities(name: str, shown: Sequence[SideBySide], number: int) -> TextColumn:
    """A recipe's column; in parentheses, where equilibria differ, what the one does that bluffs as often."""
    from regretlab.experiments.comparing.strategies import nearest_in_percent, percent

    beside = [nearest_in_percent(each, number) for each in shown]
    room, heading = max(map(len, beside)), screen.broken(name, LEAST_ROOM)
    cells = [f"{percent(each.played[number].mean):>5}{text:{room}}" for each, text in zip(shown, beside, strict=True)]
    width = max(map(len, [*heading.split("\n"), *cells]))
    # Flush left and filled up by hand: a column that is flush right drops the spaces at the end.
    filled = [f"{line:>{width}}" for line in heading.split("\n")]
    return TextColumn("\n".join(filled), [Text(f"{cell:>{width}}") for cell in cells], "left")


def _that_fit(columns: Sequence[TextColumn], room: int) -> Iterator[list[TextColumn]]:
    """The columns in groups that fit side by side, at least one each."""
    some: list[TextColumn] = []
    for column in columns:
        if some and _width([*some, column]) > room:
            yield some
            some = []
        some.append(column)
    yield some


def _strategies(columns: Sequence[TextColumn], shown: Sequence[SideBySide]) -> Table:
    """A line for each action, player by player."""
    table = screen.new_table(gap=GAP)
    for column in columns:
        fold = column.justify == "left"
        table.add_column(column.heading, justify=column.justify, vertical="top", no_wrap=not fold, overflow="fold")
    for _, places in itertools.groupby(range(len(shown)), key=lambda place: shown[place].player):
        for place in places:
            table.add_row(*(column.cells[place] for column in columns))
        table.add_section()
    return table


def _explained(result: Comparison) -> str:
    """What stands in the table of strategies."""
    if result.family is not None:
        return (
            "equilibria: the lowest and the highest probability over all of them; in parentheses: the one that bets "
            "the Jack as often as the recipe does"
        )
    if result.equilibrium is not None:
        return "equilibrium: one that linear programming found; there may be others, so a difference alone is no error"
    return "no equilibrium beside them: the game is too large for the linear programme"
