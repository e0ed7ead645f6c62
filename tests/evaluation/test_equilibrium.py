"""Equilibria by linear programming and exactly."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import RandomGame, random_form, random_games

from regretlab.errors import UserError
from regretlab.evaluation import evaluate, evaluate_exactly, kuhn_equilibria, nash
from regretlab.evaluation.equilibrium import MOST_SEQUENCES
from regretlab.evaluation.value import payoff_scale
from regretlab.forms import SequenceForm, Treeplex, as_form
from regretlab.games.kuhn import Kuhn

EXACT = {(1, 1): "-1/18", (1, 2): "0", (2, 1): "-1/30", (2, 2): "-1/9"}
sizes = st.fractions(min_value=Fraction(1, 10**6), max_value=10**6, max_denominator=10**6)


@pytest.mark.parametrize(("size", "value"), EXACT.items(), ids=str)
def test_kuhn_has_these_values(size: tuple[int, int], value: str) -> None:
    game = Kuhn(*map(Fraction, size))
    exact, floats = nash(game, exact=True), nash(game)
    assert exact.value == Fraction(value)
    assert isinstance(exact.value, Fraction)
    assert floats.value == pytest.approx(float(Fraction(value)), abs=1e-15)
    assert floats.exploitability == pytest.approx(0, abs=1e-15)


def check_exact(form: SequenceForm) -> Fraction:
    """The exact equilibrium is one, by the judge in fractions, and the floats beside it are the same; its value."""
    found = nash(form, exact=True)
    assert found.exact_strategy is not None
    judged = evaluate_exactly(form, found.exact_strategy)
    assert judged.nash_conv == found.gap == 0
    assert judged.value == found.value
    for label, chances in found.exact_strategy.items():
        assert found.strategy[label] == {action: float(chance) for action, chance in chances.items()}
    assert found.exploitability == evaluate(form, found.strategy).exploitability
    assert isinstance(found.value, Fraction)
    return found.value


@given(sizes, sizes)
@settings(max_examples=60)
def test_the_formula_holds_for_rational_sizes(ante: Fraction, bet: Fraction) -> None:
    assert check_exact(as_form(Kuhn(ante, bet))) == kuhn_equilibria(ante, bet).value


@given(sizes, st.sampled_from([1, 2, Fraction(1, 2), Fraction(3, 2), 3]), st.sampled_from([-1, 0, 1]))
@settings(max_examples=30)
def test_the_formula_holds_beside_and_at_the_borders(ante: Fraction, ratio: Fraction, side: int) -> None:
    bet = ante * ratio * (1 + Fraction(side, 10**6))
    assert check_exact(as_form(Kuhn(ante, bet))) == kuhn_equilibria(ante, bet).value


@pytest.mark.parametrize(
    ("ante", "bet"),
    [
        (1, Fraction(1, 10**6)),
        (10**6 + 1, 10**6),
        (10**6, 10**6 + 1),
        (10**6, 2 * 10**6 + 1),
        (1, 10**12),
        (1, Fraction(1, 10**15)),
        (10**12 + 1, 10**12),
        (Fraction(1, 10**100), Fraction(1, 10**100)),
    ],
    ids=str,
)
def test_the_formula_holds_at_the_extremes(ante: Fraction, bet: Fraction) -> None:
    form = as_form(Kuhn(Fraction(ante), Fraction(bet)))
    value = check_exact(form)
    assert value == kuhn_equilibria(ante, bet).value
    floats = nash(form)
    assert abs(floats.exploitability) <= 1e-9 * payoff_scale(form)
    assert abs(floats.value - float(value)) <= 2e-9 * payoff_scale(form)


@pytest.mark.parametrize("cards", [4, 5, 8, 13])
def test_kuhn_with_more_cards(cards: int) -> None:
    form = as_form(f"kuhn(cards={cards}, ante=7, bet=5)")
    assert float(check_exact(form)) == pytest.approx(nash(form).value, abs=1e-13)


@pytest.mark.parametrize("seed", range(60))
def test_random_games_are_proven_and_agree_with_the_programme(seed: int) -> None:
    form = as_form(RandomGame(seed))
    floats = nash(form)
    assert floats.exploitability == pytest.approx(0, abs=1e-12)
    assert float(check_exact(form)) == pytest.approx(floats.value, abs=1e-12)
    assert floats.exact_strategy is floats.gap is None


@given(random_games())
@settings(max_examples=40)
def test_nobody_gains_on_any_random_game(game: RandomGame) -> None:
    check_exact(as_form(game))


@pytest.mark.parametrize("seed", range(30))
def test_random_forms_are_solved(seed: int) -> None:
    form = random_form(np.random.default_rng(seed))
    found = nash(form)
    judged = evaluate(form, found.strategy)
    assert judged.exploitability == found.exploitability == pytest.approx(0, abs=1e-13)
    assert judged.value == found.value


def test_unreached_information_sets_are_uniform() -> None:
    # With a bet below the ante the King always bets, so it never comes to Kcb.
    found = nash("kuhn(ante=2, bet=1)", exact=True)
    assert found.exact_strategy is not None
    assert found.exact_strategy["K"]["bet"] == 1
    assert found.exact_strategy["Kcb"] == {"fold": Fraction(1, 2), "call": Fraction(1, 2)}
    assert nash("kuhn(ante=2, bet=1)").strategy["Kcb"] == {"fold": 0.5, "call": 0.5}


def test_floats_are_refused_where_exactness_is_asked_for() -> None:
    with pytest.raises(UserError, match="random form has payoffs or probabilities that are floats"):
        nash(random_form(np.random.default_rng(0)), exact=True)


def test_too_large_a_game_is_refused_with_its_size() -> None:
    form = as_form("kuhn(cards=3)")
    wide = MOST_SEQUENCES
    treeplex = Treeplex(
        np.zeros(1, dtype=np.uint32),
        np.array([1, wide + 1], dtype=np.uint32),
        ("wide",),
        (tuple(map(str, range(wide))),),
    )
    large = SequenceForm("wide", (form.treeplexes[0], treeplex), form.payoff)
    with pytest.raises(UserError, match=r"wide is too large for an exact solution: 2,514 sequences.* limit is 2,500"):
        nash(large, exact=True)


class Dice:
    """A payoff that is no matrix."""

    entries, nbytes, sparse, zero_sum = 0, 0, None, True

    def gradient(self, player: int, plan: object, out: object) -> None:
        raise NotImplementedError

    def fingerprint(self) -> bytes:
        raise NotImplementedError


@pytest.mark.parametrize("exact", [False, True])
def test_a_payoff_that_is_no_matrix_is_refused(exact: bool) -> None:
    form = SequenceForm("odd", as_form("kuhn").treeplexes, Dice())
    with pytest.raises(UserError, match="odd has no payoff matrix"):
        nash(form, exact)
