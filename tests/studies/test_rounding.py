"""The study of rounding: its tables, on the smallest games."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from regretlab.experiments.suite_reading import read_suite
from regretlab.forms import as_form
from regretlab.games import load
from studies import rounding
from studies.rounding import OF_THE_STUDY, broken, equilibria, main, noisy


def test_the_games_are_those_of_the_suite() -> None:
    def names(games: Iterable[str]) -> set[str]:
        return {load(game).name for game in games if not game.startswith("openspiel:")}

    assert names(OF_THE_STUDY.values()) == names(run.game for run in read_suite("convergence").runs)
    assert len(OF_THE_STUDY) == len({run.game for run in read_suite("convergence").runs})


@pytest.mark.parametrize(
    ("game", "dimensions"),
    [("kuhn", ["1", "0"]), ("rps", ["0", "0"]), ("matrix(rows=0 0 0; 0 0 0)", ["1", "2"])],
)
def test_how_many_dimensions_the_equilibria_have(game: str, dimensions: list[str]) -> None:
    """Kuhn poker has a family with one parameter for player 0 and a single plan for player 1."""
    assert [equilibria(as_form(game), player) for player in (0, 1)] == dimensions


def test_without_ties_the_recipe_is_the_same_but_for_them() -> None:
    assert broken("cfr+") == "cfr+(ties=0)"
    assert broken("cfr(schedule=alternating)") == "cfr(schedule=alternating, ties=0)"


def test_noise_moves_payoffs_by_about_a_thousandth() -> None:
    form = as_form("kuhn")
    entries = [each.payoff.sparse.matrices[0].entry for each in (form, noisy(form))]
    moved = abs(entries[1] / entries[0] - 1)
    assert (moved > 0).all()
    assert 3e-4 < np.median(moved) < 2e-3


@pytest.mark.parametrize("command", [["chaos", "--iterations", "30"], ["causes"], ["forms"]])
def test_a_table_has_a_line_for_each_game(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--games", "matrix 2 × 2;Leduc, one suit"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    names = [line.split(" | ")[0].removeprefix("| ") for line in lines]
    assert names[1:3] == ["matrix 2 × 2", "Leduc, one suit"]
    assert len({line.count("|") for line in lines}) == 1


def test_an_unknown_game_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chaos", "--games", "Leduk"]) == 2
    assert "did you mean 'Leduc'" in capsys.readouterr().err


def test_ties_are_tabled_and_timed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path
) -> None:
    """On a small game in place of battleship."""
    monkeypatch.setattr(rounding, "BATTLESHIP", "kuhn")
    monkeypatch.setattr(rounding, "TIMED", ("kuhn",))
    picture = tmp_path / "ties.png"
    assert main(["ties", "--rounds", "1", "--plot", str(picture)]) == 0
    out = capsys.readouterr().out
    assert "| `dcfr` | " in out
    assert "| kuhn, `pdcfr+` | " in out
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_by_hand_fractions_stand_beside_floats(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On Kuhn poker, whose ties rounding does not break in the first iteration."""
    for name, other in (("BATTLESHIP", "kuhn"), ("FIRST_SHOT", "J"), ("PLACING", "Kb")):
        monkeypatch.setattr(rounding, name, other)
    assert main(["by-hand"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("12 information sets, 3 with regrets that are all 0 in fractions; 0 of these")
    rows = [line for line in out.splitlines() if line.startswith("| in ")]
    for exact, floats in zip(rows[::2], rows[1::2], strict=True):
        assert exact.removeprefix("| in fractions") == floats.removeprefix("| in floats")
    assert "CFR after 10 iterations, textbook in floats: NashConv 0.1374" in out
