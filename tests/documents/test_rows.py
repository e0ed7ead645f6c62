"""Rows become a frame or an Arrow table of whichever library is installed."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest

import regretlab as rl
from regretlab.documents.rows import Rows
from regretlab.errors import UserError
from regretlab.experiments.rows import export

ROWS = Rows([{"recipe": "cfr", "value": 1.0}, {"recipe": "cfr+", "value": 2.0}])


@pytest.fixture
def neither(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("pandas", "polars", "pyarrow"):
        monkeypatch.setitem(sys.modules, library, None)


def install(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    """A library whose frames remember their rows.

    Polars is asked to look at all of them: otherwise it refuses a column in which the first hundred hands have no EV.
    """

    def frame(rows: list[object], **options: object) -> tuple[str, list[object]]:
        assert options == ({"infer_schema_length": None} if library == "polars" else {})
        return library, rows

    monkeypatch.setitem(sys.modules, library, SimpleNamespace(__name__=library, DataFrame=frame))


@pytest.mark.usefixtures("neither")
def test_a_frame_without_a_library_is_refused_in_one_line() -> None:
    with pytest.raises(UserError, match=r"^a frame needs pandas or polars, which are not installed: .*$"):
        ROWS.frame()
    with pytest.raises(UserError, match=r"^an Arrow table needs pyarrow, which is not installed: .*$"):
        ROWS.arrow()
    assert isinstance(ROWS, list)


@pytest.mark.usefixtures("neither")
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_one_of_two_libraries_makes_the_frame(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    install(monkeypatch, library)
    name, rows = ROWS.frame()
    assert (name, rows, type(rows)) == (library, ROWS, list)


def test_pandas_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, "polars")
    install(monkeypatch, "pandas")
    assert ROWS.frame()[0] == "pandas"


@pytest.mark.usefixtures("neither")
def test_comparisons_and_experiments_have_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, "polars")
    result = rl.compare("kuhn", ["cfr"], iterations=3)
    assert result.frame() == ("polars", result.as_dicts())
    assert result.history().frame() == ("polars", result.history())
    suite = {"runs": [{"games": "kuhn", "recipes": ["cfr"], "iterations": [3]}]}
    rows = rl.experiment(suite, store=tmp_path / "a.sqlite", workers=1)
    assert rows.frame() == ("polars", rows)


def test_an_arrow_table_has_the_types_of_its_columns() -> None:
    pytest.importorskip("pyarrow")
    rows = Rows(
        [
            {"name": "a", "count": 1, "share": Fraction(1, 3), "power": 2, "missing": None},
            {"name": "b", "count": 2, "share": 0.5, "power": "none", "missing": 0.1},
        ]
    )
    table = rows.arrow()
    assert [str(kind) for kind in table.schema.types] == ["string", "int64", "double", "string", "double"]
    assert table.to_pylist()[0] == {"name": "a", "count": 1, "share": 1 / 3, "power": "2", "missing": None}
    assert Rows().arrow().num_rows == 0


def test_a_parquet_file_holds_every_number_to_the_last_bit(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = rl.compare("kuhn", ["cfr", "cfr+"], iterations=7).history()
    export(rows, tmp_path / "history.parquet")
    assert parquet.read_table(tmp_path / "history.parquet").to_pylist() == rows
    assert [path.name for path in tmp_path.iterdir()] == ["history.parquet"]


@pytest.mark.usefixtures("neither")
def test_a_parquet_file_that_can_not_be_written_is_not_begun(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="pyarrow"):
        export(ROWS, tmp_path / "rows.parquet")
    assert list(tmp_path.iterdir()) == []
