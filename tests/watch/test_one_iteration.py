"""The steps inside an iteration lead to what the engine has after it."""

import numpy as np
import pytest

import regretlab as rl
from regretlab.errors import UserError
from regretlab.explaining.textbook import information_set
from regretlab.solving import RECIPES, Solver
from regretlab.solving.schedule import SCHEDULES, passes
from regretlab.watch.frames import by_label
from regretlab.watch.watched_game import watched_game
from regretlab.watch.watched_run import MOST_ITERATIONS, WatchedRun

CLOSE = 1e-12
TABULAR = sorted(name for name, row in RECIPES.items() if not row.feedback_kind.trains)
SAMPLED = [
    "cfr(feedback=chance)",
    "cfr+(feedback=chance)",
    "external-sampling",
    "outcome-sampling",
    "cfr(schedule=one-player)",
]


def run_of(recipe: str, seed: int = 0) -> WatchedRun:
    return WatchedRun(watched_game("1", "2"), rl.recipe(recipe), seed)


@pytest.mark.parametrize("recipe", [*TABULAR, *SAMPLED])
def test_the_last_steps_are_the_next_frame(recipe: str) -> None:
    run = run_of(recipe, seed=3)
    for iteration in (0, 1, 6, 39):
        run.go(iteration)
        told = run.inside()
        assert run.iteration == iteration
        solution = run.go(iteration + 1).solution
        assert told.iteration == solution.iterations
        for what, numbers in (("regrets", solution.regrets), ("current", solution.current)):
            last = [getattr(step, what) for step in told.steps if getattr(step, what) is not None][-1]
            for label, expected in by_label(run.game.form, numbers).items():
                np.testing.assert_allclose(last[label], expected, rtol=0, atol=CLOSE)


@pytest.mark.parametrize(
    "recipe",
    [name for name in [*TABULAR, *SAMPLED] if RECIPES.get(name, None) is None or RECIPES[name].restart is None],
)
def test_what_the_deals_add_leads_the_textbook_to_the_same_strategies(recipe: str) -> None:
    """The textbook's information sets, fed with nothing but the steps, go where the engine goes."""
    run, chosen = run_of(recipe), rl.recipe(recipe)
    kept = {label: information_set(chosen)(2, float) for label in run.game.labels}
    for infoset in kept.values():
        infoset.ties = 3e-12
    for iteration in range(12):
        run.go(iteration)
        turns = iter(passes(SCHEDULES[chosen.schedule], iteration + 1))
        for step in run.inside().steps:
            if step.phase == "up":
                added = step.added
            elif step.phase == "learn":
                learners = next(turns)
                for label, infoset in kept.items():
                    if run.game.form.owner(label) in learners:
                        infoset.fade(iteration + 1)
                for label, regrets in added.items():
                    kept[label].learn(regrets, iteration + 1)
                for label, infoset in kept.items():
                    np.testing.assert_allclose(infoset.regret_sum, step.regrets[label], rtol=0, atol=CLOSE)
            elif step.phase == "play":
                for label in added:
                    np.testing.assert_allclose(kept[label].get_strategy(), step.current[label], rtol=0, atol=1e-9)


@pytest.mark.parametrize("recipe", SAMPLED[2:4])
def test_walks_are_those_of_the_frame_that_follows(recipe: str) -> None:
    run = run_of(recipe, seed=5)
    for iteration in range(8):
        run.go(iteration)
        down = [step for step in run.inside().steps if step.phase == "down"]
        walks = run.go(iteration + 1).walks
        assert [(step.deal, set(step.nodes)) for step in down] == [
            (walk.deal, {run.game.places[history] for history in walk.histories} - {"deal"}) for walk in walks
        ]


def test_values_are_expectations_of_what_is_played() -> None:
    """At a decision the mean of the values below it, and at the root of all deals together the value of the game."""
    run = run_of("cfr")
    run.go(9)
    current, described = run._solver.current, run.game.described()
    below = {
        node["id"]: [child for child in described["nodes"] if child["parent"] == node["id"]]
        for node in described["nodes"]
    }
    tops = []
    for step in run.inside().steps:
        if step.phase != "up":
            continue
        tops.append(step.values["start"])
        for infoset in described["infosets"]:
            if infoset["label"][0] == step.deal[infoset["player"]]:
                mean = sum(
                    current[infoset["label"]][child["action"]] * step.values[child["id"]]
                    for child in below[infoset["node"]]
                )
                assert step.values[infoset["node"]] == pytest.approx(mean, abs=CLOSE)
    solver = Solver(run.game.form, "cfr")
    solver.advance(9)
    assert np.mean(tops) == pytest.approx(rl.evaluate(run.game.form, solver.current).value, abs=CLOSE)


def test_second_pass_of_an_alternating_run_walks_against_the_new_strategy() -> None:
    run = run_of("cfr+")
    run.go(4)
    told = run.inside()
    first = next(step for step in told.steps if step.phase == "play")
    after = run.go(5).solution.current
    for label in run.game.labels:
        learned = run.game.form.owner(label) == 0
        source = after if learned else rl.solve(run.game.rules, "cfr+", iterations=4).current
        assert first.current[label] == pytest.approx(list(source[label].values()), abs=CLOSE)
    assert [step.place.split(",")[0] for step in told.steps] == ["Pass 1 of 2"] * 14 + ["Pass 2 of 2"] * 14


def test_there_is_no_inside_after_the_last_iteration() -> None:
    run = run_of("cfr")
    run._solver.iteration = MOST_ITERATIONS
    with pytest.raises(UserError, match="10,000,000"):
        run.inside()
