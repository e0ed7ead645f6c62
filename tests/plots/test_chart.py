"""The chart module, in a real browser."""

import csv
import io
import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretlab.documents.numbers import written

WEB = Path(__file__).parents[2] / "src" / "regretlab" / "plots" / "web"
XS = (10, 100, 1_000, 10_000)
SERIES: list[dict[str, Any]] = [
    {
        "name": "cfr",
        "points": [[x, x**-0.5] for x in XS],
        "band": [[x, 0.5 * x**-0.5, 2 * x**-0.5] for x in XS],
    },
    {"name": 'the "second", <b>', "points": [[x, 1 / x] for x in XS]},
    {"name": "late", "points": [[x, 1 / x**2] for x in XS[2:]]},
]
SPEC: dict[str, Any] = {
    "title": "Exploitability",
    "note": "a note",
    "file": "kuhn",
    "x": {"label": "iterations", "scale": "log"},
    "y": {"label": "chips", "scale": "log"},
    "series": SERIES,
    "targets": [{"name": "goal", "y": 1e-6}],
}
PAGE = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>chart</title><style>{style}</style>
<body><main><h1>chart</h1><div id="place"></div></main>
<script type="module">{script}
Object.assign(window, {{ chart, format, ticks }});</script>"""


@pytest.fixture
def draw(visit: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    """Draw a chart in a window of so many pixels; returns the page."""
    style, script = ((WEB / name).read_text(encoding="utf-8") for name in ("chart.css", "chart.js"))
    file = tmp_path / "page.html"
    file.write_text(PAGE.format(style=style, script=script), encoding="utf-8")

    def go(spec: dict[str, Any] = SPEC, width: int = 800) -> Any:
        page = visit(file.as_uri(), viewport={"width": width, "height": 700}).page
        page.evaluate("(spec) => { window.view = chart(document.getElementById('place'), spec); }", spec)
        return page

    return go


def coordinates(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"([-\d.]+) ([-\d.]+)", path)]


def lines(page: Any) -> list[str]:
    found: list[str] = page.eval_on_selector_all(
        ".chart-plot .chart-line", "marks => marks.map(mark => mark.getAttribute('d'))"
    )
    return found


def readout(page: Any) -> list[str]:
    cells: list[str] = page.eval_on_selector_all(".chart-readout *", "all => all.map(each => each.textContent)")
    return [cell for cell in cells if cell]


def test_points_lie_where_the_scales_put_them(draw) -> None:
    first, second, late = (coordinates(path) for path in lines(draw()))
    assert (len(first), len(second), len(late)) == (4, 4, 2)
    steps = [after[0] - before[0] for before, after in pairwise(first)]
    assert max(steps) - min(steps) < 0.3  # a factor of ten is everywhere the same distance
    assert [x for x, _ in late] == [x for x, _ in first[2:]]
    falls = [line[-1][1] - line[-2][1] for line in (first, second, late)]
    assert falls[1] == pytest.approx(2 * falls[0], abs=0.5)  # slopes −1/2, −1, −2; below is larger
    assert falls[2] == pytest.approx(4 * falls[0], abs=0.5)


def test_linear_axes_and_a_range_of_their_own(draw) -> None:
    points = [[0, 0], [50, 0.5], [100, 1]]
    axes = {"x": {"label": "x", "scale": "linear"}, "y": {"label": "y", "scale": "linear", "range": [0, 2]}}
    page = draw({"title": "t", **axes, "series": [{"name": "line", "points": points}]})
    (line,) = (coordinates(path) for path in lines(page))
    assert line[1][0] - line[0][0] == pytest.approx(line[2][0] - line[1][0], abs=0.2)
    grid = page.locator(".chart-grid").get_attribute("d")
    bottom, top = (float(y) for y in re.search(r"M[\d.]+ ([\d.]+)V([\d.]+)", grid).groups()[::-1])
    assert line[0][1] == pytest.approx(bottom, abs=0.2)
    assert line[2][1] == pytest.approx((top + bottom) / 2, abs=0.2)
    assert page.locator(".chart-legend button").count() == 0  # one line needs no legend


def test_hovering_shows_the_values_of_all_lines_at_the_nearest_x(draw) -> None:
    page = draw()
    x, _ = coordinates(lines(page)[0])[1]
    page.locator(".chart-reader").hover(position={"x": x + 15, "y": 90})
    assert readout(page) == [
        "iterations 100",
        *("cfr", "0.100", "0.0500 … 0.200"),
        *('the "second", <b>', "0.0100"),
        *("late", "–"),  # it begins later
    ]
    page.mouse.move(1, 1)
    assert not page.locator(".chart-readout").is_visible()


def test_arrow_keys_move_the_reading_line(draw) -> None:
    page = draw()
    reader = page.locator(".chart-reader")
    reader.focus()

    def press(key: str) -> str:
        page.keyboard.press(key)
        return reader.get_attribute("aria-valuetext").partition(":")[0]

    keys = ("ArrowLeft", "ArrowLeft", "Home", "ArrowLeft", "ArrowRight", "End", "ArrowRight", "Escape", "ArrowRight")
    read = ["10,000", "1,000", "10", "10", "100", "10,000", "10,000"]
    assert [press(key) for key in keys] == [
        *(f"iterations {each}" for each in read),
        "arrow keys read values",
        "iterations 10",
    ]
    assert reader.get_attribute("aria-valuenow") == "0"
    assert reader.get_attribute("aria-valuemax") == "3"
    assert "cfr 0.316" in reader.get_attribute("aria-valuetext")


def test_the_legend_switches_lines(draw) -> None:
    page = draw()
    before = lines(page)
    button = page.get_by_role("button", name="late", exact=True)
    button.click()
    assert button.get_attribute("aria-pressed") == "false"
    after = lines(page)
    assert after[2] == ""
    page.get_by_role("button", name="goal").click()
    assert lines(page)[1] != before[1]  # the axis needs no longer reach so far down
    button.press("Enter")
    page.get_by_role("button", name="goal").press("Enter")
    assert lines(page) == before


def test_a_line_stands_out_while_its_name_is_pointed_at(draw) -> None:
    page = draw()
    faded = "marks => marks.map(mark => mark.classList.contains('chart-faded'))"
    page.get_by_role("button", name="late", exact=True).hover()
    assert page.eval_on_selector_all(".chart-plot .chart-line", faded) == [True, True, False]
    page.mouse.move(1, 1)
    assert page.eval_on_selector_all(".chart-plot .chart-line", faded) == [False, False, False]


def test_updates_replace_the_lines_and_keep_what_was_switched_off(draw) -> None:
    page = draw()
    page.get_by_role("button", name="cfr", exact=True).click()
    longer = [{**one, "points": [*one["points"], [100_000, 1e-6]]} for one in SERIES]
    page.evaluate("(series) => view.update({ series })", longer)
    page.wait_for_function("document.querySelectorAll('.chart-line')[2].getAttribute('d') !== ''")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert [len(coordinates(path)) for path in lines(page)] == [0, 5, 3]
    assert page.get_by_role("button", name="cfr", exact=True).get_attribute("aria-pressed") == "false"
    page.evaluate("(series) => view.update({ series })", [{"name": "new", "points": [[10, 1], [100, 2]]}, *longer])
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert [len(coordinates(path)) for path in lines(page)] == [2, 0, 5, 3]
    assert page.get_by_role("button", name="cfr", exact=True).get_attribute("aria-pressed") == "false"
    page.evaluate("(series) => view.update({ series, targets: [] })", [{"name": "new", "points": [[1, 1], [2, 2]]}])
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert [len(coordinates(path)) for path in lines(page)] == [2]


def test_many_updates_make_one_drawing_a_frame(draw) -> None:
    page = draw()
    drawn = page.evaluate(
        """async (series) => {
          let count = 0;
          const draw = view.draw.bind(view);
          view.draw = () => { count += 1; draw(); };
          for (let k = 0; k < 100; k += 1) view.update({ series });
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          return count;
        }""",
        SERIES,
    )
    assert drawn == 1


def test_what_a_log_axis_cant_show_leaves_a_gap(draw) -> None:
    points = [[1, 1], [10, None], [100, 0.1], [1_000, 0], [10_000, -1], [100_000, 0.01], [1_000_000, 0.001]]
    band = [[1, 0, 2], [100, -1, 1], [1_000_000, 0.0001, 0.01]]
    page = draw({**SPEC, "targets": [], "series": [{"name": "broken", "points": points, "band": band}]})
    (path,) = lines(page)
    assert path.count("M") == 3
    assert len(coordinates(path)) == 4
    area = coordinates(page.locator(".chart-band").get_attribute("d"))
    assert len(area) == 6
    assert area[4][1] == area[5][1] > max(y for _, y in area[:4])  # both lie on the edge
    drawn = page.locator(".chart-plot svg").inner_html()
    assert "NaN" not in drawn
    assert "Infinity" not in drawn


def test_a_missing_number_leaves_a_gap_on_linear_axes_too(draw) -> None:
    axes = {"x": {"label": "x", "scale": "linear"}, "y": {"label": "y", "scale": "linear"}}
    points = [[0, 5], [1, None], [2, 7], [3, 8]]
    (path,) = lines(draw({"title": "t", **axes, "series": [{"name": "line", "points": points}]}))
    assert (path.count("M"), len(coordinates(path))) == (2, 3)


@pytest.mark.parametrize("series", [[], [{"name": "none", "points": []}], [{"name": "one", "points": [[5, 3]]}]])
@pytest.mark.parametrize("scale", ["log", "linear"])
def test_little_or_nothing_can_be_drawn(draw, series: list[Any], scale: str) -> None:
    axes = {"x": {"label": "x", "scale": scale}, "y": {"label": "y", "scale": scale}}
    page = draw({"title": "t", **axes, "series": series})
    assert "NaN" not in page.locator(".chart-plot svg").inner_html()
    assert page.locator(".chart-tick").count() >= 4  # on each axis two
    page.locator(".chart-reader").hover()
    page.locator(".chart-reader").press("ArrowRight")
    assert page.evaluate("view.csv()").startswith("line,x,y,low,high\n")
    ET.fromstring(page.evaluate("view.svg()"))


def test_a_chart_follows_its_container(draw) -> None:
    page = draw()
    assert page.locator(".chart-plot svg").get_attribute("viewBox").split()[2] == "784"
    before = coordinates(lines(page)[0])
    page.set_viewport_size({"width": 400, "height": 700})
    page.wait_for_function("document.querySelector('.chart-plot svg').getAttribute('viewBox').split(' ')[2] === '384'")
    assert coordinates(lines(page)[0])[-1][0] < before[-1][0] - 250
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_the_data_can_be_taken_away(draw) -> None:
    rows = list(csv.reader(io.StringIO(draw().evaluate("view.csv()"))))
    assert rows[0] == ["line", "iterations", "chips", "low", "high"]
    expected = [
        (one["name"], x, y, *next((each[1:] for each in one.get("band", []) if each[0] == x), ["", ""]))
        for one in SERIES
        for x, y in one["points"]
    ]
    found = [(name, *(float(cell) if cell else "" for cell in cells)) for name, *cells in rows[1:]]
    assert found == [*expected, ("goal", "", 1e-6, "", "")]


def test_the_picture_can_be_taken_away_and_needs_nothing_else(draw) -> None:
    text = draw().evaluate("view.svg()")
    tree = ET.fromstring(text)
    words = [element.text for element in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Exploitability", "cfr", 'the "second", <b>', "late", "goal", "iterations", "chips"} <= set(words)
    assert "class=" not in text
    assert "var(" not in text
    assert "href" not in text
    strokes = {element.get("stroke") for element in tree.iter("{http://www.w3.org/2000/svg}path")}
    assert {"rgb(17, 48, 141)", "rgb(213, 125, 12)", "rgb(2, 128, 76)"} <= strokes


def test_buttons_save_both(draw) -> None:
    page = draw()
    for name, file in (
        ("Save data (CSV): Exploitability", "kuhn.csv"),
        ("Save picture (SVG): Exploitability", "kuhn.svg"),
    ):
        with page.expect_download() as started:
            page.get_by_role("button", name=name).click()
        assert started.value.suggested_filename == file
        saved = Path(started.value.path()).read_text(encoding="utf-8")
        assert saved == page.evaluate("view.csv()" if file.endswith("csv") else "view.svg()")


def test_the_picture_is_described_for_those_who_do_not_see_it(draw) -> None:
    page = draw()
    assert page.locator(".chart-plot svg > title").text_content() == "Exploitability"
    described = page.locator(".chart-plot svg > desc").text_content()
    assert (
        described
        == 'chips against iterations. cfr ends at 0.0100; the "second", <b> ends at 0.000100; late ends at 1.00·10⁻⁸.'
    )
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    assert axe.Axe().run(page).response["violations"] == []


@pytest.fixture(scope="module")
def module_page(chromium) -> Iterator[Any]:
    """A page on which the module's functions can be called."""
    page = chromium.new_page()
    page.set_content("<p></p>")
    page.add_script_tag(
        type="module", content=(WEB / "chart.js").read_text() + "\nObject.assign(window, {format, ticks});"
    )
    page.wait_for_function("() => Boolean(window.ticks)")
    yield page
    page.close()


