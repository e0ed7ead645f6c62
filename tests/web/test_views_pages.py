"""Race, play, exploitability, glossary and results in a real browser."""

import re
from pathlib import Path

import pytest

import regretlab as rl

PAGES = ("race", "play", "exploitability", "exercises", "glossary", "results")
PHONE = {"width": 375, "height": 800}
ALL_BUT_FORMULAS = {"exclude": [["math"]]}
"""Axe knows nothing about MathML, and looks at every letter of it."""

LAID_OUT = "all => all.forEach(each => { each.style.contentVisibility = 'visible' })"
"""What is below the window is not laid out yet, and nobody would look at it."""

LARGEST_SHIFT = 0.005
"""Of the layout, as browsers measure it: 0.1 counts as good."""

RACE = "/race?game=kuhn&ante=1&bet=2&by=iterations&iterations=300&seed=0&with=cfr&with=cfr-plus&with=dcfr"


def settled(page, name):
    """Opens a page and waits until it shows its numbers; a race is over at once."""
    page.emulate_media(reduced_motion="reduce")
    page.goto(RACE if name == "race" else f"/{name}?seed=5" if name == "play" else f"/{name}")
    page.wait_for_selector(
        {
            "race": "main[data-over]",
            "play": "#choices button",
            "exploitability": "#curve svg",
            "exercises": "#solved:has-text('solved')",
            "glossary": "#filter:not([hidden])",
            "results": "#files pre",
        }[name]
    )


