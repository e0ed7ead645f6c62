"""``regretlab walkthrough``: a few iterations with every number explained."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from regretlab.cli import show
from regretlab.cli.options import AsJson
from regretlab.errors import unknown
from regretlab.spec import whole

if TYPE_CHECKING:
    from regretlab.explaining import Walkthrough

EXAMPLES = """Examples:
  regretlab walkthrough
  regretlab walkthrough 'kuhn(bet=2)' --with normalhedge --deals JQ,JQ --exact
  regretlab walkthrough --with pcfr+,dcfr --deals JQ,JQ
  regretlab walkthrough --with cfr+ --deals all --format html > walkthrough.html
  regretlab walkthrough leduc --with cfr --deals JsQhKs --depth 3"""

FORMATS = ("terminal", "markdown", "html", "json")


def walkthrough(
    game: Annotated[str, Parameter(help="The game, such as kuhn, 'kuhn(bet=2)' or leduc.")] = "kuhn",
    /,
    *,
    recipes: Annotated[
        str | None,
        Parameter(
            name="--with",
            metavar="RECIPES",
            help="Recipes with commas between them. [default: cfr, cfr+ (its truncation alone), normalhedge, "
            "normalhedge+]",
        ),
    ] = None,
    deals: Annotated[
        str | None,
        Parameter(
            metavar="DEALS",
            help="One deal an iteration, such as JQ,QK,JQ or, in leduc, JsQhKs; or all. [default: JQ,QK,JQ in kuhn]",
        ),
    ] = None,
    iterations: Annotated[
        str | None, Parameter(metavar="N", help="How many iterations; the deals repeat. [default: one a deal]")
    ] = None,
    depth: Annotated[
        str | None,
        Parameter(
            metavar="N", help="How many decisions of each way through the game are spelled out. [default: all, or 2]"
        ),
    ] = None,
    format: Annotated[str, Parameter(metavar="FORMAT", help="terminal, markdown, html or json.")] = "terminal",
    exact: Annotated[bool, Parameter(help="Show fractions in place of decimals.")] = False,
    json: AsJson = False,
) -> None:
    """Explain every number of a few iterations.

    The walk through the game, hand by hand: strategies, reach, payoffs, values,
    regrets, updates, averages. What several recipes have in common is told once,
    and where they differ they stand side by side.
    """
    if format not in FORMATS:
        raise unknown("format", format, FORMATS)
    count, limit = (
        None if given is None else whole(option, given, least=1)
        for option, given in (("--iterations", iterations), ("--depth", depth))
    )
    from regretlab.explaining import walkthrough
    from regretlab.explaining.walkthroughs import FOUR

    told = walkthrough(game, recipes or FOUR, deals=deals, iterations=count, exact=exact, depth=limit)
    _print(told, "json" if json else format)


def _print(told: Walkthrough, format: str) -> None:
    if format == "json":
        show.as_json(told.as_dict())
    elif format == "terminal":
        from regretlab.documents.terminal import render

        page = show.Page()
        for part in render(told.document, page.width):
            page.print(part)
    else:
        sys.stdout.write(told.markdown() if format == "markdown" else told.html())
