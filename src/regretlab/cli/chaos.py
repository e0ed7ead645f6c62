"""``regretlab chaos``: how much runs depend on their last digits."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from regretlab.cli import screen
from regretlab.cli.progress import INTERRUPTED, RunDisplay
from regretlab.cli.screen import AsJson, check_target
from regretlab.documents import numbers
from regretlab.errors import UserError
from regretlab.spec import split_list, whole_iterations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regretlab.experiments import Chaos
    from regretlab.solving import Progress, Recipe

EXAMPLES = """Examples:
  regretlab chaos leduc
  regretlab chaos kuhn leduc 'liars_dice(sides=4)' --with cfr+,dcfr -o chaos.svg
  regretlab chaos leduc --with normalhedge+ --iterations 10000 --json"""


def chaos(
    games: Annotated[
        list[str],
        Parameter(help="One game or several, such as kuhn, 'kuhn(bet=2)' or ./my_game.py:MyGame; see regretlab games."),
    ],
    /,
    *,
    recipes: Annotated[
        str, Parameter(name="--with", metavar="RECIPES", help="Recipes with commas between them.")
    ] = "cfr,cfr+,dcfr,pdcfr+",
    iterations: Annotated[str, Parameter(metavar="N", help="How many iterations each run gets.")] = "1000",
    plot: Annotated[
        Path | None,
        Parameter(name=["--plot", "-o"], metavar="FILE", help="Draw the differences into a .png, .svg or .pdf."),
    ] = None,
    json: AsJson = False,
) -> int:
    """See whether the last digit decides what a run finds.

    Each recipe runs twice; the second time its first strategies differ by one
    unit in the last place. Where that difference grows exponentially, figures
    are one draw of many from some iteration on, in every program.
    Ctrl-C ends it and shows what is finished.
    """
    from regretlab.experiments import chaos
    from regretlab.experiments.measuring_chaos import chaos_charts, out_of_blocks
    from regretlab.forms import form_to_solve
    from regretlab.games import load
    from regretlab.solving import recipe

    if plot is not None:
        from regretlab.plots import check_format

        check_format(plot)
        check_target(plot)
    goal = whole_iterations("--iterations", iterations)
    chosen = [recipe(each) for each in split_list(recipes)]
    if not chosen:
        raise UserError("--with names no recipe; name at least one, such as cfr+")
    rules = [load(game) for game in games]
    found: list[Chaos] = []
    with RunDisplay() as watch:
        forms = [form_to_solve(out_of_blocks(each)) for each in rules]
        for form, each in product(forms, chosen):

            def report(progress: Progress, name: str = form.name, each: Recipe = each) -> bool:
                return watch.solving(progress._replace(latest=None, note=f"{name} by {each.name}"))

            one = chaos(form, each, iterations=goal, callback=report)
            if one.iterations < goal:
                break
            found.append(one)
    if plot is not None and found:
        from regretlab.plots import panels_by_game, save

        save(panels_by_game(chaos_charts(found), same_heights=True), plot)
    if json:
        screen.as_json([one.as_dict() for one in found])
    else:
        _print(found, plot)
    if len(found) == len(forms) * len(chosen):
        return 0
    screen.note("stopped by Ctrl-C; runs that were not finished are left out")
    return INTERRUPTED


def _print(found: Sequence[Chaos], plot: Path | None) -> None:
    page = screen.Page()
    headings = (
        "recipe",
        "difference\nat the end",
        "growth\nrate",
        "plans\npart",
        "figures\npart",
        "exploit-\nability",
        "nudged",
    )
    for game in dict.fromkeys(one.game for one in found):
        table = screen.new_table(*headings, right=headings[1:], fold=["recipe"])
        for one in found:
            if one.game == game:
                parts = ["–" if t is None else f"{t:,}" for t in (one.plans_part, one.figures_part)]
                growth = "–" if one.growth is None else numbers.significant(one.growth, 2)
                losses = [numbers.loss(loss) for loss in one.pairs[-1][1:]] if one.pairs else ["–", "–"]
                table.add_row(one.recipe.name, f"{one.looks[-1].difference:.0e}", growth, *parts, *losses)
        page.print(f"{game}: {numbers.count(found[0].iterations, 'iteration')}, twice", style="bold")
        page.table(table)
    if found:
        page.print(
            "difference: the largest between the strategies (realisation plans) of the two runs; growth rate λ: it "
            "grows like exp(λt), – if not exponentially; plans part: the first iteration at which it is 0.001; figures "
            "part: the first at which the exploitabilities differ by 1 %. From then on a figure is one draw of many.",
            style="dim",
        )
    if plot is not None and found:
        page.print(f"\nThe plot is in {plot}", soft_wrap=True)
