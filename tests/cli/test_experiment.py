"""``regretlab experiment``: a suite of runs, to the end."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from experiments.fakes import in_process

import regretlab as rl
from regretlab.experiments import Store
from regretlab.experiments.running import PLACES

SUITE = """
title = "two recipes"
[[runs]]
games = ["kuhn", "rps"]
recipes = ["cfr", "cfr+(schedule=simultaneous, averaging=quadratic)"]
iterations = [5, 10, 20, 50, 100]
starts = 3
[[runs]]
games = "kuhn"
recipes = "cfr(feedback=chance)"
iterations = 20
seeds = 2
"""
PATIENCE = 60.0
"""Seconds after which a test gives up waiting; nothing takes that long."""


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The arguments for a small suite with its own store, which runs in this process."""
    monkeypatch.setitem(PLACES, "local", in_process)
    (tmp_path / "small.toml").write_text(SUITE)
    return ["experiment", str(tmp_path / "small.toml"), "--store", str(tmp_path / "results.sqlite")]


def test_without_a_suite_the_suites_are_listed(regretlab) -> None:
    done = regretlab("experiment")
    assert done.status == 0
    names = [each["name"] for each in regretlab("experiment", "--json").json]
    assert names == ["convergence", "flops", "kuhn-report", "quick", "variants"]
    assert [line.split()[0] for line in done.lines if line[:1].strip()][: len(names)] == names


def test_a_suite_runs_and_its_table_shows_the_means(regretlab, suite) -> None:
    done = regretlab(*suite, columns=80)
    assert (done.status, done.err) == (0, "")
    assert max(map(len, done.lines[:-1])) <= 80
    assert done.lines[0] == "small: two recipes"
    assert [line for line in done.lines if line in ("kuhn", "rps")] == ["kuhn", "rps", "kuhn"]
    rows = rl.experiment(suite[1], store=suite[3])
    last = [
        row["exploitability"] for row in rows if (row["game"], row["recipe"], row["iteration"]) == ("kuhn", "cfr", 100)
    ]
    first = next(line.split() for line in done.lines if line.startswith("cfr "))
    assert len(last) == 3
    assert first[:2] == ["cfr", "3"]
    assert first[-2] == f"{sum(last) / 3:.4f}"
    assert "14 runs done now, 0 there before" in done.out
    again = regretlab(*suite, columns=80)
    assert again.lines[:-1] == done.lines[:-1]
    assert "0 runs done now, 14 there before" in again.out


def test_json_has_the_rows(regretlab, suite) -> None:
    found = regretlab(*suite, "--json").json
    assert (found["suite"], found["runs"], found["there"], found["done"]) == ("small", 14, 0, 14)
    assert found["complete"]
    assert found["failures"] == []
    assert found["rows"] == rl.experiment(suite[1], store=suite[3])


def test_a_dry_run_says_what_would_run_and_leaves_no_trace(regretlab, suite, tmp_path: Path) -> None:
    done = regretlab(*suite, "--dry-run", "--workers", "3")
    assert done.status == 0
    assert [line.split() for line in done.lines if line.startswith(("kuhn", "rps"))] == [
        ["kuhn", "3", "8", "640", "1", "s"],
        ["rps", "2", "6", "600", "1", "s"],
    ]
    assert "14 runs, of which 0 are in" in done.out
    assert "with 3 workers: an estimate" in done.out
    assert [path.name for path in tmp_path.iterdir()] == ["small.toml"]
    regretlab(*suite)
    assert "14 runs, of which 14 are in" in regretlab(*suite, "--dry-run").out
    found = regretlab(*suite, "--dry-run", "--json").json
    assert (found["runs"], found["there"], found["estimated_seconds"]) == (14, 14, 0)


def test_failures_are_told_one_a_line_and_the_rest_is_shown(regretlab, suite, monkeypatch) -> None:
    from regretlab.experiments.worker import perform

    def fails_at_start_two(run, file):
        if run.start == 2 and run.game == "rps":
            raise ArithmeticError("lost\nthe thread")
        return perform(run, file)

    monkeypatch.setattr("regretlab.experiments.worker.perform", fails_at_start_two)
    done = regretlab(*suite)
    assert done.status == 1
    assert done.err.splitlines() == [
        f"regretlab: failed: {name} on rps, start 2: ArithmeticError: lost the thread"
        for name in ("cfr", "cfr+(averaging=quadratic, schedule=simultaneous)")
    ]
    assert "12 runs done now" in done.out
    assert len(regretlab(*suite, "--json").json["failures"]) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["experiment", "qick"], "unknown suite 'qick'; did you mean 'quick'?"),
        (["experiment", "none.toml"], "there is no file 'none.toml'"),
        (["experiment", "quick", "--on", "mars"], "unknown place to run 'mars'; there are: local"),
        (["experiment", "quick", "--workers", "0"], "--workers=0 must be a whole number, at least 1"),
        (["experiment", "quick", "--store", "/no/where/s"], "can't use the store '/no/where/s': there is no folder"),
    ],
)
def test_a_mistake_is_one_line(regretlab, arguments: list[str], said: str) -> None:
    done = regretlab(*arguments)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert done.err.count("\n") == 1


LONG = """
[[runs]]
games = "kuhn"
recipes = "cfr"
iterations = 1e12
[[runs]]
games = "kuhn"
recipes = ["cfr", "cfr+"]
iterations = 10
"""


def test_ctrl_c_keeps_what_is_finished_and_says_how_to_go_on(tmp_path: Path) -> None:
    (tmp_path / "long.toml").write_text(LONG)
    command = [sys.executable, "-m", "regretlab", "experiment", "long.toml", "--store", "s", "--workers", "2"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            end = time.monotonic() + PATIENCE
            while kept(tmp_path / "s") < 2:
                assert time.monotonic() < end
                time.sleep(0.02)
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert process.returncode == 130
    assert err == "regretlab: stopped by Ctrl-C: 2 of 3 runs are kept; the same command goes on from there\n"
    assert "2 runs done now" in out
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
    assert kept(tmp_path / "s") == 2


def kept(path: Path) -> int:
    with Store.to_read(path) as store:
        return len(store.hashes())


@pytest.mark.parametrize("measure", ["distance", "nash_conv", "current_exploitability", "average(J: bet)", "value"])
def test_any_measure_alone_has_its_table_and_nothing_to_rank(regretlab, tmp_path: Path, measure: str) -> None:
    file, store = tmp_path / "mine.toml", str(tmp_path / "results.sqlite")
    file.write_text(f'[[runs]]\ngames = "kuhn"\nrecipes = ["cfr+"]\niterations = [10, 20]\nmeasures = ["{measure}"]\n')
    done = regretlab("experiment", str(file), "--store", store, "--workers", "1")
    assert (done.status, done.err) == (0, "")
    assert f"{measure} after" in done.out
    ranked = regretlab("results", "rank", str(file), "--at", "20", "--store", store)
    assert (ranked.status, ranked.err.count("\n")) == (2, 1)
    assert "no run has measured exploitability" in ranked.err
