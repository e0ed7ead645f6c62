"""Tidy rows as a frame, if a library for frames is installed."""

import sys
from types import SimpleNamespace

import pytest

import regretlab as rl
from regretlab.experiments.rows import TidyRows

ROWS = TidyRows([{"recipe": "cfr", "value": 1.0}, {"recipe": "cfr+", "value": 2.0}])


@pytest.fixture(autouse=True)
def neither(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, library, None)


def install(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    monkeypatch.setitem(sys.modules, library, SimpleNamespace(DataFrame=lambda rows: (library, rows)))


def test_without_a_library_rows_stay_a_list_of_dictionaries() -> None:
    assert ROWS.frame() is ROWS
    assert isinstance(ROWS, list)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_one_of_two_libraries_makes_the_frame(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    install(monkeypatch, library)
    name, rows = ROWS.frame()
    assert (name, rows, type(rows)) == (library, ROWS, list)


def test_pandas_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, "polars")
    install(monkeypatch, "pandas")
    assert ROWS.frame()[0] == "pandas"


def test_comparisons_and_experiments_have_one(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    install(monkeypatch, "polars")
    result = rl.compare("kuhn", ["cfr"], iterations=3)
    assert result.frame() == ("polars", result.as_dicts())
    assert result.history().frame() == ("polars", result.history())
    suite = {"runs": [{"games": "kuhn", "recipes": ["cfr"], "iterations": [3]}]}
    rows = rl.experiment(suite, store=tmp_path / "a.sqlite", workers=1)
    assert rows.frame() == ("polars", rows)
