"""Walking through a solved spot on the page: what is displayed is what the engine says; keys, phones, files."""

from __future__ import annotations

import csv
import re
import time
from urllib.parse import quote

import pytest

from regretlab.endgames import holdem
from regretlab.endgames.hand_decision import why
from regretlab.solving import solve

expect = pytest.importorskip("playwright.sync_api", reason="needs playwright (requirements-dev.txt)").expect

RIVER = {
    "board": "Td9d6hQc2s", "pot": 100, "stack": 200, "oop": "QQ,AQs,JTs,87s:0.5,A5s", "ip": "KK,AQs,T9s,A5s,KJo:0.25",
    "bets": "50%, a", "raises": "a",
}  # fmt: skip
TURN = {
    "board": "Qs7h2d8c",
    "pot": 100,
    "stack": 60,
    "oop": "AA,KQs,T9s",
    "ip": "QQ,AJs,99",
    "bets": "50%",
    "raises": "",
}
PHONE = {"viewport": {"width": 390, "height": 800}, "has_touch": True}


@pytest.fixture(scope="module")
def solved(shared_client):
    """Has a spot solved: ``solved(RIVER)`` is the name of the solve; each is solved once."""
    names: dict[str, str] = {}

    def name_of(fields: dict) -> str:
        if fields["board"] not in names:
            order = {"fields": fields, "recipe": "dcfr", "until": "0.5%"}
            answer = shared_client.post("/api/holdem/solves", json=order)
            assert answer.status_code == 201, answer.text
            name = names[fields["board"]] = answer.json()["solve"]
            while (told := shared_client.get(f"/api/holdem/solves/{name}").json())["state"] != "done":
                assert told["state"] in ("waiting", "solving"), told
                time.sleep(0.1)
        return names[fields["board"]]

    return name_of


def open_at(page, name: str, line: str = ""):
    page.goto(f"/holdem?solve={name}&line={quote(line)}")
    expect(page.locator(".step[aria-current]")).to_be_visible()
    return page


@pytest.fixture
def river(page, solved):
    return open_at(page, solved(RIVER))


def explored(page):
    return page.locator("#explore")


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def numbers(row) -> list[str]:
    return row.locator("td").all_inner_texts()


def current(page):
    return page.locator(".step[aria-current]")


def act(page, action: str) -> None:
    current(page).get_by_role("button", name=action).click()


def test_three_actions_and_ten_numbers(river, client, solved) -> None:
    """Walk three actions; what is displayed at each stop equals the engine's."""
    name = solved(RIVER)
    iterations = client.get(f"/api/holdem/solves/{name}").json()["iteration"]
    solution = solve(holdem(**RIVER), "dcfr", iterations=iterations)
    for line, action in [("", "check"), ("check", "bet 50"), ("check, bet 50", "raise 200")]:
        node = solution.at(line)
        expect(river.locator(".summary h3")).to_have_text(("Out of position acts", "In position acts")[node.player])
        expect(current(river).locator(".act small").first).to_have_text(percent(next(iter(node.frequencies.values()))))
        act(river, action)
    node = solution.at("check, bet 50, raise 200")
    expect(current(river).locator(".act small")).to_have_text([percent(often) for often in node.frequencies.values()])
    both = river.locator(".both tbody tr")
    for player in (0, 1):
        assert numbers(both.nth(player))[:3] == [
            f"{node.evs[player]:.2f}", percent(node.evs[player] / node.pot), percent(node.equities[player]),
        ]  # fmt: skip
    river.locator(".side:not([hidden]) td", has_text="T9s").click()
    row = river.locator(".hands tbody tr").first
    place = node.cards.tolist().index("Ts9s")
    shown = [
        f"{percent(often)}{ev:.2f}" for often, ev in zip(node.strategy[place], node.action_evs[place], strict=True)
    ]
    said = [text.replace("\n", "").replace("\t", "").replace("−", "-") for text in numbers(row)]
    assert said == [*shown, f"{node.ev[place]:.2f}", percent(node.equity[place]), percent(node.sides[1].reach[place])]


