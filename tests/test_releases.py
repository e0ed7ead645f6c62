"""What a release consists of agrees with itself: versions, metadata, what is in the packages, workflows."""

import re
import subprocess
import sys
import tarfile
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml
from packaging.metadata import Metadata
from packaging.specifiers import SpecifierSet
from trove_classifiers import classifiers

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
NOT_PACKED = {".venv", "build", "dist", "results", ".git"}
"""Folders at the root that are nobody else's business."""


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", folder, ROOT]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = folder.glob("*.tar.gz")
    return built


def test_one_version_everywhere() -> None:
    """``pyproject.toml`` has it; the installed package, what is cited and the changelog say the same."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changes = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert changes is not None
    assert {PROJECT["version"], version("regretlab"), cited["version"], changes[1]} == {PROJECT["version"]}
    assert cited["license"] == PROJECT["license"]


def test_the_source_package_is_all_that_is_needed_to_test_and_build(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        files = {Path(*Path(name).parts[1:]) for name in archive.getnames()}
        text = archive.extractfile(f"{sdist.name.removesuffix('.tar.gz')}/PKG-INFO")
        assert text is not None
        metadata = Metadata.from_email(text.read())
    for folder in ("src", "tests", "docs", "benchmarks", "studies"):
        here = {
            path.relative_to(ROOT)
            for path in (ROOT / folder).rglob("*")
            if path.suffix in (".py", ".toml", ".md", ".js", ".css")
        }
        assert here <= files, f"missing from {folder}: {sorted(here - files)[:5]}"
    assert {Path(name) for name in ("LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff", "Makefile")} <= files
    assert not [file for file in files if file.parts[:1] and file.parts[0] in NOT_PACKED]
    left_behind = [file for file in files if file.suffix in (".npz", ".pyc", ".sqlite")]
    assert not [
        file for file in left_behind if file.parts[:2] != ("tests", "data")
    ]  # where figures to compare with are
    assert (metadata.name, str(metadata.version), metadata.license_expression) == (
        "regretlab",
        PROJECT["version"],
        "MIT",
    )
    assert metadata.description_content_type == "text/markdown"
    assert metadata.description == (ROOT / "README.md").read_text(encoding="utf-8")
    assert set(PROJECT["optional-dependencies"]) == set(metadata.provides_extra or [])


def test_classifiers_exist_and_claim_no_python_that_is_not_taken() -> None:
    assert set(PROJECT["classifiers"]) <= set(classifiers)
    taken = SpecifierSet(PROJECT["requires-python"])
    named = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["classifiers"]))
    assert named
    assert all(taken.contains(each) for each in named)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_run_files_that_are_there(path: Path) -> None:
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
    for job in jobs.values():
        assert all("run" in step or re.fullmatch(r"[\w-]+/[\w-]+@\S+", step["uses"]) for step in job["steps"])
        script = "\n".join(step.get("run", "") for step in job["steps"])
        for name in re.findall(r"(?:tests|\.ci|studies|benchmarks)(?:/[\w.-]+)+", script):
            assert (ROOT / name).exists(), name
        assert all(SpecifierSet(PROJECT["requires-python"]).contains(each) for each in _pythons(job))


def _pythons(job: dict) -> list[str]:
    """The versions of Python that a job runs on."""
    given = [step.get("with", {}).get("python-version", "") for step in job["steps"]]
    return [*job.get("strategy", {}).get("matrix", {}).get("python", []), *(each for each in given if each[:1] == "3")]


def test_only_the_step_that_publishes_may_prove_who_it_is() -> None:
    """Trusted publishing gives the right to publish to whoever holds this permission."""
    allowed = [
        (path.name, name)
        for path in WORKFLOWS
        for name, job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].items()
        if job.get("permissions", {}).get("id-token") == "write"
    ]
    assert allowed == [("publish.yml", "publish")]
    assert all("id-token" not in yaml.safe_load(path.read_text()).get("permissions", {}) for path in WORKFLOWS)


def test_hooks_before_a_commit_are_commands_of_make_test() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0]["hooks"]
    assert [hook["entry"].split()[0] for hook in hooks] == [".venv/bin/ruff", ".venv/bin/ruff", ".venv/bin/mypy"]
