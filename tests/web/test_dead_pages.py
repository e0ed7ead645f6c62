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


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_a_page_says_why_it_has_no_numbers_yet(browser, address: str, game: str) -> None:
    """Where kernels have to be compiled first, that takes a while."""
    with visiting(browser) as visit:
        waiting = []
        visit.page.route("**/api/sessions", lambda route: waiting.append(route))
        visit.page.goto(f"{address}/learn/cfr-plus?game={game}")
        visit.page.wait_for_selector(".notice:has-text('The engine is getting ready')")
        waiting[0].continue_()
        visit.page.wait_for_selector("main[data-ready]")
        visit.page.wait_for_selector(".notice", state="detached")
        visit.check()


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


@pytest.mark.parametrize(
    ("query", "said", "field", "value"),
    [
        ("game=chess&with=cfr", "There is no game 'chess'; this page takes kuhn instead.", "game", "kuhn"),
        ("iterations=999999999&with=cfr", "this page takes 1,000,000 instead.", "iterations", "1000000"),
        ("iterations=abc", "Iterations abc is not a whole number", "iterations", "1000"),
        ("ante=-1&with=cfr&iterations=10", "this page takes 0.001 instead.", "ante", "0.001"),
        ("by=luck", "There is no measure 'luck'; this page takes iterations instead.", "iterations", "1000"),
        ("by=time&seconds=9999", "this page takes 10 instead.", "seconds", "10"),
        ("target=-5", "this page takes none instead.", "target", ""),
        ("seed=x", "this page takes 0 instead.", "seed", "0"),
        ("with=zzz", "There is no recipe 'zzz'; it does not run.", "game", "kuhn"),
        (
            "with=cfr-pluss&with=cfr&iterations=10",
            "There is no recipe 'cfr-pluss'; cfr-plus runs instead.",
            "seed",
            "0",
        ),
    ],
)
def test_a_race_can_be_run_whatever_its_address_says(opened, query: str, said: str, field: str, value: str) -> None:
    page = opened(f"/race?{query}")
    page.wait_for_selector("#recipes input:checked", state="attached")
    assert said in page.inner_text(".notice")
    assert page.input_value(f"[name={field}]") == value
    page.check("[name=by][value=iterations]", force=True)
    page.fill("[name=iterations]", "20")
    page.click("#start")
    page.wait_for_selector(".notice", state="detached")  # it has been read
    page.wait_for_function("() => location.search.includes('iterations=20&')")
    page.wait_for_selector("#order .way:has-text('20 iterations')")


@pytest.mark.parametrize("written", ["cfr+", "CFR%2B", "cfr_plus"])
def test_a_recipe_is_known_however_an_address_writes_it(opened, written: str) -> None:
    """A plus sign is a space there."""
    page = opened(f"/play?recipe={written}&iterations=3")
    page.wait_for_selector("#choices button")
    assert page.inner_text("#bot-about").startswith("The bot: cfr+ after 3 iterations")
    page = opened(f"/race?with={written}&iterations=3")
    page.wait_for_selector("#order .name:text-is('cfr+')")
    assert page.locator(".notice").count() == 0
