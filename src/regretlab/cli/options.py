"""Arguments and options that several commands share, so that they are explained in the same words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

from cyclopts import Parameter

GameName: TypeAlias = Annotated[
    str, Parameter(help="The game, such as kuhn, 'kuhn(bet=2)' or ./my_game.py:MyGame; see regretlab games.")
]
AsJson: TypeAlias = Annotated[bool, Parameter(help="Print JSON for machines, and nothing else.")]
StoreFile: TypeAlias = Annotated[
    Path | None, Parameter(metavar="FILE", help="Where results are kept. [default: a file in your data folder]")
]
