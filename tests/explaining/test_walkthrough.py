"""The walkthrough's events: figures that were worked out beforehand, the engine's numbers, the order of things."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_games import GeneralSumGame

import regretlab as rl
from regretlab.errors import UserError
from regretlab.explaining.walkthroughs.walk_events import ArrivalEvent, DepartureEvent, EndingEvent, UpdateEvent
from regretlab.games import Kuhn

FIGURES = json.loads((Path(__file__).parents[1] / "data" / "walkthrough.json").read_text(encoding="utf-8"))
NAMES = {"CFR": "cfr", "CFR+": "cfr+", "NormalHedge": "normalhedge", "NormalHedge+": "normalhedge+"}
SHORT = {"CFR": "CFR", "CFR+": "CFR+", "NormalHedge": "NH", "NormalHedge+": "NH+"}
PRECISION = 1e-14
DEALS = ["JQ", "JK", "QJ", "QK", "KJ", "KQ"]


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """The default walkthrough as JSON, by recipe."""
    data = json.loads(json.dumps(rl.walkthrough(exact=True).as_dict()))
    return {run["name"]: run for run in data["recipes"]}


def number(value: Any) -> Fraction:
    """A number in the JSON: fractions are texts."""
    return Fraction(value)


def events(iteration: dict[str, Any], kind: str) -> dict[str, Any]:
    return {event["label"]: event for one in iteration["passes"] for event in one["events"] if event["event"] == kind}


@pytest.mark.parametrize("name", NAMES)
def test_first_two_iterations(name: str, told: dict[str, Any]) -> None:
    figures = FIGURES[name]["iterations"]
    assert len(figures) == 2
    for row, iteration in zip(figures, told[NAMES[name]]["iterations"], strict=False):
        assert (iteration["number"], " vs ".join(iteration["deal"])) == (row["iteration"], row["deal"])
        assert number(iteration["passes"][0]["value"]) == Fraction(row["root_value"])
        arrivals, departures, updates = (events(iteration, kind) for kind in ("arrive", "leave", "update"))
        assert list(departures) == list(updates) == list(row["visited"])
        assert set(arrivals) == set(departures)
        for label, expected in row["visited"].items():
            check_decision(arrivals[label], departures[label], updates[label], expected)


def check_decision(arrival: Any, departure: Any, update: Any, row: dict[str, Any]) -> None:
    same = {
        "strategy_used": arrival["strategy"],
        "action_values_own_view": departure["action_values"],
        "regret_before": update["learning"]["regrets_before"],
        "instant_regret": departure["regret_increments"],
        "regret_after": update["learning"]["regrets_after"],
        "strategy_sum": update["sums_after"],
        "next_strategy": update["next"]["strategy"],
    }
    for key, found in same.items():
        assert [number(value) for value in found] == [Fraction(value) for value in row[key]], key
    assert number(departure["value"]) == Fraction(row["ev_own_view"])
    assert (arrival["player"], departure["updated"]) == (row["player"], row["updated"])
    assert number(arrival["own_reach"]) == Fraction(row["own_reach"])
    assert number(arrival["opponent_reach"]) * number(arrival["chance_reach"]) == Fraction(row["opp_reach"])
    scale = update["next"]["scale"]
    assert (scale is None) == (row["next_c"] is None)
    if scale is not None:
        assert scale["c"] == pytest.approx(row["next_c"], rel=PRECISION)
        assert [float(weight) for weight in scale["weights"]] == pytest.approx(row["next_weights"], rel=PRECISION)


@pytest.mark.parametrize("name", NAMES)
def test_third_iteration(name: str, told: dict[str, Any]) -> None:
    iteration = told[NAMES[name]]["iterations"][2]
    figures = FIGURES["third_iteration_options"]["J vs Q"][SHORT[name]]
    updates = events(iteration, "update")
    assert list(updates) == list(figures)
    for label, row in figures.items():
        update = updates[label]
        assert [number(value) for value in update["learning"]["regrets_after"]] == [
            Fraction(value) for value in row["R"]
        ]
        assert [float(number(value)) for value in update["sums_after"]] == row["S"]
        assert float(number(iteration["passes"][0]["value"])) == row["value"]
        found = [float(number(value)) for value in update["next"]["strategy"]]
        assert found == pytest.approx(row["next"], rel=PRECISION, abs=0)
        assert (update["next"]["scale"] is None) == (row["c"] is None)
        if row["c"] is not None:
            assert update["next"]["scale"]["c"] == pytest.approx(row["c"], rel=PRECISION)


def test_third_iteration_tells_the_four_apart(told: dict[str, Any]) -> None:
    bets = {name: events(run["iterations"][2], "update")["J"]["next"]["strategy"][1] for name, run in told.items()}
    found = {name: round(float(number(value)), 3) for name, value in bets.items()}
    assert found == {"cfr": 0.375, "cfr+": 0.273, "normalhedge": 0.203, "normalhedge+": 0.098}


def test_the_report_s_form_of_cfr_plus() -> None:
    figures = FIGURES["CFR+ (report 001: alternating by parity, linear weight d=0)"]
    run = rl.walkthrough("kuhn", "cfr+(schedule=one-player)", deals="JQ,QK").lesson.runs[0]
    final = {update.label: update for update in run.updates}
    assert set(final) == {"J", "Jcb", "Kc", "Kb"}
    for label, update in final.items():
        assert list(update.learning.regrets_after) == [Fraction(value) for value in figures["final_regret"][label]]
        assert list(update.sums_after) == [Fraction(value) for value in figures["final_strategy_sum"][label]]


@settings(max_examples=20)
@given(
    st.integers(250_000, 4_000_000).map(lambda size: Fraction(size, 1_000_003)),
    st.sampled_from(sorted(NAMES.values())),
    st.sampled_from(["simultaneous", "alternating", "one-player"]),
    st.sampled_from(["uniform", "linear", "quadratic"]),
    st.just("all") | st.lists(st.sampled_from(DEALS), min_size=3, max_size=6),
)
def test_the_engine_finds_the_same(bet: Fraction, name: str, schedule: str, averaging: str, deals: Any) -> None:
    recipe = f"{name}(schedule={schedule}, averaging={averaging})"
    count = 3 if deals == "all" else len(deals)
    told = rl.walkthrough(Kuhn(Fraction(1), bet), recipe, deals=deals, iterations=count).lesson.runs[0]
    solver = rl.Solver(Kuhn(Fraction(1), bet), told.recipe, deals=None if deals == "all" else deals)
    for _ in range(count):
        solver.advance(1)
        # Where rounding alone makes a regret positive, floats and fractions may part.
        assume(all(not (0 < abs(regret) < 1e-12) for side in solver.sides for regret in side.regret))
    solution = solver.solution()
    for label, update in {update.label: update for update in told.updates}.items():
        ours = (
            [float(value) for value in each]
            for each in (update.learning.regrets_after, update.next.strategy, update.average)
        )
        theirs = (solution.regrets[label], solution.current[label], solution.strategy[label])
        for mine, other in zip(ours, theirs, strict=True):
            assert mine == pytest.approx(list(other.values()), abs=1e-11)


def test_events_come_in_the_order_of_the_recursion() -> None:
    seen = rl.walkthrough("kuhn", "cfr", deals="JQ").lesson.runs[0].passes[0].events
    told = [(event.kind, getattr(event, "label", getattr(event, "history", ())[1:])) for event in seen]
    assert told == [
        ("chance", ()),
        ("arrive", "J"),
        ("arrive", "Qc"),
        ("end", ("check", "check")),
        ("arrive", "Jcb"),
        ("end", ("check", "bet", "fold")),
        ("end", ("check", "bet", "call")),
        ("leave", "Jcb"),
        ("update", "Jcb"),
        ("leave", "Qc"),
        ("update", "Qc"),
        ("arrive", "Qb"),
        ("end", ("bet", "fold")),
        ("end", ("bet", "call")),
        ("leave", "Qb"),
        ("update", "Qb"),
        ("leave", "J"),
        ("update", "J"),
    ]


def test_all_deals_are_summed_before_anything_is_learned() -> None:
    one = rl.walkthrough("kuhn", "cfr", deals="all").lesson.runs[0].passes[0]
    kinds = [type(event) for event in one.events]
    assert kinds.count(ArrivalEvent) == kinds.count(DepartureEvent) == 24
    assert kinds.count(EndingEvent) == 30
    assert kinds[-12:] == [UpdateEvent] * 12
    jack = next(event for event in one.events if isinstance(event, UpdateEvent) and event.label == "J")
    # Against a Queen and against a King −3/8 and 3/8, each with probability 1/6.
    assert jack.learning.increments == ((Fraction(-1, 16), Fraction(1, 16)),) * 2
    assert jack.learning.regrets_after == (Fraction(-1, 8), Fraction(1, 8))


def test_deals_repeat() -> None:
    run = rl.walkthrough("kuhn", "cfr", deals=["JQ", "QK"], iterations=5).lesson.runs[0]
    assert [each.deal for each in run.iterations] == ["JQ", "QK", "JQ", "QK", "JQ"]


def test_a_game_without_chance_needs_no_deals() -> None:
    told = rl.walkthrough("rps", "cfr")
    assert [each.deal for each in told.lesson.runs[0].iterations] == ["", "", ""]
    assert "deal" not in told.text().partition("The symbols")[0]


def test_leduc_is_told_to_a_depth_and_says_so() -> None:
    told = rl.walkthrough("leduc", "cfr", deals="JsQhKs")
    text = " ".join(told.text(80).split())
    assert "Not everything in leduc is spelled out: the first 2 decisions of each way through it are" in text
    assert "14 decisions and 20 endings from here on are not spelled out" in text
    assert "The King of spades is turned up" in text
    headings = {line[2:] for line in told.text().splitlines() if line.startswith("▌") and "; " in line}
    assert headings == {
        "Js: Jack of spades; first to act",
        "Qh c: Queen of hearts; check",
        "Qh b: Queen of hearts; bet",
    }
    deeper = rl.walkthrough("leduc", "cfr", deals="Js-Qh-Ks", depth=99)
    assert "not spelled out" not in deeper.text()
    assert deeper.lesson.runs[0].updates == told.lesson.runs[0].updates  # everything is computed anyway
    assert len(deeper.lesson.runs[0].updates) == 36


def test_what_differs_stands_side_by_side() -> None:
    text = rl.walkthrough(deals="JQ").text(120)
    assert "╭─ cfr, normalhedge ──" in text
    assert "╭─ cfr+, normalhedge+ ──" in text
    assert text.count("v = σ(fold) × v(fold)") == 2  # at Jcb and at Qb: the walk is told once for all four
    alone = rl.walkthrough("kuhn", "cfr", deals="JQ").text(120)
    assert "╭─ cfr" not in alone


def test_recipes_with_other_schedules_have_chapters_of_their_own() -> None:
    text = rl.walkthrough("kuhn", "cfr,cfr+,normalhedge", deals="JQ").text(100)
    assert "cfr, normalhedge: simultaneous updates ──" in text
    assert "cfr+: alternating updates ──" in text
    assert "Pass 1 of 2: player 0 learns." in text
    assert "Player 1 learns nothing in this pass." in text


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({"deals": "JJ"}, "unknown deal of kuhn 'JJ'"),
        ({"deals": ["XQ"]}, "unknown deal of kuhn 'XQ'"),
        ({"deals": []}, "no deal was given"),
        ({"recipes": "external-sampling"}, "external-sampling draws the players' actions at random"),
        ({"recipes": "outcome-sampling"}, "outcome-sampling draws the players' actions at random"),
        ({"recipes": "cfr,deep-cfr"}, "deep-cfr has networks in place of a table of regrets"),
        ({"recipes": "cfr,cfr(delay=0)"}, "recipe 'cfr' is given twice"),
        ({"recipes": []}, "no recipe was given"),
        ({"iterations": 0}, "iterations=0 must be a whole number, at least 1"),
        ({"depth": 0}, "depth=0 must be a whole number, at least 1"),
        ({"game": "leduc", "deals": "JsQh"}, "'JsQh' is no deal of leduc; name what chance does one after the other"),
        ({"game": "rps", "deals": "JQ"}, "rps has no deals"),
    ],
)
def test_mistakes_are_told_in_one_line(arguments: dict[str, Any], line: str) -> None:
    with pytest.raises(UserError) as caught:
        rl.walkthrough(**arguments)
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


def test_a_rule_of_ones_own_is_left_to_its_author() -> None:
    @rl.rule
    def mine(regret: Any, instant: Any, strategy: Any, t: Any) -> None:
        strategy[:] = 1.0 / len(strategy)

    with pytest.raises(UserError, match="what mine does with its numbers only its author can tell"):
        rl.walkthrough("kuhn", [mine])


def test_names_are_short_only_where_they_say_the_rule() -> None:
    told = rl.walkthrough("kuhn", "cfr+(schedule=simultaneous),cfr(accumulate=clip),dcfr(averaging=linear)", deals="JQ")
    assert [run.name for run in told.lesson.runs] == ["cfr+", "cfr(accumulate=clip, level=1)", "dcfr"]


def test_a_game_that_is_not_zero_sum_is_refused() -> None:
    game = GeneralSumGame(4)
    with pytest.raises(UserError, match=r"^general\(4\) is not zero-sum; a walkthrough is of games where one wins"):
        rl.walkthrough(game, "cfr")
