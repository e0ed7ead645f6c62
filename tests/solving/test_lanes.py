"""Solving on lanes: the same runs as by histories, for every recipe that sees everything."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from both_forms import assert_same_run, both_forms, run
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from random_public_games import RandomPublicGame, random_public_games

import regretlab as rl
from regretlab.errors import UserError
from regretlab.evaluation import best_response
from regretlab.forms import as_form, form_name, form_to_solve
from regretlab.games import Kuhn, LiarsDice
from regretlab.reference import (
    InformationSet,
    InformationSetNH,
    InformationSetNHPlus,
    InformationSetPlus,
    Trainer,
)
from regretlab.rules import ACCUMULATIONS, WEIGHINGS
from regretlab.solving import RECIPES, Solution, Solver, solve
from regretlab.solving.schedule import SCHEDULES

FULL = [name for name, row in RECIPES.items() if row.feedback == "full"]

GAMES = [
    ("kuhn", "dense"),
    ("kuhn(cards=13, bet=1/3)", "sorted"),
    ("kuhn(cards=70)", "sorted"),
    ("leduc", "dense"),
    ("leduc", "sorted"),
    ("leduc(merge_suits=yes)", "dense"),
    ("liars_dice(sides=3)", "dense"),
    ("liars_dice(sides=4)", "dense"),
    ("liars_dice(dice=2, sides=2)", "dense"),
]

forms_of = cache(both_forms)


@pytest.mark.parametrize(("game", "kind"), GAMES)
def test_a_hundred_iterations_of_every_recipe_are_the_same_in_both_forms(game: str, kind: str) -> None:
    for recipe in FULL:
        if not game.startswith("leduc"):
            assert_same_run(*forms_of(game, kind), recipe, 100, 1e-9)
            continue
        assert_same_run(*forms_of(game, kind), recipe, 30, 1e-9)
        # Leduc is chaotic: by histories alone, a start that is moved in the last digit may move all others by then.
        old, new = (run(form, recipe, 100).exploitability for form in forms_of(game, kind))
        nudged = Solver(forms_of(game, kind)[0], recipe)
        nudged.nudge(1)
        nudged.advance(100)
        moved = abs(nudged.evaluate().exploitability - old)
        assert abs(new - old) <= max(1e-9, 100 * moved), (recipe, new, old, moved)


every_combination = st.builds(
    "cfr(accumulate={}, weigh={}, schedule={}, averaging={}, delay={}, predict={}, alpha={}, beta={})".format,
    st.sampled_from(sorted(ACCUMULATIONS)),
    st.sampled_from(sorted(WEIGHINGS)),
    st.sampled_from(sorted(SCHEDULES)),
    st.sampled_from(["uniform", "linear", "t^1.5", "t^30-5t/n"]),
    st.integers(0, 5),
    st.sampled_from(["1", "1/3", "0"]),
    st.sampled_from(["none", "1.5", "1+3t/n"]),
    st.sampled_from(["none", "0", "-1-2t/n"]),
)


@pytest.mark.parametrize("kind", ["dense", "sorted"])
@settings(max_examples=40, phases=[Phase.generate])
@given(random_public_games(), st.sampled_from(FULL) | every_combination)
def test_thirty_iterations_on_random_games_are_the_same_in_both_forms(
    kind: str, game: RandomPublicGame, recipe: str
) -> None:
    assert_same_run(*both_forms(game, kind), recipe, 30, 1e-9)


def all_arrays(solver: Solver) -> bytes:
    """Everything that a run has, to the last bit."""
    names = ("regret", "total", "strategy", "plan", "memory")
    return b"".join(getattr(side, name).tobytes() for side in solver.sides for name in names)


SCRIPT = """
import hashlib
import regretlab as rl
from regretlab.evaluation import best_response
from regretlab.forms import form_to_solve, hand_kernels
from regretlab.solving import Solver

@rl.rule
def greedy(regret, instant, strategy, t):
    best = 0
    for a in range(len(regret)):
        regret[a] += instant[a] / t
        strategy[a] = 0.1 / len(regret)
        if regret[a] > regret[best]:
            best = a
    strategy[best] += 0.9

for most in (0, 64):
    hand_kernels.MOST_HANDS_IN_A_MATRIX = most
    for game in ("kuhn(cards=5, bet=1/3)", "kuhn(cards=35)", "leduc(ranks=2)", "leduc(merge_suits=yes, cap=1)"):
        form = form_to_solve(game, "lanes")
        for precision in ("f64", "f32"):
            for recipe in ("cfr+", "pdcfr+", "normalhedge+", "hedge", greedy):
                solver = Solver(form, recipe, precision=precision, cores=2)
                solver.advance(5)
                digest = hashlib.sha256()
                for side in solver.sides:
                    for array in (side.regret, side.total, side.strategy, side.plan, side.memory):
                        digest.update(array.tobytes())
                digest.update(repr((solver.evaluate(), best_response(form, solver.average, 1))).encode())
                print(most, game, precision, solver.recipe.name, digest.hexdigest())
