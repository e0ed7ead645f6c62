"""The picture of Deep CFR shows every curve that was measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from regretlab.plots.deep import draw, side_by_side


def curve(game: str, algorithm: str, seed: int) -> dict[str, Any]:
    points = [[1.0 + seed, 1, 0.5], [10.0 + seed, 7, 0.1]]
    return {"game": game, "algorithm": algorithm, "seed": seed, "points": points}


DATA = {"curves": [curve("leduc", "deep-cfr", 0), curve("leduc", "deep-cfr", 1), curve("kuhn", "cfr", 0)]}


def test_there_is_a_panel_for_each_game_and_a_line_for_each_seed() -> None:
    figure = side_by_side(DATA)
    kuhn, leduc = figure.axes
    assert [axes.get_title() for axes in (kuhn, leduc)] == ["kuhn", "leduc"]
    assert [line.get_xydata().tolist() for line in kuhn.lines] == [[[1, 0.5], [10, 0.1]]]
    assert [line.get_xydata().tolist() for line in leduc.lines] == [[[1, 0.5], [10, 0.1]], [[2, 0.5], [11, 0.1]]]
    assert len({line.get_color() for line in leduc.lines}) == 1
    assert leduc.get_xscale() == leduc.get_yscale() == "log"


def test_every_algorithm_is_named_once_wherever_it_was_run() -> None:
    (legend,) = side_by_side(DATA).legends
    assert [text.get_text() for text in legend.get_texts()] == ["cfr", "deep-cfr"]


def test_it_is_drawn_from_the_file(tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text(json.dumps(DATA))
    draw(tmp_path / "deep.json", tmp_path / "deep.png")
    assert (tmp_path / "deep.png").read_bytes().startswith(b"\x89PNG")
