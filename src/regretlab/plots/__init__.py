"""Plots: results in, one picture or page out. Matplotlib is loaded when something is drawn."""

from regretlab.plots.figures import FORMATS, check_format, convergence, panels_by_game, save
from regretlab.plots.pages import check_comparison_format, draw_comparison, report_page

__all__ = [
    "FORMATS",
    "check_comparison_format",
    "check_format",
    "convergence",
    "draw_comparison",
    "panels_by_game",
    "report_page",
    "save",
]
