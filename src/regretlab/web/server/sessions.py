"""Sessions: runs that people watch, each on its own, and not too many of them."""

from __future__ import annotations

import asyncio
import math
import secrets
import threading
import time
from collections.abc import AsyncGenerator
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException

from regretlab.errors import UserError, unknown
from regretlab.spec import number
from regretlab.watch.nearest import MOST_TEXT
from regretlab.watch.training import LostRunError, Training
from regretlab.web.server.orders import read_iteration, read_recipe, read_seed, read_text
from regretlab.web.server.stream import FRAMES_PER_SECOND, SECONDS_OF_SILENCE, SILENCE, Newest, event
from regretlab.web.server.workers import Crew

if TYPE_CHECKING:
    from regretlab.solving import Recipe
    from regretlab.watch.frames import EncodedFrame
    from regretlab.watch.one_iteration import Inside
    from regretlab.watch.watched_run import DistantRun, WatchedRun

MOST_SESSIONS = 256
MOST_PER_CLIENT = 128
"""How many sessions one client may have. Where there are too many, its own or all, the one makes room that nobody has
used for longest; its page, if there still is one, makes it anew when it needs it."""

SECONDS_IDLE = 900.0
"""After so long without anybody watching or asking, a session is forgotten."""

MOST_WITH_NETWORKS = 2
"""The most sessions that train networks: they share one core."""

SECONDS_WITH_NETWORKS = 60.0
"""After so long without anybody watching or asking, a session that trains networks makes room for another one."""

MOST_STREAMS = 4
"""Streams that one session may have: a page opens one, and another while the first is closing."""

TURBO = 60_000.0
"""The largest speed to watch, in iterations per second; on a busy machine runs are slower, but frames still come."""

HASTE = 1e7
"""The speed towards an iteration that is far off: as fast as the machine can."""

LONGEST_TURN = 2 / FRAMES_PER_SECOND
"""How much time a turn may make up for, so that a session that was held up does not hold up others in turn."""

COMMANDS = ("step", "back", "play", "pause", "reset", "go")


