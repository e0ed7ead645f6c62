"""Deep CFR side by side: exploitability against seconds, ours beside OpenSpiel's and beside tables.

``python -m regretlab.bench.deep FILE.json`` measures all of it, as many runs at a time as there are cores, one core and
one thread each. ``python -m regretlab.plots.deep FILE.json FILE.png`` draws it. OpenSpiel has the settings of its own
example (``deep_cfr_pytorch.py``), we have our defaults. A point of a curve costs the processor time of all walks and
trainings before it and of one training of the average network, which both sides need only where they stop.
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
from typing import Any, NamedTuple

import cyclopts

from regretlab.bench import machine
from regretlab.bench.one_core import ONE_THREAD, available_cores
from regretlab.deep.install import check_installed
from regretlab.errors import UserError
from regretlab.files import written_beside
from regretlab.solving import Solver

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
    cores = available_cores()
    data: dict[str, Any] = {"machine": machine.describe(len(cores)), "versions": machine.versions(), "curves": []}
    os.environ.update(ONE_THREAD)
    with ProcessPoolExecutor(len(cores), mp_context=get_context("spawn")) as pool:
        for run, points in zip(runs, pool.map(curve, runs), strict=True):
            data["curves"].append(_told(run, points))
            with written_beside(file) as out:
                out.write(json.dumps(data, indent=1, allow_nan=False).encode())


def _told(run: Run, points: Sequence[Point]) -> dict[str, Any]:
    """One curve as plain values, after saying on stderr where it ended."""
    last = points[-1]
    print(
        f"{run.game} by {run.algorithm}, seed {run.seed}: {last.exploitability:.4f} after {last.seconds:.0f} s, "
        f"{last.iteration:,} iterations",
        file=sys.stderr,
    )
    return {"game": run.game, "algorithm": run.algorithm, "seed": run.seed, "points": [list(point) for point in points]}


def main() -> None:
    """The command; what is missing is said in one line."""
    try:
        cyclopts.run(measure)
    except UserError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
