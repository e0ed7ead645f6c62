"""Locked games: solved by every kind of code, and compared with a linear programme that knows locks as equations."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from both_forms import assert_same_game, assert_same_judgement, assert_same_run, both_forms, random_profile
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import GenericGame, RandomGame, random_games
from random_locks import random_lock
from random_public_games import RandomPublicGame, random_public_games
from scipy.optimize import linprog

import regretlab as rl
from regretlab.evaluation import evaluate
from regretlab.forms import SequenceForm, Treeplex
from regretlab.reference import InformationSetPlus, Trainer
from regretlab.solving import Solver

Lock = dict[str, dict[str, Fraction]]

HONEST = {"J": "check", "Jc": "check"}
"""Nobody bets a Jack: neither player bluffs."""


# ---- by hand


def test_who_never_bluffs_loses_a_ninth_of_a_chip() -> None:
    """Player 1 never bets the Jack, so a bet after a check is a King: player 0 folds the Queen to it, and bluffs.

    Player 0 bets a third of the Jacks and every King; a Queen of player 1 calls with any probability c:
    JQ −2/3 + (1 − 3c)/3, JK −2/3 − 2/3, QJ 1, QK −1, KJ 1, KQ 1 + c; a sixth of the sum is 1/18. Without the lock it is
    −1/18.
    """
    game = rl.lock("kuhn", {"Jc": "check"})
    exact = rl.nash(game, exact=True)
    assert (exact.value, exact.gap) == (Fraction(1, 18), 0)
    assert exact.exact_strategy is not None
    assert exact.exact_strategy["Qcb"] == {"fold": 1, "call": 0}
    assert exact.exact_strategy["Jc"] == {"check": 1, "bet": 0}
    solution = rl.solve("kuhn", "cfr+", iterations=2_000, lock={"Jc": {"check": 1}})
    assert solution.value == pytest.approx(1 / 18, abs=1e-4)
    assert 0 <= solution.exploitability < 1e-4
    assert solution.strategy["Qcb"]["fold"] > 0.999


def test_where_nobody_bluffs_the_game_is_fair() -> None:
    assert rl.nash(rl.lock("kuhn", HONEST), exact=True).value == 0


def test_a_lock_binds_the_best_response_of_its_owner_too() -> None:
    """Player 1 always folds. Free, a player 1 who answers the uniform player 0 wins 5/12; locked, nobody can gain."""
    locked = rl.lock("kuhn", dict.fromkeys(("Jb", "Qb", "Kb"), "fold") | dict.fromkeys(("Jc", "Qc", "Kc"), "check"))
    profile = {label: dict.fromkeys(rl.solve("kuhn", iterations=1).strategy[label], 0.5) for label in KUHN}
    assert rl.best_response("kuhn", profile, 1).value == pytest.approx(5 / 12)
    judged = rl.evaluate(locked, profile)
    assert judged.best_response_values[1] == pytest.approx(-judged.value)


KUHN = rl.compile("kuhn").labels


# ---- against the programme


def dense(form: SequenceForm) -> Any:
    """Player 0's payoff for each pair of sequences."""
    assert form.payoff.sparse is not None
    matrix = form.payoff.sparse.matrices[0]
    out = np.zeros((form.treeplexes[0].sequences, form.treeplexes[1].sequences))
    rows = np.repeat(np.arange(len(out)), np.diff(matrix.first.astype(int)))
    np.add.at(out, (rows, matrix.column.astype(int)), matrix.entry)
    return out


def constraints(treeplex: Treeplex, lock: Lock) -> Any:
    """The equations of a plan: 1 in all, no more and no less at each information set; and at locked ones each action's
    share. Their right-hand side is 1, 0, 0, …"""
    rows = [np.eye(treeplex.sequences)[0]]
    for i, label in enumerate(treeplex.labels):
        total = np.zeros(treeplex.sequences)
        total[treeplex.own(i)] = 1
        total[treeplex.parent[i]] -= 1
        rows.append(total)
        for action, s in zip(treeplex.actions[i], range(treeplex.first[i], treeplex.first[i + 1]), strict=True):
            if label in lock:
                share = np.zeros(treeplex.sequences)
                share[s], share[treeplex.parent[i]] = 1, -float(lock[label].get(action, 0))
                rows.append(share)
    return np.array(rows)


