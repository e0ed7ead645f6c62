"""Best response by one pass against trying everything."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from random_games import RandomGame, random_form, random_games

from regretlab.errors import UserError
from regretlab.evaluation import best_response, brute_force, evaluate, kuhn_equilibria
from regretlab.evaluation.response import MOST_PURE_STRATEGIES, pure_strategies
from regretlab.forms import SequenceForm, Strategy, Treeplex, as_form, uniform

RandomStrategy = Callable[[SequenceForm, int], Strategy]
KUHN = as_form("kuhn")
FEW = 3_000


def check(form: SequenceForm, strategy: Strategy, player: int) -> None:
    """The pass finds the best value, and the actions that it names earn it."""
    response = best_response(form, strategy, player)
    assert response.value == pytest.approx(brute_force(form, strategy, player), abs=1e-12)
    mine = set(form.treeplexes[player].labels)
    assert set(response.actions) == mine
    pure = {label: {response.actions[label]: 1.0} for label in mine}
    value = evaluate(form, dict(strategy) | pure).value
    assert response.value == pytest.approx(value if player == 0 else -value, abs=1e-12)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("game", ["kuhn", "kuhn(ante=2, bet=3)", "kuhn(cards=4, bet=1/3)"])
def test_kuhn_agrees_with_brute_force(game: str, seed: int, player: int, random_strategy: RandomStrategy) -> None:
    form = as_form(game)
    check(form, random_strategy(form, seed), player)


@given(random_games(), st.integers(0, 1000), st.sampled_from([0, 1]))
def test_random_games_agree_with_brute_force(
    random_strategy: RandomStrategy, game: RandomGame, seed: int, player: int
) -> None:
    form = as_form(game)
    assume(pure_strategies(form.treeplexes[player]) <= FEW)
    check(form, random_strategy(form, seed), player)


@given(st.integers(0, 10_000), st.sampled_from([0, 1]))
def test_random_forms_agree_with_brute_force(random_strategy: RandomStrategy, seed: int, player: int) -> None:
    form = random_form(np.random.default_rng(seed), infosets=(5, 4), actions=3)
    assume(pure_strategies(form.treeplexes[player]) <= FEW)
    check(form, random_strategy(form, seed), player)


def test_the_first_of_equal_actions_is_taken() -> None:
    # Against an opponent who always folds, betting wins 1 with every card; what comes later does not matter.
    folds = dict(kuhn_equilibria().profile()) | {label: {"fold": 1} for label in ("Jb", "Qb", "Kb")}
    response = best_response(KUHN, folds, 0)
    assert [response.actions[label] for label in ("J", "Q")] == ["bet", "bet"]
    # The opponent never checks a King behind, so calling with the Jack can't win against one.
    assert response.actions["Jcb"] == "fold"


def test_pure_strategies_are_counted_reduced() -> None:
    # Kuhn poker: check-fold, check-call or bet for each of three cards; player 1 has six choices of two.
    assert pure_strategies(KUHN.treeplexes[0]) == 3**3
    assert pure_strategies(KUHN.treeplexes[1]) == 2**6


def test_brute_force_refuses_large_games() -> None:
    form = as_form("kuhn(cards=11)")
    assert pure_strategies(form.treeplexes[0]) == 3**11 > MOST_PURE_STRATEGIES
    with pytest.raises(UserError, match=r"has 177,147 pure strategies; brute force tries at most 100,000"):
        brute_force(form, uniform(form), 0)
    huge = as_form("kuhn(cards=40)")
    with pytest.raises(UserError, match=r"has about 10\^19 pure strategies"):
        brute_force(huge, uniform(huge), 0)


def test_counting_takes_deep_treeplexes() -> None:
    depth = 2_000
    chain = np.arange(depth, dtype=np.uint32)
    names = tuple(map(str, range(depth)))
    treeplex = Treeplex(chain, np.arange(1, depth + 2, dtype=np.uint32), names, (("on",),) * depth)
    assert pure_strategies(treeplex) == 1


@pytest.mark.parametrize("judge", [best_response, brute_force])
@pytest.mark.parametrize("player", [2, -1, "0"])
def test_there_are_two_players(judge: Callable[..., object], player: object) -> None:
    with pytest.raises(UserError, match="the players are 0 and 1"):
        judge(KUHN, uniform(KUHN), player)


@pytest.mark.parametrize("judge", [best_response, brute_force])
def test_a_missing_label_is_named(judge: Callable[..., object]) -> None:
    strategy = {label: chances for label, chances in uniform(KUHN).items() if label != "Kc"}
    with pytest.raises(UserError, match="'Kc'"):
        judge(KUHN, strategy, 0)
