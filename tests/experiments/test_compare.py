"""Comparisons: every number is checked against the runs that it comes from."""

import json
import re
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

import regretlab as rl
from regretlab.errors import UserError
from regretlab.experiments import Comparison, Step, compare

MODULE = import_module("regretlab.experiments.compare")  # the package has a function of this name
SAMPLED = "cfr(feedback=chance)"


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return compare("kuhn(bet=2)", ["cfr", "cfr+", SAMPLED], iterations=300, seeds=4)


def test_a_row_for_each_recipe_in_the_order_given(comparison: Comparison) -> None:
    assert [row.recipe.name for row in comparison.rows] == ["cfr", "cfr+", SAMPLED]
    assert (comparison.game, comparison.iterations, comparison.complete) == ("kuhn(bet=2)", 300, True)
    assert comparison.exact_value == pytest.approx(0, abs=1e-12)


def test_only_recipes_that_sample_run_once_a_seed(comparison: Comparison) -> None:
    assert [[solution.seed for solution in row.solutions] for row in comparison.rows] == [[0], [0], [0, 1, 2, 3]]


def test_numbers_are_those_of_the_runs(comparison: Comparison) -> None:
    for row in comparison.rows:
        losses = [rl.exploitability("kuhn(bet=2)", solution.strategy) for solution in row.solutions]
        values = [rl.evaluate("kuhn(bet=2)", solution.strategy).value for solution in row.solutions]
        assert row.exploitability.mean == pytest.approx(np.mean(losses), rel=1e-12)
        assert row.value.mean == pytest.approx(np.mean(values), rel=1e-12)
        assert row.value_distance == pytest.approx(np.mean(np.abs(values)), rel=1e-9)
    assert comparison.rows[1].solutions[0].value == rl.solve("kuhn(bet=2)", "cfr+", iterations=300).value


def test_errors_of_the_value_in_both_directions_do_not_cancel() -> None:
    result = compare("kuhn", [SAMPLED], iterations=100, seeds=8)
    assert result.exact_value is not None
    errors = np.array([solution.value for solution in result.rows[0].solutions]) - result.exact_value
    assert errors.min() < 0 < errors.max()
    assert result.rows[0].value_distance == pytest.approx(np.abs(errors).mean(), rel=1e-12)


def test_the_standard_error_is_that_of_the_mean(comparison: Comparison) -> None:
    one, _, several = comparison.rows
    assert one.exploitability.error is None
    losses = [solution.exploitability for solution in several.solutions]
    assert several.exploitability.error == pytest.approx(np.std(losses, ddof=1) / 2, rel=1e-12)
    values = [solution.value for solution in several.solutions]
    assert several.value.error == pytest.approx(np.std(values, ddof=1) / 2, rel=1e-12)


def test_ratios_are_against_the_first_row(comparison: Comparison) -> None:
    first, *_ = comparison.rows
    for row in comparison.rows:
        assert row.exploitability_ratio == row.exploitability.mean / first.exploitability.mean
        assert row.time_ratio == row.microseconds / first.microseconds
        seconds = sum(solution.seconds for solution in row.solutions)
        assert row.microseconds == pytest.approx(1e6 * seconds / 300 / len(row.solutions))


def test_nothing_is_divided_by_an_exploitability_of_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    perfect = replace(rl.solve("kuhn", "cfr+", iterations=10), exploitability=0.0)
    monkeypatch.setattr(MODULE, "solve", lambda *_, **__: perfect)
    assert compare("kuhn", ["cfr+"], iterations=10).rows[0].exploitability_ratio is None


def test_rows_are_plain_dictionaries_too(comparison: Comparison) -> None:
    rows = json.loads(json.dumps(comparison.as_dicts(), allow_nan=False))
    assert [row["recipe"] for row in rows] == ["cfr", "cfr+", SAMPLED]
    assert rows[2]["seeds"] == [0, 1, 2, 3]
    assert rows[1]["averaging"] == "linear"
    assert rows[0]["exploitability"] == comparison.rows[0].exploitability.mean
    assert all(row["game"] == "kuhn(bet=2)" and row["iterations"] == 300 for row in rows)


