"""Places of a spot that people look at: what is shown is what ``Solution.at`` says."""

from __future__ import annotations

import csv
import json
import math
from collections import Counter

import numpy as np
import pytest

from regretlab.endgames import holdem, kinds_of, read
from regretlab.endgames.cards import read_cards
from regretlab.errors import UserError
from regretlab.solving import solve
from regretlab.watch.spots.shown import FIELDS
from regretlab.watch.spots.spot_run import SpotRun

RIVER = holdem(
    board="Td9d6hQc2s", pot=100, stack=200, oop="QQ,AQs,JTs,87s:0.5,A5s", ip="KK,AQs,T9s,A5s,KJo:0.25", bets="50%, a"
)  # fmt: skip
TURN = holdem(board="Qs7h2d8c", pot=100, stack=60, oop="AA,KQs,T9s", ip="QQ,AJs,99", bets="50%", raises="")
ITERATIONS = 60


def ran(spot) -> SpotRun:
    run = SpotRun(spot, "dcfr", until=1e-9)
    run.solver.advance(ITERATIONS)
    return run


@pytest.fixture(scope="module")
def river() -> SpotRun:
    return ran(RIVER)


@pytest.fixture(scope="module")
def turn() -> SpotRun:
    return ran(TURN)


@pytest.fixture(scope="module")
def solution():
    return solve(RIVER, "dcfr", iterations=ITERATIONS)


def close(shown, numbers) -> None:
    """Equal to the last digit that is shown; None stands for nan."""
    assert np.shape(shown) == np.shape(numbers)
    shown = np.array([math.nan if number is None else number for number in np.ravel(shown)], dtype=float)
    np.testing.assert_allclose(shown, np.ravel(numbers), atol=6e-7)


@pytest.mark.parametrize("line", [(), ("check",), ("check", "bet 50"), ("bet 50", "raise 200")])
def test_every_number_is_the_engines(river: SpotRun, solution, line: tuple[str, ...]) -> None:
    shown, node = river.node(line), solution.at(*line)
    assert (shown["kind"], shown["line"], shown["board"]) == ("decision", list(line), node.board)
    assert (shown["player"], shown["pot"], shown["iteration"]) == (node.player, node.pot, ITERATIONS)
    assert [action["name"] for action in shown["actions"]] == list(node.actions)
    close([action["frequency"] for action in shown["actions"]], list(node.frequencies.values()))
    close(shown["evs"], node.evs)
    close(shown["evs_of_pot"], np.array(node.evs) / node.pot)
    close(shown["equities"], node.equities)
    close(shown["reach"], node.reach)
    close(shown["strategy"], node.strategy)
    close(shown["action_evs"], node.action_evs)
    for player, (side, real) in enumerate(zip(shown["sides"], node.sides, strict=True)):
        in_range = [float(RIVER.ranges[player].weights[read_cards(name)]) for name in real.cards]
        assert side["hands"] == real.cards.tolist()
        close(side["ev"], real.ev)
        close(side["equity"], real.equity)
        close(side["weight"], real.weights / real.weights.sum())
        close(side["reach"], real.reach * in_range)
        close(side["combos"], (real.reach * in_range).sum())
    assert json.loads(json.dumps(shown, allow_nan=False)) == shown


def test_a_field_is_the_mean_of_its_hands(river: SpotRun, solution) -> None:
    node = solution.at("check")
    field = river.node(("check",))["sides"][1]["grid"][[str(each) for each in FIELDS].index("T9s")]
    places = [k for k, name in enumerate(node.cards) if name[0] == "T"]
    weights = node.weights[places]
    assert field["hands"] == places
    assert len(places) == 3  # Td and 9d lie on the board
    close(field["mix"], weights @ node.strategy[places] / weights.sum())
    close(field["ev"], weights @ node.ev[places] / weights.sum())
    close(field["equity"], weights @ node.equity[places] / weights.sum())
    assert (field["combos"], field["left"]) == (3, 1)


def test_a_field_is_as_high_as_what_is_left_of_its_combinations(river: SpotRun) -> None:
    grid = dict(zip(map(str, FIELDS), river.node(())["sides"][0]["grid"], strict=True))
    assert (grid["87s"]["combos"], grid["87s"]["left"]) == (2, 0.5)
    assert (grid["QQ"]["combos"], grid["QQ"]["left"]) == (3, 1)
    assert grid["AKs"] is None


def test_a_filter_keeps_some_hands_and_counts_them_anew(river: SpotRun, solution) -> None:
    node, board = solution.at("check"), read_cards("Td9d6hQc2s")
    shown = river.node(("check",), kinds=["two pair", "overpair"], suits="h")
    kept = [
        "h" in name and {"two pair", "overpair"} & {*kinds_of(read_cards(name), board)} != set() for name in node.cards
    ]
    assert 0 < sum(kept) < len(kept)
    side = shown["sides"][1]
    assert side["kept"]["hands"] == kept
    weights = node.weights[kept]
    close(side["kept"]["frequencies"], weights @ node.strategy[kept] / weights.sum())
    close(side["kept"]["ev"], weights @ node.ev[kept] / weights.sum())
    close(side["kept"]["share"], weights.sum() / node.weights.sum())
    grid = dict(zip(map(str, FIELDS), side["grid"], strict=True))
    assert not grid["A5s"]["kept"]
    assert grid["T9s"]["combos"] == 1
    close([action["frequency"] for action in shown["actions"]], list(node.frequencies.values()))


