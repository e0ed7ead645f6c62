"""Tables for people and programs: rows that become a frame or an Arrow table where a library for that is installed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any

from regretlab.errors import UserError

if TYPE_CHECKING:
    from regretlab.documents.blocks import Cell

Row = dict[str, Any]

MOST_SHOWN = 10
"""Rows that notebooks show."""


class Rows(list[Row]):
    """A list of dictionaries that all have the same keys."""

    def _repr_html_(self) -> str:
        from regretlab.documents.notebook import as_html, headline, listed

        head = list(self[0]) if self else []
        rows = (tuple(_cell(row.get(name)) for name in head) for row in self)
        return as_html(
            listed(head, rows, len(self), "`frame()` has all of them", MOST_SHOWN) if self else headline("no rows")
        )

    def frame(self) -> Any:
        """The rows as a frame of pandas or, where that is not installed, of polars."""
        library = _installed("a frame", "pandas", "polars")
        # Polars judges a column by its first hundred rows, in which there may be nothing.
        whole = {"infer_schema_length": None} if library.__name__ == "polars" else {}
        return library.DataFrame(list(self), **whole)

    def arrow(self) -> Any:
        """The rows as a table of pyarrow; fractions become floats, and columns of several types text.

        What ``pyarrow.parquet.write_table`` writes, pandas, polars, DuckDB, R and Spark read.
        """
        library = _installed("an Arrow table", "pyarrow")
        names = list(self[0]) if self else []
        return library.table({name: _column(library, [row[name] for row in self]) for name in names})


def _cell(value: Any) -> Cell:
    """A value as a field of a table."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if value is None or is_number else str(value)


def _installed(wanted: str, *names: str) -> Any:
    """The first of these libraries that is installed; UserError without any."""
    for name in names:
        try:
            return import_module(name)
        except ImportError:
            continue
    lacking = " or ".join(names)
    raise UserError(
        f"{wanted} needs {lacking}, which {'are' if len(names) > 1 else 'is'} not installed: pip install {names[0]}"
    )


def _column(library: Any, values: Sequence[Any]) -> Any:
    """One column; where its values have several types, as text."""
    numbers = [float(value) if isinstance(value, Fraction) else value for value in values]
    try:
        return library.array(numbers)
    except (library.ArrowInvalid, library.ArrowTypeError):
        return library.array([None if value is None else str(value) for value in values])
