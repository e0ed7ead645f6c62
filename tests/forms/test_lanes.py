"""Lanes against histories: the same game, and the same numbers from every pass."""

from __future__ import annotations

import pytest
from both_forms import assert_same_game, assert_same_judgement, both_forms, random_profile
from hypothesis import given, settings
from hypothesis import strategies as st
from random_public_games import RandomPublicGame, random_public_games

from regretlab.forms import uniform


@pytest.mark.parametrize("kind", ["dense", "sorted"])
@settings(max_examples=60)
@given(random_public_games(), st.integers(0, 100))
def test_random_games_are_worth_the_same_in_both_forms(kind: str, game: RandomPublicGame, seed: int) -> None:
    histories, lanes = both_forms(game, kind)
    assert_same_game(histories, lanes)
    assert_same_judgement(histories, lanes, random_profile(histories, seed))


@pytest.mark.parametrize("kind", ["dense", "sorted"])
@pytest.mark.parametrize(
    "game",
    [
        "kuhn",
        "kuhn(cards=13, bet=1/3)",
        "kuhn(cards=70)",
        "leduc",
        "leduc(merge_suits=yes)",
        "leduc(suits=1, ranks=5, cap=3)",
        "liars_dice(sides=3)",
        "liars_dice(sides=4)",
        "liars_dice(dice=2, sides=2)",
    ],
)
def test_games_are_worth_the_same_in_both_forms(game: str, kind: str) -> None:
    histories, lanes = both_forms(game, kind)
    assert_same_game(histories, lanes)
    assert_same_judgement(histories, lanes, random_profile(histories, 1))
    assert_same_judgement(histories, lanes, {label: dict(row) for label, row in uniform(histories).items()})


@pytest.mark.parametrize(("kind", "swept"), [("dense", False), ("sorted", True)])
def test_the_tests_above_sort_where_they_say_so(kind: str, swept: bool) -> None:
    for game in ("kuhn(cards=13, bet=1/3)", "leduc"):
        payoff = both_forms(game, kind)[1].payoff
        assert all(bool(len(endings.seen)) == swept for endings in payoff.sorted)
        assert all(bool(len(endings.factor)) != swept for endings in payoff.dense)


def test_random_games_are_sorted_often_enough() -> None:
    games = [game for game in map(RandomPublicGame, range(60)) if game.can_be_dealt]
    swept = [both_forms(game, "sorted")[1].payoff.sorted[0] for game in games]
    assert sum(len(each.seen) > 0 for each in swept) > 15
    assert sum(len(each.seen) > 0 and len(each.card) > 0 and (each.same < len(each.reach)).any() for each in swept) > 3
