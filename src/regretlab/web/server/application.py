"""The server: the application, and how it is run and ended."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import threading
import traceback
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from uvicorn.protocols.http.h11_impl import H11Protocol

from regretlab.errors import UserError
from regretlab.watch.offers import FEATURED, NETWORKS
from regretlab.watch.training import LostRunError, Training
from regretlab.web.api import (
    exercises_page,
    exploitability_page,
    glossary_page,
    holdem,
    holdem_locks,
    holdem_saved,
    learning,
    playing,
    races,
    recipe_pages,
    saved_results,
)
from regretlab.web.server import answers
from regretlab.web.server.answers import answer, refused
from regretlab.web.server.engine import EngineFirst, load_engine
from regretlab.web.server.guard import Guard, TooLargeError, too_large
from regretlab.web.server.sessions import Register, new_session
from regretlab.web.server.spot_sessions import SpotRegister
from regretlab.web.server.workers import Workers

MODULES = (
    answers,
    recipe_pages,
    learning,
    races,
    playing,
    exploitability_page,
    exercises_page,
    glossary_page,
    saved_results,
    holdem,
    holdem_locks,
    holdem_saved,
)
"""The modules that answer; each has a list ``ROUTES``."""

MOST_CONNECTIONS = 600
"""How many connections there may be. Before more are refused, the one makes room that was idle for longest."""

MOST_PER_CLIENT = 400
"""How many of them one client may have: a page has six, and a hundred pages on one computer should do."""

SECONDS_TO_ASK = 10.0
"""How long a connection may stay open without a whole request."""

SECONDS_TO_READ = 10.0
"""How long a client may take to read any of what waits for it."""

MOST_UNREAD = 65_536
"""How many bytes the system keeps for a client that reads slowly. With more, nobody would notice for a minute that
nobody reads: Linux keeps 4 megabytes, which are hundreds of frames."""

SECONDS_TO_END = 2
"""How long answers that are under way may take when the server is stopped."""

PORTS_TRIED = 100
"""How many ports after one that is taken are tried, to name a free one."""


@dataclass(frozen=True)
class ServerSettings:
    """What the command line says."""

    host: str = "127.0.0.1"
    port: int = 8000  # 0 is any free one
    token: str | None = None
    folder: Path | None = None  # of saved solutions and reports
    game: str | None = None  # one of the user's own, to watch besides those on offer

    @property
    def address(self) -> str:
        """Where a browser finds the page; a server that listens on all addresses names the one on the network."""
        name = self.host
        if name in ("0.0.0.0", "::"):
            name = socket.gethostname()
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
                probe.connect(("192.0.2.1", 9))  # nobody has this address, and nothing is sent: it only chooses the way
                name = str(probe.getsockname()[0])
        host = f"[{name}]" if ":" in name else name
        return f"http://{host}:{self.port}/{f'?token={self.token}' if self.token else ''}"


def application(settings: ServerSettings) -> Starlette:
    """The application, which answers all that pages ask for; ``Guard`` stands before it."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.closing = asyncio.Event()
        app.state.workers, app.state.training = Workers(), Training()
        app.state.spots, app.state.describing = SpotRegister(), asyncio.Lock()
        sweeper = asyncio.create_task(app.state.register.sweep())
        yield
        sweeper.cancel()
        app.state.register.clear()
        await app.state.spots.close()
        app.state.workers.close()
        app.state.training.close()

    routes = [route for module in MODULES for route in module.ROUTES]
    middleware = [Middleware(EngineFirst)]
    app = Starlette(routes=routes, exception_handlers=HANDLERS, lifespan=lifespan, middleware=middleware)
    app.state.settings = settings
    app.state.register = Register()
    return app


def _refusal(request: Request, error: Exception) -> Response:
    """What is wrong with a request."""
    assert isinstance(error, HTTPException)
    words, meant = error.detail, None
    if error.status_code == 404 and words == HTTPException(404).detail:  # no route has it
        words, meant = recipe_pages.no_such_page(request)
    response = refused(request, words, meant, status=error.status_code)
    response.headers.update(error.headers or {})
    return response


def _our_mistake(request: Request, error: Exception) -> Response:
    traceback.print_exception(error)
    return answer({"error": "this should not have happened; the server's terminal says more"}, 500)


_CLOSE = {"Connection": "close"}