NUMBERS = st.one_of(
    st.floats(min_value=-1e9, max_value=1e9),
    st.floats(min_value=-18, max_value=9).map(lambda power: 10**power),
    st.integers(-(10**9), 10**9).map(float),
)


@settings(max_examples=10)
@given(st.lists(NUMBERS, min_size=30, max_size=30))
def test_numbers_are_written_as_in_the_tables(module_page, numbers: list[float]) -> None:
    shown = module_page.evaluate("(numbers) => numbers.map((number) => format(number))", numbers)
    # Halves are rounded to even here and away from zero there, where a number has an exponent.
    assert shown == [written(number) for number in numbers]


@settings(max_examples=30)
@given(st.integers(0, 2_000), st.integers(2, 12))
def test_counts_have_ticks_at_whole_numbers(module_page, last: int, most: int) -> None:
    ends = [0, last] if last else [-0.5, 0.5]  # before there is anything to count
    ticks = module_page.evaluate("([ends, most]) => ticks('linear', ends, most, 1)", [ends, most])
    assert ticks[0] == 0
    assert all(float(tick).is_integer() for tick in ticks)
    assert len(ticks) <= most + 1


@settings(max_examples=60)
@given(st.sampled_from(["log", "linear"]), st.floats(-15, 6), st.floats(0.01, 14), st.integers(2, 12))
def test_ticks_are_round_and_inside(module_page, scale: str, start: float, length: float, most: int) -> None:
    low, high = (10**start, 10 ** (start + length)) if scale == "log" else (-start, length - start)
    ticks = module_page.evaluate("([scale, ends, most]) => ticks(scale, ends, most)", [scale, [low, high], most])
    assert ticks == sorted(set(ticks))
    assert 1 <= len(ticks) <= max(most + 1, 6)
    room = 1e-6 * (high - low)
    assert all(low - room <= tick <= high + room for tick in ticks)
    powers = math.floor(math.log10(high) + 1e-9) - math.ceil(math.log10(low) - 1e-9) + 1 if scale == "log" else 0
    if powers >= 2:
        assert all(math.log10(tick) == pytest.approx(round(math.log10(tick)), abs=1e-9) for tick in ticks)
    if scale == "linear" and len(ticks) > 1:
        steps = [after - before for before, after in pairwise(ticks)]
        assert max(steps) == pytest.approx(min(steps))
        factor = steps[0] / 10 ** math.floor(math.log10(steps[0]) + 1e-6)
        assert min(abs(factor - digit) for digit in (1, 2, 5)) < 1e-5


