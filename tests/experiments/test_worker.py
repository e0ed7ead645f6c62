"""One run: the same numbers as ``solve``, to the last bit."""

import pytest

import regretlab as rl
from regretlab.experiments import measures as module
from regretlab.experiments.measures import OF_A_SOLUTION
from regretlab.experiments.specs import RunSpec
from regretlab.experiments.worker import perform
from regretlab.solving import Solver


def found(run: RunSpec) -> dict[tuple[int, str], float | None]:
    measured = perform(run)
    assert measured.seconds > 0
    return {(each.iteration, each.measure): each.amount for each in measured.measurements if each.measure != "seconds"}


@pytest.mark.parametrize("name", ["cfr", "cfr+(delay=3)", "pcfr+", "cfr(feedback=chance)"])
def test_a_run_measures_what_a_solution_says(name: str) -> None:
    amounts = found(RunSpec("kuhn", name, (10, 25), seed=4, measures=OF_A_SOLUTION))
    for iteration in (10, 25):
        solution = rl.solve("kuhn", name, iterations=iteration, seed=4)
        assert {measure: amounts.pop((iteration, measure)) for measure in OF_A_SOLUTION} == {
            measure: getattr(solution, measure) for measure in OF_A_SOLUTION
        }
    assert amounts == {}


def test_a_start_is_a_perturbed_solver() -> None:
    solver = Solver("kuhn", "cfr+")
    solver.perturb(7)
    solver.advance(10)
    assert found(RunSpec("kuhn", "cfr+", (10,), start=7))[10, "exploitability"] == solver.evaluate().exploitability
    assert found(RunSpec("kuhn", "cfr+", (10,)))[10, "exploitability"] == pytest.approx(0.0327, abs=1e-4)


def test_checkpoints_before_there_is_an_average_are_left_out() -> None:
    assert {iteration for iteration, _ in found(RunSpec("kuhn", "cfr+(delay=10)", (5, 10, 11, 20)))} == {11, 20}
    late = found(RunSpec("kuhn", "cfr+(delay=10, schedule=one-player)", (11, 12)))
    assert {iteration for iteration, _ in late} == {12}


def test_long_runs_go_in_pieces_with_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    run = RunSpec("kuhn", "dcfr", (7, 50))
    through = found(run)
    monkeypatch.setattr(module, "LONGEST_ADVANCE", 3)
    assert found(run) == through


def test_solving_time_grows_from_checkpoint_to_checkpoint() -> None:
    times = [
        each.amount for each in perform(RunSpec("kuhn", "cfr", (10, 100, 1000))).measurements if each[1] == "seconds"
    ]
    assert 0 < times[0] < times[1] < times[2]
