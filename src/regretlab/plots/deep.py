"""Deep CFR beside tables and beside OpenSpiel's, from what ``regretlab.bench.deep`` has measured.

``python -m regretlab.plots.deep FILE.json FILE.png`` draws the picture.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regretlab.plots.convergence import styles
from regretlab.plots.save import save

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 11.0, 4.8
"""Of the figure, in inches."""


def side_by_side(data: dict[str, Any]) -> Figure:
    """A panel for each game: exploitability against seconds, a line for each seed."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    FigureCanvasAgg(figure)
    curves = data["curves"]
    games, algorithms = (list(dict.fromkeys(curve[key] for curve in curves)) for key in ("game", "algorithm"))
    look = dict(zip(sorted(algorithms), styles(), strict=False))
    panels = figure.subplots(1, len(games), squeeze=False).ravel()
    for axes, game in zip(panels, sorted(games), strict=True):
        _draw(axes, game, [curve for curve in curves if curve["game"] == game], look)
    named = dict(item for axes in panels for item in zip(*axes.get_legend_handles_labels()[::-1], strict=True))
    names = sorted(named)
    handles = [named[name] for name in names]
    figure.legend(handles, names, loc="outside lower center", ncols=len(names), frameon=False, handlelength=3)
    return figure


def _draw(axes: Axes, game: str, curves: list[dict[str, Any]], look: dict[str, dict[str, Any]]) -> None:
    """One game, with each algorithm in its look."""
    for curve in curves:
        seconds, _, exploitability = zip(*curve["points"], strict=True)
        style = {"linewidth": 1.2, "markersize": 3, "markevery": 4} | look[curve["algorithm"]]
        axes.plot(seconds, exploitability, label=curve["algorithm"], **style)
    axes.set_title(game, fontsize=11)
    axes.set_xlabel("seconds on one core")
    axes.set_ylabel("exploitability (chips a game)")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.grid(True, which="major", color="0.88", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def draw(file: Path, picture: Path, /) -> None:
    """Draw the measurements in FILE, a JSON file, into PICTURE, a .png, .svg or .pdf."""
    save(side_by_side(json.loads(file.read_text(encoding="utf-8"))), picture)


if __name__ == "__main__":
    import cyclopts

    cyclopts.run(draw)
