"""The learn page and the home page in a real browser; what they show is compared with the engine."""

import re
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

import regretlab as rl
from regretlab.watch.offers import FEATURED, NETWORKS, recipe_shown
from regretlab.watch.watched_game import watched_game
from regretlab.watch.watched_run import CHARTED, WatchedRun

PHONE = {"width": 360, "height": 740}
WIDE = {"width": 1600, "height": 1000}
SECOND = {"": "bet", "c": "bet", "b": "call", "cb": "call"}
"""The action whose probability a card shows, by the moves before."""

LABELS = [card + moves for moves in SECOND for card in "JQK"]
KEY = [("K", "bet"), ("J", "bet"), ("Kc", "bet"), ("Jc", "bet"), ("Qcb", "call")]
"""The probabilities whose lines are drawn."""

TO_COMPILE = 120_000
"""Milliseconds that the first page of a recipe may take: its kernels may have to be compiled."""

LARGEST_SHIFT = 0.005
"""Of the layout, as browsers measure it: 0.1 counts as good."""


def read(text: str) -> float:
    """A number as the page writes it."""
    found = re.search(r"-?\d[\d.]*(e-?\d+)?", text.replace("−", "-").replace(",", ""))
    assert found, text
    return float(found[0])


def opened(page, path: str):
    """The page at a path, once its first numbers are there."""
    page.goto(path)
    page.wait_for_selector("main[data-ready]", timeout=TO_COMPILE)
    return page


def whole(page, path: str) -> None:
    """The page at a path with everything that can be seen on it."""
    if "learn" not in path:
        page.goto(path)
        return
    opened(page, path)
    page.click("#setup summary")
    page.click(".signs summary")
    page.keyboard.press("n")
    wait_for_arithmetic(page)


def stat(page, name: str) -> str:
    return page.text_content(f'[data-stat="{name}"]')  # some are folded away


ITERATION = "document.querySelector('[data-stat=iteration]').textContent"
"""In the browser. What is waited for must be a function: the page's own policy forbids to evaluate texts."""


def wait_for_iteration(page, iteration: int) -> None:
    page.wait_for_function(f"t => {ITERATION} === t", arg=f"{iteration:,}")


def wait_until_after(page, iteration: int) -> None:
    page.wait_for_function(f"t => Number({ITERATION}.replaceAll(',', '')) > t", arg=iteration)


def wait_for_arithmetic(page, place: str = "iteration") -> None:
    told = "document.querySelectorAll('#arithmetic math').length > 5"
    place_told = "document.querySelector('#arithmetic-at').textContent.includes(t)"
    page.wait_for_function(f"t => {told} && {place_told}", arg=place)


def card(page, label: str) -> dict[str, float]:
    """What a card of the brain shows: two regrets, the second action's probability now and on average."""
    numbers = page.locator(f'.info[data-label="{label}"] p b').all_inner_texts()
    regrets = [read(text) for text in numbers[:2]]
    now, average = (read(text) / 100 for text in numbers[2:4])
    return {"first": regrets[0], "second": regrets[1], "now": now, "average": average}


def check_against_the_engine(page, slug: str, ante: int = 1, **options) -> rl.Solution:
    """Every number that is shown is that of ``rl.solve`` at the iteration that is shown."""
    iteration = int(read(stat(page, "iteration")))
    game = options.pop("game", "kuhn")
    recipe = recipe_shown(slug, options.pop("parameters", {}))
    solution = rl.solve(game, recipe, iterations=iteration, **options)
    assert read(stat(page, "average")) == pytest.approx(1000 * solution.exploitability / ante, rel=5e-3, abs=1e-9)
    assert read(stat(page, "current")) == pytest.approx(
        1000 * solution.current_exploitability / ante, rel=5e-3, abs=1e-9
    )
    assert read(stat(page, "value")) == pytest.approx(solution.value, abs=5.1e-5)
    assert read(stat(page, "zeros")) / 100 == pytest.approx(solution.zero_regrets, abs=5.1e-4)
    for label in LABELS:
        shown, action = card(page, label), SECOND[label[1:]]
        regrets = list(solution.regrets[label].values())
        assert [shown["first"], shown["second"]] == pytest.approx(regrets, rel=5e-3, abs=5e-6)
        assert shown["now"] == pytest.approx(solution.current[label][action], abs=5.1e-4)
        assert shown["average"] == pytest.approx(solution.strategy[label][action], abs=5.1e-4)
    return solution


