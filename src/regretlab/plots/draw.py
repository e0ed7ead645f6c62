"""A comparison drawn into a file: a page that answers to the pointer, or a picture for print."""

from __future__ import annotations

from pathlib import Path

from regretlab.errors import UserError
from regretlab.experiments import Comparison
from regretlab.files import written_beside
from regretlab.plots.comparison_page import comparison_page
from regretlab.plots.convergence import convergence
from regretlab.plots.save import FORMATS, save

PAGE = ".html"


def check_comparison_format(path: str | Path) -> None:
    """Raise UserError unless the file's suffix says how to draw a comparison."""
    if Path(path).suffix.lower() not in (PAGE, *FORMATS):
        raise UserError(f"can't draw '{path}': a plot's name ends in .html, .png, .svg or .pdf")


def draw_comparison(comparison: Comparison, path: str | Path) -> None:
    """Draw into ``path``, in the format that its suffix names; the file is whole or as it was."""
    check_comparison_format(path)
    if Path(path).suffix.lower() != PAGE:
        save(convergence(comparison), path)
        return
    with written_beside(path) as file:
        file.write(comparison_page(comparison).encode())