def test_why_a_hand_does_what_it_does(river, client, solved) -> None:
    """The decision taken apart, with the engine's own numbers; it goes when one walks on."""
    name = solved(RIVER)
    iterations = client.get(f"/api/holdem/solves/{name}").json()["iteration"]
    found = why(solve(holdem(**RIVER), "dcfr", iterations=iterations).reading, (), "JsTs")
    river.locator(".side:not([hidden]) td", has_text="JTs").click()
    river.locator(".hands tbody tr", has_text="J♠").get_by_role("button").click()
    panel = river.locator(".why")
    expect(panel).to_contain_text("What bet 50 earns is a sum over what ip answers")
    rows = panel.locator("table").first.locator("tbody tr")
    earned = [text.replace("−", "-") for text in rows.locator("td:last-child").all_inner_texts()]
    assert [float(each) for each in earned] == pytest.approx([option.ev for option in found.options], rel=1e-3)
    act(river, "check")
    expect(panel).to_be_hidden()


def test_back_and_forth_by_keys_alone(river) -> None:
    """Letters choose, arrows walk the line; in the grid arrows move from field to field."""
    river.keyboard.press("x")
    expect(river.locator(".step.decision")).to_have_count(2)
    river.keyboard.press("1")
    expect(river.locator(".step.decision")).to_have_count(3)
    for _ in range(2):
        river.keyboard.press("ArrowLeft")
    expect(current(river)).to_contain_text("OOP")
    expect(river.locator(".step[data-later]")).to_have_count(2)
    river.keyboard.press("ArrowRight")
    expect(river.locator(".summary h3")).to_have_text("In position acts")
    river.keyboard.press("v")
    expect(explored(river).get_by_role("radio", name="EV")).to_be_checked()
    grid = explored(river).get_by_role("grid")
    grid.get_by_role("gridcell").first.focus()
    river.keyboard.press("ArrowRight")
    river.keyboard.press("ArrowDown")
    expect(river.locator(".field-hands h3")).to_contain_text("KK")
    river.keyboard.press("Enter")
    expect(grid.locator("[aria-selected]")).to_contain_text("KK")
    expect(current(river)).to_contain_text("IP")


def test_another_choice_forgets_what_came_after(river) -> None:
    act(river, "check")
    expect(river.locator(".step.decision")).to_have_count(2)
    act(river, "bet 50")
    expect(river.locator(".step.decision")).to_have_count(3)
    river.locator(".step.decision").first.get_by_role("button", name="bet 50").click()
    expect(river.locator(".step.decision")).to_have_count(2)
    act(river, "fold")
    expect(river.locator(".step.end")).to_contain_text("OOP gets the pot. Pot 150.")
    river.wait_for_url("**fold**")
    river.reload()
    expect(river.locator(".step.end")).to_be_visible()


def test_views_and_both_ranges(river) -> None:
    cell = river.locator(".side:not([hidden]) td", has_text="QQ").first
    for view, text in [
        ("EV", r"^QQ\d+(\.\d)?$"),
        ("Equity", r"^QQ\d+$"),
        ("Reach", r"^QQ100$"),
        ("Strategy", r"^QQ[x12]+$"),
    ]:
        explored(river).get_by_role("radio", name=view).check(force=True)
        expect(cell).to_have_text(re.compile(text))
    explored(river).get_by_role("radio", name="Both").check(force=True)
    expect(explored(river).get_by_role("grid")).to_have_count(2)


def test_a_filter_dims_fields_and_is_counted_by_the_server(river, client, solved) -> None:
    river.get_by_text("Filter hands").click()
    explored(river).get_by_role("button", name="set", exact=True).click()
    expect(river.locator(".side:not([hidden]) td.dimmed", has_text="AQs")).to_have_count(1)
    node = client.get(f"/api/holdem/solves/{solved(RIVER)}/node", params={"kinds": "set"}).json()
    expect(river.locator(".note.kept")).to_contain_text(
        f"keeps {percent(node['sides'][0]['kept']['share'])} of the range"
    )
    expect(river.locator(".note.kept")).to_contain_text(f"check {percent(node['sides'][0]['kept']['frequencies'][0])}")
    explored(river).get_by_role("button", name="All hands").click()
    expect(river.locator("td.dimmed")).to_have_count(0)


