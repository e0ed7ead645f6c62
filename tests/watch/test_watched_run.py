"""Runs that are taken back and forth hold what the engine holds there, to the last bit."""

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import regretlab as rl
from regretlab.errors import UserError
from regretlab.forms import Labelled
from regretlab.solving import RECIPES, Solver
from regretlab.solving.schedule import SCHEDULES, passes
from regretlab.watch import watched_run
from regretlab.watch.frames import EncodedFrame, FrameNumbers, Walk, charts, drawn_walks, frame_numbers, hands_seen
from regretlab.watch.watched_game import KEY, watched_game
from regretlab.watch.watched_run import CHARTED, MOST_ITERATIONS, WatchedRun

TABLES = [row for row, recipe in RECIPES.items() if not recipe.feedback_kind.trains]
SAMPLED = [
    "external-sampling",
    "outcome-sampling",
    "cfr(feedback=chance)",
    "cfr+(schedule=one-player, feedback=chance)",
]
SAMPLED += [f"{name}(schedule={schedule})" for name in SAMPLED[:2] for schedule in ("simultaneous", "one-player")]


def new_run(recipe: str = "cfr+", seed: int = 0, ante: str = "1", bet: str = "1") -> WatchedRun:
    return WatchedRun(watched_game(ante, bet), rl.recipe(recipe), seed)


def bits(table: Labelled) -> list[bytes]:
    return [array.tobytes() for array in table.arrays]


@pytest.mark.parametrize("recipe", [*TABLES, *SAMPLED[2:]])
@settings(max_examples=3)
@given(targets=st.lists(st.integers(0, 300), min_size=1, max_size=6), seed=st.integers(0, 5))
@example(targets=[200, 3, 150, 149, 0, 1], seed=1)
def test_any_way_leads_to_what_the_engine_has_there(recipe: str, targets: list[int], seed: int) -> None:
    run = new_run(recipe, seed, bet="3/2")
    for target in targets:
        moment = run.go(target)
    solver = Solver("kuhn(bet=3/2)", recipe, seed=seed)
    if targets[-1]:
        solver.advance(targets[-1])
    expected, found = solver.solution(), moment.solution
    assert found.iterations == targets[-1]
    for table in ("strategy", "current", "regrets", "totals"):
        assert bits(getattr(found, table)) == bits(getattr(expected, table))
    assert (found.value, found.exploitability) == (expected.value, expected.exploitability)
    assert found.current_exploitability == expected.current_exploitability


@settings(max_examples=10)
@given(targets=st.lists(st.integers(0, 400), min_size=1, max_size=5))
@example(targets=[100, 50, 300])
@example(targets=[25])
def test_the_charts_depend_on_the_iteration_alone(targets: list[int]) -> None:
    direct, run = new_run("dcfr"), new_run("dcfr")
    for target in targets:
        moment = run.go(target)
    direct.go(targets[-1])
    shown = run.points[: moment.points]
    assert [point.iteration for point in shown] == [t for t in CHARTED if t <= targets[-1]]
    assert shown == direct.points
    assert len(run.points) == sum(t <= max(targets) for t in CHARTED)


def test_points_of_the_charts_are_the_engine_s() -> None:
    run = new_run("cfr+", bet="2")
    run.go(120)
    for point in run.points:
        solution = rl.solve("kuhn(bet=2)", "cfr+", iterations=point.iteration)
        assert point.exploitability == solution.exploitability
        assert point.current_exploitability == solution.current_exploitability
        assert point.key == tuple(solution.strategy[label][action] for label, action, _ in KEY)


def test_charts_are_small_and_even() -> None:
    assert CHARTED[:30] == tuple(range(1, 31))
    assert CHARTED[-1] == MOST_ITERATIONS
    assert len(CHARTED) < 400
    assert all(after / before < 1.11 for before, after in pairwise(CHARTED[29:]))


