"""The whole way through the Hold'em page: describe, solve, explore, ask why, go back in time, lock, compare.

What is displayed is what the engine says in this process of the same spot after the same iterations.
"""

from __future__ import annotations

import re
import time
from urllib.parse import urlencode

import pytest

from regretlab.endgames import holdem
from regretlab.solving import solve

expect = pytest.importorskip("playwright.sync_api", reason="needs playwright (requirements-dev.txt)").expect

RIVER = {
    "board": "Td9d6hQc2s", "pot": "100", "stack": "200", "oop": "QQ,AQs,JTs,87s:0.5,A5s",
    "ip": "KK,AQs,T9s,A5s,KJo:0.25", "bets": "50%, a", "raises": "a",
}  # fmt: skip
ADDRESS = f"/holdem?{urlencode({'name': 'river-srp', **RIVER, 'until': '0.5%'})}"
PHONE = {"viewport": {"width": 390, "height": 800}, "reduced_motion": "reduce"}


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def plain(text: str) -> str:
    return text.replace("−", "-").replace("\n", "").replace("\t", "")


def opened(page, address: str = ADDRESS):
    page.goto(address)
    page.wait_for_selector("main[data-described=true]")
    return page


def solved(page, number: int = 1) -> None:
    """Waits for so many solves, and until the last one is explored."""
    page.wait_for_selector(f"#solves li:nth-child({number})[data-state=done]")
    expect(page.locator("#explore .step[aria-current]")).to_be_visible()
    expect(page.locator("#explore .explore-status")).not_to_contain_text("still being solved")


def engine(page, client, place: int = 0):
    """The solution of one of the page's solves, found again by the engine in this process."""
    name = page.locator("#solves li").nth(place).get_attribute("data-solve")
    told = client.get(f"/api/holdem/solves/{name}").json()
    return solve(holdem(**told["fields"]), "dcfr", iterations=told["iteration"])


def whole_rows(page) -> list[list[str]]:
    """The numbers of the comparison: before, after, change."""
    rows = page.locator(".compare-whole tbody tr")
    expect(rows).to_have_count(3)
    return [[plain(text) for text in rows.nth(k).locator("td").all_inner_texts()] for k in range(3)]


def worth(node) -> list[str]:
    """What the comparison says of a decision."""
    shares = [percent(often) for often in node.frequencies.values()]
    return [*shares, *(f"{ev:.2f}" for ev in node.evs), *(percent(ev / node.pot) for ev in node.evs)]


def set_slider(page, selector: str, value: int) -> None:
    page.locator(selector).evaluate(
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input', {bubbles: true})) }", value
    )


