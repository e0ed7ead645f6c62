"""Kill -9: a long run is saved on the way, never by halves, and goes on from there as if nothing had happened."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from regretlab.solving import Solution, solve, storage
from regretlab.solving.storage import SECONDS_BETWEEN_SAVES, keeping

DEEP = "traversals=20, width=8, layers=1, training=10"
ENDLESS = "1000000000"
PATIENCE = 300  # seconds before a run that does not come on is given up; no test is about time
IN_A_WRITE = None

# The command, saving whenever it can. Once so many files are written, the process dies in the middle of the next one:
# when all of it is there, but has not taken the place of the old one.
COMMAND = """
import os, signal, sys
from pathlib import Path
from typing import Any
from regretlab.solving import storage
storage.SECONDS_BETWEEN_SAVES, storage.MOST_TIME_SAVING = 0.0, float("inf")
replace, left = Path.replace, [{whole}]
def replace_or_die(self, target):
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    left[0] -= 1
    return replace(self, target)
Path.replace = replace_or_die
from regretlab.cli import main
main()
"""

Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def start() -> Iterator[Start]:
    """A way to start ``regretlab solve`` in a process of its own; it dies by itself after so many whole files."""
    started: list[subprocess.Popen[bytes]] = []

    def command(*arguments: str, whole: int = -1) -> subprocess.Popen[bytes]:
        script = COMMAND.format(whole=whole)
        options = (*arguments, "--iterations", ENDLESS)
        words = [sys.executable, "-W", "error", "-c", script, "solve", *options]
        started.append(subprocess.Popen(words, stdout=subprocess.DEVNULL))
        return started[-1]

    yield command
    for process in started:
        process.kill()
        process.wait()


def wait_for(process: subprocess.Popen[bytes], file: Path, iterations: int) -> None:
    """Wait until the file tells of so many iterations. Whenever it is read, it is whole."""
    end = time.monotonic() + PATIENCE
    while not file.exists() or Solution.load(file).iterations < iterations:
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.01)


def numbers(solution: Solution) -> dict[str, object]:
    """All that a run has found, to the last bit; networks and memories, too."""
    tables = {name: getattr(solution, name).arrays for name in ("strategy", "current", "regrets", "totals")}
    arrays = {f"{name}{player}": array for name, both in tables.items() for player, array in enumerate(both)}
    arrays |= {f"memory{player}": array for player, array in enumerate(solution.memory)} | solution.learned
    figures = (solution.history, solution.exploitability, solution.current_exploitability, solution.value)
    return {name: (array.dtype, array.shape, array.tobytes()) for name, array in arrays.items()} | {"figures": figures}


@pytest.mark.parametrize(
    ("game", "recipe", "name", "moments"),
    [
        ("kuhn", f"deep-cfr({DEEP})", "run.safetensors", (0.02,)),
        ("kuhn", f"sd-cfr({DEEP})", "run.npz", (IN_A_WRITE,)),
        ("kuhn", "external-sampling", "run.npz", (0.05, IN_A_WRITE)),
        ("holdem:turn-3bet", "dcfr", "run.npz", (0.05, IN_A_WRITE)),
        ("holdem:turn-3bet", "cfr+(feedback=chance)", "run.npz", (0.05,)),
    ],
    ids=["deep-cfr", "sd-cfr", "external-sampling", "spot", "spot, cards drawn"],
)
def test_a_killed_run_goes_on_as_if_nothing_had_happened(
    game: str, recipe: str, name: str, moments: tuple[float | None, ...], start: Start, tmp_path: Path
) -> None:
    """Killed some seconds after it was last seen to be saved, or in the middle of a write."""
    if "deep" in recipe or "sd" in recipe:
        pytest.importorskip("torch")
    kept: dict[str, Any] = {"seed": 3} if game == "kuhn" else {"seed": 3, "precision": "16bit"}
    options = [f"--{key}={value}" for key, value in kept.items()]
    file, done = tmp_path / name, 0
    for moment in moments:
        beginning = ("--resume", str(file)) if done else ("--with", recipe, *options)
        process = start(game, *beginning, "--save", str(file), whole=3 if moment is IN_A_WRITE else -1)
        if moment is not IN_A_WRITE:
            wait_for(process, file, done + 3)
            time.sleep(moment)
            process.kill()
        assert process.wait(PATIENCE) == -signal.SIGKILL
        before, done = done, Solution.load(file).iterations
        assert before < done
    resumed = solve(game, recipe, iterations=done + 5, resume=file)
    assert numbers(resumed) == numbers(solve(game, recipe, iterations=done + 5, **kept))


class Clock:
    """A clock that stands still while nothing takes time."""

    now = 1_000.0

    def monotonic(self) -> float:
        return self.now


def test_a_run_is_saved_every_minute_and_less_often_where_that_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, saved = Clock(), []
    monkeypatch.setattr(storage, "time", clock)
    takes = 1.0

    class Kept:
        def save(self, path: str) -> None:
            saved.append((path, clock.now))
            clock.now += takes

    told = keeping("run.npz", Kept, lambda progress: progress == "stop")  # type: ignore[arg-type, return-value]
    assert not told("on")
    assert saved == []
    clock.now += SECONDS_BETWEEN_SAVES
    assert told("stop"), "the callback is asked in any case"
    assert saved == [("run.npz", 1_060.0)]
    takes = 30.0
    for moment in (1_061 + 60, 1_151 + 599, 1_151 + 600):
        clock.now = moment
        assert not told("on")
    assert [when for _, when in saved] == [1_060, 1_121, 1_751], "30 of 600 seconds are the share it may take"


def test_a_short_run_is_saved_at_the_end(tmp_path: Path) -> None:
    solution = solve("kuhn", "cfr", iterations=20, save=tmp_path / "run.npz")
    assert numbers(Solution.load(tmp_path / "run.npz")) == numbers(solution)
    good = solve("kuhn", "cfr", until=1, resume=solution, save=tmp_path / "good.npz")
    assert good.stopped == Solution.load(tmp_path / "good.npz").stopped == "until"
