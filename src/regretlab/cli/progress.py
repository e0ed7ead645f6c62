"""A long run in a terminal: how far it is, and Ctrl-C."""

from __future__ import annotations

import math
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, Self

from rich.console import Console
from rich.table import Table
from rich.text import Text

from regretlab.cli import screen
from regretlab.documents import numbers

if TYPE_CHECKING:
    from regretlab.experiments import ComparisonStep
    from regretlab.experiments.jobs import SuiteProgress
    from regretlab.forms import CompileProgress
    from regretlab.solving import Checkpoint, Progress, Recipe

INTERRUPTED = 130
"""The exit status of a command that Ctrl-C has ended, by the convention of shells."""

FAST = 10
"""From so many iterations per second on nobody misses the decimals."""

SPARKS = "▁▂▃▄▅▆▇█"
SPARKLINE, BAR = 24, 16
"""Cells of a sparkline and of a progress bar."""

SECONDS_BETWEEN = 0.1
"""How often the picture is drawn anew: more often than that nobody can read it, and drawing takes time, too."""

SMALLEST = 1e-16
"""Exploitabilities are drawn as at least this: below it there is nothing but rounding."""

RECENT = 3
"""How fast the exploitability falls is judged by what it was at a third of the iterations."""

SLOWEST = 0.25
"""It is taken to fall at least like 1 / t to this power; with less a forecast would say nothing."""

LONGEST = math.log(1e12)
"""Nobody can do more iterations than e to this power, so nobody is told that it takes more."""

BAR_OF_A_RUN = 24
"""Cells of the bar of a run; on a page that is not wide there is none."""


@dataclass(frozen=True)
class Aim:
    """The exploitability at which a run ends, the pot that it is a part of, where there is one, and the stacks behind;
    all in chips."""

    chips: float | None = None
    pot: int | None = None
    stack: int = 0

    def written(self, loss: float, wide: bool) -> str:
        """An exploitability as people follow it: of the pot where there is one."""
        if self.pot is None:
            return f"exploitability {numbers.loss(loss)}"
        return f"{'exploitability ' if wide else ''}{numbers.significant(100 * loss / self.pot, 3)} % of the pot"

    def iterations(self, points: Sequence[Checkpoint]) -> int | None:
        """About how many iterations it takes in all, if the exploitability goes on falling as it has; None where nobody
        can know."""
        if self.chips is None or not points:
            return None
        from regretlab.solving.checkpoints import checkpoints

        last = points[-1]
        before = next(point for point in points if RECENT * point.iteration >= last.iteration)
        if last.exploitability <= self.chips or before.exploitability <= last.exploitability or last is before:
            return None
        slope = math.log(before.exploitability / last.exploitability) / math.log(last.iteration / before.iteration)
        steps = math.log(last.iteration) + math.log(last.exploitability / self.chips) / max(slope, SLOWEST)
        if steps > LONGEST:
            return None
        return next(checkpoints(round(math.exp(steps)) - 1))  # it is only looked for there


