"""Deep CFR side by side: exploitability against seconds, ours beside OpenSpiel's and beside tables.

``python -m studies.deep_cfr measure FILE.json`` measures all of it, as many runs at a time as there are cores, one core
and one thread each. ``python -m studies.deep_cfr draw FILE.json FILE.png`` draws it. OpenSpiel has the settings of its
own example (``deep_cfr_pytorch.py``), we have our defaults. A point of a curve costs the processor time of all walks
and trainings before it and of one training of the average network, which both sides need only where they stop.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks import machine
from benchmarks.machine import ONE_THREAD
from regretlab.cli.main import new_app
from regretlab.cli.main import run as run_command
from regretlab.deep import check_installed
from regretlab.files import written_beside
from regretlab.machine import installed_versions, usable_cores
from regretlab.plots.figures import save, styles
from regretlab.solving import Solver

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

OPENSPIEL = "OpenSpiel's deep-cfr"
BESIDE = ("cfr", "external-sampling")
"""Tables, which have one seed and a hundredth of the time: they need no more."""

DEEP = ("deep-cfr", OPENSPIEL, "sd-cfr")
NAMES = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}
"""What OpenSpiel calls the games."""

NEEDS = {"pyspiel": "open_spiel", "tree": "dm-tree"}
"""The modules that OpenSpiel's implementation imports, and the packages that bring them."""

GROWTH = 1.7
"""A run is looked at when its time has grown by so much."""

EXAMPLE: dict[str, Any] = {
    "policy_network_layers": (64,),
    "advantage_network_layers": (64,),
    "num_traversals": 375,
    "reinitialize_advantage_networks": True,
    "learning_rate": 1e-3,
    "batch_size_advantage": 256,
    "batch_size_strategy": 256,
    "memory_capacity": 100_000,
    "policy_network_train_steps": 2_500,
    "advantage_network_train_steps": 375,
}
"""The settings of OpenSpiel's example for its PyTorch implementation."""


class Run(NamedTuple):
    """What is to be measured: a game, an algorithm, a seed, and for how long."""

    game: str
    algorithm: str
    seed: int
    seconds: float


class Point(NamedTuple):
    """How far a run had come."""

    seconds: float  # of processor time, if it had been the first look
    iteration: int
    exploitability: float


def timed(work: Callable[[], object]) -> float:
    """The seconds of processor time that something takes: what neighbours on the machine take does not count."""
    start = time.process_time()
    work()
    return time.process_time() - start


def ours(run: Run) -> Iterator[Point]:
    """By our own solver."""
    solver = Solver(run.game, run.algorithm, seed=run.seed)
    spent, look, count = 0.0, 0.0, 1
    while spent < run.seconds:
        took = timed(partial(solver.advance, count))
        spent += took
        left = math.ceil(count * (run.seconds - spent) / max(took, 1e-9))  # some clocks stand still for 15 ms
        if took < look * (GROWTH - 1) / 4:  # tables do thousands of iterations between two looks
            count *= 2
        count = max(1, min(count, left))
        if spent >= min(look, run.seconds):
            average = timed(lambda: solver.average)
            yield Point(spent + average, solver.iteration, solver.evaluate().exploitability)
            look = GROWTH * spent


def openspiel(run: Run) -> Iterator[Point]:
    """By OpenSpiel's, in chunks of iterations; each ends with a training of the average network, which goes on."""
    import pyspiel
    from open_spiel.python import policy
    from open_spiel.python.pytorch import deep_cfr

    game = pyspiel.load_game(NAMES[run.game])
    solver = deep_cfr.DeepCFRSolver(game, seed=run.seed, **EXAMPLE)
    learn_average, averages = solver._learn_strategy_network, [0.0]
    solver._learn_strategy_network = lambda: averages.append(timed(learn_average))
    spent, done, chunk = 0.0, 0, 1
    while spent < run.seconds:
        solver._num_iterations = chunk
        took = timed(solver.solve) - averages[-1]
        spent, done = spent + took, done + chunk
        average = policy.tabular_policy_from_callable(game, solver.action_probabilities)
        found = pyspiel.exploitability(game, policy.python_policy_to_pyspiel_policy(average))
        yield Point(spent + averages[-1], done, float(found))
        chunk = max(1, round(chunk / took * min((GROWTH - 1) * spent, run.seconds - spent)))


def curve(run: Run) -> list[Point]:
    """All points of one run."""
    measure: Callable[[Run], Iterator[Point]] = openspiel if run.algorithm == OPENSPIEL else ours
    return list(measure(run))


