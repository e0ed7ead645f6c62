"""``regretlab report``: one file, or one line that says why not."""

import json
import os
from pathlib import Path

import pytest
from experiments.fakes import in_process

from regretlab.experiments import Store
from regretlab.experiments.running import PLACES
from regretlab.experiments.specs import digest

SUITE = """
[[runs]]
games = "kuhn"
recipes = ["cfr", "cfr+"]
iterations = [10, 100]
starts = 2
"""


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str, str]:
    """A suite, its store, and where the report goes; runs are performed in this process."""
    monkeypatch.setitem(PLACES, "local", in_process)
    (tmp_path / "small.toml").write_text(SUITE)
    return str(tmp_path / "small.toml"), str(tmp_path / "results.sqlite"), str(tmp_path / "report.html")


def test_a_report_is_written(regretlab, suite) -> None:
    file, store, target = suite
    regretlab("experiment", file, "--store", store)
    done = regretlab("report", file, "-o", target, "--store", store, columns=300)
    assert (done.status, done.err) == (0, "")
    made = Path(target).read_bytes()
    assert done.lines == [f"The report is in {target} ({len(made) / 1000:,.0f} kB)"]
    assert made.startswith(b"<!DOCTYPE html>")
    assert b"<h1>small</h1>" in made  # it has no title
    said = regretlab("report", file, "--output", target, "--store", store, "--json").json
    assert said == {"file": target, "bytes": len(made), "suite": "small", "missing": None}


def test_without_a_name_it_is_called_after_the_suite(regretlab, suite, tmp_path: Path, monkeypatch) -> None:
    file, store, _ = suite
    regretlab("experiment", file, "--store", store)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert regretlab("report", file, "--store", store).status == 0
    assert [path.name for path in Path().iterdir()] == ["small.html"]


def test_the_same_runs_make_the_same_file(regretlab, suite) -> None:
    file, store, target = suite
    regretlab("experiment", file, "--store", store)
    regretlab("report", file, "-o", target, "--store", store)
    first = Path(target).read_bytes()
    regretlab("report", file, "-o", target, "--store", store)
    assert Path(target).read_bytes() == first


def test_missing_runs_are_told(regretlab, suite, tmp_path: Path) -> None:
    file, store, target = suite
    half = tmp_path / "half.toml"
    half.write_text(SUITE.replace("starts = 2", "starts = 1"))
    regretlab("experiment", str(half), "--store", store)
    done = regretlab("report", file, "-o", target, "--store", store, columns=300)
    assert done.status == 0
    assert (
        done.lines[1]
        == "Only 2 of 4 runs are in the store; the others: regretlab experiment small.toml --store results.sqlite"
    )
    assert Path(target).exists()


def test_nothing_to_report_names_the_command(regretlab, suite) -> None:
    file, store, target = suite
    done = regretlab("report", file, "-o", target, "--store", store)
    assert (done.status, done.out) == (2, "")
    assert done.err == f"regretlab: there is no store '{store}'; regretlab experiment makes one\n"
    assert not Path(store).exists()
    with Store.to_write(store):
        pass
    done = regretlab("report", file, "-o", target, "--store", store)
    assert (done.status, done.out) == (2, "")
    assert done.err == f"regretlab: no run of small is in {store}; first: regretlab experiment {file} --store {store}\n"
    assert not Path(target).exists()


def test_runs_of_another_version_are_told(regretlab, suite) -> None:
    file, store, target = suite
    regretlab("experiment", file, "--store", store)
    with Store.to_write(store) as opened:
        runs = opened.runs()
        opened.remove([run.hash for run in runs])
        aged = [run._replace(identity=run.identity | {"numerics": "another"}) for run in runs]
        opened.add(run._replace(hash=digest(run.identity)) for run in aged)
    done = regretlab("report", file, "-o", target, "--store", store)
    assert done.status == 2
    assert "(4 runs there that another version of the code has computed); first: regretlab experiment" in done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["qick", "-o", "r.html"], "unknown suite 'qick'; did you mean 'quick'?"),
        (["none.toml", "-o", "r.html"], "there is no file 'none.toml'"),
        (["quick", "-o", "r.pdf"], "can't write 'r.pdf': a report's name ends in .html"),
        (["quick", "-o", "/no/where/r.html"], "can't write '/no/where/r.html': there is no folder '/no/where'"),
        ([], "See regretlab report --help"),
    ],
)
def test_a_mistake_is_one_line(regretlab, tmp_path: Path, monkeypatch, arguments: list[str], said: str) -> None:
    monkeypatch.chdir(tmp_path)
    done = regretlab("report", *arguments)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert done.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_store_is_named(regretlab, suite) -> None:
    file, store, target = suite
    Path(store).write_text("no database, but long enough to be looked at as one" * 100)
    done = regretlab("report", file, "-o", target, "--store", store)
    assert (done.status, done.out) == (2, "")
    assert done.err == f"regretlab: can't use the store '{store}': it is no store of results, or it is damaged\n"


