"""A solved spot as files: every number is the engine's, it opens from a folder, and nothing is left half-written."""

from __future__ import annotations

import base64
import gzip
import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from regretlab.endgames import Decision, holdem
from regretlab.errors import UserError
from regretlab.solving import Solution, solve
from regretlab.watch.spots.shown import place_shown
from regretlab.web import spot_export
from regretlab.web.spot_export import export_spot, planned

RIVER = holdem(
    board="Td9d6hQc2s", pot=100, stack=200, oop="QQ,AQs,JTs,87s:0.5,A5s", ip="KK,AQs,T9s,A5s,KJo:0.25",
    bets="50%, a", raises="a",
)  # fmt: skip
TURN = holdem(board="Qs7h2d8c", pot=100, stack=60, oop="AA,KQs,T9s", ip="QQ,AJs,99", bets="50%", raises="")
PIECE = 30_000


@pytest.fixture(scope="module")
def river() -> Solution:
    return solve(RIVER, "dcfr", until="0.5%")


@pytest.fixture(scope="module")
def turn() -> Solution:
    return solve(TURN, "dcfr", iterations=30)


@pytest.fixture(scope="module")
def site(river: Solution, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "river"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spot_export, "PIECE", PIECE)
        export_spot(river, folder)
    return folder


def values(folder: Path) -> dict:
    """What the scripts of data say."""
    found = {}
    for path in folder.glob("data/*.js"):
        script = re.fullmatch(r'regretlab\["data/([\w-]+)"\] = (.*);\n', path.read_text("utf-8"))
        value = json.loads(script[2])
        found[script[1]] = json.loads(gzip.decompress(base64.b64decode(value))) if isinstance(value, str) else value
    return found


def places(folder: Path) -> dict[str, dict]:
    """All places, each from the piece in which the page looks for it."""
    known = values(folder)
    firsts = known["spot"]["firsts"]
    pieces = [known[f"places-{k}"] for k in range(len(firsts))]
    assert [min(piece) for piece in pieces] == firsts == sorted(firsts)
    assert all(max(one) < min(other) for one, other in pairwise(pieces))
    return {line: place for piece in pieces for line, place in piece.items()}


def test_every_place_is_there_as_the_engine_shows_it(site: Path, river: Solution) -> None:
    found = places(site)
    assert len(found) == planned(river).places
    assert len(list(site.glob("data/places-*.js"))) > 2
    assert max(path.stat().st_size for path in site.glob("data/*.js")) < 2 * PIECE
    for line, place in found.items():
        assert place == json.loads(json.dumps(place_shown(river.reading, tuple(line.split(", ")) if line else ())))
    assert {place["kind"] for place in found.values()} == {"decision", "end"}


def test_size_is_about_what_is_said(site: Path, river: Solution) -> None:
    real = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    assert 0.5 < planned(river).nbytes / real < 2


def test_of_a_turn_the_street_or_all(turn: Solution, tmp_path: Path) -> None:
    export_spot(turn, tmp_path / "street")
    street = places(tmp_path / "street")
    assert planned(turn).keep == "street"
    assert len(street) == planned(turn).places
    assert street["check, check"]["kind"] == "card"
    assert len(street["check, check"]["cards"]) == 48
    assert not any(len(place["board"]) > 8 for place in street.values())
    everything = planned(turn, "all")
    lines = list(everything.lines())
    assert len(set(lines)) == len(lines) == everything.places
    decisions = sum(isinstance(TURN.node(line), Decision) for line in lines)
    assert decisions == TURN.counts.decisions
    assert ("check", "check", "9h", "bet 50") in lines


def test_what_would_be_too_much_is_refused_with_what_fits(turn: Solution, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(spot_export, "MOST_BYTES", 200_000)
    with pytest.raises(UserError, match=r"all of Turn Qs7h2d8c is [\d,]+ places, about .* keep the turn alone"):
        export_spot(turn, tmp_path / "all", "all")
    assert not list(tmp_path.iterdir())


def test_what_is_interrupted_leaves_nothing_or_what_was(river: Solution, site: Path, tmp_path: Path) -> None:
    def stop(done: int, of: int) -> None:
        if done == of // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_spot(river, tmp_path / "new", report=stop)
    assert not list(tmp_path.iterdir())
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    with pytest.raises(KeyboardInterrupt):
        export_spot(river, site, report=stop)
    assert {path: path.read_bytes() for path in site.rglob("*") if path.is_file()} == before
    assert len(list(site.parent.iterdir())) == 1


@pytest.mark.parametrize(("keep", "said"), [("al", "did you mean 'all'"), ("", "unknown part to keep")])
def test_a_part_that_does_not_exist(river: Solution, keep: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        planned(river, keep)


def test_no_other_game_has_an_explorer() -> None:
    with pytest.raises(UserError, match="kuhn is no Hold'em endgame"):
        planned(solve("kuhn", "cfr+", iterations=1))


def test_it_opens_from_a_folder(site: Path, river: Solution, visit) -> None:
    """Walk, and compare what is displayed with the engine; nothing is asked for but files."""
    seen = visit(f"file://{site}/index.html", viewport={"width": 1280, "height": 900})
    page = seen.page
    expect = pytest.importorskip("playwright.sync_api").expect
    heading, rows = page.locator(".summary h3"), page.locator(".both tbody tr")
    compared = 0
    line: tuple[str, ...] = ()
    for key in ("x", "1", "1", ""):
        node = river.at(*line)
        expect(heading).to_have_text(("Out of position acts", "In position acts")[node.player])
        often = [f"{100 * share:.1f} %" for share in node.frequencies.values()]
        expect(page.locator(".step[aria-current] .act small")).to_have_text(often)
        for player in (0, 1):
            cells = rows.nth(player).locator("td").all_inner_texts()
            ev, equity = node.evs[player], node.equities[player]
            assert cells[:3] == [f"{ev:.2f}", f"{100 * ev / node.pot:.1f} %", f"{100 * equity:.1f} %"]
            compared += 3
        if key:
            page.keyboard.press(key)
            line = (*line, next(a["name"] for a in place_shown(river.reading, line)["actions"] if a["key"] == key))
    assert compared >= 10
    page.locator(".side:not([hidden]) td", has_text="T9s").click()
    expect(page.locator(".field-hands tbody tr")).to_have_count(3)
    page.get_by_role("radio", name="Both").check(force=True)
    expect(page.get_by_role("grid")).to_have_count(2)
    page.reload()
    expect(heading).to_have_text("In position acts")
    page.goto(f"file://{site}/index.html#check,+bet+50")
    expect(page.locator(".step.decision")).to_have_count(3)
    assert {address.partition(":")[0] for address in seen.requests} == {"file"}


def test_a_street_that_is_not_there_is_said(turn: Solution, tmp_path: Path, visit) -> None:
    export_spot(turn, tmp_path / "turn")
    page = visit(f"file://{tmp_path}/turn/index.html#check,+check", viewport={"width": 390, "height": 800}).page
    expect = pytest.importorskip("playwright.sync_api").expect
    expect(page.locator(".card-grid button")).to_have_count(48)
    page.locator("[data-card='9h']").click()
    expect(page.get_by_role("alert")).to_have_text("These files hold the turn alone, not the streets after it.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
