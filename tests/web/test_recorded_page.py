"""The learn page without a server: a recorded run, in a folder below the root of some host."""

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from browser import visiting

from regretlab.web import export
from regretlab.web.api.recipe_words import described

FRAMES = (0, 1, 2, 3, 5, 9)


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing about it."""

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a folder with few recorded pages."""
    folder = tmp_path_factory.mktemp("host")
    (folder / "some").mkdir()
    few = [entry for entry in described() if entry["slug"] in ("cfr", "cfr-plus")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(export, "FRAMES", FRAMES)
        patch.setattr(export, "EXPLAINED", {1, 3})
        patch.setattr(export, "described", lambda: few)
        list(export.export(folder / "some" / "where"))
    yield from _served(folder)


def _served(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/some/where"
        server.shutdown()
        thread.join()


@pytest.fixture
def page(browser, site: str):
    """The recorded page; it must be without fault at the end."""
    with visiting(browser, viewport={"width": 1280, "height": 900}) as visit:
        visit.page.goto(f"{site}/learn/cfr-plus.html?t=3&info=Qcb")
        visit.page.wait_for_selector("main[data-ready]")
        yield visit.page
        visit.check()


def shown(page) -> int:
    return int(page.inner_text('[data-stat="iteration"]'))


def wait_for(page, iteration: int) -> None:
    page.wait_for_function("t => document.querySelector('[data-stat=iteration]').textContent === t", arg=str(iteration))


def test_steps_and_scrubbing_go_by_recorded_frames(page) -> None:
    assert shown(page) == 3
    page.click("#step")
    wait_for(page, 5)
    page.click("#back")
    page.click("#back")
    wait_for(page, 2)
    page.locator("#scrub").press("Home")
    wait_for(page, 0)
    page.fill("#go-to", "7")
    page.press("#go-to", "Enter")
    wait_for(page, 5)
    page.click("#reset")
    wait_for(page, 0)


def test_playing_ends_with_the_recording(page) -> None:
    page.locator("#speed").press("End")
    page.click("#play")
    wait_for(page, FRAMES[-1])
    page.wait_for_selector("#play:not(.playing)")


def test_arithmetic_says_to_which_iteration_it_belongs(page) -> None:
    wait = "t => document.querySelector('#arithmetic-at').textContent === t"
    page.wait_for_function(wait, arg="iteration 3 at Qcb")
    page.click("#step")
    wait_for(page, 5)
    page.click('.info[data-label="Jc"]')
    page.wait_for_function(wait, arg="iteration 3 at Jc")
    assert page.locator("#arithmetic math").count() > 5


def test_what_needs_a_server_is_not_offered(page) -> None:
    assert page.is_hidden("#setup-form")
    links = page.locator("a").evaluate_all("all => all.map(a => a.getAttribute('href'))")
    assert "../learn/cfr.html" in links
    assert not [link for link in links if "race" in link or "play" in link]
