"""The built wheel, installed into an empty environment, is all that a user needs."""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = "Scripts" if os.name == "nt" else "bin"
KEYS = {"game", "recipe", "iterations", "value", "exploitability", "nash_conv", "seconds", "strategy"}
PAGE_FILES = {".css", ".html", ".js", ".svg", ".toml"}
SOLVE = """
import regretlab as rl
solution = rl.solve(rl.load("kuhn"), "cfr+", iterations=1_000)
assert "site-packages" in rl.__file__, rl.__file__
assert 0 <= solution.exploitability < 1e-3, solution.exploitability
"""


def run(*command: str | Path, cwd: Path) -> str:
    """The standard output of a command that must succeed and that sees nothing of the development environment."""
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def scripts(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of an environment that holds the wheel and what it asks for, nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    pip = (folder / SCRIPTS / "python", "-m", "pip", "--disable-pip-version-check", "--quiet")
    run(*pip, "install", "-c", ROOT / "requirements.txt", wheel, cwd=folder)
    return folder / SCRIPTS


def test_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        files = [PurePosixPath(name) for name in archive.namelist()]
    package = ROOT / "src" / "regretlab"
    beside = {path.relative_to(package.parent) for path in package.rglob("*") if path.suffix in PAGE_FILES}
    assert {path.suffix for path in beside} == PAGE_FILES
    assert beside <= {Path(file) for file in files}
    assert PurePosixPath("regretlab/py.typed") in files
    assert {file.parts[0].partition("-")[0] for file in files} == {"regretlab"}
    assert not [file for file in files if "tests" in file.parts or file.name.startswith(("test_", "conftest"))]
    assert not [file for file in files if {"bench", "benchmarks", "studies"} & set(file.parts)]


# One test, because with pytest-xdist two could run in two processes and install twice.
def test_installed_wheel_solves(scripts: Path, tmp_path: Path) -> None:
    command = ("solve", "kuhn", "--with", "cfr+", "--iterations", "1000", "--json")
    solution = json.loads(run(scripts / "regretlab", *command, cwd=tmp_path))
    assert solution.keys() >= KEYS
    assert 0 <= solution["exploitability"] < 1e-3
    run(scripts / "python", "-c", SOLVE, cwd=tmp_path)
