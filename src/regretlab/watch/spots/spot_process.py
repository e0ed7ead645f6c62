"""The process of one spot: it solves, and answers about what it has found so far.

``spot_solving`` starts it as ``python -m regretlab.watch.spots.spot_process``. Orders come as lines of JSON: first the
spot, then orders with a number each. It says how far it is whenever that has changed, and ends with whoever asks.
"""

from __future__ import annotations

import os
import time
import traceback
from pathlib import Path
from threading import Condition, Thread
from typing import Any

from regretlab.errors import UserError
from regretlab.experiments.worker import JsonPipe
from regretlab.solving import Solution
from regretlab.watch.spots.described import read_spot
from regretlab.watch.spots.spot_run import SpotRun

NICER = 10
"""How much this process steps back behind the server, which has little to do, but soon."""

WORDS_A_SECOND = 10.0
"""How often it says how far it is."""


class Desk:
    """Where solving and answering take turns: whoever asks waits for the end of a stretch, and no longer."""

    def __init__(self, run: SpotRun, pipe: JsonPipe) -> None:
        self.run, self.pipe = run, pipe
        self.playing = True
        self._turn = Condition()
        self._asking = 0
        self._said = 0.0

    def solve(self) -> None:
        """Go on for as long as there is something to do, and wait where there is not."""
        while True:
            with self._turn:
                self._turn.wait_for(lambda: self.playing and not self.run.done and not self._asking)
                self.run.advance()
                self.tell(whatever_time=self.run.done)

    def tell(self, whatever_time: bool = False) -> None:
        """Say how far the run is, unless that has been said just now."""
        if whatever_time or time.monotonic() - self._said > 1 / WORDS_A_SECOND:
            self._said = time.monotonic()
            self.pipe.answer({"progress": self.run.progress() | {"playing": self.playing}})

    def answer(self, order: dict[str, Any]) -> None:
        """Do what is ordered, and say what comes of it."""
        self._asking += 1
        with self._turn:
            self._asking -= 1
            try:
                said = {"found": self._do(order)}
            except UserError as error:
                said = {"error": " ".join(str(error).split())}
            except Exception as error:
                traceback.print_exception(error)
                said = {"fault": f"{type(error).__name__} where a spot is solved"}
            self.pipe.answer({"answer": order["number"], **said})
            self._turn.notify()

    def _do(self, order: dict[str, Any]) -> Any:
        run, line = self.run, tuple(order.get("line", ()))
        match order["do"]:
            case "node":
                return run.node(line, order.get("kinds", ()), order.get("suits", ""), order.get("at"))
            case "table":
                return run.table(line, order.get("at"))
            case "why":
                return run.why(line, str(order["hand"]), order.get("at"))
            case "past":
                return run.past(line, str(order["hand"]), order.get("at"))
            case "train":
                if self.playing and not run.done:
                    raise UserError("this spot is still being solved; pause it, or wait, and then play against it")
                return run.train(order)
            case "save":
                return run.save(Path(order["path"]))
            case "pause" | "resume":
                self.playing = order["do"] == "resume"
            case "stop":  # good enough: what is there is the result
                run.settle()
            case "until":
                run.target = run.spot.target(order["until"])
                self.playing = True
            case other:
                raise KeyError(other)
        self.tell(whatever_time=True)
        return run.progress() | {"playing": self.playing}


def warm_up() -> None:
    """Load all that a river needs, and compile it where that has never been done on this computer."""
    run = SpotRun(read_spot({"name": "river-polar"}), "dcfr", cores=1)
    run.advance()
    run.look()
    run.node(())


def main() -> None:
    """Take a spot, solve it and answer, until nobody asks any more."""
    if hasattr(os, "nice"):
        os.nice(NICER)
    pipe = JsonPipe()
    warm_up()
    order = pipe.next()
    try:
        spot = read_spot(order["fields"])
        if order.get("path") is not None:
            run = SpotRun.saved(Solution.load(order["path"], spot), order.get("cores"))
        else:
            until = None if order.get("until") is None else spot.target(order["until"])
            run = SpotRun(spot, order["recipe"], order["precision"], until, order.get("cores"))
    except UserError as error:
        pipe.answer({"error": " ".join(str(error).split())})
        return
    desk = Desk(run, pipe)
    desk.tell(whatever_time=True)
    Thread(target=desk.solve, daemon=True).start()
    while True:
        desk.answer(pipe.next())


if __name__ == "__main__":
    main()
