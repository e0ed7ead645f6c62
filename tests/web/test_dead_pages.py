"""Any address leads to a page that lives: what cannot be had is replaced by the nearest, and a sentence says so."""

import re
from contextlib import ExitStack

import pytest
from browser import visiting

import regretlab as rl
from regretlab.watch.watched_run import WatchedRun

ITERATION = "document.querySelector('[data-stat=iteration]').textContent"


@pytest.fixture
def opened(browser, address: str):
    """Opens addresses in fresh pages without fault."""

    def open_page(path: str):
        visit = visits.enter_context(visiting(browser, viewport={"width": 1280, "height": 900}))
        seen.append(visit)
        visit.page.goto(f"{address}{path}")
        return visit.page

    seen: list = []
    with ExitStack() as visits:
        yield open_page
        for visit in seen:
            visit.check()


def wait_for_iteration(page, iteration: int) -> None:
    page.wait_for_function(f"t => {ITERATION} === t", arg=f"{iteration:,}")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("ante=-1", "Ante -1 must be between 0.001 and 1,000,000; this page takes 0.001 instead."),
        ("bet=abc", "Bet abc is not a finite number"),
        ("ante=", "this page takes 1 instead."),
        ("seed=-3", "Seed -3 must be"),
        ("t=abc", "Iteration abc is not a whole number"),
        ("schedule=bogus", "this page takes alternating instead."),
        ("delay=-7", "this page takes 0 instead."),
        ("info=ZZZ", "There is no information set 'ZZZ'; the arithmetic stays closed."),
        ("deal=QQ", "There is no deal 'QQ'; this page shows JQ instead."),
        ("speed=99", "There is no speed '99'; it is turbo instead."),
    ],
)
def test_a_learn_page_lives_whatever_its_address_says(opened, query: str, said: str) -> None:
    page = opened(f"/learn/cfr-plus?{query}")
    page.wait_for_selector("main[data-ready]")
    assert said in page.inner_text(".notice")
    page.click("#step")
    wait_for_iteration(page, 1)
    assert not page.locator(".notice").count()  # it has been read
    page.wait_for_url(re.compile(r"t=1\b"))
    assert query.partition("=")[2] == "" or query not in page.url  # a reload says nothing any more


def test_an_iteration_beyond_a_million_is_reached(opened) -> None:
    page = opened("/learn/cfr-plus?t=2000000")
    page.wait_for_selector(".notice:has-text('on its way to iteration 2,000,000')")
    page.wait_for_url(re.compile(r"t=2000000\b"))  # who reloads on the way comes there, too
    wait_for_iteration(page, 2_000_000)
    page.wait_for_selector(".notice", state="detached")
    average = float(page.inner_text("[data-stat=average]").replace("−", "-"))
    solution = rl.solve("kuhn", "cfr+", iterations=2_000_000)
    assert average == pytest.approx(1000 * solution.exploitability, rel=5e-3)
    page.click("#back")
    wait_for_iteration(page, 1_999_999)
    page.click("#step")
    wait_for_iteration(page, 2_000_000)


def test_the_end_of_a_run_says_why_it_stopped(opened, monkeypatch) -> None:
    monkeypatch.setattr(WatchedRun, "last", 60)
    page = opened("/learn/cfr?t=55&speed=6")
    page.wait_for_selector("main[data-ready]")
    page.click("#play")
    page.wait_for_selector(".notice:has-text('The run ends here: it has 60 iterations')")
    page.click(".notice button")
    page.click("#play")  # pressed again, it says so again
    page.wait_for_selector(".notice:has-text('The run ends here')")
    page.click("#back")
    page.wait_for_selector(".notice", state="detached")
    wait_for_iteration(page, 59)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("iterations=999999999", "this page takes 1,000,000 instead."),
        ("game=leduc&iterations=999999999", "this page takes 100,000 instead."),
        ("game=chess&recipe=zzz", "There is no game 'chess'; this page takes kuhn instead."),
        ("ante=0&seat=9&seed=-1", "There is no seat '9'; this page takes alternate instead."),
    ],
)
def test_a_table_is_there_whatever_its_address_says(opened, query: str, said: str) -> None:
    page = opened(f"/play?recipe=cfr-plus&{query}" if "recipe" not in query else f"/play?{query}")
    page.wait_for_selector("#choices button", timeout=120_000)
    assert said in page.inner_text(".notice")
    page.locator("#choices button").last.click()
    page.wait_for_selector("#moves .you")