def test_it_can_be_printed_and_shown_in_a_notebook(comparison: Comparison) -> None:
    text = repr(comparison).splitlines()
    assert text[0].startswith("<comparison on kuhn(bet=2): 300 iterations, exact value ")
    assert [line.split()[0] for line in text[1:]] == ["cfr", "cfr+", SAMPLED]
    assert text[3].count(" ± ") == 2
    html = comparison._repr_html_()
    assert html.count("<tr>") == 4
    assert "<td>cfr(feedback=chance)</td>" in html


@pytest.mark.parametrize(
    ("recipes", "says"),
    [
        (["cfr", "cfr"], "recipe 'cfr' is given twice"),
        (["cfr+", "cfr+(delay=0)"], "recipe 'cfr+' is given twice"),
        (["cfr", "cfr+(accumulate=sum, averaging=uniform, schedule=simultaneous)"], "recipe 'cfr' is given twice"),
        ([], "no recipe was given"),
        ("cfr", "recipes are a list"),
        (["cfr", "cfrplus"], "did you mean 'cfr+'"),
    ],
)
def test_lists_that_make_no_comparison_are_refused(recipes, says: str) -> None:
    with pytest.raises(UserError, match=re.escape(says)):
        compare("kuhn", recipes, iterations=10)


@pytest.mark.parametrize("wrong", [{"iterations": 0}, {"seeds": 0}, {"seeds": 1.5}])
def test_counts_are_whole_numbers(wrong) -> None:
    with pytest.raises(UserError, match="must be a whole number"):
        compare("kuhn", ["cfr"], **wrong)


def test_a_recipe_that_cannot_run_is_found_before_the_first_one_does() -> None:
    seen: list[Step] = []
    with pytest.raises(UserError, match="50 iterations with delay=50 leave nothing to average"):
        compare("kuhn", ["cfr", "cfr+(delay=50)"], iterations=50, callback=seen.append)
    assert seen == []


def test_a_callback_sees_every_run_and_can_stop() -> None:
    seen: list[Step] = []

    def callback(step: Step) -> bool:
        seen.append(step)
        return step.run == 3

    result = compare("kuhn", ["cfr+", SAMPLED], iterations=50, seeds=3, callback=callback)
    assert {(step.recipe.name, step.seed, step.run, step.runs) for step in seen} == {
        ("cfr+", 0, 1, 4),
        (SAMPLED, 0, 2, 4),
        (SAMPLED, 1, 3, 4),
    }
    assert all(step.progress.goal == 50 for step in seen)
    assert not result.complete
    assert [len(row.solutions) for row in result.rows] == [1, 1]
    assert all(solution.iterations == 50 for row in result.rows for solution in row.solutions)


def test_stopped_at_once_it_is_empty_and_can_still_be_shown() -> None:
    result = compare("kuhn", ["cfr"], iterations=50, callback=lambda step: True)
    assert (result.rows, result.complete, result.as_dicts()) == ((), False, [])
    assert "kuhn: 50 iterations" in repr(result)


def test_the_exact_value_is_left_out_where_the_game_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "MOST_SEQUENCES_FOR_PROOF", 25)
    monkeypatch.setattr(MODULE, "MOST_SEQUENCES_FOR_VALUE", 25)
    result = compare("kuhn", ["cfr"], iterations=5)
    assert result.exact_value is None
    assert result.rows[0].value_distance is None
    assert "exact value" not in repr(result)
    assert result._repr_html_()


def test_games_come_as_rules_and_compiled_too() -> None:
    by_name = compare("kuhn", ["cfr"], iterations=5).rows[0].exploitability
    assert compare(rl.load("kuhn"), ["cfr"], iterations=5).rows[0].exploitability == by_name
    assert compare(rl.compile(rl.load("kuhn")), ["cfr"], iterations=5).rows[0].exploitability == by_name


def test_the_value_comes_from_fractions_where_that_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a bet of 10⁹ antes the linear programme's tolerance is larger than the value."""
    result = compare("kuhn(bet=1e9)", ["cfr+"], iterations=1)
    assert (result.exact_value, result.proven) == (0.0, True)
    monkeypatch.setattr(MODULE, "MOST_SEQUENCES_FOR_PROOF", 1)
    assert not compare("kuhn", ["cfr+"], iterations=1).proven