def plan(budgets: dict[str, tuple[float, int]], lacking: Sequence[str] = ()) -> list[Run]:
    """The runs for games with their seconds and seeds, without OpenSpiel's where it lacks something."""
    beside = [Run(game, name, 0, seconds / 100) for name in BESIDE for game, (seconds, _) in budgets.items()]
    deep = [
        Run(game, name, seed, seconds)
        for name in DEEP
        if not (lacking and name == OPENSPIEL)
        for game, (seconds, seeds) in budgets.items()
        for seed in range(seeds)
    ]
    return beside + deep


def measure(
    file: Path,
    /,
    *,
    kuhn_seconds: float = 120,
    kuhn_seeds: int = 5,
    leduc_seconds: float = 900,
    leduc_seeds: int = 3,
) -> None:
    """Measure everything and write it to FILE as JSON, which grows with each run that has ended."""
    check_installed("this benchmark")
    lacking = [package for module, package in NEEDS.items() if find_spec(module) is None]
    if lacking:
        print(f"left out: {OPENSPIEL}; not installed: {', '.join(lacking)}", file=sys.stderr)
    runs = plan({"leduc": (leduc_seconds, leduc_seeds), "kuhn": (kuhn_seconds, kuhn_seeds)}, lacking)
    cores = usable_cores()
    data: dict[str, Any] = {
        "machine": machine.describe(len(cores)),
        "versions": installed_versions(machine.PACKAGES),
        "curves": [],
    }
    os.environ.update(ONE_THREAD)
    with ProcessPoolExecutor(len(cores), mp_context=get_context("spawn")) as pool:
        for run, points in zip(runs, pool.map(curve, runs), strict=True):
            game, algorithm, seed, last = run.game, run.algorithm, run.seed, points[-1]
            print(
                f"{game} by {algorithm}, seed {seed}: {last.exploitability:.4f} after {last.seconds:.0f} s, "
                f"{last.iteration:,} iterations",
                file=sys.stderr,
            )
            found = {"game": game, "algorithm": algorithm, "seed": seed, "points": [list(point) for point in points]}
            data["curves"].append(found)
            with written_beside(file) as out:
                out.write(json.dumps(data, indent=1, allow_nan=False).encode())


WIDTH, HEIGHT = 11.0, 4.8
"""Of the figure, in inches."""


def side_by_side(data: dict[str, Any]) -> Figure:
    """A panel for each game: exploitability against seconds, a line for each seed."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    FigureCanvasAgg(figure)
    curves = data["curves"]
    games, algorithms = (list(dict.fromkeys(curve[key] for curve in curves)) for key in ("game", "algorithm"))
    look = dict(zip(sorted(algorithms), styles(), strict=False))
    panels = figure.subplots(1, len(games), squeeze=False).ravel()
    for axes, game in zip(panels, sorted(games), strict=True):
        _draw(axes, game, [curve for curve in curves if curve["game"] == game], look)
    named = dict(item for axes in panels for item in zip(*axes.get_legend_handles_labels()[::-1], strict=True))
    names = sorted(named)
    handles = [named[name] for name in names]
    figure.legend(handles, names, loc="outside lower center", ncols=len(names), frameon=False, handlelength=3)
    return figure


def _draw(axes: Axes, game: str, curves: list[dict[str, Any]], look: dict[str, dict[str, Any]]) -> None:
    """One game, with each algorithm in its look."""
    for curve in curves:
        seconds, _, exploitability = zip(*curve["points"], strict=True)
        style = {"linewidth": 1.2, "markersize": 3, "markevery": 4} | look[curve["algorithm"]]
        axes.plot(seconds, exploitability, label=curve["algorithm"], **style)
    axes.set_title(game, fontsize=11)
    axes.set_xlabel("seconds on one core")
    axes.set_ylabel("exploitability (chips a game)")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.grid(True, which="major", color="0.88", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def draw(file: Path, picture: Path, /) -> None:
    """Draw the measurements in FILE, a JSON file, into PICTURE, a .png, .svg or .pdf."""
    save(side_by_side(json.loads(file.read_text(encoding="utf-8"))), picture)


def main(arguments: Sequence[str]) -> int:
    """The two commands."""
    commands = new_app("python -m studies.deep_cfr", "", "Deep CFR side by side: measure it, then draw it.")
    commands.command(measure)
    commands.command(draw)
    return run_command(arguments, commands)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
