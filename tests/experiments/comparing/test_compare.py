"""Comparisons: every number is checked against the runs that it comes from."""

import json
import re

import numpy as np
import pytest

import regretlab as rl
from regretlab.errors import UserError
from regretlab.experiments import Comparison, ComparisonStep, chaos, compare
from regretlab.experiments.comparing import strategies, tracing
from regretlab.solving import Solver

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
        assert row.value_distance.mean == pytest.approx(np.mean(np.abs(values)), rel=1e-9)
    assert comparison.rows[1].solutions[0].value == rl.solve("kuhn(bet=2)", "cfr+", iterations=300).value


def test_errors_of_the_value_in_both_directions_do_not_cancel() -> None:
    result = compare("kuhn", [SAMPLED], iterations=100, seeds=8)
    assert result.exact_value is not None
    errors = np.array([solution.value for solution in result.rows[0].solutions]) - result.exact_value
    assert errors.min() < 0 < errors.max()
    assert result.rows[0].value_distance.mean == pytest.approx(np.abs(errors).mean(), rel=1e-12)
    assert result.rows[0].value_distance.error == pytest.approx(np.abs(errors).std(ddof=1) / np.sqrt(8), rel=1e-12)


def test_the_standard_error_is_that_of_the_mean(comparison: Comparison) -> None:
    one, _, several = comparison.rows
    assert one.exploitability.error is None
    losses = [solution.exploitability for solution in several.solutions]
    assert several.exploitability.error == pytest.approx(np.std(losses, ddof=1) / 2, rel=1e-12)
    values = [solution.value for solution in several.solutions]
    assert several.value.error == pytest.approx(np.std(values, ddof=1) / 2, rel=1e-12)


def test_improvement_and_speed_up_are_how_many_times_as_good_as_the_first(comparison: Comparison) -> None:
    first, better, worse = comparison.rows
    for row in comparison.rows:
        assert row.improvement == first.exploitability.mean / row.exploitability.mean
        assert row.speed_up == pytest.approx(first.microseconds / row.microseconds)
        seconds = sum(solution.seconds for solution in row.solutions)
        assert row.microseconds == pytest.approx(1e6 * seconds / 300 / len(row.solutions))
    assert better.improvement > 1 > worse.improvement


def test_nothing_is_divided_by_an_exploitability_of_zero() -> None:
    """Rock, paper, scissors: both start at the equilibrium, and stay there."""
    result = compare("rps", ["cfr", "cfr+"], iterations=10)
    assert [row.improvement for row in result.rows] == [None, None]


def test_targets_are_told_with_iterations_and_solving_time(comparison: Comparison) -> None:
    result = compare("kuhn(bet=2)", ["cfr+", SAMPLED], iterations=300, seeds=4, targets=[1e-9, "1/5", 0.001])
    plain, sampled = result.rows
    assert [arrival.target for arrival in plain.arrivals] == [0.2, 0.001, 1e-9]
    history = plain.solutions[0].history
    for arrival in plain.arrivals[:2]:
        above = [point.iteration for point in history if point.exploitability > arrival.target]
        expected = next(point.iteration for point in history if point.iteration > max(above))
        assert (arrival.runs, arrival.iterations) == (1, (expected, None))
        assert arrival.seconds.mean == pytest.approx(expected * plain.microseconds / 1e6)
    assert plain.arrivals[2] == (1e-9, 0, None, None)
    assert sampled.arrivals[0].runs == 4
    assert sampled.arrivals[0].iterations.error > 0


def test_a_mean_over_the_seeds_that_got_there_would_flatter() -> None:
    result = compare("kuhn", [SAMPLED], iterations=300, seeds=8, targets=[0.05])
    last = [solution.exploitability for solution in result.rows[0].solutions]
    assert min(last) <= 0.05 < max(last)
    assert result.rows[0].arrivals[0] == (0.05, sum(loss <= 0.05 for loss in last), None, None)


def test_no_targets_are_fine() -> None:
    assert compare("kuhn", ["cfr"], iterations=5, targets=[]).rows[0].arrivals == ()