@pytest.mark.parametrize("slug", [slug for slug in FEATURED if slug not in NETWORKS])
def test_page_of_each_featured_algorithm_loads_and_steps(page, slug: str) -> None:
    opened(page, f"/learn/{slug}")
    assert page.locator("nav[aria-label=Algorithms] a[aria-current]").get_attribute("href").endswith(slug)
    assert "coin flip" in page.inner_text("#sentence")
    page.click("#step")
    wait_for_iteration(page, 1)
    check_against_the_engine(page, slug)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_themes_follow_the_system_and_the_switch(new_page, scheme: str) -> None:
    page = opened(new_page(color_scheme=scheme), "/learn/cfr-plus")
    other = "dark" if scheme == "light" else "light"
    paper = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(paper)
    page.check(f'#theme input[value="{other}"]', force=True)
    assert page.evaluate(paper) != before
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == other
    assert page.is_checked(f'#theme input[value="{other}"]')
    page.check('#theme input[value="system"]', force=True)
    assert page.evaluate(paper) == before


@pytest.mark.parametrize("slug", ["cfr", "dcfr", "predictive-normalhedge-plus"])
def test_steps_forwards_and_backwards_show_what_the_engine_says(page, slug: str) -> None:
    opened(page, f"/learn/{slug}?t=30")
    wait_for_iteration(page, 30)
    page.click("#step")
    wait_for_iteration(page, 31)
    check_against_the_engine(page, slug)
    for iteration in (30, 29):
        page.click("#back")
        wait_for_iteration(page, iteration)
    check_against_the_engine(page, slug)
    page.click("#reset")
    wait_for_iteration(page, 0)
    assert page.is_disabled("#back")


def test_turbo_stops_at_numbers_of_the_engine(page) -> None:
    opened(page, "/learn/cfr-plus")
    page.locator("#speed").press("End")
    page.click("#play")
    wait_until_after(page, 2000)
    page.click("#play")
    page.wait_for_selector("#play:not(.playing)")
    solution = check_against_the_engine(page, "cfr-plus")
    assert solution.iterations > 2000
    assert read(stat(page, "hands")) == 12 * solution.iterations


def test_sampled_run_follows_its_seed(page) -> None:
    opened(page, "/learn/external-sampling?t=50&seed=7")
    check_against_the_engine(page, "external-sampling", seed=7)


def test_link_reproduces_the_view(page) -> None:
    opened(page, "/learn/cfr-plus?ante=2&bet=1&t=120&info=Qcb&deal=QK&delay=10")
    game = "kuhn(ante=2, bet=1)"
    solution = rl.solve(game, "cfr+(delay=10)", iterations=120)
    assert read(stat(page, "average")) == pytest.approx(500 * solution.exploitability, rel=5e-3)
    assert stat(page, "exact") == "−1/30"
    assert page.locator(".info.chosen").get_attribute("data-label") == "Qcb"
    assert page.inner_text("#card-1") + page.inner_text("#card-2") == "QK"
    wait_for_arithmetic(page, "iteration 120 at Qcb")
    page.keyboard.press("Escape")
    page.check('#deals input[value="KJ"]', force=True)
    page.click('.info[data-label="Jc"]')
    page.click("#step")
    wait_for_iteration(page, 121)
    page.wait_for_url("**/learn/cfr-plus?*t=121*")
    query = parse_qs(urlsplit(page.url).query)
    wanted = {"ante": "2", "t": "121", "info": "Jc", "deal": "KJ", "delay": "10"}
    assert query == {name: [value] for name, value in wanted.items()}
    page.reload()
    wait_for_iteration(page, 121)
    assert page.locator(".info.chosen").get_attribute("data-label") == "Jc"
    assert page.is_visible("#drawer")
    assert page.input_value('[name="delay"]') == "10"


def test_going_back_in_time_and_forth_again(page) -> None:
    opened(page, "/learn/cfr?t=200")
    page.locator("#scrub").press("Home")
    wait_for_iteration(page, 0)
    page.locator("#scrub").press("ArrowRight")
    wait_for_iteration(page, 1)
    page.fill("#go-to", "1,000")
    page.press("#go-to", "Enter")
    wait_for_iteration(page, 1000)
    check_against_the_engine(page, "cfr")


