"""Ties are ties: where actions are worth exactly the same, the engine does what exact arithmetic does, not rounding."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import RandomGame, random_games

import regretlab as rl
from regretlab.evaluation import exploitability
from regretlab.explaining.textbook import averaging, information_set
from regretlab.forms import SequenceForm, as_form
from regretlab.games import Game
from regretlab.games.registry import as_rules
from regretlab.reference import Trainer
from regretlab.reference.recursion import TIES as TEXTBOOK_TIES
from regretlab.rules import TIES
from regretlab.solving import Solver, recipe
from studies.rounding import permuted, scaled

BATTLESHIP = (
    "openspiel:battleship(board_width=2,board_height=2,ship_sizes=[2],ship_values=[1],num_shots=3,"
    "allow_repeated_shots=false)"
)
BLOTTO = "openspiel:blotto(players=2,coins=5,fields=3)"
RATIONAL = ["cfr", "cfr(schedule=alternating)", "cfr+", "lcfr", "pcfr+", "cfr(accumulate=clip, level=1/2)"]
RATIONAL += ["sapdcfr+(alpha=2)", "smooth-pcfr+(level=1/3)", "stable-pcfr+(level=1/3, predict=1/2)"]
"""Recipes whose every number is a fraction."""


def textbook(game: Game | str, name: str, exact: bool = True, **options: object) -> Trainer:
    """The textbook by a recipe, over all deals."""
    chosen = recipe(name)
    return Trainer(
        as_rules(game),
        information_set(chosen),
        schedule=chosen.schedule,
        averaging=averaging(chosen),
        deals="all",
        exact=exact,
        **options,  # type: ignore[arg-type]
    )


def check_against_fractions(game: Game | str, name: str, iterations: int, form: SequenceForm | None = None) -> None:
    """The engine and the textbook in floats have the exploitability of exact arithmetic, iteration by iteration."""
    form = form or as_form(game)
    oracle, floats, solver = textbook(game, name), textbook(game, name, exact=False), Solver(form, name)
    for _ in range(iterations):
        for go_on in (oracle.train, floats.train, solver.advance):
            go_on(1)
        exact = exploitability(form, oracle.get_strategy_profile())
        assert solver.evaluate().exploitability == pytest.approx(exact, abs=1e-9)
        assert exploitability(form, floats.get_strategy_profile()) == pytest.approx(exact, abs=1e-9)


@cache
def compiled(game: str) -> SequenceForm:
    return as_form(game)


@pytest.mark.parametrize(
    ("game", "name", "iterations"),
    [
        ("kuhn(cards=13, bet=7)", "lcfr", 5),
        ("kuhn(cards=13, bet=7)", "cfr+", 3),
        ("kuhn", "cfr(schedule=alternating)", 12),
        ("goofspiel(cards=4)", "cfr+", 3),
        ("goofspiel(cards=3)", "pcfr+", 6),
        ("goofspiel(cards=3)", "smooth-pcfr+", 6),
        ("kuhn", "sapdcfr+(alpha=2)", 8),
        ("leduc", "cfr(schedule=alternating)", 3),
        ("leduc", "cfr+", 3),
    ],
)
def test_games_with_ties_follow_exact_arithmetic(game: str, name: str, iterations: int) -> None:
    check_against_fractions(game, name, iterations, compiled(game))


@pytest.mark.parametrize("name", ["cfr(schedule=alternating)", "cfr+", "pcfr+"])
@pytest.mark.parametrize(("game", "iterations"), [(BATTLESHIP, 3), (BLOTTO, 6)])
def test_games_of_openspiel_with_ties_follow_exact_arithmetic(game: str, iterations: int, name: str) -> None:
    pytest.importorskip("pyspiel")
    check_against_fractions(game, name, iterations, compiled(game))


@settings(max_examples=20)
@given(random_games(), st.sampled_from(RATIONAL))
def test_games_with_duplicated_actions_follow_exact_arithmetic(game: RandomGame, name: str) -> None:
    check_against_fractions(Twice(game), name, 4)


class Twice:
    """A game in which a player's last action is always there twice: two names for the same thing, and all that follows.

    A state is one of the game's and, for each player, which of the own moves were copies: players remember that.
    """

    def __init__(self, game: RandomGame) -> None:
        self._game = game
        self.name = f"twice {game.name}"

    def root(self) -> Any:
        return self._game.root(), ("", "")

    def player(self, state: Any) -> int:
        return self._game.player(state[0])

    def actions(self, state: Any) -> tuple[str, ...]:
        names = tuple(self._game.actions(state[0]))
        return (*names, f"{names[-1]} again") if self.player(state) in (0, 1) else names

    def child(self, state: Any, action: int) -> Any:
        inner, marks = state
        count, player = len(self._game.actions(inner)), self.player(state)
        if player in (0, 1):
            mine = marks[player] + ("'" if action == count else ".")
            marks = (mine, marks[1]) if player == 0 else (marks[0], mine)
        return self._game.child(inner, min(action, count - 1)), marks

    def chance(self, state: Any) -> Any:
        return self._game.chance(state[0])

    def payoff(self, state: Any) -> Any:
        return self._game.payoff(state[0])

    def label(self, state: Any) -> str:
        return self._game.label(state[0]) + state[1][self.player(state)]


BATTLESHIP_FIGURES = {
    "cfr(schedule=alternating)": (0.03125, 0.003125, 0.0003125),
    "cfr+": (0.00644, 7.013e-5, 7.08e-7),
    "dcfr": (0.00119, 1.355e-6, 1.373e-9),
}


@pytest.mark.parametrize("name", BATTLESHIP_FIGURES)
def test_battleship_converges_as_its_algorithm_and_not_as_rounding_does(name: str) -> None:
    pytest.importorskip("pyspiel")
    solver = Solver(compiled(BATTLESHIP), name)
    found = []
    for iteration in (10, 100, 1_000):
        solver.advance(iteration - solver.iteration)
        found.append(solver.evaluate().exploitability)
    assert found == pytest.approx(BATTLESHIP_FIGURES[name], rel=2e-3)


def test_without_the_tolerance_rounding_decides() -> None:
    """What it was before, and is in other programs: cfr after 10 iterations at 0.195 instead of 1/32."""
    pytest.importorskip("pyspiel")
    solver = Solver(compiled(BATTLESHIP), "cfr(schedule=alternating, ties=0)")
    solver.advance(10)
    assert solver.evaluate().exploitability > 0.1
    broken = textbook(BATTLESHIP, "cfr(schedule=alternating)", exact=False, ties=0)
    broken.train(10)
    assert exploitability(compiled(BATTLESHIP), broken.get_strategy_profile()) > 0.1


def test_engine_and_textbook_have_one_tolerance() -> None:
    assert TIES == TEXTBOOK_TIES == recipe("cfr").ties == Fraction("1e-12")


def test_the_tolerance_is_a_part_of_the_recipe() -> None:
    assert recipe("cfr").parts["ties"] == "1e-12"
    assert recipe("cfr+(ties=0)").name == "cfr+(ties=0)"
    assert recipe("cfr+(ties=1e-12)").name == "cfr+"
    assert recipe(recipe("dcfr(ties=3e-11)").name).parts["ties"] == "3e-11"
    for wrong in ("-1", "1", "nan"):
        with pytest.raises(rl.UserError, match="ties"):
            recipe(f"cfr(ties={wrong})")


@pytest.mark.parametrize("name", ["cfr", "cfr+", "dcfr", "pdcfr+"])
def test_other_sums_and_other_units_give_the_same_figures(name: str) -> None:
    """``test_forms`` has the games of the study; this one has ties from the first iteration on."""
    form = compiled("kuhn(cards=13, bet=7)")
    plain, other = Solver(form, name), Solver(scaled(permuted(form)), name)
    plain.advance(1_000)
    other.advance(1_000)
    assert other.evaluate().exploitability / 3 == pytest.approx(plain.evaluate().exploitability, abs=1e-6)


def test_no_tolerance_keeps_a_run_symmetric_that_is_not_quite() -> None:
    """What the documentation says of battleship: its figures with ties as ties belong to the symmetric start alone."""
    pytest.importorskip("pyspiel")
    form = compiled(BATTLESHIP)
    found = rl.chaos(form, "dcfr", iterations=100)
    assert found.growth is not None
    assert found.growth > 3
    assert found.pairs[-1].plain == pytest.approx(BATTLESHIP_FIGURES["dcfr"][1], rel=2e-3)
    moved = Solver(permuted(form), "dcfr")
    moved.advance(100)
    for figure in (found.pairs[-1].nudged, moved.evaluate().exploitability):
        assert figure > 1e-3
