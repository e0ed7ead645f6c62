"""Tables for people and programs: rows that become a frame where a library for that is installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from regretlab.errors import UserError

Row = dict[str, Any]


class Rows(list[Row]):
    """A list of dictionaries that all have the same keys."""

    def frame(self) -> Any:
        """The rows as a frame of pandas or, where that is not installed, of polars."""
        library = frame_library()
        if library is None:
            raise UserError("a frame needs pandas or polars, and neither is installed: pip install pandas")
        return library.DataFrame(list(self))


def frame_library() -> Any:
    """pandas or polars, the first that is installed; None without both."""
    for name in ("pandas", "polars"):
        try:
            return import_module(name)
        except ImportError:
            continue
    return None
