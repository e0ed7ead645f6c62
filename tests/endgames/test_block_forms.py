"""Blocks against lanes and histories: three ways to compile a spot, in which every recipe learns the same numbers."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from regretlab.endgames import Spot, holdem
from regretlab.evaluation import evaluate
from regretlab.forms import AnyForm, form_to_solve
from regretlab.rules import CustomRule, rule
from regretlab.solving import RECIPES, Solution, Solver, solve

ITERATIONS = 20

PRECISIONS = ["f64", "f32", "16bit"]

NEAR = 1e-9
"""Relative to the largest number: what the order of additions may change in 20 iterations."""

FULL = [name for name, recipe in RECIPES.items() if recipe.feedback == "full" and recipe.restart is None]


def river(**changes: object) -> Spot:
    fields: dict[str, object] = {
        "board": "QsJh2h8d3c",
        "pot": 20,
        "stack": 70,
        "oop": "AsKs,9h9d:0.5,AhQh,QhJs,7c6c:0.3",
        "ip": "QdQc,7h6h,AhKh:0.7,Td9d,AcJc",
        "bets": "50%, a",
        "raises": "a",
        "merge_suits": False,
    }
    return holdem(**(fields | changes))


def turn(**changes: object) -> Spot:
    return river(
        board="QsJh2h8d", oop="AsKs,9h9d:0.5,AhQh", ip="QdQc,7h6h,AhKh:0.7", bets="50%", raise_cap=1, **changes
    )


@cache
def compiled(street: str, form: str | None = None) -> AnyForm:
    """A spot in blocks unless another form is named; compiled once."""
    return form_to_solve(river() if street == "river" else turn(), form)


@rule
def leaning(regret, instant, strategy, t):  # type: ignore[no-untyped-def]
    """Mostly the best action so far."""
    best = 0
    for a in range(len(regret)):
        regret[a] += instant[a] / t
        strategy[a] = 0.1 / len(regret)
        if regret[a] > regret[best]:
            best = a
    strategy[best] += 0.9


def numbers(solution: Solution, which: str, labels: list[str]) -> np.ndarray:
    labelled = getattr(solution, which)
    return np.array([value for label in labels for _, value in sorted(labelled[label].items())])


def compare(ours: Solution, theirs: Solution, which: tuple[str, ...] = ("regrets", "totals", "strategy")) -> None:
    labels = sorted(label for treeplex in theirs.form.treeplexes for label in treeplex.labels)
    assert set(labels) <= {label for treeplex in ours.form.treeplexes for label in treeplex.labels}
    for each in which:
        mine, other = numbers(ours, each, labels), numbers(theirs, each, labels)
        np.testing.assert_allclose(mine, other, rtol=0, atol=NEAR * np.abs(other).max(), err_msg=each)


# The same numbers.


@pytest.mark.parametrize("schedule", ["simultaneous", "alternating", "one-player"])
@pytest.mark.parametrize("name", FULL)
def test_blocks_learn_what_histories_and_lanes_learn_on_a_river(name: str, schedule: str) -> None:
    recipe = f"{name}(schedule={schedule})"
    ours = solve(compiled("river"), recipe, iterations=ITERATIONS)
    for form in ("histories", "lanes"):
        compare(ours, solve(compiled("river", form), recipe, iterations=ITERATIONS))


@pytest.mark.parametrize("name", FULL)
def test_blocks_learn_what_histories_learn_on_a_turn(name: str) -> None:
    ours, theirs = (solve(compiled("turn", form), name, iterations=ITERATIONS) for form in (None, "histories"))
    compare(ours, theirs)


@pytest.mark.parametrize("name", ["dcfr", "pcfr+", "normalhedge+"])
def test_blocks_learn_what_histories_learn_with_rake(name: str) -> None:
    spot = river(rake="5%", rake_cap=3)
    compare(solve(spot, name, iterations=ITERATIONS), solve(spot, name, iterations=ITERATIONS, form="histories"))


def test_blocks_learn_what_histories_learn_by_a_rule_of_ones_own() -> None:
    ours, theirs = (solve(compiled("turn", form), leaning, iterations=ITERATIONS) for form in (None, "histories"))
    compare(ours, theirs)


# Precision.


# NormalHedge and rules that look for the best action jump where regrets are 0, which single precision rarely meets.
@pytest.mark.parametrize("name", ["dcfr", "pcfr+", "cfr+"])
@pytest.mark.parametrize("spot", [river(), turn()], ids=["river", "turn"])
def test_single_precision_is_near(name: str, spot: Spot) -> None:
    double, single = (solve(spot, name, iterations=100, precision=each) for each in ("f64", "f32"))
    assert single.value == pytest.approx(double.value, abs=1e-3 * spot.pot)
    assert single.exploitability == pytest.approx(double.exploitability, abs=1e-3 * spot.pot)
    assert single.totals.arrays[0].dtype == np.float32
    # The judge works in double precision on what is stored.
    assert evaluate(single.form, single.strategy).value == single.value != double.value


@pytest.mark.parametrize("name", ["dcfr", "cfr+", "lcfr", "pcfr+", "normalhedge+", "pdcfr+"])
@pytest.mark.parametrize("spot", [river(), turn()], ids=["river", "turn"])
def test_sixteen_bits_solve_as_well(name: str, spot: Spot) -> None:
    double, packed = (solve(spot, name, iterations=200, precision=each) for each in ("f64", "16bit"))
    assert packed.value == pytest.approx(double.value, abs=2e-3 * spot.pot)
    assert packed.exploitability == pytest.approx(double.exploitability, abs=2e-3 * spot.pot)
    assert packed.totals.arrays[0].dtype == np.int16
    assert evaluate(packed.form, packed.strategy).value == packed.value != double.value


def test_sixteen_bits_take_half_of_what_single_precision_takes() -> None:
    single, packed = (Solver(turn(), "dcfr", precision=each) for each in ("f32", "16bit"))
    kept = [sum(side.regret.nbytes + side.total.nbytes for side in solver.sides) for solver in (single, packed)]
    assert kept[1] == kept[0] * 65 / 128  # a power of two for each row of 64


# The same bits.


def bits(solver: Solver) -> list[bytes]:
    return [array.tobytes() for side in solver.sides for array in (side.regret, side.total, side.strategy, side.memory)]


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("recipe", ["dcfr", "pcfr+", leaning], ids=str)
def test_two_cores_find_the_same_bits_as_one(recipe: str | CustomRule, precision: str) -> None:
    solvers = [Solver(turn(), recipe, precision=precision, cores=cores) for cores in (1, 2)]
    for solver in solvers:
        solver.advance(7)
    assert bits(solvers[0]) == bits(solvers[1])


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("recipe", ["dcfr", "pcfr+", "normalhedge+", leaning], ids=str)
@pytest.mark.parametrize("spot", [river(merge_suits=True), turn(merge_suits=True)], ids=["river", "turn"])
def test_a_run_that_is_stopped_saved_and_resumed_goes_on_to_the_last_bit(
    spot: Spot, recipe: str | CustomRule, precision: str, tmp_path: Path
) -> None:
    whole = Solver(spot, recipe, precision=precision)
    whole.run(30)
    path = tmp_path / "run.npz"
    solve(spot, recipe, iterations=1, precision=precision, save=path)
    for iterations in (2, 9, 17):
        solve(spot, recipe, iterations=iterations, resume=path, save=path)
    given = whole.recipe if isinstance(recipe, CustomRule) else None
    resumed = Solver.resume(Solution.load(path, spot, given))
    resumed.run(30)
    assert bits(resumed) == bits(whole)
    assert resumed.history == whole.history


SCRIPT = """
import hashlib
import regretlab as rl
from regretlab.solving import Solver

