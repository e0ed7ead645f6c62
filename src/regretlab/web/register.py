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

MOST_WITH_NETWORKS = 2
"""Sessions that train networks: they share one core."""

SECONDS_WITH_NETWORKS = 60.0
"""After so long without anybody watching or asking, such a session makes room for another one."""


class Register:
    """All sessions by name; it belongs to the event loop."""

    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def check_room(self, networks: bool = False) -> None:
        """Forget who is idle; if there is still no room, say so before any work is done."""
        self.forget_idle()
        if len(self) >= MOST_SESSIONS:
            raise HTTPException(429, f"there are {MOST_SESSIONS} sessions already; close one, or come back later")
        if networks and self._with_networks() >= MOST_WITH_NETWORKS:
            self.forget_idle(SECONDS_WITH_NETWORKS, only_networks=True)
            if self._with_networks() >= MOST_WITH_NETWORKS:
                many = f"{MOST_WITH_NETWORKS} pages train networks already, and more would only be slow"
                raise HTTPException(429, f"{many}; close one, or come back in a minute")

    def _with_networks(self) -> int:
        return sum(session.trains_networks for session in self._sessions.values())

    def add(self, session: Session) -> None:
        """Take in a new session."""
        try:
            self.check_room(session.trains_networks)
        except HTTPException:
            session.end()
            raise
        self._sessions[session.name] = session

    def get(self, name: str) -> Session:
        """The session of this name."""
        session = self._sessions.get(name)
        if session is None or session.run.lost:
            raise HTTPException(404, "there is no such session, or it was idle for too long; reload the page")
        session.used = time.monotonic()
        return session

    def remove(self, name: str) -> None:
        """Forget a session."""
        self.get(name)
        self._forget(name)

    def forget_idle(self, seconds: float | None = None, only_networks: bool = False) -> None:
        """Forget the sessions that nobody has used for long, and those whose run is gone."""
        limit = time.monotonic() - (SECONDS_IDLE if seconds is None else seconds)
        for name, each in list(self._sessions.items()):
            idle = not each.streams and each.used < limit and (each.trains_networks or not only_networks)
            if idle or each.run.lost:
                self._forget(name)

    def _forget(self, name: str) -> None:
        self._sessions.pop(name).end()

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
            self._forget(name)
