"""Restarts: a run that begins anew from its average, as the textbook does it, and however it is cut into pieces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import regretlab as rl
from regretlab.errors import UserError
from regretlab.explaining.textbook import averaging, information_set
from regretlab.games.registry import as_rules
from regretlab.reference import Trainer
from regretlab.solving import Solution, Solver, recipe
from regretlab.solving.checkpoints import next_look


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("kuhn(bet=2/3)", "restarted-cfr+"),
        ("kuhn(bet=2/3)", "restarted-cfr+(schedule=simultaneous, restart=1/4)"),
        ("kuhn(bet=2/3)", "restarted-cfr+(schedule=one-player)"),
        ("kuhn(bet=2/3)", "sapcfr+(restart=1/2)"),
        ("leduc(merge_suits=True)", "restarted-cfr+"),
    ],
)
def test_engine_and_textbook(game: str, name: str) -> None:
    """The textbook begins anew where the engine does; regrets, strategies and averages stay the same."""
    chosen = recipe(name)
    solver = Solver(game, name)
    trainer = Trainer(
        as_rules(game), information_set(chosen), schedule=chosen.schedule, averaging=averaging(chosen), deals="all"
    )
    restarts = 0
    for _ in range(30 if "leduc" in game else 120):
        before = solver.since
        solver.advance(1)
        if solver.since != before:  # before the iteration that was done just now
            restarts += 1
            trainer.restart()
        trainer.train(1)
    assert restarts >= 1
    profile = trainer.get_strategy_profile()
    for label, infoset in trainer.infosets.items():
        assert list(solver.average[label].values()) == pytest.approx(list(profile[label].values()), abs=1e-11)
        kept = solver.solution().regrets[label].values()
        assert list(kept) == pytest.approx(infoset.regret_sum, abs=1e-11)


def test_a_restart_by_hand() -> None:
    """In matching pennies with unequal stakes: what is kept is the size of the regrets, what is played the average."""
    solver = Solver("matrix(rows=5 -1; 0 1)", "restarted-cfr+")
    solver.advance(20)
    average, regrets = solver.average, [side.regret.copy() for side in solver.sides]
    reached = solver.evaluate().exploitability
    assert reached < solver.reached / 2
    solver.restart_if_due()
    assert (solver.since, solver.reached, solver.iteration) == (20, reached, 20)
    for player, side in enumerate(solver.sides):
        assert side.strategy == pytest.approx(average.arrays[player])
        assert side.regret[1:] == pytest.approx(regrets[player][1:].sum() * average.arrays[player][1:])
        assert side.total == pytest.approx(average.plan(player))
    solver.advance(1)
    assert solver.average.arrays[0] == pytest.approx(average.arrays[0])  # the average was played once more


def test_nothing_begins_anew_before_it_is_so_much_better() -> None:
    solver = Solver("leduc(merge_suits=True)", "restarted-cfr+")
    while solver.since == 0:
        before = solver.evaluate().exploitability
        age = solver.iteration
        solver.advance(1)
    assert age == next_look(age - 1)
    assert solver.reached == before


def test_what_was_luck_is_given_up() -> None:
    """Where it takes as long as everything before, the run begins anew, however good the last average was."""
    solver = Solver("kuhn", "restarted-cfr+")
    solver.advance(21)
    assert solver.since == 20
    solver.reached = 1e-9
    solver.advance(19)
    assert solver.since == 20
    solver.advance(1)
    assert (solver.since, solver.reached > 1e-9) == (40, True)


def test_it_does_not_matter_where_a_run_is_cut(tmp_path: Path) -> None:
    whole = Solver("kuhn", "restarted-cfr+")
    whole.advance(200)
    pieces = Solver("kuhn", "restarted-cfr+")
    for count in (19, 1, 1, 30, 149):
        pieces.advance(count)
        pieces.solution().save(tmp_path / "run.npz")
        pieces = Solver.resume(Solution.load(tmp_path / "run.npz"))
    assert (pieces.since, pieces.reached) == (whole.since, whole.reached)
    for one, other in zip(whole.sides, pieces.sides, strict=True):
        for kept in ("regret", "total", "strategy", "plan"):
            assert np.array_equal(getattr(one, kept), getattr(other, kept))


@pytest.mark.parametrize("game", ["kuhn", "leduc(merge_suits=True)", "liars_dice(sides=3)", "rps"])
def test_games_are_solved_to_rounding(game: str) -> None:
    assert abs(rl.solve(game, "restarted-cfr+", iterations=10_000).exploitability) < 1e-12


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("cfr+(restart=1)", "restart=1 must be above 0 and below 1, or none"),
        ("cfr+(restart=often)", "restart=often is not a finite number"),
        ("dcfr(restart=1/2)", "restart goes with full feedback and regret matching, without discounts and delay"),
        ("cfr+(restart=1/2, delay=5)", "without discounts and delay"),
        ("normalhedge+(restart=1/2)", "regret matching"),
        ("external-sampling(restart=1/2)", "full feedback"),
    ],
)
def test_what_restarts_do_not_go_with(name: str, complaint: str) -> None:
    with pytest.raises(UserError, match=complaint.replace("+", r"\+")):
        recipe(name)


def test_the_name() -> None:
    assert recipe("cfr+(restart=0.5)").name == "restarted-cfr+"
    assert recipe("restarted-cfr+(restart=none)").name == "cfr+"
    assert "restart" not in recipe("cfr+").parts
    assert rl.solve("kuhn", "cfr(restart=1/2)", iterations=10).regret_bound is None


@pytest.mark.parametrize("iteration", [20, 21, 40])
def test_the_arithmetic_of_an_iteration_after_a_restart(iteration: int) -> None:
    told = rl.explain("kuhn", "restarted-cfr+", "Qb", iteration)
    summed = np.array(told.regret_before, float) + told.increment
    assert told.regret_after == pytest.approx(np.maximum(summed, 0), abs=1e-12)
    assert told.weight == {20: 20, 21: 1, 40: 20}[iteration]  # the first restart comes before iteration 21
    grown = np.array(told.sum_before) + told.weight * told.own_reach * np.array(told.strategy, float)
    assert told.sum_after == pytest.approx(grown, rel=1e-12)


def test_a_walkthrough_ends_before_the_first_restart() -> None:
    deals = ",".join(["JQ"] * 20)
    assert "restarted-cfr+" in rl.walkthrough("kuhn", ["restarted-cfr+"], deals=deals).markdown()
    with pytest.raises(UserError, match="may begin anew after 20 iterations"):
        rl.walkthrough("kuhn", ["restarted-cfr+"], deals=f"{deals},JQ")


@pytest.mark.parametrize("game", ["leduc", "kuhn(cards=70)"])
def test_on_lanes_and_on_histories(game: str) -> None:
    """The same run in both forms, with tiles that are full and tiles that are not."""
    lanes, histories = Solver(game, "restarted-cfr+", form="lanes"), Solver(game, "restarted-cfr+", form="histories")
    for solver in (lanes, histories):
        solver.advance(60)
    assert lanes.since == histories.since > 0
    assert lanes.reached == pytest.approx(histories.reached, rel=1e-9)
    assert lanes.evaluate().exploitability == pytest.approx(histories.evaluate().exploitability, rel=1e-9)
