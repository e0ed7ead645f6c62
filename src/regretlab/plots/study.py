"""A study in one picture: a panel for each game, a line for each recipe."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from regretlab.experiments.findings.ranking import SMALLEST, geometric_mean
from regretlab.experiments.rows import Row
from regretlab.plots.convergence import label_axes, styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = 3
WIDTH, HEIGHT = 3.4, 2.5
"""Of a panel, in inches."""

LONGEST_TITLE = 40


def study(rows: Sequence[Row], recipes: Sequence[str]) -> Figure:
    """The geometric mean of the exploitability over all starts, and a band from the best start to the worst."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    games = list(dict.fromkeys(row["game"] for row in rows))
    count = math.ceil(len(games) / COLUMNS)
    figure = Figure(figsize=(COLUMNS * WIDTH, count * HEIGHT + 0.8), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(count, COLUMNS, squeeze=False).ravel()
    for axes, game in zip(panels, games, strict=False):
        for recipe, style in zip(recipes, styles(), strict=False):
            _draw(axes, [row for row in rows if (row["game"], row["recipe"]) == (game, recipe)], recipe, style)
        axes.set_xscale("log")
        axes.set_yscale("log")
        label_axes(axes, _short(game), "exploitability")
        axes.title.set_fontsize(9)
    for axes in panels[len(games) :]:
        axes.set_visible(False)
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=4, frameon=False, handlelength=3)
    return figure


def _draw(axes: Axes, rows: Sequence[Row], recipe: str, style: dict[str, Any]) -> None:
    found: dict[int, list[float]] = {}
    for row in rows:
        found.setdefault(row["iteration"], []).append(max(row["exploitability"], SMALLEST))
    iterations = sorted(found)
    means = [geometric_mean(found[t]) for t in iterations]
    axes.plot(iterations, means, label=recipe, linewidth=1.6, markersize=4, **style)
    lows, highs = ([pick(found[t]) for t in iterations] for pick in (min, max))
    axes.fill_between(iterations, lows, highs, color=style["color"], alpha=0.12, linewidth=0)


def _short(game: str) -> str:
    return game if len(game) <= LONGEST_TITLE else f"{game[: LONGEST_TITLE - 1]}…"
