"""Pictures are written whole or not at all."""

from pathlib import Path

import pytest
from matplotlib.figure import Figure

from regretlab.errors import UserError
from regretlab.plots import save


@pytest.fixture
def figure() -> Figure:
    drawing = Figure(figsize=(2, 1))
    drawing.subplots().plot([1, 2])
    return drawing


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


@pytest.mark.parametrize(("suffix", "begins"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_the_suffix_decides_the_format(figure: Figure, tmp_path: Path, suffix: str, begins: bytes) -> None:
    path = tmp_path / f"plot{suffix}"
    save(figure, path)
    assert path.read_bytes().startswith(begins)
    assert names(tmp_path) == [path.name]


@pytest.mark.parametrize("name", ["plot.gif", "plot", "plot.png.txt", ".png"])
def test_another_suffix_is_refused(figure: Figure, tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match=r"ends in \.png, \.svg or \.pdf"):
        save(figure, tmp_path / name)
    assert names(tmp_path) == []


def test_a_failure_leaves_the_old_picture_and_nothing_beside_it(
    figure: Figure, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "plot.png"
    path.write_text("old")

    def fails(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(figure, "savefig", fails)
    with pytest.raises(UserError, match="No space left on device"):
        save(figure, path)
    assert path.read_text() == "old"
    assert names(tmp_path) == ["plot.png"]


def test_it_is_written_beside_its_place_where_renaming_cannot_fail(
    figure: Figure, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(figure, "savefig", lambda *_, **__: seen.extend(names(tmp_path)))
    save(figure, tmp_path / "plot.png")
    assert [name.startswith(".plot.png.") for name in seen] == [True]


def test_a_missing_folder_is_the_user_s_mistake(figure: Figure, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="can't write"):
        save(figure, tmp_path / "nowhere" / "plot.png")


def test_others_may_read_it_as_any_file(figure: Figure, tmp_path: Path) -> None:
    save(figure, tmp_path / "plot.png")
    (tmp_path / "any").touch()
    assert (tmp_path / "plot.png").stat().st_mode == (tmp_path / "any").stat().st_mode
