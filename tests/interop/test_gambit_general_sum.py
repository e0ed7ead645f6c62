"""Gambit's .efg files that are not zero-sum: classics with known equilibria, and the way there and back."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from random_games import GeneralSumGame, general_sum_games

from regretlab.errors import UserError
from regretlab.evaluation import evaluate_exactly, nash
from regretlab.forms import SparsePayoff, compile
from regretlab.games import check_game
from regretlab.interop import write_efg
from regretlab.solving import solve

DILEMMA = """
EFG 2 R "Prisoner's dilemma" { "Row" "Column" }
p "" 1 1 "row" { "silent" "talk" } 0
p "" 2 1 "column" { "silent" "talk" } 0
t "" 1 "" { -1 -1 }
t "" 2 "" { -3 0 }
p "" 2 1 0
t "" 3 "" { 0 -3 }
t "" 4 "" { -2 -2 }
"""

SEXES = """
EFG 2 R "Battle of the sexes" { "Row" "Column" }
p "" 1 1 "row" { "opera" "football" } 0
p "" 2 1 "column" { "opera" "football" } 0
t "" 1 "" { 3 2 }
t "" 2 "" { 0 0 }
p "" 2 1 0
t "" 2
t "" 3 "" { 2 3 }
"""

# Cho, Kreps (1987). The strong one likes beer, the weak one quiche, 1 is what the right breakfast is worth, 2 what it
# is worth not to be challenged; the other gains by challenging the weak one only.
BEER_QUICHE = """
EFG 2 R "Beer or quiche" { "Sender" "Receiver" }
c "" 1 "" { "weak" 1/10 "strong" 9/10 } 0
p "" 1 1 "weak" { "beer" "quiche" } 0
p "" 2 1 "beer seen" { "fight" "leave" } 0
t "" 1 "" { 0 1 }
t "" 2 "" { 2 0 }
p "" 2 2 "quiche seen" { "fight" "leave" } 0
t "" 3 "" { 1 1 }
t "" 4 "" { 3 0 }
p "" 1 2 "strong" { "beer" "quiche" } 0
p "" 2 1 0
t "" 5 "" { 1 0 }
t "" 6 "" { 3 1 }
p "" 2 2 0
t "" 7 "" { 0 0 }
t "" 8 "" { 2 1 }
"""


def written(folder: Path, text: str) -> str:
    path = folder / "game.efg"
    path.write_text(text)
    return f"efg:{path}"


def test_the_dilemma_is_no_dilemma_to_regrets(tmp_path: Path) -> None:
    """Talking is better whatever the other does."""
    name = written(tmp_path, DILEMMA)
    check_game(name)
    solution = solve(name, iterations=1_000)
    assert solution.strategy["row"]["talk"] > 0.999
    assert solution.strategy["column"]["talk"] > 0.999
    assert solution.values == pytest.approx((-2, -2), abs=1e-3)
    assert solution.nash_conv < 1e-3
    talking = {label: {"talk": Fraction(1)} for label in ("row", "column")}
    assert evaluate_exactly(name, talking).nash_conv == 0
    silent = {label: {"silent": Fraction(1)} for label in ("row", "column")}
    assert evaluate_exactly(name, silent).gains == (1, 1)


def test_the_sexes_have_three_equilibria(tmp_path: Path) -> None:
    """Both at the opera, both at the football, and each at the own favourite with 3/5."""
    name = written(tmp_path, SEXES)
    for row, column, values in (
        (Fraction(1), Fraction(1), (3, 2)),
        (Fraction(0), Fraction(0), (2, 3)),
        (Fraction(3, 5), Fraction(2, 5), (Fraction(6, 5), Fraction(6, 5))),
    ):
        profile = {
            label: {"opera": chance, "football": 1 - chance} for label, chance in (("row", row), ("column", column))
        }
        judged = evaluate_exactly(name, profile)
        assert (judged.nash_conv, judged.values) == (0, values)


def test_in_beer_or_quiche_both_types_pool(tmp_path: Path) -> None:
    """Both breakfasts pool in some equilibrium; play from uniform strategies comes to the one with beer."""
    name = written(tmp_path, BEER_QUICHE)
    pooled = {
        breakfast: {
            "weak": {breakfast: Fraction(1)},
            "strong": {breakfast: Fraction(1)},
            f"{breakfast} seen": {"leave": Fraction(1)},
            f"{other} seen": {"fight": Fraction(1)},
        }
        for breakfast, other in (("beer", "quiche"), ("quiche", "beer"))
    }
    assert evaluate_exactly(name, pooled["beer"]).values == (Fraction(29, 10), Fraction(9, 10))
    assert evaluate_exactly(name, pooled["quiche"]).values == (Fraction(21, 10), Fraction(9, 10))
    assert [evaluate_exactly(name, each).nash_conv for each in pooled.values()] == [0, 0]
    solution = solve(name, "cfr+", iterations=2_000)
    assert solution.nash_conv < 1e-3
    assert solution.values == pytest.approx((2.9, 0.9), abs=1e-2)
    assert solution.strategy["weak"]["beer"] > 0.99


@settings(max_examples=25)
@given(general_sum_games())
def test_random_games_come_back_bit_for_bit(tmp_path_factory: pytest.TempPathFactory, game: GeneralSumGame) -> None:
    path = tmp_path_factory.getbasetemp() / "general.efg"
    write_efg(game, path)
    ours, theirs = compile(game), compile(f"efg:{path}")
    assert isinstance(ours.payoff, SparsePayoff)
    assert isinstance(theirs.payoff, SparsePayoff)
    assert not theirs.zero_sum
    for mine, other in zip(ours.payoff.matrices, theirs.payoff.matrices, strict=True):
        assert [part.tobytes() for part in mine] == [part.tobytes() for part in other]


@settings(max_examples=15)
@given(general_sum_games())
def test_openspiel_reads_both_payoffs(tmp_path_factory: pytest.TempPathFactory, game: GeneralSumGame) -> None:
    path = tmp_path_factory.getbasetemp() / "general_for_openspiel.efg"
    write_efg(game, path)
    theirs, ours = compile(f"openspiel:efg_game(filename={path})"), compile(game)
    assert theirs.tree is not None
    assert ours.tree is not None
    for player in (0, 1):
        assert sorted(theirs.tree.payoff_to(player)) == sorted(ours.tree.payoff_to(player))


def test_constant_sums_count_as_zero_sums(tmp_path: Path) -> None:
    text = DILEMMA.replace("{ -1 -1 }", "{ -1 -2 }").replace("{ -2 -2 }", "{ -2 -1 }")
    name = written(tmp_path, text)
    assert compile(name).zero_sum
    assert nash(name, exact=True).value == -2


def test_a_file_that_is_not_zero_sum_has_no_linear_programme(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"game\.efg is not zero-sum, and an equilibrium by linear programming needs"):
        nash(written(tmp_path, DILEMMA))


def test_outcomes_that_pay_player_0_alike_are_told_apart(tmp_path: Path) -> None:
    name = written(tmp_path, 'EFG 2 R "" { "A" "B" }\np "" 1 1 "x" { "a" "b" } 0\nt "" 1 "" { 1 2 }\nt "" 2 "" { 1 3 }')
    write_efg(name, tmp_path / "again.efg")
    again = compile(f"efg:{tmp_path / 'again.efg'}")
    assert again.tree is not None
    assert again.tree.payoff_to(1).tolist() == [0, 2, 3]
