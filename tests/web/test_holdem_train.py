"""Saved runs open in the Hold'em wing, and people play against them: what is displayed is what the engine says."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest

from regretlab.endgames import holdem
from regretlab.solving import Solution, solve
from regretlab.watch.spots.train import Training

expect = pytest.importorskip("playwright.sync_api", reason="needs playwright (requirements-dev.txt)").expect

RIVER = holdem(
    board="Td9d6hQc2s", pot=100, stack=200, oop="QQ,AQs,JTs,87s:0.5,A5s", ip="KK,AQs,T9s,A5s,KJo:0.25",
    bets="50%, a", raises="a",
)  # fmt: skip
PHONE = {"viewport": {"width": 390, "height": 800}, "has_touch": True}


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(RIVER, "dcfr", until="0.5%")


@pytest.fixture(scope="module")
def folder(solution: Solution, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A solved river, and files that are no runs of a spot."""
    folder = tmp_path_factory.mktemp("results")
    solution.save(folder / "river.npz")
    solve("kuhn", "cfr+", iterations=2).save(folder / "kuhn.npz")
    (folder / "notes.npz").write_text("no run")
    with np.load(folder / "river.npz") as file:
        arrays = dict(file)
    about = json.loads(arrays["about"].tobytes()) | {"game": "holdem:/etc/secret.toml"}
    np.savez(folder / "elsewhere.npz", **arrays | {"about": np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)})
    (folder / "cut.npz").write_bytes((folder / "river.npz").read_bytes()[:2000])
    return folder


@pytest.fixture(scope="module")
def client(run_server, patient, folder: Path) -> Iterator[httpx.Client]:
    """A server that shows the folder; all tests here share it."""
    with run_server(folder=folder) as client:
        yield client


@pytest.fixture(scope="module")
def address(client: httpx.Client) -> str:
    return str(client.base_url).rstrip("/")


@pytest.fixture(scope="module")
def opened_run(client: httpx.Client) -> str:
    """The saved run, open."""
    answer = client.post("/api/holdem/saved", json={"name": "river.npz"})
    assert answer.status_code == 201, answer.text
    wait_for(client, answer.json()["solve"], "done")
    return answer.json()["solve"]


def wait_for(client: httpx.Client, solve: str, state: str) -> dict:
    while (told := client.get(f"/api/holdem/solves/{solve}").json())["state"] != state:
        assert told["state"] in ("waiting", "solving"), told
        time.sleep(0.05)
    return told


def at_the_run(page, run: str):
    page.goto(f"/holdem?solve={run}")
    expect(page.locator("#train .sit button")).to_be_enabled()
    return page


def sit(page) -> None:
    page.locator("#train .sit button").click()
    expect(choices(page).first).to_be_focused()


def choices(page):
    return page.locator("#train .choices button")


def played(page) -> int:
    return int(page.locator("#train .account dd").first.inner_text())


def standing(page) -> str:
    """What changes with every move and every new hand."""
    return page.locator("#train .story").inner_html() + page.locator("#train h3").first.inner_html()


MOVED = """before => {
  const [story, title] = ["#train .story", "#train h3"].map((part) => document.querySelector(part).innerHTML);
  return story + title !== before;
}"""


def play_until(page, hands: int) -> None:
    """Take the first, second … choice in turns, until so many hands are over."""
    for k in range(10 * hands):
        if played(page) >= hands and choices(page).count() == 1:
            return
        before = standing(page)
        choices(page).nth(k % choices(page).count()).click()
        page.wait_for_function(MOVED, arg=before)
    raise AssertionError("no hand ends")


def account(page) -> dict[str, str]:
    rows = page.locator("#train .account tr:not([hidden])").all()
    return {row.locator("th").inner_text(): row.locator("td").inner_text().replace("−", "-") for row in rows}


def table_of(page) -> dict:
    """The table in the address, with what this tab remembers of it."""
    page.wait_for_url(re.compile("table="))
    seats, seed, *_ = re.search(r"table=([^&]*)", page.url)[1].split("-")
    record = page.evaluate("place => sessionStorage.getItem(place)", f"training {seats} {seed}")
    return {"seats": seats, "seed": seed, "record": record}


