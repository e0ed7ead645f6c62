"""Files are written whole or not at all."""

from pathlib import Path

import pytest

from regretlab.errors import UserError
from regretlab.files import written_beside


def test_a_file_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    path.write_text("old")
    with written_beside(path) as file:
        file.write(b"new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def interrupted_writing(path: Path) -> None:
    with written_beside(path) as file:
        file.write(b"half")
        raise KeyboardInterrupt


def test_a_failure_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt):
        interrupted_writing(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "run.npz"
    with pytest.raises(UserError, match=r"can't write '.*nowhere.*': No such file"), written_beside(path):
        pass


def test_the_result_has_ordinary_permissions(tmp_path: Path) -> None:
    plain, path = tmp_path / "plain", tmp_path / "run.npz"
    plain.touch()
    with written_beside(path):
        pass
    assert path.stat().st_mode == plain.stat().st_mode
