"""Kernels and their cache on disk."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

import regretlab
from regretlab.forms import kernel as kernel_module
from regretlab.forms.kernel import cache_folder, in_python, kernel
from regretlab.forms.passes import normalise

SCRIPT = """
from regretlab.solving import learner
learner = learner("cfr+", actions=2)
learner.observe(utilities=[1.0, 0.0])
print(learner.kept.tolist())
"""


def test_an_edited_rule_is_noticed_by_callers_in_other_files(tmp_path: Path) -> None:
    """Numba alone would go on with the old rule, written into the cached kernel of another file."""
    assert regretlab.__file__ is not None
    package = tmp_path / "src" / "regretlab"
    shutil.copytree(Path(regretlab.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    environment = os.environ | {"PYTHONPATH": str(package.parent), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def kept() -> str:
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    assert kept() == kept() == "[0.5, 0.0]"
    rule = package / "rules" / "accumulate.py"
    sound = rule.read_text(encoding="utf-8")
    rule.write_text(
        sound.replace("max(regret * discount + instant, floor)", "regret * discount + instant"), encoding="utf-8"
    )
    assert rule.read_text(encoding="utf-8") != sound
    assert kept() == "[0.5, -0.5]"


def test_the_cache_goes_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert cache_folder().parent == tmp_path
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert sys.platform in ("win32", "darwin") or cache_folder().parent == tmp_path / "regretlab" / "kernels"


def test_other_peoples_functions_keep_their_own_cache() -> None:
    before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    kernel(lambda x: x)
    assert before == numba.config.CACHE_DIR  # type: ignore[attr-defined]


def test_the_python_behind_a_kernel_gives_the_same() -> None:
    first, weights = np.array([1, 3], dtype=np.uint32), np.array([0, 1.0, 3.0])
    compiled, plain = np.empty(3), np.empty(3)
    normalise(first, weights, compiled)
    in_python(normalise)(first, weights, plain)
    assert compiled.tolist() == plain.tolist() == [1, 0.25, 0.75]


def test_threads_that_compile_at_once_keep_the_cache_where_it_belongs() -> None:
    """The folder is a setting of the whole process; it must not be another thread's, or none, while one decorates."""
    seen: list[str] = []
    before = numba.config.CACHE_DIR

    def decorator(function: Any) -> Any:
        for _ in range(3):
            seen.append(numba.config.CACHE_DIR)
            time.sleep(0.002)
        return function

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: kernel_module._with_our_cache(decorator, len), range(12)))
    assert set(seen) == {str(kernel_module._CACHE)}
    assert before == numba.config.CACHE_DIR


SPARED = """
import sys
import regretlab as rl
rl.solve("kuhn", iterations=1)
print("scipy.linalg" in sys.modules)
import numba
import numpy as np
twice = numba.njit(lambda matrix: np.dot(matrix, matrix))(np.array([[1.0, 1.0], [0.0, 1.0]]))
print(twice.tolist(), "scipy.linalg" in sys.modules)
"""


def test_solving_loads_no_linear_algebra_and_other_peoples_kernels_do() -> None:
    done = subprocess.run([sys.executable, "-c", SPARED], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["False", "[[1.0, 2.0], [0.0, 1.0]] True"]
