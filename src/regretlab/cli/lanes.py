"""A comparison while it runs: a lane for each recipe, with its progress, its exploitability and how that fell."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from regretlab.cli.watch import Watch
from regretlab.documents import numbers

if TYPE_CHECKING:
    from regretlab.experiments import ComparisonStep
    from regretlab.solving import Recipe

SPARKS = "▁▂▃▄▅▆▇█"
SPARKLINE, BAR = 24, 16
"""Cells of a sparkline and of a progress bar."""

SECONDS_BETWEEN = 0.1
"""How often the picture is drawn anew: more often than that nobody can read it, and drawing takes time, too."""

SMALLEST = 1e-16
"""Exploitabilities are drawn as at least this: below it there is nothing but rounding."""


@dataclass
class Lane:
    """One recipe on its way."""

    name: str
    runs: int = 0  # how many seeds have begun
    iteration: int = 0
    goal: int = 1
    points: dict[int, float] = field(default_factory=dict)  # exploitability by iteration, of the seed that is running


class Lanes(Watch):
    """Shows all recipes side by side on stderr, if that is a terminal and the screen is wanted for people."""

    def __init__(self, recipes: Sequence[Recipe], quiet: bool = False) -> None:
        super().__init__()
        self.lanes = {recipe.name: Lane(recipe.name) for recipe in recipes}
        self._drawn = 0.0
        console = Console(stderr=True, quiet=quiet or not sys.stderr.isatty())
        self._bar = Live(Text("getting ready"), console=console, transient=True, auto_refresh=False)

    def comparing(self, step: ComparisonStep) -> bool:
        """The callback for ``compare``."""
        self._running = self._running or step.run > 1 or step.progress.iteration > 1
        lane = self.lanes[step.recipe.name]
        if step.seed + 1 > lane.runs:
            lane.runs, lane.points = step.seed + 1, {}
        lane.iteration, lane.goal = step.progress.iteration, step.progress.goal
        if step.progress.latest is not None:
            lane.points[step.progress.latest.iteration] = step.progress.latest.exploitability
        if time.monotonic() - self._drawn >= SECONDS_BETWEEN:
            self._drawn = time.monotonic()
            self._bar.update(drawn(list(self.lanes.values())), refresh=True)
        return self.interrupted


def drawn(lanes: Sequence[Lane]) -> Table:
    """All lanes as they are now; sparklines share one scale, so that they can be compared."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    seen = [math.log10(max(loss, SMALLEST)) for lane in lanes for loss in lane.points.values()]
    low, high = (min(seen), max(seen)) if seen else (0.0, 1.0)
    for lane in lanes:
        latest = lane.points[max(lane.points)] if lane.points else None
        table.add_row(
            Text(lane.name, style="bold"),
            ProgressBar(lane.goal, lane.iteration, width=BAR),
            Text(f"{lane.iteration:,}" + (f", seed {lane.runs - 1}" if lane.runs > 1 else ""), justify="right"),
            Text("" if latest is None else numbers.loss(latest), justify="right"),
            Text(sparkline(lane, low, high), style="cyan"),
        )
    return table


def sparkline(lane: Lane, low: float, high: float) -> str:
    """How the exploitability fell, on logarithmic axes: a cell for each equal step of log iterations.

    >>> sparkline(Lane("cfr", goal=1_000, points={1: 1.0, 10: 0.1, 100: 0.01}), -2, 0)
    '███████▅▅▅▅▅▅▅▅▁'
    """
    if not lane.points:
        return ""
    cells: dict[int, float] = {}
    for iteration, loss in lane.points.items():
        cells[_cell(iteration, lane.goal)] = math.log10(max(loss, SMALLEST))
    heights: list[float] = []
    for cell in range(max(cells) + 1):
        heights.append(cells.get(cell, heights[-1] if heights else high))
    return "".join(SPARKS[_level(height, low, high)] for height in heights)


def _cell(iteration: int, goal: int) -> int:
    return int((SPARKLINE - 1) * math.log(iteration) / math.log(goal)) if goal > 1 else 0


def _level(height: float, low: float, high: float) -> int:
    return round((len(SPARKS) - 1) * (height - low) / (high - low)) if high > low else 0
