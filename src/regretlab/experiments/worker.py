"""A process that performs runs: a line of JSON in for some runs, a line of JSON out for each.

It is started as ``python -m regretlab.experiments.worker`` and stays warm: kernels are loaded and games compiled once.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from queue import SimpleQueue
from threading import Thread
from typing import Any, TextIO

from regretlab.errors import UserError
from regretlab.experiments.perform import perform
from regretlab.experiments.provenance import now, provenance
from regretlab.experiments.spec import Run


def main() -> None:
    """Perform what arrives on standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; who started this one decides
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a user's game prints is no answer
    batches: SimpleQueue[list[dict[str, Any]]] = SimpleQueue()
    Thread(target=_listen, args=(batches,), daemon=True).start()
    _say(answers, {"ready": os.getpid()})
    while True:
        for spec in batches.get():
            _say(answers, answer(spec))


def answer(spec: dict[str, Any]) -> dict[str, Any]:
    """What one run has found, or why it failed."""
    try:
        run = Run(**spec | {key: tuple(spec[key]) for key in ("checkpoints", "measures")})
        measurements, seconds = perform(run)
    except UserError as error:
        return {"error": str(error)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {"measurements": measurements, "seconds": seconds, "finished": now(), "provenance": provenance()}


def _listen(batches: SimpleQueue[list[dict[str, Any]]]) -> None:
    """Take batches in; where the other end is gone, end at once, in the middle of a run if need be."""
    for line in sys.stdin:
        batches.put(json.loads(line))
    os._exit(0)


def _say(answers: TextIO, said: dict[str, Any]) -> None:
    answers.write(json.dumps(said) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
