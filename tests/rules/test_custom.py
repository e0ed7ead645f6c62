"""Rules of one's own: the built-in's numbers when they say the same, and one clear line when they go wrong."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from regretlab.errors import UserError
from regretlab.rules import CustomRule, rule
from regretlab.rules.custom import fault
from regretlab.solving import Solution, Solver, learner, recipe, solve

Numbers = np.ndarray


@rule
def matching(regret: Numbers, instant: Numbers, strategy: Numbers, t: float) -> None:
    total = 0.0
    for a in range(len(regret)):
        regret[a] += instant[a]
        total += max(regret[a], 0.0)
    for a in range(len(regret)):
        strategy[a] = max(regret[a], 0.0) / total if total > 0.0 else 1.0 / len(regret)


@rule
def linear(regret: Numbers, instant: Numbers, strategy: Numbers, t: float) -> None:
    """The discount of linear CFR, which needs t."""
    total = 0.0
    for a in range(len(regret)):
        regret[a] = regret[a] * ((t - 1.0) / (t - 1.0 + 1.0)) + instant[a]
        total += max(regret[a], 0.0)
    for a in range(len(regret)):
        strategy[a] = max(regret[a], 0.0) / total if total > 0.0 else 1.0 / len(regret)


def all_bytes(solver: Solver) -> bytes:
    return b"".join(array.tobytes() for side in solver.sides for array in (side.regret, side.total, side.strategy))


@pytest.mark.parametrize("game", ["kuhn", "rps", "goofspiel(cards=3)"])
@pytest.mark.parametrize(
    ("own", "parts", "built_in"),
    [
        (matching, {}, "cfr(ties=0)"),
        (matching, {"feedback": "chance"}, "cfr(feedback=chance, ties=0)"),
        (matching, {"schedule": "alternating"}, "cfr(schedule=alternating, ties=0)"),
        (linear, {}, "cfr(alpha=1, beta=1, ties=0)"),
    ],
)
def test_a_built_in_rule_written_again_gives_its_numbers_to_the_last_bit(
    own: CustomRule, parts: dict[str, str], built_in: str, game: str
) -> None:
    changes: dict[str, Any] = dict(parts) | {"ties": Fraction(0)}
    mine, theirs = Solver(game, replace(recipe(own), **changes)), Solver(game, built_in)
    mine.advance(100)
    theirs.advance(100)
    assert all_bytes(mine) == all_bytes(theirs)


def test_it_is_a_recipe_like_any_other(tmp_path: Path) -> None:
    solution = solve("kuhn", matching, iterations=100)
    assert solution.recipe.name == "matching"
    assert solution.recipe.status == "experimental"
    assert solution.recipe.parts["rule"] == "matching"
    assert solution.exploitability == pytest.approx(solve("kuhn", "cfr", iterations=100).exploitability)
    solution.save(tmp_path / "run.npz")
    longer = solve("kuhn", matching, iterations=200, resume=tmp_path / "run.npz")
    assert longer.exploitability == solve("kuhn", matching, iterations=200).exploitability
    with pytest.raises(UserError, match="unknown recipe 'matching'"):
        Solution.load(tmp_path / "run.npz")
    assert learner(recipe(matching), 2).observe([1.0, 0.0]).tolist() == [0, 1]


SOURCE = """
import regretlab as rl

@rl.rule
def greedy(regret, instant, strategy, t):
    best = 0
    for a in range(len(regret)):
        regret[a] += instant[a]
        strategy[a] = 0.0
        if regret[a] > regret[best]:
            best = a
    strategy[best] = 1.0

not_a_rule = 3
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "my_rules.py"
    path.write_text(SOURCE)
    return path


def test_a_rule_in_a_file_is_found_by_name_and_takes_arguments(rules: Path, tmp_path: Path) -> None:
    name = f"{rules}:greedy(averaging=linear, schedule=alternating)"
    solution = solve("rps", name, iterations=50)
    assert solution.recipe.name == name
    assert recipe(name).name == name
    solution.save(tmp_path / "run.npz")
    with pytest.raises(UserError, match="is in a file of its own"):
        Solution.load(tmp_path / "run.npz")
    more = solve("rps", name, iterations=80, resume=tmp_path / "run.npz")
    assert more.strategy.arrays[0].tolist() == solve("rps", name, iterations=80).strategy.arrays[0].tolist()