def test_little_is_kept_and_nothing_far_is_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a long way, a step back starts at most a thousand iterations before."""
    run = new_run("cfr+")
    run.go(100_000)
    assert len(run._kept) < 70
    advanced = []
    advance = Solver.advance
    monkeypatch.setattr(Solver, "advance", lambda self, n: (advanced.append(n), advance(self, n)))
    for step in range(1, 6):
        run.go(100_000 - step)
    assert sum(advanced) < 6 * watched_run.ITERATIONS_BACK
    advanced.clear()
    run.explain("J")
    assert sum(advanced) < watched_run.ITERATIONS_BACK


def test_without_time_a_run_goes_on_a_little_and_says_where_it_is() -> None:
    run = new_run("cfr+")
    moment = run.go(100_000, seconds=0.0)
    assert 0 < moment.solution.iterations < 100_000
    assert moment.solution.iterations == run.iteration
    while run.iteration < 5_000:
        moment = run.go(5_000, seconds=0.0)
    assert bits(moment.solution.totals) == bits(rl.solve("kuhn", "cfr+", iterations=5_000).totals)


@pytest.mark.parametrize("target", [-1, MOST_ITERATIONS + 1])
def test_there_is_nothing_outside(target: int) -> None:
    with pytest.raises(UserError, match="must be between 0 and 10,000,000"):
        new_run().go(target)


# The arithmetic.


@pytest.mark.parametrize("recipe", ["cfr", "cfr+", "dcfr", "normalhedge", "pcfr+", "cfr+(schedule=one-player)"])
@pytest.mark.parametrize("iteration", [0, 1, 2, 77])
def test_the_arithmetic_is_that_of_explain(recipe: str, iteration: int) -> None:
    run = new_run(recipe, bet="2")
    run.go(300)
    run.go(iteration)
    for label in ("J", "Qcb", "Kb"):
        assert run.explain(label) == rl.explain("kuhn(bet=2)", recipe, label, max(iteration, 1))


@pytest.mark.parametrize("recipe", SAMPLED)
def test_the_arithmetic_of_a_sampled_run_is_its_own(recipe: str) -> None:
    """Regrets go from what the run held before to what it holds after; what was seen explains the difference."""
    run, learned = new_run(recipe, seed=3), 0
    for iteration in range(1, 11):
        before, after = run.go(iteration - 1).solution, run.go(iteration).solution
        for label in run.game.labels:
            told = run.explain(label)
            assert told.regret_before == tuple(before.regrets[label].values())
            assert told.regret_after == tuple(after.regrets[label].values())
            if not told.updated:
                assert told.regret_after == told.regret_before
                assert not any(told.increment)
            elif told.recipe.accumulate == "sum":
                added = np.add(told.regret_before, told.increment)
                np.testing.assert_allclose(told.regret_after, added, rtol=0, atol=1e-12)
            learned += told.updated
    assert 0 < learned < 10 * 12


# Walks.


@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1])
@pytest.mark.parametrize("recipe", SAMPLED)
def test_the_walk_is_the_one_that_the_engine_has_taken(recipe: str, seed: int) -> None:
    """Where a walk has come by is written into the engine's arrays: what the walker saw, and what the other counted."""
    shown, solver = watched_game("1", "1"), Solver("kuhn", recipe, seed=seed)
    for iteration in range(1, 61):
        played, counted = solver.current, [side.total.copy() for side in solver.sides]
        for side in solver.sides:
            side.values[:] = np.nan
        solver.advance(1)
        walks = drawn_walks(shown, solver.recipe, solver.feedback, iteration, played, solver.current)
        if solver.recipe.feedback_kind.draws_actions:
            turns = passes(SCHEDULES[solver.recipe.schedule], iteration)
            assert [walk.walker for walk in walks] == [player for players in turns for player in players]
        else:
            assert len(walks) == 1
        for walk in walks:
            for player in (0, 1) if walk.walker is None else (walk.walker,):
                values, first = solver.sides[player].values, solver.sides[player].first[:-1]
                assert came_by(walk, player) == set(np.flatnonzero(~np.isnan(values[first])).tolist())
            if walk.walker is not None:
                other = solver.sides[1 - walk.walker]
                changed = np.add.reduceat(other.total != counted[1 - walk.walker], other.first[:-1]) > 0
                assert came_by(walk, 1 - walk.walker) == set(np.flatnonzero(changed).tolist())


def came_by(walk: Walk, player: int) -> set[int]:
    """The information sets of a player that are on a walk."""
    tree = watched_game("1", "1").tree
    return {int(tree.infoset[history]) for history in walk.histories if tree.player[history] == player}


def test_where_all_deals_are_walked_no_walk_is_drawn() -> None:
    run = new_run("cfr")
    assert all(not run.go(t).walks for t in range(8))


def test_reach_is_what_both_players_choices_multiply_to() -> None:
    """Summed over the ends of every deal it is 1, and at the first own decision it is the strategy."""
    run = new_run("cfr+")
    solution, game = run.go(20).solution, run.game
    nodes = game.described()["nodes"]
    assert game.reach(solution.current).keys() == set(game.deals)
    for deal, reach in game.reach(solution.current).items():
        at = {node["id"]: often for node, often in zip(nodes, reach, strict=True)}
        assert sum(at[node["id"]] for node in nodes if node["kind"] == "end") == pytest.approx(1, abs=5e-4)
        betting = solution.current[deal[0]]["bet"]
        assert at["bet"] == pytest.approx(betting, abs=1e-4)
        assert at["bet-call"] == pytest.approx(betting * solution.current[f"{deal[1]}b"]["call"], abs=1e-4)


# Frames.


@pytest.mark.parametrize(
    ("recipe", "hands"),
    [
        ("cfr", 6),
        ("cfr+", 12),
        ("cfr(schedule=one-player)", 6),
        ("cfr(feedback=chance)", 1),
        ("cfr(schedule=alternating, feedback=chance)", 2),
        ("external-sampling", 2),
        ("external-sampling(schedule=simultaneous)", 2),
        ("external-sampling(schedule=one-player)", 1),
    ],
)
def test_hands_seen(recipe: str, hands: int) -> None:
    assert hands_seen(watched_game("1", "1"), rl.recipe(recipe), 10) == 10 * hands


def test_a_reader_gets_the_points_that_are_new() -> None:
    run = new_run()
    moment = run.go(20)
    frame = EncodedFrame(20, b'{"a":1', run.points, moment.points)
    run.go(25)  # later points do not belong to the frame
    for have, start in ((0, 0), (5, 5), (20, 20), (99, 20), (-3, 0)):
        assert json.loads(frame.encoded(have)) == {
            "a": 1,
            "history": json.loads(json.dumps(charts(run.points[start:20], start))),
        }


def numbers(run: WatchedRun, iteration: int) -> FrameNumbers:
    return frame_numbers(run.game, run.go(iteration), playing=False, speed=1.0)


def test_targets_follow_the_family() -> None:
    """K = 3α and Qcb = α + 1/3 at the current α; where there is no family they stand still."""
    frame = numbers(new_run("cfr+"), 5_000)
    alpha = frame["average"]["J"][1]
    assert 0 < alpha < 1 / 3
    assert frame["targets"]["K"]["bet"] == pytest.approx(3 * alpha)
    assert frame["targets"]["Qcb"]["call"] == pytest.approx(alpha + 1 / 3)
    other = new_run("cfr+", bet="2")
    assert numbers(other, 1)["targets"] == numbers(other, 50)["targets"]
