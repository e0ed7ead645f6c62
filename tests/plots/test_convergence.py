"""The picture of a comparison shows its numbers."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from regretlab.experiments import Comparison, compare
from regretlab.experiments.comparing import strategies
from regretlab.experiments.comparing.presentation import comparison_charts
from regretlab.plots import convergence

SAMPLED = "cfr(feedback=chance)"


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return compare("kuhn", ["cfr", "cfr+", SAMPLED], iterations=1_000, seeds=3)


@pytest.fixture
def figure(comparison: Comparison) -> Figure:
    return convergence(comparison)


def test_exploitability_is_on_logarithmic_axes_with_a_line_a_recipe(figure: Figure, comparison: Comparison) -> None:
    distance, *_ = figure.axes
    assert (distance.get_xscale(), distance.get_yscale()) == ("log", "log")
    lines = {line.get_label(): line for line in distance.get_lines()}
    assert list(lines) == ["cfr", "cfr+", SAMPLED]
    history = comparison.rows[1].solutions[0].history
    np.testing.assert_array_equal(lines["cfr+"].get_xdata(), [point.iteration for point in history])
    np.testing.assert_array_equal(lines["cfr+"].get_ydata(), [point.exploitability for point in history])


def test_sampled_recipes_show_mean_lowest_and_highest(figure: Figure, comparison: Comparison) -> None:
    runs = np.array([[point.exploitability for point in one.history] for one in comparison.rows[2].solutions])
    distance, value, *_ = figure.axes
    line = next(line for line in distance.get_lines() if line.get_label() == SAMPLED)
    np.testing.assert_allclose(line.get_ydata(), runs.mean(axis=0), rtol=1e-14)
    (band,) = [part for part in distance.collections if isinstance(part, PolyCollection)]
    heights = band.get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == (runs.min(), runs.max())
    assert len(value.collections) == 1


def test_the_exact_value_is_a_dashed_line(figure: Figure, comparison: Comparison) -> None:
    _, value, *_ = figure.axes
    (line,) = [line for line in value.get_lines() if len(set(line.get_ydata())) == 1 and len(line.get_ydata()) == 2]
    assert line.get_ydata()[0] == comparison.exact_value
    assert line.is_dashed()
    assert value.get_yscale() == "linear"


def test_the_value_leaves_out_the_first_swings(figure: Figure) -> None:
    line = figure.axes[1].get_lines()[0]
    assert line.get_xdata()[0] == 6  # the first look after the fourth root of 1,000
    assert line.get_xdata()[-1] == 1_000


def test_the_error_of_the_value_is_on_a_logarithmic_axis(figure: Figure, comparison: Comparison) -> None:
    error = figure.axes[2]
    assert (error.get_xscale(), error.get_yscale()) == ("log", "log")
    history = comparison.rows[1].solutions[0].history
    line = next(line for line in error.get_lines() if line.get_label() == "cfr+")
    assert comparison.exact_value is not None
    expected = [abs(point.value - comparison.exact_value) for point in history]
    np.testing.assert_allclose(line.get_ydata(), expected, rtol=1e-12)


def test_regrets_are_drawn_as_long_as_swings_can_be_told_apart() -> None:
    result = compare("kuhn", ["cfr", "cfr+"], iterations=3_000, regret_of="Q:bet")
    axes = convergence(result).axes[3]
    assert axes.get_title() == "Cumulative regret of bet at Q"
    assert (axes.get_xscale(), axes.get_yscale()) == ("linear", "linear")
    plain, truncated, level = axes.get_lines()
    assert (plain.get_xdata()[-1], level.get_ydata()[0]) == (1_000, 0)
    regrets = [row["regret"] for row in result.regrets() if row["recipe"] == "cfr" and row["iteration"] <= 1_000]
    np.testing.assert_array_equal(plain.get_ydata(), regrets)
    assert min(plain.get_ydata()) < -10
    assert min(truncated.get_ydata()) == 0


def test_few_points_are_marked_and_marks_of_several_lines_are_apart(figure: Figure) -> None:
    marks = [line.get_markevery() for line in figure.axes[0].get_lines()]
    assert all(2 < len(each) <= 8 for each in marks)
    assert len({tuple(each) for each in marks}) == len(marks)


def test_words_and_units_are_there(figure: Figure) -> None:
    distance, value, error, regret = figure.axes
    assert figure.get_suptitle() == "kuhn: 1,000 iterations"
    assert {axes.get_xlabel() for axes in figure.axes} == {"iterations"}
    assert "exploitability (chips a game)" in distance.get_ylabel()
    assert "(chips a game)" in value.get_ylabel()
    assert "(chips a game)" in error.get_ylabel()
    assert "(chips)" in regret.get_ylabel()
    figure.draw_without_rendering()
    assert "1,000" in [tick.get_text() for tick in distance.get_xticklabels()]
    assert "0" in [tick.get_text() for tick in regret.get_xticklabels()]
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["cfr", "cfr+", SAMPLED, "exact value −0.0555556"]


def test_lines_differ_in_colour_and_in_what_is_left_without_it(figure: Figure) -> None:
    lines = figure.axes[0].get_lines()
    assert len({line.get_color() for line in lines}) == len(lines)
    assert len({(line.get_linestyle(), line.get_marker()) for line in lines}) == len(lines)


def test_many_recipes_stay_distinct() -> None:
    recipes = [f"cfr+(delay={delay})" for delay in range(20)]
    figure = convergence(compare("kuhn", recipes, iterations=30))
    styles = {(line.get_color(), line.get_linestyle(), line.get_marker()) for line in figure.axes[0].get_lines()}
    assert len(styles) == 20


def test_everything_is_inside_the_picture() -> None:
    recipes = ["cfr", "cfr+(averaging=t^1.5, delay=2)", "normalhedge+(averaging=linear, schedule=alternating)"]
    figure = convergence(compare("kuhn", recipes, iterations=10))
    figure.draw_without_rendering()
    (legend,) = figure.legends
    box, page = legend.get_window_extent(), figure.bbox
    assert page.x0 <= box.x0
    assert box.x1 <= page.x1
    assert box.y0 >= page.y0


def test_exploitability_of_zero_or_less_by_rounding_can_be_drawn(comparison: Comparison) -> None:
    row = comparison.rows[0]
    solution = row.solutions[0]
    history = tuple(point._replace(exploitability=-1e-18) for point in solution.history)
    perfect = replace(row, traces=(replace(row.traces[0], solution=replace(solution, history=history)),))
    figure = convergence(replace(comparison, rows=(perfect,)))
    assert (figure.axes[0].get_lines()[0].get_ydata() > 0).all()
    figure.draw_without_rendering()


def test_one_iteration_and_no_exact_value_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategies, "MOST_SEQUENCES_FOR_PROOF", 1)
    monkeypatch.setattr(strategies, "MOST_SEQUENCES_FOR_VALUE", 1)
    figure = convergence(compare("kuhn", ["cfr"], iterations=1))
    assert [len(axes.get_lines()) for axes in figure.axes] == [1, 1, 2]
    assert figure.get_suptitle() == "kuhn: 1 iteration"
    figure.draw_without_rendering()


def test_a_late_average_leaves_a_short_line() -> None:
    """With a delay there is nothing to draw before it, not even in the part that the value shows."""
    result = compare("kuhn", ["cfr", "cfr+(delay=90)"], iterations=100)
    for chart in comparison_charts(result)[:3]:
        assert [len(series.points) > 0 for series in chart.series] == [True, True]
    assert comparison_charts(result)[0].series[1].points[0][0] == 91
    convergence(result).draw_without_rendering()


def test_pyplot_and_its_global_state_stay_out(figure: Figure) -> None:
    assert "matplotlib.pyplot" not in sys.modules
