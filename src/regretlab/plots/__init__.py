"""Plots: results in, one picture out. Matplotlib is loaded when something is drawn."""

from regretlab.plots.convergence import convergence
from regretlab.plots.draw import check_comparison_format, draw_comparison
from regretlab.plots.save import FORMATS, check_format, save

__all__ = ["FORMATS", "check_comparison_format", "check_format", "convergence", "draw_comparison", "save"]