class Session:
    """One run, how it is played, and the newest frame for those who watch.

    The run is touched only by who holds the lock, in a worker's thread; everything else belongs to the event loop.
    """

    def __init__(self, run: WatchedRun | DistantRun, at: int) -> None:
        self.name = secrets.token_urlsafe(12)
        self.client = ""  # whose it is
        self.run = run
        self.goal = 0  # the iteration that it plays towards; it stands still where it has come so far
        self.speed = 1.0
        self.streams = 0
        self.ended = False
        self.used = time.monotonic()
        self._orders = 0  # how many commands there were: what was begun before the last one is void
        self._lock = threading.Lock()
        self._player: asyncio.Task[None] | None = None
        self._aim("go", at)
        self.newest = Newest(self._frame(0 if self.goal else at))

    @property
    def playing(self) -> bool:
        """Whether the run goes on by itself."""
        return self.run.iteration < self.goal and not self.run.lost

    @property
    def trains_networks(self) -> bool:
        """Whether its run trains networks: there may be only few of those."""
        return self.run.recipe.feedback_kind.trains

    def _aim(self, do: str, target: int) -> None:
        """Set what the run plays towards: its end with ``play``, a target that is far off with ``go``, else nothing."""
        far = do == "go" and not self.run.is_near(target)
        self.goal = self.run.last if do == "play" else target if far else 0
        self.speed = HASTE if far else self.speed

    def _frame(self, target: int, seconds: float = math.inf) -> EncodedFrame:
        return self.run.frame(target, seconds, self.goal, self.speed)

    def move(self, target: int | None, by: int) -> EncodedFrame:
        """Go to ``target`` or, where it is None, on or back ``by`` some iterations."""
        with self._lock:
            return self._frame(min(max(self.run.iteration + by, 0), self.run.last) if target is None else target)

    def turn(self, iterations: int, goal: int, order: int, seconds: float) -> EncodedFrame | None:
        """Go on as far as there is time; None if a command has come in between."""
        with self._lock:
            if order != self._orders:
                return None
            return self._frame(min(self.run.iteration + iterations, goal), seconds)

    def explain(self, label: str) -> dict[str, Any]:
        """The arithmetic of the latest iteration, or of the first one before there is any."""
        if label not in self.run.game.labels:
            raise unknown("information set", f"{label:.{MOST_TEXT}}", self.run.game.labels)
        with self._lock:
            return self.run.explained(label)

    def inside(self) -> Inside:
        """The next iteration in steps."""
        if self.trains_networks:
            raise UserError("networks learn from hundreds of walks at once; there are no steps to watch")
        with self._lock:
            return self.run.inside()

    async def command(self, order: dict[str, Any], workers: Crew) -> EncodedFrame:
        """Do what a button of the page says. Afterwards the run stands still, except with ``play`` or a long ``go``."""
        do = order.get("do")
        if do not in COMMANDS:
            raise unknown("command", f"{do!s:.{MOST_TEXT}}", COMMANDS)
        target = read_iteration(order.get("to"), self.run.last) if do == "go" else 0
        if order.get("speed") == "turbo":
            self.speed = TURBO
        elif "speed" in order:
            speed = float(number("speed", read_text("speed", order["speed"])))
            if not 0.1 <= speed <= TURBO:
                raise UserError(f"speed={speed:g} must be between 0.1 and {TURBO:,.0f} iterations a second, or turbo")
            self.speed = speed
        self._orders += 1
        latest = self._orders
        self._aim(do, target)
        jumps = do in ("go", "reset") and not self.goal
        frame = await workers.do(self.move, target if jumps else None, {"step": 1, "back": -1}.get(do, 0))
        self._show(frame, latest)
        self.play(workers)
        return frame

    def _show(self, frame: EncodedFrame, order: int) -> None:
        """Let everybody see a frame that no later command has made void."""
        if order == self._orders:
            self.newest.put(frame)

    def play(self, workers: Crew) -> None:
        """Let the run go on by itself, if it should and does not yet."""
        if self.playing and self.streams and (self._player is None or self._player.done()):
            self._player = asyncio.create_task(self._play(workers))

    async def _play(self, workers: Crew) -> None:
        """Take turns until the run is paused or nobody watches any more."""
        loop = asyncio.get_running_loop()
        before, due = loop.time(), 0.0
        with workers.one_more():
            while self.playing and self.streams:
                start, order, goal = loop.time(), self._orders, self.goal
                due += min(self.speed * (start - before), max(1.0, self.speed * LONGEST_TURN))
                before = start
                if due >= 1.0:
                    try:
                        frame = await workers.play(partial(self.turn, int(due), goal, order))
                    except LostRunError:
                        self.newest.nudge()  # those who watch leave, and come back to a new run
                        return
                    due -= int(due)
                    if frame is not None:
                        self._show(frame, order)
                pause = max(1 / FRAMES_PER_SECOND, (1.0 - due) / self.speed)
                await asyncio.sleep(start + pause - loop.time())  # at least lets others have their turn

    async def frames(self, have: int, workers: Crew) -> AsyncGenerator[bytes, None]:
        """The messages of one stream: the newest frame whenever the reader has taken the last one."""
        loop, seen, self.streams = asyncio.get_running_loop(), 0, self.streams + 1
        self.play(workers)
        try:
            while not (self.run.lost or self.ended):
                news, sent = await self.newest.after(seen), loop.time()
                seen, frame = self.newest.number, self.newest.value
                yield event(frame.encoded(have)) if news else SILENCE
                have = frame.points if news else have
                if (left := sent + 1 / FRAMES_PER_SECOND - loop.time()) > 0:
                    await asyncio.sleep(left)
        finally:
            self.streams -= 1
            self.used = time.monotonic()

    def end(self) -> None:
        """Stop playing, end all streams, and let go of the run."""
        self.goal = 0
        self.ended = True
        self.newest.nudge()
        if self._player is not None:
            self._player.cancel()
        self.run.close()


