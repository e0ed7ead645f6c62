"""A comparison as a page: its numbers, in one file that asks for nothing."""

import json
import re
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest

from regretlab.errors import UserError
from regretlab.experiments import Comparison, compare
from regretlab.experiments.comparing import strategies
from regretlab.experiments.comparing.presentation import CLOSE, comparison_charts
from regretlab.plots import check_comparison_format, draw_comparison
from regretlab.plots.pages import comparison_page

SAMPLED = "cfr(feedback=chance)"
MOST_BYTES = 1_000_000


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return compare("kuhn", ["cfr", "cfr+", SAMPLED], iterations=2_000, seeds=3)


@pytest.fixture(scope="module")
def page(comparison: Comparison) -> str:
    return comparison_page(comparison)


def drawn(page: str) -> list[dict]:
    """What the script is given to draw."""
    return json.loads(re.search(r'id="charts">(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]


def cells(page: str, table: str) -> list[list[str]]:
    """The words in the table with this title."""
    part = page.partition(f">{table}</h3>")[2].partition("</table>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", part, re.DOTALL)
    return [[unescape(re.sub(r"<[^>]*>", "", cell)) for cell in re.split(r"</t[hd]>", row)[:-1]] for row in rows]


def test_all_charts_are_there_with_their_levels(page: str, comparison: Comparison) -> None:
    found = drawn(page)
    assert [(chart["x"]["scale"], chart["y"]["scale"]) for chart in found] == [
        ("log", "log"),
        ("log", "linear"),
        ("log", "log"),
        ("linear", "linear"),
    ]
    assert [[series["name"] for series in chart["series"]] for chart in found] == [["cfr", "cfr+", SAMPLED]] * 4
    assert found[1]["targets"] == [{"name": "exact value −0.0555556", "y": comparison.exact_value}]


def test_points_are_those_of_the_comparison_and_none_is_too_near_to_another(page: str, comparison: Comparison) -> None:
    for shown, chart in zip(drawn(page), comparison_charts(comparison), strict=True):
        for line, series in zip(shown["series"], chart.series, strict=True):
            points = [tuple(point) for point in line["points"]]
            assert set(points) <= set(series.points)
            assert points[-1] == series.points[-1]
            if chart.x_scale == "log":
                assert all(later >= CLOSE * early for (early, _), (later, _) in pairwise(points[:-1]))
            assert len(line.get("band", [])) == (len(points) if line["name"] == SAMPLED else 0)


def test_the_tables_have_the_numbers_of_the_rows(page: str, comparison: Comparison) -> None:
    head, _, best, _ = cells(page, "Where they are at the end")
    assert head[:3] == ["recipe", "exploitability", "±"]
    assert best[0] == "cfr+"
    assert best[1].endswith(" (best)")
    assert f'<data value="{comparison.rows[1].exploitability.mean!r}">' in page
    assert f'<data value="{comparison.rows[2].exploitability.error!r}">' in page
    time = best[head.index("time an iteration, µs")].removesuffix(" (best)")
    assert float(time) == pytest.approx(comparison.rows[1].microseconds, rel=0.01)
    until = cells(page, "When they got there")
    assert until[0][1:3] == ["iterations until 0.01", "time until 0.01, µs"]
    assert until[1][-1] == "–"
    recipes = cells(page, "Recipes")
    assert recipes[2][:3] == ["cfr+", "truncate", "regret-matching"]
    assert recipes[3][-1] == "3"


def test_strategies_stand_beside_the_equilibria(page: str, comparison: Comparison) -> None:
    rows = {row[0]: row for row in cells(page, "Average strategies, in percent")}
    assert len(rows) == 13
    chance = comparison.rows[1].solutions[0].strategy
    bluff = 100 * chance["J"]["bet"]
    assert rows["K"][2:5:2] == ["0.0–100.0", f"{100 * chance['K']['bet']:.1f} ({3 * bluff:.1f})"]
    assert rows["Kb"][2:5:2] == ["100.0", f"{100 * chance['Kb']['call']:.1f}"]


def test_a_game_without_a_family_says_that_there_may_be_other_equilibria(monkeypatch: pytest.MonkeyPatch) -> None:
    text = comparison_page(compare("rps", ["cfr"], iterations=3))
    assert "There may be others" in text
    assert cells(text, "Average strategies, in percent")[1] == ["row", "rock", "33.3", "33.3"]
    monkeypatch.setattr(strategies, "MOST_SEQUENCES_FOR_PROOF", 1)
    monkeypatch.setattr(strategies, "MOST_SEQUENCES_FOR_VALUE", 1)
    text = comparison_page(compare("rps", ["cfr"], iterations=3, targets=[]))
    assert "The exact value is unknown" in text
    assert cells(text, "Average strategies, in percent")[0] == ["information set", "action", "cfr"]
    assert "When they got there" not in text
    assert len(drawn(text)) == 3


def test_it_is_one_small_file_that_names_no_other(page: str) -> None:
    assert len(page.encode()) < MOST_BYTES
    assert not re.search(r'(?:src|href)="(?!#)', page)


def test_names_are_escaped() -> None:
    result = compare("matrix(rows=1 -1; -1 1)", ["cfr"], iterations=2)
    object.__setattr__(result.form, "name", "<b>&")
    assert "<b>" not in comparison_page(result)


def test_the_suffix_says_what_is_drawn(comparison: Comparison, tmp_path: Path) -> None:
    draw_comparison(comparison, tmp_path / "a.HTML")
    assert (tmp_path / "a.HTML").read_text(encoding="utf-8") == comparison_page(comparison)
    for name in ("a.htm", "a", "a.gif"):
        with pytest.raises(UserError, match=r"ends in \.html, \.png, \.svg or \.pdf"):
            check_comparison_format(name)


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 360)])
def test_a_browser_draws_it_without_complaint_or_request(
    visit, tmp_path: Path, page: str, scheme: str, width: int
) -> None:
    path = tmp_path / "a.html"
    path.write_text(page, encoding="utf-8")
    seen = visit(path.as_uri(), color_scheme=scheme, viewport={"width": width, "height": 800})
    assert seen.page.locator("[data-chart] svg").count() >= 4
    assert seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_several_starts_show_their_range_and_one_draw_is_called_that() -> None:
    page = comparison_page(compare("leduc", ["dcfr"], iterations=300, starts=2))
    assert "Range of the exploitability" in page
    assert "One draw of many: from a start one unit in the last place away" in page
    calm = comparison_page(compare("kuhn", ["dcfr"], iterations=300))
    assert "Range of the exploitability" not in calm
    assert "One draw of many" not in calm
