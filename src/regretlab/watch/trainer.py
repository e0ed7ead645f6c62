"""A process that trains networks for whoever watches: orders come as lines of JSON, and each is answered by one.

It is started as ``python -m regretlab.watch.trainer`` and ends when there is nobody any more who could ask.
"""

from __future__ import annotations

import os
import traceback
from dataclasses import astuple
from itertools import count
from typing import Any

from regretlab.errors import UserError
from regretlab.experiments.worker import JsonPipe
from regretlab.solving import Solver
from regretlab.solving import recipe as read_recipe
from regretlab.watch.watched_game import watched_game
from regretlab.watch.watched_run import NetworkRun

ORDERS_AT_FIRST = 2
"""A run is opened, and its first frame asked for; then people look at it for a moment."""

NICER = 5
"""By how much everybody else comes first: whoever watches tables needs little time, but soon."""


def main() -> None:
    """Answer what arrives on standard input until it ends."""
    if hasattr(os, "nice"):
        os.nice(NICER)
    orders, runs = JsonPipe(), dict[int, NetworkRun]()
    for number in count(1):
        orders.answer(answer(runs, orders.next()))
        if number == ORDERS_AT_FIRST:
            # With the first training PyTorch loads its optimisers, which takes a second.
            Solver("kuhn", "deep-cfr(traversals=1, width=1, layers=1, training=1)").advance(1)


def answer(runs: dict[int, NetworkRun], order: dict[str, Any]) -> dict[str, Any]:
    """What comes of one order: ``do`` says what, ``run`` with which run."""
    try:
        return _done(runs, **order)
    except UserError as error:
        return {"error": str(error)}
    except Exception as error:
        traceback.print_exception(error)
        return {"fault": f"{type(error).__name__} where networks are trained"}


def _done(runs: dict[int, NetworkRun], do: str, run: int, **details: Any) -> dict[str, Any]:
    if do == "open":
        game = watched_game(details["ante"], details["bet"])
        runs[run] = NetworkRun(game, read_recipe(details["recipe"]), details["seed"])
        return {}
    if do == "close":
        runs.pop(run, None)
        return {}
    if do not in ("frame", "explain"):
        raise KeyError(do)
    if run not in runs:
        return {"lost": True}
    if do == "explain":
        return runs[run].explained(details["label"])
    frame = runs[run].frame(details["target"], details["seconds"], details["goal"], details["speed"])
    points = [astuple(point) for point in runs[run].points]
    return {"iteration": frame.iteration, "body": frame.body.decode(), "shown": frame.points, "points": points}


if __name__ == "__main__":
    main()
