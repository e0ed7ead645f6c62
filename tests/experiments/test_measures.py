"""What is measured: the noisy final value against the textbook, probabilities, the distance to equilibria."""

from statistics import fmean

import pytest

from regretlab.errors import UserError
from regretlab.evaluation import distance_to_equilibria
from regretlab.experiments.measures import FINAL_VALUE, MEASURES, OF_A_SOLUTION, Probability, find_measure
from regretlab.experiments.specs import RunSpec
from regretlab.experiments.worker import perform
from regretlab.feedback.chance import draw, new_histories
from regretlab.feedback.draws import uniform
from regretlab.forms import as_form
from regretlab.games import Kuhn
from regretlab.reference import InformationSet, InformationSetNH, InformationSetNHPlus, InformationSetPlus, Trainer
from regretlab.solving import Solution, Solver

TEXTBOOK = {
    "cfr(feedback=chance)": (InformationSet, "simultaneous", "uniform"),
    "cfr+(schedule=one-player, feedback=chance)": (InformationSetPlus, "one-player", "linear"),
    "normalhedge(feedback=chance)": (InformationSetNH, "simultaneous", "uniform"),
    "normalhedge+(feedback=chance)": (InformationSetNHPlus, "simultaneous", "uniform"),
}
SEED = 11


def amounts(run: RunSpec) -> dict[tuple[int, str], float | None]:
    return {(each.iteration, each.measure): each.amount for each in perform(run).measurements}


def sampled_values(name: str, game: Kuhn, iterations: int) -> list[float]:
    """What player 0 expects in the deal of each iteration, by plain recursion."""
    tree = as_form(game).tree
    assert tree is not None
    drawn = [tree.names[draw(new_histories(tree), 0, uniform(SEED, t, 0))] for t in range(1, iterations + 1)]
    kind, schedule, averaging = TEXTBOOK[name]
    trainer = Trainer(game, kind, schedule=schedule, averaging=averaging, deals=drawn)
    return [float(value) for value in trainer.train(iterations)]


@pytest.mark.parametrize("name", TEXTBOOK)
@pytest.mark.parametrize("game", [Kuhn(), Kuhn(2, 1)], ids=lambda game: game.name)
def test_the_final_value_is_the_mean_of_the_last_tenth_of_the_sampled_values(name: str, game: Kuhn) -> None:
    found = amounts(RunSpec(game.name, name, (5, 95, 100, 200), seed=SEED, measures=(FINAL_VALUE,)))
    values = sampled_values(name, game, 200)
    for iterations, late in ((5, 1), (95, 9), (100, 10), (200, 20)):
        assert found[iterations, FINAL_VALUE] == pytest.approx(fmean(values[iterations - late : iterations]), abs=1e-12)


def test_the_final_value_in_turns_counts_both_walks() -> None:
    name = "cfr(schedule=alternating, feedback=chance)"
    solver = Solver("kuhn", name, seed=SEED)
    sums = []
    for _ in range(20):
        solver.advance(1)
        sums.append(solver.feedback.walked)
    assert [deals for deals, _ in sums] == list(range(2, 42, 2))
    expected = (sums[19][1] - sums[17][1]) / 4
    assert amounts(RunSpec("kuhn", name, (20,), seed=SEED, measures=(FINAL_VALUE,)))[20, FINAL_VALUE] == expected


@pytest.mark.parametrize("name", ["cfr+", "cfr(feedback=external)", "cfr(feedback=outcome)"])
def test_there_is_no_final_value_where_deals_are_not_walked_whole(name: str) -> None:
    assert amounts(RunSpec("kuhn", name, (10,), measures=(FINAL_VALUE,)))[10, FINAL_VALUE] is None


@pytest.mark.parametrize("name", ["cfr(feedback=chance)", "cfr+"])
def test_asking_for_the_final_value_changes_no_other_number(name: str) -> None:
    measures = ("exploitability", "average(J: bet)")
    alone = amounts(RunSpec("kuhn", name, (30, 100), seed=3, measures=measures))
    together = amounts(RunSpec("kuhn", name, (30, 100), seed=3, measures=(*measures, FINAL_VALUE)))
    assert {key: alone[key] for key in alone if key[1] in measures} == {
        key: together[key] for key in together if key[1] in measures
    }


def test_probabilities_and_the_distance_are_those_of_the_strategies() -> None:
    solver = Solver("kuhn", "cfr")
    solver.advance(50)
    found = amounts(RunSpec("kuhn", "cfr", (50,), measures=("average(Qcb: call)", "current(J: bet)", "distance")))
    assert found[50, "average(Qcb: call)"] == solver.average["Qcb"]["call"]
    assert found[50, "current(J: bet)"] == solver.current["J"]["bet"]
    assert found[50, "distance"] == distance_to_equilibria(solver.form, solver.average).distance > 0.001


def test_labels_may_hold_all_that_the_name_is_written_with() -> None:
    assert find_measure("average(a (b): c: d)") == Probability("average", "a (b): c", "d")


@pytest.mark.parametrize("name", ["average(J)", "average", "mean(J: bet)", "average(J: )"])
def test_a_name_that_means_nothing(name: str) -> None:
    with pytest.raises(UserError, match=r"^unknown measure .*here are: .*average\(LABEL: ACTION\)"):
        find_measure(name)


def test_measures_of_a_solution_are_what_it_says_of_itself() -> None:
    assert set(OF_A_SOLUTION) <= {*Solution.__dataclass_fields__, *dir(Solution)}
    assert set(OF_A_SOLUTION) < set(MEASURES)