"""


def test_with_and_without_the_compiler_the_bytes_are_the_same() -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", SCRIPT],
            env=os.environ | {"NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for disabled in ("0", "1")
    ]
    assert outputs[0] == outputs[1]
    assert len(set(outputs[0])) == 2 * 4 * 2 * 5


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize(
    ("game", "recipe"), [("leduc", "pdcfr+"), ("kuhn(cards=70)", "normalhedge+"), ("liars_dice(sides=3)", "hedge")]
)
def test_a_run_that_is_stopped_saved_and_resumed_goes_on_to_the_last_bit(
    game: str, recipe: str, precision: str, tmp_path: Path
) -> None:
    whole = Solver(game, recipe, form="lanes", precision=precision)
    whole.run(60)
    solve(game, recipe, iterations=25, form="lanes", precision=precision, save=tmp_path / "run.npz")
    saved = Solution.load(tmp_path / "run.npz")
    assert (saved.precision, form_name(saved.form)) == (precision, "lanes")
    resumed = Solver.resume(saved)
    resumed.run(60)
    assert resumed.sides[0].regret.dtype == {"f64": np.float64, "f32": np.float32}[precision]
    assert all_arrays(resumed) == all_arrays(whole)
    assert resumed.history == whole.history
    again = solve(game, recipe, iterations=60, resume=tmp_path / "run.npz")
    assert again.strategy.arrays[0].tobytes() == whole.average.arrays[0].tobytes()


def test_single_precision_is_near_to_double() -> None:
    single, double = (solve("leduc", "cfr+", iterations=300, precision=precision) for precision in ("f32", "f64"))
    assert single.as_dict()["precision"] == "f32"
    assert single.exploitability == pytest.approx(double.exploitability, rel=0.3)
    assert single.value == pytest.approx(double.value, abs=1e-2)
    for strategy in (single.current, single.strategy):  # sums of single numbers are not quite 1
        assert rl.exploitability("leduc", strategy) == pytest.approx(rl.exploitability(single.form, strategy))


def test_a_file_goes_on_in_the_form_that_it_was_saved_in(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    solve("leduc", "cfr+", iterations=10, form="histories", save=path)
    assert form_name(form_to_solve("leduc")) == "lanes"
    assert form_name(Solution.load(path).form) == form_name(Solution.load(path, "leduc").form) == "histories"
    longer = solve("leduc", "cfr+", iterations=20, resume=path)
    assert form_name(longer.form) == "histories"
    whole = solve("leduc", "cfr+", iterations=20, form="histories")
    assert longer.strategy.arrays[1].tobytes() == whole.strategy.arrays[1].tobytes()
    with pytest.raises(UserError, match="the saved run has form=histories; it can't be changed"):
        solve("leduc", "cfr+", iterations=30, resume=path, form="lanes")


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"precision": "f16"}, "is damaged"),
        ({"precision": ["f32"]}, "is damaged"),
        ({"form": "lames"}, "unknown form 'lames'; did you mean 'lanes'?"),
        ({"form": None}, None),
        ({"form": 3}, "unknown form '3'"),
        ({"form": "histories"}, "is not the same game"),
    ],
)
def test_a_damaged_file_is_one_line(changes: dict[str, Any], complaint: str | None, tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    solve("leduc(ranks=2)", "cfr+", iterations=3, form="lanes", save=path)
    with np.load(path) as file:
        arrays = dict(file)
    about = json.loads(arrays["about"].tobytes()) | changes
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    np.savez(path, **arrays)
    if complaint is None:
        Solution.load(path)
        return
    with pytest.raises(UserError) as caught:
        Solution.load(path)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("ask", "complaint"),
    [
        (
            lambda: Solver("leduc", form="lane"),
            "unknown form 'lane'; did you mean 'lanes'? There are: lanes, histories",
        ),
        (
            lambda: Solver("leduc", precision="f46"),
            "unknown precision 'f46'; did you mean 'f64'? There are: f64, f32, 16bit",
        ),
        (lambda: Solver("goofspiel(cards=3)", form="lanes"), "goofspiel(cards=3) has no hands (it is no PublicGame)"),
        (lambda: Solver("leduc", "external-sampling", form="lanes"), "external-sampling walks through histories"),
        (lambda: Solver("leduc", "cfr(feedback=chance)", form="lanes"), "walks through histories; form=lanes has none"),
        (lambda: Solver("leduc", form="histories", precision="f32"), "precision=f32 is for games on lanes; leduc is"),
        (lambda: Solver("leduc", precision="16bit"), "precision=16bit is for Hold'em, in blocks; leduc is solved in"),
        (lambda: Solver("rps", precision="f32"), "precision=f32 is for games on lanes; rps is solved by its histories"),
        (lambda: Solver(rl.compile("leduc"), form="lanes"), "leduc is compiled by histories already"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(ask: Callable[[], Solver], complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        ask()
    assert complaint in str(caught.value)


def test_people_see_no_difference(tmp_path: Path) -> None:
    """Labels, dictionaries, judges: whichever form a run has."""
    lanes, histories = (solve("leduc", "cfr+", iterations=30, form=form) for form in ("lanes", "histories"))
    assert lanes.strategy["Qs cb"] == pytest.approx(histories.strategy["Qs cb"])
    assert list(lanes.strategy["Qs cb"]) == ["fold", "call", "raise"]
    assert set(lanes.strategy) == set(histories.strategy)
    assert len(lanes.strategy) == len(histories.strategy) == 936
    with pytest.raises(KeyError, match="nothing of the kind"):
        lanes.strategy["nothing of the kind"]
    plain = {label: dict(row) for label, row in lanes.strategy.items()}
    for judged in (plain, lanes.strategy, lanes, histories):
        assert rl.exploitability("leduc", judged) == pytest.approx(lanes.exploitability)
        assert rl.exploitability(histories.form, judged) == pytest.approx(lanes.exploitability)
        assert rl.exploitability(lanes.form, judged) == pytest.approx(lanes.exploitability)
    ours, theirs = (best_response(form, plain, 1) for form in (lanes.form, histories.form))
    assert ours.value == pytest.approx(theirs.value)
    assert ours.action_values["Qs cbc Kh c"] == pytest.approx(theirs.action_values["Qs cbc Kh c"])
    assert [point.iteration for point in lanes.history] == [point.iteration for point in histories.history]
    assert [point.exploitability for point in lanes.history] == pytest.approx(
        [point.exploitability for point in histories.history]
    )
    with pytest.raises(UserError, match="unknown information set 'Qs bc'"):
        rl.exploitability("leduc", plain | {"Qs bc": {"call": 1.0}})
    with pytest.raises(UserError, match="says nothing about information set 'Qs'"):
        rl.exploitability("leduc", {label: row for label, row in plain.items() if label != "Qs"})


@pytest.mark.parametrize("name", ["cfr", "cfr+", "normalhedge", "normalhedge+"])
def test_the_textbook_finds_the_same(name: str) -> None:
    classes = {
        "cfr": InformationSet,
        "cfr+": InformationSetPlus,
        "normalhedge": InformationSetNH,
        "normalhedge+": InformationSetNHPlus,
    }
    for game in (Kuhn(cards=5, bet=Fraction(1, 3)), LiarsDice(sides=2)):
        solver = Solver(game, f"{name}(schedule=alternating, averaging=linear)", form="lanes")
        trainer = Trainer(game, classes[name], schedule="alternating", averaging="linear", deals="all")
        solver.advance(50)
        trainer.train(50)
        profile, solution = trainer.get_strategy_profile(), solver.solution()
        assert profile.keys() == set(solution.strategy)
        for label, row in profile.items():
            assert solution.strategy[label] == pytest.approx(row, abs=1e-9), label


@pytest.mark.parametrize(
    ("game", "theirs"), [("leduc", "leduc_poker"), ("liars_dice(sides=4)", "liars_dice(dice_sides=4)")]
)
def test_openspiels_form_gives_the_same(game: str, theirs: str) -> None:
    pytest.importorskip("pyspiel")
    lanes, other = run(form_to_solve(game, "lanes"), "cfr+", 60), run(as_form(f"openspiel:{theirs}"), "cfr+", 60)
    assert lanes.exploitability == pytest.approx(other.exploitability, rel=1e-6)
    assert lanes.value == pytest.approx(other.value, rel=1e-6)


@pytest.mark.parametrize("form", ["lanes", "histories"])
def test_a_game_in_which_nobody_acts_is_solved_at_once(form: str) -> None:
    solution = run(form_to_solve(RandomPublicGame(40), form), "cfr+", 2)
    assert (len(solution.strategy), solution.exploitability) == (0, pytest.approx(0, abs=1e-12))
    assert (solution.zero_regrets, solution.never_played) == (0, 0)
