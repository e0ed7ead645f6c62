"""Runs of games that are not zero-sum: both values, and how far the play is from a coarse correlated equilibrium."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import GeneralSumGame, general_sum_games

from regretlab.errors import UserError
from regretlab.evaluation import evaluate
from regretlab.evaluation.value import gradient
from regretlab.forms import Strategy, compile
from regretlab.solving import RECIPES, Solution, Solver, recipe, solve
from regretlab.solving.storage import fingerprint

FULL = sorted(name for name, row in RECIPES.items() if row.feedback == "full" and recipe(name).restart is None)


def plays(form: Any, name: str, iterations: int) -> list[Strategy]:
    """The pairs of strategies with which the iterations began."""
    solver, found = Solver(form, name), []
    for _ in range(iterations):
        found.append(solver.current)
        solver.advance(1)
    return found


def gap_by_definition(form: Any, pairs: list[Strategy], weights: list[float]) -> float:
    """The most that a player gains by the best fixed plan against what the other played, each pair weighted."""
    gaps = []
    for player in (0, 1):
        earned, regret = np.zeros(form.treeplexes[player].sequences), 0.0
        for pair, weight in zip(pairs, weights, strict=True):
            earned += weight * gradient(form, pair, player)
            regret -= weight * evaluate(form, pair).values[player]
        best, _ = form.treeplexes[player].best_response(earned)
        gaps.append((best + regret) / sum(weights))
    return max(gaps)


@settings(max_examples=30)
@given(
    general_sum_games(),
    st.sampled_from(["cfr", "cfr+", "normalhedge", "pcfr+"]),
    st.sampled_from(["simultaneous", "alternating"]),
    st.sampled_from(["uniform", "linear", "t^30-5t/n"]),
    st.integers(0, 3),
)
def test_the_gap_is_that_of_the_pairs_that_were_played(
    game: GeneralSumGame, name: str, schedule: str, averaging: str, delay: int
) -> None:
    """Recomputed from every pair, with weights by the definition of averaging."""
    form, iterations = compile(game), 15
    chosen = f"{name}(schedule={schedule}, averaging={averaging}, delay={delay})"
    solver = Solver(form, chosen)
    solver.advance(iterations)
    ages = [max(t - delay, 0) for t in range(1, iterations + 1)]
    if averaging == "t^30-5t/n":
        weights = [0.0] * iterations
        for t, age in enumerate(ages, start=1):
            gamma = 30 - 5 * min((t - 1) / solver.recipe.horizon, 1)
            fade = ((age - 1) / age) ** gamma if age else 1.0
            weights = [weight * fade for weight in weights]
            weights[t - 1] = float(age > 0)
    else:
        weights = [float(age if averaging == "linear" else age > 0) for age in ages]
    expected = gap_by_definition(form, plays(form, chosen, iterations), weights)
    assert solver.solution().cce_gap == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", FULL)
def test_every_recipe_has_both_values_and_no_bound(name: str) -> None:
    solution = solve(GeneralSumGame(7), name, iterations=50)
    judged = evaluate(solution.form, solution.strategy)
    assert solution.values == judged.values
    assert solution.value == judged.value
    assert solution.nash_conv == pytest.approx(judged.nash_conv)
    assert solution.regret_bound is None
    assert solution.no_promise.startswith("general(7) is not zero-sum: no theorem promises")


def test_where_the_gap_is_not_kept_there_is_none() -> None:
    game = GeneralSumGame(7)
    for name in ("cfr(schedule=one-player)", "cfr(feedback=chance)", "external-sampling", "outcome-sampling"):
        assert solve(game, name, iterations=50).cce_gap is None
    early = Solver(game, "cfr(delay=10)")
    early.advance(5)
    assert early.solution().cce_gap is None
    kuhn = solve("kuhn", "cfr", iterations=50)
    assert (kuhn.cce_gap, kuhn.earned, kuhn.no_promise, kuhn.values) == (None, None, "", (kuhn.value, -kuhn.value))


@settings(max_examples=25)
@given(general_sum_games(), st.sampled_from(["cfr", "normalhedge"]))
def test_simultaneous_regrets_bound_the_gap(game: GeneralSumGame, name: str) -> None:
    """Zinkevich et al. (2007), theorem 3, holds player by player whatever the other's payoffs are."""
    solution = solve(game, name, iterations=200)
    assert solution.cce_gap is not None
    bound = 0.0
    for player, treeplex in enumerate(solution.form.treeplexes):
        regret = solution.regrets.arrays[player]
        bound = max(bound, sum(max(0.0, regret[treeplex.own(i)].max()) for i in range(treeplex.infosets)) / 200)
    assert -1e-12 <= solution.cce_gap <= bound + 1e-12


