"""A whole run, as short as it can be, and the command."""

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import fields, replace
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from benchmark_fakes import TINY, FakePeer, full_findings

from benchmarks.__main__ import bench
from benchmarks.benchmark import Benchmark
from benchmarks.report import as_dict
from benchmarks.results import FROM_DICTIONARY, OURS, Findings
from benchmarks.tables import print_findings
from regretlab.documents.numbers import plain
from regretlab.errors import UserError


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """All parts but those that start other programs."""
    run = Benchmark(replace(TINY, parts=("peers", "limits", "growth")))
    run.cache = 2**16
    run.run()
    return json.loads(json.dumps(plain(as_dict(run.findings)), allow_nan=False))


def test_the_report_is_complete(report: dict[str, Any]) -> None:
    assert report["complete"] is True
    assert report.keys() == {
        "format", "complete", "machine", "versions", "settings", "calibration", "left_out", "agreements",
        "measurements", "limits", "loads", "growth", "memory", "cores", "neighbours", "holdem", "imports_of_help",
        "targets",
    }  # fmt: skip
    assert {"processor", "cores", "caches", "memory", "python"} <= report["machine"].keys()
    assert {"numpy", "numba", "open_spiel"} <= report["versions"].keys()
    assert {"seconds", "retries", "disturbed", "slowed"} == report["calibration"].keys()
    assert [point["family"] for point in report["growth"][:2]] == ["Kuhn poker"] * 2
    assert len(report["targets"]) == 28
    assert report["limits"]["bandwidth"] > 0


def test_openspiel_agrees_exactly(report: dict[str, Any]) -> None:
    assert [(one["peer"], one["algorithm"]) for one in report["agreements"]] == [
        ("OpenSpiel C++", "cfr+"),
        ("OpenSpiel C++", "cfr"),
    ]
    for one in report["agreements"]:
        assert one["agrees"]
        assert one["ours"] == pytest.approx(one["theirs"], rel=1e-12)


def test_every_ratio_can_be_computed_again_from_the_raw_timings(report: dict[str, Any]) -> None:
    checked = 0
    for one in report["measurements"]:
        seconds = {
            series["name"]: [batch["seconds"] / batch["calls"] for batch in series["batches"]]
            for series in one["series"]
        }
        for series in one["series"]:
            assert series["median"] == pytest.approx(median(seconds[series["name"]]))
        for ratio in one["ratios"]:
            upper, lower = seconds[ratio["name"]], seconds[ratio["to"]]
            if len(upper) != len(lower):  # a slow peer on a busy machine has fewer rounds, compared with a median
                count = min(len(upper), len(lower))
                upper, lower = ([median(one)] * count if len(one) > count else one for one in (upper, lower))
            pairs = zip(upper, lower, strict=True)
            assert ratio["median"] == pytest.approx(median(theirs / ours for theirs, ours in pairs))
            assert ratio["low"] <= ratio["median"] <= ratio["high"]
            checked += 1
    assert checked == 6  # ready, two iterations, until, and the exploitability from arrays and from a dictionary


def test_both_of_our_judges_have_ratios(report: dict[str, Any]) -> None:
    (judged,) = [one for one in report["measurements"] if one["quantity"] == "exploitability"]
    assert [(ratio["name"], ratio["to"]) for ratio in judged["ratios"]] == [
        ("OpenSpiel C++", OURS),
        ("OpenSpiel C++", FROM_DICTIONARY),
    ]


def test_the_load_is_held_against_the_limits(report: dict[str, Any]) -> None:
    (load,) = report["loads"]
    assert load["entries"] == 30
    assert load["share_of_bandwidth"] == pytest.approx(load["bytes"] / load["seconds"] / report["limits"]["bandwidth"])
    assert load["share_of_product"] == pytest.approx(2 * 30 / load["seconds"] / report["limits"]["entries"])


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.settings.QUICK", TINY)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")


