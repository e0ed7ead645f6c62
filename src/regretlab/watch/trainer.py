"""A process that trains networks for whoever watches: orders come as lines of JSON, and each is answered by one.

``training`` starts it as ``python -m regretlab.watch.trainer``. It ends when there is nobody any more who could ask.
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
"""After so many orders there is time to prepare: a run is open, and people look at its first frame for a moment."""

NICER = 5
"""How much this process steps back behind others: runs with tables need little time, but soon."""


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
    """What comes of one order: ``do`` says what to do, ``run`` names the run; a fault is told, and ends nothing."""
    try:
        do, number = order["do"], order["run"]
        if do == "open":
            game = watched_game(order["ante"], order["bet"])
            runs[number] = NetworkRun(game, read_recipe(order["recipe"]), order["seed"])
            return {}
        if do == "close":
            runs.pop(number, None)
            return {}
        if do not in ("frame", "explain"):
            raise KeyError(do)
        if number not in runs:
            return {"lost": True}
        run = runs[number]
        if do == "explain":
            return run.explained(order["label"])
        frame = run.frame(order["target"], order["seconds"], order["goal"], order["speed"])
        points = [astuple(point) for point in run.points]
        return {"iteration": frame.iteration, "body": frame.body.decode(), "shown": frame.points, "points": points}
    except UserError as error:
        return {"error": str(error)}
    except Exception as error:
        traceback.print_exception(error)
        return {"fault": f"{type(error).__name__} where networks are trained"}


if __name__ == "__main__":
    main()
