"""Numba without its private parts: the same numbers, more slowly."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from regretlab.forms.numba_private import atomics

SOLVE = """
import importlib, sys, types
import numba
there = importlib.import_module
gone, how = sys.argv[1:]

def without(name, package=None):
    if name != gone:
        return there(name, package)
    if how == "module":
        raise ImportError(name)
    return types.ModuleType(name)

importlib.import_module = without

import hashlib
from regretlab.solving import Solver
from regretlab.feedback.barrier import CAN_MEET
solver = Solver("kuhn", "cfr+", cores=2)
solver.advance(50)
digest = hashlib.sha256(b"".join(side.regret.tobytes() + side.total.tobytes() for side in solver.sides))
print(digest.hexdigest(), CAN_MEET)
"""
"""Solves where one module of Numba is gone, or is there without what we want from it."""


def solved(gone: str = "nothing", how: str = "module") -> tuple[str, bool]:
    """A hash of the numbers, and whether several cores could be used."""
    command = [sys.executable, "-c", SOLVE, gone, how]
    digest, can_meet = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return digest, can_meet == "True"


@pytest.fixture(scope="module")
def usual() -> tuple[str, bool]:
    return solved()


def test_this_numba_has_all_of_them(usual: tuple[str, bool]) -> None:
    assert usual[1]
    assert atomics() is not None


@pytest.mark.parametrize("how", ["module", "part"])
@pytest.mark.parametrize("gone", ["numba.np.linalg", "numba.core.registry"])
def test_what_only_saves_time_may_be_gone(
    gone: str, how: str, usual: tuple[str, bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))  # kernels on disk were compiled with it
    assert solved(gone, how) == usual


@pytest.mark.parametrize("how", ["module", "part"])
@pytest.mark.parametrize("gone", ["numba.np.arrayobj", "numba.core.cgutils", "numba.extending", "numba.core.types"])
def test_without_atomic_reading_and_writing_one_core_does_the_work(
    gone: str, how: str, usual: tuple[str, bool]
) -> None:
    assert solved(gone, how) == (usual[0], False)
