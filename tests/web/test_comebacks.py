"""The server goes away and comes back: pages say so, and go on by themselves where they were."""

import threading
import time
from contextlib import contextmanager

import pytest

import regretlab as rl
from regretlab.web.api import playing
from regretlab.web.server.application import PageServer, ServerSettings, listen

ITERATION = "document.querySelector('[data-stat=iteration]').textContent.replaceAll(',', '')"


class Restarted:
    """A server that can be ended and started again at the same address, where it knows nothing of before."""

    def __init__(self) -> None:
        self.port = 0
        self.start()

    def start(self) -> None:
        playing.TABLES.seated.clear()
        self.listening = listen("127.0.0.1", self.port)
        self.port = self.listening.getsockname()[1]
        self.server = PageServer(ServerSettings(port=self.port))
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.listening]})
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)

    def end(self) -> None:
        self.server.should_exit = True
        self.thread.join()
        self.listening.close()


@pytest.fixture
def server():
    made = Restarted()
    yield made
    made.end()


@pytest.fixture
def page(browser, server):
    context = browser.new_context(base_url=f"http://127.0.0.1:{server.port}", viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


@contextmanager
def away(server, page):
    """While the server is away; the page has noticed it."""
    server.end()
    try:
        yield
    finally:
        server.start()


def wait_for_words(page, words: str) -> None:
    page.wait_for_selector(f".notice:has-text('{words}')")


def wait_until_after(page, iteration: int) -> None:
    page.wait_for_function(f"t => Number({ITERATION}) > t", arg=iteration)


def shown(page) -> int:
    return int(page.evaluate(f"Number({ITERATION})"))


def test_a_run_goes_on_when_the_server_is_back(page, server) -> None:
    """With its iteration, its speed and its settings; a step that is pressed meanwhile does not stop it."""
    page.goto("/learn/cfr-plus?delay=3&bet=2&t=500&speed=3")
    wait_until_after(page, 499)
    page.click("#play")
    wait_until_after(page, 520)
    with away(server, page):
        wait_for_words(page, "The server does not answer")
        page.click("#step")
        page.keyboard.press("ArrowRight")
        before = shown(page)
    with page.expect_request(lambda request: request.method == "POST" and "/api/sessions/" in request.url) as asked:
        page.wait_for_selector(".notice", state="detached")
    assert asked.value.post_data_json["do"] == "play"
    assert asked.value.post_data_json["speed"] == 100
    wait_until_after(page, before + 5)
    page.click("#play")
    page.wait_for_selector("#play:not(.playing)")
    solution = rl.solve("kuhn(bet=2)", "cfr+(delay=3)", iterations=shown(page))
    average = float(page.inner_text("[data-stat=average]"))
    assert average == pytest.approx(1000 * solution.exploitability, rel=5e-3)


def test_a_run_that_stands_still_makes_its_step_when_the_server_is_back(page, server) -> None:
    page.goto("/learn/cfr?t=7")
    wait_until_after(page, 6)
    with away(server, page):
        page.click("#step")
        wait_for_words(page, "The server does not answer")
        page.click("#step")
        page.click("#step")
    page.wait_for_selector(".notice", state="detached")
    wait_until_after(page, 7)
    page.wait_for_timeout(300)
    assert shown(page) == 8  # one step: who presses again because nothing happens does not want three


def test_a_pause_is_remembered(page, server) -> None:
    page.goto("/learn/cfr?speed=3")
    page.wait_for_selector("main[data-ready]")
    page.click("#play")
    wait_until_after(page, 3)
    with away(server, page):
        wait_for_words(page, "The server does not answer")
        page.click("#play")
        before = shown(page)
    page.wait_for_selector("#play:not(.playing)")
    assert shown(page) == before


def test_a_mistake_is_said_until_something_goes_right(page, server) -> None:
    page.goto("/learn/cfr?t=5")
    wait_until_after(page, 4)
    page.fill("#go-to", "99999999999")
    page.press("#go-to", "Enter")
    wait_for_words(page, "Iteration 99999999999 must be a whole number")
    page.click("#step")
    page.wait_for_selector(".notice", state="detached")


def play_some_hands(page, hands: int) -> None:
    """Always the last button: bet, call, raise."""
    while int(page.inner_text("#hands")) < hands:
        number, moves = page.inner_text("#number"), page.locator("#moves li").count()
        page.locator("#choices button").last.click()
        page.wait_for_function(
            "([number, moves]) => document.querySelector('#number').textContent !== number"
            " || document.querySelectorAll('#moves li').length > moves",
            arg=[number, moves],
        )


TABLE = ["#number", "#hands", "#result", "#luck", "#bot-about", "#told", "#moves"]


def table(page) -> dict[str, str]:
    """All that says at which table one sits."""
    page.wait_for_selector("#choices button")
    cards = [page.get_attribute(f"#{card}", "aria-label") for card in ("card", "bot-card")]
    return {place: page.inner_text(place) for place in TABLE} | {"cards": cards}


def test_the_table_survives_reload_back_and_a_new_start_of_the_server(page, server) -> None:
    page.goto("/play?iterations=100&seat=2&recipe=dcfr")
    page.wait_for_selector("#choices button")
    play_some_hands(page, 3)
    page.wait_for_url("**seat=2**")
    before = table(page)
    assert before["#bot-about"].startswith("The bot: dcfr after 100 iterations")
    page.reload()
    assert table(page) == before
    page.goto("/results")
    page.go_back()
    assert table(page) == before
    page.goto("/play")  # as the link in the navigation
    assert table(page) == before
    server.end()
    server.start()
    page.reload()
    assert table(page) == before
    page.goto("/play?iterations=0")
    assert table(page) != before
    page.go_back()
    assert table(page) == before


def test_a_move_while_the_server_is_away_is_made_when_it_is_back(page, server) -> None:
    page.goto("/play?seed=5&seat=1")
    page.wait_for_selector("#choices button")
    play_some_hands(page, 2)
    before = int(page.inner_text("#number"))
    page.locator("#choices button").last.wait_for()
    with away(server, page):
        page.locator("#choices [data-action=next]").click()
        wait_for_words(page, "The server does not answer")
    page.wait_for_selector(".notice", state="detached")
    page.wait_for_function("n => document.querySelector('#number').textContent === n", arg=str(before + 1))
    assert page.inner_text("#hands") == "2"
