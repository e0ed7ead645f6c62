"""A real browser for tests: what a page asks for and complains about is recorded, and nothing leaves this machine.

Use it in a ``conftest.py``: ``from browser import chromium, visit`` makes the two fixtures known there.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

USUAL_PLACES = ("/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome", "chrome")
AT_HOME = {"127.0.0.1", "localhost"}
HARMLESS = {"data", "blob", "about"}
PATIENCE = 300_000
"""Milliseconds after which a test gives up waiting. It only ends what hangs: a first run compiles, and a machine may be
busy."""


@dataclass
class Visit:
    """A page in the browser, the requests that would have left this machine, and what went wrong on it."""

    page: Any
    strayed: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def check(self) -> None:
        """Fail where the page has asked for anything from elsewhere, or has complained."""
        assert not self.strayed, f"requests that would have left this machine: {self.strayed}"
        assert not self.errors, f"errors on the page: {self.errors}"


def find_chromium() -> str | None:
    """Where the browser is, if it is installed."""
    return next((found for place in USUAL_PLACES if (found := shutil.which(place))), None)


def stays_here(address: str) -> bool:
    """Whether a request for an address reaches no other machine."""
    parts = urlsplit(address)
    return parts.scheme in HARMLESS or parts.scheme == "file" or parts.hostname in AT_HOME


@contextmanager
def visiting(chromium: Any, **options: Any) -> Iterator[Visit]:
    """A fresh page; options are those of Playwright's ``new_context``: color_scheme, viewport …"""
    context = chromium.new_context(**options)
    try:
        context.set_default_timeout(PATIENCE)
        visit = Visit(context.new_page())
        _record(visit)
        yield visit
    finally:
        context.close()


def _record(visit: Visit) -> None:
    def route(handler: Any) -> None:
        address = handler.request.url
        visit.requests.append(address)
        if stays_here(address):
            handler.continue_()
        else:
            visit.strayed.append(address)
            handler.abort()

    visit.page.route("**/*", route)
    visit.page.on("pageerror", lambda error: visit.errors.append(str(error)))
    visit.page.on("console", lambda message: message.type == "error" and visit.errors.append(message.text))
    visit.page.on("websocket", lambda socket: stays_here(socket.url) or visit.strayed.append(socket.url))


@cache
def _started() -> tuple[Any, ExitStack]:
    """The one browser of this process: Playwright can't be started twice in a thread."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright (requirements-dev.txt)")
    place = find_chromium()
    if place is None:
        pytest.skip("needs the browser chromium; on Debian and Ubuntu: apt install chromium")
    closing = ExitStack()
    started = closing.enter_context(playwright.sync_playwright())
    playwright.expect.set_options(timeout=PATIENCE)
    browser = started.chromium.launch(executable_path=str(Path(place)), args=["--no-sandbox"])
    closing.callback(browser.close)
    return browser, closing


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser, one for all tests, whichever conftest.py has asked for it."""
    browser, closing = _started()
    yield browser
    closing.close()  # the first to end is the end of the session; a stack closes only once


@pytest.fixture
def visit(chromium: Any) -> Iterator[Callable[..., Visit]]:
    """Open a page in the browser: ``visit(address, color_scheme="dark")``; at the end each must be without fault."""
    visits: list[Visit] = []
    with ExitStack() as open_pages:

        def go(address: str, **options: Any) -> Visit:
            visits.append(open_pages.enter_context(visiting(chromium, **options)))
            visits[-1].page.goto(address)
            return visits[-1]

        yield go
        for each in visits:
            each.check()
