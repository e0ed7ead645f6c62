"""``regretlab chaos``: the table, the picture, the numbers for machines."""

from pathlib import Path

import pytest

from regretlab.cli import progress


def test_a_table_for_each_game_and_a_line_for_each_recipe(regretlab) -> None:
    done = regretlab("chaos", "leduc", "kuhn", "--with", "cfr+,dcfr", "--iterations", "300")
    assert (done.status, done.err) == (0, "")
    titles = [line for line in done.lines if line.endswith("twice")]
    assert titles == ["leduc: 300 iterations, twice", "kuhn: 300 iterations, twice"]
    rows = [line.split() for line in done.lines if line.startswith(("cfr+", "dcfr"))]
    assert [row[0] for row in rows] == ["cfr+", "dcfr"] * 2
    for row in rows[:2]:
        assert 0 < float(row[2]) < 1
        assert row[5] != row[6]
    for row in rows[2:]:
        assert row[2:5] == ["–"] * 3
        assert row[5] == row[6]


def test_json_has_every_look(regretlab) -> None:
    (found,) = regretlab("chaos", "kuhn", "--with", "cfr+", "--iterations", "20", "--json").json
    assert (found["game"], found["recipe"], found["growth"]) == ("kuhn", "cfr+", None)
    assert [look["iteration"] for look in found["looks"]] == list(range(1, 21))
    assert found["parts"]["ties"] == "1e-12"


def test_the_picture_is_drawn(regretlab, tmp_path: Path) -> None:
    path = tmp_path / "chaos.svg"
    done = regretlab("chaos", "kuhn", "rps", "--with", "cfr", "--iterations", "20", "-o", str(path))
    assert done.lines[-1].endswith(str(path))
    assert path.read_text(encoding="utf-8").startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["leduk"], "did you mean 'leduc'"),
        (["kuhn", "--with", "cfr++"], "cfr"),
        (["kuhn", "--with", ","], "names no recipe"),
        (["kuhn", "--iterations", "0"], "--iterations"),
        (["kuhn", "-o", "chaos.txt"], ".png, .svg or .pdf"),
        ([], "GAMES"),
    ],
)
def test_mistakes_are_one_line(regretlab, arguments: list[str], said: str) -> None:
    done = regretlab("chaos", *arguments)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert said in done.err


def test_after_ctrl_c_what_is_finished_is_shown(regretlab, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second game is interrupted."""

    def solving(self: progress.RunDisplay, step: object) -> bool:
        return "leduc" in step.note  # type: ignore[attr-defined]

    monkeypatch.setattr(progress.RunDisplay, "solving", solving)
    done = regretlab("chaos", "kuhn", "leduc", "--with", "cfr", "--iterations", "20")
    assert done.status == 130
    assert "Ctrl-C" in done.err
    assert [line for line in done.lines if line.endswith("twice")] == ["kuhn: 20 iterations, twice"]
