"""Whole processes: how long they take from nothing to the last line, and the most memory that they need.

``python -m benchmarks.parts.processes PEER GAME`` is the process whose memory is measured: it gets the game ready,
iterates, judges, and prints the peak in bytes after both. It imports nothing that the peer does not need.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks import ROOT
from benchmarks.clock import Clock, Pace, Task, interleave
from benchmarks.games import choose_games
from benchmarks.peers import load_peer
from benchmarks.results import Measurement, Memory

COMMAND_LINE = "command line"
HELP, WARM, FIRST = "regretlab --help", "regretlab solve kuhn, warm caches", "regretlab solve kuhn, first run ever"
BARE, ONE_KERNEL = "python -c pass", "import Numba, call one cached kernel"

HEAVY = ("numpy", "numba", "scipy")
"""What ``--help`` must not load."""

_REGRETLAB = (sys.executable, "-m", "regretlab")
_LOADED = f"""
import contextlib, io, sys
from regretlab.cli import run
with contextlib.redirect_stdout(io.StringIO()):
    run(["--help"])
print(*sorted(set({HEAVY!r}) & sys.modules.keys()))
"""
_KERNEL = """
from numba import njit
@njit(cache=True)
def add(a, b):
    return a + b
add(1, 2)
"""


def measure_help(clock: Clock, pace: Pace) -> Measurement:
    """``regretlab --help`` beside an interpreter that does nothing."""
    return _in_turn(clock, pace, HELP, {HELP: [*_REGRETLAB, "--help"], BARE: [sys.executable, "-c", "pass"]})


def imports_of_help() -> list[str]:
    """Which heavy modules ``regretlab --help`` loads."""
    done = subprocess.run([sys.executable, "-c", _LOADED], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.split()


def measure_warm(clock: Clock, pace: Pace) -> Measurement:
    """``regretlab solve kuhn`` beside a script that loads Numba and one kernel; both have run before."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "one_kernel.py"
        script.write_text(_KERNEL)
        commands = {WARM: [*_REGRETLAB, "solve", "kuhn"], ONE_KERNEL: [sys.executable, str(script)]}
        return _in_turn(clock, pace, WARM, commands)


def measure_first(clock: Clock, pace: Pace) -> Measurement:
    """The first run ever: nothing is cached, everything is compiled."""

    def work(count: int) -> None:
        for _ in range(count):
            with tempfile.TemporaryDirectory() as folder:
                _run([*_REGRETLAB, "solve", "kuhn"], os.environ | {"NUMBA_CACHE_DIR": folder})

    return Measurement(COMMAND_LINE, FIRST, interleave(clock, [Task(FIRST, work, waits=True)], pace))


def _in_turn(clock: Clock, pace: Pace, quantity: str, commands: dict[str, list[str]]) -> Measurement:
    def task(name: str, command: Sequence[str]) -> Task:
        def work(count: int) -> None:
            for _ in range(count):
                _run(command)

        return Task(name, work, waits=True)

    tasks = [task(name, command) for name, command in commands.items()]
    return Measurement(COMMAND_LINE, quantity, interleave(clock, tasks, pace))


def _run(command: Sequence[str], environment: dict[str, str] | None = None) -> None:
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


ITERATIONS = 5
STATUS = Path("/proc/self/status")


def measure_memory(game: str, key: str, title: str) -> Memory:
    """Run the peer on the game in a new process."""
    command = [sys.executable, "-m", "benchmarks.parts.processes", key, game]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    solved, judged = map(int, done.stdout.split()[-2:])
    return Memory(game, title, solved, judged)


def can_measure() -> bool:
    """Whether the system tells the peak at all."""
    return STATUS.exists() or sys.platform == "darwin"


def peak() -> int:
    """The most bytes that this process has had in memory so far.

    On Linux ``ru_maxrss`` would not do: a new process inherits there what the one that started it had in memory.
    """
    if STATUS.exists():
        line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM:"))
        return 1024 * int(line.split()[1])
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main(key: str, name: str) -> None:
    """All that a user of this implementation would do; the peak when it has iterated, and when it has judged."""
    (game,) = choose_games([name])
    run = load_peer(key).start(game, "cfr+")
    run.iterate(ITERATIONS)
    print(peak())
    for judge in run.judges().values():
        judge()
    print(peak())


if __name__ == "__main__":
    main(*sys.argv[1:])
