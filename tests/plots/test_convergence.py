"""The picture of a comparison shows its numbers."""

import sys
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from regretlab.experiments import Comparison, compare
from regretlab.plots import convergence

MODULE = import_module("regretlab.experiments.compare")  # the package has a function of this name
SAMPLED = "cfr(feedback=chance)"


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return compare("kuhn", ["cfr", "cfr+", SAMPLED], iterations=1_000, seeds=3)


@pytest.fixture
def figure(comparison: Comparison) -> Figure:
    return convergence(comparison)


def test_exploitability_is_on_logarithmic_axes_with_a_line_a_recipe(figure: Figure, comparison: Comparison) -> None:
    distance, _ = figure.axes
    assert (distance.get_xscale(), distance.get_yscale()) == ("log", "log")
    lines = {line.get_label(): line for line in distance.get_lines()}
    assert list(lines) == ["cfr", "cfr+", SAMPLED]
    history = comparison.rows[1].solutions[0].history
    np.testing.assert_array_equal(lines["cfr+"].get_xdata(), [point.iteration for point in history])
    np.testing.assert_array_equal(lines["cfr+"].get_ydata(), [point.exploitability for point in history])


def test_sampled_recipes_show_mean_lowest_and_highest(figure: Figure, comparison: Comparison) -> None:
    runs = np.array([[point.exploitability for point in one.history] for one in comparison.rows[2].solutions])
    distance, value = figure.axes
    line = next(line for line in distance.get_lines() if line.get_label() == SAMPLED)
    np.testing.assert_allclose(line.get_ydata(), runs.mean(axis=0), rtol=1e-14)
    (band,) = [part for part in distance.collections if isinstance(part, PolyCollection)]
    heights = band.get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == (runs.min(), runs.max())
    assert len(value.collections) == 1


def test_the_exact_value_is_a_dashed_line(figure: Figure, comparison: Comparison) -> None:
    _, value = figure.axes
    (line,) = [line for line in value.get_lines() if len(set(line.get_ydata())) == 1 and len(line.get_ydata()) == 2]
    assert line.get_ydata()[0] == comparison.exact_value
    assert line.is_dashed()
    assert value.get_yscale() == "linear"


def test_the_value_leaves_out_the_first_swings(figure: Figure) -> None:
    line = figure.axes[1].get_lines()[0]
    assert line.get_xdata()[0] == 7  # the first checkpoint after the fourth root of 1,000
    assert line.get_xdata()[-1] == 1_000


def test_words_and_units_are_there(figure: Figure) -> None:
    distance, value = figure.axes
    assert figure.get_suptitle() == "kuhn: 1,000 iterations"
    assert distance.get_xlabel() == value.get_xlabel() == "iterations"
    assert "exploitability (chips a game)" in distance.get_ylabel()
    assert "(chips a game)" in value.get_ylabel()
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
    perfect = replace(row, solutions=(replace(solution, history=history),))
    figure = convergence(replace(comparison, rows=(perfect,)))
    assert (figure.axes[0].get_lines()[0].get_ydata() > 0).all()
    figure.draw_without_rendering()


def test_one_iteration_and_no_exact_value_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "MOST_SEQUENCES_FOR_PROOF", 1)
    monkeypatch.setattr(MODULE, "MOST_SEQUENCES_FOR_VALUE", 1)
    figure = convergence(compare("kuhn", ["cfr"], iterations=1))
    assert [len(axes.get_lines()) for axes in figure.axes] == [1, 1]
    assert figure.get_suptitle() == "kuhn: 1 iteration"
    figure.draw_without_rendering()


def test_pyplot_and_its_global_state_stay_out(figure: Figure) -> None:
    assert "matplotlib.pyplot" not in sys.modules
