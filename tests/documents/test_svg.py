"""Pictures without scripts: what is drawn is what the numbers say."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from regretlab.documents import svg
from regretlab.documents.blocks import Chart, Mosaic, Scale, Series, Target, Tile


def parsed(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


def lines(picture: str) -> list[list[tuple[float, float]]]:
    """The points of each line of a chart."""
    drawn = [path.get("d", "") for path in parsed(picture).iter("path") if path.get("fill") == "none"]
    return [[tuple(map(float, point.split())) for point in re.split("[ML]", path)[1:]] for path in drawn]  # type: ignore[misc]


def chart(points: list[tuple[float, float]], x: Scale = "linear", y: Scale = "linear", **more: object) -> Chart:
    return Chart("A <title>", "x", "y", x, y, (Series("one & only", tuple(points)),), **more)  # type: ignore[arg-type]


def test_a_line_is_where_its_numbers_are() -> None:
    (line,) = lines(svg.chart(chart([(0, 0), (5, 25), (10, 100)])))
    left, right = svg.LEFT, svg.WIDTH - svg.RIGHT
    bottom, top = svg.HEIGHT - svg.BOTTOM, svg.TOP
    assert line[0] == (left, bottom)
    assert line[2] == (right, top)
    assert line[1] == pytest.approx(((left + right) / 2, bottom + (top - bottom) / 4), abs=0.06)


def test_a_logarithmic_axis_has_equal_room_for_each_power_and_none_for_zero() -> None:
    (line,) = lines(svg.chart(chart([(1, 1e-4), (10, 0.0), (100, 1e-2), (10_000, 1.0)], "log", "log")))
    assert [x for x, _ in line] == pytest.approx(
        [svg.LEFT, (svg.LEFT + svg.WIDTH - svg.RIGHT) / 2, svg.WIDTH - svg.RIGHT]
    )
    assert line[1][1] == pytest.approx((line[0][1] + line[2][1]) / 2, abs=0.06)
    words = [text.text for text in parsed(svg.chart(chart([(1, 1e-4), (10_000, 1.0)], "log", "log"))).iter("text")]
    assert {"1", "100", "10,000", "0.010"} <= set(words)


def test_a_target_is_a_dashed_line_at_its_height() -> None:
    drawn = parsed(svg.chart(chart([(0, 0), (1, 10)], targets=(Target("half", 5.0),))))
    (dashed,) = [path for path in drawn.iter("path") if path.get("stroke-dasharray")]
    middle = (svg.HEIGHT - svg.BOTTOM + svg.TOP) / 2
    assert dashed.get("d") == f"M{svg.LEFT} {middle:.1f}H{svg.WIDTH - svg.RIGHT}"


@pytest.mark.parametrize(
    ("points", "scale"),
    [([(1.0, 0.0)], "log"), ([(1.0, 3.0)], "linear"), ([], "log"), ([(1, float("nan")), (2, 1.0)], "linear")],
)
def test_little_or_nothing_to_draw_is_drawn_all_the_same(points: list[tuple[float, float]], scale: Scale) -> None:
    picture = svg.chart(chart(points, scale, scale))
    assert "nan" not in picture
    assert "inf" not in picture
    parsed(picture)


def test_many_points_are_as_many_as_can_be_seen() -> None:
    (line,) = lines(svg.chart(chart([(k, k % 7) for k in range(100_000)])))
    assert len(line) <= 4 * svg.WIDTH
    assert len({y for _, y in line}) == 7  # the highest and the lowest are among them
    assert line[-1][0] == svg.WIDTH - svg.RIGHT


def test_several_lines_have_names_and_colours_of_their_own() -> None:
    names = [f"a recipe with a name as long as number {k}" for k in range(9)]
    drawn = Chart("t", "x", "y", "linear", "linear", tuple(Series(n, ((0, k), (1, k))) for k, n in enumerate(names)))
    root = parsed(svg.chart(drawn))
    assert {text.text for text in root.iter("text")} >= set(names)
    colours = [path.get("stroke") for path in root.iter("path") if path.get("fill") == "none"]
    assert len(set(colours[:8])) == 8
    inside = [float(rect.get("y", 0)) for rect in root.iter("rect")]
    assert max(inside) < float(root.get("viewBox", "").split()[3])


def test_a_mosaic_is_divided_as_its_parts_are() -> None:
    rows = (
        (Tile("AA", (1.0, 0.0)), Tile("AKs", (0.25, 0.75))),
        (Tile("AKo", (0.5, 0.0)), Tile("KK", (0.0, 0.0))),
    )
    root = parsed(svg.mosaic(Mosaic("t", ("check", "bet"), ("#00ff00", "#ff0000"), rows)))
    widths = {
        path.get("fill"): sum(map(float, re.findall(r"h([\d.]+)", path.get("d", "")))) for path in root.iter("path")
    }
    room = svg.TILE_WIDTH - 1
    assert widths == pytest.approx({"#00ff00": 1.75 * room, "#ff0000": 0.75 * room}, abs=0.2)
    begins = re.findall(
        r"M([\d.]+) ([\d.]+)", next(p.get("d", "") for p in root.iter("path") if p.get("fill") == "#ff0000")
    )
    assert [tuple(map(float, each)) for each in begins] == [(svg.TILE_WIDTH + 0.25 * room, svg.TOP)]
    assert [text.text for text in root.iter("text")][1:5] == ["AA", "AKs", "AKo", "KK"]
    unheld = [text.text for text in root.iter("text") if text.get("opacity")]
    assert unheld == ["KK"]


def test_titles_are_no_markup() -> None:
    root = parsed(svg.chart(chart([(0, 0), (1, 1)])))
    assert root.get("aria-label") == "A <title>"