def test_from_a_painted_range_to_a_locked_answer_and_back_after_a_reload(page, client) -> None:
    opened(page)
    field = "section:has(> .head #ip-title) td[data-hand='AA']"
    with page.expect_response("**/api/holdem/describe"):
        page.locator(field).click()
    expect(page.locator("#ip")).to_have_value(re.compile(r"KK\+"))
    page.click("#go")
    solved(page)

    # Three actions; at the fourth decision ten numbers are the engine's.
    solution = engine(page, client)
    for action in ("check", "bet 50", "raise 200"):
        page.locator(".step[aria-current]").get_by_role("button", name=action).click()
        expect(page.locator(".step[aria-pressed], .step .act[aria-pressed=true]").last).to_contain_text(action)
    node = solution.at("check", "bet 50", "raise 200")
    expect(page.locator(".summary h3")).to_have_text("In position acts")
    expect(page.locator(".step[aria-current] .act small")).to_have_text([percent(x) for x in node.frequencies.values()])
    both = page.locator(".both tbody tr")
    for player in (0, 1):
        shown = both.nth(player).locator("td").all_inner_texts()[:4]
        combos = float((node.sides[player].reach * _weights(solution, player, node)).sum())
        assert shown[:3] == [
            f"{node.evs[player]:.2f}",
            percent(node.evs[player] / node.pot),
            percent(node.equities[player]),
        ]
        assert float(shown[3]) == pytest.approx(combos, abs=0.06)

    # In position never bluffs here any more: what does the other player make of it?
    page.locator("button.step-head").nth(1).click()
    expect(page.locator("#hold-title")).to_have_text("In position after check")
    set_slider(page, "#hold-0", 90)
    assert page.locator("#hold-sliders output").all_inner_texts()[0] == "90 %"
    page.click("#hold-go")
    expect(page.locator("#held li")).to_contain_text("IP check all hands: check 90.0 %")
    page.click("#again")
    solved(page, 2)
    expect(page.locator("#solves li:nth-child(2) b")).to_have_text("dcfr, locked")
    before, after = (engine(page, client, place).at("check") for place in (0, 1))
    assert after.frequencies["check"] == pytest.approx(0.9)
    expect(page.locator(".compare-whole tbody tr").nth(1).locator("td").first).to_have_text("90.0 %")
    rows = whole_rows(page)
    assert rows[:2] == [worth(before), worth(after)]
    assert rows[2][0] == f"{100 * (0.9 - before.frequencies['check']):+.1f}"
    assert rows[2][3] == f"{after.evs[0] - before.evs[0]:+.2f}"

    # Nothing is lost when the page comes back; the lock can be taken away again.
    page.wait_for_url(re.compile("lock=.*beside="))
    page.reload()
    solved(page, 2)
    expect(page.locator(".compare-whole tbody tr").nth(1).locator("td").first).to_have_text("90.0 %")
    assert whole_rows(page) == rows
    page.get_by_role("button", name="Remove the lock after check").click()
    expect(page.locator("#held-none")).to_be_visible()
    expect(page.locator("#other")).to_be_visible()  # the form is another spot now than what is explored
    with page.expect_download() as saved:
        page.click("#download")
    assert "lock" not in saved.value.path().read_text()


def _weights(solution, player: int, node):
    spot = solution.form.rules
    known = dict(zip(spot.hands(player), spot.hand_weights(player).tolist(), strict=True))
    return [known[name] for name in node.sides[player].cards.tolist()]


def test_the_same_by_keyboard_alone_on_a_phone(new_page, client) -> None:
    page = opened(new_page(**PHONE))
    page.focus("#board")
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("s")
    solved(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.keyboard.press("x")
    expect(page.locator("#hold-title")).to_have_text("In position after check")
    tab_to(page, "#hold-0")
    page.keyboard.press("Home")
    expect(page.locator("#hold-sliders output").first).to_have_text("0 %")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#hold-sliders output").first).to_have_text("5 %")
    tab_to(page, "#hold-go")
    page.keyboard.press("Enter")
    expect(page.locator("#held li")).to_contain_text("check 5.0 %")
    tab_to(page, "#again")
    page.keyboard.press("Enter")
    solved(page, 2)
    expect(page.locator(".compare-whole tbody tr").nth(1).locator("td").first).to_have_text("5.0 %")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def tab_to(page, selector: str) -> None:
    """Press Tab until something has the focus."""
    for _ in range(400):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} can't be reached by Tab")


@pytest.fixture(scope="module")
def pair(shared_client) -> list[str]:
    """Two solves of the river, the second with a lock; for tests that only look."""
    names = []
    for more in ({}, {"lock": {"check": "KK: check; *: bet 50"}}):
        order = {"fields": RIVER | more, "recipe": "dcfr", "until": "0.5%"}
        names.append(shared_client.post("/api/holdem/solves", json=order).json()["solve"])
    while any(shared_client.get(f"/api/holdem/solves/{name}").json()["state"] != "done" for name in names):
        time.sleep(0.1)
    return names


def both_shown(page, pair):
    query = {"name": "river-srp", **RIVER, "lock": '{"check":"KK: check; *: bet 50"}', "line": "check"}
    return opened(page, f"/holdem?{urlencode(query | {'solve': f'{pair[1]},{pair[0]}', 'beside': pair[0]})}")


