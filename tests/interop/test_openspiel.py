"""OpenSpiel's games through our engine: the same games, the same numbers."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import best_response as openspiel_best_response
from open_spiel.python.algorithms import expected_game_score
from open_spiel.python.algorithms import exploitability as openspiel_exploitability
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from open_spiel.python.bots import uniform_random
from published import convergence, tolerance

from regretlab.errors import GameError, UserError
from regretlab.evaluation import evaluate, exploitability, nash
from regretlab.forms import SequenceForm, Strategy, as_form, compile, from_weights, uniform
from regretlab.games import CHANCE, TERMINAL, check_game, load
from regretlab.interop import OpenSpielGame, openspiel_bot, openspiel_policy
from regretlab.solving import solve

PUBLISHED = {
    (game, recipe): figures
    for game in ("kuhn_poker", "leduc_poker", "liars_dice(numdice=1,dice_sides=3)")
    for recipe, figures in convergence(game).items()
}


def test_kuhn_is_our_kuhn_up_to_labels() -> None:
    """OpenSpiel deals the cards one after the other: three histories more, and everything else alike."""
    theirs, ours = as_form("openspiel:kuhn_poker"), as_form("kuhn")
    assert theirs.tree is not None
    assert theirs.tree.histories == 58
    assert (theirs.tree.player == TERMINAL).sum() == 30
    assert (theirs.tree.player == CHANCE).sum() == 4
    assert [treeplex.infosets for treeplex in theirs.treeplexes] == [treeplex.infosets for treeplex in ours.treeplexes]
    assert sorted(theirs.payoff.matrices[0].entry) == sorted(ours.payoff.matrices[0].entry)  # type: ignore[attr-defined]
    assert exploitability(theirs, uniform(theirs)) == pytest.approx(exploitability(ours, uniform(ours)), abs=1e-15)


@pytest.mark.parametrize(("game", "recipe"), PUBLISHED)
def test_published_exploitability_to_six_digits(game: str, recipe: str) -> None:
    form, figures = as_form(f"openspiel:{game}"), PUBLISHED[game, recipe]
    assert exploitability(form, uniform(form)) == pytest.approx(figures[0], rel=1e-12)
    history = {point.iteration: point.exploitability for point in solve(form, recipe, iterations=1_000).history}
    for iterations in (10, 100, 1_000):
        assert history[iterations] == pytest.approx(figures[iterations], rel=tolerance(game, recipe, iterations))


def random_strategy(form: SequenceForm) -> Strategy:
    rng = np.random.default_rng(4)
    zero, one = (rng.exponential(size=treeplex.sequences) for treeplex in form.treeplexes)
    return from_weights(form, (zero, one))


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "liars_dice(numdice=1,dice_sides=3)"])
def test_a_random_strategy_is_as_exploitable_as_openspiel_says(name: str) -> None:
    form = as_form(f"openspiel:{name}")
    strategy = random_strategy(form)
    policy = openspiel_policy(strategy)
    in_cpp = pyspiel.TabularPolicy(policy.to_dict())
    assert pyspiel.nash_conv(policy.game, in_cpp) == pytest.approx(evaluate(form, strategy).nash_conv, abs=1e-10)


GENERAL_SUM = [
    "matrix_pd",
    "matrix_shapleys_game",
    "tiny_hanabi",
    "sheriff(max_bribe=1,max_items=1,num_rounds=1)",
    "first_sealed_auction(max_value=3)",
    "trade_comm(num_items=2)",
    "battleship(board_width=2,board_height=1,ship_sizes=[1],ship_values=[1],num_shots=1,loss_multiplier=2.0)",
]


@pytest.mark.parametrize("name", GENERAL_SUM)
def test_games_that_are_not_zero_sum_are_judged_as_openspiel_does(name: str) -> None:
    """Both values, and NashConv, of a random strategy and of one that was learned."""
    form = as_form(f"openspiel:{name}")
    check_game(load(f"openspiel:{name}"))
    assert not form.zero_sum
    for strategy in (random_strategy(form), solve(form, "cfr+", iterations=30).strategy):
        policy, judged = openspiel_policy(strategy), evaluate(form, strategy)
        values = expected_game_score.policy_value(policy.game.new_initial_state(), [policy, policy])
        assert judged.values == pytest.approx(values, abs=1e-10)
        assert judged.nash_conv == pytest.approx(openspiel_exploitability.nash_conv(policy.game, policy), abs=1e-10)


BATTLESHIP = "battleship(board_width=2,board_height=2,ship_sizes=[1],ship_values=[1],num_shots=2)"
SMALL = [
    "battleship(board_width=3,board_height=1,ship_sizes=[1],ship_values=[1],num_shots=2,allow_repeated_shots=False)",
    "blotto(coins=4,fields=3)",
    "cached_tree(game=kuhn_poker())",
    "clobber(rows=2,columns=3)",
    "connect_four(rows=2,columns=3,x_in_row=2)",
    "coordinated_mp",
    "dark_hex(board_size=2)",
    "dark_hex(num_rows=2,num_cols=2,gameversion=adh)",
    "dots_and_boxes(num_rows=1,num_cols=1)",
    "go(board_size=2,max_game_length=4)",
    "go_fish(ranks=2,suits=2,initial_cards=1)",
    "gomoku(size=2,connect=2)",
    "goofspiel(num_cards=3)",
    "goofspiel(num_cards=3,imp_info=True,points_order=ascending,returns_type=point_difference)",
    "goofspiel(num_cards=4,imp_info=True,points_order=descending)",
    "havannah(board_size=2)",
    "hex(num_rows=2,num_cols=3)",
    "kuhn_poker",
    "leduc_poker(suit_isomorphism=True)",
    "liars_dice(numdice=1,dice_sides=2)",
    "liars_dice(numdice=1,dice_sides=3,bidding_rule=reset-quantity)",
    "matrix_brps",
    "matrix_rpsw",
    "misere(game=kuhn_poker())",
    "mnk(m=3,n=2,k=2)",
    "nim(pile_sizes=1;2;3)",
    "oshi_zumo(coins=4,size=1,horizon=3)",
    "restricted_nash_response(game=kuhn_poker(),p=0.7)",
    "start_at(game=tic_tac_toe(),history=0;1;2;4;8)",
    "turn_based_simultaneous_game(game=goofspiel(num_cards=3,imp_info=True))",
    "y(board_size=2)",
    "zerosum(game=first_sealed_auction(max_value=3))",
    "zerosum(game=sheriff(max_bribe=1,max_items=1,num_rounds=1))",
]
"""One or two of every kind of game in OpenSpiel that we can solve and that can be made small; some are judged."""

MOST_HISTORIES = 3_000
SEED = 2
JUDGED = [BATTLESHIP, *random.Random(SEED).sample(SMALL, 12)]


@pytest.mark.parametrize("name", JUDGED)
def test_openspiel_judges_our_solution_as_we_do(name: str) -> None:
    form = compile(f"openspiel:{name}", limit=MOST_HISTORIES)
    solution = solve(form, "cfr+", iterations=20)
    policy = openspiel_policy(solution)
    judged = openspiel_exploitability.exploitability(policy.game, policy)
    assert judged == pytest.approx(solution.exploitability, abs=1e-10)


@pytest.mark.parametrize("name", JUDGED)
def test_openspiel_s_best_responses_prove_the_value_of_our_programme(name: str) -> None:
    """Against player 1's strategy nobody gets more than the value, and against player 0's nobody loses less."""
    solved = nash(f"openspiel:{name}")
    policy = openspiel_policy(solved)
    for player, value in ((0, solved.value), (1, -solved.value)):
        response = openspiel_best_response.CPPBestResponsePolicy(policy.game, player, policy)
        assert response.value(policy.game.new_initial_state()) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize(
    "name",
    [
        "kuhn_poker",
        "goofspiel(imp_info=True,num_cards=3,points_order=descending)",
        "matrix_rps",
        "liars_dice(numdice=1,dice_sides=3)",
    ],
)
def test_games_of_several_kinds_keep_the_protocol(name: str) -> None:
    check_game(load(f"openspiel:{name}"))


def test_rational_payoffs_and_probabilities_are_recognised() -> None:
    assert as_form("openspiel:kuhn_poker").payoff.exact.denominator == 6  # type: ignore[attr-defined]


REFUSED = [
    ("kuhn_pokr", "unknown game of OpenSpiel 'kuhn_pokr'; did you mean 'kuhn_poker'? There are: 2048, "),
    ("", "unknown game of OpenSpiel ''; there are: 2048, "),
    ("misere", "OpenSpiel can't load 'misere': Missing parameter game"),
    ("nfg_game", "OpenSpiel can't load 'nfg_game': "),
    ("kuhn_poker(cards=4)", "OpenSpiel can't load 'kuhn_poker(cards=4)': Unknown parameter 'cards'."),
    ("kuhn_poker(players=11)", "OpenSpiel can't load 'kuhn_poker(players=11)': "),
    ("kuhn_poker(", "OpenSpiel can't load 'kuhn_poker(': Missing closing bracket ')'."),
    ("go(board_size=1)", "OpenSpiel can't load 'go(board_size=1)': unsupported board size"),
    ("kuhn_poker(players=3)", "'kuhn_poker(players=3)' can't be solved: it is not for two players but for 3"),
    ("blackjack", "'blackjack' can't be solved: it is not for two players but for 1"),
    ("breakthrough", "'breakthrough' can't be solved: OpenSpiel has no information states for it"),
    ("markov_soccer", "'markov_soccer' can't be solved: OpenSpiel has no information states for it"),
    (
        "zerosum(game=bridge_uncontested_bidding())",
        "can't be solved: OpenSpiel draws its chance outcomes without giving their probabilities",
    ),
]


@pytest.mark.parametrize(("name", "complaint"), REFUSED, ids=[name for name, _ in REFUSED])
def test_what_is_not_for_us_is_refused_in_one_line(
    name: str, complaint: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UserError) as caught:
        OpenSpielGame(name)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""  # OpenSpiel would print its own error there


def test_a_warning_of_openspiel_is_not_lost(capfd: pytest.CaptureFixture[str]) -> None:
    OpenSpielGame("quoridor(board_size=3,wall_count=0)")
    assert "known issues" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("name", "history", "forgotten"),
    [
        (
            "liars_dice_ir(numdice=1,dice_sides=3)",
            "Roll 1 Roll 1 1-2 1-3 2-1 2-2 2-3",
            "an earlier observation: '1: P1 1 1-3 2-1 2-2 2-3' follows '1: P1 1 1-2' here and '1: P1 1 1-1' elsewhere, "
            "by the same own actions",
        ),
        ("dark_hex_ir(board_size=2)", "a1 b1 b2 a1", "an own action: '1: P1 xo\n..' also follows another one"),
    ],
)
def test_no_perfect_recall_is_refused_by_the_walk(name: str, history: str, forgotten: str) -> None:
    with pytest.raises(GameError) as caught:
        compile(f"openspiel:{name}")
    assert str(caught.value) == (
        f"openspiel:{name}, at history '{history}': player 1 has forgotten {forgotten} (no perfect recall)"
    )


def test_perfect_information_is_no_perfect_recall() -> None:
    """With open cards, OpenSpiel's states of goofspiel are positions: they do not say how these came about."""
    with pytest.raises(GameError, match="no perfect recall"):
        compile("openspiel:goofspiel(num_cards=4)")


