"""The same game in several forms gives the same figures, wherever the run does not depend on its last digits."""

from __future__ import annotations

import numpy as np
import pytest

import regretlab as rl
from regretlab.forms import as_form
from regretlab.solving import Solver
from studies.rounding import FEW, OF_THE_STUDY, SAME_GAMES, apart, figures, form_of, other_forms, permuted, scaled

UNSTABLE = {"Leduc", "battleship, 2 × 2"}
"""Leduc is chaotic; on the larger battleship the symmetric run is so unstable that rounding leaves it at once."""

GROWING = {("battleship, 4 × 1", "cfr"): 1e-5}
"""There a difference grows slowly, and has reached 1e-6 after 1,000 iterations."""


@pytest.mark.parametrize("name", [name for name in OF_THE_STUDY if name not in UNSTABLE])
def test_figures_do_not_depend_on_the_form(name: str) -> None:
    """Another order of everything, other stakes, and OpenSpiel's form where it has the game."""
    if OF_THE_STUDY[name].startswith("openspiel") or name in SAME_GAMES:
        pytest.importorskip("pyspiel")
    others = other_forms(name, OF_THE_STUDY[name])
    for recipe in FEW:
        assert max(apart(form_of(OF_THE_STUDY[name]), others, recipe)) < GROWING.get((name, recipe), 1e-6), recipe


@pytest.mark.parametrize(("recipe", "iterations"), [("cfr", 100), ("cfr+", 100), ("dcfr", 50), ("pdcfr+", 100)])
def test_leduc_has_the_same_figures_in_all_forms_until_chaos_shows(recipe: str, iterations: int) -> None:
    pytest.importorskip("pyspiel")
    form = form_of("leduc")
    (usual,) = figures(form, recipe, [iterations])
    for other, stakes in other_forms("Leduc", "leduc"):
        assert figures(other, recipe, [iterations])[0] / stakes == pytest.approx(usual, rel=1e-6)


def test_then_they_part() -> None:
    """So the games that are left out above are left out for a reason."""
    form = form_of("leduc")
    assert figures(permuted(form), "dcfr", [1_000]) != pytest.approx(figures(form, "dcfr", [1_000]), rel=1e-3)


@pytest.mark.parametrize("game", ["kuhn(cards=5)", "leduc(merge_suits=yes)", "goofspiel(cards=3)"])
def test_a_permuted_form_is_the_same_game_in_another_order(game: str) -> None:
    form = as_form(game)
    moved = permuted(form, seed=3)
    assert rl.nash(moved).value == pytest.approx(rl.nash(form).value, abs=1e-9)
    assert float(rl.nash(scaled(form)).value) == pytest.approx(3 * float(rl.nash(form).value), abs=1e-9)
    for old, new in zip(form.treeplexes, moved.treeplexes, strict=True):
        assert sorted(old.labels) == sorted(new.labels) != list(new.labels)
        owner = np.repeat(np.arange(new.infosets), np.diff(new.first.astype(int)))
        for i, parent in enumerate(new.parent.tolist()):
            assert parent == 0 or owner[parent - 1] < i, "parents before children"
            j = old.index[new.labels[i]]
            assert sorted(new.actions[i]) == sorted(old.actions[j])
    # A strategy given by labels and actions is worth the same in both.
    solver = Solver(form, "cfr")
    solver.advance(7)
    given = {label: dict(actions) for label, actions in solver.average.items()}
    assert rl.exploitability(moved, given) == pytest.approx(rl.exploitability(form, given))
    assert figures(moved, "cfr+", [20]) == pytest.approx(figures(form, "cfr+", [20]))
