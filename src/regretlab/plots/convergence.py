"""How fast recipes converge: exploitability and value against iterations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from regretlab.experiments import Comparison, Row
from regretlab.solve import Checkpoint

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Distinct to colour-blind eyes (Okabe, Ito, 2008); their yellow is left out, because it vanishes on white."""

LINES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

WIDTH, HEIGHT = 10.5, 4.8
"""Of the figure, in inches."""

INCHES_A_LINE, INCHES_A_LETTER = 0.8, 0.08
"""Room that an entry of the legend needs, for the line and for each letter of its name."""

SWINGS = 1 / 4
"""The value is drawn from iteration T^SWINGS on: its first swings would flatten all that comes after them."""

SMALLEST = 1e-17
"""Where a logarithmic axis has to show an exploitability of 0, or less by rounding."""


def convergence(comparison: Comparison) -> Figure:
    """Two panels with a line a recipe: exploitability on logarithmic axes, and the value beside the exact one.

    Sampled recipes show the mean over their seeds, and a band from the lowest to the highest.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    FigureCanvasAgg(figure)
    distance, value = figure.subplots(1, 2)
    for row, style in zip(comparison.rows, styles(), strict=False):
        _draw(distance, row, lambda point: max(point.exploitability, SMALLEST), style)
        _draw(value, row, lambda point: point.value, style, first=comparison.iterations**SWINGS)
    if comparison.exact_value is not None:
        value.axhline(comparison.exact_value, color="0.25", linestyle=(0, (6, 3)), linewidth=1.2, zorder=1)
        value.plot([], [], color="0.25", linestyle=(0, (6, 3)), linewidth=1.2, label=_exact(comparison.exact_value))
    label_axes(distance, "Exploitability of the average strategy", "exploitability (chips a game)")
    label_axes(value, "Value of the average strategy", "player 0's expected payoff (chips a game)")
    distance.set_yscale("log")
    figure.suptitle(comparison.heading, fontsize=13, fontweight="bold")
    handles, names = value.get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=_columns(names), frameon=False, handlelength=3)
    return figure


def _columns(names: Sequence[str]) -> int:
    """How many columns the legend has: all in one line, or as many as the longest name allows."""
    rooms = [INCHES_A_LINE + INCHES_A_LETTER * len(name) for name in names]
    return len(names) if sum(rooms) <= WIDTH else max(1, int(WIDTH / max(rooms)))


def styles() -> cycle[dict[str, Any]]:
    """Colours, lines and markers that differ together, so that lines can be told apart without colour, too."""
    longest = len(COLOURS) * len(LINES)  # the two lengths have no common factor: no pair comes twice before that
    return cycle(
        {"color": COLOURS[k % len(COLOURS)], "linestyle": LINES[k % len(LINES)], "marker": MARKERS[k % len(MARKERS)]}
        for k in range(longest)
    )


def _draw(axes: Axes, row: Row, height: Callable[[Checkpoint], float], style: dict[str, Any], first: float = 1) -> None:
    """One recipe's line from iteration ``first`` on, and the band over its seeds if there are several."""
    histories = [[point for point in solution.history if point.iteration >= first] for solution in row.solutions]
    iterations = [point.iteration for point in histories[0]]
    heights = np.array([[height(point) for point in history] for history in histories])
    axes.plot(iterations, heights.mean(axis=0), label=row.recipe.name, linewidth=1.7, markersize=4, **style)
    if len(heights) > 1:
        axes.fill_between(
            iterations, heights.min(axis=0), heights.max(axis=0), color=style["color"], alpha=0.18, linewidth=0
        )


def label_axes(axes: Axes, title: str, height: str) -> None:
    """Title, iterations on a logarithmic axis, and what is drawn against them."""
    from matplotlib.ticker import FuncFormatter

    axes.set_title(title, fontsize=11)
    axes.set_xlabel("iterations")
    axes.set_ylabel(height)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda iteration, _: f"{iteration:,.0f}" if iteration >= 1 else ""))
    axes.grid(True, which="major", color="0.88", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def _exact(value: float) -> str:
    return f"exact value {value + 0.0:.6g}".replace("-", "−")  # as on the axes
