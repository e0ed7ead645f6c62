"""The report of many boards in a browser: sorted, filtered, walked with keys, and nothing leaves it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from browser import Visit
from experiments.fakes import in_process

from regretlab.endgames.cards import read_cards
from regretlab.endgames.textures import texture
from regretlab.experiments import Store, read_suite
from regretlab.experiments.findings.boards import rows_of_batches
from regretlab.experiments.findings.reporting import SuiteReport, read_report
from regretlab.experiments.jobs import plan
from regretlab.experiments.running import PLACES, run_jobs
from regretlab.plots import report_page

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>`&amp;"
SUITE = f"""
title = '{HOSTILE}'
[[spots]]
name = '{HOSTILE}'
boards = ["all rivers"]
iterations = 30
spot.board = "Kd9s4h3c"
spot.pot = 40
spot.stack = 60
spot.bets = "50%, a"
spot.raises = "a"
spot.oop.range = "AA,KQs,98s,A5s,QJs"
spot.ip.range = "KK,QQ,T9s,AQo"
[[spots]]
name = "other"
boards = ["Ts9s8s2h2d", "AsKsQs2h2d"]
iterations = 30
spot.pot = 40
spot.stack = 60
spot.oop.range = "77,98s"
spot.ip.range = "66,KQo"
"""
MOST_BYTES = 300_000
SIZES = [(theme, width) for theme in ("light", "dark") for width in (1280, 820, 390)]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> SuiteReport:
    folder = tmp_path_factory.mktemp("boards")
    (folder / "s.toml").write_text(SUITE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch, Store.to_write(folder / "r.sqlite") as store:
        patch.setitem(PLACES, "local", in_process)
        run_jobs(plan(read_suite(folder / "s.toml")), store)
    return read_report(str(folder / "s.toml"), folder / "r.sqlite")


@pytest.fixture(scope="module")
def text(report: SuiteReport) -> str:
    return report_page(report)


Open = Callable[..., Visit]


@pytest.fixture
def opened(visit: Open, text: str, tmp_path: Path) -> Open:
    (tmp_path / "report.html").write_text(text, encoding="utf-8")

    def go(width: int = 1280, **options: Any) -> Visit:
        return visit((tmp_path / "report.html").as_uri(), viewport={"width": width, "height": 900}, **options)

    return go


def shown(visit: Visit) -> list[str]:
    """The boards in the table, from top to bottom."""
    return visit.page.locator(".boards-table tbody [data-board]").evaluate_all("all => all.map(b => b.dataset.board)")


def column(visit: Visit, name: str) -> list[float]:
    """The numbers below a head."""
    heads = visit.page.locator(".boards-table thead th").all_inner_texts()
    place = [head.replace("\xa0", " ").split(" ↕")[0].strip() for head in heads].index(name)
    cells = visit.page.locator(f".boards-table tbody tr > :nth-child({place + 1})").all_inner_texts()
    return [float(cell.replace("%", "").replace("−", "-")) for cell in cells]


def test_the_file_is_small_and_nothing_in_it_is_run_but_its_own(text: str) -> None:
    assert len(text.encode()) < MOST_BYTES
    assert "alert(1)</script>" not in text
    assert "<img" not in text
    assert text.count("<script") == 4  # two with data, two modules


@pytest.mark.parametrize(("theme", "width"), SIZES)
def test_it_fits_every_screen_and_asks_for_nothing(opened: Open, theme: str, width: int) -> None:
    seen = opened(width, color_scheme=theme)
    assert seen.requests == [seen.page.url]
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
    assert seen.page.locator("h1").inner_text() == HOSTILE
    assert len(shown(seen)) == 48
    assert seen.page.locator(".extreme-grids .hand-grid").count() == 4


def test_numbers_in_the_table_are_those_of_the_rows(opened: Open, report: SuiteReport) -> None:
    seen = opened()
    rows = {row["board"]: row for row in rows_of_batches(report.batches[:1])}
    mine = [rows[board] for board in shown(seen)]
    assert column(seen, "EV OOP") == pytest.approx([row["ev of oop"] for row in mine], abs=0.0051)
    assert column(seen, "bet 20") == pytest.approx([100 * row["frequency of bet 20"] for row in mine], abs=0.051)
    assert column(seen, "equity OOP") == pytest.approx([100 * row["equity of oop"] for row in mine], abs=0.051)
    whole = sum(row["mass"] for row in rows.values())
    assert column(seen, "part of all") == pytest.approx([100 * row["mass"] / whole for row in mine], abs=0.0051)


def test_a_head_sorts_and_sorts_back(opened: Open) -> None:
    seen = opened()
    before, evs = shown(seen), column(seen, "EV OOP")
    seen.page.locator('[data-column="4"]').click()
    sorted_head = seen.page.locator("[aria-sort]")
    assert sorted_head.get_attribute("aria-sort") == "descending"
    assert sorted_evs(seen) == sorted(evs, reverse=True)
    seen.page.keyboard.press("Enter")  # the head has kept the focus
    assert sorted_head.get_attribute("aria-sort") == "ascending"
    assert sorted_evs(seen) == sorted(evs)
    seen.page.get_by_role("button", name="board", exact=True).click()
    assert shown(seen) == before


def sorted_evs(visit: Visit) -> list[float]:
    cells = visit.page.locator(".boards-table tbody tr > :nth-child(5)").all_inner_texts()
    return [float(cell.replace("−", "-")) for cell in cells]


def test_textures_filter_and_means_follow(opened: Open, report: SuiteReport) -> None:
    seen = opened()
    seen.page.get_by_text("paired", exact=False).filter(has=seen.page.locator('input[value="paired"]')).click()
    rows = [row for row in rows_of_batches(report.batches[:1]) if row["pairing"] == "paired"]
    assert 0 < len(rows) < 48
    assert sorted(shown(seen)) == sorted(row["board"] for row in rows)
    whole = sum(row["mass"] for row in rows)
    ev = sum(row["mass"] * row["ev of oop"] for row in rows) / whole
    assert f"EV of OOP {ev:.2f}" in seen.page.locator(".bars").inner_text()
    assert f"{len(rows)} of 48 boards" in seen.page.locator(".boards-chosen").inner_text()
    seen.page.locator('label:has(input[value="A"])').click()
    assert all(texture(read_cards(board)).high == "A" for board in shown(seen))
    seen.page.get_by_role("button", name="All boards").click()
    assert len(shown(seen)) == 48


def test_keys_walk_filters_chart_table_and_grid(opened: Open) -> None:
    seen = opened()
    box = seen.page.locator('input[value="paired"]')
    box.focus()
    seen.page.keyboard.press("Space")
    assert len(shown(seen)) < 48
    seen.page.keyboard.press("Space")
    chosen = seen.page.locator('[data-board][aria-pressed="true"]')
    before = chosen.get_attribute("data-board")
    seen.page.locator(".scatter").focus()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"):
        seen.page.keyboard.press(key)
    assert seen.page.evaluate("document.activeElement.classList.contains('scatter')")
    seen.page.keyboard.press("ArrowLeft")
    assert chosen.get_attribute("data-board") != before
    other = seen.page.locator("[data-board]").nth(7)
    other.focus()
    seen.page.keyboard.press("Enter")
    assert seen.page.evaluate("document.activeElement.dataset.board") == chosen.get_attribute("data-board")
    grid = seen.page.locator(".boards-two .hand-grid")
    grid.locator("td").first.focus()
    seen.page.keyboard.press("ArrowRight")
    assert seen.page.evaluate("document.activeElement.textContent") == "AKs"
    seen.page.keyboard.press("ArrowDown")
    assert seen.page.locator(".boards-two .hand-told").inner_text().startswith("KK: not held")


def test_another_batch_is_chosen_by_its_name(opened: Open) -> None:
    seen = opened()
    select = seen.page.locator("select")
    assert select.locator("option").all_inner_texts() == [HOSTILE, "other"]
    select.select_option(label="other")
    assert sorted(shown(seen)) == ["AsKsQs2h2d", "Ts9s8s2h2d"]


def test_printed_it_is_light_and_whole(opened: Open) -> None:
    seen = opened(760, color_scheme="dark")  # about what a sheet of A4 has between its margins
    seen.page.emulate_media(media="print")
    assert not seen.page.locator(".filters").is_visible()
    box = seen.page.locator(".boards-table .scroll").bounding_box()
    table = seen.page.locator(".boards-table table").bounding_box()
    assert box["height"] >= table["height"] - 1
    assert table["x"] + table["width"] <= 760


def test_boards_lead_to_their_explorers(visit: Open, report: SuiteReport, tmp_path: Path) -> None:
    board = report.batches[0].boards[0]
    object.__setattr__(board, "file", Path("kept.npz"))
    text = report_page(report, {"kept.npz": "report-explorers/kept/index.html"})
    object.__setattr__(board, "file", None)
    (tmp_path / "report.html").write_text(text, encoding="utf-8")
    seen = visit((tmp_path / "report.html").as_uri())
    seen.page.locator(f'[data-board="{board.name}"]').click()
    link = seen.page.locator(".boards-two .board-panel a")
    assert link.get_attribute("href") == "report-explorers/kept/index.html"
    assert "in the folder beside this file" in seen.page.locator("main").inner_text()


def test_data_of_the_page_are_numbers_of_the_batch(text: str, report: SuiteReport) -> None:
    data = json.loads(text.partition('id="batches">')[2].partition("</script>")[0])
    boards = data[0]["boards"]
    assert sum(board["share"] for board in boards) == pytest.approx(1)
    assert fmean(sum(board["does"]) for board in boards) == pytest.approx(1, abs=1e-4)
    assert [board["name"] for board in boards] == [board.name for board in report.batches[0].boards]


def test_the_command_behind_a_report_says_where_it_looks(report: SuiteReport, tmp_path: Path) -> None:
    assert report.command == "regretlab report s.toml -o s.html --store r.sqlite"
    (tmp_path / "s.toml").write_text(
        SUITE.replace("iterations = 30", 'iterations = 30\nkeep = "street"'), encoding="utf-8"
    )
    with pytest.MonkeyPatch.context() as patch, Store.to_write(tmp_path / "r.sqlite") as store:
        patch.setitem(PLACES, "local", in_process)
        run_jobs(plan(read_suite(tmp_path / "s.toml")), store)
    found = read_report(str(tmp_path / "s.toml"), tmp_path / "r.sqlite", ["check, bet 20"])
    assert found.command == "regretlab report s.toml -o s.html --at 'check, bet 20' --store r.sqlite"
    text = report_page(found)
    assert "After <code>check, bet 20</code> the player out of position acts" in text
