"""The threads that do the engine's work, and how much of their time each session gets."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeAlias, TypeVar, TypeVarTuple

from regretlab.watch.training import Training

QUICK_SWITCH = 0.0001
"""Seconds for which a thread may keep the interpreter to itself while another one waits for it.

The event loop lets go of it at every message that it sends. With Python's usual 5 ms, and with several threads that
play, it would wait longer to get it back than all its work takes.
"""

ROUND_SECONDS = 0.05
"""How long it should take until everybody who plays has had a turn. Then the next frame of everybody can follow."""

LONGEST_TURN_SECONDS = 0.01
"""What a turn may take when hardly anybody plays."""

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class Workers:
    """A thread for the turns of all who play, and two for what people ask for. It belongs to the event loop.

    Turns are taken in the order in which they were asked for. Their results are handed to the event loop many at a
    time: on a busy day it is woken once for many turns, where an executor would wake it for each.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._orders = ThreadPoolExecutor(2, thread_name_prefix="orders")
        self._playing = 0
        self._turns: SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]] | None] = SimpleQueue()
        self._taken: deque[tuple[asyncio.Future[Any], Any, BaseException | None]] = deque()
        self._thread = threading.Thread(target=self._take_turns, name="turns", daemon=True)
        self._thread.start()
        sys.setswitchinterval(QUICK_SWITCH)

    async def play(self, turn: Callable[[float], Result]) -> Result:
        """Take a turn, which is told how long it may take: on a busy day runs are slower, and frames still come."""
        seconds = min(LONGEST_TURN_SECONDS, ROUND_SECONDS / max(1, self._playing))
        future: asyncio.Future[Result] = self._loop.create_future()
        self._turns.put((partial(turn, seconds), future))
        return await future

    async def do(self, work: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """Do what somebody waits for, first come, first served."""
        return await self._loop.run_in_executor(self._orders, work, *arguments)

    @contextlib.contextmanager
    def one_more(self) -> Iterator[None]:
        """Count a session among those that play, for as long as it does."""
        self._playing += 1
        try:
            yield
        finally:
            self._playing -= 1

    def _take_turns(self) -> None:
        """Take one turn after the other, in a thread of its own, until there is None in place of one."""
        while (asked := self._turns.get()) is not None:
            turn, future = asked
            result, fault = None, None
            try:
                result = turn()
            except Exception as error:
                fault = error
            self._taken.append((future, result, fault))
            if len(self._taken) == 1:  # otherwise the loop has been woken already, and will see this one, too
                self._loop.call_soon_threadsafe(self._deliver)

    def _deliver(self) -> None:
        """Hand over, in the event loop, what turns have brought."""
        while self._taken:
            future, result, fault = self._taken[0]
            if future.done():
                pass  # nobody waits any more
            elif fault is not None:
                future.set_exception(fault)
            else:
                future.set_result(result)
            self._taken.popleft()

    def close(self) -> None:
        """Wait for the turn and the orders that are under way, and give up all others."""
        while not self._turns.empty():
            self._turns.get()
        self._turns.put(None)
        self._thread.join()
        self._orders.shutdown(cancel_futures=True)


Crew: TypeAlias = Workers | Training
"""Whoever works for a session: ``Workers``, or ``Training`` where networks are trained."""
