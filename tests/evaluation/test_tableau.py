"""Pivots, elimination and the simplex method in integers."""

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from regretlab.evaluation import nash
from regretlab.evaluation.tableau import Tableau, eliminate, integer_programme, maximise, simplex
from regretlab.forms import SequenceForm, Treeplex, as_form, sparse_payoff


def matrix_game(matrix: list[list[int]]) -> SequenceForm:
    """A game in which both players choose once, at the same time."""
    table = np.array(matrix)
    treeplexes = [
        Treeplex(
            np.zeros(1, dtype=np.uint32),
            np.array([1, size + 1], dtype=np.uint32),
            (f"player {player}",),
            (tuple(f"a{k}" for k in range(size)),),
        )
        for player, size in enumerate(table.shape)
    ]
    rows, columns = (index.ravel().astype(np.uint32) + 1 for index in np.indices(table.shape))
    weights = [int(entry) for entry in table.ravel()]
    shape = treeplexes[0].sequences, treeplexes[1].sequences
    payoff = sparse_payoff(shape, rows, columns, np.arange(table.size), weights)
    return SequenceForm("matrix", (treeplexes[0], treeplexes[1]), payoff)


KNOWN = {
    "rock paper scissors": ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], ["1/3", "1/3", "1/3"], ["1/3", "1/3", "1/3"]),
    # Mixing p on the first row: 2p − (1 − p)·1 = −p + 1·(1 − p)  ⇒  p = 2/5.
    "pennies": ([[2, -1], [-1, 1]], ["2/5", "3/5"], ["2/5", "3/5"]),
    "saddle": ([[3, 1, 4], [5, 2, 6]], ["0", "1"], ["0", "1", "0"]),
    "one row": ([[4, -7, 9]], ["1"], ["0", "1", "0"]),
    "one column": ([[4], [-7], [9]], ["0", "0", "1"], ["1"]),
}


@pytest.mark.parametrize(("matrix", "mine", "theirs"), KNOWN.values(), ids=KNOWN)
def test_simplex_solves_small_matrices(matrix: list[list[int]], mine: list[str], theirs: list[str]) -> None:
    plans = simplex(integer_programme(matrix_game(matrix), 0))
    assert plans == ([1, *map(Fraction, mine)], [1, *map(Fraction, theirs)])


@pytest.mark.parametrize("seed", range(10))
def test_simplex_from_either_side_gives_the_value(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, 9, 2)
    matrix = rng.integers(-9, 10, shape)
    form = matrix_game(matrix.tolist())
    mine, theirs = simplex(integer_programme(form, 0))
    worst, best = guarantees(matrix, mine, theirs)
    assert worst == best
    swapped = simplex(integer_programme(form, 1))
    assert guarantees(matrix, swapped[1], swapped[0]) == (worst, best)
    assert float(best) == pytest.approx(nash(form).value, abs=1e-12)


def guarantees(matrix: NDArray[np.int64], mine: list[Fraction], theirs: list[Fraction]) -> tuple[Fraction, Fraction]:
    """The least that one plan gets and the most that the other gives, both for player 0."""
    exact = matrix.astype(object)
    return min(np.array(mine[1:]) @ exact), max(exact @ np.array(theirs[1:]))


@pytest.mark.parametrize("entry", [0, 1])
def test_simplex_stops_where_everything_is_equal(entry: int) -> None:
    mine, theirs = simplex(integer_programme(matrix_game([[entry] * 5] * 4), 0))
    assert sum(mine[1:]) == sum(theirs[1:]) == 1


def test_simplex_does_not_go_round_in_circles() -> None:
    # Chvátal's example (1983), on which the steepest coefficient alone goes round in six pivots: maximise
    # 10a − 57b − 9c − 24d subject to ½a − 5½b − 2½c + 9d ≤ 0, ½a − 1½b − ½c + d ≤ 0, a ≤ 1; at best a = c = 1.
    twice = [[0, 20, -114, -18, -48], [0, -1, 11, 5, -18], [0, -1, 3, 1, -2], [2, -2, 0, 0, 0]]
    tableau = Tableau(np.array(twice, dtype=object))
    # Equations with 2 in front of three basic variables: their determinant is the first denominator.
    tableau.table, tableau.denominator = tableau.table * 4, 8
    basic, others = [0, 5, 6, 7], [0, 1, 2, 3, 4]
    pivot, seen = tableau.pivot, []

    def counted(row: int, column: int) -> None:
        seen.append((row, column))
        assert len(seen) < 100, "in circles"
        pivot(row, column)

    tableau.pivot = counted  # type: ignore[method-assign]
    maximise(tableau, basic, others)
    assert Fraction(tableau.table[0, 0], tableau.denominator) == 1
    values = {name: Fraction(tableau.table[row, 0], tableau.denominator) for row, name in enumerate(basic) if row}
    assert (values[1], values[3]) == (1, 1)


@pytest.mark.parametrize("order", range(3, 11))
def test_integers_are_unbounded(order: int) -> None:
    # The entries fit a machine's integers; products with plans, or the determinants that these are made of, do not.
    matrix = np.random.default_rng(1).integers(-(10**6), 10**6, (order, order))
    form = matrix_game(matrix.tolist())
    mine, theirs = simplex(integer_programme(form, 0))
    worst, best = guarantees(matrix, mine, theirs)
    assert worst == best == nash(form, exact=True).value


def test_pivots_stay_integers_and_can_be_undone() -> None:
    rng = np.random.default_rng(3)
    rows = rng.integers(-9, 10, (6, 7)).astype(object)
    tableau = Tableau(rows)
    before = tableau.table.copy()
    places = [(row, column) for row in range(5) for column in (row + 1,) if before[row, column]]
    for row, column in places:
        tableau.pivot(row, column)
        assert all(isinstance(entry, int) for entry in tableau.table.ravel())
    assert abs(tableau.denominator) > 1
    for row, column in reversed(places):
        tableau.pivot(row, column)
    assert (tableau.table * Fraction(1, tableau.denominator) == before).all()


def test_elimination_takes_a_right_guess_and_refuses_a_wrong_one() -> None:
    kuhn = integer_programme(as_form("kuhn(ante=2)"), 0)
    exact = simplex(kuhn)[0]
    support = [entry > 0 for entry in exact]
    other = as_form("kuhn(ante=2)").treeplexes[1]
    # Player 1 is indifferent with the Jack after a check and with the Queen after a bet (and with it after a check).
    tight = {"Jb": ["fold"], "Kb": ["call"], "Jc": ["check", "bet"], "Qb": ["fold", "call"], "Qc": ["check", "bet"]}
    tight["Kc"] = ["bet"]
    marks = [
        True,
        *(name in tight[label] for label, names in zip(other.labels, other.actions, strict=True) for name in names),
    ]
    assert eliminate(kuhn, support, marks) == exact
    assert eliminate(kuhn, support, [True] * other.sequences) is None
    pennies = integer_programme(matrix_game([[2, -1], [-1, 1]]), 0)
    assert eliminate(pennies, [True] * 3, [True] * 3) == [1, Fraction(2, 5), Fraction(3, 5)]
    # Equal rows need p = 3/2 here, beyond what a probability can be.
    assert eliminate(integer_programme(matrix_game([[2, 1], [5, 2]]), 0), [True] * 3, [True] * 3) is None
