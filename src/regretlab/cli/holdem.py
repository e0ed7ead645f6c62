"""``regretlab holdem``: files that describe Hold'em endgames, to start from."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from regretlab.cli import screen
from regretlab.cli.screen import AsJson
from regretlab.errors import UserError

EXAMPLES = """Examples:
  regretlab holdem > spot.toml
  regretlab holdem --list
  regretlab holdem turn-srp > spot.toml
  regretlab solve spot.toml
  regretlab solve holdem:river-polar"""


def holdem(
    spot: Annotated[
        str | None, Parameter(help="A spot that comes with the package; see --list. [default: a template]")
    ] = None,
    /,
    *,
    list_all: Annotated[bool, Parameter(name="--list", help="List the spots that come with the package.")] = False,
    json: AsJson = False,
) -> None:
    """Print a Hold'em endgame as a file to start from.

    A spot is a board, a pot, stacks, two ranges and what may be bet. Save the
    file, change it, and solve it: regretlab solve spot.toml
    """
    from regretlab.endgames import holdem, ready_spots, ready_text, template

    if list_all and spot is not None:
        raise UserError(f"--list lists all spots, and '{spot}' was given, too; leave one out")
    if not list_all:
        text = template() if spot is None else ready_text(spot.removeprefix("holdem:"))
        if json:
            screen.as_json({"name": spot, "toml": text})
        else:
            print(text, end="")
        return
    listed = {name: ready_text(name).partition("\n")[0].removeprefix("# ") for name in ready_spots()}
    if json:
        screen.as_json(
            [
                {"name": f"holdem:{name}", "street": holdem(name).street, "about": about}
                for name, about in listed.items()
            ]
        )
        return
    page, table = screen.Page(), screen.new_table("spot", "what it is", fold=["what it is"])
    for name, about in listed.items():
        table.add_row(f"holdem:{name}", about)
    page.table(table)
    page.print("Solve one: regretlab solve holdem:river-polar. Its file: regretlab holdem river-polar")
