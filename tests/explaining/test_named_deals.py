"""Deals by name, where chance moves once, several times, or differently on different ways."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

import regretlab as rl
from regretlab.errors import UserError
from regretlab.explaining.walkthroughs.named_deals import chooser, first_deal, read_deal
from regretlab.games import CHANCE, TERMINAL, load

LEDUC = load("leduc")


SECOND = {"low": ("1", "11"), "high": ("1", "111")}


class TwoRolls:
    """Chance rolls twice, with player 0 in between, who may end the game; the second roll depends on its choice."""

    name = "two-rolls"

    def root(self) -> tuple[str, ...]:
        return ()

    def player(self, state: tuple[str, ...]) -> int:
        if len(state) == 2 and state[1] == "stop":
            return TERMINAL
        return (CHANCE, 0, CHANCE, TERMINAL)[len(state)]

    def actions(self, state: tuple[str, ...]) -> Sequence[str]:
        return ("1", "11") if not state else ("low", "high", "stop") if len(state) == 1 else SECOND[state[1]]

    def chance(self, state: tuple[str, ...]) -> Sequence[Fraction]:
        return [Fraction(1, 2)] * 2

    def child(self, state: tuple[str, ...], action: int) -> tuple[str, ...]:
        return (*state, self.actions(state)[action])

    def label(self, state: tuple[str, ...]) -> str:
        return f"rolled {state[0]}"

    def payoff(self, state: tuple[str, ...]) -> int:
        return sum(map(len, state))


def test_every_deal_of_kuhn_and_of_leduc_is_read() -> None:
    assert [read_deal(load("kuhn"), name).outcomes for name in ("JQ", "KJ")] == [("JQ",), ("KJ",)]
    assert read_deal(load("kuhn(cards=13)"), "12-7").outcomes == ("12-7",)
    deck = [rank + suit for rank in "JQK" for suit in "sh"]
    for cards in permutations(deck, 3):
        assert read_deal(LEDUC, "".join(cards)).outcomes == read_deal(LEDUC, "-".join(cards)).outcomes == cards
    assert read_deal(load("leduc(merge_suits=yes)"), "JJK").outcomes == ("J", "J", "K")


@pytest.mark.parametrize("text", ["JsQh", "JsQhKsKh", "JsJsKh", "XsQhKs", "", "JQK"])
def test_what_is_no_deal_of_leduc_is_refused(text: str) -> None:
    with pytest.raises(
        UserError, match="is no deal of leduc; name what chance does one after the other, such as Js-Jh-Qs"
    ):
        read_deal(LEDUC, text)


def test_a_text_with_two_meanings_is_refused() -> None:
    assert read_deal(TwoRolls(), "1-1").outcomes == ("1", "1")
    with pytest.raises(UserError, match="'111' can be read in several ways; name what chance does one after the other"):
        read_deal(TwoRolls(), "111")


def test_the_first_deal_takes_the_first_outcomes() -> None:
    assert first_deal(LEDUC).text == "Js-Jh-Qs"
    assert first_deal(load("kuhn")).text == "JQ"


def test_chance_does_what_the_deal_says_wherever_it_moves() -> None:
    choose = chooser(LEDUC, [read_deal(LEDUC, "KsJhQs")])
    assert choose(1, ()) == 4
    assert choose(7, ("Ks",)) == 1
    left = ["Js", "Qs", "Qh", "Kh"]
    assert choose(1, ("Ks", "Jh", "check", "check")) == choose(1, ("Ks", "Jh", "bet", "call")) == left.index("Qs")


def test_a_deal_that_is_impossible_on_one_way_is_told() -> None:
    told: Any = rl.walkthrough(TwoRolls(), "cfr", deals="1-1")
    assert len(told.lesson.runs[0].updates) == 1
    with pytest.raises(UserError, match="'11-11' of two-rolls does not say which of 1, 111 comes after '11 high'"):
        rl.walkthrough(TwoRolls(), "cfr", deals="11-11")
