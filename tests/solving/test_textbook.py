"""The engine against the textbook: the same numbers from code that shares nothing with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import GenericGame, general_sum_games

from regretlab.explaining.textbook import averaging, information_set
from regretlab.feedback.chance import draw, new_histories
from regretlab.feedback.draws import uniform
from regretlab.forms import Tree, as_form
from regretlab.games import Game, Kuhn
from regretlab.reference import (
    InformationSet,
    InformationSetNH,
    InformationSetNHPlus,
    InformationSetPlus,
    Trainer,
)
from regretlab.solving import RECIPES, Solution, Solver, recipe

WALKTHROUGH = json.loads((Path(__file__).parents[1] / "data" / "walkthrough.json").read_text())

CLASSES = {
    "cfr": InformationSet,
    "cfr+": InformationSetPlus,
    "normalhedge": InformationSetNH,
    "normalhedge+": InformationSetNHPlus,
}
NAMES_IN_THE_WALKTHROUGH = {"cfr": "CFR", "cfr+": "CFR+", "normalhedge": "NormalHedge", "normalhedge+": "NormalHedge+"}


class Linear(InformationSet):
    """Linear CFR: iteration t's regrets count t times, which is the same up to a common factor."""

    calls = 0

    def add_regret(self, action: int, regret: Any) -> None:
        self.calls += 1
        t = (self.calls + self.num_actions - 1) // self.num_actions
        self.regret_sum[action] += t * regret


NEWER = [
    *(
        name
        for name, row in RECIPES.items()
        if row.feedback == "full" and name not in CLASSES and recipe(name).restart is None
    ),
    "dcfr(accumulate=clip, level=1/2)",
    "hedge(predict=yes, alpha=1, beta=1/2)",
    "hedge(predict=1/4, accumulate=clip)",
    "smooth-pcfr+",
    "smooth-pcfr+(level=1, predict=1/3, alpha=2)",
    "smooth-pcfr+(weigh=normalhedge)",
    "stable-pcfr+(level=1/4)",
    "stable-pcfr+(level=1, alpha=3/2, predict=no)",
    "predictive-normalhedge+(predict=1/3, alpha=2.3)",
    "predictive-normalhedge(alpha=1.5, beta=-1)",
    "hs-dcfr(delay=4, horizon=20)",
    "cfr(beta=1/2)",
]
"""The recipes beyond the four."""
SCHEDULES = ("simultaneous", "alternating", "one-player")


def same_draws(tree: Tree, seed: int) -> Callable[[int, tuple[str, ...]], int]:
    """The engine's chance outcomes for the textbook, which knows histories by their names."""
    place = {(): 0}
    for history, index in list(place.items()):
        pending = [(history, index)]
        while pending:
            here, number = pending.pop()
            for child in range(tree.children[number], tree.children[number + 1]):
                place[(*here, tree.names[child])] = child
                pending.append(((*here, tree.names[child]), child))
    histories = new_histories(tree)

    def outcome(iteration: int, history: tuple[str, ...]) -> int:
        number = place[history]
        return int(draw(histories, number, uniform(seed, iteration, number)) - tree.children[number])

    return outcome


def run_both(game: Game, name: str, schedule: str, averaging: str, feedback: str, iterations: int = 200) -> float:
    """Run engine and textbook: their largest difference in averages and, relative to their size, in regrets."""
    form = as_form(game)
    assert form.tree is not None
    solver = Solver(form, f"{name}(schedule={schedule}, averaging={averaging}, feedback={feedback})", seed=7)
    deals: Any = "all" if feedback == "full" else same_draws(form.tree, seed=7)
    trainer = Trainer(game, CLASSES[name], schedule=schedule, averaging=averaging, deals=deals)
    solver.advance(iterations)
    trainer.train(iterations)
    return largest_difference(solver.solution(), trainer)


def largest_difference(solution: Solution, trainer: Trainer) -> float:
    profile = trainer.get_strategy_profile()
    size = max(1.0, *(abs(regret).max() for regret in solution.regrets.arrays))
    worst = 0.0
    for label, infoset in trainer.infosets.items():
        ours = [*solution.strategy[label].values(), *(regret / size for regret in solution.regrets[label].values())]
        theirs = [*profile[label].values(), *(regret / size for regret in infoset.regret_sum)]
        worst = max(worst, *(abs(a - b) for a, b in zip(ours, theirs, strict=True)))
    return worst


any_games = st.integers(0, 10_000).map(GenericGame) | general_sum_games()
amounts = st.integers(250_000, 4_000_000).map(lambda number: Fraction(number, 1_000_003))
combinations = st.tuples(
    st.sampled_from(sorted(CLASSES)),
    st.sampled_from(SCHEDULES),
    st.sampled_from(["uniform", "linear"]),
    st.sampled_from(["full", "chance"]),
)


@pytest.mark.parametrize("feedback", ["full", "chance"])
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("name", CLASSES)
def test_kuhn_after_200_iterations(name: str, schedule: str, feedback: str) -> None:
    assert run_both(Kuhn(), name, schedule, "linear", feedback) < 1e-12


