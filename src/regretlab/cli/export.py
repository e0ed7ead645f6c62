"""``regretlab export``: a game for other libraries."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from regretlab.cli import show
from regretlab.cli.options import AsJson, GameName
from regretlab.cli.target import check_target
from regretlab.documents import numbers
from regretlab.errors import UserError

EXAMPLES = """Examples:
  regretlab export kuhn kuhn.efg
  regretlab export 'kuhn(ante=1/3, bet=2/7)' stakes.efg
  regretlab export openspiel:leduc_poker leduc.efg --json"""


def export(
    game: GameName,
    file: Annotated[Path, Parameter(help="Where to write it; the name ends in .efg.")],
    /,
    *,
    json: AsJson = False,
) -> None:
    """Write a game to a file for Gambit.

    The file holds the whole tree, with exact numbers as fractions. Gambit,
    OpenSpiel and regretlab itself (as efg:FILE) read it.
    """
    from regretlab.games import load
    from regretlab.interop import write_efg

    if file.suffix != ".efg":
        raise UserError(f"can't export to '{file}': the name of a file for Gambit ends in .efg")
    check_target(file)
    rules = load(game)
    nodes = write_efg(rules, file)
    if json:
        show.as_json({"game": rules.name, "file": str(file), "nodes": nodes})
    else:
        show.Page().print(f"{rules.name} is in {file}: {numbers.count(nodes, 'node')}")
