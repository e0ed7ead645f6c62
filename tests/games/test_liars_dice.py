"""Liar's dice's rules, against OpenSpiel and against a count of all dice on the table."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st
from published import convergence
from same_form import assert_same_form, assert_same_tree

from regretlab.errors import UserError
from regretlab.evaluation import exploitability, nash
from regretlab.forms import as_form, uniform
from regretlab.games import CHANCE, TERMINAL, LiarsDice, check_game, load
from regretlab.solving import solve

PUBLISHED = convergence("liars_dice(numdice=1,dice_sides=3)")


def play(game: LiarsDice, text: str) -> Any:
    """The state after the named rolls and calls."""
    state = game.root()
    for name in text.split():
        state = game.child(state, list(game.actions(state)).index(name))
    return state


# The same game as OpenSpiel's.


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_it_is_openspiels_game_array_by_array(sides: int) -> None:
    form = as_form(f"liars_dice(sides={sides})")
    theirs = as_form(f"openspiel:liars_dice(numdice=1,dice_sides={sides})")
    assert_same_form(form, theirs)
    assert_same_tree(form.tree, theirs.tree)


def test_with_more_dice_only_the_histories_differ() -> None:
    """OpenSpiel rolls die by die and then sorts: more histories, and the same information sets and payoffs."""
    form, theirs = as_form("liars_dice(dice=2, sides=2)"), as_form("openspiel:liars_dice(numdice=2,dice_sides=2)")
    assert_same_form(form, theirs)
    assert form.tree is not None
    assert theirs.tree is not None
    assert (form.tree.histories, theirs.tree.histories) == (4603, 8191)


@pytest.mark.parametrize("recipe", PUBLISHED)
def test_published_exploitability_to_six_digits(recipe: str) -> None:
    form = as_form("liars_dice(sides=3)")
    assert exploitability(form, uniform(form)) == pytest.approx(PUBLISHED[recipe][0], rel=1e-12)
    history = {point.iteration: point.exploitability for point in solve(form, recipe, iterations=1_000).history}
    for iterations in (10, 100, 1_000):
        assert history[iterations] == pytest.approx(PUBLISHED[recipe][iterations], rel=1e-6)


@pytest.mark.parametrize(("sides", "value"), [(2, "1/2"), (3, "1/9"), (4, "1/16")])
def test_openspiel_agrees_that_our_equilibrium_is_one(sides: int, value: str) -> None:
    """Labels become OpenSpiel's by writing Liar for liar, so its own judge can look at our strategy."""
    exact = nash(LiarsDice(sides=sides), exact=True)
    assert exact.value == Fraction(value)
    game = pyspiel.load_game(f"liars_dice(numdice=1,dice_sides={sides})")
    numbers = {f"{b // sides + 1}-{b % sides + 1}": b for b in range(2 * sides)} | {"liar": 2 * sides}
    policy = pyspiel.TabularPolicy(
        {
            label: [(numbers[action], probability) for action, probability in exact.strategy[label].items()]
            for label in as_form(LiarsDice(sides=sides)).labels
        }
    )
    assert pyspiel.nash_conv(game, policy) == pytest.approx(0, abs=1e-12)
    root = game.new_initial_state()
    assert pyspiel.expected_returns(root, policy, -1, False)[0] == pytest.approx(float(exact.value), abs=1e-12)


# Its rules.


@pytest.mark.parametrize(("dice", "sides", "rolls"), [(1, 2, 2), (1, 4, 4), (2, 2, 3)])
def test_histories_are_rolls_and_ascending_bids(dice: int, sides: int, rolls: int) -> None:
    """Any set of bids can have been made; each but the empty one can be called, which ends the game."""
    tree = as_form(LiarsDice(dice, sides)).tree
    assert tree is not None
    ways = 2 ** (2 * dice * sides)
    assert (tree.player == TERMINAL).sum() == rolls**2 * (ways - 1)
    assert tree.histories == 1 + rolls + rolls**2 * (2 * ways - 1)


@pytest.mark.parametrize(
    ("game", "calls", "payoff"),
    [
        ("liars_dice", "2 5 1-2 liar", 1),  # player 0's bid is called and holds
        ("liars_dice", "2 5 1-5 liar", 1),
        ("liars_dice", "2 5 1-3 liar", -1),
        ("liars_dice", "2 5 1-2 1-5 liar", -1),  # player 1's bid is called and holds
        ("liars_dice", "2 5 1-2 2-5 liar", 1),
        ("liars_dice", "2 6 1-2 2-2 liar", -1),  # the 6 is wild
        ("liars_dice", "6 6 2-1 liar", 1),
        ("liars_dice", "5 5 2-6 liar", -1),  # and only a 6 is a 6
        ("liars_dice(dice=2, sides=3)", "12 23 3-2 liar", 1),
        ("liars_dice(dice=2, sides=3)", "12 23 4-2 liar", -1),
    ],
)
def test_payoffs(game: str, calls: str, payoff: int) -> None:
    rules: Any = load(game)
    state = play(rules, calls)
    assert rules.player(state) == TERMINAL
    assert rules.payoff(state) == payoff


