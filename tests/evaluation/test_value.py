"""Value and exploitability of a profile, in floats and in fractions."""

import math
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_games import RandomGame, random_form, random_games

from regretlab.errors import UserError
from regretlab.evaluation import brute_force, evaluate, evaluate_exactly, exploitability, kuhn_equilibria
from regretlab.forms import SequenceForm, Strategy, as_form, uniform

RandomStrategy = Callable[[SequenceForm, int], Strategy]
KUHN = as_form("kuhn")
SPIEL_CARD = {"J": "0", "Q": "1", "K": "2"}


def test_uniform_kuhn_has_the_published_exploitability() -> None:
    # Betting and calling everything wins 1/2 as player 0, 5/12 as player 1: (6/12 + 5/12) / 2 = 11/24.
    judged = evaluate(KUHN, uniform(KUHN))
    assert judged.exploitability == pytest.approx(0.45833333333333326, rel=1e-15)
    assert judged.best_response_values == pytest.approx((1 / 2, 5 / 12), rel=1e-15)
    assert judged.value == pytest.approx(1 / 8, rel=1e-15)
    assert judged.gains == pytest.approx((3 / 8, 13 / 24), rel=1e-15)
    assert judged.nash_conv == pytest.approx(11 / 12, rel=1e-15)


def test_a_game_is_taken_by_name_as_rules_and_compiled() -> None:
    game = RandomGame(5)
    strategy = {label: dict(chances) for label, chances in uniform(as_form(game)).items()}
    assert exploitability(game, strategy) == exploitability(as_form(game), strategy) > 0
    assert exploitability("kuhn", dict(uniform(KUHN))) == exploitability(KUHN, uniform(KUHN))


@pytest.mark.parametrize("seed", range(30))
def test_kuhn_agrees_with_openspiel(seed: int, random_strategy: RandomStrategy) -> None:
    strategy = random_strategy(KUHN, seed)
    game = pyspiel.load_game("kuhn_poker")
    policy = {
        SPIEL_CARD[label[0]] + label[1:].replace("c", "p"): list(enumerate(chances.values()))
        for label, chances in strategy.items()
    }
    judged = evaluate(KUHN, strategy)
    assert judged.nash_conv == pytest.approx(pyspiel.nash_conv(game, policy), abs=1e-14)
    assert judged.exploitability == pytest.approx(pyspiel.exploitability(game, policy), abs=1e-14)


@given(random_games(), st.integers(0, 1000))
def test_floats_agree_with_fractions(random_strategy: RandomStrategy, game: RandomGame, seed: int) -> None:
    form = as_form(game)
    exact = {label: rounded(chances) for label, chances in random_strategy(form, seed).items()}
    judged, proven = evaluate(form, exact), evaluate_exactly(form, exact)
    assert judged.value == pytest.approx(float(proven.value), abs=1e-12)
    assert judged.gains == pytest.approx([float(gain) for gain in proven.gains], abs=1e-12)
    assert min(proven.gains) >= 0
    assert proven.nash_conv == sum(proven.gains) == 2 * proven.exploitability


def rounded(chances: dict[str, float]) -> dict[str, Fraction]:
    """Fractions near these probabilities that sum to 1."""
    whole = {action: Fraction(round(100 * chance) + 1) for action, chance in chances.items()}
    return {action: weight / sum(whole.values()) for action, weight in whole.items()}


@pytest.mark.parametrize("seed", range(20))
def test_value_is_the_bilinear_form(seed: int, random_strategy: RandomStrategy) -> None:
    form = random_form(np.random.default_rng(seed), infosets=(4, 3), actions=3)
    strategy = random_strategy(form, seed)
    first, column, entry = form.payoff.matrices[0]
    plans = strategy.plan(0), strategy.plan(1)
    value = sum(
        plans[0][s] * entry[k] * plans[1][column[k]]
        for s in range(len(plans[0]))
        for k in range(first[s], first[s + 1])
    )
    judged = evaluate(form, strategy)
    assert judged.value == pytest.approx(value, abs=1e-12)
    best = brute_force(form, strategy, 0), brute_force(form, strategy, 1)
    assert judged.gains == pytest.approx((best[0] - value, best[1] + value), abs=1e-12)
    assert min(judged.gains) >= -1e-12


