"""A hand's decision in words: what is said is what was reckoned, and no more than that."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from regretlab.documents import numbers
from regretlab.documents.terminal import as_text
from regretlab.endgames import holdem
from regretlab.endgames.hand_decision import Answer, HandDecision, Option, why
from regretlab.explaining.hands import hand_document
from regretlab.solving import solve

SPOT = holdem(board="QsJh2h8d3c", oop="QQ+,AKs", ip="JJ-99,AQs", pot=100, stack=250, bets="50%,a", raises="a")


@pytest.fixture(scope="module")
def decision() -> HandDecision:
    return why(solve(SPOT, "dcfr", iterations=100).reading, (), "KcKd")


def said(found: HandDecision) -> str:
    return " ".join(as_text(hand_document(found)).split())


def option(action: str, probability: float, ev: float | None, answers: tuple[Answer, ...] = ()) -> Option:
    return Option(action, probability, ev, 0, answers)


def test_every_action_and_every_answer_is_there(decision: HandDecision) -> None:
    text = said(decision)
    for each in decision.options:
        assert f"{each.action} " in text
        for answer in each.answers:
            assert answer.action in text
    sums = [each for each in decision.options if each.answers]
    assert text.count("is a sum over what ip answers") == text.count("EV(") == len(sums) >= 2
    assert "Its two cards take away" not in text  # no king is in the other range


def test_where_hands_are_shown_the_sum_is_over_who_is_ahead_and_blocked_hands_are_named() -> None:
    found = why(solve(SPOT, "dcfr", iterations=100).reading, ("bet 50",), "AhQh")
    shown = next(each.shown for each in found.options if each.action == "call")
    text = said(found)
    assert shown
    assert f"it is ahead of {numbers.percent(shown.ahead)}, " in text
    assert "EV(call) ≈" in text
    assert f"take away {numbers.percent(sum(each.share for each in found.blocked))} of what oop" in text
    for blocked in found.blocked:
        assert f"{blocked.field} {numbers.percent(blocked.gone)} {numbers.percent(blocked.share)}" in text


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([option("check", 0.4, 10.0), option("bet 50", 0.6, 10.25)], "earn the same but for 0.250 chips"),
        ([option("check", 0.4, 10.0), option("bet 50", 0.6, 14.0)], "differ by 4.00 chips: more iterations"),
        ([option("check", 0.0, 10.0), option("bet 50", 1.0, 14.0)], "earns 4.00 chips more than check, the next best"),
        ([option("check", 0.0, None), option("bet 50", 1.0, None)], "never gets here with a hand that goes with"),
    ],
)
def test_the_verdict_is_what_the_numbers_say(decision: HandDecision, options: list[Option], sentence: str) -> None:
    assert sentence in said(replace(decision, options=tuple(options)))


def test_a_locked_hand_is_told_what_that_costs_and_what_nobody_does_has_no_average() -> None:
    held = SPOT.locked_at({"bet 50": "AhQh: fold 0.5, call 0.5", "root": "bet 50"})
    found = why(solve(held, "dcfr", iterations=100).reading, ("bet 50",), "AhQh")
    best = max(each.ev for each in found.options if each.ev is not None)
    cost = best - sum(each.probability * each.ev for each in found.options if each.ev is not None)
    assert found.locked
    assert f"It is locked to fold (50.00 %) and call (50.00 %). That costs it {numbers.loss(cost)} chips" in said(found)
    never = replace(found.options[-1], answers=(Answer("fold", 0.5, math.nan, 0.0, 10.0),))
    assert "nan" not in said(replace(found, options=(never,)))


@pytest.mark.parametrize(("folds", "told"), [(0.3, True), (0.11, False)])
def test_blocking_is_told_where_it_differs(decision: HandDecision, folds: float, told: bool) -> None:
    answers = (Answer("fold", 0.5, 0.5, folds, 100.0), Answer("call", 0.5, 0.5, 0.1, 20.0))
    text = said(replace(decision, options=(option("bet 50", 1.0, 60.0, answers),)))
    assert ("it is less likely to meet a fold" in text) == told
    assert math.isclose(0.5 * 100 + 0.5 * 20, 60)
    assert "60" in text
