"""The picture of the benchmark shows its numbers."""

from itertools import pairwise
from typing import Any

import pytest
from matplotlib.figure import Figure

from benchmarks.picture import benchmark


def race(game: str, quantity: str = "iteration, cfr+", **ratios: float) -> dict[str, Any]:
    found = [
        {"name": name, "to": to, "median": part * median, "low": 0.9 * part * median, "high": 1.2 * part * median}
        for name, median in ratios.items()
        for to, part in (("regretlab", 1), ("regretlab, from a dictionary", 0.1))
    ]
    return {"game": game, "quantity": quantity, "ratios": found}


def point(family: str, footprint: int, nanoseconds: float) -> dict[str, Any]:
    return {"family": family, "footprint": footprint, "nanoseconds": nanoseconds}


@pytest.fixture
def report() -> dict[str, Any]:
    return {
        "machine": {"processor": "Abacus 1", "caches": {"L1": 32_768, "L3": 2**25}},
        "measurements": [
            race("kuhn", OpenSpiel=90.0, LiteEFG=40.0),
            race("kuhn", quantity="exploitability", OpenSpiel=5.0),
            race("leduc", OpenSpiel=600.0, JAX=0.5),
            race("kuhn", quantity="iteration, external sampling", LiteEFG=7.0),
        ],
        "holdem": {"compared": [], "flop": None},
        "growth": [point("Kuhn", 2_000, 12.0), point("Kuhn", 10_000, 3.5), point("random", 10**6, 5.0)],
    }


@pytest.fixture
def figure(report: dict[str, Any]) -> Figure:
    return benchmark(report)


def test_there_is_a_bar_for_each_peer_of_each_game(figure: Figure) -> None:
    bars, _ = figure.axes
    heights = {box.get_label(): [bar.get_height() for bar in box] for box in bars.containers if hasattr(box, "patches")}
    assert heights == {"OpenSpiel": [90.0, 600.0], "LiteEFG": [40.0, 7.0], "JAX": [0.5]}
    assert bars.get_yscale() == "log"
    assert [label.get_text() for label in bars.get_xticklabels()] == ["kuhn", "leduc", "kuhn,\nsampled"]
    assert {text.get_text() for text in bars.texts} == {"90×", "600×", "40×", "0.5×", "7×"}


def test_bars_of_one_game_stand_around_its_name_and_do_not_overlap(figure: Figure) -> None:
    patches = sorted(figure.axes[0].patches, key=lambda bar: bar.get_x())
    places = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in patches]
    assert all(left[1] <= right[0] for left, right in pairwise(places))
    assert all(
        abs(start - round((start + end) / 2)) < 0.5 > abs(end - round((start + end) / 2)) for start, end in places
    )


def test_growth_is_a_line_a_family_and_the_caches_are_marked(figure: Figure) -> None:
    _, lines = figure.axes
    drawn = {line.get_label(): list(line.get_ydata()) for line in lines.get_lines()}
    assert drawn["Kuhn"] == [12.0, 3.5]
    assert drawn["random"] == [5.0]
    assert [text.get_text() for text in lines.texts] == ["L1", "L3"]
    assert lines.get_xscale() == "log"
    assert lines.get_ylim()[0] == 0


def test_the_processor_is_named(figure: Figure) -> None:
    assert "Abacus 1" in figure.get_suptitle()


@pytest.mark.parametrize(("part", "title"), [("growth", "One iteration"), ("measurements", "How the cost")])
def test_a_part_that_was_not_measured_has_no_panel(report: dict[str, Any], part: str, title: str) -> None:
    (axes,) = benchmark(report | {part: []}).axes
    assert axes.get_title().startswith(title)


def test_a_flop_is_a_curve_in_percent_of_the_pot(report: dict[str, Any]) -> None:
    looks = [{"iteration": 10, "seconds": 2.0, "part": 0.1}, {"iteration": 20, "seconds": 4.0, "part": 0.004}]
    flop = {"spot": "holdem:flop-srp", "precision": "f32", "cores": 2, "target": 0.005, "looks": looks}
    *_, axes = benchmark(report | {"holdem": {"compared": [], "flop": flop}}).axes
    curve, goal = axes.get_lines()
    assert (list(curve.get_xdata()), list(curve.get_ydata())) == ([2.0, 4.0], pytest.approx([10.0, 0.4]))
    assert set(goal.get_ydata()) == {0.5}
    assert axes.get_title() == "holdem:flop-srp, f32, 2 cores"


def test_recipes_on_a_river_are_a_curve_each_and_need_no_peers(report: dict[str, Any]) -> None:
    looks = [{"iteration": 10, "seconds": 0.1, "part": 0.1}, {"iteration": 20, "seconds": 0.2, "part": 0.0005}]
    runs = [{"spot": "holdem:river-srp", "name": name, "target": 0.001, "looks": looks} for name in ("dcfr", "cfr+")]
    yardstick = race("river, all hands", quantity="iteration, dcfr, by precision", dice=2.0)
    measured = {"measurements": [yardstick], "growth": [], "holdem": {"compared": runs, "flop": None}}
    figure = benchmark(report | measured)
    (axes,) = figure.axes
    *curves, goal = axes.get_lines()
    assert [curve.get_label() for curve in curves] == ["dcfr", "cfr+"]
    assert list(curves[1].get_ydata()) == pytest.approx([10.0, 0.05])
    assert set(goal.get_ydata()) == {0.1}
    assert "peers" not in figure.get_suptitle()


def test_nothing_measured_can_be_drawn(report: dict[str, Any]) -> None:
    benchmark(report | {"growth": [], "measurements": []}).draw_without_rendering()
