"""Deep CFR side by side: what is run, and what a curve tells."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from regretlab.deep import packages
from regretlab.solving import solve
from studies import deep_cfr
from studies.deep_cfr import BESIDE, OPENSPIEL, Point, Run, curve, draw, measure, plan, side_by_side


def test_everybody_gets_the_same_time_and_seeds() -> None:
    runs = plan({"leduc": (900, 3), "kuhn": (120, 5)})
    for algorithm in ("deep-cfr", "sd-cfr", OPENSPIEL):
        given = [(run.game, run.seed, run.seconds) for run in runs if run.algorithm == algorithm]
        assert given == [*(("leduc", seed, 900) for seed in range(3)), *(("kuhn", seed, 120) for seed in range(5))]
    assert {(run.algorithm, run.seconds) for run in runs if run.game == "kuhn"} >= {(name, 1.2) for name in BESIDE}


def test_where_openspiel_lacks_something_the_others_run_all_the_same() -> None:
    runs = plan({"kuhn": (120, 5)}, lacking=["dm-tree"])
    assert [run for run in plan({"kuhn": (120, 5)}) if run.algorithm != OPENSPIEL] == runs


def test_a_curve_tells_what_the_average_is_worth_after_so_many_iterations() -> None:
    points = curve(Run("kuhn", "external-sampling", 3, seconds=0.02))
    assert points[-1].seconds >= 0.02 > points[-2].seconds
    for before, after in pairwise(points):
        assert after.seconds > before.seconds
        assert after.iteration > before.iteration
    last = points[-1]
    assert solve("kuhn", "external-sampling", iterations=last.iteration, seed=3).exploitability == last.exploitability


def test_a_curve_ends_where_the_time_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """An iteration takes an eighth of a second here, and the average none."""
    monkeypatch.setattr(deep_cfr, "timed", lambda work: work() or work.args[0] / 8 if hasattr(work, "args") else 0.0)
    seconds = [point.seconds for point in curve(Run("kuhn", "cfr", 0, seconds=100))]
    assert seconds[-1] == pytest.approx(100)
    assert seconds[-2] < 90


def test_the_file_grows_with_each_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without processes of their own, and stopped by the third run."""

    class Here:
        def __init__(self, *_: object, **__: object) -> None: ...
        def __enter__(self) -> Here:
            return self

        def __exit__(self, *_: object) -> None: ...
        def map(self, function: object, runs: list[Run]) -> object:
            yield [Point(1.0, 10, 0.5)]
            yield [Point(2.0, 20, 0.25)]
            raise KeyboardInterrupt

    monkeypatch.setattr(deep_cfr, "ProcessPoolExecutor", Here)
    monkeypatch.setattr(deep_cfr, "ONE_THREAD", {})
    monkeypatch.setattr(deep_cfr, "check_installed", lambda _: None)
    with pytest.raises(KeyboardInterrupt):
        measure(tmp_path / "deep.json")
    data = json.loads((tmp_path / "deep.json").read_text())
    assert [found["points"] for found in data["curves"]] == [[[1.0, 10, 0.5]], [[2.0, 20, 0.25]]]
    assert data["curves"][0] | {"points": []} == {"game": "leduc", "algorithm": "cfr", "seed": 0, "points": []}


def test_without_pytorch_one_line_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(packages, "find_spec", lambda _: None)
    assert deep_cfr.main(["measure", str(tmp_path / "deep.json")]) == 2
    expected = (
        "regretlab: this benchmark needs PyTorch and safetensors; install it with: pip install 'regretlab[deep]'\n"
    )
    assert capsys.readouterr().err == expected
    assert not list(tmp_path.iterdir())


def measured(game: str, algorithm: str, seed: int) -> dict[str, Any]:
    points = [[1.0 + seed, 1, 0.5], [10.0 + seed, 7, 0.1]]
    return {"game": game, "algorithm": algorithm, "seed": seed, "points": points}


DATA = {"curves": [measured("leduc", "deep-cfr", 0), measured("leduc", "deep-cfr", 1), measured("kuhn", "cfr", 0)]}


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
