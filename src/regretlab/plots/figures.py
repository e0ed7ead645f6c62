"""Figures for print: a comparison, a study over many games, and how they are written to files."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regretlab.documents.blocks import Chart, Series
from regretlab.errors import UserError
from regretlab.experiments import Comparison
from regretlab.experiments.comparing.presentation import comparison_charts
from regretlab.files import written_beside

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Distinct to colour-blind eyes (Okabe, Ito, 2008); their yellow is left out, because it vanishes on white."""

LINES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

WIDTH, HEIGHT = 11.0, 8.4
"""Of the figure, in inches."""

INCHES_A_LINE, INCHES_A_LETTER = 0.8, 0.08
"""Room that an entry of the legend needs, for the line and for each letter of its name."""

MARKERS_A_LINE = 8
"""So many points of a line are marked, evenly over the axis, and others on each line: all would hide it."""

COLUMNS = 3
"""Panels beside each other where there is one for each game."""

PANEL_WIDTH, PANEL_HEIGHT = 3.4, 2.5
"""Of a panel, in inches."""

LONGEST_TITLE = 40

LEVEL: dict[str, Any] = {"color": "0.25", "linestyle": (0, (6, 3)), "linewidth": 1.2}
"""How a level to compare with is drawn."""


def convergence(comparison: Comparison) -> Figure:
    """A panel for each chart, with a line for each recipe.

    Sampled recipes show the mean over their seeds, and a band from the lowest to the highest.
    """
    figure = _new_figure(WIDTH, HEIGHT)
    drawn = comparison_charts(comparison)
    panels = figure.subplots(2, 2).ravel()
    for axes, chart in zip(panels, drawn, strict=False):
        axes.set_xscale(chart.x_scale)
        axes.set_yscale(chart.y_scale)
        for number, (series, style) in enumerate(zip(chart.series, styles(), strict=False)):
            _draw_line(axes, series, style | {"markevery": _marked(chart, number)})
        for target in chart.targets:
            axes.axhline(target.y, zorder=1, label=target.name, **LEVEL)
        label_axes(axes, chart.title, chart.y_label)
    for axes in panels[len(drawn) :]:
        axes.remove()
    figure.suptitle(comparison.heading, fontsize=13, fontweight="bold")
    handles, names = panels[1].get_legend_handles_labels()  # the value's: it has the exact one, too
    # All names in one line, or as many columns as the longest name allows.
    rooms = [INCHES_A_LINE + INCHES_A_LETTER * len(name) for name in names]
    columns = len(names) if sum(rooms) <= WIDTH else max(1, int(WIDTH / max(rooms)))
    figure.legend(handles, names, loc="outside lower center", ncols=columns, frameon=False, handlelength=3)
    return figure


def _new_figure(width: float, height: float) -> Figure:
    """An empty figure of so many inches, which needs no screen."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def styles() -> cycle[dict[str, Any]]:
    """Colours, lines and markers that differ together, so that lines can be told apart without colour, too."""
    longest = len(COLOURS) * len(LINES)  # the two lengths have no common factor: no pair comes twice before that
    return cycle(
        {"color": COLOURS[k % len(COLOURS)], "linestyle": LINES[k % len(LINES)], "marker": MARKERS[k % len(MARKERS)]}
        for k in range(longest)
    )


def _marked(chart: Chart, number: int) -> list[int]:
    """Which points of a line get a mark: at equal distances, shifted so that those of several lines stay apart."""
    across = [math.log(x) if chart.x_scale == "log" else x for x, _ in chart.series[number].points]
    if len(across) <= MARKERS_A_LINE:
        return list(range(len(across)))
    step = (across[-1] - across[0]) / MARKERS_A_LINE
    places = [across[0] + (k + number / len(chart.series)) * step for k in range(MARKERS_A_LINE)]
    return sorted({min(bisect_left(across, place), len(across) - 1) for place in places})


def _draw_line(
    axes: Axes, series: Series, style: dict[str, Any], width: float = 1.5, marker: float = 4.5, shade: float = 0.18
) -> None:
    """One recipe's line, and the band over its runs if there are several."""
    across, heights = [x for x, _ in series.points], [y for _, y in series.points]
    axes.plot(across, heights, label=series.name, linewidth=width, markersize=marker, **style)
    if series.band:
        across, lows, highs = ([part[k] for part in series.band] for k in range(3))
        axes.fill_between(across, lows, highs, color=style["color"], alpha=shade, linewidth=0)


def label_axes(axes: Axes, title: str, height: str) -> None:
    """Title, iterations written out, and what is drawn against them."""
    from matplotlib.ticker import FuncFormatter

    axes.set_title(title, fontsize=11)
    axes.set_xlabel("iterations")
    axes.set_ylabel(height)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda iteration, _: "" if 0 < iteration < 1 else f"{iteration:,.0f}"))
    axes.grid(True, which="major", color="0.88", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


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


def panels_by_game(charts: Sequence[Chart], same_heights: bool = False) -> Figure:
    """A small panel for each game, with the same recipes in all; with the same axis of heights, if asked for."""
    columns = min(len(charts), COLUMNS)
    rows = math.ceil(len(charts) / columns)
    height = PANEL_HEIGHT * (COLUMNS / columns) ** 0.5  # fewer panels are larger
    figure = _new_figure(COLUMNS * PANEL_WIDTH, rows * height + 0.8)
    panels = figure.subplots(rows, columns, squeeze=False, sharey=same_heights).ravel()
    for axes, chart in zip(panels, charts, strict=False):
        for number, (series, style) in enumerate(zip(chart.series, styles(), strict=False)):
            marked = {"markevery": _marked(chart, number)}
            _draw_line(axes, series, style | marked, width=1.6, marker=4, shade=0.12)
        axes.set_xscale(chart.x_scale)
        axes.set_yscale(chart.y_scale)
        title = chart.title if len(chart.title) <= LONGEST_TITLE else f"{chart.title[: LONGEST_TITLE - 1]}…"
        label_axes(axes, title, chart.y_label)
        axes.title.set_fontsize(9)
    for axes in panels[len(charts) :]:
        axes.set_visible(False)
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=4, frameon=False, handlelength=3)
    return figure
