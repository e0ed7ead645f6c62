"""One run, performed, and the process that performs runs: a line of JSON in for some runs, a line out for each.

It is started as ``python -m regretlab.experiments.worker``, so nothing that the package loads may import it. The
process stays warm: kernels are loaded and games compiled once.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from base64 import b64encode
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

from regretlab.errors import UserError
from regretlab.experiments.measures import (
    FINAL_VALUE,
    SECONDS,
    Look,
    Measurement,
    Walked,
    advance_to,
    find_measure,
    late_from,
    walked,
)
from regretlab.experiments.specs import (
    RunSpec,
    digest,
    fingerprint_of,
    form_of,
    identity,
    recipe_of,
    text_fingerprint,
)
from regretlab.experiments.spot_run import forget, perform_spot
from regretlab.machine import describe_machine, installed_versions
from regretlab.solving import Solver

PACKAGES = ("regretlab", "numpy", "numba", "llvmlite", "open_spiel")

OTHER_RUN = (
    "where it runs, another version of regretlab or another content of the game's or rule's file was found; "
    "the same command, once more, takes things as they are now"
)
"""What a run is refused with that would be kept under a hash which is not its own."""


class Measured(NamedTuple):
    """What a run has found, and how long it took from beginning to end."""

    measurements: tuple[Measurement, ...]
    seconds: float
    root: bytes | None = None  # of a spot: its first decision


def perform(run: RunSpec, file: Path | None = None) -> Measured:
    """Run it, on one core, and look at it after each checkpoint at which there is an average; of a spot, also keep as
    much of its strategy in a file as is wanted.

    >>> [measurement.measure for measurement in perform(RunSpec("kuhn", "cfr+", (10,))).measurements]
    ['seconds', 'exploitability', 'current_exploitability', 'value']
    """
    begin = time.perf_counter()
    if run.is_spot:
        measurements, root = perform_spot(run, file)
        return Measured(measurements, time.perf_counter() - begin, root)
    solver = Solver(form_of(run.game), recipe_of(run.recipe), seed=run.seed, cores=1)
    if run.start:
        solver.perturb(run.start)
    measures = {name: find_measure(name) for name in run.measures}
    # The last iterations before a checkpoint have a value of their own, which begins where they do.
    late = map(late_from, run.checkpoints) if FINAL_VALUE in run.measures else ()
    found: list[Measurement] = []
    walks: dict[int, Walked | None] = {}
    for stop in sorted({*run.checkpoints, *late}):
        advance_to(solver, stop)
        walks[stop] = walked(solver)
        if stop in run.checkpoints and stop >= solver.recipe.least_iterations:
            look = Look(solver.solution(), walks.get(late_from(stop)), walks[stop])
            amounts = {SECONDS: solver.seconds} | {name: measure(look) for name, measure in measures.items()}
            found += [Measurement(stop, name, amount) for name, amount in amounts.items()]
    return Measured(tuple(found), time.perf_counter() - begin)


@cache
def provenance() -> dict[str, str]:
    """Versions of all that takes part in computing, and the machine; no names of people or hosts."""
    here = describe_machine()
    machine = {
        "machine": f"{here['processor']}, {here['cores']} cores",
        "system": here["system"],
        "python": here["python"],
    }
    return machine | installed_versions(PACKAGES)


def now() -> str:
    """The moment in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def answer(spec: dict[str, Any], expected: str, file: str | None = None) -> dict[str, Any]:
    """What one run has found, or why it failed.

    ``expected`` is the hash under which it will be kept, ``file`` where its strategy is, if that is wanted.
    """
    try:
        run = RunSpec(**spec | {key: tuple(spec[key]) for key in ("checkpoints", "measures")})
        fingerprint = text_fingerprint(run.game) if run.is_spot else fingerprint_of(run.game)
        if digest(identity(run, fingerprint)) != expected:
            raise UserError(OTHER_RUN)
        measurements, seconds, root = perform(run, None if file is None else Path(file))
    except UserError as error:
        return {"error": str(error)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    found: dict[str, Any] = {"measurements": measurements, "seconds": seconds, "finished": now()}
    found |= {} if root is None else {"root": b64encode(root).decode()}
    return found | {"provenance": provenance()}


class JsonPipe:
    """Orders to this process, a line of JSON each on standard input; it answers on what was standard output."""

    def __init__(self) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; who started this one decides
        self._answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a user's game or a library prints is no answer
        self._orders: SimpleQueue[Any] = SimpleQueue()
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        """Take orders in; where the other end is gone, end at once, in the middle of the work if need be."""
        for line in sys.stdin:
            self._orders.put(json.loads(line))
        os._exit(0)

    def next(self) -> Any:
        """Wait for the next order."""
        return self._orders.get()

    def answer(self, said: dict[str, Any]) -> None:
        """Say something at once."""
        self._answers.write(json.dumps(said) + "\n")
        self._answers.flush()


def main() -> None:
    """Perform what arrives on standard input until it ends."""
    pipe = JsonPipe()
    pipe.answer({"ready": os.getpid()})
    while True:
        for order in pipe.next():
            pipe.answer(answer(*order))
        forget()  # who waits has the memory for others


if __name__ == "__main__":
    main()