def labels(page: Any) -> list[tuple[str, float, float]]:
    """The names at the ends of lines: what they say, and where."""
    found: list[list[Any]] = page.eval_on_selector_all(
        ".chart-name",
        "all => all.map(each => [each.textContent, Number(each.getAttribute('x')), Number(each.getAttribute('y'))])",
    )
    return [(str(name), float(x), float(y)) for name, x, y in found]


def test_names_stand_at_the_ends_of_lines_and_never_on_each_other(draw) -> None:
    ends = (0.1, 0.1001, 0.1002, 0.5, 1e-9)
    series = [{"name": f"line {k}", "short": f"l{k}", "points": [[10, 1], [100, end]]} for k, end in enumerate(ends)]
    page = draw({**SPEC, "targets": [], "series": series})
    found = labels(page)
    assert [name for name, _, _ in found] == [f"l{k}" for k in range(5)]
    heights = sorted(y for _, _, y in found)
    assert min(after - before for before, after in pairwise(heights)) >= 13.9
    tips = [coordinates(path)[-1] for path in lines(page)]
    assert all(x > tip[0] for (_, x, _), tip in zip(found, tips, strict=True))
    assert found[4][2] - 4 == pytest.approx(tips[4][1], abs=4.1)  # there is room beside this one
    page.get_by_role("button", name="line 1", exact=True).click()
    assert [name for name, _, _ in labels(page)] == ["l0", "l2", "l3", "l4"]


