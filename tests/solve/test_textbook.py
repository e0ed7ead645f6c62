"""The engine against the textbook: the same numbers from code that shares nothing with it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_games import GenericGame

from regretlab.forms import Tree, as_form
from regretlab.games import Game, Kuhn
from regretlab.reference import (
    InformationSet,
    InformationSetNH,
    InformationSetNHPlus,
    InformationSetPlus,
    Trainer,
)
from regretlab.sampling import new_histories, uniform
from regretlab.sampling.chance import draw
from regretlab.solve import Solution, Solver

WALKTHROUGH = json.loads((Path(__file__).parents[1] / "data" / "walkthrough.json").read_text())

CLASSES = {
    "cfr": InformationSet,
    "cfr+": InformationSetPlus,
    "normalhedge": InformationSetNH,
    "normalhedge+": InformationSetNHPlus,
}
NAMES_IN_THE_WALKTHROUGH = {"cfr": "CFR", "cfr+": "CFR+", "normalhedge": "NormalHedge", "normalhedge+": "NormalHedge+"}
ROUNDING = 1e-12


class Discounted(InformationSet):
    """DCFR as the paper writes it, for passes that visit every information set once an iteration."""

    alpha, beta, floor = 1.5, 0.0, -math.inf
    calls = 0

    def add_regret(self, action: int, regret: Any) -> None:
        so_far = self.calls // self.num_actions  # iterations before this one
        self.calls += 1
        old = self.regret_sum[action]
        exponent = self.alpha if old > 0 else self.beta
        factor = 0.0 if so_far == 0 else so_far**exponent / (so_far**exponent + 1)
        self.regret_sum[action] = max(old * factor + regret, self.floor)


class Linear(InformationSet):
    """Linear CFR: iteration t's regrets count t times, which is the same up to a common factor."""

    calls = 0

    def add_regret(self, action: int, regret: Any) -> None:
        self.calls += 1
        t = (self.calls + self.num_actions - 1) // self.num_actions
        self.regret_sum[action] += t * regret


class DiscountedPlus(Discounted):
    alpha, floor = 1.5, 0.0


class Predictive(InformationSetPlus):
    """PCFR+: the next strategy answers the regrets and the last instantaneous ones once more."""

    factor = 1.0

    def add_regret(self, action: int, regret: Any) -> None:
        self.last = [*getattr(self, "last", []), regret][-self.num_actions :]
        super().add_regret(action, regret)

    def positive_regrets(self) -> list[Any]:
        last = getattr(self, "last", [0.0] * self.num_actions)
        return [max(R + r, 0.0) for R, r in zip(self.regret_sum, last, strict=True)]


class PredictiveNH(Predictive, InformationSetNH):
    """The same with NormalHedge."""


class PredictiveDiscountedPlus(DiscountedPlus):
    """PDCFR+, with the discount of the iteration to come."""

    alpha = 2.3

    def add_regret(self, action: int, regret: Any) -> None:
        self.last = [*getattr(self, "last", []), regret][-self.num_actions :]
        super().add_regret(action, regret)

    def positive_regrets(self) -> list[Any]:
        t = self.calls // self.num_actions
        factor = t**self.alpha / (t**self.alpha + 1)
        last = getattr(self, "last", [0.0] * self.num_actions)
        return [max(R * factor + r, 0.0) for R, r in zip(self.regret_sum, last, strict=True)]


class DiscountedNH(Discounted, InformationSetNH):
    """NormalHedge on discounted regrets."""


NEWER = {
    "dcfr": (Discounted, 2),
    "lcfr": (Linear, 1),
    "dcfr+": (DiscountedPlus, 4),
    "pcfr+": (Predictive, 2),
    "pdcfr+": (PredictiveDiscountedPlus, 5),
    "discounted-normalhedge": (DiscountedNH, 2),
    "predictive-normalhedge+": (PredictiveNH, 2),
}
"""The textbook's classes for the recipes beyond the four, and the exponent of their averages."""
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


