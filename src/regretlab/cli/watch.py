"""A long run in a terminal: its progress bar, and Ctrl-C."""

from __future__ import annotations

import signal
import sys
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, Self

from regretlab.documents import numbers

if TYPE_CHECKING:
    from regretlab.experiments.jobs import SuiteProgress
    from regretlab.solving import Progress


INTERRUPTED = 130
"""The exit status of a command that Ctrl-C has ended, by the convention of shells."""

FAST = 10
"""From so many iterations a second nobody misses the decimals."""


class Watch:
    """Shows how far a run is, on stderr if that is a terminal, and turns Ctrl-C into a request to stop.

    The first Ctrl-C lets the run end by itself, so that what was found is not lost; the second one aborts. Before
    there is anything to lose, while kernels are compiled, the first one aborts, too.
    """

    def __init__(self) -> None:
        self.interrupted = False
        self.goal = 0
        self._running = False
        self._aborted = False
        self._before: Any = None
        self._bar: Any = _bar()
        self._task = self._bar.add_task("getting ready", total=None, done="", rate="", latest="")

    def __enter__(self) -> Self:
        # A job started in the background of a script ignores the signal, and goes on doing so.
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            self._before = signal.signal(signal.SIGINT, self._interrupt)
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._bar.stop()
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

    def solving(self, progress: Progress) -> bool:
        """The callback for ``solve``."""
        return self._show("solving", progress, progress.iteration, progress.goal)

    def experimenting(self, progress: SuiteProgress) -> bool:
        """The callback for ``experiment``: runs done, how many a second, and how long it will take."""
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

    def _show(self, name: str, progress: Progress, done: int, total: int) -> bool:
        # Kernels are compiled in the first iteration and the look at what it found.
        self._running = self._running or progress.iteration > 1
        self.goal = progress.goal
        speed = self._bar.tasks[0].speed
        self._bar.update(
            self._task,
            description=name,
            completed=done,
            total=total,
            done=f"{done:,} of {numbers.count(total, 'iteration')}",
            rate="" if speed is None else f"{speed:,.{0 if speed >= FAST else 1}f}/s",
            latest=", ".join(part for part in (_exploitability(progress), progress.note) if part),
        )
        return self.interrupted


def _exploitability(progress: Progress) -> str:
    latest = progress.latest
    return "" if latest is None else f"exploitability {numbers.loss(latest.exploitability)}"


def _bar() -> Any:
    """The bar; without a terminal it stays silent, even where colours are forced."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[done]}", markup=False),
        TextColumn("{task.fields[rate]}", markup=False),
        TextColumn("{task.fields[latest]}", markup=False),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
