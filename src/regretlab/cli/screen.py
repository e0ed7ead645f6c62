"""What commands share: arguments that are explained in the same words, files to write, and all that is printed."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from regretlab.cli.tables import FoldingTable, facts_table
from regretlab.cli.tables import new_table as new_table
from regretlab.documents import numbers
from regretlab.errors import UserError
from regretlab.spec import parse_call

if TYPE_CHECKING:
    from regretlab.documents.blocks import Document
    from regretlab.forms import AnyForm
    from regretlab.games import Game

MOST_INFOSETS = 40
"""Longer tables of information sets are cut: nobody reads thousands of lines, and --json has them all."""

WIDE, BAR, WIDE_BAR = 96, 10, 24
"""From WIDE columns on a bar may be WIDE_BAR cells long, else BAR."""

_EIGHTHS = " ▏▎▍▌▋▊▉"


class Page(Console):
    """Standard output for people: what is printed is taken as it is, brackets included."""

    def __init__(self) -> None:
        super().__init__(markup=False, highlight=False, emoji=False)

    def on_broken_pipe(self) -> None:
        """Leave it to ``main``, where rich would end the process with the status of a bug."""
        raise BrokenPipeError

    def table(self, table: Table) -> None:
        """A table and an empty line."""
        for part in table.parts(self.width) if isinstance(table, FoldingTable) else [table]:
            self.print(part)
            self.print()

    def facts(self, rows: Iterable[Sequence[str]]) -> None:
        """Lines of a name and what is to be said about it, in columns."""
        self.print(facts_table(rows, self.width))


def as_json(data: Any) -> None:
    """Exactly one JSON value on standard output."""
    json.dump(numbers.plain(data), sys.stdout, indent=2, allow_nan=False)
    sys.stdout.write("\n")


def document(shown: Document) -> None:
    """A document on standard output."""
    from regretlab.documents.terminal import render

    page = Page()
    for part in render(shown, page.width):
        page.print(part)


def note(message: str) -> None:
    """A line for people on stderr, beside whatever goes to standard output."""
    print(f"regretlab: {message}", file=sys.stderr)


def broken(name: str, room: int) -> str:
    """A name that is too long with each argument on its own line, and its value on the next one if it must be."""
    if len(name) <= room:
        return name
    short, arguments = parse_call(name)
    lines = [short]
    for key, value in arguments.items():
        argument = f"{key}={value}"
        lines += [argument] if len(argument) <= room else [f"{key}=", f" {value}"]
    return "\n".join(lines)


def bar(probability: float, width: int) -> Text:
    """A probability as a bar, to an eighth of a cell.

    >>> bar(0.5, 4).plain, bar(1, 4).plain, bar(0.28125, 4).plain
    ('██  ', '████', '█▏  ')
    """
    full, rest = divmod(round(8 * width * probability), 8)
    drawn = "█" * full + (_EIGHTHS[rest] if rest else "")
    return Text(drawn.ljust(width), style="cyan")


def strategy(
    page: Page,
    game: object,
    form: AnyForm,
    probabilities: Mapping[str, Mapping[str, Any]],
    number: Callable[[Any], str],
) -> None:
    """The table of a strategy: a line an action, with a bar and the probability as ``number`` writes it.

    Where players are locked, a column more says so.
    """
    meaning = getattr(game, "meaning", None)
    where = ["information set", *(["meaning"] if meaning else [])]
    marked = [""] if form.locked else []
    leads = len(where) + 1
    spare = [leads, *([1] if meaning else [])]  # the bar, then the meaning
    headings = (*where, "action", "", "probability", *marked)
    table = new_table(*headings, right=["probability"], fold=where, leads=leads, spare=spare)
    width = WIDE_BAR if page.width >= WIDE else BAR
    shown = shown_labels(form)
    for player, labels in shown:
        table.add_row(Text(f"player {player}", style="bold"))
        for label in sorted(labels, key=getattr(game, "order", lambda _: 0)):
            names = [label, *([meaning(label)] if meaning else [])]
            mark = ["locked" if label in form.locked else ""] if marked else []
            for action, probability in probabilities[label].items():
                table.add_row(*names, action, bar(float(probability), width), number(probability), *mark)
                names = [""] * len(names)
        table.add_section()
    page.table(table)
    cut_note(page, form.infosets + len(form.locked) - sum(len(labels) for _, labels in shown))


def shown_labels(form: AnyForm) -> list[tuple[int, Sequence[str]]]:
    """The information sets that a table shows, by player: all, or the first of each; locked ones come first."""
    most = most_shown(form.infosets + len(form.locked))
    locked = [[label for label, held in form.locked.items() if held.player == player] for player in (0, 1)]
    return [(player, [*locked[player], *form.treeplexes[player].labels][:most]) for player in (0, 1)]


def most_shown(infosets: int) -> int:
    """How many information sets of each player a table shows, of so many in all."""
    return infosets if infosets <= MOST_INFOSETS else MOST_INFOSETS // 2


def cut_note(page: Page, left_out: int) -> None:
    """Say how many information sets the table has left out, if any."""
    if left_out:
        page.print(f"… and {numbers.count(left_out, 'more information set')}; --json has them all\n")


GameName: TypeAlias = Annotated[
    str, Parameter(help="The game, such as kuhn, 'kuhn(bet=2)' or ./my_game.py:MyGame; see regretlab games.")
]
Locks: TypeAlias = Annotated[
    list[str] | None,
    Parameter(
        name="--lock",
        metavar="LOCK",
        help="Hold players to a strategy: 'Jb: fold; Jc: check 0.7, bet 0.3', or a .toml file with a section [lock].",
    ),
]
AsJson: TypeAlias = Annotated[bool, Parameter(help="Print JSON for machines, and nothing else.")]
StoreFile: TypeAlias = Annotated[
    Path | None, Parameter(metavar="FILE", help="Where results are kept. [default: a file in your data folder]")
]


def load_locked(game: str, locks: Sequence[str] | None) -> Game:
    """The game of a name, with players held to what was asked for."""
    from regretlab.games import load, lock

    rules = load(game)
    for each in locks or ():
        if not each.strip():
            raise UserError("--lock is empty; write it like 'Jb: fold', or leave it out")
        rules = lock(rules, each)
    return rules


def check_store(path: Path | None) -> None:
    """Raise UserError where results are to be read from a store that is not there; None is the usual one."""
    if path is not None and not path.exists():
        raise UserError(f"there is no store '{path}'; regretlab experiment makes one")


RUN_FILES = (".npz", ".safetensors")


def check_target(path: Path | None) -> None:
    """Raise UserError where ``path`` can't be written; None is no file at all."""
    if path is None:
        return
    if path.is_dir():
        raise UserError(f"can't write '{path}': it is a folder")
    if not path.parent.is_dir():
        raise UserError(f"can't write '{path}': there is no folder '{path.parent}'")
    if not os.access(path.parent, os.W_OK):
        raise UserError(f"can't write '{path}': the folder '{path.parent}' can't be written to")


def check_run_file(path: Path | None) -> None:
    """Raise UserError where a run can't be saved there: the name says how it is written, and networks need PyTorch."""
    if path is not None and path.suffix not in RUN_FILES:
        raise UserError(f"can't save to '{path}': a saved run's name ends in {' or '.join(RUN_FILES)}")
    if path is not None and path.suffix == ".safetensors":
        from regretlab.deep import check_installed

        check_installed(f"'{path}'")
    check_target(path)
