"""A hand's decision taken apart: sums are what the reader says, and what they are made of is reckoned again here."""

from __future__ import annotations

from functools import cache

import pytest

from regretlab.endgames import Reading, holdem, strengths
from regretlab.endgames.cards import hand_of, read_cards
from regretlab.endgames.hand_decision import HandDecision, why
from regretlab.errors import UserError
from regretlab.solving import solve

NEAR = 1e-9
SPOT = {"oop": "QQ+,AKs,T9s:0.5", "ip": "JJ-99,AQs,KQs", "pot": 100, "stack": 250, "bets": "50%,a", "raises": "a"}


@cache
def solved(board: str, rake: str = "0%") -> Reading:
    return solve(holdem(board=board, **SPOT, rake=rake), "dcfr", iterations=60).reading


def decisions(reading: Reading, *lines: tuple[str, ...]) -> list[HandDecision]:
    return [why(reading, line, hand) for line in lines for hand in reading.at(*line).cards.tolist()]


LINES = [(), ("check",), ("check", "bet 50"), ("bet 50",)]


@pytest.mark.parametrize(("board", "rake"), [("QsJh2h8d3c", "0%"), ("QsJh2h8d3c", "5%"), ("QsJh2h8d", "0%")])
def test_an_action_earns_the_sum_over_its_answers_less_its_cost(board: str, rake: str) -> None:
    for decision in decisions(solved(board, rake), *LINES):
        node, place = decision.node, decision.node.cards.tolist().index(decision.hand)
        for a, option in enumerate(decision.options):
            if option.ev is None:
                continue
            assert option.ev == pytest.approx(node.action_evs[place, a], abs=NEAR)
            if option.answers:
                assert sum(each.probability for each in option.answers) == pytest.approx(1, abs=NEAR)
                total = sum(each.probability * each.ev for each in option.answers if each.ev is not None)
                assert option.ev == pytest.approx(total - option.cost, abs=1e-7)


@pytest.mark.parametrize("rake", ["0%", "5%"])
def test_what_is_left_of_the_sum_is_what_is_won_where_hands_are_shown(rake: str) -> None:
    """On a river a call is answered by strengths alone: who wins gets the pot, less rake."""
    reading = solved("QsJh2h8d3c", rake)
    spot, line = reading.spot, ("check", "bet 50")
    weights = dict(zip(spot.hands(0), spot.hand_weights(0), strict=True))
    rated = float(spot.rake.of(spot.pot + 2 * 50))
    for decision in decisions(reading, ("check",)):
        option = next(each for each in decision.options if each.action == "bet 50")
        answer = next((each for each in option.answers if each.action == "call"), None)
        if answer is None or answer.ev is None or answer.probability < 1e-6:
            continue
        after = reading.at(*line)
        won = mass = 0.0
        mine = hand_of(*read_cards(decision.hand))
        for k, name in enumerate(after.cards.tolist()):
            theirs = hand_of(*read_cards(name))
            if set(mine) & set(theirs):
                continue
            calls = weights[name] * after.sides[0].reach[k] * after.strategy[k, after.actions.index("call")]
            one, other = strengths(spot.board, [mine, theirs]).tolist()
            mass += calls
            won += calls * (0.5 * (one == other) + (one > other)) * (spot.pot + 2 * 50 - rated)
        assert answer.ev == pytest.approx(won / mass, abs=1e-6)


@pytest.mark.parametrize("rake", ["0%", "5%"])
def test_showing_hands_is_worth_what_the_reader_says(rake: str) -> None:
    """Who is ahead is found with strengths alone, what the reader says by solving."""
    found = 0
    for decision in decisions(solved("QsJh2h8d3c", rake), *LINES):
        for option in decision.options:
            for each in (option, *option.answers):
                if each.shown is None or each.ev is None or (each is not option and each.probability < 1e-6):
                    continue
                found += 1
                cost = option.cost if each is option else 0
                assert each.shown.ahead + each.shown.level + each.shown.behind == pytest.approx(1, abs=NEAR)
                assert each.ev == pytest.approx(each.shown.ev - cost, abs=1e-6)
            for answer in option.answers:
                if answer.kinds:
                    assert sum(share for _, share in answer.kinds) == pytest.approx(1, abs=NEAR)
    assert found > 50


def test_which_hands_are_blocked_is_counted_hand_by_hand() -> None:
    reading = solved("QsJh2h8d3c")
    queens, node = why(reading, (), "QhQd"), reading.at()
    masses = dict(zip(node.sides[1].cards.tolist(), reading.spot.hand_weights(1) * node.sides[1].reach, strict=True))
    gone = {name: mass for name, mass in masses.items() if "Qh" in name or "Qd" in name}
    for blocked in queens.blocked:
        field = [name for name in masses if {name[0], name[2]} == set(blocked.field[:2])]
        here = sum(masses[name] for name in field)
        away = sum(gone.get(name, 0.0) for name in field)
        assert (blocked.gone, blocked.share) == pytest.approx((away / here, away / sum(masses.values())), abs=NEAR)
    assert {each.field for each in queens.blocked} == {"AQs", "KQs"}
    assert sum(each.share for each in queens.blocked) == pytest.approx(sum(gone.values()) / sum(masses.values()))


def test_cards_that_are_held_take_hands_away() -> None:
    reading = solved("QsJh2h8d3c")
    after = reading.at("bet 50")
    queens = why(reading, (), "QhQd")
    option = next(each for each in queens.options if each.action == "bet 50")
    for answer in option.answers:
        b = after.actions.index(answer.action)
        weights = reading.spot.hand_weights(1)
        masses = weights * after.sides[1].reach * after.strategy[:, b]
        gone = sum(m for m, name in zip(masses, after.cards.tolist(), strict=True) if "Qh" in name or "Qd" in name)
        assert answer.blocked == pytest.approx(gone / masses.sum() if masses.sum() else 0, abs=NEAR)
    assert any(answer.blocked > 0 for answer in option.answers)
    assert any(abs(answer.probability - answer.usual) > 1e-3 for answer in option.answers)


def test_what_is_no_hand_here_is_told() -> None:
    reading = solved("QsJh2h8d3c")
    for hand, word in [("Qs", "two cards"), ("7c7d", "unknown hand here"), ("xx", "no rank")]:
        with pytest.raises(UserError, match=word):
            why(reading, (), hand)
