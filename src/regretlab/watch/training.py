"""Runs that train networks, in a process of their own: it holds up nobody, and only it loads PyTorch."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple

from regretlab.errors import UserError

if TYPE_CHECKING:
    from regretlab.solving import Recipe
    from regretlab.watch.watched_game import WatchedGame

COMMAND = (sys.executable, "-P", "-m", "regretlab.watch.trainer")

SECONDS_TO_REST = 60.0
"""How long the process stays when there is nothing to train: people reload pages, and PyTorch takes seconds to load."""

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class LostRunError(Exception):
    """A run is gone because its process has ended. Whoever watched it makes a new one."""

    def __init__(self) -> None:
        super().__init__("the process that trained these networks has ended; reload the page")


class Training:
    """One process for all runs with networks, and a thread that asks it; both begin with the first run.

    Orders are answered one after the other. This object belongs to the event loop; only its thread calls ``open`` and
    ``ask``.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="training")
        self._process: subprocess.Popen[str] | None = None
        self._runs: set[int] = set()
        self._opened = 0
        self._rest: asyncio.TimerHandle | None = None

    async def do(self, work: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """Do what somebody waits for, first come, first served."""
        return await self._loop.run_in_executor(self._thread, work, *arguments)

    async def play(self, turn: Callable[[float], Result]) -> Result:
        """Take a turn, which is one iteration."""
        return await self.do(turn, 0.0)

    @contextlib.contextmanager
    def one_more(self) -> Iterator[None]:
        """Nothing to count here, unlike among ``Workers``: turns are as short as they can be, however many play."""
        yield

    def open(self, game: WatchedGame, recipe: Recipe, seed: int) -> int:
        """Begin a run, in a new process if there is none; the number names it from now on."""
        self._opened += 1
        stakes = {"ante": str(game.rules.ante), "bet": str(game.rules.bet)}
        if self._process is None or self._process.poll() is not None:
            from regretlab.experiments.local import environment

            self._end()
            try:
                self._process = subprocess.Popen(
                    COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(), encoding="utf-8"
                )
            except OSError as error:
                raise UserError(f"can't start a process that trains networks: {error.strerror or error}") from None
        self.ask("open", self._opened, recipe=recipe.name, seed=seed, **stakes)
        self._runs.add(self._opened)
        return self._opened

    def ask(self, do: str, run: int, **details: Any) -> dict[str, Any]:
        """What the process answers to an order about a run; LostRunError where it has died and the run with it."""
        process, line = self._process, ""
        if process is not None and process.stdin is not None and process.stdout is not None:
            with contextlib.suppress(OSError, ValueError):
                process.stdin.write(json.dumps({"do": do, "run": run, **details}) + "\n")
                process.stdin.flush()
                line = process.stdout.readline()
        if not line.endswith("\n"):
            raise LostRunError
        said: dict[str, Any] = json.loads(line)
        if "error" in said:
            raise UserError(said["error"])
        if "fault" in said:
            raise RuntimeError(said["fault"])
        if said.get("lost"):
            raise LostRunError
        return said

    def forget(self, run: int) -> None:
        """Let go of a run, and after a while of the process, if no other run needs it."""

        def end_if_idle() -> None:
            if not self._runs:
                self._end()

        def let_go() -> None:
            self._runs.discard(run)
            with contextlib.suppress(RuntimeError):  # the thread is gone: the server ends
                self._thread.submit(self.ask, "close", run)  # nobody waits for it, so it may fail
            if self._rest is not None:
                self._rest.cancel()
            self._rest = self._loop.call_later(SECONDS_TO_REST, self._thread.submit, end_if_idle)

        self._loop.call_soon_threadsafe(let_go)

    def _end(self) -> None:
        """End the process, in the middle of an iteration if need be."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    stream.close()  # type: ignore[union-attr]

    def close(self) -> None:
        """End the process and the thread."""
        if self._rest is not None:
            self._rest.cancel()
        if self._process is not None:
            self._process.kill()  # who waits for an answer learns that there will be none
        self._thread.shutdown(cancel_futures=True)
        self._end()
