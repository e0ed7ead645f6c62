"""The study of endgames: what is in it, that it goes on where it was, and its arithmetic by hand."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from experiments.fakes import in_process

from regretlab.endgames import ready_spots
from regretlab.experiments import read_suite
from regretlab.experiments.running import PLACES
from regretlab.solving import RECIPES
from studies import endgames


def test_a_hundred_rivers_and_twenty_turns_are_drawn_always_the_same() -> None:
    found = dict(endgames.stages(None))
    for title, cards, count in (("rivers", 5, 100), ("turns", 4, 20)):
        suite = read_suite({"spots": [block | {"recipes": ["dcfr"]} for block in found[title]]})
        assert len(suite.boards) == count
        assert {len(board.board) for _, board in suite.boards} == {2 * cards}
        assert {board.spot for _, board in suite.boards} <= {*ready_spots()}
    assert dict(endgames.stages(None)) == found
    assert {*endgames.LEADERS} <= {*endgames.RECIPES_MEASURED}
    assert {name for name, row in RECIPES.items() if row.feedback == "full" and row.restart is None} <= set(
        endgames.RECIPES_MEASURED
    )


def test_it_is_measured_once_and_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = endgames.drawn
    monkeypatch.setitem(PLACES, "local", in_process)
    monkeypatch.setattr(endgames, "RIVERS", {"river-polar": 2})
    monkeypatch.setattr(endgames, "TURNS", {"river-polar": 1})
    monkeypatch.setattr(endgames, "LEADERS", ("dcfr",))
    monkeypatch.setattr(endgames, "drawn", lambda wanted, cards: drawn(wanted, 5))
    monkeypatch.setattr(endgames, "RECIPES_MEASURED", ("dcfr", "hedge"))
    monkeypatch.setattr(endgames, "CAP", 300)
    arguments = ["--store", str(tmp_path / "s"), "--to", str(tmp_path)]
    assert endgames.main(arguments) == 0
    said = capsys.readouterr().err
    assert [line for line in said.splitlines() if "runs" in line] == [
        "rivers: 4 runs",
        "turns: 1 runs",
        "turns: 2 runs",
    ]
    text = (tmp_path / "endgames.md").read_text(encoding="utf-8")
    assert "## Rivers: 2 spots" in text
    assert text.index("| `dcfr` |") < text.index("| `hedge` |")
    (tmp_path / "endgames.md").unlink()
    assert endgames.main(["report", *arguments]) == 0
    assert (tmp_path / "endgames.md").read_text(encoding="utf-8") == text


def test_costs_stand_in_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endgames, "RECIPES_MEASURED", ("dcfr", "hedge"))
    monkeypatch.setattr(endgames, "COST_OF", {"river": ("river-polar", 10)})
    assert endgames.main(["cost", "--to", str(tmp_path)]) == 0
    rows = [_row("dcfr", "A", 10, 0.0), _row("hedge", "A", 10, 0.0)]
    endgames.write({"rivers": rows}, tmp_path)
    (line,) = (line for line in (tmp_path / "endgames.md").read_text().splitlines() if line.startswith("| `dcfr`"))
    assert line == "| `dcfr` | 10 (10 … 10) | 10 (10 … 10) | 10 (10 … 10) | 1.00 | 1.00 | 1.00 | 1.00 |"


def _row(recipe: str, board: str, iteration: int, part: float) -> dict[str, Any]:
    """A row of a spot with a pot of 1,000 chips."""
    return {
        "game": "x",
        "board": board,
        "recipe": recipe,
        "iteration": iteration,
        "until": 1.0,
        "exploitability": 1_000 * part,
    }


def test_iterations_to_targets_by_hand() -> None:
    rows = [_row("dcfr", "A", 10, 0.009), _row("dcfr", "A", 20, 0.011), _row("dcfr", "A", 40, 0.001)]
    rows += [_row("cfr", "A", 20, 0.01), _row("cfr", "A", 1_000, 0.002)]
    rows += [_row("dcfr", "B", 10, 0.0), _row("cfr", "B", 40, 0.0)]
    found = endgames.reached(rows)
    assert found["dcfr", "1 %"] == {"x A": 10, "x B": 10}, "the first look counts, whatever comes after it"
    assert found["dcfr", "0.5 %"] == {"x A": 40, "x B": 10}
    assert found["cfr", "0.1 %"] == {"x A": math.inf, "x B": 40}
    assert endgames.against(found, "cfr", "1 %") == pytest.approx(math.sqrt(2 * 4))
    assert endgames.against(found, "cfr", "0.1 %") == pytest.approx(math.sqrt(25 * 4)), "25: the cap against 40"
    assert endgames._cell([10, 20, math.inf]) == "20 (10 … –) 2 of 3"
