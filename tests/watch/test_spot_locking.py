"""Locks from sliders: what comes out is the spot's own grammar, and means what was asked for."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from regretlab.endgames import holdem, kinds_of
from regretlab.errors import UserError
from regretlab.watch.spots.compared import compared
from regretlab.watch.spots.described import described
from regretlab.watch.spots.locking import locked
from regretlab.watch.spots.spot_run import SpotRun

RIVER = {
    "board": "Td9d6hQc2s", "pot": "100", "stack": "200", "oop": "QQ,AQs,JTs,87s:0.5,A5s",
    "ip": "KK,AQs,T9s,A5s,KJo:0.25", "bets": "50%, a", "raises": "a",
}  # fmt: skip
TURN = {"board": "Qs7h2d8c", "pot": "100", "stack": "60", "oop": "AA,KQs,T9s", "ip": "QQ,AJs,99", "bets": "50%"}


def held(fields: dict[str, Any], line: str) -> dict[str, tuple[Fraction, ...] | None]:
    """What each hand of the owner is held to at a line, as the spot itself reads its locks."""
    spot = holdem(**fields)
    lock = spot.lock_at(tuple(filter(None, line.split(", "))))
    assert lock
    return dict(zip(spot.hands(lock.player), lock.probabilities, strict=True))


def lock(fields: dict[str, Any], **order: Any) -> dict[str, Any]:
    """The spot with one lock more."""
    return fields | {"lock": locked({"fields": fields, **order})["lock"]}


def row(*percents: float) -> tuple[Fraction, ...]:
    return tuple(Fraction(str(each)) / 100 for each in percents)


def test_all_hands_then_some_and_the_later_word_counts() -> None:
    fields = lock(RIVER, line=["check"], frequencies=[30, 70, 0])
    assert fields["lock"] == {"check": "check 0.3, bet 50 0.7"}
    fields = lock(fields, line="check", frequencies=[100, 0, 0], hands="KK,AsQs")
    assert fields["lock"] == {"check": "KK,AsQs: check; *: check 0.3, bet 50 0.7"}
    found = held(fields, "check")
    for hand, probabilities in found.items():
        assert probabilities == (row(100, 0, 0) if hand[0] + hand[2] == "KK" or hand == "AsQs" else row(30, 70, 0))
    assert lock(fields, line=["check"], frequencies=[0, 0, 100])["lock"] == {"check": "bet 200"}


def test_hands_that_nothing_was_said_of_stay_free() -> None:
    fields = lock(RIVER, line=[], frequencies=[12.5, 87.5, 0], hands="QQ")
    assert fields["lock"] == {"root": "QQ: check 0.125, bet 50 0.875"}
    assert {hand for hand, probabilities in held(fields, "").items() if probabilities} == {"QsQh", "QsQd", "QhQd"}


def test_a_filter_locks_the_hands_that_it_keeps() -> None:
    fields = lock(RIVER, line=["check"], frequencies=[0, 0, 100], kinds=["overpair"], suits="s")
    spot = holdem(**RIVER)
    meant = {
        name
        for hand, name in zip(spot.cards(1), spot.hands(1), strict=True)
        if "s" in name and "overpair" in kinds_of(hand, spot.board)
    }
    assert meant == {"KsKh", "KsKd", "KsKc"}
    assert {hand for hand, probabilities in held(fields, "check").items() if probabilities} == meant


def test_a_lock_holds_on_one_card_or_on_all() -> None:
    line = ["check", "check", "9h"]
    one = lock(TURN, line=line, frequencies=[100, 0])
    everywhere = lock(TURN, line=line, frequencies=[100, 0], anywhere=True)
    assert one["lock"] == {"check, check, 9h": "check"}
    assert everywhere["lock"] == {"check, check": "check"}
    assert holdem(**one).lock_at(("check", "check", "2c")) is None
    assert holdem(**everywhere).lock_at(("check", "check", "2c"))


def test_locks_are_listed_with_whose_they_are_and_what_they_come_to() -> None:
    fields = lock(RIVER, line=["check"], frequencies=[40, 60, 0], hands="KK")
    (said,) = described(fields)["locks"]
    spot = holdem(**fields)
    assert (said["player"], said["line"], said["hands"]) == (1, ["check"], [6, len(spot.hands(1))])
    assert said["actions"] == [
        {"name": "check", "frequency": 0.4}, {"name": "bet 50", "frequency": 0.6}, {"name": "bet 200", "frequency": 0},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ({"line": ["chek"]}, "did you mean 'check'"),
        ({"line": ["check", "check"]}, "nobody acts after 'check, check'"),
        ({"line": 7}, "line=7 is no list of texts"),
        ({"frequencies": [100]}, "frequencies must be 3 numbers in percent, for check, bet 50, bet 200"),
        ({"frequencies": [30, 30, 30]}, "the frequencies sum to 90 percent, not 100"),
        ({"frequencies": [130, -30, 0]}, "a frequency of 130 is not between 0 and 100"),
        ({"frequencies": ["all", 0, 0]}, "a frequency of all is not between"),
        ({"hands": "22"}, "hands=22 has no hand that ip can hold here"),
        ({"hands": "AhKx"}, "hands"),
        ({"kinds": ["top pear"]}, "top pair"),
        ({"fields": "river"}, "fields must be an object"),
    ],
)
def test_what_makes_no_lock_is_refused_in_one_line(order: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError, match=said) as problem:
        locked({"fields": RIVER, "line": ["check"], "frequencies": [100, 0, 0]} | order)
    assert "\n" not in str(problem.value)


# -- two solves beside each other


def run(fields: dict[str, Any]) -> SpotRun:
    found = SpotRun(holdem(**fields), "dcfr", until=1e-9)
    found.solver.advance(60)
    return found


def test_changes_are_differences_of_what_both_say_and_the_locked_player_pays() -> None:
    before = run(RIVER).node(())
    after = run(lock(RIVER, line=[], frequencies=[0, 0, 100])).node(())
    found = compared(before, after)
    assert found["change"]["frequencies"][2] == pytest.approx(1 - before["actions"][2]["frequency"])
    assert found["after"]["frequencies"] == [0, 0, 1]
    assert found["change"]["evs"] == pytest.approx([after["evs"][p] - before["evs"][p] for p in (0, 1)], abs=2e-6)
    assert found["change"]["evs"][0] < -1  # an all-in with everything is a mistake
    for player in (0, 1):
        for k, field in enumerate(found["changes"][player]):
            one, other = (place["sides"][player]["grid"][k] for place in (before, after))
            assert (field is None) == (one is None)
            if field and field["ev"] is not None:
                assert field["ev"] == pytest.approx(other["ev"] - one["ev"], abs=2e-6)
                assert player == 1 or field["mix"] == pytest.approx(
                    [new - old for old, new in zip(one["mix"], other["mix"], strict=True)], abs=2e-6
                )


def test_places_that_can_not_be_compared_are_named() -> None:
    before, other = run(RIVER), run(RIVER | {"bets": "50%"})
    with pytest.raises(UserError, match="offer different actions: check, bet 50, bet 200, and check, bet 50"):
        compared(before.node(()), other.node(()))
    with pytest.raises(UserError, match="nobody acts after check, check"):
        compared(before.node(("check", "check")), before.node(("check", "check")))