@pytest.mark.parametrize(
    ("thing", "complaint"),
    [
        ("gredy", "did you mean 'greedy'?"),
        ("not_a_rule", "is no rule; decorate the function with @regretlab.rule"),
        ("greedy(weigh=hedge)", "unknown part of"),
        ("greedy(delay=-1)", "delay=-1 must be a whole number"),
        ("", "name the rule in it as well"),
    ],
)
def test_what_is_wrong_with_a_rule_in_a_file_is_named(rules: Path, thing: str, complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        recipe(f"{rules}:{thing}")
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def nan(regret: Numbers, instant: Numbers, strategy: Numbers, t: float) -> None:
    strategy[:] = math.nan


def negative(regret: Numbers, instant: Numbers, strategy: Numbers, t: float) -> None:
    strategy[:] = 1.0 / (len(strategy) - 0.5) if len(strategy) == 1 else -1.0


def too_much(regret: Numbers, instant: Numbers, strategy: Numbers, t: float) -> None:
    strategy[:] = 1.0


def wrong_shape(regret: Numbers, instant: Numbers, strategy: Numbers, t: float) -> None:
    strategy[:] = np.ones(len(strategy) + 2)


def returns(regret: Numbers, instant: Numbers, strategy: Numbers, t: float) -> Numbers:
    return strategy * 0 + 1 / len(strategy)


def endless(regret: Numbers, instant: Numbers, strategy: Numbers, t: float) -> None:
    regret[:] = math.inf


def too_few(regret: Numbers, instant: Numbers) -> None:
    pass


def rebinds(regret: Numbers, instant: Numbers, strategy: Numbers, t: float) -> None:
    for a in range(len(regret)):
        regret[a] += instant[a]
    strategy = np.maximum(regret, 0)
    strategy = strategy / strategy.sum()


def rebinds_one_of_two(regret: Numbers, instant: Numbers, weights: Numbers, t: float) -> None:
    best, weights = 0, np.zeros(len(regret))
    weights[best] = 1


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (nan, "the strategy [nan] has numbers that are not finite"),
        (negative, "sums to 2, not to 1"),
        (too_much, "sums to 2, not to 1"),
        (wrong_shape, "fails on regret [0]"),
        (returns, "it should write into strategy instead"),
        (endless, "regrets [inf] are not finite"),
        (rebinds, "makes strategy another thing instead of writing into it"),
        (rebinds_one_of_two, "makes weights another thing instead of writing into it"),
        (too_few, "write a function rule(regret, instant, strategy, t)"),
        (3, "write a function rule(regret, instant, strategy, t)"),
    ],
)
def test_a_rule_that_goes_wrong_on_trial_is_told_in_one_line(function: Callable[..., None], complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        recipe(rule(function))
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_rule_that_goes_wrong_in_the_middle_of_a_run_stops_it() -> None:
    @rule
    def late(regret: Numbers, instant: Numbers, strategy: Numbers, t: float) -> None:
        for a in range(len(strategy)):
            strategy[a] = 1.0 / len(strategy) if t < 30 else math.nan

    seen: list[int] = []
    with pytest.raises(UserError) as caught:
        solve("kuhn", late, iterations=1_000, callback=lambda progress: seen.append(progress.iteration))
    assert (
        str(caught.value)
        == "late, iteration 30, information set 'J': the strategy [nan, nan] has numbers that are not finite"
    )
    assert not seen or max(seen) < 64


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ((-300.0, 301.0), "the strategy [-300, 301] has negative probabilities"),
        ((math.nan, 1.0), "the strategy [nan, 1] has numbers that are not finite"),
        ((0.5, 0.75), "the strategy [0.5, 0.75] sums to 1.25, not to 1"),
    ],
)
@pytest.mark.parametrize("parts", ["", "schedule=alternating", "feedback=chance", "feedback=external"])
def test_a_rule_that_goes_wrong_in_a_single_iteration_is_noticed(
    wrong: tuple[float, float], problem: str, parts: str
) -> None:
    first, second = wrong

    @rule
    def once(regret: Numbers, instant: Numbers, strategy: Numbers, t: float) -> None:
        strategy[:] = 1.0 / len(strategy)
        if t == 777 and len(strategy) == 2:
            strategy[0], strategy[1] = first, second

    solver = Solver("kuhn", replace(recipe(once), **dict(part.split("=") for part in parts.split(", ") if part)))
    with pytest.raises(UserError) as caught:
        solver.advance(1_000)
    assert "iteration 777, information set '" in str(caught.value)
    assert str(caught.value).endswith(f": {problem}")


def test_a_learner_notices_a_rule_that_goes_wrong() -> None:
    @rule
    def once(regret: Numbers, instant: Numbers, strategy: Numbers, t: float) -> None:
        strategy[:] = 1.0 / len(strategy) if t < 30 else 2.0

    player = learner(recipe(once), 2)
    for _ in range(29):
        player.observe([0.0, 1.0])
    with pytest.raises(UserError, match=r"in round 30: the strategy \[2, 2\] sums to 4, not to 1"):
        player.observe([0.0, 1.0])


def test_a_faulty_rule_in_a_file_does_not_block_the_others(tmp_path: Path) -> None:
    path = tmp_path / "rules.py"
    path.write_text(
        "import regretlab as rl\n\n@rl.rule\ndef faulty(regret, instant, strategy, t):\n    strategy[:] = -1\n\n"
        "@rl.rule\ndef too_few(regret):\n    pass\n\n" + SOURCE
    )
    assert solve("rps", f"{path}:greedy", iterations=10).iterations == 10
    with pytest.raises(UserError, match="rule 'faulty' on regret"):
        solve("rps", f"{path}:faulty", iterations=10)
    with pytest.raises(UserError, match="is no rule; write a function"):
        solve("rps", f"{path}:too_few", iterations=10)


def test_a_rule_that_can_not_be_compiled_is_told_in_one_line() -> None:
    @rule
    def unusual(regret: Numbers, instant: Numbers, strategy: Numbers, t: float) -> None:
        strategy[:] = 1 / len(list(str(len(strategy)) * len(strategy)))
        open  # noqa: B018
        print(open)

    with pytest.raises(UserError) as caught:
        solve("kuhn", unusual, iterations=1)
    assert "rule 'unusual' can't be compiled" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_strategy_is_said_in_words() -> None:
    assert fault(np.array([0.25, 0.75])) == ""
    assert "negative" in fault(np.array([1.5, -0.5]))
    assert "not finite" in fault(np.array([math.inf, 0.0]))
    assert "sums to 0.9" in fault(np.array([0.9, 0.0]))