def test_ten_hands_with_a_reload(page, opened_run: str, solution: Solution) -> None:
    """The account on the page is the engine's, and a reload and another page in between change nothing."""
    sit(at_the_run(page, opened_run))
    play_until(page, 6)
    before = account(page)
    page.wait_for_url("**table=*")
    page.reload()
    expect(choices(page)).to_have_count(1)
    assert account(page) == before
    play_until(page, 10)
    told = Training(solution.reading, solution.exploitability).shown(table_of(page) | {"big_blind": 2.5})
    engine = told["account"]
    expected = [engine["expected"], engine["lost"], engine["luck"]]
    expected += [engine["luck_parts"][part] for part in ("deal", "choices", "showdown")] + [engine["result"]]
    shown = account(page)
    assert [float(number) for number in shown.values()] == pytest.approx(expected, abs=0.00501)
    facts = page.locator("#train .account dd").all_inner_texts()
    assert facts[0] == "10"
    loss, per_100 = (float(fact.split()[0]) for fact in facts[1:3])
    assert loss == pytest.approx(100 * engine["of_pot"]["mean"], rel=6e-3)
    assert per_100 == pytest.approx(engine["per_100"]["mean"], rel=6e-3)
    assert facts[3] == f"{engine['mistakes']} of {engine['decisions']}"
    assert page.locator("#big-blind").input_value() == "2.5"
    listed = page.locator("#train .mistakes tbody tr")
    assert listed.count() == len(told["mistakes"]) > 0
    page.goto("/glossary")
    page.go_back()
    expect(page.locator("#train .account dd").first).to_have_text("10")
    assert account(page) == shown


def test_a_decision_is_judged_at_once_and_a_mistake_leads_to_its_place(
    page, opened_run: str, solution: Solution
) -> None:
    at_the_run(page, opened_run)
    page.locator("#train .sit").get_by_role("radio", name="In position").check(force=True)
    sit(page)
    for _ in range(20):
        if choices(page).count() > 1:
            choices(page).first.click()
            expect(page.locator(".judged-move").first).to_be_visible()
            moves = Training(solution.reading, solution.exploitability).shown(table_of(page))["hand"]["decisions"]
            rows = page.locator(".judged-move").first.locator("tbody tr")
            for option, row in zip(moves[-1]["options"], rows.all(), strict=True):
                cells = [text.replace("−", "-") for text in row.locator("td").all_inner_texts()]
                assert float(cells[0].removesuffix(" %")) == pytest.approx(100 * option["chance"], abs=0.0501)
                assert [float(cell) for cell in cells[1:]] == pytest.approx(
                    [option["worth"], option["cost"]], abs=0.00501
                )
        if page.locator("#train .mistakes tbody tr").count():
            break
        while choices(page).count() > 1:
            choices(page).first.click()
        number = page.locator("#train h3").first.inner_text()
        choices(page).click()
        expect(page.locator("#train h3").first).not_to_have_text(number)
    link = page.locator("#train .mistakes .link").first
    line, hand = link.inner_text(), page.locator("#train .mistakes tbody .pip").all_inner_texts()[:2]
    link.click()
    steps = 1 + (0 if line == "the beginning" else line.count(",") + 1)
    expect(page.locator(".step.decision")).to_have_count(steps)
    ranks = "".join(card[0] for card in hand)
    expect(page.locator("#explore .field-hands h3")).to_contain_text(ranks)


