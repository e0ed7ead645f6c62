"""``regretlab experiment`` with spots: what it says before, what it shows after, what it says of those that failed."""

import json
from pathlib import Path

import pytest
from experiments.fakes import in_process

import regretlab as rl
from regretlab.experiments.running import PLACES

SUITE = """
title = "rivers"
[[spots]]
spot = { board = "Kd9s4h3c", pot = 40, stack = 60, oop.range = "AA,KQs,98s", ip.range = "KK,QQ,T9s" }
name = "small"
boards = "all rivers"
until = "5%"
[[spots]]
spot = "flop-srp"
keep = "all"
iterations = 10
"""


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setitem(PLACES, "local", in_process)
    (tmp_path / "rivers.toml").write_text(SUITE)
    return ["experiment", str(tmp_path / "rivers.toml"), "--store", str(tmp_path / "s"), "--memory", "2GB"]


def test_a_dry_run_says_boards_memory_time_and_what_does_not_fit(regretlab, suite, tmp_path: Path) -> None:
    done = regretlab(*suite, "--dry-run", "--workers", "2", columns=120)
    assert (done.status, done.err) == (0, "")
    small, flop = (
        next(line.split() for line in done.lines if line.startswith(name)) for name in ("small", "flop-srp ")
    )
    assert small[:4] == ["small", "dcfr", "f64", "48"]
    memory = f"{rl.holdem('flop-srp').block_size().nbytes // 10**6:,}"
    assert flop[:6] == ["flop-srp", "dcfr", "f64", "1", memory, "MB"]
    assert flop[6:8] == ["3,036", "MB"], "the average alone, before it is compressed"
    assert "flop-srp on Qs7h2d: it takes about 6," in done.out
    assert " MB of memory, and there are about 2,000 MB; it was not begun" in done.out
    assert "49 runs, of which 0 are in" in done.out
    assert [path.name for path in tmp_path.iterdir()] == ["rivers.toml"]
    found = regretlab(*suite, "--dry-run", "--json").json
    assert list(found["refused"]) == ["flop-srp on Qs7h2d"]


def test_spots_are_shown_board_by_board_with_their_mean_and_what_failed_is_named(regretlab, suite, tmp_path) -> None:
    done = regretlab(*suite, columns=80)
    assert done.status == 1
    assert done.err.startswith("regretlab: failed: dcfr on flop-srp on Qs7h2d: it takes about")
    assert max(map(len, done.lines[:-1])) <= 80
    rows = rl.experiment({"spots": [_small()]}, store=tmp_path / "s")
    first = next(line.split() for line in done.lines if line.startswith("Kd9s4h3c"))
    assert first[0] == rows[0]["board"]
    assert float(first[1]) == pytest.approx(rows[0]["ev of oop"], rel=1e-4)
    assert sum(line.startswith("Kd9s4h3c") for line in done.lines) == 20
    assert "… and 28 more boards" in done.out
    total = sum(row["weight"] * row["pairs"] for row in rows)
    mean = sum(row["weight"] * row["pairs"] * row["ev of oop"] for row in rows) / total
    shown = next(line.split() for line in done.lines if line.startswith("mean"))
    assert float(shown[1]) == pytest.approx(mean, rel=1e-4)
    assert "48 runs done now" in done.out
    failures = regretlab(*suite, "--json").json["failures"]
    assert [(each["spot"], each["board"]) for each in failures] == [("flop-srp", "Qs7h2d")]


def _small() -> dict[str, object]:
    ranges = {"oop": {"range": "AA,KQs,98s"}, "ip": {"range": "KK,QQ,T9s"}}
    spot = {"board": "Kd9s4h3c", "pot": 40, "stack": 60} | ranges
    return {"spot": spot, "name": "small", "boards": "all rivers", "until": "5%"}


@pytest.mark.parametrize("size", ["4GBX", "-1GB", "much", "0"])
def test_an_amount_of_memory_that_is_none_is_told(regretlab, suite, size: str) -> None:
    done = regretlab(*suite[:-2], f"--memory={size}")
    assert done.status == 2
    assert done.err == f"regretlab: --memory={size} is no amount of memory; write it like 8GB or 500MB\n"


def test_on_ray_nodes_say_what_memory_they_have(regretlab, suite) -> None:
    pytest.importorskip("ray")
    done = regretlab(*suite, "--on", "ray")
    assert done.status == 2
    assert "on Ray each node says what it has" in done.err


def test_a_strategy_that_was_kept_whole_is_shown_like_a_saved_run(regretlab, suite, tmp_path: Path) -> None:
    (tmp_path / "whole.toml").write_text('[[spots]]\nspot = "river-polar"\nkeep = "all"\n')
    assert regretlab("experiment", str(tmp_path / "whole.toml"), "--store", str(tmp_path / "s")).status == 0
    (file,) = (tmp_path / "s.strategies").iterdir()
    shown, saved = regretlab("show", str(file)), tmp_path / "run.npz"
    regretlab("solve", "holdem:river-polar", "--save", str(saved))
    assert shown.status == 0
    assert shown.out == regretlab("show", str(saved)).out
    done = regretlab("solve", "holdem:river-polar", "--until", "0.01%", "--resume", str(file))
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "can't go on: only its average strategy was kept" in done.err
    from regretlab.watch.spots.saved import listed

    (row,) = listed(file.parent, [file.name])
    assert (row["board"], row.get("error")) == ("KsTd7h4c2s", None)


def test_results_of_spots_have_short_names(regretlab, suite, tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "s")]
    small = _small() | {"boards": ["Kd9s4h3c2c", "Kd9s4h3c5c"], "iterations": [10, 20]}
    rows = rl.experiment({"spots": [small, {"spot": "river-polar"}]}, store=tmp_path / "s")
    listed = regretlab("results", "list", *store, "--json").json
    assert [(group["game"], group["runs"]) for group in listed] == [("holdem(2 boards)", 2), ("holdem:river-polar", 1)]
    shown = regretlab("results", "show", rows[0]["run"], *store, columns=200)
    assert shown.status == 0
    assert shown.lines[0] == "dcfr on holdem(Kd9s4h3c2c)"
    regretlab("results", "export", str(tmp_path / "all.json"), *store)
    exported = json.loads((tmp_path / "all.json").read_text())
    assert {(row["game"], row["board"]) for row in exported} == {
        ("holdem(Kd9s4h3c2c)", "Kd9s4h3c2c"),
        ("holdem(Kd9s4h3c5c)", "Kd9s4h3c5c"),
        ("holdem:river-polar", "KsTd7h4c2s"),
    }