def test_back_in_time_a_hand_and_the_whole_place(page, client, pair) -> None:
    page = opened(page, f"/holdem?{urlencode({'name': 'river-srp', **RIVER, 'solve': pair[0]})}")
    solved(page)
    then = solve(holdem(**RIVER), "dcfr", iterations=7)
    page.locator(".side:not([hidden]) td", has_text="JTs").click()
    page.locator(".hands .why-button").first.click()
    rows = page.locator(".past tbody tr")
    expect(rows).to_have_count(3)
    place = client.get(f"/api/holdem/solves/{pair[0]}/node").json()["moments"].index(7)
    set_slider(page, "#past-at", place)
    expect(page.locator(".past-seek output")).to_contain_text("7 iterations, ")
    expect(rows.locator("td:nth-of-type(1)")).to_have_text([percent(x) for x in then.strategy["JsTs"].values()])
    expect(rows.locator("td:nth-of-type(2)")).to_have_text([percent(x) for x in then.current["JsTs"].values()])
    page.locator(".past-next summary").click()
    expect(page.locator(".past-next math").first).to_be_visible()

    set_slider(page, "#timeline", place)
    expect(page.locator(".explore-status")).to_contain_text("after 7 iterations")
    expect(page.locator(".step[aria-current] .act small")).to_have_text(
        [percent(x) for x in then.at().frequencies.values()]
    )
    page.get_by_role("button", name="Back to now").click()
    expect(page.locator(".explore-status")).not_to_contain_text("after 7 iterations")


def test_hands_are_chosen_for_a_lock_by_a_field_a_filter_or_letters(page, pair) -> None:
    page = opened(page, f"/holdem?{urlencode({'name': 'river-srp', **RIVER, 'solve': pair[0], 'line': 'check'})}")
    solved(page)
    page.locator(".side:not([hidden]) td", has_text="KK").click()
    page.locator("#hold-which input[value=field]").check(force=True)
    set_slider(page, "#hold-2", 100)
    page.click("#hold-go")
    expect(page.locator("#held code")).to_have_text("KK: bet 200")
    page.locator("#hold-which input[value=letters]").check(force=True)
    page.fill("#hold-hands", "22")
    page.click("#hold-go")
    expect(page.locator("#hold-wrong")).to_have_text("Hands 22 has no hand that ip can hold here.")
    page.fill("#hold-hands", "AQs, A5s")
    set_slider(page, "#hold-0", 100)
    page.click("#hold-go")
    expect(page.locator("#held code")).to_have_text("KK: bet 200; AQs,A5s: check")


def test_sliders_stand_where_the_solution_does_until_they_are_moved(page) -> None:
    """They come up with the first numbers of a solve, and follow while it goes on; what people set is theirs."""
    opened(page)
    page.fill("#until", "0.0000001%")
    page.click("#go")
    status = page.locator("#explore .explore-status")
    expect(status).to_contain_text(re.compile(r"after [\d,]{3,} iterations"))  # long after the first look
    pause = page.locator("#solves [data-do=pause]")
    pause.click()
    expect(status).not_to_contain_text("still being solved")
    shown = page.locator(".step[aria-current] .act small").all_inner_texts()
    sliders = page.locator("#hold-sliders output").all_inner_texts()
    assert [_number(text) for text in sliders] == pytest.approx([_number(text) for text in shown], abs=1.05)
    set_slider(page, "#hold-0", 3)
    before = status.inner_text()
    pause.click()
    expect(status).not_to_have_text(before)
    expect(page.locator("#hold-sliders output").first).to_have_text("3 %")
    page.locator("#solves [data-do=remove]").click()


def _number(text: str) -> float:
    return float(text.split()[0])


