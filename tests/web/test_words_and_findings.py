"""What the pages say beside the numbers: what a run has found, what terms and labels mean, why recipes differ."""

import re

import pytest

import regretlab as rl
from regretlab.explaining.glossary import find
from regretlab.watch.bluffing import LABEL, bluffing
from regretlab.watch.vanilla import vanilla


@pytest.fixture
def run(page):
    """CFR+ after 200 iterations."""
    page.goto("/learn/cfr-plus?t=200")
    page.wait_for_selector("main[data-ready]")
    return page


def test_what_was_found_is_said_and_milestones_lead_to_their_iteration(run):
    assert re.search(r"average|should stay|still swings", run.inner_text("#found"))
    rows = run.locator("#milestones li")
    assert rows.count() >= 5
    last = rows.last
    assert last.inner_text().startswith("iteration 129")
    assert "below 1 mbb/g" in last.inner_text()
    loss = rl.solve("kuhn", "cfr+", iterations=129).exploitability
    assert loss < 0.001
    last.locator("button").click()
    run.wait_for_selector("[data-stat=iteration]:text-is('129')")
    marks = run.locator("#chart-gap .chart-mark").get_attribute("d").count("M")
    assert marks == len({row.split("\n")[0] for row in rows.all_inner_texts()})


def test_a_click_on_the_chart_goes_there(run):
    box = run.locator("#chart-gap .chart-reader").bounding_box()
    run.locator("#chart-gap .chart-reader").click(position={"x": box["width"] * 0.4, "y": 150})
    run.wait_for_function("() => Number(document.querySelector('[data-stat=iteration]').textContent) < 100")
    assert int(run.inner_text("[data-stat=iteration]")) > 1


def test_the_ghost_is_vanilla_cfr_on_the_same_stakes(client, page):
    told = client.get("/api/vanilla", params={"ante": "1", "bet": "2"}).json()
    looks = told["iterations"][45]
    assert told["exploitability"][45] == rl.solve("kuhn(bet=2)", "cfr", iterations=looks).exploitability
    assert client.get("/api/vanilla", params={"ante": "x"}).status_code == 400
    assert 900_000 < vanilla("1", "1")["iterations"][-1] <= 1_000_000
    page.goto("/learn/cfr-plus?t=50")
    page.wait_for_selector("#chart-gap .chart-plot .chart-line.chart-ghost")
    assert "vanilla CFR" in page.locator("#chart-gap .chart-name").all_text_contents()
    assert page.locator("#chart-gap .chart-dots.chart-ghost").count() == 1  # in the colour of its line
    page.goto("/learn/cfr?t=50")
    page.wait_for_selector("#chart-gap .chart-name")
    assert page.locator("#chart-gap .chart-ghost").count() == 0


def test_a_term_is_explained_in_place_in_the_words_of_the_glossary(run):
    term = run.locator(".changes a[href$='glossary#iteration']").first
    term.hover()
    run.wait_for_selector("#word")
    assert find("iteration").meaning[:40] in run.inner_text("#word")
    assert term.get_attribute("aria-describedby") == "word"
    run.keyboard.press("Escape")
    assert run.locator("#word").count() == 0
    run.mouse.move(1, 1)
    run.locator(".changes a[href$='glossary#strategy']").first.focus()
    run.keyboard.press("Shift+Tab")
    run.keyboard.press("Tab")
    run.wait_for_selector("#word")
    run.keyboard.press("Enter")
    run.wait_for_url("**/glossary#strategy")


def test_a_tap_explains_and_the_next_one_follows(new_page):
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto("/learn/cfr-plus?t=20")
    page.wait_for_selector("main[data-ready]")
    term = page.locator(".changes a[href$='glossary#iteration']").first
    term.tap()
    page.wait_for_selector("#word")
    assert "/learn/" in page.url
    term.tap()
    page.wait_for_url("**/glossary#iteration")


def test_labels_are_said_in_words(run):
    run.locator(".decision .node-name", has_text="Qc").first.hover()
    run.wait_for_selector("#word")
    assert run.inner_text("#word") == "Qc Player 2: Queen, after a check"
    run.goto("/exploitability")
    run.locator(".pass h4 code").first.hover()
    run.wait_for_selector("#word")
    assert "Player " in run.inner_text("#word")


def test_what_is_explained_does_not_cover_the_numbers_that_were_asked_for(run):
    """A card says in words what it is; a box would stand on its numbers, or on the arithmetic that it opens."""
    run.locator(".decision .node-name").first.hover()
    run.wait_for_selector("#word")
    run.locator(".decision").first.click()
    run.wait_for_selector("#word", state="detached")
    run.locator(".info[data-label=Qcb] h4 button").hover()
    run.wait_for_timeout(400)  # longer than a word waits
    assert run.locator("#word").count() == 0


@pytest.mark.parametrize(
    ("width", "path"), [(390, "/exercises"), (390, "/learn/cfr"), (820, "/learn/cfr"), (820, "/results")]
)
def test_the_open_page_is_seen_in_the_line_of_pages(new_page, width, path):
    """On a phone and on a tablet, where not all of them fit in."""
    page = new_page(viewport={"width": width, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(path)
    line, box = (page.locator(part).bounding_box() for part in (".site-nav", ".site-nav a[aria-current]"))
    assert box["x"] >= line["x"]
    assert box["x"] + box["width"] <= line["x"] + line["width"] - 24  # there it fades


def test_why_a_recipe_differs_comes_with_its_pictures(run):
    run.locator(".changes").scroll_into_view_if_needed()
    run.wait_for_selector("#why article:nth-child(5) .chart-plot .chart-line", state="attached")
    assert run.locator("#why h3").first.inner_text() == "Regret debt, and what truncation forgives"
    assert run.locator("#why article").count() == run.locator("#why figure").count()


def test_the_hero_moves_the_bluff_from_a_coin_flip_to_where_it_stays(new_page):
    page = new_page(reduced_motion="reduce")
    page.goto("/")
    page.wait_for_selector("#bluff:not([hidden])")
    alone = rl.solve("kuhn", "cfr+", iterations=1_000).strategy[LABEL]["bet"]
    assert page.inner_text("#bluff-share") == f"{100 * alone:.1f} %"
    points = bluffing()["points"]
    assert points[0] == [0, 0.5]
    assert points[-1] == [1_000, alone]
    moving = new_page()
    moving.clock.install(time=0)
    moving.clock.pause_at(1)  # seconds; from here on time goes on only as this test says
    moving.goto("/")
    moving.wait_for_selector("#bluff:not([hidden])", state="attached")
    assert moving.text_content("#bluff-share") == "50.0 %"
    moving.clock.run_for(4_000)
    assert moving.text_content("#bluff-share") not in ("50.0 %", f"{100 * alone:.1f} %")
    moving.clock.run_for(5_000)
    assert moving.text_content("#bluff-share") == f"{100 * alone:.1f} %"
