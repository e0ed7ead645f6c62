"""Hold'em endgames beside every command: what is said before and after, and what is refused at once."""

import os
import pty
import re
import signal
import subprocess
import sys

import numpy as np
import pytest

import regretlab as rl
from regretlab.cli import progress
from regretlab.games import size

FLOP = "holdem:flop-srp"


def test_size_and_time_are_told_before_a_large_spot_is_solved(regretlab, monkeypatch) -> None:
    assert regretlab("solve", "holdem:river-polar", "--iterations", "1").err == ""
    monkeypatch.setattr(size, "LARGE", 100)
    told = regretlab("solve", "holdem:river-polar", "--iterations", "1", "--precision", "f32").err
    assert told.startswith("regretlab: holdem:river-polar: 4 decisions on 1 board, ")
    assert "f32 " in told
    assert told.endswith(" s on one core\n")  # how long it takes to a target nobody has asked for
    told = regretlab("solve", "holdem:river-polar", "--until", "0.5%").err
    assert re.search(r" s on one core; 0\.5 % of the pot in about 1 s\n$", told)


@pytest.mark.parametrize("columns", [60, 100])
def test_a_solved_spot_ends_with_its_grid_and_what_both_expect(regretlab, columns) -> None:
    done = regretlab("solve", "holdem:river-polar", "--until", "0.5%", columns=columns)
    assert (done.status, done.err) == (0, "")
    assert max(map(len, done.lines)) <= columns
    solution = rl.solve("holdem:river-polar", until="0.5%")
    text = " ".join(done.out.split())
    assert "river KsTd7h4c2s, pot 100, 100 behind; oop 14 hands, ip 15 hands" in text
    assert "A K Q J T 9 8 7 6 5 4 3 2" in text
    assert f"equity {100 * solution.equities[1]:.2f} %" in text
    assert next(line for line in done.lines if line.startswith("EV of ip")).endswith("pot") == (columns == 60)
    assert "because exploitability 0.5 (0.500 % of the pot) was reached." in text


@pytest.mark.parametrize("precision", ["f64", "f32", "16bit"])
def test_a_run_is_stopped_and_resumed_to_the_last_bit(regretlab, tmp_path, precision) -> None:
    first, second, whole = (str(tmp_path / name) for name in ("first.npz", "second.npz", "whole.npz"))
    spot, kept = "holdem:river-polar", ("--precision", precision)
    assert regretlab("solve", spot, *kept, "--iterations", "13", "--save", first).status == 0
    assert regretlab("solve", spot, *kept, "--iterations", "40", "--resume", first, "--save", second).status == 0
    assert regretlab("solve", spot, *kept, "--iterations", "40", "--save", whole).status == 0
    resumed, straight = rl.Solution.load(second), rl.Solution.load(whole)
    assert resumed.iterations == straight.iterations == 40
    assert resumed.exploitability == straight.exploitability
    for mine, theirs in zip(resumed.strategy.arrays, straight.strategy.arrays, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def shown(terminal: int, until: str) -> str:
    """What a process writes to a terminal, up to some words."""
    text = ""
    while until not in text:
        text += os.read(terminal, 4096).decode(errors="replace")
    return text


def test_ctrl_c_keeps_what_is_there(tmp_path) -> None:
    run = tmp_path / "run.npz"
    command = [sys.executable, "-m", "regretlab", "solve", "holdem:turn-3bet", "--until", "1e-9", "--save", str(run)]
    terminal, end = pty.openpty()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=end, text=True)
    os.close(end)
    try:
        err = shown(terminal, until=" left")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=100)
        err += shown(terminal, until="--resume")
    finally:
        process.kill()
        process.wait()
        os.close(terminal)
    assert process.returncode == progress.INTERRUPTED, err
    assert "Stopped by Ctrl-C after" in out
    assert re.search(r"solving .*/s .*% of the pot, .* left", err)  # how far it is, and how long it will take
    assert rl.Solution.load(run).iterations > 0


@pytest.mark.parametrize(
    ("option", "kept"), [("--precision=f32", "precision=f64"), ("--form=histories", "form=blocks")]
)
def test_what_a_saved_run_is_kept_in_cannot_be_changed(regretlab, tmp_path, option, kept) -> None:
    run, spot = str(tmp_path / "run.npz"), "holdem:river-polar"
    assert regretlab("solve", spot, "--iterations", "3", "--save", run).status == 0
    done = regretlab("solve", spot, "--iterations", "5", "--resume", run, option)
    assert (done.status, done.out) == (2, "")
    assert done.err == f"regretlab: the saved run has {kept}; it can't be changed\n"
    same = option.replace("f32", "f64").replace("histories", "blocks")
    assert regretlab("solve", spot, "--iterations", "5", "--resume", run, same).status == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("nash", FLOP),
        ("nash", FLOP, "--exact"),
        ("walkthrough", FLOP),
        ("compare", FLOP),
        ("chaos", FLOP),
        ("export", FLOP, "{folder}/flop.efg"),
        ("solve", FLOP, "--form", "histories"),
    ],
    ids=" ".join,
)
def test_what_would_walk_a_flop_is_refused_in_one_line(regretlab, tmp_path, arguments) -> None:
    done = regretlab(*(word.format(folder=tmp_path) for word in arguments))
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1), done.err
    assert FLOP in done.err
    assert not list(tmp_path.iterdir())


def test_a_small_spot_is_a_game_like_any_other(regretlab, tmp_path) -> None:
    value = regretlab("nash", "holdem:river-polar", "--json").json["value"]
    found = regretlab("solve", "holdem:river-polar", "--until", "0.01%", "--json").json
    assert found["value"] == pytest.approx(value, abs=0.02)
    ranked = regretlab("compare", "holdem:river-polar", "--with", "dcfr,cfr+", "--iterations", "50", "--json").json
    assert {row["recipe"] for row in ranked["rows"]} == {"dcfr", "cfr+"}
    assert regretlab("export", "holdem:river-polar", str(tmp_path / "river.efg")).status == 0
    assert regretlab("nash", f"efg:{tmp_path / 'river.efg'}", "--json").json["value"] == pytest.approx(value, abs=1e-9)


def test_recipes_are_compared_on_a_river_without_walking_its_histories(regretlab, tmp_path, monkeypatch) -> None:
    """It has few enough actions for the linear programme, and more than a million histories to be walked for it."""
    path = tmp_path / "spot.toml"
    path.write_text(regretlab("holdem").out, encoding="utf-8")
    monkeypatch.setattr(
        "regretlab.experiments.comparing.strategies.nash", lambda *_, **__: pytest.fail("it was walked")
    )
    done = regretlab("compare", str(path), "--with", "dcfr,cfr+", "--iterations", "20")
    assert (done.status, done.err) == (0, "")
    assert "exact value unknown: the game is too large for the linear programme" in done.lines
    assert all(any(line.startswith(f"{recipe} ") for line in done.lines) for recipe in ("dcfr", "cfr+"))