def test_who_waits_for_the_first_numbers_is_told_why(page) -> None:
    page.route("**/api/holdem/solves/*/stream", lambda route: None)  # as from a process that compiles
    opened(page)
    page.click("#go")
    state = page.locator("#solves .state")
    expect(state).to_have_text("getting ready")
    expect(state).to_contain_text("the first solve on a computer compiles the engine")


def test_recipes_race_from_one_click(page) -> None:
    opened(page)
    page.click("#race summary")
    for recipe in ("pcfr+", "cfr"):
        page.locator(f"#racers input[value='{recipe}']").uncheck()
    page.click("#start-race")
    solved(page, 2)
    rows = page.locator(".standings tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.locator("td").first).to_have_text("1.")
    page.locator("#upwards input[value='3']").check(force=True)
    expect(page.locator("#chart")).to_contain_text("exploitability, chips")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_for_axe_where_one_locks_compares_and_goes_back(new_page, pair, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = both_shown(new_page(viewport={"width": 1280, "height": 900}, color_scheme=scheme), pair)
    solved(page, 2)
    expect(page.locator(".compare-whole tbody tr")).to_have_count(3)
    page.locator("#explore .side:not([hidden]) td", has_text="KK").click()
    page.locator(".hands .why-button").first.click()
    expect(page.locator(".past tbody tr")).to_have_count(3)
    expect(page.locator(".past")).to_contain_text("This hand is locked here")
    page.click("#race summary")
    serious = [
        (each["id"], [node["html"] for node in each["nodes"]][:3])
        for each in axe.run(page).response["violations"]
        if each["impact"] in ("serious", "critical")
    ]
    assert not serious


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("compare?with=nobody&line=check", 404, "there is no such spot"),
        ("compare?with={0}&line=chek", 400, "did you mean 'check'"),
        ("compare?with={0}&line=check&kinds=top%20pear", 400, "top pair"),
        ("node?line=check&at=4", 400, "unknown iteration that is kept '4'"),
        ("node?line=check&at=soon", 400, "at=soon"),
        ("past?line=check&hand=KsKs", 400, "KsKs"),
        ("past?line=check&hand=" + "A" * 900, 400, "hand"),
        ("past?line=&hand=2c2d", 400, "unknown hand here"),
        ("why?line=check&hand=KsKh&at=0", 400, "at=0 must be a whole number, at least 1"),
    ],
)
def test_a_bad_address_is_refused_in_one_line(client, pair, path: str, status: int, said: str) -> None:
    answer = client.get(f"/api/holdem/solves/{pair[1]}/{path.format(pair[0])}")
    assert answer.status_code == status
    assert said in answer.json()["error"]
    assert len(answer.json()["error"]) < 1_000
    assert client.get(f"/api/holdem/solves/{pair[1]}").json()["state"] == "done"


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ({"hands": "AA," * 300_000}, "a body has at most 131,072 bytes"),
        ({"hands": "QQ+" * 20_000}, "hands="),
        ({"frequencies": [1e308, -1e308, 100]}, "is not between 0 and 100"),
        ({"frequencies": ["NaN", 0, 0]}, "is not between 0 and 100"),
        ({"frequencies": [{}, [], None]}, "is not between 0 and 100"),
        ({"line": ["check"] * 5_000}, "nobody acts after"),
        ({"fields": {"toml": "/etc/passwd"}}, "not the text of a spot"),
        ({"fields": RIVER | {"lock": {"check": 7}}}, "lock"),
        ({"fields": RIVER | {"lock": "nonsense"}}, "lock"),
    ],
)
def test_a_bad_lock_is_refused_in_one_line(client, order: dict, said: str) -> None:
    answer = client.post(
        "/api/holdem/lock", json={"fields": RIVER, "line": ["check"], "frequencies": [100, 0, 0]} | order
    )
    assert answer.status_code in (200, 413)
    assert said in answer.json()["error"]
    assert "\n" not in answer.json()["error"]
    assert len(answer.json()["error"]) < 1_000
