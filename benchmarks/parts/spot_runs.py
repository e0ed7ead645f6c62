"""Solving a spot to a part of the pot, looked at often; and the processes of their own in which that is measured.

``python -m benchmarks.parts.spot_runs WORK …`` is such a process. WORK is

- ``start SPOT``: seconds from the rules to the first iteration, when everything is imported;
- ``memory SPOT PRECISION``: the bytes that a run was promised to take, and by how many the peak has grown;
- ``solve SPOT PRECISION TARGET LONGEST CORE…``: a look a line, and at the end the same two numbers of bytes.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from benchmarks.machine import hold
from benchmarks.parts.processes import peak
from benchmarks.results import Look, Promise, Solved
from benchmarks.spots import SMALL_TURN, load_spot
from regretlab.endgames import Spot
from regretlab.forms import AnyForm
from regretlab.solving import Solver

RECIPE = "dcfr"
"""What spots are solved by unless something else is said."""

EVERY, SHARE = 10, 50
"""A run is looked at after so many iterations, and later, when there are many, after one in so many of them."""

FEW_ITERATIONS = 3
"""After so many a run has all the memory that it will ever have."""

FORGET_THE_PEAK = Path("/proc/self/clear_refs")
"""Where 5 is written, the peak of this process is from then on counted anew."""


def stride(iteration: int) -> int:
    """How many iterations there are until the next look.

    >>> stride(0), stride(490), stride(2_000)
    (10, 10, 40)
    """
    return max(EVERY, iteration // SHARE)


def reach(
    name: str,
    recipe: str,
    target: float,
    *,
    precision: str = "f64",
    cores: int = 1,
    longest: float = 60.0,
    form: AnyForm | None = None,
    tell: Callable[[Look], object] = lambda look: None,
) -> Solved:
    """Solve a spot until a best response gains no more than ``target`` of the pot, or for so many seconds.

    Only solving counts: what judging takes stands beside it. ``form`` is the spot compiled, if it is there already.
    """
    spot = load_spot(name)
    solver = Solver(spot if form is None else form, recipe, cores=cores, precision=precision)
    solver.evaluate()  # loads the judge
    before = solver.evaluation_seconds
    looks: list[Look] = []
    while not looks or (looks[-1].part > target and looks[-1].seconds < longest):
        solver.advance(stride(solver.iteration))
        found = solver.evaluate()
        looks.append(Look(solver.iteration, solver.seconds, found.exploitability / spot.pot))
        tell(looks[-1])
    judging = solver.evaluation_seconds - before
    return Solved(name, recipe, precision, target, tuple(looks), (solver.seconds,), judging)


def promised(spot: Spot, precision: str) -> int:
    """The bytes that a run of this precision takes at most on the cores of this process."""
    return replace(spot.block_size(), precision=precision).nbytes


def load_kernels(precision: str) -> int:
    """Solve a small spot, so that only what a run itself takes comes on top; gives the bytes there are now."""
    solver = Solver(load_spot(SMALL_TURN), RECIPE, precision=precision)
    solver.advance(FEW_ITERATIONS)
    solver.evaluate()
    with suppress(OSError):  # elsewhere the peak so far has to do
        FORGET_THE_PEAK.write_text("5")
    return peak()


def start(name: str) -> float:
    """Seconds from the description of a spot to the end of the first iteration."""
    begun = time.perf_counter()
    Solver(load_spot(name), RECIPE, cores=1).advance(1)
    return time.perf_counter() - begun


def memory(name: str, precision: str) -> Promise:
    """What a run was promised to take, and what it took."""
    before = load_kernels(precision)
    spot = load_spot(name)
    solver = Solver(spot, RECIPE, precision=precision)
    solver.advance(FEW_ITERATIONS)
    solver.evaluate()
    return Promise(name, precision, promised(spot, precision), peak() - before)


def solve(name: str, precision: str, target: str, longest: str, *cores: str) -> None:
    """Print each look, then the memory."""
    hold([int(core) for core in cores])
    before = load_kernels(precision)
    reach(
        name,
        RECIPE,
        float(target),
        precision=precision,
        cores=len(cores),
        longest=float(longest),
        tell=lambda look: print(json.dumps(look), flush=True),
    )
    print(json.dumps([promised(load_spot(name), precision), peak() - before]), flush=True)


def main(work: str, *arguments: str) -> None:
    """Do what is asked for, and print what was found."""
    if work == "start":
        print(start(*arguments))
    elif work == "memory":
        found = memory(*arguments)
        print(json.dumps([found.promised, found.grown]))
    else:
        solve(*arguments)


if __name__ == "__main__":
    main(*sys.argv[1:])
