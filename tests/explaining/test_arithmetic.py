"""The live arithmetic of one information set, against the engine and by hand."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import GenericGame

import regretlab as rl
from regretlab.errors import UserError
from regretlab.reference.variant import lift
from regretlab.rules import Step
from regretlab.solving.steps import steps


def test_first_iteration_by_hand() -> None:
    # Ante 1, bet 1, everything uniform. A Jack that bets is folded to (+1) or called (−2): −1/2 against either card.
    # One that checks loses 1 if player 1 checks, else folds (−1) or calls (−2): 1/2 (−1) + 1/2 (−3/2) = −5/4.
    told = rl.explain("kuhn", "cfr", "J", 1)
    assert [(hand.history, hand.reach) for hand in told.hands] == [(("JQ",), 1 / 6), (("JK",), 1 / 6)]
    assert [hand.action_values for hand in told.hands] == [(-1.25, -0.5)] * 2
    assert told.counterfactual_values == pytest.approx([-2.5 / 6, -1 / 6])
    assert told.counterfactual_value == pytest.approx(-1.75 / 6)
    assert told.increment == pytest.approx([-0.125, 0.125])
    assert (told.regret_before, told.strategy, told.sum_before) == ((0, 0), (0.5, 0.5), (0, 0))
    assert told.regret_after == pytest.approx([-0.125, 0.125])
    assert (told.next_strategy, told.sum_after, told.average) == ((0, 1), (0.5, 0.5), (0.5, 0.5))


def test_player_1_answers_what_player_0_has_just_learned() -> None:
    # Player 0 has just learned to bet with the Jack and with the King for certain, where both tossed a coin before.
    told = rl.explain("kuhn", "cfr(schedule=alternating)", "Qb", 1)
    assert [hand.reach for hand in told.hands] == pytest.approx([1 / 6, 1 / 6])
    together = rl.explain("kuhn", "cfr", "Qb", 1)
    assert [hand.reach for hand in together.hands] == pytest.approx([1 / 12, 1 / 12])


def test_who_does_not_learn_stays() -> None:
    told = rl.explain("kuhn", "cfr+(schedule=one-player)", "Qb", 3)
    assert not told.updated
    assert told.regret_before == told.regret_after
    assert "Player 1 learns nothing in this iteration." in str(told)


@settings(max_examples=30)
@given(
    st.integers(0, 10_000).map(GenericGame) | st.sampled_from(["kuhn", "kuhn(bet=2/3)", "rps"]),
    # Restarts have tests of their own.
    st.sampled_from([name for name, row in rl.RECIPES.items() if row.feedback != "network" and not row.restart]),
    st.sampled_from(["", "simultaneous", "alternating", "one-player"]),
    st.integers(1, 30),
    st.randoms(use_true_random=False),
)
def test_the_numbers_are_the_engine_s(game: Any, name: str, schedule: str, iteration: int, chance: Any) -> None:
    form = rl.compile(game)
    label = chance.choice(form.labels)
    told = rl.explain(game, f"{name}(schedule={schedule})" if schedule else name, label, iteration)
    step = Step(*steps(told.recipe, iteration - 1, 1)[0].tolist())
    before, after = np.array(told.regret_before, float), np.array(told.regret_after, float)
    if told.updated:
        discount = np.where(before > 0, step.positive, step.negative)
        expected = before * discount + told.increment
        if told.recipe.accumulate != "sum":
            lifted, _ = lift(expected.tolist(), told.recipe.level) if told.recipe.accumulate == "smooth" else (0.0, 0)
            expected = np.maximum(expected + float(lifted), 0)
        if told.recipe.accumulate == "stable" and expected.sum() < float(told.recipe.level) - 1e-12:
            expected[:] = told.recipe.level / len(expected)
        assert after == pytest.approx(expected, abs=1e-10)
        grown = np.array(told.sum_before) * step.fade + step.weight * told.own_reach * np.array(told.strategy, float)
        assert told.sum_after == pytest.approx(grown, rel=1e-10, abs=1e-12)
    played = sum(p * q for p, q in zip(told.strategy, told.counterfactual_values, strict=True))
    assert told.counterfactual_value == pytest.approx(played, abs=1e-10)
    solver = rl.Solver(form, told.recipe)
    solver.advance(iteration)
    assert told.next_strategy == pytest.approx(list(solver.current[label].values()), abs=0)
    assert told.average == pytest.approx(list(solver.average[label].values()), abs=0)


def test_leduc_too() -> None:
    told = rl.explain("leduc", "cfr+", "Qs cbc Kh b", 20)
    assert len(told.hands) == 4
    assert {hand.history[0] for hand in told.hands} | {hand.history[1] for hand in told.hands} >= {"Qs", "Js", "Jh"}
    assert np.maximum(np.array(told.regret_before) + told.increment, 0) == pytest.approx(told.regret_after, abs=1e-12)


def test_it_can_be_sent_to_a_page() -> None:
    data = json.loads(json.dumps(rl.explain("kuhn", "cfr+(delay=3)", "Qcb", 10).as_dict()))
    assert data["recipe"] == "cfr+(delay=3)"
    assert data["formulas"]["regrets"] == "R ← max(R + r, 0)"
    assert data["meaning"] == "Queen, checked, facing a bet"
    assert [len(hand["action_values"]) for hand in data["hands"]] == [2, 2]
    assert data["weight"] == 7


def test_a_rule_of_one_s_own_is_explained_too() -> None:
    @rl.rule
    def always_first(regret: Any, instant: Any, strategy: Any, t: float) -> None:
        for a in range(len(regret)):
            strategy[a] = 1.0 if a == 0 else 0.0

    told = rl.explain("rps", always_first, "row", 2)
    assert told.next_strategy == (1, 0, 0)
    assert "always_first(regret, instant, strategy, t)" in str(told)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("kuhn", "cfr", "Jx", 1), "unknown information set of kuhn 'Jx'"),
        (("kuhn", "cfr", "J", 0), "iteration=0 must be a whole number, at least 1"),
        (("kuhn", "cfrplus", "J", 1), "unknown recipe 'cfrplus'"),
        (("khun", "cfr", "J", 1), "unknown game 'khun'"),
        (("kuhn", "sd-cfr", "J", 1), "sd-cfr has networks in place of a table of regrets"),
    ],
)
def test_mistakes_are_told_in_one_line(arguments: Any, line: str) -> None:
    with pytest.raises(UserError) as caught:
        rl.explain(*arguments)
    assert str(caught.value).startswith(line)


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("deep-cfr", "lcfr"),
        ("sd-cfr(width=8, traversals=5)", "lcfr"),
        ("deep-cfr(weigh=normalhedge)", "linear-normalhedge"),
        ("deep-cfr(schedule=simultaneous)", "deep-cfr(schedule=simultaneous, feedback=full)"),
        ("cfr(feedback=network, layers=1)", "cfr"),
    ],
)
def test_in_place_of_networks_a_table_is_named_that_can_be_explained(name: str, table: str) -> None:
    for ask in (lambda name: rl.explain("kuhn", name, "J", 2), lambda name: rl.walkthrough("kuhn", name, deals="JQ")):
        with pytest.raises(UserError) as caught:
            ask(name)
        assert str(caught.value).endswith(f"; with one it is {table}")
        assert "J" in ask(table).text()


def test_importing_the_folder_does_not_hide_the_function() -> None:
    import regretlab.explaining
    import regretlab.solving

    assert callable(rl.explain)
    assert callable(rl.solve)
    assert not callable(regretlab.explaining)
    assert not callable(regretlab.solving)