def test_a_full_disk_leaves_the_old_report(regretlab, suite, monkeypatch) -> None:
    file, store, target = suite
    regretlab("experiment", file, "--store", store)
    Path(target).write_text("the old one")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    done = regretlab("report", file, "-o", target, "--store", store)
    assert done.status == 2
    assert done.err == f"regretlab: can't write '{target}': No space left on device\n"
    assert Path(target).read_text() == "the old one"
    assert not [path for path in Path(target).parent.iterdir() if path.name.startswith(".report")]


BOARDS = """
[[spots]]
name = "river"
boards = ["KsTd7h4c2s", "KsTd7h4c2d"]
iterations = 20
keep = "all"
spot.pot = 10
spot.stack = 10
spot.bets = "a"
spot.oop.range = "AA,98s"
spot.ip.range = "KQ"
"""


@pytest.fixture
def boards(regretlab, suite, tmp_path: Path) -> tuple[str, str, str]:
    """A suite of spots that were solved, its store, and where the report goes."""
    (tmp_path / "boards.toml").write_text(BOARDS)
    file, store, target = str(tmp_path / "boards.toml"), suite[1], suite[2]
    assert regretlab("experiment", file, "--store", store).status == 0
    return file, store, target


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_numbers_of_boards_are_written_as_a_table(regretlab, boards, tmp_path: Path, ending: str) -> None:
    file, store, _ = boards
    target = tmp_path / f"boards.{ending}"
    done = regretlab("report", file, "-o", str(target), "--store", store, columns=300)
    assert (done.status, done.lines) == (0, [f"2 boards are in {target}"])
    text = target.read_text()
    assert "KsTd7h4c2d" in text
    if ending == "json":
        assert [row["board"] for row in json.loads(text)] == ["KsTd7h4c2s", "KsTd7h4c2d"]
        assert {row["suits"] for row in json.loads(text)} == {"two-tone"}


def test_boards_get_their_explorers_beside_the_report(regretlab, boards, tmp_path: Path) -> None:
    file, store, target = boards
    done = regretlab("report", file, "-o", target, "--store", store, "--export", columns=300)
    assert done.status == 0
    assert done.lines[-1] == f"2 explorers beside it, in {tmp_path / 'report-explorers'}"
    found = sorted(tmp_path.glob("report-explorers/*/index.html"))
    assert [path.parent.name[:10] for path in found] == ["KsTd7h4c2d", "KsTd7h4c2s"]
    for path in found:
        assert f'"explorer":"{path.relative_to(tmp_path).as_posix()}"' in Path(target).read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--at", "check, bet 10, fold"), "nobody acts after"),
        (("--at", "shove"), "'shove'; there are: check, bet 10"),
        (("--export", "-o", "boards.csv"), "--export writes explorers beside a report; its name ends in .html"),
        (("-o", "boards.txt"), "a report's name ends in .html, its numbers' in .csv, .json, .parquet"),
    ],
)
def test_what_boards_can_not_show_is_one_line(regretlab, boards, arguments: tuple[str, ...], said: str) -> None:
    done = regretlab("report", boards[0], "--store", boards[1], *arguments)
    assert done.status == 2
    assert said in done.err


def test_suites_without_spots_have_no_lines_and_no_boards(regretlab, suite) -> None:
    file, store, target = suite
    regretlab("experiment", file, "--store", store)
    for arguments in (("--at", "check"), ("-o", target.replace("html", "csv")), ("--export",)):
        done = regretlab("report", file, "--store", store, *arguments)
        assert (done.status, len(done.err.splitlines())) == (2, 1)
