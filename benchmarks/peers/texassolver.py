"""TexasSolver, a program in C++ that solves Hold'em endgames, where ``console_solver`` is found on the PATH.

It reads commands from a file, a line each, and says every few iterations how much of the pot could still be gained.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.results import Look, Solved
from benchmarks.spots import load_spot
from regretlab.endgames import Range, Spot
from regretlab.endgames.betting import STREETS
from regretlab.endgames.cards import card_name
from regretlab.endgames.ranges import grid_class
from regretlab.endgames.sizes import BetSize
from regretlab.endgames.spot import PLAYERS

TITLE = "TexasSolver"
PROGRAM = "console_solver"
MOST_ITERATIONS = 10_000
ACCURACY = "{:.6g}"

_BEGIN = "START SOLVING"
_ITERATION = re.compile(r"Iter: (\d+)")
_FOUND = re.compile(r"Total exploitability (\S+) p")


def find_program() -> Path | None:
    """Where the program is, if it is installed; links are followed, because its tables are beside it."""
    found = shutil.which(PROGRAM)
    return None if found is None else Path(found).resolve()


def commands(spot: Spot, target: float, every: int) -> list[str]:
    """What the program is told: the spot, one thread, and to look after so many iterations."""
    board = ",".join(map(card_name, spot.board))
    return [
        f"set_pot {spot.pot}",
        f"set_effective_stack {spot.stack}",
        f"set_board {board}",
        *(f"set_range_{key} {_range(spot.ranges[player])}" for player, key in enumerate(PLAYERS)),
        *_menus(spot),
        "set_allin_threshold 1.0",
        "build_tree",
        "set_thread_num 1",
        f"set_accuracy {ACCURACY.format(100 * target)}",
        f"set_max_iteration {MOST_ITERATIONS}",
        f"set_print_interval {every}",
        "set_use_isomorphism 1",
        "start_solve",
    ]


def _range(hands: Range) -> str:
    """Each class of hands with its weight: the program knows no ``QQ+`` and no ``random``."""
    words = []
    for row, weights in enumerate(hands.grid()):
        for column, weight in enumerate(weights):
            if weight:
                words.append(f"{grid_class(row, column)}{'' if weight == 1 else f':{float(weight):.6g}'}")
    return ",".join(words)


def _menus(spot: Spot) -> Iterable[str]:
    """The sizes of each player on each street."""
    for player, key in enumerate(PLAYERS):
        for street in range(len(spot.board) - 3, len(STREETS)):
            menu = spot.menus[player][street]
            kinds = {"bet": menu.bets, "raise": menu.raises}
            if player == 0 and menu.donk is not None:
                kinds["donk"] = menu.donk
            for kind, sizes in kinds.items():
                percents = _percents(sizes)
                if percents:
                    yield f"set_bet_sizes {key},{STREETS[street]},{kind},{','.join(percents)}"
            if any(size.unit == "all-in" for sizes in kinds.values() for size in sizes):
                yield f"set_bet_sizes {key},{STREETS[street]},allin"


def _percents(sizes: Sequence[BetSize]) -> list[str]:
    return [f"{float(100 * size.amount):.6g}" for size in sizes if size.unit == "pot"]


def solve(program: Path, name: str, target: float, every: int, longest: float) -> Solved:
    """Let the program solve a spot. Its time counts from when it begins to solve, its own looks included."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "commands.txt"
        told.write_text("\n".join(commands(load_spot(name), target, every)) + "\n")
        process = subprocess.Popen(
            [str(program), "--input_file", str(told)],
            cwd=program.parent,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdout is not None
        try:
            looks = _read(process.stdout, target, longest)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
    return Solved(name, TITLE, "f32", target, tuple(looks), (looks[-1].seconds if looks else 0.0,))


def _read(lines: Iterable[str], target: float, longest: float) -> list[Look]:
    """The looks that the program tells of, up to the first that is good enough, or too late."""
    begun, iteration = time.perf_counter(), 0
    looks: list[Look] = []
    for line in lines:
        if _BEGIN in line:
            begun = time.perf_counter()
        if match := _ITERATION.search(line):
            iteration = int(match[1])
        if match := _FOUND.search(line):
            looks.append(Look(iteration, time.perf_counter() - begun, float(match[1]) / 100))
            if looks[-1].part <= target or looks[-1].seconds > longest:
                break
    return looks
