"""REGRETLAB_NO_SKIP turns every kind of skip into a failure, and nothing else."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

MESSAGE = "skipped, and REGRETLAB_NO_SKIP allows no skips"
SKIPS = {
    "test": "import pytest\ndef test(): pytest.skip('why')\n",
    "mark": "import pytest\n@pytest.mark.skip\ndef test(): pass\n",
    "file": "import pytest\npytest.importorskip('no_such_module')\n",
    "doctest": "'''\n>>> 1  # doctest: +SKIP\n2\n'''\n",
}
NOT_FREE = {"not_free": "import pytest\ndef test(): pytest.skip('not free: a file')\n"}
EXPECTED_FAILURE = {"xfail": "import pytest\n@pytest.mark.xfail\ndef test(): assert False\n"}


def run(folder: Path, sources: dict[str, str], no_skip: str, workers: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a passing test and `sources`, these outside the folder of conftest.py as the doctests of src are."""
    (folder / "tests").mkdir()
    (folder / "src").mkdir()
    shutil.copy(Path(__file__).with_name("conftest.py"), folder / "tests")
    (folder / "tests" / "test_pass.py").write_text("def test(): pass\n")
    for name, source in sources.items():
        (folder / "src" / f"test_{name}.py").write_text(source)
    command = [sys.executable, "-m", "pytest", "-n", str(workers), "--doctest-modules", "tests", "src"]
    environment = os.environ | {"REGRETLAB_NO_SKIP": no_skip}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("kind", "workers"), [("test", 0), ("mark", 0), ("file", 0), ("doctest", 0), ("test", 1)])
def test_a_skip_fails_where_nothing_may_be_skipped(tmp_path: Path, kind: str, workers: int) -> None:
    done = run(tmp_path, {kind: SKIPS[kind]}, no_skip="1", workers=workers)
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert MESSAGE in done.stdout


@pytest.mark.parametrize(
    ("sources", "no_skip"),
    [(SKIPS, ""), (EXPECTED_FAILURE, "1"), (NOT_FREE, "1")],
    ids=["elsewhere", "xfail", "files that nobody may pass on"],
)
def test_anything_else_passes(tmp_path: Path, sources: dict[str, str], no_skip: str) -> None:
    done = run(tmp_path, sources, no_skip)
    assert done.returncode == pytest.ExitCode.OK
    assert MESSAGE not in done.stdout
