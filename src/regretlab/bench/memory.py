"""The most memory that an implementation needs, in a process of its own.

``python -m regretlab.bench.memory PEER GAME`` gets the game ready, iterates, judges, and prints the peak in bytes.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from regretlab.bench.games import choose_games
from regretlab.bench.peers import load_peer
from regretlab.bench.results import Memory

ITERATIONS = 5
STATUS = Path("/proc/self/status")


def measure_memory(game: str, key: str, title: str) -> Memory:
    """Run the peer on the game in a new process."""
    command = [sys.executable, "-m", "regretlab.bench.memory", key, game]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    return Memory(game, title, int(done.stdout.splitlines()[-1]))


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
    """All that a user of this implementation would do, then the peak."""
    (game,) = choose_games([name])
    run = load_peer(key).start(game, "cfr+")
    run.iterate(ITERATIONS)
    for judge in run.judges().values():
        judge()
    print(peak())


if __name__ == "__main__":
    main(*sys.argv[1:])
