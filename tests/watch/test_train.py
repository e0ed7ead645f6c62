"""Playing a spot against its solution: losses by dense matrices, an account that adds up, tables from their records."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from endgames.dense_judge import DenseJudge, _acted, _Place, read_policy

from regretlab.endgames import Deal, Decision, Spot, holdem
from regretlab.endgames.cards import hand_name
from regretlab.errors import UserError
from regretlab.solving import Solution, solve
from regretlab.watch.spots.train import PARTS, Judged, SpotTable, Training

RIVER = holdem(
    board="Td9d6hQc2s", pot=100, stack=200, oop="QQ,AQs,JTs,87s:0.5,A5s", ip="KK,AQs,T9s,A5s,KJo:0.25", bets="50%, a",
    raises="a", rake="5%", rake_cap=4,
)  # fmt: skip
TURN = holdem(board="Qs7h2d8c", pot=100, stack=90, oop="AA,KQs,T9s", ip="QQ,AJs,99", bets="50%", raises="a")


@pytest.fixture(scope="module")
def river() -> Solution:
    """Solved badly, so that there is something to win against it."""
    return solve(RIVER, "dcfr", iterations=5)


@pytest.fixture(scope="module")
def turn() -> Solution:
    return solve(TURN, "dcfr", iterations=10)


def decisions(node, line=()):
    """All decisions without cards."""
    if isinstance(node, Decision):
        yield line
        for action, after in zip(node.actions, node.after, strict=True):
            yield from decisions(after, (*line, action))


def dense_worth(spot: Spot, strategy, line: tuple[str, ...]):
    """What each action of each hand is worth at a decision, played best afterwards: in chips from there on."""
    court, node = DenseJudge(spot, read_policy(strategy)), spot.betting
    player = spot.node(line).player
    place, reach = _Place((), spot.board, 0, (0, 0), court.pairs), np.ones(len(spot.cards(1 - player)))
    for word in line:
        a = node.actions.index(word)
        if node.player != player:
            reach = reach * court.played(node, place)[:, a]
        place, node = _acted(place, node.player, word), node.after[a]
    after = [
        court._worth(node.after[a], _acted(place, player, word), player, reach, True)
        for a, word in enumerate(node.actions)
    ]
    mass = (court.pairs if player == 0 else court.pairs.T) @ reach
    with np.errstate(invalid="ignore"):
        return np.array(after).T / mass[:, None] + spot.pot / 2 + place.bets[player]


@pytest.mark.parametrize("line", list(decisions(RIVER.betting)), ids=", ".join)
def test_losses_are_those_of_dense_matrices(river: Solution, line: tuple[str, ...]) -> None:
    table = SpotTable(Judged(river.reading), 0.5, "oop", 1)
    player, worth = RIVER.node(line).player, dense_worth(RIVER, river.strategy, line)
    for hand, row in zip(RIVER.hands(player), worth, strict=True):
        if np.isfinite(row).all():
            for choice, value in enumerate(row):
                move = table.judge(line, hand, choice)
                assert [option.worth for option in move.options] == pytest.approx(row, abs=1e-9)
                assert move.loss == pytest.approx(row.max() - value, abs=1e-9)
                assert [option.chance for option in move.options] == pytest.approx(
                    list(river.strategy[f"{hand} {', '.join(line)}".strip()].values())
                )


def play(table: SpotTable, hands: int, seed: int = 0) -> None:
    """Anything."""
    random = np.random.default_rng(seed)
    while len(table.account.results) < hands:
        if table.over:
            table.deal()
        else:
            table.act(int(random.integers(len(table.judged.at(table.hand.line).actions))))


@pytest.mark.parametrize(("name", "seats"), [("river", "alternate"), ("turn", "oop"), ("turn", "ip")])
def test_the_account_adds_up_hand_by_hand(name: str, seats: str, request) -> None:
    table = SpotTable(Judged(request.getfixturevalue(name).reading), 0.5, seats, 3)
    for hands in range(1, 40):
        play(table, hands)
        shown = table.view(10)["hand"]
        parts = math.fsum(shown["luck_parts"].values())
        assert shown["result"] == pytest.approx(shown["expected"] - shown["loss"] + parts, abs=1e-9)
        assert shown["luck"] == pytest.approx(parts, abs=1e-9)
        assert all(move["loss"] >= 0 for move in shown["decisions"])
        if not hands % 3:
            table.deal()
            assert "other" not in table.view(10)["hand"] or table.over
    account = table.view(10)["account"]
    total = account["expected"] + account["lost"] + math.fsum(account["luck_parts"].values())
    assert account["result"] == pytest.approx(total, abs=1e-9)
    used = {part for part, luck in account["luck_parts"].items() if luck}
    assert used == set(PARTS) if name == "turn" else used == set(PARTS) - {"cards"}


def test_results_are_what_dense_matrices_count(river: Solution) -> None:
    """Chips from the names of actions, hands ranked by counting, rake by its definition."""
    table, court = SpotTable(Judged(river.reading), 0.5, "alternate", 2), DenseJudge(RIVER, read_policy(river.strategy))
    signs, seen = court.signs(RIVER.board), set()
    for hands in range(1, 60):
        play(table, hands, seed=hands)
        hand, place = table.hand, _Place((), RIVER.board, 0, (0, 0), court.pairs)
        for k, word in enumerate(hand.line):
            place = _acted(place, k % 2, word)
        zero, one = (list(RIVER.cards(player)).index(hand.cards[player]) for player in (0, 1))
        folded = hand.line[-1] == "fold"
        ahead = np.sign(place.bets[0] - place.bets[1]) if folded else signs[zero, one]
        share = (1 + ahead * (1 - 2 * hand.seat)) / 2
        pot = 100 + 2 * min(place.bets)
        expected = share * (pot - min(0.05 * pot, 4)) - min(place.bets)
        assert table.account.results[-1] == pytest.approx(expected)
        seen.add((folded, share))
    assert len(seen) >= 4


def test_pairs_of_hands_come_as_the_ranges_weigh_them() -> None:
    """Of five pairs that share no card each is as probable; by the law of large numbers, five standard errors wide."""
    spot = holdem(board="Td9d6h2c2s", pot=10, stack=10, oop="AsAh,KsKh", ip="AsAd,AcAd,KdKc", bets="a", raises="")
    judged, count = Judged(solve(spot, "dcfr", iterations=3).reading), 1500
    deals = Counter(SpotTable(judged, 0.5, "oop", seed).hand.cards for seed in range(count))
    assert len(deals) == 5
    for times in deals.values():
        assert abs(times / count - 0.2) < 5 * math.sqrt(0.16 / count)


def test_each_kind_of_luck_is_nothing_on_average(river: Solution) -> None:
    """Whatever one does; by the law of large numbers, five standard errors wide."""
    table = SpotTable(Judged(river.reading), 0.5, "alternate", 11)
    rows = []
    for hands in range(1, 400):
        play(table, hands, seed=hands)
        rows.append(list(table.hand.luck.values()))
    lucks = np.array(rows)
    for part, column in zip(PARTS, lucks.T, strict=True):
        if part != "cards":
            assert abs(column.mean()) < 5 * column.std() / math.sqrt(len(column)), part
            assert column.std() > 0


def test_luck_after_an_answer_is_what_the_other_hands_say(river: Solution) -> None:
    """What a call is worth before hands are shown, by all pairs of hands."""
    line, hand = ("bet 50",), "AsQs"
    judged, court = Judged(river.reading), DenseJudge(RIVER, read_policy(river.strategy))
    mine = list(RIVER.hands(0)).index(hand)
    calls = np.array([river.strategy[f"{other} bet 50"]["call"] for other in RIVER.hands(1)])
    weights = court.pairs[mine] * calls
    sign = court.signs(RIVER.board)[mine]
    won = np.where(sign > 0, 200 - 4, np.where(sign < 0, 0, (200 - 4) / 2)) - 50
    assert judged.answered(line, "call", 0, hand) == pytest.approx(float(weights @ won / weights.sum()))


def test_a_table_is_had_again_from_its_seed_and_record(turn: Solution) -> None:
    first = Training(turn.reading, 0.5)
    order = {"seats": "alternate", "seed": 7, "record": ""}
    for k in range(30):
        shown = first.shown(order)
        order["record"] = shown["record"] + ("." if shown["hand"]["over"] else str(k % len(shown["hand"]["actions"])))
    shown = first.shown(order)
    assert shown["account"]["hands"] > 5
    assert Training(turn.reading, 0.5).shown(order) == shown
    assert first.shown(order | {"record": ""})["hand"]["number"] == 1  # a shorter record goes back
    assert json.loads(json.dumps(shown, allow_nan=False))["said"] == ""


def test_a_record_that_does_not_fit_is_said(river: Solution) -> None:
    training = Training(river.reading, 0.5)
    for record in ("....", "z", "?", "0000000.0."):
        assert "the account ends at hand" in training.shown({"seats": "oop", "seed": 1, "record": record})["said"]


@pytest.mark.parametrize(
    ("order", "said"),
    [({"seats": "btn"}, "unknown seats 'btn'"), ({"seed": "x"}, "seed=x"), ({"big_blind": "-1"}, "big_blind=-1")],
)
def test_bad_orders(river: Solution, order, said: str) -> None:
    with pytest.raises(UserError, match=said):
        Training(river.reading, 0.5).shown(order)


def test_units(river: Solution) -> None:
    table = SpotTable(Judged(river.reading), 0.5, "oop", 5)
    play(table, 12)
    account = table.view(4.0)["account"]
    mean = -account["lost"] / 12
    assert account["of_pot"]["mean"] == pytest.approx(mean / 100)
    assert account["per_100"]["mean"] == pytest.approx(100 * mean / 4)
    assert [move["loss"] for move in table.view(4.0)["mistakes"]] == sorted(
        (move.loss for _, move in table.mistakes), reverse=True
    )
    assert table.mistakes
    for _, move in table.mistakes:
        (chance,) = [option.chance for option in move.options if option.action == move.action]
        assert (move.loss > 0.5, chance < 0.1) == (True, True)


def test_no_lock_binds_the_person() -> None:
    """Against a locked river the best answer of either player is free, and the other's lock holds."""
    locked = RIVER.locked_at({"check, bet 50, raise 200": "fold", "bet 50": {"fold": Fraction(1)}})
    solution = solve(locked, "dcfr", iterations=5)
    free = dense_worth(replace(locked, lock=()), solution.strategy, ("check",))
    node = solution.reading.best_at("check")
    for hand, row in zip(locked.hands(1), free, strict=True):
        assert node.action_evs[node.cards.tolist().index(hand)] == pytest.approx(row)
    assert solution.at("bet 50").frequencies["fold"] == pytest.approx(1)


def test_all_in_before_the_river(turn: Solution) -> None:
    """Cards that come when all chips are in belong to the showdown."""
    table = SpotTable(Judged(turn.reading), 0.5, "oop", 0)
    for _ in range(200):
        if table.over:
            if table.hand.runout:
                break
            table.deal()
        else:
            table.act(len(table.judged.at(table.hand.line).actions) - 1)
    shown = table.view(1)["hand"]
    assert len(shown["board"]) == 10
    assert isinstance(TURN.node(table.hand.line), Deal)
    assert hand_name(table.hand.cards[1]) == shown["other"]
