"""``regretlab compare``: several recipes on one game, and the tables for people."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from cyclopts import Parameter
from rich.text import Text

from regretlab.cli import screen
from regretlab.cli.progress import INTERRUPTED
from regretlab.cli.screen import AsJson, GameName, Locks, check_target, load_locked
from regretlab.documents import numbers
from regretlab.errors import UserError
from regretlab.spec import positive, split_list, whole, whole_iterations

if TYPE_CHECKING:
    from regretlab.experiments import Comparison, Estimate
    from regretlab.experiments.comparing.comparison import Column as Quantity
    from regretlab.experiments.comparing.comparison import Kind
    from regretlab.experiments.comparing.strategies import SideBySide

EXAMPLES = """Examples:
  regretlab compare kuhn
  regretlab compare kuhn --plot kuhn.html
  regretlab compare 'kuhn(bet=2)' --with 'cfr+,cfr+(delay=100),normalhedge'
  regretlab compare kuhn --with 'cfr,cfr(feedback=chance)' --seeds 20 --quick
  regretlab compare leduc --with cfr+,dcfr,pdcfr+ --starts 10
  regretlab compare leduc --with cfr,cfr+ --targets 0.1,0.01 --csv leduc.csv"""

USUAL_ITERATIONS, QUICK_ITERATIONS = 10_000, 2_000

LEAST_ROOM = 16
"""The width that names of recipes have at least; longer ones get a line for each argument."""

GAP = 2
"""Spaces between columns."""

Write = Callable[[float], str]


WRITERS: dict[Kind, tuple[Write, Write]] = {
    "loss": (numbers.loss, numbers.error),
    "value": (numbers.value, numbers.error),
    "ratio": (numbers.ratio, numbers.ratio),
    "seconds": (numbers.duration, numbers.duration),
    "iterations": ("{:,.0f}".format, "{:,.0f}".format),
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


def compare(
    game: GameName,
    /,
    *,
    recipes: Annotated[
        str,
        Parameter(
            name="--with",
            metavar="RECIPES",
            help="Recipes with commas between them; the others are measured against the first.",
        ),
    ] = "cfr,cfr+,normalhedge,normalhedge+",
    iterations: Annotated[
        str | None, Parameter(metavar="N", help="How many iterations each recipe gets. [default: 10000]")
    ] = None,
    quick: Annotated[bool, Parameter(help="Only 2000 iterations.")] = False,
    lock: Locks = None,
    seeds: Annotated[str, Parameter(metavar="K", help="How often recipes that sample are run.")] = "1",
    starts: Annotated[
        str, Parameter(metavar="K", help="How often the others are run: as usual, then from random strategies.")
    ] = "1",
    targets: Annotated[
        str, Parameter(metavar="CHIPS", help="Exploitabilities, commas between; when are they reached for good?")
    ] = "0.01,0.001,0.0001",
    plot: Annotated[
        Path | None,
        Parameter(metavar="FILE", help="Draw convergence, value and regrets into this .html, .png, .svg or .pdf file."),
    ] = None,
    regret_of: Annotated[
        str | None,
        Parameter(metavar="LABEL:ACTION", help="The action whose regrets are drawn. [default: a telling one]"),
    ] = None,
    json: AsJson = False,
    csv: Annotated[
        list[Path] | None,
        Parameter(
            metavar="[FILE]",
            consume_multiple=(0, 1),
            help="Print the table as CSV, and nothing else; or write it into this file.",
        ),
    ] = None,
) -> int:
    """Race several recipes on one game.

    The exact value of the game, where it is small enough, stands beside what
    they find, and an equilibrium beside their strategies. Several seeds or
    starts show the mean ± its standard error, and the range.
    Ctrl-C ends the race and shows what is finished.
    """
    from regretlab.cli.progress import ComparisonDisplay
    from regretlab.experiments import compare
    from regretlab.experiments.rows import as_csv, export
    from regretlab.plots import check_comparison_format, draw_comparison
    from regretlab.solving import recipe

    # What could not be written after the race is found out before it.
    csv_on_stdout = csv == []
    if json and csv_on_stdout:
        raise UserError("--json and --csv both want standard output; give --csv a file, or leave one out")
    for path in csv or []:
        if path.suffix.lower() != ".csv":
            raise UserError(f"can't write the table into '{path}': its name should end in .csv")
    if plot is not None:
        check_comparison_format(plot)
    files = [*([plot] if plot else []), *(csv or [])]
    for path in files:
        check_target(path)
    if quick and iterations is not None:
        raise UserError(f"--quick means {QUICK_ITERATIONS:,} iterations, and --iterations={iterations} was given, too")
    usual = QUICK_ITERATIONS if quick else USUAL_ITERATIONS
    goal = usual if iterations is None else whole_iterations("--iterations", iterations)
    count, beginnings = whole("--seeds", seeds, least=1), whole("--starts", starts, least=1)
    marks = [positive("--targets", target) for target in split_list(targets)]
    chosen = [recipe(each) for each in split_list(recipes)]
    rules = load_locked(game, lock)
    with ComparisonDisplay(chosen, quiet=json or csv_on_stdout) as watch:
        result = compare(
            rules,
            chosen,
            iterations=goal,
            seeds=count,
            starts=beginnings,
            targets=marks,
            regret_of=regret_of,
            callback=watch.comparing,
        )
    # Files first: what is on the screen says where they are.
    if result.rows and plot is not None:
        draw_comparison(result, plot)
    if result.rows and csv:
        export(result.as_dicts(), csv[0])
    if json:
        screen.as_json(result.as_dict())
    elif csv_on_stdout:
        sys.stdout.write(as_csv(result.as_dicts()))
    else:
        _print(rules, result, files if result.rows else [])
    if result.complete:
        return 0
    screen.note("stopped by Ctrl-C; recipes that were not finished are left out")
    return INTERRUPTED


def _print(game: object, result: Comparison, files: Sequence[Path]) -> None:
    unit, page = numbers.Unit.of(game), screen.Page()
    page.print(result.heading, style="bold")
    exact = result.exact_value
    if result.no_promise:
        page.print(f"{result.no_promise}\n")
    elif exact is None:
        page.print(f"exact value unknown: {result.why_no_equilibrium}\n")
    else:
        source = "exact value" if result.proven else "value by linear programming"
        page.print(f"{source} {numbers.value(exact)} chips, {unit.show(exact)} {unit.name}, for player 0\n")
    if result.rows:
        _print_race(page, result, unit)
        _print_strategies(page, game, result)
    for path in files:
        page.print(f"The {'table' if path.suffix.lower() == '.csv' else 'plot'} is in {path}", soft_wrap=True)


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


def _print_race(page: screen.Page, result: Comparison, unit: numbers.Unit) -> None:
    """How well recipes do and how fast they get there: one table if the window is wide enough, else two."""
    from regretlab.experiments.comparing.comparison import arrivals, columns

    first, *others = map(_column, columns(result.rows))
    # What a best responder wins stands there in the small unit, too.
    small = [_spread(row.exploitability, (unit.show, unit.show_error)) for row in result.rows]
    quality = [first, TextColumn(unit.name, [Text(cell) for cell in small]), *others]
    speed = []
    for number, (target, iterations, time) in enumerate(arrivals(result.rows)):
        counts = [(row.arrivals[number].runs, len(row.traces)) for row in result.rows]
        lacking = [f"{reached} of {runs}" if reached else "–" for reached, runs in counts]
        speed += [_column(iterations, f"until {target:g}\niterations", lacking), _column(time, "\ntime")]
    names = [row.recipe.name for row in result.rows]
    together = [*quality, *speed]
    fits = _width(together) + max(map(len, names)) <= page.width
    for shown in [together] if fits else [quality, speed] if speed else [quality]:
        gap = GAP if _width(shown) + LEAST_ROOM <= page.width else GAP - 1
        room = max(LEAST_ROOM, page.width - _width(shown, gap))
        table = screen.new_table("recipe", fold=["recipe"], gap=gap)
        for column in shown:
            table.add_column(column.heading, justify="right", vertical="top", no_wrap=True)
        for name, *cells in zip(names, *(column.cells for column in shown), strict=True):
            table.add_row(screen.broken(name, room), *cells)
        page.table(table)
    for line in _legend(result):
        page.print(line, style="dim")
    if result.one_draw_note:
        more = (
            "" if any(trace.start for row in result.rows for trace in row.traces) else "; --starts 10 shows the spread"
        )
        page.print(f"{result.one_draw_note}{more}", style="yellow")
    page.print()
    if any(row.spread for row in result.rows):
        headings = ("exploitability of", "runs", "lowest", "median", "highest")
        table = screen.new_table(*headings, right=headings[1:], fold=headings[:1])
        for row in result.rows:
            # A single run has no range: it stands in the middle.
            range_of = row.spread or (None, row.exploitability.mean, None)
            amounts = ("–" if each is None else numbers.loss(each) for each in range_of)
            table.add_row(row.recipe.name, f"{len(row.traces)}", *amounts)
        page.table(table)


def _width(columns: Sequence[TextColumn], gap: int = GAP) -> int:
    return sum(gap + column.width for column in columns)


def _column(column: Quantity, heading: str | None = None, lacking: Sequence[str] | None = None) -> TextColumn:
    """A column with stars where it is best, and room for stars where it could be."""
    room = " " if column.kind != "value" else ""
    cells = []
    for k, entry in enumerate(column.entries):
        cell = (lacking[k] if lacking else "–") if entry is None else _spread(entry, WRITERS[column.kind])
        star = "★" if k in column.best else room
        first, *below = cell.split("\n")
        lines = [first + star, *(line + " " * len(star) for line in below)]
        cells.append(Text("\n".join(lines), style="bold green" if star == "★" else ""))
    return TextColumn(HEADINGS[column.name] if heading is None else heading, cells)


def _spread(entry: Estimate | float, write: tuple[Write, Write]) -> str:
    """The mean, and below it the standard error, if there is one."""
    mean, error = entry if isinstance(entry, tuple) else (entry, None)
    return write[0](mean) + ("" if error is None else f"\n± {write[1](error)}")


def _legend(result: Comparison) -> Iterator[str]:
    """What the columns mean."""
    over = ", ".join(f"{count} {what}" for what, count in _repeated(result) if count > 1)
    spread = f"; ± standard error over {over}" if over else ""
    yield f"★ best of its column; better, faster: how many times as good as the first{spread}"
    if result.exact_value is not None:
        yield "off by: how far the value is from the exact one"
    if result.rows[0].arrivals:
        looks = result.rows[0].traces[0].looks
        jump = next((k for k, (early, late) in enumerate(itertools.pairwise(looks)) if late > early + 1), None)
        when = "every iteration" + ("" if jump is None else f" up to {looks[jump]}, then {looks[jump + 1]}, …")
        some = any(0 < arrival.runs < len(row.traces) for row in result.rows for arrival in row.arrivals)
        seeds = ", or how many runs got there" if some else ""
        yield (
            "until: from this iteration on the exploitability stayed at or below so many chips wherever it was looked "
            f"at ({when}){seeds}; time is solving time"
        )


def _repeated(result: Comparison) -> list[tuple[str, int]]:
    """How many seeds and how many starts there were."""
    traces = [trace for row in result.rows for trace in row.traces]
    return [
        ("seeds", 1 + max(trace.solution.seed for trace in traces)),
        ("starts", 1 + max(trace.start for trace in traces)),
    ]


def _print_strategies(page: screen.Page, game: Any, result: Comparison) -> None:
    """What the average strategies do at key information sets, beside the equilibrium, in percent."""
    from regretlab.experiments.comparing.strategies import nearest_in_percent, percent, shortened, side_by_side

    order = getattr(game, "order", lambda _: 0)
    shown = sorted(shortened(side_by_side(result)), key=lambda each: (each.player, order(each.label)))
    page.print("How often the average strategies choose an action, in %\n", style="bold")
    recipes = []
    for number, row in enumerate(result.rows):
        # In parentheses, where equilibria differ, what the one does that bluffs as often.
        beside = [nearest_in_percent(each, number) for each in shown]
        room, heading = max(map(len, beside)), screen.broken(row.recipe.name, LEAST_ROOM).split("\n")
        cells = [
            f"{percent(each.played[number].mean):>5}{text:{room}}" for each, text in zip(shown, beside, strict=True)
        ]
        width = max(map(len, [*heading, *cells]))
        # Flush left and filled up by hand: a column that is flush right drops the spaces at the end.
        filled = "\n".join(f"{line:>{width}}" for line in heading)
        recipes.append(TextColumn(filled, [Text(f"{cell:>{width}}") for cell in cells], "left"))
    where = _where(game, shown, result)
    if _width([*where, *recipes]) > page.width + GAP:  # no gap stands before the first
        where = [column for column in where if column.heading != "meaning"]
    left = page.width + GAP - min(_width(where), page.width // 2)
    while recipes:
        fit = 1
        while fit < len(recipes) and _width(recipes[: fit + 1]) <= left:
            fit += 1
        columns, recipes = [*where, *recipes[:fit]], recipes[fit:]
        table = screen.new_table(gap=GAP, leads=len(where))
        for column in columns:
            fold = column.justify == "left"
            table.add_column(column.heading, justify=column.justify, vertical="top", no_wrap=not fold, overflow="fold")
        for _, places in itertools.groupby(range(len(shown)), key=lambda place: shown[place].player):
            for place in places:
                table.add_row(*(column.cells[place] for column in columns))
            table.add_section()
        page.table(table)
    explained = f"no equilibrium beside them: {result.why_no_equilibrium}"
    if result.family is not None:
        explained = (
            "equilibria: the lowest and the highest probability over all of them; in parentheses: the one that bets "
            "the Jack as often as the recipe does"
        )
    elif result.equilibrium is not None:
        explained = (
            "equilibrium: one that linear programming found; there may be others, so a difference alone is no error"
        )
    page.print(explained, style="dim")
    page.print()


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
