"""Figures as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from regretlab.errors import UserError
from regretlab.files import written_beside

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg", ".pdf")

DOTS_PER_INCH = 160
"""Of a PNG: sharp on a dense screen, and still small."""


def check_format(path: str | Path) -> None:
    """Raise UserError unless the file's suffix is one of FORMATS."""
    if Path(path).suffix.lower() not in FORMATS:
        raise UserError(f"can't draw '{path}': a plot's name ends in .png, .svg or .pdf")


def save(figure: Figure, path: str | Path) -> None:
    """Write ``figure`` in the format that the suffix names; the file is the whole picture or as it was."""
    path = Path(path)
    check_format(path)
    with written_beside(path) as file:
        figure.savefig(file, format=path.suffix.lower().removeprefix("."), dpi=DOTS_PER_INCH)
