"""Arguments that several commands share, and files that a command will write: looked at before the long run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, TypeAlias

from cyclopts import Parameter

from regretlab.errors import UserError

GameName: TypeAlias = Annotated[
    str, Parameter(help="The game, such as kuhn, 'kuhn(bet=2)' or ./my_game.py:MyGame; see regretlab games.")
]
AsJson: TypeAlias = Annotated[bool, Parameter(help="Print JSON for machines, and nothing else.")]
StoreFile: TypeAlias = Annotated[
    Path | None, Parameter(metavar="FILE", help="Where results are kept. [default: a file in your data folder]")
]


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
    """The same for a saved run, whose name says how it is written."""
    if path is not None and path.suffix not in RUN_FILES:
        raise UserError(f"can't save to '{path}': a saved run's name ends in {' or '.join(RUN_FILES)}")
    if path is not None and path.suffix == ".safetensors":
        from regretlab.deep import check_installed

        check_installed(f"'{path}'")
    check_target(path)
