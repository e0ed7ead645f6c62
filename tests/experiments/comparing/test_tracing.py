"""Runs that are looked at on their way: looking changes nothing, and what is seen is what other runs find there."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretlab as rl
from regretlab.experiments.comparing import tracing as module
from regretlab.experiments.comparing.tracing import looks, reached, trace
from regretlab.forms import SequenceForm, as_form
from regretlab.solving import Checkpoint, Progress, Solver, recipe


@pytest.fixture(scope="module")
def kuhn() -> SequenceForm:
    return as_form("kuhn")


@pytest.mark.parametrize("goal", [1, 9, 10, 11, 100, 123, 2_000, 12_345])
def test_looks_are_the_numbers_of_two_significant_digits_and_the_last(kuhn: SequenceForm, goal: int) -> None:
    short = [t for t in range(1, goal) if len(str(t).rstrip("0")) <= 2]
    assert looks(kuhn, goal) == [*short, goal]


def test_large_games_are_looked_at_where_every_run_is(kuhn: SequenceForm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_SEQUENCES_FOR_DETAIL", 25)
    assert looks(kuhn, 120) == [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 120]


@pytest.mark.parametrize("name", ["cfr+", "normalhedge", "cfr(feedback=chance)", "external-sampling"])
def test_looking_changes_nothing(kuhn: SequenceForm, name: str) -> None:
    traced = trace(kuhn, recipe(name), seed=3, goal=120, watched=())
    assert traced is not None
    alone = rl.solve(kuhn, name, iterations=120, seed=3)
    assert traced.solution.value == alone.value
    assert traced.solution.exploitability == alone.exploitability
    for mine, theirs in zip(traced.solution.regrets.arrays, alone.regrets.arrays, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    seen = {point.iteration: point for point in traced.solution.history}
    assert [seen[point.iteration] for point in alone.history] == list(alone.history)


def test_regrets_are_those_of_the_run_after_that_iteration(kuhn: SequenceForm) -> None:
    traced = trace(kuhn, recipe("dcfr"), seed=0, goal=35, watched=("Q", "Jc"))
    assert traced is not None
    assert traced.looks == tuple(range(1, 36))
    solver = Solver(kuhn, "dcfr")
    for k in range(35):
        solver.advance(1)
        for label in ("Q", "Jc"):
            assert traced.regrets[label][k].tolist() == list(solver.solution().regrets[label].values())
    assert list(traced.regrets) == ["Q", "Jc"]


@pytest.mark.parametrize(("name", "first"), [("cfr+(delay=7)", 8), ("cfr+(schedule=one-player)", 2), ("cfr", 1)])
def test_the_history_begins_where_both_players_have_an_average(kuhn: SequenceForm, name: str, first: int) -> None:
    traced = trace(kuhn, recipe(name), seed=0, goal=20, watched=("Q",))
    assert traced is not None
    assert [point.iteration for point in traced.solution.history] == list(range(first, 21))
    assert len(traced.looks) == len(traced.regrets["Q"]) == 20


def test_a_callback_sees_where_the_run_stands_and_can_stop_it(kuhn: SequenceForm) -> None:
    seen: list[Progress] = []

    def stop_late(progress: Progress) -> bool:
        seen.append(progress)
        return progress.iteration >= 10

    assert trace(kuhn, recipe("cfr"), 0, 100, (), stop_late) is None
    assert [progress.iteration for progress in seen] == list(range(1, 11))
    assert {progress.goal for progress in seen} == {100}
    assert seen[-1].latest is not None
    assert seen[-1].latest.iteration == 9


def test_a_short_run_is_timed_anew_without_looks(kuhn: SequenceForm, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = iter([3.0, 1.0, 2.0])
    monkeypatch.setattr(module, "advance_to", lambda solver, iteration: setattr(solver, "seconds", next(rounds)))
    traced = trace(kuhn, recipe("cfr"), 0, 10, ())
    assert traced is not None
    assert traced.solution.seconds == 1.0
    monkeypatch.setattr(module, "SHORT", 0.0)
    again = trace(kuhn, recipe("cfr"), 0, 10, ())
    assert again is not None
    assert again.solution.seconds > 0


def test_the_run_that_is_timed_is_the_same_one(kuhn: SequenceForm, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Solver] = []

    class Seen(Solver):
        def __init__(self, *arguments, **options) -> None:
            super().__init__(*arguments, **options)
            made.append(self)

        def evaluate(self) -> Checkpoint:
            assert len(made) == 1, "nobody looks at the run that is timed"
            return super().evaluate()

    monkeypatch.setattr(module, "Solver", Seen)
    trace(kuhn, recipe("cfr(feedback=chance)"), 5, 70, ())
    first, *others = made
    assert len(others) == module.ROUNDS
    for other in others:
        assert (other.iteration, other.seed, other.recipe) == (70, 5, first.recipe)
        np.testing.assert_array_equal(other.sides[0].regret, first.sides[0].regret)


histories = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@given(histories, st.floats(0, 1))
def test_reached_is_the_first_point_after_which_all_are_at_or_below(losses: list[float], target: float) -> None:
    history = [Checkpoint(10 * k, loss, 0.0) for k, loss in enumerate(losses, start=1)]
    good = [10 * (k + 1) for k in range(len(losses)) if all(loss <= target for loss in losses[k:])]
    assert reached(history, target) == (good[0] if good else None)


@pytest.mark.parametrize(("name", "published"), [("cfr+", 137), ("dcfr", 205), ("cfr(schedule=alternating)", 1_109)])
def test_one_milli_chip_for_good_on_kuhn_poker(kuhn: SequenceForm, name: str, published: int) -> None:
    """Where every iteration is looked at, the figures are those of an independent implementation."""
    solver, history = Solver(kuhn, name), []
    for _ in range(2_500):
        solver.advance(1)
        history.append(solver.evaluate())
    assert reached(history, 1e-3) == published