def value_by_programme(game: RandomGame | str, lock: Lock) -> float:
    """max over plans x of min over plans y of xᵀAy; the inner minimum by its dual, q₀ with Fᵀq ≤ Aᵀx."""
    form = rl.compile(game)
    payoff, mine, theirs = dense(form), *(constraints(treeplex, lock) for treeplex in form.treeplexes)
    count, prices = len(payoff), len(theirs)
    found = linprog(
        -np.eye(count + prices)[count],
        A_ub=np.hstack([-payoff.T, theirs.T]),
        b_ub=np.zeros(payoff.shape[1]),
        A_eq=np.hstack([mine, np.zeros((len(mine), prices))]),
        b_eq=np.eye(len(mine))[0],
        bounds=[(0, None)] * count + [(None, None)] * prices,
    )
    assert found.success
    return -float(found.fun)


@given(random_games(), st.integers(0, 1_000))
@settings(max_examples=40)
def test_the_value_is_that_of_plans_with_locked_shares(game: RandomGame, seed: int) -> None:
    lock = random_lock(game, seed)
    locked = rl.lock(game, lock)
    expected = value_by_programme(game, lock)
    assert rl.nash(locked).value == pytest.approx(expected, abs=1e-7)
    solution = rl.solve(locked, "pcfr+", iterations=300)
    assert abs(solution.value - expected) <= 2 * solution.exploitability + 1e-9
    whole = evaluate(game, solution.strategy)  # a strategy of the whole game, in which there is more to gain
    assert whole.value == pytest.approx(solution.value, abs=1e-9)
    assert whole.exploitability >= solution.exploitability - 1e-9


@given(random_games(), st.integers(0, 1_000), st.sampled_from((0, 1)))
@settings(max_examples=30)
def test_against_a_player_who_is_locked_throughout_a_best_response_remains(
    game: RandomGame, seed: int, player: int
) -> None:
    form = rl.compile(game)
    profile = random_profile(form, seed)
    locked = rl.lock(game, {label: profile[label] for label in form.treeplexes[player].labels})
    expected = rl.best_response(game, profile, 1 - player).value
    assert rl.nash(locked).value == pytest.approx(expected if player else -expected, abs=1e-7)


@given(random_games(), st.integers(0, 1_000))
@settings(max_examples=20)
def test_a_lock_at_an_equilibrium_leaves_the_value(game: RandomGame, seed: int) -> None:
    found = rl.nash(game)
    locked = rl.lock(game, {label: found.strategy[label] for label in random_lock(game, seed)})
    assert rl.nash(locked).value == pytest.approx(found.value, abs=1e-7)


def test_where_everything_is_locked_the_value_remains() -> None:
    profile = random_profile(rl.compile("kuhn"), 3)
    locked = rl.lock("kuhn", profile)
    value = evaluate("kuhn", profile).value
    for form in ("histories", "lanes"):
        solution = rl.solve(locked, iterations=3, form=form)
        assert solution.value == pytest.approx(value, abs=1e-12)
        assert solution.exploitability == pytest.approx(0, abs=1e-12)
        assert {label: solution.strategy[label] for label in KUHN} == profile
    assert rl.nash(locked).value == pytest.approx(value, abs=1e-12)


# ---- forms and feedbacks


@given(random_public_games(), st.integers(0, 1_000), st.sampled_from(["dense", "sorted"]))
@settings(max_examples=30)
def test_on_lanes_it_is_the_same_game(game: RandomPublicGame, seed: int, kind: str) -> None:
    histories, lanes = both_forms(rl.lock(game, random_lock(game, seed, whole=True)), kind)
    assert_same_game(histories, lanes)
    assert_same_judgement(histories, lanes, random_profile(histories, seed))


@pytest.mark.parametrize(
    ("name", "node"),
    [("leduc", ".. cc Ks"), ("leduc", ".. b"), ("liars_dice(sides=4)", ". 1-2"), ("kuhn(cards=70)", "[0-9]+b")],
)
def test_a_run_on_lanes_is_the_same(name: str, node: str) -> None:
    form = rl.compile(name)
    chosen = [label for label in form.labels if re.fullmatch(node, label)]
    treeplex = form.treeplexes[form.owner(chosen[0]) or 0]
    lock = {}
    for k, label in enumerate(chosen):
        first, *_, last = treeplex.actions[treeplex.index[label]]
        lock[label] = {first: Fraction(k % 4, 3), last: 1 - Fraction(k % 4, 3)} if k % 4 != 3 else {first: Fraction(1)}
    histories, lanes = both_forms(rl.lock(name, lock), "sorted")
    assert histories.infosets == form.infosets - len(chosen)
    assert_same_run(histories, lanes, "cfr+", 20, 1e-9)


