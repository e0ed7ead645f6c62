"""Who is here: sessions by name, not too many, and none that nobody has used for long."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

from regretlab.web.stream import SECONDS_OF_SILENCE

if TYPE_CHECKING:
    from regretlab.web.sessions import Session

MOST_SESSIONS = 256
SECONDS_IDLE = 900.0
"""After so long without anybody watching or asking, a session is forgotten."""


class Register:
    """All sessions by name; it belongs to the event loop."""

    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def check_room(self) -> None:
        """Forget who is idle; if there is still no room, say so before any work is done."""
        self.forget_idle()
        if len(self) >= MOST_SESSIONS:
            raise HTTPException(429, f"there are {MOST_SESSIONS} sessions already; close one, or come back later")

    def add(self, session: Session) -> None:
        """Take in a new session."""
        self.check_room()
        self._sessions[session.name] = session

    def get(self, name: str) -> Session:
        """The session of this name."""
        session = self._sessions.get(name)
        if session is None:
            raise HTTPException(404, "there is no such session, or it was idle for too long; reload the page")
        session.used = time.monotonic()
        return session

    def remove(self, name: str) -> None:
        """Forget a session."""
        self.get(name).end()
        del self._sessions[name]

    def forget_idle(self) -> None:
        """Forget the sessions that nobody has used for long."""
        limit = time.monotonic() - SECONDS_IDLE
        for name in [name for name, each in self._sessions.items() if not each.streams and each.used < limit]:
            self.remove(name)

    async def sweep(self) -> None:
        """Forget who is idle, and see who still reads, for as long as the server runs."""
        while True:
            await asyncio.sleep(SECONDS_OF_SILENCE)
            self.forget_idle()
            for session in self._sessions.values():
                session.newest.nudge()

    def clear(self) -> None:
        """Forget everybody."""
        for name in list(self._sessions):
            self.remove(name)
