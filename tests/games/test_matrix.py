"""Matrix games: read from lists, arrays, names and files, and worth what linear programming on the matrix says."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import regretlab as rl
from regretlab.errors import UserError
from regretlab.games import MatchingPennies, Matrix, RockPaperScissors, check_game, load

Rows = list[list[Fraction]]


def matrices(most: int = 5) -> st.SearchStrategy[Rows]:
    """Matrices of all shapes, square or not."""
    payoffs = st.fractions(-9, 9, max_denominator=9)
    sizes = st.tuples(st.integers(1, most), st.integers(1, most))
    return sizes.flatmap(
        lambda size: st.lists(st.lists(payoffs, min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0])
    )


def value_by_linear_programming(rows: object) -> float:
    """Maximise v where every column gives the mixture x of the rows at least v: no sequence form, no tree."""
    matrix = np.array(rows, dtype=float)
    m, n = matrix.shape
    found = linprog(
        c=[*np.zeros(m), -1],
        A_ub=np.column_stack([-matrix.T, np.ones(n)]),
        b_ub=np.zeros(n),
        A_eq=[[*np.ones(m), 0]],
        b_eq=[1],
        bounds=[*[(0, 1)] * m, (None, None)],
    )
    assert found.success
    return float(-found.fun)


@settings(max_examples=40)
@given(matrices())
def test_the_value_is_that_of_the_matrix(rows: Rows) -> None:
    game = Matrix(rows)
    assert rl.nash(game).value == pytest.approx(value_by_linear_programming(rows), abs=1e-8)


@settings(max_examples=40)
@given(matrices())
def test_each_player_has_one_information_set_and_the_matrix_is_kept_exactly(rows: Rows) -> None:
    form = rl.compile(Matrix(rows))
    assert [treeplex.labels for treeplex in form.treeplexes] == [("row",), ("column",)]
    assert [treeplex.sequences for treeplex in form.treeplexes] == [1 + len(rows), 1 + len(rows[0])]
    first, column, _ = form.payoff.matrices[0]  # type: ignore[attr-defined]
    entries = dict.fromkeys(((i, j) for i in range(len(rows)) for j in range(len(rows[0]))), Fraction(0))
    exact = form.payoff.exact.fractions()  # type: ignore[attr-defined]
    for i in range(len(rows)):
        for k in range(first[1 + i], first[2 + i]):
            entries[i, int(column[k]) - 1] = exact[k]
    assert entries == {(i, j): payoff for i, row in enumerate(rows) for j, payoff in enumerate(row)}


@settings(max_examples=40)
@given(matrices())
def test_a_matrix_is_loaded_by_its_name(rows: Rows) -> None:
    game = Matrix(rows)
    assert load(game.name) == game
    assert load(game.name).table == tuple(map(tuple, rows))  # type: ignore[attr-defined]


def test_it_is_solved_like_any_other_game() -> None:
    rows = [[3, -1, 2], [0, 2, -2]]
    solution = rl.solve(Matrix(rows), "cfr+", iterations=2_000)
    assert solution.exploitability < 1e-3
    assert solution.value == pytest.approx(value_by_linear_programming(rows), abs=2e-3)
    assert solution.strategy["row"].keys() == {"1", "2"}
    assert solution.strategy["column"].keys() == {"1", "2", "3"}


def test_lists_arrays_floats_and_text_are_the_same_matrix() -> None:
    tenth = Fraction(1, 10)
    games = [
        Matrix([[0, tenth], [-1, 2]]),
        Matrix([[0, 0.1], [-1, 2.0]]),
        Matrix(np.array([[0, 0.1], [-1, 2]])),
        Matrix(((0, "1/10"), (-1, "2"))),
        Matrix("0 0.1; -1 2"),
        load("matrix(rows=0 1/10; -1 2)"),
    ]
    assert len(set(games)) == 1
    assert games[0].table[0][1] == tenth
    assert rl.Matrix is Matrix


def test_a_large_matrix_is_named_by_its_size() -> None:
    assert Matrix(np.zeros((10, 10))).name.startswith("matrix(rows=0 0 ")
    assert Matrix(np.zeros((10, 11))).name == "matrix(10×11)"


def test_an_exact_solution() -> None:
    """Row player: p(2) + (1−p)(−1) = p(−1) + (1−p)(1) gives p = 2/5 and the value 1/5."""
    found = rl.nash("matrix(rows=2 -1; -1 1)", exact=True)
    assert found.value == Fraction(1, 5)
    assert found.exact_strategy is not None
    assert found.exact_strategy["row"] == {"1": Fraction(2, 5), "2": Fraction(3, 5)}


@pytest.mark.parametrize(
    ("ours", "theirs"), [("rps", "openspiel:matrix_rps"), ("matching_pennies", "openspiel:matrix_mp")]
)
def test_the_named_ones_are_openspiels(ours: str, theirs: str) -> None:
    mine, other = rl.compile(ours), rl.compile(theirs)
    for part, same in zip(mine.payoff.matrices[0], other.payoff.matrices[0], strict=True):  # type: ignore[attr-defined]
        assert part.tolist() == same.tolist()
    names = [[name.lower() for name in treeplex.actions[0]] for treeplex in other.treeplexes]
    assert [list(treeplex.actions[0]) for treeplex in mine.treeplexes] == names


@pytest.mark.parametrize(("game", "actions"), [(RockPaperScissors(), 3), (MatchingPennies(), 2)])
def test_the_named_ones_are_played_uniformly(game: Matrix, actions: int) -> None:
    found = rl.nash(game, exact=True)
    assert (found.value, load(game.name)) == (0, game)
    assert found.exact_strategy is not None
    assert set(found.exact_strategy["row"].values()) == {Fraction(1, actions)}


@pytest.mark.parametrize("game", [Matrix(), Matrix([[0]]), Matrix([[1, 2, 3]]), RockPaperScissors()])
def test_it_keeps_the_protocol(game: Matrix) -> None:
    check_game(game)


@pytest.mark.parametrize(
    "text",
    [
        "0,-1, 1/3\n1,0,-1\n",
        "0 -1 1/3\n1 0 -1",
        "# who wins what\n\n0\t-1   1/3  # rock\r\n1, 0, -1\n\n",
        "\ufeff0,-1,1/3\n1,0,-1\n",
    ],
)
def test_a_file_is_read(text: str, tmp_path: Path) -> None:
    (tmp_path / "payoffs.csv").write_text(text, encoding="utf-8")
    game = load(f"matrix(file={tmp_path / 'payoffs.csv'})")
    assert game.table == ((0, -1, Fraction(1, 3)), (1, 0, -1))  # type: ignore[attr-defined]
    assert load(game.name) == game


def test_a_path_stays_as_it_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a folder").mkdir()
    (tmp_path / "a folder" / "pay(1).csv").write_text("1 2\n3 4\n")
    monkeypatch.chdir(tmp_path)
    assert load("matrix(file=a folder/pay(1).csv)").name == "matrix(file=a folder/pay(1).csv)"


def test_a_saved_run_finds_its_matrix_and_notices_when_the_file_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("payoffs.txt").write_text("2 -1\n-1 1\n")
    rl.solve("matrix(file=payoffs.txt)", iterations=50).save("run.npz")
    assert rl.Solution.load("run.npz").game == "matrix(file=payoffs.txt)"
    assert rl.solve("matrix(file=payoffs.txt)", iterations=70, resume="run.npz").iterations == 70
    Path("payoffs.txt").write_text("2 -1\n-1 3\n")
    with pytest.raises(UserError, match=r"not the same game as .* as it is now"):
        rl.Solution.load("run.npz")


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ([[1, 2], [3]], "row 2 has length 1, and the rows before it have length 2"),
        ([[1], [3, 4]], "row 2 has length 2, and the rows before it have length 1"),
        ([], "at least one row and one column"),
        ([[]], "at least one row and one column"),
        ([[], []], "at least one row and one column"),
        ("", "at least one row and one column"),
        ([[1, float("nan")]], "row 1: payoff=nan is not a finite number"),
        ([[1], [float("inf")]], "row 2: payoff=inf is not a finite number"),
        ([[None]], "row 1: payoff=None is not a finite number"),
        ([[1, [2]]], "row 1: payoff=[2] is not a finite number"),
        ([1, 2], "must be rows of numbers, such as [[2, -1], [-1, 1]]"),
        (7, "rows=7 must be rows of numbers"),
        (np.zeros((2, 2, 2)), "row 1: payoff=[0. 0.] is not a finite number"),
    ],
)
def test_what_is_no_matrix_is_told_in_one_line(rows: object, complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        Matrix(rows)  # type: ignore[arg-type]
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"1 2\n\n# three\n3\n", "', line 4 has length 1, and the rows before it have length 2"),
        (b"1,2\n3,four\n", "', line 2: payoff=four is not a finite number; write it like 2, 0.5 or 1/3"),
        (b"1,2\n3,\n", "', line 2: payoff= is not a finite number"),
        (b"1,,2\n", "', line 1: payoff= is not a finite number"),
        (b"nan 1\n", "', line 1: payoff=nan is not a finite number"),
        (b"1/0 1\n", "', line 1: payoff=1/0 is not a finite number"),
        (b"1;2\n", "', line 1: payoff=1;2 is not a finite number"),
        (b"# nothing\n", "at least one row and one column"),
        (b"", "at least one row and one column"),
        (b"\xff\xfe\x00", "it is not text"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_line(content: bytes, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "payoffs.csv").write_bytes(content)
    with pytest.raises(UserError) as caught:
        load(f"matrix(file={tmp_path / 'payoffs.csv'})")
    assert complaint in str(caught.value)
    assert "payoffs.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("matrix(file=nowhere.csv)", "there is no file 'nowhere.csv'"),
        ("matrix(file=.)", "can't read '.': Is a directory"),
        ("matrix(file=a\0b)", "can't read 'a\0b': it is not text"),
        ("matrix(file=nowhere.csv, rows=1 2)", "give rows or file=nowhere.csv, not both"),
        ("matrix(rows=1 2; x 3)", "row 2: payoff=x is not a finite number"),
        ("matrix(rows=1 2; 3)", "row 2 has length 1"),
        ("matrix(flie=a)", "did you mean 'file'?"),
        ("rps(moves=4)", "unknown argument of rps 'moves'"),
    ],
)
def test_a_name_that_makes_no_matrix_is_told_in_one_line(name: str, complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        load(name)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)