HANDLERS: dict[Any, Callable[[Request, Exception], Response]] = {
    UserError: lambda request, error: answer({"error": " ".join(str(error).split())}, 400),
    HTTPException: _refusal,
    LostRunError: lambda request, error: answer({"error": str(error)}, 404),  # the page then makes a new run
    TooLargeError: lambda request, error: too_large(request.url.path, _CLOSE),
    TimeoutError: lambda request, error: answer({"error": "the body took too long"}, 408, _CLOSE),
    ClientDisconnect: lambda request, error: Response(status_code=400),  # nobody reads it
    Exception: _our_mistake,
}


class ImpatientProtocol(H11Protocol):
    """Closes connections on which no whole request arrives or nobody reads, and those that are too many."""

    since = 0.0  # when it has become idle
    unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to watch the connection, and let it send what there is at once.

        Otherwise a body waits for the receipt of its headers, which the other side puts off for 40 ms. asyncio prevents
        that only on sockets that were made with the number of a protocol, and ``socket.create_server`` gives none.
        """
        super().connection_made(transport)
        self.since = self.loop.time()
        connected = transport.get_extra_info("socket")
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MOST_UNREAD)
        self.loop.call_later(SECONDS_TO_ASK, self._look, None)
        self._make_room()

    @property
    def waits(self) -> bool:
        """Whether nothing is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def on_response_complete(self) -> None:
        """Note since when the connection is idle."""
        self.since = self.loop.time()
        super().on_response_complete()

    def _make_room(self) -> None:
        """If there are too many connections, of this client or of all, close the one that was idle for longest."""
        there = (each for each in self.connections if isinstance(each, ImpatientProtocol))
        everybody = [each for each in there if not each.transport.is_closing()]
        own = [each for each in everybody if each.client and self.client and each.client[0] == self.client[0]]
        crowd = own if len(own) > MOST_PER_CLIENT else everybody if len(everybody) >= MOST_CONNECTIONS else []
        if crowd:
            idle = [each for each in crowd if each.waits and each is not self]
            min(idle, key=lambda each: each.since, default=self).transport.abort()

    def pause_writing(self) -> None:
        """Begin to wait for a client that has much to read."""
        super().pause_writing()
        self.unread = self.loop.call_later(SECONDS_TO_READ, self.transport.abort)

    def resume_writing(self) -> None:
        """The client has read most of it."""
        if self.unread is not None:
            self.unread.cancel()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody waits for this client any more."""
        if self.unread is not None:
            self.unread.cancel()
        super().connection_lost(exc)

    def _look(self, before: object) -> None:
        """Close the connection if no request has begun since the last look, at which ``before`` was the newest one."""
        if self.transport.is_closing():
            return
        if self.waits and self.cycle is before:
            self.transport.close()
        else:
            self.loop.call_later(SECONDS_TO_ASK, self._look, self.cycle)


class PageServer(uvicorn.Server):
    """The server of the pages, whose streams end when it is asked to stop."""

    def __init__(self, settings: ServerSettings) -> None:
        self.page = application(settings)
        config = uvicorn.Config(
            Guard(self.page, settings.host, settings.token),
            http=ImpatientProtocol,
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="critical",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            limit_concurrency=MOST_CONNECTIONS,
            timeout_graceful_shutdown=SECONDS_TO_END,
        )
        super().__init__(config)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then everything else."""
        self.page.state.closing.set()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; where the port is taken, UserError names the next free one."""

    def bound(port: int) -> socket.socket:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=512)

    try:
        return bound(port)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise UserError(f"can't listen on {host}, port {port}: {error.strerror or error}") from None
    for other in range(port + 1, min(port + 1 + PORTS_TRIED, 65_536)):
        with contextlib.suppress(OSError):
            bound(other).close()
            raise UserError(f"port {port} is in use; --port {other} is free")
    raise UserError(f"port {port} is in use")


def serve(settings: ServerSettings, ready: Callable[[ServerSettings], None]) -> None:
    """Serve the page until Ctrl-C; ``ready`` is called when the port is ours."""
    with listen(settings.host, settings.port) as listening:
        settings = replace(settings, port=listening.getsockname()[1])
        server = PageServer(settings)
        threading.Thread(target=warm_up, name="warm-up", daemon=True).start()
        ready(settings)
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listening])


def warm_up() -> None:
    """Load the engine and its kernels while the browser paints, those of the first page first."""
    load_engine()
    for slug in dict.fromkeys((recipe_pages.FIRST, *FEATURED)):
        if slug not in NETWORKS:
            new_session({"recipe": slug, "at": 2})
    glossary_page.compute()
