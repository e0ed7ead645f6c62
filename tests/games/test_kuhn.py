"""Kuhn poker's rules, against the table that people know."""

from fractions import Fraction

import pytest

from regretlab.errors import UserError
from regretlab.games import TERMINAL, Kuhn, check_game, load
from regretlab.games.walk import walk


def play(game: Kuhn, *names: str) -> object:
    """The state after the named deal and actions."""
    state = game.root()
    for name in names:
        state = game.child(state, list(game.actions(state)).index(name))
    return state


def test_there_are_55_histories_30_of_them_terminal_and_12_information_sets() -> None:
    visits = list(walk(Kuhn()))
    assert len(visits) == 55
    assert sum(visit.player == TERMINAL for visit in visits) == 30
    assert len({visit.infoset.label for visit in visits if visit.infoset}) == 12


@pytest.mark.parametrize(
    ("moves", "jack_against_queen", "king_against_queen"),
    [
        (("check", "check"), -2, 2),
        (("bet", "fold"), 2, 2),
        (("bet", "call"), -5, 5),
        (("check", "bet", "fold"), -2, -2),
        (("check", "bet", "call"), -5, 5),
    ],
)
def test_payoffs(moves: tuple[str, ...], jack_against_queen: int, king_against_queen: int) -> None:
    game = Kuhn(ante=2, bet=3)
    for deal, payoff in (("JQ", jack_against_queen), ("KQ", king_against_queen)):
        state = play(game, deal, *moves)
        assert game.player(state) == TERMINAL
        assert game.payoff(state) == payoff


@pytest.mark.parametrize(
    ("moves", "label", "meaning"),
    [
        ((), "J", "Jack, first to act"),
        (("check",), "Qc", "Queen, after a check"),
        (("bet",), "Qb", "Queen, facing a bet"),
        (("check", "bet"), "Jcb", "Jack, checked, facing a bet"),
    ],
)
def test_labels_are_the_own_card_and_the_moves(moves: tuple[str, ...], label: str, meaning: str) -> None:
    game = Kuhn()
    assert game.label(play(game, "JQ", *moves)) == label
    assert game.meaning(label) == meaning


def test_numbered_cards_are_dealt_with_a_dash() -> None:
    game = Kuhn(cards=13)
    state = play(game, "12-7", "check", "bet")
    assert game.label(state) == "12cb"
    assert game.meaning("12cb") == "card 12, checked, facing a bet"
    assert game.payoff(play(game, "12-7", "check", "check")) == 1


@pytest.mark.parametrize("cards", [3, 4, 7])
def test_it_keeps_the_protocol(cards: int) -> None:
    check_game(Kuhn(ante=Fraction(1, 3), bet="0.1", cards=cards))


def test_parameters_are_exact_and_the_name_says_what_is_not_the_default() -> None:
    game = load("kuhn(ante=1/3, bet=0.1)")
    assert game == Kuhn(Fraction(1, 3), Fraction(1, 10)) == Kuhn(ante="1/3", bet=0.1)
    assert game.name == "kuhn(ante=1/3, bet=1/10)"
    assert load(game.name) == game
    assert load("kuhn").name == "kuhn"


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("kuhn(ante=-1)", "ante=-1 must be above 0"),
        ("kuhn(bet=0)", "bet=0 must be above 0"),
        ("kuhn(bet=nan)", "bet=nan is not a finite number"),
        ("kuhn(cards=2)", "cards=2 must be a whole number, at least 3 and at most 100,000"),
        ("kuhn(cards=100001)", "cards=100001 must be"),
        ("kuhn(anti=1)", "did you mean 'ante'"),
        ("khun", "did you mean 'kuhn'"),
    ],
)
def test_bad_parameters_are_named(name: str, complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        load(name)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)