@pytest.mark.parametrize(("kinds", "suits", "said"), [(["top pear"], "", "top pair"), ([], "x", "unknown suit 'x'")])
def test_a_filter_that_does_not_exist(river: SpotRun, kinds: list[str], suits: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        river.node((), kinds, suits)


def test_the_graph_says_which_equity_a_part_of_the_range_has_at_most(river: SpotRun, solution) -> None:
    side = solution.at().sides[0]
    graph = river.node(())["sides"][0]["graph"]
    total = side.weights.sum()
    assert len(graph) == 101
    assert graph == sorted(graph)
    for percentile, equity in enumerate(graph):
        below, up_to = (side.weights[by].sum() for by in (side.equity < equity - 1e-6, side.equity <= equity + 1e-6))
        assert below / total - 1e-9 <= percentile / 100 <= up_to / total + 1e-9


def test_all_next_cards(turn: SpotRun) -> None:
    shown = turn.node(("check", "check"))
    reading = read(TURN, turn.solver.average)
    assert shown["kind"] == "card"
    assert len(shown["cards"]) == 48
    for card in shown["cards"][::7]:
        node = reading.at("check", "check", card["card"])
        close(card["evs"], node.evs)
        close(card["equities"], node.equities)
        close(card["frequencies"], list(node.frequencies.values()))


def test_rooms_are_used_again_without_a_trace(turn: SpotRun) -> None:
    lines = [(), ("check", "check", "9h"), ("bet 50", "call", "2c"), ("check", "check", "9h"), ("check",)]
    for line in lines:
        fresh = read(TURN, turn.solver.average).at(*line)
        node = turn.reading.at(*line)
        for one, other in [(node.strategy, fresh.strategy), (node.action_evs, fresh.action_evs)]:
            np.testing.assert_array_equal(one, other)
        for mine, theirs in zip(node.sides, fresh.sides, strict=True):
            np.testing.assert_array_equal(mine.ev, theirs.ev)
            np.testing.assert_array_equal(mine.equity, theirs.equity)


def test_a_place_follows_the_run() -> None:
    run = ran(RIVER)
    before = run.node(())
    run.solver.advance(20)
    shown, node = run.node(()), solve(RIVER, "dcfr", iterations=ITERATIONS + 20).at()
    assert (before["iteration"], shown["iteration"]) == (ITERATIONS, ITERATIONS + 20)
    close(shown["strategy"], node.strategy)
    assert before["strategy"] != shown["strategy"]


@pytest.mark.parametrize(
    ("line", "how", "winner", "pot"),
    [
        (("bet 50", "fold"), "fold", 0, 150),
        (("check", "check"), "showdown", None, 100),
        (("check", "bet 200", "call"), "showdown", None, 500),
    ],
)
def test_the_end_of_a_hand(river: SpotRun, line: tuple[str, ...], how: str, winner: int | None, pot: int) -> None:
    shown = river.node(line)
    assert (shown["kind"], shown["how"], shown["winner"], shown["pot"]) == ("end", how, winner, pot)
    assert [step["chosen"] for step in shown["steps"]] == list(line)


def test_with_all_chips_in_only_cards_are_left() -> None:
    spot = holdem(board="Qs7h2d8c", pot=100, stack=50, oop="AA", ip="QQ", bets="a", raises="")
    assert SpotRun(spot, "dcfr").node(("bet 50", "call"))["how"] == "cards"


def test_steps_and_keys(turn: SpotRun) -> None:
    shown = turn.node(("check", "check", "9H", "bet 50"))
    assert [(step["player"], step["chosen"]) for step in shown["steps"]] == [
        (0, "check"), (1, "check"), (None, "9h"), (0, "bet 50"),
    ]  # fmt: skip
    assert [(a["name"], a["key"], a["leads"]) for a in shown["actions"]] == [("fold", "f", "end"), ("call", "c", "end")]
    root = turn.node(())["actions"]
    assert [(a["key"], a["leads"]) for a in root] == [("x", "decision"), ("1", "decision")]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (("bet 51",), "did you mean 'bet 50'"),
        (("bet 50", "fold", "9h"), "nobody acts after 'bet 50, fold'"),
        (("check", "check", "bet 50"), "nobody acts after 'check, check'"),
        (("9h",), "no card is turned up at the beginning"),
    ],
)
def test_a_line_that_does_not_exist(river: SpotRun, line: tuple[str, ...], said: str) -> None:
    with pytest.raises(UserError, match=said):
        river.node(line)


def test_a_place_as_csv(river: SpotRun, solution) -> None:
    rows = list(csv.DictReader(river.table(("check",)).splitlines()))
    node = solution.at("check")
    assert Counter(row["player"] for row in rows) == {"ip": len(node.cards), "oop": len(node.sides[0].cards)}
    assert rows[0]["hand"] == node.cards[0]
    assert float(rows[0]["bet 50"]) == node.strategy[0, 1]
    assert rows[0]["kind"] == " + ".join(kinds_of(read_cards(rows[0]["hand"]), read_cards(node.board)))
    assert rows[-1]["bet 50"] == ""
