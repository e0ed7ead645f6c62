"""``regretlab walkthrough`` and ``glossary``: every number of a few iterations explained, and what the words mean."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from regretlab.cli import screen
from regretlab.cli.screen import AsJson
from regretlab.errors import unknown
from regretlab.spec import whole

WALKTHROUGH_EXAMPLES = """Examples:
  regretlab walkthrough
  regretlab walkthrough 'kuhn(bet=2)' --with normalhedge --deals JQ,JQ --exact
  regretlab walkthrough --with pcfr+,dcfr --deals JQ,JQ
  regretlab walkthrough --with cfr+ --deals all --format html > walkthrough.html
  regretlab walkthrough leduc --with cfr --deals JsQhKs --depth 3"""

WALKTHROUGH_FORMATS = ("terminal", "markdown", "html", "json")


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
    if format not in WALKTHROUGH_FORMATS:
        raise unknown("format", format, WALKTHROUGH_FORMATS)
    count, limit = (
        None if given is None else whole(option, given, least=1)
        for option, given in (("--iterations", iterations), ("--depth", depth))
    )
    from regretlab.explaining import walkthrough
    from regretlab.explaining.walkthroughs import FOUR

    told = walkthrough(game, recipes or FOUR, deals=deals, iterations=count, exact=exact, depth=limit)
    if json or format == "json":
        screen.as_json(told.as_dict())
    elif format == "terminal":
        screen.document(told.document)
    else:
        sys.stdout.write(told.markdown() if format == "markdown" else told.html())


GLOSSARY_EXAMPLES = """Examples:
  regretlab glossary
  regretlab glossary 'information set'
  regretlab glossary --format markdown > glossary.md"""

GLOSSARY_FORMATS = ("terminal", "markdown", "json")


def glossary(
    term: Annotated[str | None, Parameter(help="A term, such as bluff or 'best response'. [default: list all]")] = None,
    /,
    *,
    format: Annotated[str, Parameter(metavar="FORMAT", help="terminal, markdown or json.")] = "terminal",
    json: AsJson = False,
) -> None:
    """Explain a term: in two sentences, a formula and an example.

    The examples are from Kuhn poker, and their numbers are computed.
    """
    from regretlab.explaining import glossary

    if format not in GLOSSARY_FORMATS:
        raise unknown("format", format, GLOSSARY_FORMATS)
    found = None if term is None else glossary.find(term)
    if json or format == "json":
        screen.as_json([each.as_dict() for each in glossary.TERMS.values()] if found is None else found.as_dict())
    elif format == "markdown":
        sys.stdout.write(glossary.as_markdown() if found is None else glossary.entry(found))
    elif found is None:
        page, table = screen.Page(), screen.new_table("term", "meaning", fold=["meaning"])
        for each in glossary.TERMS.values():
            table.add_row(each.name, each.meaning)
        page.table(table)
        page.print("With a formula and an example: regretlab glossary bluff")
    else:
        screen.document(found.document)
