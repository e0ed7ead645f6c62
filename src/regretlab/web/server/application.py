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
from html import escape
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from uvicorn.protocols.http.h11_impl import H11Protocol

from regretlab.errors import UserError
from regretlab.watch.offers import FEATURED, NETWORKS
from regretlab.watch.training import LostRunError, Training
from regretlab.web.api import (
    exploitability_page,
    glossary_page,
    learning,
    playing,
    races,
    recipe_pages,
    saved_results,
)
from regretlab.web.server import answers
from regretlab.web.server.answers import MOST_BYTES, answer, framed
from regretlab.web.server.guard import Guard, TooLargeError
from regretlab.web.server.sessions import Register, new_session
from regretlab.web.server.workers import Workers

MODULES = (answers, recipe_pages, learning, races, playing, exploitability_page, glossary_page, saved_results)
"""The modules that answer; each has a list ``ROUTES``."""

FIRST = "cfr-plus"
"""The algorithm that most people look at first."""

MOST_CONNECTIONS = 600
SECONDS_TO_ASK = 10.0
"""How long a connection may stay open without a whole request."""

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
        sweeper = asyncio.create_task(app.state.register.sweep())
        yield
        sweeper.cancel()
        app.state.register.clear()
        app.state.workers.close()
        app.state.training.close()

    routes = [route for module in MODULES for route in module.ROUTES]
    app = Starlette(routes=routes, exception_handlers=HANDLERS, lifespan=lifespan)
    app.state.settings = settings
    app.state.register = Register()
    return app


def _refusal(request: Request, error: Exception) -> Response:
    """What is wrong with a request, as a page for people who have followed a link and as JSON for everybody else."""
    assert isinstance(error, HTTPException)
    status, words, path = error.status_code, error.detail, request.url.path
    if "text/html" not in request.headers.get("accept", "") or path.startswith("/api/"):
        return answer({"error": words}, status, error.headers)
    said = f'<h1>{status}</h1><p class="lead">{escape(words[:1].upper() + words[1:])}.</p>'
    main = f'<main id="main">{said}<p><a href="/">Go to the start</a></p></main>'
    page = framed(f"<title>{status} · regretlab</title>\n{main}\n", root="../" * (path.count("/") - 1))
    return HTMLResponse(page, status)


def _our_mistake(request: Request, error: Exception) -> Response:
    traceback.print_exception(error)
    return answer({"error": "this should not have happened; the server's terminal says more"}, 500)


_CLOSE = {"Connection": "close"}

HANDLERS: dict[Any, Callable[[Request, Exception], Response]] = {
    UserError: lambda request, error: answer({"error": " ".join(str(error).split())}, 400),
    HTTPException: _refusal,
    LostRunError: lambda request, error: answer({"error": str(error)}, 404),  # the page then makes a new run
    TooLargeError: lambda request, error: answer({"error": f"a body has at most {MOST_BYTES:,} bytes"}, 413, _CLOSE),
    TimeoutError: lambda request, error: answer({"error": "the body took too long"}, 408, _CLOSE),
    ClientDisconnect: lambda request, error: Response(status_code=400),  # nobody reads it
    Exception: _our_mistake,
}


class ImpatientProtocol(H11Protocol):
    """Closes connections on which no whole request arrives."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to watch the connection, and let it send what there is at once.

        Otherwise a body waits for the receipt of its headers, which the other side puts off for 40 ms. asyncio prevents
        that only on sockets that were made with the number of a protocol, and ``socket.create_server`` gives none.
        """
        super().connection_made(transport)
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.loop.call_later(SECONDS_TO_ASK, self._look, None)

    def _look(self, before: object) -> None:
        """Close the connection if no request has begun since the last look, at which ``before`` was the newest one."""
        if self.transport.is_closing():
            return
        waits = self.cycle is None or self.cycle.response_complete
        if waits and self.cycle is before:
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
    for slug in dict.fromkeys((FIRST, *FEATURED)):
        if slug not in NETWORKS:
            new_session({"recipe": slug, "at": 2})