@settings(max_examples=25)
@given(amounts, amounts, combinations)
def test_kuhn_with_random_stakes_after_200_iterations(
    ante: Fraction, bet: Fraction, combination: tuple[str, str, str, str]
) -> None:
    assert run_both(Kuhn(ante, bet), *combination) < 1e-12


@settings(max_examples=40)
@given(any_games, combinations)
def test_random_games_after_200_iterations(game: GenericGame, combination: tuple[str, str, str, str]) -> None:
    assert run_both(game, *combination) < 1e-12


@pytest.mark.parametrize("feedback", ["full", "chance"])
@pytest.mark.parametrize("name", NEWER)
@settings(max_examples=3)
@given(any_games, st.sampled_from(SCHEDULES))
def test_the_newer_recipes_on_random_games(name: str, feedback: str, game: GenericGame, schedule: str) -> None:
    """Discounts, floors, prediction, Hedge; with chance sampled, regrets fade also where the walk does not come by."""
    form, chosen = as_form(game), replace(recipe(name), schedule=schedule, feedback=feedback)
    assert form.tree is not None
    deals: Any = "all" if feedback == "full" else same_draws(form.tree, seed=7)
    solver = Solver(form, chosen, seed=7)
    trainer = Trainer(
        game,
        information_set(chosen),
        schedule=schedule,
        averaging=averaging(chosen),
        delay=chosen.averaging.delay,
        deals=deals,
    )
    solver.advance(30)
    trainer.train(30)
    solution, profile = solver.solution(), trainer.get_strategy_profile()
    for label, infoset in trainer.infosets.items():
        assert list(solution.strategy[label].values()) == pytest.approx(list(profile[label].values()), abs=1e-9)
        assert list(solution.regrets[label].values()) == pytest.approx(infoset.regret_sum, abs=1e-9)
        assert list(solution.current[label].values()) == pytest.approx(infoset.get_strategy(), abs=1e-9)


def test_linear_cfr_weighs_regrets() -> None:
    """Its discounts are the same as weights t on the regrets, up to a common factor."""
    solver, trainer = Solver("kuhn", "lcfr"), Trainer(Kuhn(), Linear, schedule="alternating", averaging=1, deals="all")
    solver.advance(60)
    trainer.train(60)
    for label, infoset in trainer.infosets.items():
        ours = np.array(list(solver.solution().regrets[label].values()))
        assert ours * 60 == pytest.approx(infoset.regret_sum, abs=1e-9)


def close(found: Any, expected: list[Any]) -> bool:
    """Whether numbers agree to a relative 1e-14; the expected ones may be written as fractions."""
    numbers = [float(Fraction(number)) if isinstance(number, str) else number for number in expected]
    return bool(np.allclose(list(found.values()), numbers, rtol=1e-14, atol=0))


def walkthrough_solution(name: str, deals: list[str]) -> Any:
    """The documents' form of an algorithm: the given deals, both players at once, a uniform average."""
    solver = Solver("kuhn", f"{name}(schedule=simultaneous, averaging=uniform, feedback=chance)", deals=deals)
    solver.advance(len(deals))
    return solver.solution()


@pytest.mark.parametrize("iterations", [1, 2])
@pytest.mark.parametrize("name", CLASSES)
def test_the_walkthrough(name: str, iterations: int) -> None:
    solution = walkthrough_solution(name, ["JQ", "QK"][:iterations])
    visited = WALKTHROUGH[NAMES_IN_THE_WALKTHROUGH[name]]["iterations"][iterations - 1]["visited"]
    assert len(visited) == 4
    for label, expected in visited.items():
        assert close(solution.regrets[label], expected["regret_after"])
        assert close(solution.totals[label], expected["strategy_sum"])
        assert close(solution.current[label], expected["next_strategy"])


@pytest.mark.parametrize("name", CLASSES)
def test_the_third_hand_of_the_walkthrough_tells_the_four_apart(name: str) -> None:
    solution = walkthrough_solution(name, ["JQ", "QK", "JQ"])
    short = {"cfr": "CFR", "cfr+": "CFR+", "normalhedge": "NH", "normalhedge+": "NH+"}[name]
    for label, expected in WALKTHROUGH["third_iteration_options"]["J vs Q"][short].items():
        assert close(solution.regrets[label], expected["R"])
        assert close(solution.totals[label], expected["S"])
        assert close(solution.current[label], expected["next"])
    bets = {"cfr": 0.375, "cfr+": 0.273, "normalhedge": 0.203, "normalhedge+": 0.098}
    assert solution.current["J"]["bet"] == pytest.approx(bets[name], abs=5e-4)


def test_the_reports_form_of_cfr_plus() -> None:
    """One player an iteration, linear weights: the other player's numbers stay as they were."""
    solver = Solver("kuhn", "cfr+(schedule=one-player, feedback=chance)", deals=["JQ", "QK"])
    solver.advance(2)
    solution = solver.solution()
    expected = WALKTHROUGH["CFR+ (report 001: alternating by parity, linear weight d=0)"]
    for label in expected["final_regret"]:
        assert close(solution.regrets[label], expected["final_regret"][label])
        assert close(solution.totals[label], expected["final_strategy_sum"][label])
