"""``regretlab compare``: several recipes on one game."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from regretlab.cli import screen
from regretlab.cli.arguments import AsJson, GameName, check_target
from regretlab.cli.progress import INTERRUPTED
from regretlab.documents import numbers
from regretlab.errors import UserError
from regretlab.spec import positive, split_list, whole

if TYPE_CHECKING:
    from regretlab.experiments import Comparison

EXAMPLES = """Examples:
  regretlab compare kuhn
  regretlab compare kuhn --plot kuhn.html
  regretlab compare 'kuhn(bet=2)' --with 'cfr+,cfr+(delay=100),normalhedge'
  regretlab compare kuhn --with 'cfr,cfr(feedback=chance)' --seeds 20 --quick
  regretlab compare leduc --with cfr,cfr+ --targets 0.1,0.01 --csv leduc.csv"""

USUAL_ITERATIONS, QUICK_ITERATIONS = 10_000, 2_000


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
    seeds: Annotated[str, Parameter(metavar="K", help="How often recipes that sample are run.")] = "1",
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
    they find, and an equilibrium beside their strategies. Recipes that sample
    show the mean over the seeds ± its standard error.
    Ctrl-C ends the race and shows what is finished.
    """
    from regretlab.cli.progress import ComparisonDisplay
    from regretlab.experiments import compare
    from regretlab.games import load
    from regretlab.solving import recipe

    wanted = _Wanted(plot, json, csv)
    wanted.check()
    goal, count = _goal(iterations, quick), whole("--seeds", seeds, least=1)
    marks = [positive("--targets", target) for target in split_list(targets)]
    chosen = [recipe(each) for each in split_list(recipes)]
    rules = load(game)
    with ComparisonDisplay(chosen, quiet=wanted.for_machines) as watch:
        result = compare(
            rules,
            chosen,
            iterations=goal,
            seeds=count,
            targets=marks,
            regret_of=regret_of,
            callback=watch.comparing,
        )
    wanted.write(rules, result)
    if result.complete:
        return 0
    screen.note("stopped by Ctrl-C; recipes that were not finished are left out")
    return INTERRUPTED


def _goal(iterations: str | None, quick: bool) -> int:
    if iterations is None:
        return QUICK_ITERATIONS if quick else USUAL_ITERATIONS
    if quick:
        raise UserError(f"--quick means {QUICK_ITERATIONS:,} iterations, and --iterations={iterations} was given, too")
    return whole("--iterations", iterations, least=1)


@dataclass(frozen=True)
class _Wanted:
    """What is to be written, and where."""

    plot: Path | None
    json: bool
    csv: list[Path] | None  # empty: on standard output

    @property
    def for_machines(self) -> bool:
        """Whether standard output is."""
        return self.json or self.csv == []

    @property
    def files(self) -> list[Path]:
        """Those that will be written."""
        return [*([self.plot] if self.plot else []), *(self.csv or [])]

    def check(self) -> None:
        """Find out before the race what could not be written after it."""
        from regretlab.plots import check_comparison_format

        if self.json and self.csv == []:
            raise UserError("--json and --csv both want standard output; give --csv a file, or leave one out")
        for path in self.csv or []:
            if path.suffix.lower() != ".csv":
                raise UserError(f"can't write the table into '{path}': its name should end in .csv")
        if self.plot is not None:
            check_comparison_format(self.plot)
        for path in self.files:
            check_target(path)

    def write(self, game: object, result: Comparison) -> None:
        """Files first: what is on the screen says where they are."""
        from regretlab.experiments.rows import as_csv, export
        from regretlab.plots import draw_comparison

        if result.rows and self.plot is not None:
            draw_comparison(result, self.plot)
        if result.rows and self.csv:
            export(result.as_dicts(), self.csv[0])
        if self.json:
            screen.as_json(_as_dict(result))
        elif self.for_machines:
            sys.stdout.write(as_csv(result.as_dicts()))
        else:
            _print(game, result, self.files if result.rows else [])


def _as_dict(result: Comparison) -> dict[str, Any]:
    return {
        "game": result.game,
        "iterations": result.iterations,
        "exact_value": result.exact_value,
        "proven": result.proven,
        "complete": result.complete,
        "rows": [row.as_dict() for row in result.rows],
        "strategies": result.strategies(),
        "history": result.history(),
        "regrets": result.regrets(),
    }


def _print(game: object, result: Comparison, files: Sequence[Path]) -> None:
    from regretlab.cli.compare_tables import print_race, print_strategies

    unit, page = numbers.Unit.of(game), screen.Page()
    page.print(result.heading, style="bold")
    exact = result.exact_value
    if exact is None:
        page.print("exact value unknown: the game is too large for the linear programme\n")
    else:
        source = "exact value" if result.proven else "value by linear programming"
        page.print(f"{source} {numbers.value(exact)} chips, {unit.show(exact)} {unit.name}, for player 0\n")
    if result.rows:
        print_race(page, result, unit)
        print_strategies(page, game, result)
    for path in files:
        page.print(f"The {'table' if path.suffix.lower() == '.csv' else 'plot'} is in {path}", soft_wrap=True)
