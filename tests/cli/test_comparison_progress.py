"""The race while it runs."""

import io
import re

import pytest
from rich.console import Console

from regretlab.cli import progress as module
from regretlab.cli.progress import ComparisonDisplay, Lane, drawn, sparkline
from regretlab.experiments import ComparisonStep
from regretlab.forms import CompileProgress
from regretlab.games import Size
from regretlab.solving import Checkpoint, Progress, recipe


def step(name: str, iteration: int, loss: float | None, seed: int = 0, goal: int = 1_000) -> ComparisonStep:
    latest = None if loss is None else Checkpoint(iteration, loss, 0.0)
    return ComparisonStep(recipe(name), seed, 0, 1, 2, Progress(iteration, goal, latest))


def text_of(*lanes: Lane) -> list[str]:
    console = Console(file=io.StringIO(), width=100, no_color=True)
    console.print(drawn(lanes))
    return [line.rstrip() for line in console.file.getvalue().splitlines()]  # type: ignore[attr-defined]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal in place of stderr; not a fixture, because pytest puts its own stderr back before the test."""
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(module, "SECONDS_BETWEEN", 0.0)
    return screen


def test_every_recipe_has_a_lane_with_its_progress_exploitability_and_sparkline() -> None:
    first = Lane("cfr", runs=1, iteration=1_000, goal=1_000, points={1: 0.5, 10: 0.05, 1_000: 0.005})
    second = Lane("external-sampling", runs=3, iteration=10, goal=1_000, points={1: 0.5, 10: 0.25})
    done, going, waiting = text_of(first, second, Lane("cfr+"))
    assert re.match(r"cfr +━+ +1,000 +0\.00500 +█.*▁$", done)
    assert re.match(r"external-sampling .* 10, run 3 +0\.250 +█", going)
    assert waiting.startswith("cfr+")
    assert "█" not in waiting


def test_sparklines_share_a_scale_and_fall_with_the_exploitability() -> None:
    lane = Lane("cfr", goal=100, points={t: 1 / t for t in range(1, 101)})
    heights = [module.SPARKS.index(cell) for cell in sparkline(lane, -2, 0)]
    assert (heights[0], heights[-1], len(heights)) == (7, 0, module.SPARKLINE)
    assert heights == sorted(heights, reverse=True)
    assert set(sparkline(lane, -4, 0)) & set("▁▂") == set(), (
        "it is in the upper half of the scale that another lane sets"
    )


@pytest.mark.parametrize("points", [{1: 0.0}, {1: -1e-18}, {1: 0.5}, {}])
def test_any_exploitability_can_be_drawn(points: dict[int, float]) -> None:
    assert len(sparkline(Lane("cfr", goal=1, points=points), -16, -16)) == len(points)
    assert text_of(Lane("cfr", goal=1, iteration=1, points=points))


def test_steps_move_the_lanes(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    with ComparisonDisplay([recipe("cfr"), recipe("external-sampling")]) as watch:
        assert not watch.comparing(step("cfr", 500, 0.01))
        assert not watch.comparing(step("external-sampling", 7, 0.5, seed=0))
        assert not watch.comparing(step("external-sampling", 3, 0.75, seed=1))
    plain, sampled = watch.lanes.values()
    assert (plain.iteration, plain.points) == (500, {500: 0.01})
    assert (sampled.runs, sampled.iteration, sampled.points) == (2, 3, {3: 0.75})
    shown = screen.getvalue()
    assert "0.0100" in shown
    assert "run 2" in shown


@pytest.mark.parametrize("quiet", [True, False])
def test_it_is_silent_without_a_terminal_and_where_machines_read(quiet: bool, monkeypatch) -> None:
    screen = terminal(monkeypatch)
    monkeypatch.setattr(screen, "isatty", lambda: quiet)
    monkeypatch.setenv("FORCE_COLOR", "1")  # makes rich believe in a terminal
    with ComparisonDisplay([recipe("cfr")], quiet=quiet) as watch:
        watch.comparing(step("cfr", 500, 0.01))
    assert screen.getvalue() == ""


def test_what_was_drawn_is_wiped_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    with ComparisonDisplay([recipe("cfr")]) as watch:
        watch.comparing(step("cfr", 500, 0.01))
    assert "\x1b[2K" in screen.getvalue().rpartition("0.0100")[2], "the lines are erased"


def test_the_walk_over_a_game_is_shown_in_their_place(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    with ComparisonDisplay([recipe("cfr")]) as watch:
        watch.compiling(CompileProgress("kuhn", Size(2_000, 7), 1_000))
    assert "compiling kuhn: 1,000 histories" in screen.getvalue()