def test_by_keys_alone(page, opened_run: str) -> None:
    at_the_run(page, opened_run)
    page.keyboard.press("t")
    expect(page.locator("#train .sit button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(choices(page).first).to_be_focused()
    for _ in range(30):
        if played(page) == 2:
            break
        before = standing(page)
        page.keyboard.press(choices(page).first.get_attribute("aria-keyshortcuts"))
        page.wait_for_function(MOVED, arg=before)
        expect(choices(page).first).to_be_focused()
    assert played(page) == 2
    expect(page.locator(".step.decision")).to_have_count(1)  # the explorer has not walked


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_and_nothing_serious_for_axe(new_page, opened_run: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = at_the_run(new_page(**PHONE, color_scheme=scheme), opened_run)
    sit(page)
    play_until(page, 3)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    found = axe.run(page).response["violations"]
    serious = [
        (each["id"], [n["html"] for n in each["nodes"]][:3])
        for each in found
        if each["impact"] in ("serious", "critical")
    ]
    assert not serious


def test_a_saved_run_is_listed_and_not_solved_again(client: httpx.Client, opened_run: str, solution: Solution) -> None:
    files = {row["name"]: row for row in client.get("/api/holdem/saved").json()["files"]}
    row = files["river.npz"]
    assert (row["board"], row["street"], row["pot"]) == ("Td9d6hQc2s", "river", 100)
    assert (row["iterations"], row["of_pot"]) == (solution.iterations, solution.exploitability / 100)
    assert {name: row["error"] for name, row in files.items() if "error" in row} == {
        "kuhn.npz": "'kuhn.npz' holds a run of kuhn, which is no Hold'em endgame",
        "notes.npz": "'notes.npz' is not a saved run, or it is damaged",
        "cut.npz": "'cut.npz' is not a saved run, or it is damaged",
        "elsewhere.npz": files["elsewhere.npz"]["error"],
    }
    assert "secret" not in files["elsewhere.npz"]["error"].replace("/etc/secret.toml", "")
    told = client.get(f"/api/holdem/solves/{opened_run}").json()
    assert (told["iteration"], told["exploitability"]) == (solution.iterations, solution.exploitability)
    node = client.get(f"/api/holdem/solves/{opened_run}/node").json()
    assert [each["frequency"] for each in node["actions"]] == pytest.approx(
        list(solution.at().frequencies.values()), abs=1e-6
    )


@pytest.mark.parametrize(
    ("name", "status", "said"),
    [
        ("kuhn.npz", 400, "no Hold'em endgame"),
        ("notes.npz", 400, "not a saved run"),
        ("elsewhere.npz", 400, "unknown spot"),
        ("../river.npz", 404, "no saved run"),
        ("", 404, "no saved run"),
    ],
)
def test_what_can_not_be_opened_is_said_in_one_line(client: httpx.Client, name: str, status: int, said: str) -> None:
    refused = client.post("/api/holdem/saved", json={"name": name})
    assert (refused.status_code, said in refused.json()["error"]) == (status, True), refused.text
    assert "\n" not in refused.json()["error"]


def test_the_other_hand_is_not_sent_before_the_end(client: httpx.Client, opened_run: str) -> None:
    order = {"seats": "alternate", "seed": 4, "record": ""}
    for _ in range(30):
        shown = client.post(f"/api/holdem/solves/{opened_run}/train", json=order).json()
        secret = {"other", "other_kinds", "habits", "result", "luck"}
        assert (secret <= set(shown["hand"])) == shown["hand"]["over"]
        assert shown["hand"]["over"] or not secret & set(shown["hand"])
        order["record"] = shown["record"] + ("." if shown["hand"]["over"] else "0")


@pytest.mark.parametrize("order", [{"seats": "btn"}, {"seed": "x"}, {"big_blind": 0}, {"seed": -1}])
def test_a_bad_order_is_refused_in_one_line(client: httpx.Client, opened_run: str, order: dict) -> None:
    refused = client.post(f"/api/holdem/solves/{opened_run}/train", json=order)
    assert (refused.status_code, "\n" in refused.json()["error"]) == (400, False)


def test_a_click_opens_a_run_and_nobody_plays_against_what_is_being_solved(page, client: httpx.Client) -> None:
    """Its spot is in the form; solved on it takes no seat until it is paused."""
    page.goto("/holdem")
    expect(page.locator(".saved .others li")).to_have_count(4)
    page.locator("[data-saved='river.npz']").click()
    expect(page.locator("#train .sit button")).to_be_enabled()
    expect(page.locator("#pot")).to_have_value("100")
    expect(page.locator("#other")).to_be_hidden()
    page.wait_for_url("**solve=**")
    solve = re.search(r"solve=([^&]*)", page.url)[1]
    page.locator("#until").fill("0.0000001%")
    page.get_by_role("button", name="Solve on to the target above").click()
    expect(page.locator("#train .note").first).to_contain_text("still being solved")
    expect(page.locator("#train .sit button")).to_be_disabled()
    order = {"seats": "oop", "seed": 4, "record": ""}
    refused = client.post(f"/api/holdem/solves/{solve}/train", json=order)
    assert (refused.status_code, "still being solved" in refused.json()["error"]) == (400, True)
    assert client.post(f"/api/holdem/solves/{solve}", json={"do": "pause"}).json()["state"] == "paused"
    expect(page.locator("#train .sit button")).to_be_enabled()
    assert client.post(f"/api/holdem/solves/{solve}/train", json=order).json()["hand"]["number"] == 1
    assert client.delete(f"/api/holdem/solves/{solve}").status_code == 204


def test_a_run_is_saved_from_the_page_and_opened_again(
    page, client: httpx.Client, opened_run: str, folder: Path, solution: Solution
) -> None:
    """What one takes home is what one has seen: the same file as ``solve --save`` writes."""
    at_the_run(page, opened_run)
    with page.expect_download() as download:
        page.locator("#solves").get_by_role("link", name="Save run").click()
    assert download.value.suggested_filename == "holdem-Td9d6hQc2s.npz"
    download.value.save_as(folder / "taken.npz")
    taken = Solution.load(folder / "taken.npz")
    assert (taken.iterations, taken.exploitability) == (solution.iterations, solution.exploitability)
    assert taken.at("check").frequencies == solution.at("check").frequencies
    again = client.post("/api/holdem/saved", json={"name": "taken.npz"}).json()["solve"]
    assert wait_for(client, again, "done")["exploitability"] == solution.exploitability
    assert client.delete(f"/api/holdem/solves/{again}").status_code == 204
    (folder / "taken.npz").unlink()


def test_a_run_that_is_not_there_is_not_saved(client: httpx.Client) -> None:
    refused = client.get("/api/holdem/solves/nobody/run.npz")
    assert (refused.status_code, "no such spot" in refused.json()["error"]) == (404, True)
