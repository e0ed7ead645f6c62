"""Which code this is: an edit of anything that can change a kernel or a number is noticed."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from regretlab import identity

PACKAGE = Path(__file__).parents[1] / "src" / "regretlab"

BOTH = {"games", "forms", "rules", "evaluation", "feedback", "deep", "solving"}
NUMBERS = {"", "reference", "interop", "endgames", "experiments"}  # "" are the files at the top
NEITHER = {"documents", "explaining", "plots", "watch", "web", "cli"}

CONSTANT = re.compile(r"^([A-Z][A-Z_]+ = )", re.MULTILINE)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package, whose identity is asked for."""
    copy = tmp_path / "regretlab"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "static"))
    monkeypatch.setattr(identity, "PACKAGE", copy)
    return copy


def hashes() -> tuple[str, str]:
    """Both, of the files as they are now."""
    return identity.kernel_identity.__wrapped__(), identity.number_identity.__wrapped__()


def folder_of(path: Path, package: Path) -> str:
    *folders, _ = path.relative_to(package).parts
    return folders[0] if folders else ""


def test_an_edited_constant_is_noticed_wherever_it_can_change_something(package: Path) -> None:
    before, edited = hashes(), set()
    for path in sorted(package.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        folder = folder_of(path, package)
        if not CONSTANT.search(source) or folder in edited & NEITHER:
            continue
        path.write_text(CONSTANT.sub(r"\1 0 or ", source, count=1), encoding="utf-8")
        noticed = tuple(mine != theirs for mine, theirs in zip(hashes(), before, strict=True))
        assert noticed == (folder in BOTH, folder in BOTH | NUMBERS), path
        path.write_text(source, encoding="utf-8")
        edited.add(folder)
    assert hashes() == before
    assert {"", "games", "forms", "rules", "evaluation", "deep", "solving", "experiments", "cli", "web"} <= edited


def test_games_in_data_files_change_numbers_and_other_data_does_not(package: Path) -> None:
    kernels, before = hashes()
    suite = package / "experiments" / "suites" / "quick.toml"
    suite.write_text(suite.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    assert hashes() == (kernels, before)
    spot = package / "endgames" / "ready" / "river-polar.toml"
    spot.write_text(spot.read_text(encoding="utf-8").replace("pot = 100", "pot = 101"), encoding="utf-8")
    assert hashes()[0] == kernels
    assert hashes()[1] != before


def test_a_file_with_another_name_or_in_another_folder_is_noticed(package: Path) -> None:
    before = hashes()
    (package / "rules" / "update.py").rename(package / "rules" / "step_of_a_rule.py")
    renamed = hashes()
    (package / "rules" / "step_of_a_rule.py").rename(package / "forms" / "step.py")
    assert len({before, renamed, hashes()}) == 3


def test_every_folder_of_the_package_has_been_decided_upon() -> None:
    assert {folder_of(path, PACKAGE) for path in PACKAGE.rglob("*.py")} <= BOTH | NUMBERS | NEITHER
    assert set(identity.COMPILED) == BOTH
    assert set(identity.COMPUTING) == BOTH | NUMBERS - {""}


def test_documents_beside_the_code_change_nothing(package: Path) -> None:
    before = hashes()
    (package / "rules" / "notes.md").write_text("A thought.\n", encoding="utf-8")
    assert hashes() == before
