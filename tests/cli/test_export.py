"""``regretlab export``: a game in a file that other libraries read."""

from pathlib import Path

import pytest

import regretlab as rl


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_file_holds_the_game(regretlab) -> None:
    done = regretlab("export", "kuhn(ante=1/3, bet=2/7)", "kuhn.efg")
    assert (done.status, done.err) == (0, "")
    assert done.out == "kuhn(ante=1/3, bet=2/7) is in kuhn.efg: 55 nodes\n"
    assert rl.nash("efg:kuhn.efg", exact=True).value == rl.nash("kuhn(ante=1/3, bet=2/7)", exact=True).value
    assert regretlab("nash", "efg:kuhn.efg", "--exact", "--json").json["exact_value"] == "-1/70"


def test_json(regretlab) -> None:
    done = regretlab("export", "kuhn", "kuhn.efg", "--json")
    assert (done.status, done.json) == (0, {"game": "kuhn", "file": "kuhn.efg", "nodes": 55})


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["kuhn", "kuhn.txt"], "can't export to 'kuhn.txt': the name of a file for Gambit ends in .efg"),
        (["kuhn", "missing/kuhn.efg"], "can't write 'missing/kuhn.efg': there is no folder 'missing'"),
        (["khun", "kuhn.efg"], "unknown game 'khun'; did you mean 'kuhn'?"),
        (["efg:missing.efg", "kuhn.efg"], "can't read 'missing.efg': No such file or directory"),
        (["kuhn"], "See regretlab export --help"),
    ],
)
def test_a_mistake_is_told_in_one_line_and_leaves_no_file(regretlab, arguments, says, tmp_path: Path) -> None:
    done = regretlab("export", *arguments)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert says in done.err
    assert not list(tmp_path.iterdir())


def test_a_damaged_file_is_told_with_its_line(regretlab, tmp_path: Path) -> None:
    (tmp_path / "half.efg").write_text('EFG 2 R "half" { "A" "B" }\np "" 1 1 "x" { "a" "b" } 0\nt "" 0\n')
    done = regretlab("solve", "efg:half.efg")
    assert (done.status, done.out) == (2, "")
    assert done.err == "regretlab: 'half.efg', line 3: expected one more node: c, p or t, found the end of the file\n"
