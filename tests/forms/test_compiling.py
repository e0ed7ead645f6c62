"""The compiled arrays: their invariants, and that they say the same as the rules."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_games import RandomGame, random_games

from regretlab.errors import GameError, UserError
from regretlab.forms import (
    CompileProgress,
    SequenceForm,
    SparsePayoff,
    Strategy,
    as_form,
    compile,
    compiling,
    watch_compiling,
)
from regretlab.games import CHANCE, TERMINAL, Game, Kuhn, Size, load, size
from regretlab.games.walk import walk


def matrix(form: SequenceForm, player: int) -> Any:
    """A player's payoff matrix, dense."""
    assert isinstance(form.payoff, SparsePayoff)
    sparse = form.payoff.matrices[player]
    dense = np.zeros((form.treeplexes[player].sequences, form.treeplexes[1 - player].sequences))
    for row in range(len(sparse.first) - 1):
        for k in range(sparse.first[row], sparse.first[row + 1]):
            dense[row, sparse.column[k]] += sparse.entry[k]
    return dense


def check_invariants(form: SequenceForm) -> None:
    """Parents before children, siblings together, in both treeplexes and in the tree."""
    for treeplex in form.treeplexes:
        assert treeplex.first[0] == 1
        assert (np.diff(treeplex.first.astype(int)) == [len(actions) for actions in treeplex.actions]).all()
        assert (treeplex.parent < treeplex.first[:-1]).all()
    tree = form.tree
    assert tree is not None
    assert tree.children[0] == 1
    assert tree.children[-1] == tree.histories
    assert (tree.children[:-1] > np.arange(tree.histories)).all()
    inner = np.diff(tree.children.astype(int)) > 0
    assert (inner == (tree.player != TERMINAL)).all()


@given(random_games())
def test_invariants_on_random_games(game: RandomGame) -> None:
    check_invariants(compile(game))


@pytest.mark.parametrize("cards", [3, 5])
def test_invariants_on_kuhn(cards: int) -> None:
    check_invariants(compile(Kuhn(cards=cards)))


def expected_payoff(game: Game, state: Any, behaviour: dict[str, list[float]]) -> float:
    """Player 0's expected payoff by plain recursion over the rules."""
    player = game.player(state)
    if player == TERMINAL:
        return float(game.payoff(state))
    children = [game.child(state, a) for a in range(len(game.actions(state)))]
    weights = game.chance(state) if player == CHANCE else behaviour[game.label(state)]
    return sum(
        float(weight) * expected_payoff(game, child, behaviour) for weight, child in zip(weights, children, strict=True)
    )


def random_behaviour(form: SequenceForm, seed: int) -> tuple[Any, dict[str, list[float]]]:
    """Random probabilities as arrays and by label."""
    rng = np.random.default_rng(seed)
    arrays, by_label = [], {}
    for treeplex in form.treeplexes:
        behaviour = np.ones(treeplex.sequences)
        for i, label in enumerate(treeplex.labels):
            low, high = treeplex.first[i], treeplex.first[i + 1]
            behaviour[low:high] = rng.dirichlet(np.ones(high - low))
            by_label[label] = behaviour[low:high].tolist()
        arrays.append(behaviour)
    return arrays, by_label


@given(random_games(), st.integers(0, 100))
def test_the_bilinear_form_is_the_expected_payoff(game: RandomGame, seed: int) -> None:
    """x' A y equals the recursion over the rules for any behaviour: the sequence form has lost nothing."""
    form = compile(game)
    arrays, by_label = random_behaviour(form, seed)
    strategy = Strategy(form, (arrays[0], arrays[1]))
    bilinear = strategy.plan(0) @ matrix(form, 0) @ strategy.plan(1)
    assert bilinear == pytest.approx(expected_payoff(game, game.root(), by_label), abs=1e-12)


@given(random_games())
def test_the_second_matrix_is_minus_the_transposed_first(game: RandomGame) -> None:
    form = compile(game)
    assert (matrix(form, 1) == -matrix(form, 0).T).all()


@given(random_games())
def test_exact_entries_stand_beside_the_floats(game: RandomGame) -> None:
    payoff = compile(game).payoff
    assert isinstance(payoff, SparsePayoff)
    assert payoff.exact is not None
    assert [float(entry) for entry in payoff.exact.fractions()] == payoff.matrices[0].entry.tolist()


