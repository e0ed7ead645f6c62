"""``regretlab glossary``: the words of the field."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from regretlab.cli import show
from regretlab.cli.options import AsJson
from regretlab.errors import unknown

if TYPE_CHECKING:
    from regretlab.explaining import Term

EXAMPLES = """Examples:
  regretlab glossary
  regretlab glossary 'information set'
  regretlab glossary --format markdown > glossary.md"""

FORMATS = ("terminal", "markdown", "json")


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

    if format not in FORMATS:
        raise unknown("format", format, FORMATS)
    found = None if term is None else glossary.find(term)
    if json or format == "json":
        show.as_json([each.as_dict() for each in glossary.TERMS.values()] if found is None else found.as_dict())
    elif format == "markdown":
        sys.stdout.write(glossary.as_markdown() if found is None else glossary.entry(found))
    elif found is None:
        _print_list(glossary.TERMS.values())
    else:
        _print_one(found)


def _print_list(terms: Iterable[Term]) -> None:
    page, table = show.Page(), show.new_table("term", "meaning", fold=["meaning"])
    for term in terms:
        table.add_row(term.name, term.meaning)
    page.table(table)
    page.print("With a formula and an example: regretlab glossary bluff")


def _print_one(term: Term) -> None:
    from regretlab.documents.terminal import render

    page = show.Page()
    for part in render(term.document, page.width):
        page.print(part)