def test_rows_are_plain_dictionaries_too(comparison: Comparison) -> None:
    rows = json.loads(json.dumps(comparison.as_dicts(), allow_nan=False))
    assert [row["recipe"] for row in rows] == ["cfr", "cfr+", SAMPLED]
    assert [row["runs"] for row in rows] == [1, 1, 4]
    assert rows[1]["averaging"] == "linear"
    assert rows[0]["exploitability"] == comparison.rows[0].exploitability.mean
    assert all(row["game"] == "kuhn(bet=2)" and row["iterations"] == 300 for row in rows)
    arrival = comparison.rows[1].arrivals[0]
    assert rows[1]["iterations_until_0.01"] == arrival.iterations.mean
    assert rows[1]["seconds_until_0.01"] == arrival.seconds.mean
    assert (rows[0]["iterations_until_0.0001"], rows[0]["runs_until_0.0001"]) == (None, 0)


def test_every_row_has_the_same_columns_whatever_its_recipe_is_made_of() -> None:
    rows = compare("kuhn", ["cfr", "cfr(accumulate=clip, level=2)", "outcome-sampling"], iterations=5).as_dicts()
    assert len({tuple(row) for row in rows}) == 1
    assert [row["level"] for row in rows] == [None, "2", None]
    assert [row["epsilon"] for row in rows] == [None, None, "3/5"]


def test_the_history_has_a_row_for_every_run_and_look(comparison: Comparison) -> None:
    rows = json.loads(json.dumps(comparison.history(), allow_nan=False))
    mine = [row for row in rows if (row["recipe"], row["seed"]) == (SAMPLED, 2)]
    solution = comparison.rows[2].solutions[2]
    assert [row["iteration"] for row in mine] == [point.iteration for point in solution.history]
    assert [row["exploitability"] for row in mine] == [point.exploitability for point in solution.history]
    assert mine[-1]["value_distance"] == pytest.approx(abs(solution.value), abs=1e-15)
    assert mine[-1]["seconds"] == pytest.approx(solution.seconds)
    assert {row["seed"] for row in rows if row["recipe"] == "cfr"} == {0}


def test_the_regrets_of_the_chosen_action_are_those_of_the_runs() -> None:
    result = compare("kuhn", ["cfr", "cfr+"], iterations=120, regret_of="Qcb:call")
    assert result.regret_of == ("Qcb", "call")
    rows = [row for row in result.regrets() if row["recipe"] == "cfr"]
    assert {(row["label"], row["action"]) for row in rows} == {("Qcb", "call")}
    solver = rl.Solver("kuhn", "cfr")
    for row in rows:
        if row["iteration"] > solver.iteration:
            solver.advance(row["iteration"] - solver.iteration)
        assert row["regret"] == solver.solution().regrets["Qcb"]["call"]
    assert rows[-1]["iteration"] == 120


def test_regrets_can_be_asked_for_anywhere() -> None:
    """In Leduc most information sets are not among the key ones."""
    result = compare("leduc", ["cfr"], iterations=3, regret_of="Js cb:raise")
    assert "Js cb" not in result.key
    assert [row["iteration"] for row in result.regrets()] == [1, 2, 3]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("Q", "'Q' names no action; write LABEL:ACTION, such as J:bet"),
        ("Qx:bet", "unknown information set 'Qx'"),
        ("Qcb:bet", "unknown action at 'Qcb' 'bet'; there are: fold, call"),
    ],
)
def test_an_action_that_does_not_exist_is_named(given: str, says: str) -> None:
    with pytest.raises(UserError, match=re.escape(says)):
        compare("kuhn", ["cfr"], iterations=5, regret_of=given)


def test_it_can_be_printed_and_shown_in_a_notebook(comparison: Comparison) -> None:
    text = repr(comparison).splitlines()
    assert text[0].startswith("<comparison on kuhn(bet=2): 300 iterations, exact value ")
    assert [line.split()[0] for line in text[1:]] == ["cfr", "cfr+", SAMPLED]
    assert text[3].count(" ± ") == 2
    html = comparison._repr_html_()
    assert html.count("<tr>") == 4
    assert '<th scope="row">cfr(<wbr>feedback=chance)</th>' in html
    assert html.count("<svg") == 1


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


@pytest.mark.parametrize(
    ("targets", "says"), [([0], "target=0 must be above 0"), (["x"], "target=x"), ("0.1", "targets are a list")]
)
def test_targets_are_a_list_of_positive_numbers(targets, says: str) -> None:
    with pytest.raises(UserError, match=re.escape(says)):
        compare("kuhn", ["cfr"], iterations=5, targets=targets)