@pytest.mark.parametrize("ante", [Fraction(1, 3), Fraction(1, 10**6), Fraction(10**20, 7)])
def test_entries_are_correctly_rounded_whatever_their_size(ante: Fraction) -> None:
    payoff = compile(Kuhn(ante=ante, bet=1)).payoff
    assert isinstance(payoff, SparsePayoff)
    assert payoff.exact is not None
    entries = set(zip(payoff.exact.fractions(), payoff.matrices[0].entry.tolist(), strict=True))
    assert {exact for exact, _ in entries} == {sign * stake / 6 for sign in (1, -1) for stake in (ante, ante + 1)}
    assert all(float(exact) == entry for exact, entry in entries)


def test_a_game_with_floats_has_no_exact_entries() -> None:
    class Half(RandomGame):
        def payoff(self, state: Any) -> Any:
            return super().payoff(state) / 2 + 0.1

    payoff = compile(Half(5)).payoff
    assert isinstance(payoff, SparsePayoff)
    assert payoff.exact is None


def test_kuhn_as_arrays() -> None:
    form = compile(load("kuhn"))
    assert form.treeplexes[0].labels == ("J", "Q", "K", "Jcb", "Qcb", "Kcb")
    assert form.treeplexes[0].parent.tolist() == [0, 0, 0, 1, 3, 5]  # each Xcb follows the check of X
    assert form.treeplexes[0].first.tolist() == [1, 3, 5, 7, 9, 11, 13]
    assert set(form.treeplexes[1].labels) == {"Jc", "Jb", "Qc", "Qb", "Kc", "Kb"}
    assert form.treeplexes[1].parent.tolist() == [0] * 6
    # J checks, Q checks: 1/6 of losing the ante.
    assert matrix(form, 0)[1, form.treeplexes[1].first[form.treeplexes[1].index["Qc"]]] == -1 / 6


def test_the_tree_can_be_left_out() -> None:
    assert compile(Kuhn(), tree=False).tree is None


def test_a_form_is_made_from_a_name_from_rules_or_is_one() -> None:
    form = as_form("kuhn(bet=2)")
    assert form.name == as_form(Kuhn(bet=2)).name == "kuhn(bet=2)"
    assert as_form(form) is form


def test_a_deep_game_needs_no_recursion() -> None:
    class Deep:
        """One player, one action, thousands of moves."""

        name = "deep"

        def root(self) -> int:
            return 0

        def player(self, state: int) -> int:
            return 0 if state < 5_000 else TERMINAL

        def actions(self, state: int) -> list[str]:
            return ["on"]

        def chance(self, state: int) -> list[int]:
            raise NotImplementedError

        def child(self, state: int, action: int) -> int:
            return state + 1

        def label(self, state: int) -> str:
            return str(state)

        def payoff(self, state: int) -> int:
            return 3

    form = compile(Deep())
    assert form.treeplexes[0].infosets == 5_000
    assert matrix(form, 0)[5_000, 0] == 3


class Mixed(RandomGame):
    """Payoffs that are equal as numbers and not alike: exact and float ones, 0.0 and -0.0."""

    def payoff(self, state: Any) -> Any:
        return (1, 1.0, 0.0, -0.0, Fraction(1))[self.draw(5, "mixed", state)]


def test_numbers_that_are_equal_are_not_taken_for_each_other() -> None:
    game = Mixed(0)
    ends = [visit.payoff for visit in walk(game) if visit.player == TERMINAL]
    assert {(type(payoff), str(payoff)) for payoff in ends} == {
        *((int, "1"), (float, "1.0"), (float, "0.0"), (float, "-0.0"), (Fraction, "1"))
    }
    form = compile(game)
    assert form.tree is not None
    kept = form.tree.payoff[form.tree.player == TERMINAL]
    assert [str(float(payoff)) for payoff in kept] == [str(float(payoff)) for payoff in ends]


def test_who_watches_is_told_the_size_first_and_then_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "HISTORIES_BETWEEN", 25)
    seen: list[CompileProgress] = []
    with watch_compiling(seen.append):
        compile("kuhn")
    compile("kuhn")  # nobody watches any more
    assert [progress.walked for progress in seen] == [0, 25, 50]
    assert {(progress.game, progress.size) for progress in seen} == {("kuhn", Size(55, 12))}


def test_what_will_not_fit_is_refused_unless_a_limit_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(size, "free_memory", lambda: 500)
    with pytest.raises(UserError, match="kuhn is too large: 55 histories, 12 information sets"):
        compile("kuhn")
    assert compile("kuhn", limit=55).infosets == 12
    with pytest.raises(GameError, match="more than 54 histories"):
        compile("kuhn", limit=54)