@pytest.mark.parametrize("name", PAGES)
def test_pages_load_and_are_fit_for_everybody(new_page, name):
    """Axe finds nothing serious in light and dark and on a phone, where nothing has to be scrolled sideways."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = new_page(viewport={"width": 1280, "height": 900}, has_touch=True, reduced_motion="reduce")
    settled(page, name)
    page.eval_on_selector_all("main section", LAID_OUT)
    assert serious(axe.run(page, context=ALL_BUT_FORMULAS)) == []
    page.emulate_media(color_scheme="dark")
    assert serious(axe.run(page, ALL_BUT_FORMULAS, {"runOnly": ["color-contrast"]})) == []
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert serious(axe.run(page, ALL_BUT_FORMULAS, {"runOnly": ["scrollable-region-focusable", "target-size"]})) == []


def test_what_comes_after_a_hand_is_fit_for_everybody(new_page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    settled(page, "play")
    finish_hand(page)
    assert serious(axe.run(page)) == []
    page.emulate_media(color_scheme="dark")
    assert serious(axe.run(page, options={"runOnly": ["color-contrast"]})) == []
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("name", PAGES)
def test_nothing_jumps_while_a_page_is_filled(new_page, name):
    page = new_page(viewport={"width": 1280, "height": 900})
    jumps = "!each.sources.every(source => source.node?.closest?.('#order'))"  # who overtakes another moves
    add = f"list => list.getEntries().forEach(each => {{ if ({jumps}) window.shift += each.value }})"
    watch = f"new PerformanceObserver({add}).observe({{type: 'layout-shift', buffered: true}})"
    page.add_init_script(f"window.shift = 0; {watch}")
    settled(page, name)
    page.wait_for_timeout(100)  # what has just been drawn is measured with the next frames
    assert page.evaluate("window.shift") < LARGEST_SHIFT


def test_who_loses_the_server_is_told(browser, run_server):
    with run_server() as client:
        context = browser.new_context(base_url=str(client.base_url))  # its console may complain
        race, play = context.new_page(), context.new_page()
        play.goto("/play")
        play.wait_for_selector("#choices button")
        race.goto("/race?game=kuhn&by=time&seconds=10&with=cfr")
        race.wait_for_selector("#order .gap:not(:text-is('–'))")
        client.server.should_exit = True
        race.wait_for_selector(".notice")
        assert "The race broke off" in race.inner_text(".notice")
    for page, button in ((race, "#start"), (play, "#choices button >> nth=0")):
        page.click(button)
        page.wait_for_selector(".notice:has-text('he server does not answer')")
    context.close()


def serious(found):
    """What axe found and calls serious."""
    bad = [each for each in found.response["violations"] if each["impact"] in ("serious", "critical")]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in bad]


# ── Race ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def gaps(page):
    """The finishing order as the page shows it: recipe and exploitability."""
    return [
        (
            row.query_selector(".name").inner_text(),
            float(row.query_selector(".gap").inner_text().replace("−", "-").replace(",", "")),
        )
        for row in page.query_selector_all("#order li")
    ]


def test_a_race_from_its_address_ends_in_the_engines_order(page):
    settled(page, "race")
    alone = {name: rl.solve("kuhn(bet=2)", name, iterations=300).exploitability for name in ("cfr", "cfr+", "dcfr")}
    shown = gaps(page)
    assert [name for name, _ in shown] == sorted(alone, key=alone.__getitem__)
    assert dict(shown) == {name: pytest.approx(1000 * gap, rel=1e-3) for name, gap in alone.items()}
    assert "is first" in page.inner_text("#state")


def test_a_race_is_chosen_run_saved_and_kept_in_the_address(page, tmp_path):
    page.emulate_media(reduced_motion="reduce")
    page.goto("/race")
    page.wait_for_selector("#recipes label")
    for checked in page.query_selector_all("#recipes input:checked"):
        checked.uncheck(force=True)
    page.check("#recipes input[value='cfr-plus']", force=True)
    page.check("#recipes input[value='normalhedge']", force=True)
    page.select_option("#game", "leduc")
    assert not page.is_visible("input[name=ante]")
    page.fill("input[name=iterations]", "20")
    page.click("#start")
    page.wait_for_selector("main[data-over]")
    assert page.url.endswith(
        "/race?game=leduc&by=iterations&iterations=20&seed=0&with=cfr-plus&with=normalhedge"
    ) or page.url.endswith("/race?game=leduc&by=iterations&iterations=20&seed=0&with=normalhedge&with=cfr-plus")
    first = gaps(page)
    with page.expect_download() as saved:
        page.click("#csv")
    saved.value.save_as(tmp_path / "race.csv")
    head, *rows = Path(tmp_path / "race.csv").read_text().splitlines()
    assert head.startswith("game,recipe,iteration,seconds,exploitability_chips")
    last = [row for row in rows if ",cfr+,20," in row]
    chips = float(last[0].split(",")[-2])
    assert chips == rl.solve("leduc(merge_suits=true)", "cfr+", iterations=20).exploitability
    with page.expect_download() as picture:
        page.click("#svg")
    picture.value.save_as(tmp_path / "race.svg")
    assert "<svg" in (tmp_path / "race.svg").read_text()
    page.reload()
    page.wait_for_selector("main[data-over]")
    assert gaps(page) == first


def test_a_bad_race_is_told_in_one_line(browser, address):
    context = browser.new_context(base_url=address)  # its console may complain: the answer is an error
    page = context.new_page()
    page.goto("/race")
    page.wait_for_selector("#recipes label")
    page.fill("input[name=ante]", "zero")
    with page.expect_response("**/api/race*") as answer:
        page.click("#start")
    assert answer.value.status == 400
    page.wait_for_selector(".notice")
    assert "Ante zero is not a finite number" in page.inner_text(".notice")
    context.close()


def tab_to(page, selector):
    """Go on with the tab key until it is there."""
    for _ in range(80):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the tab key does not lead to {selector}")


def test_a_race_by_keyboard_only(page):
    page.emulate_media(reduced_motion="reduce")
    page.goto("/race")
    page.wait_for_selector("#recipes label")
    tab_to(page, "#game")
    page.keyboard.type("Le")
    tab_to(page, "[name=by]")
    page.keyboard.press("ArrowRight")
    tab_to(page, "[name=seconds]")
    page.keyboard.press("Control+A")
    page.keyboard.type("0.05")
    tab_to(page, "[name=with][value=dcfr]")
    page.keyboard.press(" ")
    tab_to(page, "#start")
    page.keyboard.press("Enter")
    page.wait_for_selector("main[data-over]")
    assert page.locator("figcaption").inner_text() == "Exploitability on Leduc poker"
    assert {name for name, _ in gaps(page)} == {"cfr", "cfr+", "pcfr+"}
    page.keyboard.press("?")
    assert "start the race" in page.inner_text("dialog")


def fronts(page):
    """How far to the right every line of the race is, in pixels, and where the plot ends."""
    ends = page.eval_on_selector_all(
        "#chart .chart-plot .chart-line",
        "all => all.map(each => Number(each.getAttribute('d').match(/([\\d.]+) [\\d.]+$/)?.[1] ?? 0))",
    )
    return ends, float(re.search(r"H([\d.]+)", page.get_attribute("#chart .chart-axis", "d"))[1])


def test_a_short_race_is_shown_again_slowly_and_can_be_held(page):
    page.clock.install()
    page.goto(RACE)
    page.wait_for_selector("#replay.playing")
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    page.clock.run_for(1_500)
    page.click("#replay")
    assert page.inner_text("#replay") == "Go on"
    held, right = fronts(page)
    assert all(80 < x < right - 30 for x in held), (held, right)
    assert page.locator(".chart-name").all_text_contents() == ["cfr", "cfr+", "dcfr"]
    names = [float(name.get_attribute("x")) for name in page.locator(".chart-name").all()]
    assert names == [pytest.approx(x + 8, abs=0.5) for x in held]
    behind = dict(gaps(page))
    page.clock.run_for(2_000)
    assert fronts(page)[0] == pytest.approx(held, abs=3)  # one frame may still have been on its way
    page.click("#replay")
    page.clock.run_for(7_000)
    page.wait_for_selector("main[data-over]")
    ends, right = fronts(page)
    assert all(x == pytest.approx(right - 6, abs=1) for x in ends)
    assert all(gap < behind[name] for name, gap in gaps(page))
    page.check("#across [value='1']", force=True)
    page.wait_for_selector("#replay.playing")
    assert page.locator("#chart .chart-label").all_text_contents()[1] == "seconds of solving"


def test_the_tracks_of_a_race(page):
    page.emulate_media(reduced_motion="reduce")
    page.goto("/race?game=river-polar&iterations=10&with=cfr&with=cfr-plus")
    page.wait_for_selector("main[data-over]")
    assert page.inner_text("#unit") == "milli-chips"
    shown = dict(gaps(page))
    for name in ("cfr", "cfr+"):
        alone = rl.solve("holdem:river-polar", name, iterations=10, form="lanes").exploitability
        assert shown[name] == pytest.approx(1000 * alone, rel=1e-3)


def test_a_race_is_stopped_and_what_was_run_is_kept(page):
    page.goto("/race?game=kuhn&by=time&seconds=10&with=cfr&with=cfr-plus")
    page.wait_for_selector("#order .gap:not(:text-is('–'))")
    page.focus("#stop")
    page.keyboard.press("Enter")
    page.wait_for_selector("#state:text-is('Stopped')")
    assert page.evaluate("document.activeElement.id") == "start"
    assert page.is_enabled("#csv")
    assert page.locator("#order li").count() == 2
    page.keyboard.press("s")
    page.wait_for_selector("#state:text-is('Running')")
    page.keyboard.press("Escape")
    page.wait_for_selector("#state:text-is('Stopped')")


# ── Play ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_hand_is_played_by_keyboard_only(page):
    sent = []
    page.on(
        "response", lambda answer: "/api/play" in answer.url and answer.request.method == "POST" and sent.append(answer)
    )
    settled(page, "play")
    assert page.inner_text("#bot-card") == "?"
    page.keyboard.press("Tab")  # from the top of the page to the first thing on it: nothing needs a mouse
    for _ in range(4):
        if page.query_selector("[data-action=next]"):
            break
        before = page.inner_text("#moves")
        page.keyboard.press("c" if page.query_selector("[data-action=check], [data-action=call]") else "f")
        page.wait_for_function("before => document.querySelector('#moves').innerText !== before", arg=before)
    page.wait_for_selector("#after:not([hidden])")
    view = sent[-1].json()
    hand = view["hand"]
    assert hand["over"]
    assert page.inner_text("#bot-card") == hand["bot_card"]
    assert hand["told"] in page.inner_text("#told")
    assert page.inner_text("#hands") == "1"
    assert page.locator("#decisions .judged").count() == len(hand["decisions"])
    assert page.evaluate("document.activeElement.dataset.action") == "next"
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#number').innerText === '2'")
    assert page.inner_text("#bot-card") == "?"
    for answer in sent:
        body = answer.json()["hand"]
        assert ("bot_card" in body) == body["over"]


def test_a_link_seats_the_same_table_again(page):
    page.goto("/play?game=leduc&recipe=dcfr&iterations=7&seat=2&seed=11")
    page.wait_for_selector("#choices button")
    card, moves = page.inner_text("#card"), page.inner_text("#moves")
    assert "dcfr after 7 iterations" in page.inner_text("#bot-about")
    page.reload()
    page.wait_for_selector("#choices button")
    assert (page.inner_text("#card"), page.inner_text("#moves")) == (card, moves)
    assert page.locator("input[name=seat]:checked").get_attribute("value") == "2"


def finish_hand(page):
    """Plays the hand to its end, always with the first of the actions."""
    while not page.query_selector("[data-action=next]"):
        before = page.inner_text("#moves")
        page.click("#choices button >> nth=0")
        page.wait_for_function("before => document.querySelector('#moves').innerText !== before", arg=before)


def test_hands_are_counted_in_whole_numbers(page):
    settled(page, "play")
    ticks = "[...document.querySelectorAll('#chart .chart-tick[text-anchor=middle]')].map(tick => tick.textContent)"
    for hand in (1, 2, 3):
        finish_hand(page)
        page.click("[data-action=next]")
        page.wait_for_selector(f"#number:text-is('{hand + 1}')")
        page.wait_for_function(f"last => {ticks}.at(-1) === last", arg=str(hand))
        assert page.evaluate(ticks) == [str(k) for k in range(hand + 1)]


def test_a_table_that_can_not_be_had_leaves_the_old_one(browser, address):
    context = browser.new_context(base_url=address)  # its console may complain: the answer is an error
    page = context.new_page()
    settled(page, "play")
    page.fill("input[name=bet]", "much")
    page.click("#sit")
    page.wait_for_selector(".notice:has-text('Bet much')")
    assert page.inner_text("#sit") == "New table"
    finish_hand(page)
    assert page.inner_text("#hands") == "1"
    context.close()


def test_a_new_table_has_a_new_account_and_new_cards(page):
    settled(page, "play")
    finish_hand(page)
    assert page.inner_text("#hands") == "1"
    page.select_option("select[name=iterations]", "0")
    page.click("#sit")
    page.wait_for_function("() => document.querySelector('#hands').innerText === '0'")
    assert "458" in page.inner_text("#bot-about")  # coin flips: 0.458333 chips a game
    page.wait_for_url(lambda address: "iterations=0" in address and "seed" not in address)


# ── Exploitability ───────────────────────────────────────────────────────────────────────────────────────────────


def test_more_iterations_change_the_numbers_as_the_engine_says(page):
    settled(page, "exploitability")
    page.click("#more")
    page.wait_for_selector("text=After 20 iterations of cfr+")
    exact = rl.solve("kuhn", "cfr+", iterations=20).exploitability
    assert float(page.inner_text("#lesson .stats dd >> nth=0").split()[0]) == pytest.approx(1000 * exact, abs=0.06)
    page.wait_for_url(re.compile("recipe=cfr-plus&iterations=20"))
    page.reload()
    page.wait_for_selector("text=After 20 iterations of cfr+")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("text=After 10 iterations of cfr+")


def test_the_responses_are_read_with_arrow_keys(page):
    settled(page, "exploitability")
    page.focus(".bars >> nth=0")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.inner_text(".reading >> nth=0").startswith("Number 2:")
    page.keyboard.press("End")
    assert page.inner_text(".reading >> nth=0").startswith("Number 64:")


def test_the_page_reads_well_without_scripts(new_page):
    page = new_page(java_script_enabled=False)
    page.goto("/exploitability?recipe=cfr&iterations=5")
    assert page.is_visible("text=After 5 iterations of cfr")
    page.select_option("select[name=iterations]", "100")
    page.click("#show")
    assert page.is_visible("text=After 100 iterations of cfr")
    page.goto("/glossary")
    assert page.is_visible("#bluff math")


# ── Glossary and results ─────────────────────────────────────────────────────────────────────────────────────────


def test_the_filter_of_the_glossary(page):
    settled(page, "glossary")
    page.keyboard.press("/")
    page.keyboard.type("bluff lowest")
    assert page.locator(".term:not([hidden])").count() == 1
    assert "1 of" in page.inner_text("#found")
    page.click("#bluff a[href='#bet'] >> nth=0")
    assert page.is_visible("#bet h2")
    assert page.locator(".term[hidden]").count() == 0


def test_results_open(browser, run_server, tmp_path):
    solution = rl.solve("kuhn", "cfr+", iterations=50)
    solution.save(tmp_path / "kuhn.npz")
    (tmp_path / "report.html").write_text("<!doctype html><title>A report</title><h1>Fine</h1>")
    faults = []
    with run_server(folder=tmp_path) as client:
        context = browser.new_context(base_url=str(client.base_url), viewport=PHONE)
        page = context.new_page()
        page.on("console", lambda message: message.type in ("error", "warning") and faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto("/results")
        page.click("text=kuhn.npz")
        page.wait_for_selector("#content svg")
        told = client.get("/api/results/solution", params={"name": "kuhn.npz"}).json()
        assert told["exploitability"] == solution.exploitability
        assert "cfr+" in page.inner_text("#content .stats")
        assert page.locator(".strategy tbody tr").count() == 12
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        page.wait_for_url("**/results?name=kuhn.npz")
        page.reload()
        page.wait_for_selector("#content svg")
        page.click("text=report.html")
        page.wait_for_selector("h1:has-text('Fine')")
        context.close()
    assert faults == []