def test_a_game_somewhat_too_large_is_given_up_on_the_way() -> None:
    with pytest.raises(GameError, match="more than 1,000 histories and no end in sight"):
        compile("openspiel:tic_tac_toe", limit=1_000)


@pytest.mark.parametrize("name", ["phantom_ttt", "cursor_go", "connect_four", "chess"])
def test_what_is_too_large_is_refused_before_it_is_walked(name: str) -> None:
    """How large differs from machine to machine: plays of long games are left when their time is over."""
    with pytest.raises(UserError, match=rf"^openspiel:{name} is too large: (about|more than) \S+e\d+ histories"):
        compile(f"openspiel:{name}")


def test_a_constant_sum_is_taken_as_it_is_in_a_file_of_gambit(tmp_path: Path) -> None:
    nodes = 'p "" 1 1 "x" { "a" "b" } 0 t "" 1 "one" { 3 -1 } t "" 2 "two" { 0 2 }'
    (tmp_path / "sum.efg").write_text(f'EFG 2 R "sum" {{ "A" "B" }} {nodes}')
    assert nash(f"openspiel:efg_game(filename={tmp_path / 'sum.efg'})").value == 3


@pytest.mark.parametrize(
    ("strategy", "complaint"),
    [
        (lambda: {"J": {"check": 1}}, "{'J': {'check': 1}} is no strategy of a game; give what solve or nash returned"),
        (lambda: nash("kuhn"), "kuhn is not OpenSpiel's; solve its game, such as openspiel:kuhn_poker"),
        (
            lambda: uniform(as_form("openspiel:go_fish(ranks=2,suits=2)")),
            "nobody ever acts in 'go_fish(ranks=2,suits=2)', so there is no policy for it",
        ),
        (
            lambda: uniform(replace(as_form("kuhn(cards=4)"), name="openspiel:kuhn_poker")),
            "the strategy has 16 information sets, and a TabularPolicy of 'kuhn_poker' 12 states: ",
        ),
    ],
)
def test_what_can_t_become_a_policy_is_told_in_one_line(strategy: Callable[[], Any], complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        openspiel_policy(strategy())
    assert str(caught.value).startswith(complaint)


def test_without_openspiel_the_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(UserError, match=r"regretlab\[openspiel\]"):
        load("openspiel:kuhn_poker")


@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker", "goofspiel(num_cards=3,imp_info=True)"])
@pytest.mark.parametrize("player", [0, 1])
def test_a_bot_wins_what_its_strategy_is_worth_against_one_that_moves_at_random(game: str, player: int) -> None:
    """The mean of real games, played by OpenSpiel, is within four standard errors of the exact value."""
    solution = solve(f"openspiel:{game}", "cfr+", iterations=200)
    bots = [uniform_random.UniformRandomBot(each, np.random.RandomState(2)) for each in (0, 1)]
    bots[player] = bot = openspiel_bot(solution, player, seed=1)
    assert bot.player_id() == player
    random = np.random.RandomState(3)
    won = [evaluate_bots(bot.game.new_initial_state(), bots, random)[player] for _ in range(2_000)]
    mixed = uniform(solution.form)
    profile = {label: (solution.strategy if solution.form.owner(label) == player else mixed)[label] for label in mixed}
    value = evaluate(solution.form, profile).value
    worth = value if player == 0 else -value
    assert abs(np.mean(won) - worth) < 4 * np.std(won) / np.sqrt(len(won))
    assert solution.value != pytest.approx(value, abs=0.05)  # it is no test of the value between equals


def test_a_bot_s_probabilities_are_those_of_the_strategy_and_of_the_policy() -> None:
    solution = solve("openspiel:leduc_poker", "cfr+", iterations=20)
    policy = openspiel_policy(solution)
    state = policy.game.new_initial_state()
    for action in (0, 3):  # the two cards
        state.apply_action(action)
    for _ in range(2):
        bot = openspiel_bot(solution, state.current_player())
        chances, action = bot.step_with_policy(state)
        assert dict(chances) == pytest.approx(policy.action_probabilities(state), abs=1e-15)
        assert dict(chances)[action] > 0
        state.apply_action(action)


def test_what_is_no_strategy_of_openspiel_makes_no_bot() -> None:
    with pytest.raises(UserError, match="kuhn is not OpenSpiel's"):
        openspiel_bot(solve("kuhn", "cfr", iterations=2), 0)
    with pytest.raises(UserError, match="player=2 must be 0 or 1"):
        openspiel_bot(solve("openspiel:kuhn_poker", "cfr", iterations=2), 2)
