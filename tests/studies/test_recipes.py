"""The study of recipes: it measures, goes on where it was, and writes down what it found."""

from __future__ import annotations

from pathlib import Path

import pytest

from regretlab.experiments.running import run_jobs
from regretlab.solving import RECIPES, recipe
from studies import recipes


def test_everything_is_in_it() -> None:
    """Every row with tables and full feedback, on every game; the leaders first."""
    stages = recipes.stages()
    games = {game for stage in stages for game in stage.games}
    assert games == set(recipes.NAMES)
    assert {game for stage in stages[: len(games)] for game in stage.games} == games
    rows = {name for name, row in RECIPES.items() if row.feedback == "full"}
    for game in games:
        here = [name for stage in stages if game in stage.games for name in stage.recipes]
        assert rows <= set(here)
    assert all(stage.recipes is recipes.LEADERS or not set(recipes.LEADERS) & {*stage.recipes} for stage in stages)
    assert {recipe(name).name for name in recipes.LEADERS} == set(recipes.LEADERS)


def test_it_is_measured_once_and_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    matrix = recipes.SMALL["matrix 2 × 2"]
    stages = [
        recipes.Stage([matrix], ["cfr+", "pdcfr+"], 3, [100, 1_000]),
        recipes.Stage(["kuhn"], ["cfr+"], 1, [100]),
    ]
    done = []

    def counted(*arguments, **options):  # type: ignore[no-untyped-def]
        outcome = run_jobs(*arguments, **options)
        done.append((outcome.there, outcome.done))
        return outcome

    monkeypatch.setattr(recipes, "stages", lambda: stages)
    monkeypatch.setattr(recipes, "run_jobs", counted)
    for expected in ([(0, 6), (0, 1)], [(6, 0), (1, 0)]):
        done.clear()
        assert recipes.main(["--store", str(tmp_path / "all.sqlite"), "--to", str(tmp_path)]) == 0
        assert done == expected
    assert "2 of 2: Kuhn, 1 runs" in capsys.readouterr().err
    text = (tmp_path / "recipes.md").read_text(encoding="utf-8")
    assert "## After 1,000 iterations" in text
    assert "| recipe | matrix 2 × 2 | Kuhn |" in text
    assert (tmp_path / "recipes.png").stat().st_size > 1_000
    (tmp_path / "recipes.md").unlink()
    assert recipes.main(["report", "--store", str(tmp_path / "all.sqlite"), "--to", str(tmp_path)]) == 0
    assert (tmp_path / "recipes.md").read_text(encoding="utf-8") == text


def test_ratios_by_hand(tmp_path: Path) -> None:
    """Twice, eight times and once the best are 16^⅓ times in the geometric mean; below 1e-9 all are alike."""

    def rows(game: str, name: str, *found: float) -> list[dict[str, object]]:
        return [
            {"game": game, "recipe": name, "start": start, "iteration": 1_000, "exploitability": each}
            for start, each in enumerate(found)
        ]

    made = rows("kuhn", "cfr+", 1e-3) + rows("kuhn", "cfr", 2e-3) + rows("leduc", "cfr+", 1e-4, 1e-3, 1e-2)
    made += rows("leduc", "cfr", 8e-3) + rows("rps", "cfr+", 1e-12) + rows("rps", "cfr", 1e-15)
    made += rows("kuhn", "cfr(schedule=alternating)", 1e-3, 1.5e-3) + rows("leduc", "cfr(schedule=alternating)", 1e-2)
    recipes.write(made, tmp_path)
    lines = (tmp_path / "recipes.md").read_text(encoding="utf-8").splitlines()
    assert "| `cfr+` | 3 | 3 | 1 | 1 | – |" in lines
    assert "| `cfr` | 3 | 2 | 2.52 | 8 | – |" in lines
    # √(2 / √1.5 · 0.8); all starts are better on Kuhn, and worse on Leduc.
    assert "| alternation | `cfr` | `cfr(schedule=alternating)` | 1.1 | 0.8 | – | 1 : 1 |" in lines
    assert any("1.0e-3 (1e-4 … 1e-2)" in line for line in lines)
