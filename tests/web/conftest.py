"""A running server on a free port, and a browser that forgives nothing."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import httpx
import pytest
from browser import PATIENCE, chromium, visit
from browser import chromium as browser

from regretlab.web.server import guard
from regretlab.web.server.application import PageServer, ServerSettings, listen

__all__ = ["browser", "chromium", "visit"]


@contextmanager
def running(**settings: object) -> Iterator[httpx.Client]:
    """Asks a server that runs in a thread of this process; ``client.server`` is the server."""
    with listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        server = PageServer(ServerSettings(port=port, **settings))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE / 1000) as client:
                client.server = server
                yield client
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture(scope="session")
def run_server() -> Callable[..., AbstractContextManager[httpx.Client]]:
    """Starts a server with settings of one's own: ``with run_server(token="…") as client``."""
    return running


@pytest.fixture(scope="session")
def patient() -> Iterator[None]:
    """Servers let tests make as many requests as they like."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guard, "MOST_AT_ONCE", 1e9)
        yield


@pytest.fixture(scope="session")
def shared_client(patient) -> Iterator[httpx.Client]:
    with running() as client:
        yield client


@pytest.fixture
def client(shared_client: httpx.Client) -> httpx.Client:
    """Asks the running server, which all tests share."""
    shared_client.cookies.clear()
    return shared_client


@pytest.fixture(scope="session")
def address(shared_client: httpx.Client) -> str:
    """Where the running server is."""
    return str(shared_client.base_url).rstrip("/")


@pytest.fixture
def new_session(client: httpx.Client) -> Callable[..., dict]:
    """Creates sessions: ``new_session(recipe="cfr-plus", at=10)`` is what the server answers."""

    def create(**order) -> dict:
        answer = client.post("/api/sessions", json={"recipe": "cfr-plus"} | order)
        assert answer.status_code == 201, answer.text
        return answer.json()

    return create


@pytest.fixture
def watch(client: httpx.Client) -> Callable[..., Iterator[dict]]:
    """The frames of a session's stream."""

    def frames(session: str, **query) -> Iterator[dict]:
        with client.stream("GET", f"/api/sessions/{session}/stream", params=query) as stream:
            assert stream.status_code == 200, stream.read()
            for line in stream.iter_lines():
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))

    return frames


@pytest.fixture
def new_page(browser, address: str) -> Iterator[Callable[..., object]]:
    """Opens pages of the running server; errors in their console and requests to elsewhere fail the test at its end."""
    contexts, faults = [], []

    def check_request(request) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            faults.append(f"a request leaves this computer: {request.url}")

    def check_console(message) -> None:
        if message.type in ("error", "warning"):
            faults.append(f"console: {message.text} {message.location}")

    def open_page(**options):
        context = browser.new_context(base_url=address, **options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("console", check_console)
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("request", check_request)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not faults, "\n".join(faults)


@pytest.fixture
def page(new_page):
    """One page of the usual size."""
    return new_page(viewport={"width": 1280, "height": 900})
