"""Server-sent events that never wait for a slow reader: each stream gets the newest frame when it is ready for one."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import Generic, TypeVar

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

FRAMES_PER_SECOND = 30
SECONDS_OF_SILENCE = 15.0
"""After so long without a frame a comment is sent, so that a reader who is gone is noticed."""

SECONDS_TO_END = 0.5
"""How long the end of a stream may take to be sent."""

SILENCE = b":\n\n"

Value = TypeVar("Value")


class Newest(Generic[Value]):
    """The newest of many values, for readers who may miss some when they are slow. It belongs to the event loop."""

    def __init__(self, value: Value) -> None:
        self.value = value
        self.number = 1
        self._waiting: list[asyncio.Future[None]] = []

    def put(self, value: Value) -> None:
        """Replace the value and wake everybody who waits."""
        self.value = value
        self.number += 1
        self.nudge()

    def nudge(self) -> None:
        """Wake everybody who waits, though there may be nothing new."""
        waiting, self._waiting = self._waiting, []
        for reader in waiting:
            if not reader.done():
                reader.set_result(None)

    async def after(self, number: int) -> bool:
        """Wait for a value with a larger number than ``number``; False if it was only a nudge."""
        if self.number <= number:
            reader = asyncio.get_running_loop().create_future()
            self._waiting.append(reader)
            await reader
        return self.number > number


def event(data: bytes) -> bytes:
    """One message; the data has no line break, as compact JSON has none."""
    return b"data: " + data + b"\n\n"


class EventStream(Response):
    """A response that goes on for as long as there are messages and somebody reads them.

    Messages are asked for one at a time, when the reader has taken the last one: nothing piles up. The connection of a
    reader who takes nothing is closed (``application.ImpatientProtocol``).
    """

    media_type = "text/event-stream"

    def __init__(self, messages: AsyncGenerator[bytes, None]) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._messages = messages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})

        async def gone() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass

        ends = (self._send_all(send), gone(), scope["app"].state.closing.wait())
        tasks = [asyncio.create_task(end) for end in ends]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(TimeoutError):  # who reads nothing does not read the end either
            async with asyncio.timeout(SECONDS_TO_END):
                await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_all(self, send: Send) -> None:
        async with contextlib.aclosing(self._messages) as messages:
            async for message in messages:
                await send({"type": "http.response.body", "body": message, "more_body": True})