def test_tree_draws_the_current_strategy_and_the_payoffs(page) -> None:
    opened(page, "/learn/cfr-plus?t=7&deal=QJ&bet=2")
    current = rl.solve("kuhn(bet=2)", "cfr+", iterations=7).current
    told = page.locator('.decision[data-label="Q"]').get_attribute("aria-label")
    assert [read(part) / 100 for part in told.split(":")[1].split(",")] == pytest.approx(
        list(current["Q"].values()), abs=5.1e-4
    )
    names = page.locator(".decision .node-name").all_text_contents()
    assert sorted(names) == ["Jb", "Jc", "Q", "Qcb"]
    leaves = page.locator(".end").evaluate_all("all => all.map(leaf => leaf.querySelector('.chips').textContent)")
    assert sorted(leaves) == ["+1", "+1", "+3", "+3", "−1"]


def golden(page) -> set[str]:
    """The actions whose edges are gold, by the node that they lead to."""
    return set(page.locator("#tree .gold.on-path").evaluate_all("all => all.map(edge => edge.dataset.to)"))


def test_gold_shows_the_walks_of_both_players(page) -> None:
    opened(page, "/learn/external-sampling?t=3")
    game, recipe = watched_game("1", "1"), rl.recipe("external-sampling")
    walks = WatchedRun(game, recipe, 0).go(3).walks
    assert [walk.walker for walk in walks] == [0, 1]
    for number, walk in enumerate(walks, start=1):
        page.check(f'#deals input[value="walk-{number}"]', force=True)
        page.wait_for_function("deal => document.querySelector('#card-1').textContent === deal[0]", arg=walk.deal)
        assert golden(page) == {game.places[history] for history in walk.histories} - {"deal", "start"}
        assert page.inner_text("#card-1") + page.inner_text("#card-2") == walk.deal


def test_edges_are_as_wide_as_play_comes_by_and_gold_only_where_something_was_drawn(page) -> None:
    opened(page, "/learn/cfr-plus?t=3&deal=QJ")
    current = rl.solve("kuhn", "cfr+", iterations=3).current
    assert not golden(page)
    widths = dict(
        page.locator("#tree .edge[data-to]").evaluate_all(
            "all => all.map(edge => [edge.dataset.to, parseFloat(edge.style.strokeWidth)])"
        )
    )
    checked = current["Q"]["check"]
    reach = {"check": checked, "bet": 1 - checked, "check-bet": checked * current["Jc"]["bet"]}
    thin, thick = 1.5, 12
    for node, often in reach.items():
        assert widths[node] == pytest.approx(thin + (thick - thin) * often, abs=0.01)


# Inside one iteration.


PLACE = "document.querySelector('#inside-place').textContent"


def values_in_tree(page) -> dict[str, float]:
    """What the tree says player 1 can expect at each decision, by its label."""
    told = page.locator("#tree .decision").evaluate_all(
        "all => all.map(each => [each.dataset.label, each.querySelector('.value').textContent])"
    )
    return {label: read(text) for label, text in told if text}


