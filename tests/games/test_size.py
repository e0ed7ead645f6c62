"""How large a game is, counted and estimated, and what becomes of games that are too large."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from random_games import RandomGame, random_games

from regretlab.errors import UserError
from regretlab.games import TERMINAL, Goofspiel, LiarsDice, Size, check_game, load, size
from regretlab.games.size import LARGE, MOST_HISTORIES, most_histories, size_of
from regretlab.games.walk import walk

MERGED = [f"leduc(ranks={ranks}, suits={suits}, merge_suits=true)" for ranks, suits in ((3, 2), (2, 3), (3, 4), (4, 1))]
COUNTED = [
    *("kuhn", "kuhn(cards=7)", "leduc", "leduc(ranks=4, suits=1, cap=3)", "leduc(suits=3, cap=1)", *MERGED),
    *("liars_dice(sides=3)", "liars_dice(dice=2, sides=2)", "goofspiel", "goofspiel(cards=2)", "goofspiel(turns=3)"),
    *("goofspiel(turns=2)", "goofspiel(prizes=ascending)", "goofspiel(prizes=descending, bids=hidden)"),
]


@pytest.mark.parametrize("name", COUNTED)
def test_what_games_say_about_their_size_is_what_a_walk_counts(name: str) -> None:
    check_game(name)


def test_goofspiel_of_five_cards_without_walking_it() -> None:
    assert size_of(Goofspiel(5)) == Size(3_346_656, 913_010)
    assert size_of(Goofspiel(5)).histories > LARGE


@given(random_games())
def test_an_estimate_is_near_and_its_lower_bound_holds(game: RandomGame) -> None:
    histories = sum(1 for _ in walk(game))
    found = size_of(game)
    assert found.least.histories <= histories
    assert histories / 3 <= found.histories <= 3 * histories


class Uneven:
    """A caterpillar: one action ends the game, the other goes on; and a thick end that few plays see."""

    name = "uneven"

    def root(self) -> tuple[int, ...]:
        return ()

    def player(self, state: tuple[int, ...]) -> int:
        return TERMINAL if len(state) == 20 or (len(state) < 8 and state[-1:] == (0,)) else 0

    def actions(self, state: tuple[int, ...]) -> list[str]:
        return ["a", "b"]

    def child(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)


def test_a_thick_end_that_few_plays_see_is_part_of_the_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(size, "SMALL", 0)
    monkeypatch.setattr(size, "SECONDS", 60)
    game: Any = Uneven()
    truth = 2 * 7 + sum(2**k for k in range(1, 14)) + 1  # seven ends on the way, then a full tree of 13 levels
    assert 0.5 * truth < size_of(game).histories < 2 * truth


class OneWay:
    """Nothing to choose and no end: a play must not go on for ever."""

    name = "one way"

    def root(self) -> int:
        return 0

    def player(self, state: int) -> int:
        return 0

    def actions(self, state: int) -> list[str]:
        return ["on"]

    def child(self, state: int, action: int) -> int:
        return state + 1


def test_a_play_without_end_is_left_and_counts_as_far_as_it_went() -> None:
    game: Any = OneWay()
    assert size_of(game).histories > 10


def test_a_wide_play_without_end_is_left_when_it_has_seen_enough() -> None:
    game: Any = OneWay()
    game.actions = lambda _: ["left", "right", "middle"]
    assert size.ENOUGH < size_of(game).histories < 10 * size.ENOUGH


def test_what_will_not_fit_is_refused_with_what_would(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(size, "free_memory", lambda: 10**9)
    with pytest.raises(UserError) as caught:
        most_histories(Goofspiel(13), size_of(Goofspiel(13)))
    assert str(caught.value) == (
        "goofspiel(cards=13) is too large: about 4.7e29 histories, about 1.3e29 information sets, about 7.9e22 GB; "
        "about 1,000 MB are free on this machine; cards=5 would fit"
    )
    monkeypatch.setattr(size, "free_memory", lambda: 10**8)
    with pytest.raises(UserError, match="free on this machine; dice=1 or sides=3 would fit"):
        most_histories(LiarsDice(2, 4), size_of(LiarsDice(2, 4)))
    with pytest.raises(UserError, match="free on this machine; cards=4 or turns=2 would fit"):
        most_histories(Goofspiel(6, turns=4), size_of(Goofspiel(6, turns=4)))


def test_an_estimate_refuses_only_beyond_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("rps")
    wide = Size(10**8, estimates=(10**8,) * 30)
    monkeypatch.setattr(size, "free_memory", lambda: wide.nbytes // 5)
    assert most_histories(game, wide) == wide.nbytes // 5 // size.BYTES_A_HISTORY
    monkeypatch.setattr(size, "free_memory", lambda: wide.nbytes // 20)
    with pytest.raises(UserError, match="about 100,000,000 histories, about 16 GB; about 812 MB are free"):
        most_histories(game, wide)


def test_a_walk_has_room_for_what_is_expected_and_no_more_than_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("rps")
    monkeypatch.setattr(size, "free_memory", lambda: None)
    assert most_histories(game, Size(13)) == MOST_HISTORIES
    assert most_histories(game, Size(10**8)) == 10**9
    monkeypatch.setattr(size, "free_memory", lambda: 10**8)
    assert most_histories(game, Size(13)) == 10**6


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (Size(1_234_567, 89), "1,234,567 histories, 89 information sets, about 123 MB"),
        (Size(size.ENOUGH, estimates=(1, size.ENOUGH)), "more than 1e100 histories, "),
        (Size(7 * 10**9), "about 7e9 histories, about 1,100 GB"),
        (
            Size(20, estimates=(10, 20, 20, 30)),
            "about 20 histories (by random plays: half of the estimates say 20 to 30), ",
        ),
    ],
)
def test_sizes_in_words(found: Size, words: str) -> None:
    assert str(found).startswith(words)
