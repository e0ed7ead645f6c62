"""Games that are not zero-sum, judged: against sums over histories, brute force, and what is known of classics."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from both_forms import random_profile
from expectation import positions
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import GeneralSumGame, GenericGame, general_sum_games

from regretlab.errors import UserError
from regretlab.evaluation import (
    Evaluation,
    best_response,
    brute_force,
    distance_to_equilibria,
    evaluate,
    evaluate_exactly,
    exploitability,
    nash,
)
from regretlab.evaluation.value import gradient
from regretlab.forms import SparsePayoff, compile, read_strategy
from regretlab.games import TERMINAL

seeds = st.integers(0, 1_000)


@given(general_sum_games(), seeds)
def test_values_are_sums_over_histories(game: GeneralSumGame, seed: int) -> None:
    form = compile(game)
    assert form.tree is not None
    profile = random_profile(form, seed)
    sums = [0.0, 0.0]
    for here in positions(form, read_strategy(form, profile)):
        if form.tree.player[here.history] == TERMINAL:
            reach = here.chance * here.reach[0] * here.reach[1]
            for player in (0, 1):
                sums[player] += reach * form.tree.payoff_to(player)[here.history]
    judged = evaluate(form, profile)
    assert judged.values == pytest.approx(tuple(sums), abs=1e-12)
    assert judged.value == judged.values[0]


@settings(max_examples=60)
@given(general_sum_games(), seeds)
def test_each_player_responds_to_own_payoffs(game: GeneralSumGame, seed: int) -> None:
    form = compile(game)
    profile = random_profile(form, seed)
    judged = evaluate(form, profile)
    gains = 0.0
    for player in (0, 1):
        best = best_response(form, profile, player).value
        assert best == pytest.approx(brute_force(form, profile, player), abs=1e-12)
        assert best == pytest.approx(judged.best_response_values[player], abs=1e-12)
        assert best >= judged.values[player] - 1e-12
        gains += best - judged.values[player]
    assert judged.nash_conv == pytest.approx(gains, abs=1e-12)
    assert exploitability(form, profile) == pytest.approx(gains / 2, abs=1e-12)


@settings(max_examples=40)
@given(general_sum_games(), seeds)
def test_floats_are_near_the_exact_numbers(game: GeneralSumGame, seed: int) -> None:
    form, rng = compile(game), np.random.default_rng(seed)
    exact = {}
    for treeplex in form.treeplexes:
        for label, actions in zip(treeplex.labels, treeplex.actions, strict=True):
            parts = rng.integers(1, 9, len(actions)).tolist()
            exact[label] = {name: Fraction(part, sum(parts)) for name, part in zip(actions, parts, strict=True)}
    found, judged = evaluate_exactly(form, exact), evaluate(form, exact)
    assert isinstance(found.nash_conv, Fraction)
    assert judged.values == pytest.approx(tuple(map(float, found.values)), abs=1e-12)
    assert judged.best_response_values == pytest.approx(tuple(map(float, found.best_response_values)), abs=1e-12)


@given(st.integers(0, 10_000), seeds)
def test_a_zero_sum_game_is_judged_as_ever(seed: int, other: int) -> None:
    """NashConv is the sum of the best-response values to the last bit: the value does not come in."""
    form = compile(GenericGame(seed))
    judged = evaluate(form, random_profile(form, other))
    assert judged.other_value is None
    assert judged.nash_conv == sum(judged.best_response_values)
    assert judged.values == (judged.value, -judged.value)


def test_gains_by_hand() -> None:
    judged = Evaluation(2.0, (3.0, 1.5), 1.0)
    assert (judged.values, judged.gains, judged.nash_conv, judged.exploitability) == ((2, 1), (1, 0.5), 1.5, 0.75)


@given(general_sum_games(), seeds)
def test_matrices_are_each_players_own(game: GeneralSumGame, seed: int) -> None:
    """Both in the order of the player's own sequences, with one denominator for the exact entries of both."""
    form = compile(game)
    payoff = form.payoff
    assert isinstance(payoff, SparsePayoff)
    assert payoff.exact is not None
    assert payoff.exact.theirs is not None
    assert (payoff.exact.numerators / payoff.exact.denominator == payoff.matrices[0].entry).all()
    assert (payoff.exact.theirs / payoff.exact.denominator == payoff.matrices[1].entry).all()
    profile = read_strategy(form, random_profile(form, seed))
    earned = np.zeros(form.treeplexes[1].sequences)
    assert form.tree is not None
    for here in positions(form, profile):
        if form.tree.player[here.history] == TERMINAL:
            earned[here.own[1]] += here.chance * here.reach[0] * form.tree.payoff_to(1)[here.history]
    assert gradient(form, profile, 1) == pytest.approx(earned, abs=1e-12)


def test_what_needs_zero_sums_says_so_in_one_line() -> None:
    game = GeneralSumGame(1)
    uniform = {label: dict.fromkeys(names, Fraction(1, len(names))) for label, names in labelled(game).items()}
    for ask in (
        lambda: nash(game),
        lambda: nash(game, exact=True),
        lambda: distance_to_equilibria(game, uniform),
    ):
        with pytest.raises(UserError) as caught:
            ask()
        assert str(caught.value).startswith("general(1) is not zero-sum, and ")
        assert "\n" not in str(caught.value)


def labelled(game: GeneralSumGame) -> dict[str, tuple[str, ...]]:
    form = compile(game)
    return {
        label: names
        for treeplex in form.treeplexes
        for label, names in zip(treeplex.labels, treeplex.actions, strict=True)
    }