class Register:
    """All sessions by name; it belongs to the event loop."""

    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def check_room(self, client: str, networks: bool = False) -> None:
        """Forget who is idle; raise HTTPException if there is still no room, before any work is done."""
        self.forget_idle()
        own = [session for session in self._sessions.values() if session.client == client]
        if len(own) >= MOST_PER_CLIENT:
            self._forget_longest_idle(own, f"{MOST_PER_CLIENT} runs are being watched from here already")
        elif len(self) >= MOST_SESSIONS:
            self._forget_longest_idle(list(self._sessions.values()), f"{MOST_SESSIONS} runs are being watched already")

        def full() -> bool:
            return sum(session.trains_networks for session in self._sessions.values()) >= MOST_WITH_NETWORKS

        if networks and full():
            self.forget_idle(SECONDS_WITH_NETWORKS, only_networks=True)
            if full():
                many = f"{MOST_WITH_NETWORKS} pages train networks already, and more would only be slow"
                raise HTTPException(429, f"{many}; close one, or come back in a minute")

    def add(self, session: Session) -> None:
        """Take in a new session; it is ended where there is no room left."""
        try:
            self.check_room(session.client, session.trains_networks)
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

    def _forget_longest_idle(self, crowd: list[Session], full: str) -> None:
        """Let the session make room that nobody watches and nobody has used for longest."""
        idle = min((each for each in crowd if not each.streams), key=lambda each: each.used, default=None)
        if idle is None:
            raise HTTPException(429, f"{full}; close one, or come back later")
        self._forget(idle.name)

    def _forget(self, name: str) -> None:
        self._sessions.pop(name).end()

    async def sweep(self) -> None:
        """While the server runs, forget idle sessions, and wake all streams to notice readers who have left."""
        while True:
            await asyncio.sleep(SECONDS_OF_SILENCE)
            self.forget_idle()
            for session in self._sessions.values():
                session.newest.nudge()

    def clear(self) -> None:
        """Forget everybody."""
        for name in list(self._sessions):
            self._forget(name)


def new_session(order: dict[str, Any], training: Training | None = None, own: str | None = None) -> Session:
    """The session that the page asks for; ``training`` is where networks are trained, ``own`` the command line's game.

    With the first session the engine is loaded.
    """
    from regretlab.deep import check_installed
    from regretlab.watch.watched_game import watched_game
    from regretlab.watch.watched_run import DistantRun, WatchedRun

    recipe = read_recipe(order.get("recipe"), order.get("parameters", {}))
    name = read_text("game", order.get("game", "kuhn"))
    if name != "kuhn":
        return _session_of_any_game(name, own, recipe, order)
    game = watched_game(read_text("ante", order.get("ante", "1")), read_text("bet", order.get("bet", "1")))
    seed = read_seed(order.get("seed", 0))
    run: WatchedRun | DistantRun
    if training is None:
        run = WatchedRun(game, recipe, seed)
    else:
        check_installed(recipe.row)
        run = DistantRun(game, recipe, seed, training)
    try:
        return Session(run, read_iteration(order.get("at", 0), run.last))
    except Exception:
        run.close()
        raise


def _session_of_any_game(name: str, own: str | None, recipe: Recipe, order: dict[str, Any]) -> Session:
    """A session with another game than Kuhn poker."""
    from regretlab.watch.any_game import AnyRun, any_game

    if recipe.feedback_kind.trains:
        raise UserError(f"game={name}: networks can be watched on Kuhn poker only")
    run = AnyRun(any_game(name, own), recipe, read_seed(order.get("seed", 0)))
    return Session(run, read_iteration(order.get("at", 0), run.last))
