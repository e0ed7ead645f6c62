"""How far a run is, for people who call it from Python: in a notebook, or on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from html import escape
from typing import Any

from regretlab.documents.numbers import count, long_duration, loss
from regretlab.experiments import ComparisonStep
from regretlab.experiments.jobs import SuiteProgress
from regretlab.solving import Progress

SECONDS_BETWEEN = 0.2
"""How often it is drawn anew."""

Step = Progress | ComparisonStep | SuiteProgress
"""What callbacks of runs, comparisons and suites are told."""


def progress() -> Callable[[Step], None]:
    """A callback for ``solve``, ``compare`` and ``experiment`` that shows how far they are.

    In a notebook it is a bar below the cell, on a terminal a line on stderr; where neither is there, nothing is shown.

        solution = rl.solve("leduc", iterations=20_000, callback=rl.progress())
    """
    return ProgressBar(_notebook_line() or _terminal_line())


class ProgressBar:
    """Draws the steps of one run, a few times a second and at its end."""

    def __init__(self, draw: Callable[[float, str], None]) -> None:
        self._draw = draw
        self._drawn = -SECONDS_BETWEEN

    def __call__(self, step: Step) -> None:
        part, words = described(step)
        now = time.monotonic()
        if part >= 1 or now - self._drawn >= SECONDS_BETWEEN:
            self._drawn = now
            self._draw(part, words)


def described(step: Step) -> tuple[float, str]:
    """How much is done, from 0 to 1, and the same in words."""
    if isinstance(step, SuiteProgress):
        left = "" if step.seconds_left is None else f", about {long_duration(step.seconds_left)} left"
        return step.done / max(step.runs, 1), f"{step.done:,} of {count(step.runs, 'run')}{left}"
    if isinstance(step, ComparisonStep):
        part, words = described(step.progress)
        return (step.run - 1 + part) / step.runs, f"run {step.run} of {step.runs}, {step.recipe.name}: {words}"
    found = "" if step.latest is None else f", exploitability {loss(step.latest.exploitability)}"
    note = f", {step.note}" if step.note else ""
    return step.iteration / step.goal, f"{step.iteration:,} of {count(step.goal, 'iteration')}{found}{note}"


def _notebook_line() -> Callable[[float, str], None] | None:
    """Draws below the cell that runs, which every notebook can; None outside of one."""
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if not hasattr(shell, "kernel"):
        return None
    from IPython.display import HTML, display

    handle: Any = None

    def draw(part: float, words: str) -> None:
        nonlocal handle
        shown = HTML(f'<progress value="{part:.4f}"></progress> {escape(words)}')
        if handle is None:
            handle = display(shown, display_id=True)
        else:
            handle.update(shown)

    return draw


def _terminal_line() -> Callable[[float, str], None]:
    """Draws on the same line of stderr again and again, if that is a terminal."""
    written = 0

    def draw(part: float, words: str) -> None:
        nonlocal written
        if sys.stderr.isatty():
            line = f"{100 * part:3.0f} %  {words}"
            end = "\n" if part >= 1 else ""
            print(f"\r{line:{written}}", end=end, file=sys.stderr, flush=True)
            written = len(line)

    return draw