def test_the_command_prints_tables_and_writes_files(
    tiny: None, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status = bench(quick=True, json=tmp_path / "b.json", plot=tmp_path / "b.png")
    out, err = capsys.readouterr()
    assert (status, err) == (0, "")
    for words in ("OpenSpiel", "iteration, cfr+", "up to 1e-06: rounding", "What is to be reached", "not measured"):
        assert words in out
    assert json.loads((tmp_path / "b.json").read_text())["complete"] is True
    assert (tmp_path / "b.png").read_bytes().startswith(b"\x89PNG")


def words(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: int) -> Counter[str]:
    """All words on the screen, with which cells may be broken only between them; lines may not be too long."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(columns))
    print_findings(full_findings(), None, None)
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= columns
    return Counter(word for word in out.split() if not word.startswith("──"))


def test_nothing_is_cut_off_in_80_columns(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert words(monkeypatch, capsys, 80) == words(monkeypatch, capsys, 200)


ALWAYS = ("machine", "calibration")
"""What every run finds, whichever parts it has."""


@pytest.mark.parametrize("part", [each.name for each in fields(Findings) if each.name not in ALWAYS])
def test_a_part_that_was_not_measured_has_no_table(part: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = full_findings()
    nothing = Findings(**{name: getattr(found, name) for name in ALWAYS})
    print_findings(replace(found, **{part: getattr(nothing, part)}), None, None)
    print_findings(replace(nothing, **{part: getattr(found, part)}), None, None)
    assert capsys.readouterr().out.count("What is to be reached") == 2


def test_the_tables_say_what_agrees_in_distribution_only(capsys: pytest.CaptureFixture[str]) -> None:
    print_findings(full_findings(), None, None)
    out = capsys.readouterr().out
    assert "kuhn, external sampling, in distribution only: medians of 51 seeds, × 1.5" in out
    assert "OpenSpiel JAX up to 3e-01: single precision" in out


def test_a_disagreement_fails_loudly(
    tiny: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    liar = FakePeer(title="a liar", lie=lambda exploitability: 1.01 * exploitability)
    monkeypatch.setattr("benchmarks.benchmark.load_peer", lambda key: liar)
    status = bench(quick=True, json=tmp_path / "b.json")
    out, err = capsys.readouterr()
    assert status == 1
    assert err.startswith("regretlab: DISAGREEMENT: after 5 iterations of cfr+ on kuhn")
    assert "a liar" in err
    assert "DISAGREES" in out
    assert json.loads((tmp_path / "b.json").read_text())["agreements"][0]["agrees"] is False


def test_a_missing_peer_is_told(
    tiny: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = FakePeer(title="OpenSpiel C++", needs=("no_such_module",))
    monkeypatch.setattr("benchmarks.benchmark.load_peer", lambda key: gone)
    assert bench(quick=True) == 0
    assert "Left out: OpenSpiel C++: not installed: no_such_module" in capsys.readouterr().out


@pytest.mark.parametrize("lost", [False, True], ids=["as it comes", "turned into another error"])
def test_ctrl_c_shows_what_is_finished(
    tiny: None,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    lost: bool,
) -> None:
    def interrupted(self: Benchmark) -> None:
        try:
            signal.raise_signal(signal.SIGINT)
            time.sleep(10)  # never so long, unless nobody listens to the signal
        except KeyboardInterrupt:
            if lost:
                raise ValueError("a compiler was interrupted") from None
            raise

    monkeypatch.setattr(Benchmark, "growth", interrupted)
    # Who runs the tests may ignore Ctrl-C, as shells do for what they start in the background.
    outside = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, outside))
    before = signal.getsignal(signal.SIGINT)
    status = bench(quick=True, only="peers,growth", json=tmp_path / "b.json")
    out, err = capsys.readouterr()
    assert status == 130
    assert err == "regretlab: stopped by Ctrl-C; what was not finished is left out\n"
    assert "iteration, cfr+" in out
    assert json.loads((tmp_path / "b.json").read_text())["complete"] is False
    assert signal.getsignal(signal.SIGINT) is before


def test_an_error_is_not_taken_for_ctrl_c_and_loses_nothing_either(
    tiny: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(self: Benchmark) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Benchmark, "growth", broken)
    with pytest.raises(ZeroDivisionError):
        bench(quick=True, only="peers,growth", json=tmp_path / "b.json")
    report = json.loads((tmp_path / "b.json").read_text())
    assert report["complete"] is False
    assert report["measurements"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": "ludec"}, "unknown game of the benchmark 'ludec'"),
        ({"peers": "opensiel"}, "did you mean 'openspiel'"),
        ({"only": "speed"}, "unknown part of the benchmark 'speed'"),
        ({"only": ","}, "no part of the benchmark was given"),
        ({"plot": Path("b.gif")}, "ends in .png, .svg or .pdf"),
        ({"json": Path("no/such/folder/b.json")}, "there is no folder"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_mistakes_are_told_before_anything_is_measured(
    monkeypatch: pytest.MonkeyPatch, arguments: dict[str, Any], message: str
) -> None:
    monkeypatch.setattr(Benchmark, "run", lambda self: pytest.fail("measured"))
    with pytest.raises(UserError, match=message):
        bench(**arguments)


def test_the_command_loads_nothing_heavy() -> None:
    code = "import sys, benchmarks.__main__; assert not {'numba', 'numpy', 'scipy', 'matplotlib'} & sys.modules.keys()"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_only_openspiel_s_own_games_need_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.benchmark.has_openspiel", lambda: False)
    run = Benchmark(replace(TINY, games=("openspiel:leduc_poker", "kuhn"), peers=()))
    run.run()
    assert [(one.what, one.why) for one in run.findings.left_out] == [
        ("openspiel:leduc_poker", "the game is OpenSpiel's, which is not installed")
    ]
    assert {one.game for one in run.findings.measurements} == {"kuhn"}


def test_sampling_is_said_to_be_left_out_on_games_without_seeds() -> None:
    run = Benchmark(replace(TINY, games=("goofspiel-4",), peers=(), parts=("sampling",)))
    run.run()
    assert [(one.what, one.why) for one in run.findings.left_out] == [("sampling", "it is measured on kuhn")]
    assert run.findings.measurements == []
