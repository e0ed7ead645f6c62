"""A bar for those who call runs from Python."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import regretlab as rl
from regretlab.experiments import ComparisonStep
from regretlab.experiments.jobs import SuiteProgress
from regretlab.solving import Checkpoint, Progress, recipe
from regretlab.watch.progress_bar import ProgressBar, described

HALF = Progress(500, 1_000, Checkpoint(500, 0.0125, -0.1))


def test_steps_are_told_in_words() -> None:
    assert described(HALF) == (0.5, "500 of 1,000 iterations, exploitability 0.0125")
    assert described(Progress(1, 4, None, "loss 0.1")) == (0.25, "1 of 4 iterations, loss 0.1")
    part, words = described(ComparisonStep(recipe("cfr+"), 0, 0, 2, 4, HALF))
    assert part == 0.375
    assert words == "run 2 of 4, cfr+: 500 of 1,000 iterations, exploitability 0.0125"
    assert described(SuiteProgress(3, 12, 1.0, 90.0)) == (0.25, "3 of 12 runs, about 90 s left")


def test_the_end_is_always_drawn_and_what_comes_too_soon_is_not() -> None:
    drawn: list[float] = []
    bar = ProgressBar(lambda part, words: drawn.append(part))
    for iteration in range(1, 1_001):
        bar(Progress(iteration, 1_000, None))
    assert drawn[0] == 0.001
    assert drawn[-1] == 1.0
    assert len(drawn) < 500


class Notebook:
    """What a cell shows, as IPython's display would have it."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def display(self, what: str, display_id: bool) -> Notebook:
        assert display_id
        assert not self.shown, "a second bar"
        self.shown.append(what)
        return self

    def update(self, what: str) -> None:
        self.shown.append(what)


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Notebook:
    """A Python that runs in a kernel."""
    found = Notebook()
    python: Any = ModuleType("IPython")
    python.get_ipython = lambda: SimpleNamespace(kernel=object())
    python.display = ModuleType("IPython.display")
    python.display.HTML, python.display.display = str, found.display
    monkeypatch.setitem(sys.modules, "IPython", python)
    monkeypatch.setitem(sys.modules, "IPython.display", python.display)
    return found


def test_in_a_notebook_one_bar_grows_to_its_end(notebook: Notebook) -> None:
    rl.solve("kuhn", "cfr+", iterations=2_000, callback=rl.progress())
    assert all(bar.startswith("<progress value=") for bar in notebook.shown)
    assert '"1.0000"' in notebook.shown[-1]
    assert "2,000 of 2,000 iterations" in notebook.shown[-1]


def test_in_a_notebook_a_comparison_has_one_bar_for_all_runs(notebook: Notebook) -> None:
    rl.compare("kuhn", ["cfr", "cfr+"], iterations=200, callback=rl.progress())
    assert "run 2 of 2, cfr+: 200 of 200 iterations" in notebook.shown[-1]


def test_a_run_that_is_good_enough_has_a_full_bar(notebook: Notebook) -> None:
    solution = rl.solve("kuhn", "cfr+", until=0.01, callback=rl.progress())
    assert '"1.0000"' in notebook.shown[-1]
    assert f"{solution.iterations} of {solution.iterations} iterations, exploitability 0.0" in notebook.shown[-1]


def test_a_terminal_has_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    rl.solve("kuhn", "cfr+", iterations=2_000, callback=rl.progress())
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1
    assert "100 %  2,000 of 2,000 iterations" in shown


def test_without_a_terminal_nothing_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    solution = rl.solve("kuhn", "cfr+", iterations=500, callback=rl.progress())
    assert capsys.readouterr() == ("", "")
    assert solution.iterations == 500