def test_inside_one_iteration_every_step_shows_what_the_engine_says(new_page) -> None:
    """Forward to its end by the key, as the engine tells it: gold, values, what is added, regrets, strategies."""
    page = opened(new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce"), "/learn/cfr-plus?t=4")
    run = WatchedRun(watched_game("1", "1"), rl.recipe("cfr+"), 0)
    run.go(4)
    told = run.inside()
    nodes = {infoset["node"]: infoset for infoset in run.game.described()["infosets"]}
    shown = rl.solve("kuhn", "cfr+", iterations=4)
    regrets = {label: list(shown.regrets[label].values()) for label in LABELS}
    current = {label: list(shown.current[label].values()) for label in LABELS}
    for step in told.steps:
        page.keyboard.press("i")
        page.wait_for_function("text => document.querySelector('#sentence').textContent === text", arg=step.sentence)
        assert page.evaluate(PLACE) == step.place
        assert page.inner_text("#card-1") + page.inner_text("#card-2") == step.deal
        assert golden(page) == (set(step.nodes) - {"start"} if step.phase == "down" else set())
        expected = {
            step.deal[nodes[node]["player"]] + nodes[node]["label"][1:]: value
            for node, value in step.values.items()
            if node in nodes
        }
        assert values_in_tree(page) == pytest.approx(expected, abs=5.1e-3)
        regrets, current = step.regrets or regrets, step.current or current
        for label in ("J", "Qcb", "Kb", "Jc"):
            now = card(page, label)
            numbers = step.added.get(label, regrets[label])
            assert [now["first"], now["second"]] == pytest.approx(numbers, rel=5e-3, abs=5e-6)
            assert now["now"] == pytest.approx(current[label][1], abs=5.1e-4)
    assert stat(page, "iteration") == "4"
    page.keyboard.press("i")
    wait_for_iteration(page, 5)
    assert page.is_hidden("#inside-place")
    check_against_the_engine(page, "cfr-plus")


def test_inside_goes_back_and_can_be_left(page) -> None:
    opened(page, "/learn/external-sampling?t=2")
    before = page.inner_text("#sentence")
    page.click("#inside")
    page.wait_for_function(f"() => {PLACE} === 'Pass 1 of 2'")
    first = page.inner_text("#sentence")
    page.click("#inside-next")
    assert page.inner_text("#sentence") != first
    page.click("#inside-back")
    assert page.inner_text("#sentence") == first
    page.keyboard.press("Shift+I")
    assert page.inner_text("#sentence") == before
    page.keyboard.press("i")
    page.wait_for_selector("#inside-place", state="visible")
    page.keyboard.press("Escape")
    page.wait_for_selector("#inside-place", state="hidden")
    page.keyboard.press("i")
    page.wait_for_selector("#inside-place", state="visible")
    page.keyboard.press("s")  # does the iteration at once
    wait_for_iteration(page, 3)
    assert page.is_hidden("#inside-place")


def test_play_at_slow_speeds_goes_through_the_inside_by_itself(page) -> None:
    opened(page, "/learn/external-sampling?speed=-1")
    assert page.inner_text("#speed-word") == "inside"
    page.keyboard.press(" ")
    page.wait_for_function(f"() => {PLACE} === 'Pass 1 of 2'")
    flying = page.wait_for_selector(".flying", state="attached")
    page.wait_for_function("each => !each.isConnected", arg=flying)
    page.keyboard.press(" ")
    page.wait_for_selector("#play:not(.playing)")
    rested = page.inner_text("#sentence")
    page.wait_for_timeout(1_300)
    assert page.inner_text("#sentence") == rested
    page.locator("#speed").press("End")
    page.keyboard.press("p")
    wait_until_after(page, 50)


def test_regret_bars_of_all_cards_have_one_scale_that_is_told(page) -> None:
    for slug in ("cfr", "cfr-plus"):
        opened(page, f"/learn/{slug}?t=50")
        solution = rl.solve("kuhn", slug.replace("-plus", "+"), iterations=50)
        full = read(page.inner_text("#scale"))
        assert "chip" in page.inner_text("#scale")
        regrets = [regret for label in LABELS for regret in solution.regrets[label].values()]
        spread = max(regrets) - min(0, *regrets)
        assert spread <= full <= 2.5 * spread
        bars = (
            "all => all.map(bar => [Number(bar.style.getPropertyValue('--length')), bar.classList.contains('below')])"
        )
        for label in LABELS:
            drawn = page.locator(f'.info[data-label="{label}"] .regret-bar').evaluate_all(bars)
            for (length, left), regret in zip(drawn, solution.regrets[label].values(), strict=True):
                assert length == pytest.approx(abs(regret) / full, abs=1e-3)
                assert left == (regret < 0)
        zero = float(
            page.evaluate("getComputedStyle(document.querySelector('.regret-bar')).getPropertyValue('--zero')")
        )
        assert 0 <= zero < 1
        assert zero * full >= -min(0, *regrets)
        assert (zero > 0) == (min(regrets) < 0)  # where nothing is below 0, no room is kept for it


def test_all_that_moves_is_on_one_screen(new_page) -> None:
    """At 1280 × 800 tree, cards, curve and controls are seen together, with the drawer or without."""
    page = opened(new_page(viewport={"width": 1280, "height": 800}), "/learn/predictive-normalhedge-plus?t=12")
    parts = ["h1", "#play", "#speed", "#small-curve", "#tree", '[data-stat="average"]', "#sentence", "#infosets"]
    places = "all => all.map(part => document.querySelector(part).getBoundingClientRect().bottom)"
    assert all(0 < bottom <= 800 for bottom in page.evaluate(places, [*parts, '.info[data-label="Kcb"]']))
    page.click("text=The rules in three lines")
    assert max(page.evaluate(places, [".rules li:last-child", "#infosets"])) <= 800
    page.click("text=What the signs mean")
    assert page.is_hidden(".rules")  # one at a time
    page.click("text=What the signs mean")
    page.click('.info[data-label="Qb"] button')
    wait_for_arithmetic(page)
    assert max(page.evaluate(places, ["#drawer", "#infosets"])) <= 800
    drawer, card_place = (page.locator(part).bounding_box() for part in ("#drawer", '.info[data-label="J"]'))
    assert drawer["x"] + drawer["width"] <= card_place["x"]  # it covers no card
    assert page.evaluate("scrollY") == 0
    page.click("#small-curve")
    assert page.locator("#chart-gap").bounding_box()["y"] < 800


def test_drawer_closes_with_escape_and_gives_the_focus_back(page) -> None:
    opened(page, "/learn/cfr-plus?t=3")
    assert page.is_hidden("#drawer")
    page.focus('.info[data-label="Kb"] button')
    page.keyboard.press("Enter")
    wait_for_arithmetic(page, "at Kb")
    assert page.evaluate("document.querySelector('#drawer').contains(document.activeElement)")
    page.wait_for_url("**/learn/cfr-plus?*info=Kb*")
    page.keyboard.press("Escape")
    assert page.is_hidden("#drawer")
    assert page.evaluate("document.activeElement.textContent") == "Kb"
    page.wait_for_url(lambda url: "info" not in url)


def test_nothing_of_the_arithmetic_is_cut(new_page) -> None:
    """Its tables and formulas fit into the drawer, on the usual screens, also where a sum has three terms."""
    for width, query in ((1280, "t=120&info=Qcb"), (1920, "t=120&info=Qcb"), (1280, "game=leduc&t=9&info=Q")):
        page = opened(new_page(viewport={"width": width, "height": 800}), f"/learn/cfr-plus?{query}")
        wait_for_arithmetic(page)
        sums = page.locator("#arithmetic .equations")
        assert all(sums.evaluate_all("all => all.map(each => each.scrollWidth <= each.clientWidth)"))
        inner = "document.querySelector('#arithmetic')"
        assert page.evaluate(f"{inner}.scrollWidth <= {inner}.clientWidth")
        tables = page.locator("#arithmetic table").evaluate_all(
            f"all => all.map(each => each.getBoundingClientRect().right <= {inner}.getBoundingClientRect().right + 1)"
        )
        assert len(tables) >= 2
        assert all(tables)


def test_arithmetic_is_that_of_the_chosen_information_set(page) -> None:
    opened(page, "/learn/cfr-plus?t=3")
    page.click('.info[data-label="J"]')
    page.select_option("#choose-info", "Qcb")
    told = rl.explain("kuhn", "cfr+", "Qcb", 3)
    wait_for_arithmetic(page, "iteration 3 at Qcb")
    text = page.inner_text("#arithmetic")
    for regret in told.regret_after:
        assert f"{regret:.4g}" in text
    page.wait_for_timeout(400)  # the page rests between two questions; what it asks afterwards, it asks by itself
    page.click("#step")
    wait_for_arithmetic(page, "iteration 4 at Qcb")


def readout(page, chart: str) -> list[float]:
    """What a chart tells about its last point: the iteration, then each line."""
    page.locator(f"{chart} .chart-reader").press("End")
    return [read(text) for text in page.locator(f"{chart} .chart-readout :is(.chart-where, b)").all_inner_texts()]


def test_charts_end_with_the_numbers_of_the_engine_and_follow_the_run_back(page) -> None:
    opened(page, "/learn/cfr-plus?t=60")
    points = "document.querySelector('#chart-gap .chart-plot .chart-line').getAttribute('d').match(/[ML]/g).length"
    for iteration in (60, 59):
        wait_for_iteration(page, iteration)
        drawn = {charted for charted in CHARTED if charted <= iteration} | {iteration}
        page.wait_for_function(f"n => {points} === n", arg=len(drawn))
        solution = rl.solve("kuhn", "cfr+", iterations=iteration)
        gap = [1000 * solution.exploitability, 1000 * solution.current_exploitability]
        shown = readout(page, "#chart-gap")  # after these comes vanilla CFR, where it has a point nearby
        assert shown[:3] == pytest.approx([iteration, *gap], rel=5e-3)
        key = [solution.strategy[label][action] for label, action in KEY]
        assert readout(page, "#chart-key") == pytest.approx([iteration, *key], rel=5e-3)
        page.click("#back")


def test_keyboard_alone_is_enough(page) -> None:
    opened(page, "/learn/cfr-plus")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    wait_for_iteration(page, 1)
    page.keyboard.press("s")
    wait_for_iteration(page, 2)
    page.keyboard.press("ArrowLeft")
    wait_for_iteration(page, 1)
    for label in ("J", "Q"):
        page.keyboard.press("n")
        page.wait_for_selector(f'.info.chosen[data-label="{label}"]')
    page.keyboard.press(" ")
    page.wait_for_selector("#play.playing")
    page.keyboard.press(" ")
    page.wait_for_selector("#play:not(.playing)")
    page.keyboard.press("?")
    assert "play or pause" in page.inner_text("dialog")
    page.keyboard.press("Escape")
    assert page.locator("dialog").count() == 0
    page.focus('.info[data-label="Kb"] button')
    page.keyboard.press("Enter")
    page.wait_for_selector('.info.chosen[data-label="Kb"]')
    page.focus('.decision[data-label="J"]')
    page.keyboard.press("Enter")
    page.wait_for_selector('.info.chosen[data-label="J"]')


def test_unit_is_explained_on_focus_and_escape_closes_it(page) -> None:
    opened(page, "/learn/cfr")
    page.focus('[aria-describedby="unit-help"]')
    assert "thousandths of the ante" in page.inner_text("#unit-help")
    assert page.is_visible("#unit-help")
    page.keyboard.press("Escape")
    assert page.is_hidden("#unit-help")


@pytest.fixture
def lenient_page(browser, address: str):
    """A page whose console may complain: browsers note every request there that was refused."""
    context = browser.new_context(base_url=address)
    yield context.new_page()
    context.close()


def test_what_is_pressed_before_the_run_is_there_counts(page) -> None:
    waiting = []
    page.route("**/api/sessions", lambda route: waiting.append(route))
    page.goto("/learn/cfr")
    page.click("#step")
    page.keyboard.press("s")
    assert page.locator("main[data-ready]").count() == 0
    while not waiting:
        page.wait_for_timeout(10)
    waiting[0].continue_()
    wait_for_iteration(page, 2)
    check_against_the_engine(page, "cfr")


def test_wrong_values_are_answered_in_one_line(lenient_page) -> None:
    page = opened(lenient_page, "/learn/dcfr?t=5")
    page.click("#setup summary")
    page.fill('[name="ante"]', "-1")
    page.click("text=Start anew")
    page.wait_for_selector(".notice")
    assert "Ante -1 must be" in page.inner_text(".notice")
    assert stat(page, "iteration") == "5"


def test_run_that_the_server_has_forgotten_goes_on(lenient_page, client) -> None:
    with lenient_page.expect_response("**/api/sessions") as made:
        page = opened(lenient_page, "/learn/cfr-plus?t=9")
    client.delete(f"/api/sessions/{made.value.json()['session']}").raise_for_status()
    page.click("#step")
    wait_for_iteration(page, 10)
    check_against_the_engine(page, "cfr-plus")


def test_what_differs_is_one_click_away_and_whole_on_a_phone(new_page) -> None:
    page = opened(new_page(viewport={"width": 390, "height": 844}), "/learn/cfr-plus?t=3")
    page.click(".lead a")
    page.wait_for_function(
        "() => document.querySelector('#changes-title').getBoundingClientRect().top < innerHeight / 2"
    )
    assert page.evaluate("scrollY") > 1_000
    table = "document.querySelector('.formulas')"
    assert page.evaluate(f"{table}.scrollWidth <= {table}.clientWidth")


def test_nothing_pokes_out_on_the_narrowest_phones(new_page) -> None:
    """320 pixels are also what is left of a screen at fourfold size; labels stay inside their pictures."""
    page = opened(new_page(viewport={"width": 320, "height": 640}, has_touch=True), "/learn/cfr-plus?t=120")
    page.click(".info[data-label=K] h4 button")
    wait_for_arithmetic(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.wait_for_selector("#chart-gap .chart-name")
    out = """all => all.filter(text => {
        const [inner, outer] = [text, text.ownerSVGElement].map(each => each.getBoundingClientRect());
        return inner.width && (inner.left < outer.left - 1 || inner.right > outer.right + 1);
    }).map(text => text.textContent)"""
    assert page.locator("svg text").evaluate_all(out) == []


@pytest.mark.parametrize("path", ["/", "/learn/normalhedge?t=40", "/learn/hs-dcfr?t=40"])
def test_phone_needs_no_sideways_scrolling(new_page, path: str) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    whole(page, path)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/learn/cfr-plus?t=40"])
def test_nothing_serious_for_axe(new_page, path: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = new_page(viewport=WIDE, color_scheme=scheme)
    whole(page, path)
    found = axe.Axe().run(page).response["violations"]
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    assert not serious, [(each["id"], [node["html"][:120] for node in each["nodes"]]) for each in serious]


def test_nothing_jumps_while_the_numbers_arrive_and_the_run_plays(new_page) -> None:
    page = new_page(viewport=WIDE)
    add = "list => list.getEntries().forEach(each => { window.shift += each.value })"
    watch = f"new PerformanceObserver({add}).observe({{type: 'layout-shift', buffered: true}})"
    page.add_init_script(f"window.shift = 0; {watch}")
    opened(page, "/learn/cfr-plus")
    page.keyboard.press(" ")
    wait_until_after(page, 8)
    page.keyboard.press(" ")
    page.wait_for_selector("#play:not(.playing)")
    assert page.evaluate("window.shift") < LARGEST_SHIFT


def test_first_page_is_small(new_page) -> None:
    page = opened(new_page(), "/learn/cfr-plus")
    page.wait_for_load_state("networkidle")
    sizes = (
        "['navigation', 'resource'].flatMap(kind => performance.getEntriesByType(kind)).map(each => each.transferSize)"
    )
    assert 20_000 < sum(page.evaluate(sizes)) < 150_000


def test_hidden_page_lets_the_run_rest(page) -> None:
    opened(page, "/learn/cfr-plus")
    page.click("#play")
    wait_until_after(page, 3)
    hide = "hidden => { Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});"
    hide += " document.dispatchEvent(new Event('visibilitychange')) }"
    page.evaluate(hide, True)
    for _ in range(20):
        rested = stat(page, "iteration")
        page.wait_for_timeout(500)
        if stat(page, "iteration") == rested:  # until then frames came that were on their way
            break
    assert stat(page, "iteration") == rested
    page.evaluate(hide, False)
    wait_until_after(page, int(rested))


def test_home_leads_everywhere(page) -> None:
    page.goto("/")
    links = page.locator("main a").evaluate_all("all => all.map(a => new URL(a.href).pathname)")
    assert {f"/learn/{slug}" for slug in FEATURED} | {
        "/race",
        "/play",
        "/exploitability",
        "/exercises",
        "/glossary",
    } <= set(links)
    page.click("text=Watch CFR+ learn")
    page.wait_for_selector("main[data-ready]")


def test_words_and_formulas_are_there_without_scripts(new_page) -> None:
    page = new_page(java_script_enabled=False)
    page.goto("/learn/normalhedge")
    assert page.inner_text("h1").startswith("NormalHedge")
    assert "Chaudhuri" in page.inner_text(".cited")
    assert page.locator(".formulas math").count() >= 6


def test_link_to_play_leads_to_this_very_bot(page) -> None:
    opened(page, "/learn/cfr-plus?t=7&bet=2")
    link = page.locator("#against")
    query = parse_qs(urlsplit(link.get_attribute("href")).query)
    assert query == {"game": ["kuhn"], "ante": ["1"], "bet": ["2"], "recipe": ["cfr-plus"], "iterations": ["7"]}
    link.click()
    page.wait_for_selector("#choices button")
    gap = rl.solve("kuhn(bet=2)", "cfr+", iterations=7).exploitability
    said = page.inner_text("#bot-about").partition("exploitability is ")[2]
    assert read(said) == pytest.approx(1000 * gap, rel=5e-3)
    opened(page, "/learn/cfr-plus?t=7&delay=3")
    assert page.is_hidden("#against")  # nobody at the table has learned like that


# Networks.


@pytest.fixture
def room_for_networks(client):
    """What pages have opened is closed: there may be few of them."""
    pytest.importorskip("torch")

    def close_all() -> None:
        open_now = client.server.page.state.register._sessions
        for name in [name for name, session in open_now.copy().items() if session.trains_networks]:
            client.delete(f"/api/sessions/{name}")

    close_all()
    yield
    close_all()


@pytest.mark.usefixtures("room_for_networks")
def test_page_of_networks_steps_goes_back_and_plays(page) -> None:
    parameters = {"training": "10", "layers": "1", "width": "8"}
    opened(page, f"/learn/deep-cfr?seed=3&info=Qcb&{urlencode(parameters)}")
    assert page.locator("#against").count() == 0
    for iteration in (1, 2):
        page.click("#step")
        wait_for_iteration(page, iteration)
    solution = check_against_the_engine(page, "deep-cfr", seed=3, parameters=parameters)
    said = page.inner_text("#in-python")
    assert said == f'rl.solve("kuhn", "{solution.recipe.name}", iterations=2, seed=3)'
    for player in (0, 1):
        held = len(solution.learned[f"memory.advantages{player}.weight"])
        assert page.inner_text(f'[data-memory="advantages {player}"]') == f"{held:,} of 1,000"
        assert 0 < read(page.inner_text(f'[data-loss="advantages {player}"]')) < 1
    wait_for_arithmetic(page, "iteration 2 at Qcb")
    page.click("#back")
    wait_for_iteration(page, 1)
    check_against_the_engine(page, "deep-cfr", seed=3, parameters=parameters)
    page.click("#play")
    page.wait_for_selector("#busy.now")
    wait_until_after(page, 2)
    page.click("#play")
    page.wait_for_selector("#play:not(.playing)")
    page.wait_for_selector("#busy:not(.now)", state="hidden")
    check_against_the_engine(page, "deep-cfr", seed=3, parameters=parameters)


@pytest.mark.usefixtures("room_for_networks")
def test_networks_that_the_server_has_forgotten_learn_once_more(lenient_page, client) -> None:
    """Whether a button is pressed or an information set chosen, when they are gone."""
    page = opened(lenient_page, "/learn/sd-cfr?t=3&training=5&layers=1")
    for key in ("n", "ArrowLeft"):
        wait_for_iteration(page, 3)
        page.wait_for_selector("#play:not(.playing)")
        page.wait_for_timeout(400)  # the page rests between two questions
        (name,) = [name for name, each in client.server.page.state.register._sessions.items() if each.trains_networks]
        client.delete(f"/api/sessions/{name}").raise_for_status()
        page.keyboard.press(key)
        page.wait_for_selector("#play.playing")
    wait_for_iteration(page, 2)  # it comes to 3 once more, and then steps back
    page.wait_for_selector("#play:not(.playing)")
    check_against_the_engine(page, "sd-cfr", parameters={"training": "5", "layers": "1"})


@pytest.mark.usefixtures("room_for_networks")
def test_page_of_networks_is_for_everybody(new_page) -> None:
    """Nothing serious for axe, on a phone nothing to scroll sideways, and a link leads to where one was."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    for viewport, scheme, slug in ((PHONE, "light", "sd-cfr"), (WIDE, "dark", "deep-cfr")):
        page = new_page(viewport=viewport, color_scheme=scheme)
        whole(page, f"/learn/{slug}?t=2&training=5&layers=1")
        wait_for_iteration(page, 2)
        assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"]
        found = axe.Axe().run(page).response["violations"]
        serious = [each for each in found if each["impact"] in ("serious", "critical")]
        assert not serious, [(each["id"], [node["html"][:120] for node in each["nodes"]]) for each in serious]