@contextmanager
def counting(words: str) -> Iterator[Callable[[int, int], None]]:
    """A bar of how much is done of work that is counted, on stderr if that is a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Bars(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        task = bars.add_task(words, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)


class RunDisplay:
    """Shows how far a run is, on stderr if that is a terminal, and turns Ctrl-C into a request to stop.

    The first Ctrl-C lets the run end by itself, so that what was found is not lost; the second one aborts. Before
    there is anything to lose, while kernels are compiled, the first one aborts, too.
    """

    def __init__(self, aim: Aim | None = None) -> None:
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bars

        self.interrupted = False
        self.goal = 0
        self.aim = aim or Aim()
        self._points: list[Checkpoint] = []
        self._running = False
        self._aborted = False
        self._before: Any = None
        texts = ("{task.description}", "{task.fields[done]}", "{task.fields[rate]}", "{task.fields[latest]}")
        name, *others = (TextColumn(text, markup=False) for text in texts)
        # Without a terminal it stays silent, even where colours are forced.
        silent, console = not sys.stderr.isatty(), Console(stderr=True)
        self._wide = console.width >= screen.WIDE
        bar = [BarColumn(bar_width=BAR_OF_A_RUN)] if self._wide else []
        self._bar: Any = Bars(name, *bar, *others, console=console, transient=True, disable=silent)
        self._task = self._bar.add_task("getting ready", total=None, done="", rate="", latest="")

    def __enter__(self) -> Self:
        # A job started in the background of a script ignores the signal, and goes on doing so.
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            self._before = signal.signal(signal.SIGINT, self._interrupt)
        from regretlab.forms import watch_compiling

        self._watching = watch_compiling(self.compiling)
        self._watching.__enter__()
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._bar.stop()
        self._watching.__exit__(None, None, None)
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        if self._aborted:
            # Numba's compiler may have turned the exception into one of its own, or lost it.
            raise KeyboardInterrupt from error

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self._aborted = self.interrupted or not self._running
        self.interrupted = True
        if self._aborted:
            raise KeyboardInterrupt

    def compiling(self, progress: CompileProgress) -> None:
        """The callback for ``watch_compiling``: how large a game is, if it is large, and then how far the walk is."""
        from regretlab.games.size import LARGE

        if progress.walked:
            self._show_compiling(progress)
        elif progress.size.walked >= LARGE:
            screen.note(f"{progress.game}: {progress.size}{self._expected(progress.size)}")

    def _expected(self, size: object) -> str:
        """About how long a spot will take."""
        from regretlab.endgames import usual_iterations
        from regretlab.forms import BlockSize

        if self.aim.chips is None or self.aim.pot is None or not isinstance(size, BlockSize):
            return ""
        part = self.aim.chips / self.aim.pot
        seconds = usual_iterations(part, self.aim.stack / self.aim.pot) * size.seconds
        return f"; {100 * part:g} % of the pot in about {numbers.long_duration(seconds)}"

    def _show_compiling(self, progress: CompileProgress) -> None:
        speed = self._bar.tasks[0].speed
        # An update to no total would leave that of the game before.
        self._bar.tasks[0].total = None if progress.size.estimates else progress.size.walked
        self._bar.update(
            self._task,
            description="compiling",
            completed=progress.walked,
            done=f"{progress.walked:,} {progress.size.unit}",
            rate="" if speed is None else f"{speed:,.0f}/s",
        )

    def waiting(self, words: str) -> None:
        """Show what goes on where nobody knows how far it is."""
        self._bar.reset(self._task, total=None, description=words, done="", rate="", latest="")

    def solving(self, progress: Progress) -> bool:
        """The callback for ``solve``."""
        if not self._running:
            self._bar.reset(self._task)  # what was compiled per second says nothing about iterations
        # Kernels are compiled in the first iteration and the look at what it found.
        self._running = self._running or progress.iteration > 1
        self.goal = progress.goal
        if progress.latest is not None and progress.latest not in self._points[-1:]:
            self._points.append(progress.latest)
        speed, found = self._bar.tasks[0].speed, self.aim.iterations(self._points)
        total = progress.goal if found is None else min(max(found, progress.iteration), progress.goal)
        known = found is not None or self.aim.chips is None
        parts = [] if progress.latest is None else [self.aim.written(progress.latest.exploitability, self._wide)]
        parts += [progress.note] if progress.note else []
        if speed and known:
            parts.append(f"{numbers.long_duration((total - progress.iteration) / speed)} left")
        noun, about = " iterations" if self._wide else "", "about " if found == total else ""
        self._bar.update(
            self._task,
            description="solving",
            completed=progress.iteration,
            total=total if known else None,
            done=f"{progress.iteration:,}" + (f" of {about}{total:,}" if known else "") + noun,
            rate="" if speed is None else f"{speed:,.{0 if speed >= FAST else 1}f}/s",
            latest=", ".join(parts),
        )
        return self.interrupted

    def experimenting(self, progress: SuiteProgress) -> bool:
        """The callback for ``experiment``: runs done, how many per second, and how long the rest will take."""
        self._running = True
        rate, left = progress.rate, progress.seconds_left
        self._bar.update(
            self._task,
            description="running",
            completed=progress.done,
            total=progress.runs,
            done=f"{progress.done:,} of {numbers.count(progress.runs, 'run')}",
            rate="" if rate is None else f"{rate:,.1f}/s",
            latest="" if left is None else f"about {numbers.long_duration(left)} left",
        )
        return self.interrupted


@dataclass
class Lane:
    """One recipe on its way."""

    name: str
    runs: int = 0  # how many have begun, one for each seed or start
    iteration: int = 0
    goal: int = 1
    points: dict[int, float] = field(default_factory=dict)  # exploitability by iteration, of the run that is going on


class ComparisonDisplay(RunDisplay):
    """Shows all recipes side by side on stderr, if that is a terminal and the screen is wanted for people."""

    def __init__(self, recipes: Sequence[Recipe], quiet: bool = False) -> None:
        from rich.live import Live

        super().__init__()
        self.lanes = {recipe.name: Lane(recipe.name) for recipe in recipes}
        self._drawn = 0.0
        console = Console(stderr=True, quiet=quiet or not sys.stderr.isatty())
        self._bar = Live(Text("getting ready"), console=console, transient=True, auto_refresh=False)

    def _show_compiling(self, progress: CompileProgress) -> None:
        if time.monotonic() - self._drawn >= SECONDS_BETWEEN:
            self._drawn = time.monotonic()
            self._bar.update(Text(f"compiling {progress.game}: {progress.walked:,} {progress.size.unit}"), refresh=True)

    def comparing(self, step: ComparisonStep) -> bool:
        """The callback for ``compare``."""
        self._running = self._running or step.run > 1 or step.progress.iteration > 1
        lane = self.lanes[step.recipe.name]
        begun = max(step.seed, step.start) + 1
        if begun > lane.runs:
            lane.runs, lane.points = begun, {}
        lane.iteration, lane.goal = step.progress.iteration, step.progress.goal
        if step.progress.latest is not None:
            lane.points[step.progress.latest.iteration] = step.progress.latest.exploitability
        if time.monotonic() - self._drawn >= SECONDS_BETWEEN:
            self._drawn = time.monotonic()
            self._bar.update(drawn(list(self.lanes.values())), refresh=True)
        return self.interrupted


def drawn(lanes: Sequence[Lane]) -> Table:
    """All lanes as they are now; sparklines share one scale, so that they can be compared."""
    from rich.progress_bar import ProgressBar

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    seen = [math.log10(max(loss, SMALLEST)) for lane in lanes for loss in lane.points.values()]
    low, high = (min(seen), max(seen)) if seen else (0.0, 1.0)
    for lane in lanes:
        latest = lane.points[max(lane.points)] if lane.points else None
        table.add_row(
            Text(lane.name, style="bold"),
            ProgressBar(lane.goal, lane.iteration, width=BAR),
            Text(f"{lane.iteration:,}" + (f", run {lane.runs}" if lane.runs > 1 else ""), justify="right"),
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
        cell = int((SPARKLINE - 1) * math.log(iteration) / math.log(lane.goal)) if lane.goal > 1 else 0
        cells[cell] = math.log10(max(loss, SMALLEST))
    heights: list[float] = []
    for cell in range(max(cells) + 1):
        heights.append(cells.get(cell, heights[-1] if heights else high))
    span = high - low if high > low else math.inf
    return "".join(SPARKS[round((len(SPARKS) - 1) * (height - low) / span)] for height in heights)
