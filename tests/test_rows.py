"""Rows become a frame of whichever library is installed."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from regretlab.errors import UserError
from regretlab.rows import Rows


def frame_of(library: str) -> Any:
    return SimpleNamespace(DataFrame=lambda rows: (library, rows))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_rows_become_a_frame(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, name, frame_of(name) if name == library else None)
    assert Rows([{"a": 1}]).frame() == (library, [{"a": 1}])


def test_a_frame_without_a_library_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(UserError, match=r"^a frame needs pandas or polars, and neither is installed: .*$"):
        Rows([{"a": 1}]).frame()