def test_where_only_some_hands_are_locked_it_goes_by_histories() -> None:
    lock = {"Js": "check"}
    assert isinstance(rl.solve("leduc", iterations=1, lock=lock).form, SequenceForm)
    with pytest.raises(rl.UserError, match="which need a lock of all hands of a node or none"):
        rl.solve("leduc", iterations=1, lock=lock, form="lanes")


@given(st.integers(0, 10_000).map(GenericGame), st.integers(0, 1_000))
@settings(max_examples=15)
def test_the_textbook_finds_the_same(game: GenericGame, seed: int) -> None:
    locked = rl.lock(game, random_lock(game, seed))
    solver = Solver(locked, "cfr+")
    trainer = Trainer(locked, InformationSetPlus, schedule="alternating", averaging="linear", deals="all")
    if not solver.form.infosets:
        return
    solver.advance(50)
    trainer.train(50)
    solution, profile = solver.solution(), trainer.get_strategy_profile()
    assert {*profile} == {*solution.form.labels}
    for label in profile:
        assert solution.strategy[label] == pytest.approx(profile[label], abs=1e-6)


@pytest.mark.parametrize("recipe", ["cfr(feedback=chance)", "external-sampling", "outcome-sampling"])
def test_sampling_draws_what_the_lock_says(recipe: str) -> None:
    lock = {"Jc": {"check": 0.5, "bet": 0.5}, "Qb": {"fold": 1}}
    solution = rl.solve("kuhn", recipe, iterations=30_000, lock=lock)
    assert solution.exploitability < 0.03
    assert solution.value == pytest.approx(float(rl.nash(rl.lock("kuhn", lock)).value), abs=0.06)


# ---- what is said about it


def test_the_strategy_is_one_of_the_whole_game_with_what_is_never_reached() -> None:
    solution = rl.solve("kuhn", iterations=100, lock=dict.fromkeys("JQK", "check"))
    assert {*solution.strategy} == {*KUHN}
    assert len(solution.strategy) == 12
    assert solution.strategy["J"] == {"check": 1.0, "bet": 0.0}
    assert solution.strategy["Qb"] == {"fold": 0.5, "call": 0.5}
    assert evaluate("kuhn", solution.strategy).value == pytest.approx(solution.value, abs=1e-12)
    assert "J" not in solution.regrets
    assert solution.as_dict()["lock"] == {label: {"check": 1.0, "bet": 0.0} for label in "JQK"}
    assert solution.as_dict()["strategy"]["J"] == {"check": 1.0, "bet": 0.0}


def test_what_is_said_of_a_locked_label_does_not_count() -> None:
    locked, honest = rl.lock("kuhn", HONEST), rl.solve("kuhn", iterations=10).strategy
    free = {label: honest[label] for label in KUHN}
    without = {label: free[label] for label in KUHN if label not in HONEST}
    assert evaluate(locked, free) == evaluate(locked, without)


def test_a_saved_run_goes_on_with_its_lock(tmp_path: Path) -> None:
    found = rl.solve("leduc", iterations=20).strategy  # floats, which hardly sum to 1
    lock = {label: found[label] for label in list(found)[:300]}
    file = tmp_path / "run.npz"
    rl.solve("leduc", "cfr+", iterations=10, lock=lock, save=file)
    saved = rl.Solution.load(file)
    assert saved.strategy["Js"] == found["Js"]
    straight = rl.solve("leduc", "cfr+", iterations=20, lock=lock)
    assert (
        rl.solve("leduc", "cfr+", iterations=20, lock=lock, resume=file).as_dict()["history"]
        == (straight.as_dict()["history"])
    )
    with pytest.raises(rl.UserError, match=r"holds a run of leduc locked at .* which is not the same game as leduc$"):
        rl.solve("leduc", "cfr+", iterations=20, resume=file)


def test_a_compiled_game_is_not_locked() -> None:
    with pytest.raises(rl.UserError, match="kuhn is compiled already; give the game itself to have it locked"):
        rl.solve(rl.compile("kuhn"), lock=HONEST)