@given(st.integers(1, 2), st.integers(2, 4), st.data())
def test_a_count_of_all_dice_decides(dice: int, sides: int, data: Any) -> None:
    game = LiarsDice(dice, sides)
    state, said = game.root(), []
    while (player := game.player(state)) != TERMINAL:
        names = list(game.actions(state))
        assert player == (CHANCE if len(said) < 2 else len(said) % 2)
        said.append(data.draw(st.sampled_from(names)))
        state = game.child(state, names.index(said[-1]))
    *rolls, call = [*said[:2], said[-1]]
    assert call == "liar"
    bids = [tuple(map(int, bid.split("-"))) for bid in said[2:-1]]
    assert bids == sorted(set(bids))
    number, face = bids[-1]
    count = sum(int(die) in (face, sides) for die in "".join(rolls))
    bidder = (len(bids) - 1) % 2
    winner = bidder if count >= number else 1 - bidder
    assert game.payoff(state) == (1 if winner == 0 else -1)


@pytest.mark.parametrize(("dice", "sides"), [(1, 6), (2, 4), (3, 2), (4, 2)])
def test_rolls_are_as_likely_as_their_dice(dice: int, sides: int) -> None:
    game = LiarsDice(dice, sides)
    thrown = ["".join(map(str, sorted(faces))) for faces in product(range(1, sides + 1), repeat=dice)]
    for state in (game.root(), play(game, thrown[-1])):
        assert list(game.actions(state)) == sorted(set(thrown))
        chances = dict(zip(game.actions(state), game.chance(state), strict=True))
        assert chances == {roll: Fraction(thrown.count(roll), len(thrown)) for roll in thrown}


def test_each_bid_is_higher_than_the_last_and_the_first_player_must_bid() -> None:
    game = LiarsDice(sides=3)
    assert list(game.actions(play(game, "1 1"))) == ["1-1", "1-2", "1-3", "2-1", "2-2", "2-3"]
    assert list(game.actions(play(game, "1 1 1-2 2-1"))) == ["2-2", "2-3", "liar"]
    assert list(game.actions(play(game, "1 1 2-3"))) == ["liar"]


def test_histories_share_the_names_of_their_actions() -> None:
    """Millions of histories have a handful of tuples between them."""
    game = LiarsDice()
    assert game.actions(play(game, "1 2 1-1 1-6")) is game.actions(play(game, "5 4 1-6"))


@pytest.mark.parametrize(("dice", "sides"), [(1, 2), (1, 4), (2, 2)])
def test_it_keeps_the_protocol(dice: int, sides: int) -> None:
    check_game(LiarsDice(dice, sides))


# What people read.


@pytest.mark.parametrize(
    ("game", "calls", "label", "meaning"),
    [
        ("liars_dice", "6 1", "6", "rolled 6; first to bid"),
        ("liars_dice", "6 1 1-2", "1 1-2", "rolled 1; bids: one 2"),
        ("liars_dice", "6 1 1-2 2-5", "6 1-2 2-5", "rolled 6; bids: one 2, two 5s"),
        ("liars_dice(dice=4, sides=2)", "1122 1112 8-1", "1112 8-1", "rolled 1112; bids: eight 1s"),
    ],
)
def test_labels_are_the_own_dice_and_the_bids(game: str, calls: str, label: str, meaning: str) -> None:
    rules: Any = load(game)
    assert rules.label(play(rules, calls)) == label
    assert rules.meaning(label) == meaning


def test_lists_go_by_bids_then_by_dice() -> None:
    listed = ["1", "6", "1 1-1", "6 1-1", "1 1-2", "6 1-6", "1 2-1", "3 1-1 2-6", "1 1-2 1-3"]
    assert sorted(set(listed), key=LiarsDice().order) == listed


# Its arguments.


def test_the_name_says_what_is_not_the_default() -> None:
    assert load("liars_dice(dice=2, sides=3)") == LiarsDice(2, 3)
    assert LiarsDice(2, 3).name == "liars_dice(dice=2, sides=3)"
    assert load("liars_dice(dice=1, sides=6)").name == "liars_dice"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("dice=0", "dice=0 must be a whole number, at least 1 and at most 6"),
        ("sides=1", "sides=1 must be a whole number, at least 2 and at most 12"),
        ("sides=6.5", "sides=6.5 must be a whole number"),
        ("dice=3", "dice=3 and sides=6 allow 36 bids, too many to compile; 2 × dice × sides must be at most 24"),
        ("die=2", "did you mean 'dice'"),
    ],
)
def test_bad_arguments_are_named(arguments: str, complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        load(f"liars_dice({arguments})")
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)
