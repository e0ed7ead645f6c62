"""The learn page on games other than Kuhn poker."""

import json
import re
from itertools import chain

import pytest
from browser import visiting

import regretlab as rl
from regretlab.watch.any_game import RockTwice, said
from regretlab.watch.offers import RULES, WATCHED, recipe_of

COIN = """
from fractions import Fraction
import regretlab as rl


class Coin:
    name = "hidden coin"
    root = lambda self: ()
    player = lambda self, state: (rl.CHANCE, 0, 1, rl.TERMINAL)[len(state)]
    actions = lambda self, state: (["heads", "tails"], ["say heads", "say tails"], ["believe", "doubt"])[len(state)]
    chance = lambda self, state: [Fraction(1, 2)] * 2
    child = lambda self, state, action: (*state, action)
    label = lambda self, state: f"saw {state[0]}" if len(state) == 1 else f"heard {state[1]}"
    payoff = lambda self, state: 1 if (state[0] == state[1]) == bool(state[2]) else -1
"""
PHONE = {"width": 375, "height": 800}


def ready(page, address):
    page.goto(address)
    page.wait_for_selector("main[data-ready]")


@pytest.mark.parametrize("game", ["leduc", "rps"])
def test_pages_are_fit_for_everybody(new_page, game):
    """Axe finds nothing serious in light and dark and on a phone, where nothing has to be scrolled sideways."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = new_page(viewport={"width": 1280, "height": 900}, has_touch=True, reduced_motion="reduce")
    ready(page, f"/learn/cfr?game={game}&t=30")

    def serious(**options):
        found = axe.run(page, {"exclude": [["math"]]}, options)
        bad = [each for each in found.response["violations"] if each["impact"] in ("serious", "critical")]
        return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in bad]

    assert serious() == []
    page.emulate_media(color_scheme="dark")
    assert serious(runOnly=["color-contrast"]) == []
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert serious(runOnly=["scrollable-region-focusable", "target-size"]) == []


@pytest.mark.parametrize("game", WATCHED)
def test_the_rules_can_be_unfolded(client, game):
    shown = client.get(f"/learn/cfr?game={game}").text
    assert len(RULES[game]) == 3
    assert all(f"<li>{line}</li>" in shown for line in RULES[game])


def test_nothing_is_dealt_in_a_one_shot_game():
    assert (
        said(recipe_of("cfr"), 3, True) == "Iteration 3: both players learned, each against the other’s old strategy."
    )
    assert "learned from all deals, each" in said(recipe_of("cfr"), 3, False)


def test_leduc_is_watched(page):
    ready(page, "/learn/cfr-plus?game=leduc")
    page.click("#step")
    page.wait_for_selector("[data-stat=iteration]:text-is('1')")
    assert "player 2 against player 1’s new strategy" in page.inner_text("#sentence")
    page.locator(".outline > ul > li > ul > li > .node").nth(1).click()
    assert page.inner_text("#hands-title") == "Player 2, after bet"
    assert page.locator(".held").count() == 3
    assert page.locator(".held >> nth=0 >> .line").count() == 3
    page.click(".held h3 button >> nth=2")
    page.wait_for_selector("#arithmetic-at:text-is('iteration 1 at K b')")
    page.wait_for_selector("#arithmetic math")
    page.fill("#go-to", "200")
    page.click("#go button")
    page.wait_for_selector("[data-stat=iteration]:text-is('200')")
    page.wait_for_selector("#arithmetic-at:text-is('iteration 200 at K b')")
    page.wait_for_url("**/learn/cfr-plus?game=leduc&t=200&info=K+b")
    page.reload()
    page.wait_for_selector("main[data-ready]")
    assert page.inner_text("[data-stat=iteration]") == "200"
    assert page.locator(".held.chosen").count() == 1
    page.keyboard.press("Escape")
    assert not page.is_visible("#drawer")


def test_the_tree_opens_and_closes(page):
    ready(page, "/learn/cfr-plus?game=leduc")
    first = page.locator(".outline .toggle").first
    shown = page.locator(".outline .node:visible").count()
    first.click()
    assert page.locator(".outline .node:visible").count() == 1
    assert first.get_attribute("aria-expanded") == "false"
    first.press("Enter")
    assert page.locator(".outline .node:visible").count() == shown
    for _ in range(8):
        page.keyboard.press("n")
    assert page.locator(".outline .node.chosen:visible").count() == 1


def test_a_one_shot_game_wanders_in_a_triangle(page):
    ready(page, "/learn/cfr?game=rps&speed=1")
    assert page.locator(".triangles svg").count() == 2
    centre = page.get_attribute(".point.now >> nth=0", "cy")
    for _ in range(3):
        page.click("#step")
    page.wait_for_selector("[data-stat=iteration]:text-is('3')")
    assert page.get_attribute(".point.now >> nth=0", "cy") != centre
    assert page.get_attribute(".way.now >> nth=0", "d").count("L") == 3
    assert page.get_attribute(".way.average >> nth=0", "d").count("L") == 2
    page.click("#back")
    page.wait_for_selector("[data-stat=iteration]:text-is('2')")
    assert page.get_attribute(".way.now >> nth=0", "d").count("L") == 2


def test_where_a_one_shot_strategy_has_been_is_the_engine_s(page):
    """Also for who comes by a link and has seen nothing of it."""
    ready(page, "/learn/cfr?game=rps&t=12")
    way = page.locator(".triangles .way.now").first.get_attribute("d")
    spots = [tuple(map(float, spot.split())) for spot in re.findall(r"[ML]([\d.]+ [\d.]+)", way)]
    corners = [(42, 296), (180, 30), (318, 296)]
    solver = rl.Solver(RockTwice(), "cfr", cores=1)
    expected = []
    for _ in range(12):
        solver.advance(1)
        strategy = solver.current[solver.form.labels[0]].values()
        expected.append(tuple(sum(s * corner[k] for s, corner in zip(strategy, corners, strict=True)) for k in (0, 1)))
    assert [*chain(*spots)] == pytest.approx([*chain(*expected)], abs=0.06)


def test_the_chart_leads_to_iterations_and_compares_with_vanilla_cfr(page, client):
    told = client.get("/api/vanilla", params={"game": "leduc"}).json()
    assert told["iterations"][:30] == [*range(1, 31)]
    alone = rl.solve("leduc(merge_suits=true)", "cfr", iterations=told["iterations"][33])
    assert told["exploitability"][33] == pytest.approx(alone.exploitability, rel=1e-9)
    assert client.get("/api/vanilla", params={"game": "chess"}).status_code == 400
    ready(page, "/learn/cfr-plus?game=leduc&t=60")
    page.wait_for_selector("#chart-gap .chart-plot .chart-line.chart-ghost")
    row = page.locator("#milestones li").first
    at = int(re.search(r"iteration (\d+)", row.inner_text())[1])
    assert "below 100 mbb/g" in row.inner_text()
    below, before = (rl.solve("leduc(merge_suits=true)", "cfr+", iterations=t).exploitability for t in (at, at - 1))
    assert below < 0.1 <= before
    row.locator("button").click()
    page.wait_for_function("t => document.querySelector('[data-stat=iteration]').textContent === t", arg=str(at))
    box = page.locator("#chart-gap .chart-reader").bounding_box()
    page.locator("#chart-gap .chart-reader").click(position={"x": box["width"] * 0.3, "y": 150})
    page.wait_for_function("t => Number(document.querySelector('[data-stat=iteration]').textContent) < t", arg=at)


def test_leduc_is_played_against_this_very_bot(page):
    ready(page, "/learn/dcfr?game=leduc&t=9")
    page.click("#against")
    page.wait_for_selector("#choices button")
    said = page.inner_text("#bot-about")
    assert said.startswith("The bot: dcfr after 9 iterations")
    gap = 1000 * rl.solve("leduc(merge_suits=true)", "dcfr", iterations=9).exploitability
    assert float(re.search(r"exploitability is ([\d.]+)", said)[1]) == pytest.approx(gap, rel=5e-3)
    ready(page, "/learn/dcfr?game=rps")
    assert page.locator("#against").count() == 0
    ready(page, "/learn/cfr?game=leduc&t=3&seed=4")
    assert page.is_hidden("#against")  # nobody at the table has a seed


def test_an_unknown_game_leads_to_a_live_page_that_says_so(page, client):
    ready(page, "/learn/cfr-plus?game=chess%3Cb%3E")
    assert "There is no game of the name “chess<b>” here; this is Kuhn poker." in page.inner_text(".note")
    assert page.locator(".note a").count() == len(WATCHED) + 1
    assert "Networks are watched on Kuhn poker only" in client.get("/learn/deep-cfr?game=leduc").text


def test_no_address_loads_code(client, tmp_path):
    path = tmp_path / "coin.py"
    path.write_text(f"{COIN}\nraise SystemExit('loaded')")
    for game in (f"{path}:Coin", "own", "matrix(file=/etc/passwd)"):
        refused = client.post("/api/sessions", json={"recipe": "cfr", "game": game[:40]})
        assert (refused.status_code, refused.json()["error"][:12]) == (400, "unknown game")
        assert client.get("/learn/cfr", params={"game": game}).status_code == 200


def test_the_users_own_game(run_server, tmp_path):
    path = tmp_path / "coin.py"
    path.write_text(COIN)
    with run_server(game=f"{path}:Coin") as client:
        assert "learns <b>hidden coin</b>" in client.get("/learn/cfr?game=own").text
        made = client.post("/api/sessions", json={"recipe": "cfr", "game": "own", "at": 5})
        assert made.status_code == 201
        told = json.loads(made.content)
        assert [node["action"] for node in told["game"]["nodes"]][1:4] == ["dealt", "say heads", "say tails"]
        assert set(told["frame"]["regrets"]) == {"saw 0", "saw 1", "heard 0", "heard 1"}


def test_a_game_that_nobody_can_lose_is_watched_without_a_fault(browser, run_server, tmp_path):
    """Every strategy is perfect there: no regret, and nothing to draw on a logarithmic scale."""
    path = tmp_path / "coin.py"
    path.write_text(COIN)
    with run_server(game=f"{path}:Coin") as client, visiting(browser) as visit:
        visit.page.goto(f"{str(client.base_url).rstrip('/')}/learn/cfr-plus?game=own&t=30")
        visit.page.wait_for_selector("main[data-ready]")
        said = "Exploitability after 30 iterations: 0 milli-chips. To the charts"
        assert visit.page.get_attribute("#small-curve", "aria-label") == said
        assert visit.page.inner_text("#hands-where") == "Choose a hand to see the arithmetic."
        visit.page.click("#step")
        visit.page.wait_for_selector("[data-stat=iteration]:text-is('31')")
        visit.check()