def changed(label: str, chances: dict[str, float] | None) -> dict[str, dict[str, float]]:
    """Uniform play of Kuhn poker with one information set replaced or left out."""
    strategy = dict(uniform(KUHN)) | ({label: chances} if chances is not None else {})
    return {key: value for key, value in strategy.items() if chances is not None or key != label}


BAD = {
    "missing": ("Qcb", None),
    "negative": ("Qcb", {"fold": -0.25, "call": 1.25}),
    "nan": ("Kb", {"fold": math.nan, "call": 1.0}),
    "infinite": ("Kb", {"fold": math.inf, "call": 0.0}),
    "sum": ("J", {"check": 0.5, "bet": 0.25}),
    "label": ("Xcb", {"fold": 0.5, "call": 0.5}),
    "action": ("Jc", {"check": 0.5, "raise": 0.5}),
}


@pytest.mark.parametrize(("label", "chances"), BAD.values(), ids=BAD)
@pytest.mark.parametrize("judge", [evaluate, exploitability, evaluate_exactly])
def test_a_bad_strategy_is_an_error_that_names_the_label(
    judge: Callable[..., object], label: str, chances: dict[str, float] | None
) -> None:
    with pytest.raises(UserError, match=f"'{label}'") as caught:
        judge(KUHN, changed(label, chances))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "chances", [{"check": 0.5, "bet": 0.5}, {"check": Fraction(1, 3), "bet": Fraction(2, 3) + Fraction(1, 10**12)}]
)
def test_exactness_needs_fractions_that_sum_to_1(chances: dict[str, Fraction]) -> None:
    profile = kuhn_equilibria().profile() | {"J": chances}
    evaluate(KUHN, profile)
    with pytest.raises(UserError, match="'J' must be fractions that sum to 1 exactly"):
        evaluate_exactly(KUHN, profile)


def test_exactness_needs_rational_payoffs() -> None:
    form = random_form(np.random.default_rng(0))
    with pytest.raises(UserError, match="random form has payoffs or probabilities that are floats"):
        evaluate_exactly(form, {})


CARDS = "JQK"


def peek(profile: dict[str, dict[str, Fraction]], player: int) -> Fraction:
    """What a responder gets who sees both cards: the best of every deal on its own, by its own small recursion."""
    deals = [(mine, theirs) for mine in CARDS for theirs in CARDS if mine != theirs]
    return sum((best(profile, player, deal, "") for deal in deals), Fraction(0)) / len(deals)


def best(profile: dict[str, dict[str, Fraction]], player: int, deal: tuple[str, str], moves: str) -> Fraction:
    if moves in ("cc", "bf", "bc", "cbf", "cbc"):
        wins = CARDS.index(deal[0]) > CARDS.index(deal[1])
        stake = 2 if moves in ("bc", "cbc") else 1
        payoff = {"bf": 1, "cbf": -1}.get(moves, stake if wins else -stake)
        return Fraction(payoff if player == 0 else -payoff)
    letters = {"fold": "f", "call": "c", "check": "c", "bet": "b"}
    mover = 0 if moves in ("", "cb") else 1
    chances = profile[deal[mover] + moves]
    values = {action: best(profile, player, deal, moves + letters[action]) for action in chances}
    if mover == player:
        return max(values.values())
    return sum((chances[action] * value for action, value in values.items()), Fraction(0))


@pytest.mark.parametrize("alpha", [Fraction(k, 12) for k in range(5)])
def test_a_responder_who_peeks_is_not_ours(alpha: Fraction) -> None:
    profile = kuhn_equilibria().profile(alpha)
    cheats = peek(profile, 0), peek(profile, 1)
    assert cheats == (Fraction(1, 3), Fraction(2, 9))
    assert sum(cheats) / 2 == Fraction(5, 18)
    assert evaluate_exactly(KUHN, profile).exploitability == 0
    assert exploitability(KUHN, profile) == pytest.approx(0, abs=1e-16)


def test_importing_the_judges_leaves_scipy_alone() -> None:
    code = "import sys, regretlab.evaluation as e; e.exploitability('kuhn', e.kuhn_equilibria().profile()); "
    done = subprocess.run([sys.executable, "-c", code + "sys.exit('scipy.optimize' in sys.modules)"], check=False)
    assert done.returncode == 0