@pytest.mark.parametrize("wrong", [{"iterations": 0}, {"seeds": 0}, {"seeds": 1.5}])
def test_counts_are_whole_numbers(wrong) -> None:
    with pytest.raises(UserError, match="must be a whole number"):
        compare("kuhn", ["cfr"], **wrong)


def test_a_recipe_that_cannot_run_is_found_before_the_first_one_does() -> None:
    seen: list[ComparisonStep] = []
    with pytest.raises(UserError, match="50 iterations with delay=50 leave nothing to average"):
        compare("kuhn", ["cfr", "cfr+(delay=50)"], iterations=50, callback=seen.append)
    assert seen == []


def test_a_callback_sees_every_run_and_can_stop() -> None:
    seen: list[ComparisonStep] = []

    def callback(step: ComparisonStep) -> bool:
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
    monkeypatch.setattr(strategies, "MOST_SEQUENCES_FOR_PROOF", 25)
    monkeypatch.setattr(strategies, "MOST_SEQUENCES_FOR_VALUE", 25)
    result = compare("kuhn", ["cfr"], iterations=5)
    assert result.exact_value is None
    assert result.rows[0].value_distance is None
    assert "exact value" not in repr(result)
    assert result._repr_html_()
    assert {row["value_distance"] for row in result.history()} == {None}
    assert {row["equilibrium"] for row in result.strategies()} == {None}


def test_games_come_as_rules_and_compiled_too() -> None:
    by_name = compare("kuhn", ["cfr"], iterations=5).rows[0].exploitability
    assert compare(rl.load("kuhn"), ["cfr"], iterations=5).rows[0].exploitability == by_name
    assert compare(rl.compile(rl.load("kuhn")), ["cfr"], iterations=5).rows[0].exploitability == by_name


def test_the_value_comes_from_fractions_where_that_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a bet of 10⁹ antes the linear programme's tolerance is larger than the value."""
    result = compare("kuhn(bet=1e9)", ["cfr+"], iterations=1)
    assert (result.exact_value, result.proven) == (0.0, True)
    monkeypatch.setattr(strategies, "MOST_SEQUENCES_FOR_PROOF", 1)
    assert not compare("kuhn", ["cfr+"], iterations=1).proven


def test_recipes_that_do_not_sample_run_once_a_start() -> None:
    result = compare("leduc", ["cfr+", SAMPLED], iterations=200, seeds=2, starts=3)
    mine, sampled = result.rows
    assert [[(trace.solution.seed, trace.start) for trace in row.traces] for row in result.rows] == [
        [(0, 0), (0, 1), (0, 2)],
        [(0, 0), (1, 0)],
    ]
    found = []
    for start in range(3):
        solver = Solver("leduc", "cfr+")
        if start:
            solver.perturb(start)
        solver.advance(200)
        found.append(solver.evaluate().exploitability)
    assert [solution.exploitability for solution in mine.solutions] == found
    assert mine.spread == (min(found), sorted(found)[1], max(found))
    assert mine.as_dict()["exploitability_median"] == sorted(found)[1]
    assert {row["start"] for row in result.history() if row["recipe"] == "cfr+"} == {0, 1, 2}
    assert (mine.traces[0].nudged is None, sampled.traces[0].nudged) == (False, None)


def test_where_the_last_digit_decides_it_is_said() -> None:
    result = compare("leduc", ["dcfr", "cfr"], iterations=500)
    dcfr, cfr = (row.traces[0] for row in result.rows)
    assert dcfr.is_one_draw
    assert not cfr.is_one_draw
    assert dcfr.nudged == chaos("leduc", "dcfr", iterations=500).pairs[-1].nudged
    assert result.one_draw_note.startswith("one draw of many: from a start one unit in the last place away")
    assert "dcfr" in result.one_draw_note
    assert "cfr " not in result.one_draw_note.replace("dcfr ", "")
    assert compare("kuhn", ["dcfr"], iterations=500).one_draw_note == ""
    assert [row.spread for row in result.rows] == [None, None]


def test_a_long_run_is_not_run_again_to_be_nudged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "SHORT", 0.0)
    (row,) = compare("leduc", ["dcfr"], iterations=300).rows
    assert row.traces[0].nudged is None
    assert not row.traces[0].is_one_draw
