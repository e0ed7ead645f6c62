"""Arguments and options that several commands share, so that they are explained in the same words."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from cyclopts import Parameter

GameName: TypeAlias = Annotated[
    str, Parameter(help="The game, such as kuhn, 'kuhn(bet=2)' or ./my_game.py:MyGame; see regretlab games.")
]
AsJson: TypeAlias = Annotated[bool, Parameter(help="Print JSON for machines, and nothing else.")]
