"""Spots that are solved for pages: a process for each, a queue before them, and what each has said last."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import secrets
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from starlette.exceptions import HTTPException

from regretlab.errors import UserError
from regretlab.machine import free_memory, usable_cores
from regretlab.web.server.answers import encoded
from regretlab.web.server.stream import FRAMES_PER_SECOND, SILENCE, Newest, event

COMMAND = (sys.executable, "-P", "-m", "regretlab.watch.spots.spot_process")

MOST_AT_ONCE = 2
"""How many spots are solved at the same time; the rest wait."""

MOST_SPOTS, MOST_PER_CLIENT = 32, 8
"""How many spots there are, solved or not, and how many of them are one client's. The one that nobody has looked at for
longest makes room."""

SECONDS_IDLE = 3_600.0
"""A spot that nobody has looked at for so long is forgotten."""

SECONDS_TO_ANSWER = 120.0
"""An iteration on a large flop takes seconds, and what every next card brings takes many such answers."""

LONGEST_LINE = 2**26
"""Bytes of the longest answer of a process."""

PROGRAM_BYTES = 264_000_000
"""About what a process takes besides its spot: the program, and at most 64 MB for how the run has come about."""


async def new_process() -> Process:
    """A process that makes itself ready and then takes a spot."""
    from regretlab.experiments.local import environment  # loads the engine, which a server does later

    return await asyncio.create_subprocess_exec(
        *COMMAND, stdin=PIPE, stdout=PIPE, env=environment(), limit=LONGEST_LINE
    )


async def _ended(process: Process) -> None:
    """Wait for the end of a process that has been let go of: its pipes are closed before the event loop is."""
    await process.wait()


@dataclass(frozen=True)
class SpotOrder:
    """What somebody wants to be solved."""

    fields: dict[str, Any]
    recipe: str
    precision: str
    until: str | None
    nbytes: int  # what it will take
    path: str | None = None  # of a run that was solved and saved before


@dataclass(eq=False)
class SpotSession:
    """A spot, its process once it is its turn, and what that has said."""

    order: SpotOrder
    client: str
    name: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    process: Process | None = None
    used: float = field(default_factory=time.monotonic)
    streams: int = 0
    state: str = "waiting"  # then "solving", "paused", "done" or "failed"
    ahead: int = 0  # how many are before it in the queue
    progress: dict[str, Any] = field(default_factory=dict)
    error: str = ""
    closed: bool = False  # nobody wants it any more
    next_order: dict[str, Any] | None = None  # what a process that waits for its turn again is told then
    newest: Newest[int] = field(default_factory=lambda: Newest(0))
    _asked: int = 0
    _waiting: dict[int, asyncio.Future[Any]] = field(default_factory=dict)
    _reader: asyncio.Task[None] | None = None

    def told(self) -> dict[str, Any]:
        """How things stand."""
        order = {"recipe": self.order.recipe, "precision": self.order.precision}
        said = {"solve": self.name, "state": self.state, "ahead": self.ahead, **order, **self.progress}
        return said | ({"error": self.error} if self.error else {})

    def say(self, state: str) -> None:
        """Let whoever watches know how things stand."""
        self.state = state
        self.newest.put(0)

    async def start(self, find_process: Callable[[], Awaitable[Process]], ended: Callable[[], None]) -> None:
        """Begin to solve, or go on; ``ended`` is called whenever it no longer wants the processor."""
        if self.process is not None:
            order, self.next_order = self.next_order or {"do": "resume"}, None
            with contextlib.suppress(HTTPException, UserError):  # where it has failed, its reader says so
                await self.ask(**order)
            return
        try:
            self.process = await find_process()
        except OSError as error:
            self.error = f"can't start a process that solves spots: {error.strerror or error}"
            self.say("failed")
            ended()
            return
        if self.closed:
            self.end()
            return
        order = {key: getattr(self.order, key) for key in ("fields", "recipe", "precision", "until", "path")}
        self._write(order | {"cores": max(1, len(usable_cores()) // MOST_AT_ONCE)})
        self._reader = asyncio.create_task(self._read(ended))

    def _write(self, order: dict[str, Any]) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(order).encode() + b"\n")

    async def _read(self, ended: Callable[[], None]) -> None:
        """Take in what the process says until it ends."""
        assert self.process is not None
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            said = json.loads(line)
            if "progress" in said:
                self.progress = said["progress"]
                playing = self.progress["playing"] and not self.progress["done"]
                if self.next_order is None:  # else it waits for its turn, and goes on then
                    self.say("solving" if playing else "done" if self.progress["done"] else "paused")
                if not playing:
                    ended()
            elif "answer" in said:
                future = self._waiting.pop(said["answer"], None)
                if future is not None and not future.done():
                    future.set_result(said)
            else:
                self.error = said["error"]
        if not self.error:
            self.error = "the process that solved this spot has ended, perhaps because there was no memory left"
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(UserError(self.error))
        self._waiting.clear()
        self.say("failed")
        ended()

    async def ask(self, do: str, **details: Any) -> Any:
        """What the process answers to an order."""
        self.used = time.monotonic()
        if self.state == "failed":
            raise UserError(self.error)
        if self.process is None:
            raise HTTPException(409, f"this spot waits for its turn; {self.ahead} are before it")
        self._asked += 1
        future = self._waiting[self._asked] = asyncio.get_running_loop().create_future()
        self._write({"number": self._asked, "do": do, **details})
        try:
            said = await asyncio.wait_for(future, SECONDS_TO_ANSWER)
        except TimeoutError:
            raise HTTPException(503, "this spot is so large that there is no answer yet; ask once more") from None
        if "error" in said:
            raise UserError(said["error"])
        if "fault" in said:
            raise RuntimeError(said["fault"])
        return said["found"]

    async def frames(self) -> AsyncGenerator[bytes, None]:
        """How things stand, whenever the reader has taken the last message."""
        loop, seen, self.streams = asyncio.get_running_loop(), 0, self.streams + 1
        try:
            while True:
                news, sent = await self.newest.after(seen), loop.time()
                seen = self.newest.number
                yield event(encoded(self.told())) if news else SILENCE
                if (left := sent + 1 / FRAMES_PER_SECOND - loop.time()) > 0:
                    await asyncio.sleep(left)
        finally:
            self.streams -= 1
            self.used = time.monotonic()

    def end(self) -> None:
        """Let go of the process, in the middle of an iteration if need be."""
        self.closed = True
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()

    async def ended(self) -> None:
        """Wait for the end of the process, which has been let go of."""
        if self._reader is not None and self.process is not None:
            await self._reader
            await self.process.wait()


class SpotRegister:
    """All spots of a server, in the order in which they came. It belongs to the event loop."""

    def __init__(self) -> None:
        self._sessions: dict[str, SpotSession] = {}
        self._starting: set[asyncio.Task[None]] = set()
        self.spare: Process | None = None  # waits for the next spot
        self._wanted = -math.inf  # when somebody last wanted to have a spare process

    def __len__(self) -> int:
        return len(self._sessions)

    def add(self, order: SpotOrder, client: str) -> SpotSession:
        """Put a spot into the queue; HTTPException where there is no room for it, even after forgetting others."""
        self.forget_idle()
        own = [each for each in self._sessions.values() if each.client == client]
        if len(own) >= MOST_PER_CLIENT:
            self._make_room(own, f"you have {MOST_PER_CLIENT} spots here that are being looked at; close one")
        if len(self) >= MOST_SPOTS:
            self._make_room(list(self._sessions.values()), f"there are {MOST_SPOTS} spots already; come back later")
        free = free_memory()
        need = order.nbytes + PROGRAM_BYTES
        while free is not None and need > free:
            before = len(self)
            self._make_room(own, "there is no memory left for this spot; give fewer sizes, or come back later")
            own = [each for each in own if each.name in self._sessions]
            free = None if len(self) == before else free + order.nbytes
        session = SpotSession(order, client)
        self._sessions[session.name] = session
        self.next()
        return session

    def _make_room(self, among: list[SpotSession], otherwise: str) -> None:
        """Forget the one of these that nobody has looked at for longest and that is not being solved."""
        idle = [each for each in among if not each.streams and each.state not in ("waiting", "solving")]
        if not idle:
            raise HTTPException(429, otherwise)
        self._forget(min(idle, key=lambda each: each.used))

    # A process needs a second to load its program, and the first one on a computer much longer to compile it. So one is
    # made while people still describe their spot, and another when that one has done its work.

    def prepare(self) -> None:
        """Have a process ready for the next spot."""
        self._wanted = time.monotonic()
        self._prepare()

    def _prepare(self) -> None:
        """Make it, unless there is one, nobody has wanted one for long, or a solve needs the processor."""
        busy = self._starting or any(each.state == "solving" for each in self._sessions.values())
        if self.spare is None and not busy and time.monotonic() - self._wanted < SECONDS_IDLE:
            self._begin(self._make_spare())

    async def _make_spare(self) -> None:
        with contextlib.suppress(OSError):  # the next spot will say so
            self.spare = await new_process()

    async def _find_process(self) -> Process:
        """The spare process, or a new one."""
        spare, self.spare = self.spare, None
        return spare if spare is not None and spare.returncode is None else await new_process()

    def _end_spare(self) -> None:
        spare, self.spare = self.spare, None
        if spare is not None:
            with contextlib.suppress(ProcessLookupError):
                spare.kill()
            self._begin(_ended(spare))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside all else."""
        task = asyncio.create_task(work)
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    def next(self) -> None:
        """Begin with those whose turn it is, and tell the others how many are before them."""
        solving = sum(each.state == "solving" for each in self._sessions.values())
        waiting = [each for each in self._sessions.values() if each.state == "waiting"]
        saved, others = ([each for each in waiting if (each.order.path is None) == queue] for queue in (False, True))
        for session in saved + others[: max(0, MOST_AT_ONCE - solving)]:  # what is only opened need not wait
            session.say("solving")
            self._begin(session.start(self._find_process, self.next))
        for ahead, session in enumerate(each for each in waiting if each.state == "waiting"):
            if session.ahead != ahead + 1:
                session.ahead = ahead + 1
                session.newest.put(0)
        self._prepare()

    def go_on(self, session: SpotSession, order: dict[str, Any]) -> None:
        """Put a spot that rests at the end of the queue, to go on with an order when it is its turn."""
        self._sessions[session.name] = self._sessions.pop(session.name)
        session.next_order, session.ahead = order, 0
        session.say("waiting")
        self.next()

    def get(self, name: str) -> SpotSession:
        """The spot of this name."""
        session = self._sessions.get(name)
        if session is None:
            raise HTTPException(404, "there is no such spot, or nobody has looked at it for too long; solve it again")
        session.used = time.monotonic()
        return session

    def remove(self, name: str) -> None:
        """Forget a spot."""
        self.get(name)
        self._forget(self._sessions[name])

    def _forget(self, session: SpotSession) -> None:
        self._sessions.pop(session.name).end()
        self.next()

    def forget_idle(self) -> None:
        """Forget the spots that nobody has looked at for long."""
        limit = time.monotonic() - SECONDS_IDLE
        for session in [each for each in self._sessions.values() if not each.streams and each.used < limit]:
            self._forget(session)
        if self._wanted < limit:
            self._end_spare()

    def nudge(self) -> None:
        """Wake all streams, to notice readers who have left."""
        for session in self._sessions.values():
            session.newest.nudge()

    async def close(self) -> None:
        """Forget all, and wait until their processes have ended."""
        sessions = list(self._sessions.values())
        self._sessions.clear()
        for session in sessions:
            session.end()
        self._wanted = -math.inf
        await asyncio.gather(*self._starting, return_exceptions=True)
        spare = self.spare
        self._end_spare()
        if spare is not None:
            await spare.communicate()  # until it has ended, and its pipes are closed
        await asyncio.gather(*self._starting, *(each.ended() for each in sessions), return_exceptions=True)