def rounding_decides(solver: Solver, trainer: Trainer) -> bool:
    """Whether some information set has only regrets that would be 0 but for rounding.

    There regret matching leaps from uniform to a pure strategy, and two correct programs may part for good. Kuhn has
    such ties by its structure: with some stakes a Queen's two actions are exactly equal in the second iteration.
    """
    sums = [sum(max(regret, 0) for regret in infoset.regret_sum) for infoset in trainer.infosets.values()]
    for side in solver.sides:
        sums.extend(np.add.reduceat(np.maximum(side.regret, 0), side.first[:-1]) if len(side.parent) else ())
    return any(0 < total < ROUNDING for total in sums)


def run_both(
    game: Game, name: str, schedule: str, averaging: str, feedback: str, iterations: int = 200
) -> tuple[float, bool]:
    """Run engine and textbook side by side.

    Returns their largest difference, in averages and, relative to their size, in regrets; and whether rounding ever
    decided.
    """
    form = as_form(game)
    assert form.tree is not None
    solver = Solver(form, f"{name}(schedule={schedule}, averaging={averaging}, feedback={feedback})", seed=7)
    deals: Any = "all" if feedback == "full" else same_draws(form.tree, seed=7)
    trainer = Trainer(game, CLASSES[name], schedule=schedule, averaging=averaging, deals=deals)
    tied = False
    for _ in range(iterations):
        solver.advance(1)
        trainer.train(1)
        tied = tied or rounding_decides(solver, trainer)
    return largest_difference(solver.solution(), trainer), tied


def largest_difference(solution: Solution, trainer: Trainer) -> float:
    profile = trainer.get_strategy_profile()
    size = max(1.0, *(abs(regret).max() for regret in solution.regrets.arrays))
    worst = 0.0
    for label, infoset in trainer.infosets.items():
        ours = [*solution.strategy[label].values(), *(regret / size for regret in solution.regrets[label].values())]
        theirs = [*profile[label].values(), *(regret / size for regret in infoset.regret_sum)]
        worst = max(worst, *(abs(a - b) for a, b in zip(ours, theirs, strict=True)))
    return worst


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
    difference, _ = run_both(Kuhn(), name, schedule, "linear", feedback)
    assert difference < 1e-12


@settings(max_examples=25)
@given(amounts, amounts, combinations)
def test_kuhn_with_random_stakes_after_200_iterations(
    ante: Fraction, bet: Fraction, combination: tuple[str, str, str, str]
) -> None:
    difference, tied = run_both(Kuhn(ante, bet), *combination)
    assume(not tied)
    assert difference < 1e-12


@settings(max_examples=40)
@given(st.integers(0, 10_000).map(GenericGame), combinations)
def test_random_games_after_200_iterations(game: GenericGame, combination: tuple[str, str, str, str]) -> None:
    difference, tied = run_both(game, *combination)
    assume(not tied)
    assert difference < 1e-12


@pytest.mark.parametrize("name", NEWER)
@settings(max_examples=8)
@given(st.integers(0, 10_000).map(GenericGame))
def test_the_newer_recipes_on_random_games(name: str, game: GenericGame) -> None:
    """Discounts, prediction, both; the averages by hand from the strategies that were played."""
    kind, gamma = NEWER[name]
    solver = Solver(as_form(game), name)
    trainer = Trainer(game, kind, schedule="alternating", averaging=gamma, deals="all")
    tied = False
    for _ in range(60):
        solver.advance(1)
        trainer.train(1)
        tied = tied or rounding_decides(solver, trainer)
    assume(not tied)
    solution, profile = solver.solution(), trainer.get_strategy_profile()
    for label in trainer.infosets:
        assert list(solution.strategy[label].values()) == pytest.approx(list(profile[label].values()), abs=1e-9)


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