def test_all_next_cards_and_one_taken(page, solved) -> None:
    open_at(page, solved(TURN), "check, check")
    cards = page.locator(".card-grid button")
    expect(cards).to_have_count(48)
    page.locator(".card-grid [data-card='9h']").hover()
    expect(page.locator(".card-detail")).to_contain_text("OOP EV")
    page.locator(".card-grid [data-card='9h']").click()
    expect(page.locator(".explore-status")).to_contain_text("9")
    expect(page.locator(".step.card")).to_contain_text("9")
    expect(explored(page).get_by_role("grid")).to_have_count(1)


def test_what_can_be_kept(river, client) -> None:
    with river.expect_download() as download:
        explored(river).get_by_role("link", name="CSV").click()
    rows = list(csv.DictReader(download.value.path().read_text().splitlines()))
    assert rows[0]["player"] == "oop"
    for kind, beginning in [("SVG", b"<svg"), ("PNG", b"\x89PNG")]:
        with river.expect_download() as download:
            explored(river).get_by_role("button", name=kind).click()
        assert download.value.path().read_bytes().startswith(beginning)


def test_a_phone(new_page, solved) -> None:
    page = open_at(new_page(**PHONE), solved(RIVER), "check")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator(".side:not([hidden]) td", has_text="KK").tap()
    expect(page.locator(".field-hands h3")).to_contain_text("KK")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_for_axe(new_page, solved, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = open_at(new_page(viewport={"width": 1280, "height": 900}, color_scheme=scheme), solved(TURN), "check")
    page.locator(".side:not([hidden]) td", has_text="99").click()
    page.get_by_text("Filter hands").click()
    explored(page).get_by_role("radio", name="Both").check(force=True)
    for line in (None, "check, check"):
        if line:
            open_at(page, solved(TURN), line)
        serious = [
            (each["id"], [node["html"] for node in each["nodes"]][:3])
            for each in axe.run(page).response["violations"]
            if each["impact"] in ("serious", "critical")
        ]
        assert not serious


def test_a_line_that_leads_nowhere_is_left(new_page, solved) -> None:
    context = new_page(viewport={"width": 1280, "height": 900}).context
    page = context.new_page()  # whose console may say that the server has refused
    page.goto(f"/holdem?solve={solved(RIVER)}&line={quote('check, bet 7')}")
    expect(explored(page).locator(".wrong").first).to_contain_text("did you mean 'bet 50'")
    explored(page).get_by_role("button", name="Go to the beginning").click()
    expect(current(page)).to_contain_text("OOP")
    expect(explored(page).locator(".wrong").first).to_be_hidden()


def test_the_parts_of_the_page_are_a_press_away(new_page, solved) -> None:
    """The page is long, on a phone above all: buttons in sight lead to what is there, and say where one is."""
    page = new_page(**PHONE, reduced_motion="reduce")
    page.goto("/holdem")
    page.wait_for_selector("main[data-ready]")
    parts = page.locator("#parts button:visible")
    expect(parts).to_have_text(["Spot", "Solve"])
    open_at(page, solved(RIVER))
    expect(parts).to_have_text(["Spot", "Solve", "Explore", "Lock", "Train"])
    for name in ("Train", "Explore", "Spot"):
        parts.get_by_text(name).click()
        expect(page.locator("#parts [aria-current]")).to_have_text(name)
        expect(page.locator(f"#{name.lower()} h2")).to_be_in_viewport()
        expect(parts.first).to_be_in_viewport()
    page.locator("#solves").get_by_role("button", name="Explore").click()
    expect(page.locator("#explore h2")).to_be_in_viewport()