def test_names_that_are_too_long_stand_in_the_legend_alone(draw) -> None:
    page = draw({**SPEC, "series": [{**one, "name": f"{one['name']} {'long ' * 12}"} for one in SERIES]}, width=400)
    assert labels(page) == []
    assert coordinates(lines(page)[0])[-1][0] > 340


def test_what_is_read_does_not_cover_the_plot(draw) -> None:
    page = draw()
    page.evaluate("document.getElementById('place').style.marginTop = '12rem'")
    grid = page.locator(".chart-grid").bounding_box()
    for x in (80, 300, 600):
        page.locator(".chart-reader").hover(position={"x": x, "y": 150})
        box = page.locator(".chart-readout").bounding_box()
        assert box["y"] + box["height"] <= grid["y"] or box["y"] >= grid["y"] + grid["height"]
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 800


def test_a_click_or_enter_picks_a_point_and_marks_say_what_they_are(draw) -> None:
    page = draw({**SPEC, "marks": [{"x": 1_000, "y": 1e-3, "words": "below a thousandth"}]})
    page.evaluate("() => { view.spec.pick = (x) => (window.picked ??= []).push(x); }")
    spots = [x for x, _ in coordinates(lines(page)[0])]
    reader = page.locator(".chart-reader")
    reader.click(position={"x": spots[1] + 9, "y": 150})
    reader.click(position={"x": spots[2] - 3, "y": 150})
    assert "below a thousandth" in page.inner_text(".chart-readout")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    assert page.evaluate("window.picked") == [100, 1_000, 10_000]
    assert page.locator(".chart-mark").get_attribute("d").count("M") == 1
    page.keyboard.press("ArrowLeft")
    assert "below a thousandth" in reader.get_attribute("aria-valuetext")


def test_a_ghost_is_drawn_apart_from_the_others(draw) -> None:
    page = draw({**SPEC, "series": [SERIES[0], {**SERIES[1], "ghost": True}]})
    assert page.locator(".chart-plot .chart-line.chart-ghost").count() == 1
    strokes = page.eval_on_selector_all(
        ".chart-plot .chart-line", "all => all.map(each => getComputedStyle(each).stroke)"
    )
    assert strokes[1] == "rgb(87, 96, 106)"  # the quiet ink, no colour of a series
