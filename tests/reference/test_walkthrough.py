"""The walkthrough's numbers: exactly in fractions where they are rational, else to a relative 1e-14."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from regretlab.reference import (
    CFRPlusTrainer,
    CFRTrainer,
    Decision,
    GameConfig,
    InformationSetNH,
    NormalHedgePlusTrainer,
    NormalHedgeTrainer,
    Trainer,
)

FIGURES = json.loads((Path(__file__).parents[1] / "data" / "walkthrough.json").read_text(encoding="utf-8"))
CLIP_ONLY = {"schedule": "simultaneous", "averaging": "uniform"}
REPORT = "CFR+ (report 001: alternating by parity, linear weight d=0)"
FORMS: dict[str, tuple[type[Trainer], dict[str, str]]] = {
    "CFR": (CFRTrainer, {}),
    "CFR+": (CFRPlusTrainer, CLIP_ONLY),
    "NormalHedge": (NormalHedgeTrainer, {}),
    "NormalHedge+": (NormalHedgePlusTrainer, {}),
    REPORT: (CFRPlusTrainer, {}),
}
IN_THIRD = {"CFR": "CFR", "CFR+": "CFR+", "NH": "NormalHedge", "NH+": "NormalHedge+"}
PRECISION = 1e-14


def exact(texts: list[str]) -> tuple[Fraction, ...]:
    return tuple(Fraction(text) for text in texts)


def deal(spoken: str) -> str:
    return spoken.replace(" vs ", "")


def run(name: str, deals: list[str]) -> tuple[Trainer, list[Any], list[Decision]]:
    kind, options = FORMS[name]
    events: list[Decision] = []
    trainer = kind(GameConfig(ante=1, bet_size=1), deals=deals, exact=True, observer=events.append, **options)
    return trainer, trainer.train(len(deals)), events


@pytest.mark.parametrize("name", FORMS)
def test_first_two_iterations_exactly(name: str) -> None:
    figures = FIGURES[name]
    trainer, values, events = run(name, [deal(row["deal"]) for row in figures["iterations"]])
    assert values == [Fraction(row["root_value"]) for row in figures["iterations"]]
    expected = [(row["iteration"], label) for row in figures["iterations"] for label in row["visited"]]
    assert [(event.iteration, event.label) for event in events] == expected
    for event in events:
        check_decision(event, figures["iterations"][event.iteration - 1]["visited"][event.label])
    for label, regrets in figures["final_regret"].items():
        assert tuple(trainer.infosets[label].regret_sum) == exact(regrets)
    for label, sums in figures["final_strategy_sum"].items():
        assert tuple(trainer.infosets[label].strategy_sum) == exact(sums)


def check_decision(event: Decision, row: dict[str, Any]) -> None:
    assert event.player == row["player"]
    assert event.updated == row["updated"]
    assert event.strategy == exact(row["strategy_used"])
    assert event.own_reach == Fraction(row["own_reach"])
    assert event.opponent_reach == Fraction(row["opp_reach"])
    assert event.action_values == exact(row["action_values_own_view"])
    assert event.value == Fraction(row["ev_own_view"])
    assert event.regret_increments == exact(row["instant_regret"])
    assert event.regrets_before == exact(row["regret_before"])
    assert event.regrets_after == exact(row["regret_after"])
    assert event.strategy_sum == exact(row["strategy_sum"])
    assert event.next_strategy == exact(row["next_strategy"])
    numbers = (event.value, *event.strategy, *event.action_values, *event.regrets_after, *event.next_strategy)
    assert all(isinstance(number, Fraction) for number in numbers)
    if row["next_c"] is not None:
        check_scale(event.regrets_after, row["next_c"], row["next_weights"])


def check_scale(regrets: tuple[Any, ...], c: float, weights: list[float]) -> None:
    positive = [max(regret, 0) for regret in regrets]
    assert InformationSetNH.solve_c_scale(positive) == pytest.approx(c, rel=PRECISION)
    assert InformationSetNH.normalhedge_weight(positive, c) == pytest.approx(weights, rel=PRECISION)


THIRD = FIGURES["third_iteration_options"]


@pytest.mark.parametrize(("spoken", "short"), [(spoken, short) for spoken in THIRD for short in THIRD[spoken]])
def test_every_third_iteration(spoken: str, short: str) -> None:
    figures = THIRD[spoken][short]
    trainer, values, events = run(IN_THIRD[short], ["JQ", "QK", deal(spoken)])
    assert [event.label for event in events if event.iteration == 3] == list(figures)
    for label, row in figures.items():
        infoset = trainer.infosets[label]
        assert tuple(infoset.regret_sum) == exact(row["R"])
        assert infoset.strategy_sum == row["S"]
        assert all(isinstance(number, Fraction) for number in infoset.regret_sum + infoset.strategy_sum)
        assert values[-1] == row["value"]
        assert [float(p) for p in infoset.get_strategy()] == pytest.approx(row["next"], rel=PRECISION, abs=0)
        if row["c"] is not None:
            assert isinstance(infoset, InformationSetNH)
            assert infoset.c_scale == pytest.approx(row["c"], rel=PRECISION)


def test_third_iteration_tells_the_algorithms_apart() -> None:
    jacks = [
        [round(float(p), 3) for p in run(name, ["JQ", "QK", "JQ"])[0].infosets["J"].get_strategy()] for name in FORMS
    ]
    assert jacks[:4] == [[0.625, 0.375], [0.727, 0.273], [0.797, 0.203], [0.902, 0.098]]


def test_examples_of_the_scale() -> None:
    examples = FIGURES["examples"]
    solve, weigh = InformationSetNH.solve_c_scale, InformationSetNH.normalhedge_weight
    for regret in (0.125, 0.25, 0.375, 0.75):
        assert solve([0, regret]) == pytest.approx(examples[f"c_for_[0,{regret}]"], rel=PRECISION)
    c = solve([1, 2])
    assert c == pytest.approx(examples["true_c_for_[1,2]"], rel=PRECISION)
    assert weigh([1, 2], c) == pytest.approx(examples["weights_true"], rel=PRECISION)
    # The scale that the document assumes there does not solve the equation; its weights are right for that scale.
    assert weigh([1, 2], 0.5) == pytest.approx(examples["doc c=0.5: weights"], rel=PRECISION)
    infoset = InformationSetNH(2)
    infoset.regret_sum = [1.0, 2.0]
    assert infoset.get_strategy() == pytest.approx(examples["strategy_true"], rel=PRECISION)