class Shapley:
    """Shapley (1964): rock-paper-scissors in which a draw pays nobody, and the loser nothing."""

    name = "shapley"

    def root(self) -> tuple[int, ...]:
        return ()

    def player(self, state: tuple[int, ...]) -> int:
        return (0, 1, -2)[len(state)]

    def actions(self, state: tuple[int, ...]) -> tuple[str, ...]:
        return ("rock", "paper", "scissors")

    def chance(self, state: tuple[int, ...]) -> tuple[Fraction, ...]:
        return ()

    def child(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def label(self, state: tuple[int, ...]) -> str:
        return ("row", "column")[len(state)]

    payoff: Any = None

    def payoffs(self, state: tuple[int, ...]) -> tuple[int, int]:
        ahead = (state[0] - state[1]) % 3
        return int(ahead == 1), int(ahead == 2)


def test_play_goes_round_in_shapleys_game_and_still_becomes_coarsely_correlated() -> None:
    """From any start but the only equilibrium play goes round in ever longer turns, so NashConv does not vanish."""
    solver = Solver(Shapley(), "cfr")
    solver.perturb(1)
    convs = []
    for iterations in (10_000, 30_000, 60_000):
        solver.advance(iterations)
        convs.append(solver.solution().nash_conv)
    gap = solver.solution().cce_gap
    assert gap is not None
    assert gap < 0.01
    assert max(convs) > 0.05


@pytest.mark.parametrize("name", ["cfr", "cfr+", "restarted-cfr+"])
def test_a_run_goes_on_as_if_it_had_never_stopped(name: str, tmp_path: Path) -> None:
    game = GeneralSumGame(11)
    whole = solve(game, name, iterations=120)
    half = solve(game, name, iterations=50, save=tmp_path / "run.npz")
    loaded = Solution.load(tmp_path / "run.npz", game)
    assert loaded.earned == half.earned
    assert loaded.cce_gap == half.cce_gap
    resumed = solve(game, name, iterations=120, resume=tmp_path / "run.npz")
    assert resumed.earned == whole.earned
    assert resumed.cce_gap == whole.cce_gap
    assert resumed.values == whole.values


def test_a_restart_has_the_average_as_its_first_pair() -> None:
    """All that it counts from there on is that pair, once, and what was played since."""
    form = compile(GeneralSumGame(0))
    solver = Solver(form, "restarted-cfr+")
    while not solver.since:
        solver.advance(1)
        average = solver.average
        solver.restart_if_due()
    pairs = [average]
    for _ in range(5):
        pairs.append(solver.current)
        solver.advance(1)
    expected = gap_by_definition(form, pairs, [1.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    assert solver.solution().cce_gap == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("earned", ["lots", [1.0], [1.0, float("nan")], 3])
def test_a_damaged_sum_is_told_in_one_line(earned: Any, tmp_path: Path) -> None:
    game = GeneralSumGame(11)
    replace(solve(game, "cfr", iterations=5), earned=earned).save(tmp_path / "run.npz")
    with pytest.raises(UserError, match="is damaged"):
        Solution.load(tmp_path / "run.npz", game)


def test_player_1s_payoffs_are_part_of_the_fingerprint() -> None:
    class Other(GeneralSumGame):
        def payoffs(self, state: Any) -> tuple[Fraction, Fraction]:
            mine, theirs = super().payoffs(state)
            return mine, theirs + 1

    assert fingerprint(compile(GeneralSumGame(3))) != fingerprint(compile(Other(3)))