@rl.rule
def leaning(regret, instant, strategy, t):
    best = 0
    for a in range(len(regret)):
        regret[a] += instant[a] / t
        strategy[a] = 0.1 / len(regret)
        if regret[a] > regret[best]:
            best = a
    strategy[best] += 0.9

spot = rl.holdem(board="QsJh2h8d3c", pot=20, stack=20, oop="AsKs,9h9d:0.5,AhQh", ip="QdQc,7h6h,AhKh:0.7", bets="a",
                 raises="", lock={"bet 20": "QdQc: fold 0.3, call 0.7"})
for precision in ("f64", "f32", "16bit"):
    for recipe in ("dcfr", "pcfr+", "normalhedge+", leaning):
        solver = Solver(spot, recipe, precision=precision)
        solver.advance(3)
        digest = hashlib.sha256()
        for side in solver.sides:
            for array in (side.regret, side.total, side.strategy, side.memory):
                digest.update(array.tobytes())
        print(precision, solver.recipe.name, digest.hexdigest(), solver.evaluate())
"""


def test_with_and_without_the_compiler_the_bytes_are_the_same() -> None:
    # Places wrap below 0 and back again, of which plain Python tells.
    options = ["-W", "error", "-W", "ignore:overflow encountered:RuntimeWarning"]
    outputs = [
        subprocess.run(
            [sys.executable, *options, "-c", SCRIPT],
            env=os.environ | {"NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for disabled in ("0", "1")
    ]
    assert outputs[0] == outputs[1]
    assert len(set(outputs[0])) == 3 * 4


@pytest.mark.parametrize("name", ["river-polar", "turn-3bet"])
def test_rooms_are_as_large_as_is_promised(name: str) -> None:
    spot = holdem(name)
    size, layout = spot.block_size(), spot.blocks().layout
    for levels, promised in ((None, size.room), ([0], size.top), (layout.lower, size.lower)):
        room = layout.new_room("f64", levels)
        assert sum(part.size for part in room if part.dtype == np.float64) == promised
