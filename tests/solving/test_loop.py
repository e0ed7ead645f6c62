"""The plain loop, the fused kernel and Python without a compiler: the same numbers to the last bit."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import RandomGame, general_sum_games, random_form, random_games

from regretlab.feedback.registry import FEEDBACKS
from regretlab.forms import Payoff, SequenceForm, as_form
from regretlab.forms.kernel import Floats
from regretlab.rules import ACCUMULATIONS, WEIGHINGS
from regretlab.solving import RECIPES, Solver, loop
from regretlab.solving import recipe as recipe_of
from regretlab.solving.schedule import SCHEDULES
from regretlab.solving.steps import steps, update_of

TABLES = [name for name, kind in FEEDBACKS.items() if not kind.trains]

every_combination = st.builds(
    (
        "cfr(accumulate={}, weigh={}, schedule={}, feedback={}, averaging={}, delay={}, predict={}, alpha={}, beta={})"
    ).format,
    st.sampled_from(sorted(ACCUMULATIONS)),
    st.sampled_from(sorted(WEIGHINGS)),
    st.sampled_from(sorted(SCHEDULES)),
    st.sampled_from(TABLES),
    st.sampled_from(["uniform", "linear", "t^1.5", "t^30-5t/n"]),
    st.integers(0, 5),
    st.sampled_from(["yes", "no"]),
    st.sampled_from(["none", "1.5", "1+3t/n"]),
    st.sampled_from(["none", "0", "-1-2t/n"]),
)


LOOPED = sorted(name for name, row in RECIPES.items() if row.feedback == "full" and recipe_of(name).restart is None)
"""Recipes that the loop alone carries out; restarts come between its calls."""


def all_bytes(solver: Solver) -> bytes:
    earned = b"" if solver.feedback.earned is None else solver.feedback.earned.tobytes()
    return earned + b"".join(
        array.tobytes() for side in solver.sides for array in (side.regret, side.total, side.strategy, side.memory)
    )


def advance_plainly(solver: Solver, iterations: int) -> None:
    """The loop that people read, in place of the kernel."""
    schedule, rows = (
        SCHEDULES[solver.recipe.schedule],
        steps(solver.recipe, solver.iteration, iterations, solver.feedback.size),
    )
    loop.advance(solver.feedback, schedule, update_of(solver.recipe), rows)
    solver.iteration += iterations


def both_ways(form: SequenceForm, recipe: str, iterations: int) -> tuple[bytes, bytes]:
    plain, fused = Solver(form, recipe, seed=3), Solver(form, recipe, seed=3)
    advance_plainly(plain, iterations)
    fused.advance(iterations)
    return all_bytes(plain), all_bytes(fused)


@settings(max_examples=60)
@given(every_combination)
def test_fused_and_plain_agree_on_kuhn_to_the_last_bit(recipe: str) -> None:
    plain, fused = both_ways(as_form("kuhn"), recipe, 50)
    assert plain == fused


@settings(max_examples=40)
@given(random_games() | general_sum_games(), every_combination)
def test_fused_and_plain_agree_on_random_games_to_the_last_bit(game: RandomGame, recipe: str) -> None:
    plain, fused = both_ways(as_form(game), recipe, 30)
    assert plain == fused


@given(st.integers(0, 1_000), st.sampled_from(LOOPED))
def test_fused_and_plain_agree_on_random_forms_to_the_last_bit(seed: int, recipe: str) -> None:
    plain, fused = both_ways(random_form(np.random.default_rng(seed)), recipe, 30)
    assert plain == fused


@given(every_combination, st.lists(st.integers(1, 20), min_size=1, max_size=5))
def test_where_a_run_is_cut_changes_no_bit(recipe: str, pieces: list[int]) -> None:
    whole, cut = Solver("kuhn", recipe, seed=1), Solver("kuhn", recipe, seed=1)
    whole.advance(sum(pieces))
    for piece in pieces:
        cut.advance(piece)
    assert all_bytes(whole) == all_bytes(cut)


@dataclass(frozen=True, eq=False)
class OtherPayoff:
    """A payoff that is not the sparse one, as a game with a structure of its own would bring."""

    behind: Payoff
    entries: int = 0
    nbytes: int = 0
    sparse: None = None
    zero_sum: bool = True

    @property
    def size(self) -> float:
        return self.behind.size

    def gradient(self, player: int, plan: Floats, out: Floats) -> None:
        self.behind.gradient(player, plan, out)

    def fingerprint(self) -> bytes:
        return self.behind.fingerprint()


def test_any_payoff_goes_through_the_plain_loop() -> None:
    form = as_form("kuhn")
    other = SequenceForm(form.name, form.treeplexes, OtherPayoff(form.payoff), form.tree)
    ours, theirs = Solver(form, "cfr+"), Solver(other, "cfr+")
    ours.advance(100)
    theirs.advance(100)
    assert all_bytes(ours) == all_bytes(theirs)


SCRIPT = """
import hashlib, sys
from regretlab.solving import RECIPES, Solver, recipe
from regretlab.feedback.registry import FEEDBACKS
for name in RECIPES:
    for feedback in (name for name, kind in FEEDBACKS.items() if not kind.trains):
        if feedback != "full" and recipe(name).restart is not None:
            continue
        solver = Solver("kuhn(ante=1, bet=1/3)", f"{name}(feedback={feedback})", seed=5, cores=2)
        solver.advance(60)
        digest = hashlib.sha256()
        for side in solver.sides:
            for array in (side.regret, side.total, side.strategy):
                digest.update(array.tobytes())
        digest.update(repr(solver.evaluate()).encode())
        print(name, feedback, digest.hexdigest())
"""


def test_with_and_without_the_compiler_the_bytes_are_the_same() -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", SCRIPT],
            env=os.environ | {"NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    ]
    assert outputs[0] == outputs[1]
    restarted = [name for name in RECIPES if recipe_of(name).restart is not None]  # with full feedback alone
    assert outputs[0].count("\n") == len(TABLES) * len(RECIPES) - (len(TABLES) - 1) * len(restarted)
