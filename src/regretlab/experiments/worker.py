"""A process that performs runs: a line of JSON in for some runs, a line of JSON out for each.

It is started as ``python -m regretlab.experiments.worker`` and stays warm: kernels are loaded and games compiled once.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from functools import lru_cache
from queue import SimpleQueue
from threading import Thread
from typing import Any, TextIO

from regretlab.errors import UserError
from regretlab.experiments.perform import GAMES_KEPT, form_of, perform
from regretlab.experiments.provenance import now, provenance
from regretlab.experiments.spec import Run, digest, identity
from regretlab.solve.storage import fingerprint

OTHER_RUN = (
    "where it runs, another version of regretlab or another content of the game's or rule's file was found; "
    "the same command, once more, takes things as they are now"
)
"""What a run is refused with that would be kept under a hash which is not its own."""


def main() -> None:
    """Perform what arrives on standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; who started this one decides
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a user's game prints is no answer
    batches: SimpleQueue[list[tuple[dict[str, Any], str]]] = SimpleQueue()
    Thread(target=_listen, args=(batches,), daemon=True).start()
    _say(answers, {"ready": os.getpid()})
    while True:
        for spec, expected in batches.get():
            _say(answers, answer(spec, expected))


def answer(spec: dict[str, Any], expected: str) -> dict[str, Any]:
    """What one run has found, or why it failed; ``expected`` is the hash under which it will be kept."""
    try:
        run = Run(**spec | {key: tuple(spec[key]) for key in ("checkpoints", "measures")})
        if digest(identity(run, _fingerprint(run.game))) != expected:
            raise UserError(OTHER_RUN)
        measurements, seconds = perform(run)
    except UserError as error:
        return {"error": str(error)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {"measurements": measurements, "seconds": seconds, "finished": now(), "provenance": provenance()}


@lru_cache(GAMES_KEPT)
def _fingerprint(game: str) -> str:
    return fingerprint(form_of(game))


def _listen(batches: SimpleQueue[list[tuple[dict[str, Any], str]]]) -> None:
    """Take batches in; where the other end is gone, end at once, in the middle of a run if need be."""
    for line in sys.stdin:
        batches.put(json.loads(line))
    os._exit(0)


def _say(answers: TextIO, said: dict[str, Any]) -> None:
    answers.write(json.dumps(said) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
