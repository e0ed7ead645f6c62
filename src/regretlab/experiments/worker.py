"""A process that performs runs: a line of JSON in for some runs, a line of JSON out for each.

It is started as ``python -m regretlab.experiments.worker`` and stays warm: kernels are loaded and games compiled once.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any

from regretlab.errors import UserError
from regretlab.experiments.orders import Orders
from regretlab.experiments.perform import GAMES_KEPT, form_of, perform
from regretlab.experiments.provenance import now, provenance
from regretlab.experiments.spec import Run, digest, identity
from regretlab.solving.storage import fingerprint

OTHER_RUN = (
    "where it runs, another version of regretlab or another content of the game's or rule's file was found; "
    "the same command, once more, takes things as they are now"
)
"""What a run is refused with that would be kept under a hash which is not its own."""


def main() -> None:
    """Perform what arrives on standard input until it ends."""
    orders = Orders()
    orders.answer({"ready": os.getpid()})
    while True:
        for spec, expected in orders.next():
            orders.answer(answer(spec, expected))


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


if __name__ == "__main__":
    main()
