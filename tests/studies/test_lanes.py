"""The study of lanes, on small games and with few rounds."""

from __future__ import annotations

import pytest

from studies import lanes


def test_speeds_are_printed_as_tables(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(lanes, "ROUNDS", 1)
    monkeypatch.setattr(lanes, "SECONDS_A_ROUND", 1e-4)
    monkeypatch.setattr(lanes, "find_spec", lambda name: None)
    monkeypatch.setattr(lanes, "ON_LANES", ("leduc",))
    assert lanes.main(["speed", "--games", "leduc"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith("| leduc | 6 | ")
    assert lines[6].startswith("| leduc | ")
    assert lines[-1].startswith("OpenSpiel is not installed")


def test_large_games_are_solved(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(lanes, "LARGE", (("kuhn(cards=70)", "f32"),))
    monkeypatch.setattr(lanes, "TARGET", 0.1)
    assert lanes.main(["large"]) == 0
    row = capsys.readouterr().out.splitlines()[-1].split(" | ")
    assert row[:4] == ["| kuhn(cards=70)", "f32", "4", "280"]
