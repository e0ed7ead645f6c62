"""Orders to a process: a line of JSON in for each, lines of JSON out, and an end with whoever gives them."""

from __future__ import annotations

import json
import os
import signal
import sys
from queue import SimpleQueue
from threading import Thread
from typing import Any


class Orders:
    """What this process is asked for on standard input; it answers on what was standard output."""

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
