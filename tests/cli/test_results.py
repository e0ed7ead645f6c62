"""``regretlab results``: what is in the store."""

import csv
import json
from pathlib import Path

import pytest
from experiments.fakes import in_process

import regretlab as rl
from regretlab.experiments import Store
from regretlab.experiments.running import PLACES

BLOCK = {"games": ["kuhn", "kuhn(bet=2)"], "recipes": ["cfr", "cfr+"], "iterations": [5, 50], "starts": 2}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The option for a store with eight runs."""
    monkeypatch.setitem(PLACES, "local", in_process)
    rl.experiment({"runs": [BLOCK]}, store=tmp_path / "s")
    return ["--store", str(tmp_path / "s")]


def make_old(path: str, hashes: list[str]) -> None:
    """Let some runs be those of other numerics."""
    with Store.to_write(path) as opened:
        runs = list(opened.runs(set(hashes)))
        opened.remove(hashes)
        opened.add(run._replace(identity=run.identity | {"numerics": "before"}) for run in runs)


def test_list_has_a_line_for_each_game_and_recipe(regretlab, store) -> None:
    done = regretlab("results", "list", *store, columns=80)
    assert done.status == 0
    assert done.lines[0] == f"{store[1]} holds 8 runs"
    lines = [line.split() for line in done.lines if line.startswith("kuhn")]
    assert [(line[0], line[1], line[2]) for line in lines] == [
        (game, recipe, "2") for game in ("kuhn", "kuhn(bet=2)") for recipe in ("cfr", "cfr+")
    ]
    found = regretlab("results", "list", *store, "--json").json
    assert [group["runs"] for group in found] == [2] * 4
    assert sum(len(group["hashes"]) for group in found) == 8


def test_a_store_that_is_not_there_is_told_and_not_made(regretlab, tmp_path: Path) -> None:
    place = str(tmp_path / "typo.sqlite")
    for command in (["list"], ["show", "3f"], ["export", "a.csv"], ["rank", "quick"], ["rm", "--all"]):
        done = regretlab("results", *command, "--store", place)
        assert (done.status, done.out) == (2, "")
        assert done.err == f"regretlab: there is no store '{place}'; regretlab experiment makes one\n"
    assert list(tmp_path.iterdir()) == []


def test_an_empty_store_holds_no_runs(regretlab, tmp_path: Path) -> None:
    Store.to_write(tmp_path / "s").__exit__()
    done = regretlab("results", "list", "--store", str(tmp_path / "s"))
    assert done.lines == [f"{tmp_path / 's'} holds no runs"]
    assert regretlab("results", "list", "--store", str(tmp_path / "s"), "--json").json == []


def test_show_finds_a_run_by_the_first_characters_of_its_hash(regretlab, store) -> None:
    row = rl.experiment({"runs": [BLOCK]}, store=store[1])[-1]
    done = regretlab("results", "show", row["run"][:8], *store)
    assert done.lines[0] == "cfr+ on kuhn(bet=2)"
    assert f"{row['exploitability']:.7f}" in done.out
    assert "random strategies, number 1" in done.out
    found = regretlab("results", "show", row["run"].upper(), *store, "--json").json
    assert found["hash"] == row["run"]
    assert {"iteration": 50, "measure": "value", "amount": row["value"]} in found["measurements"]


@pytest.mark.parametrize(
    ("prefix", "said"),
    [
        ("abc", "'abc' is too short for the hash of a run; give at least 4 characters"),
        ("xxxx", "no run has a hash that begins with 'xxxx'"),
    ],
)
def test_show_says_what_it_needs(regretlab, store, prefix: str, said: str) -> None:
    done = regretlab("results", "show", prefix, *store)
    assert (done.status, done.out) == (2, "")
    assert said in done.err


def test_export_writes_every_number_to_the_last_bit(regretlab, store, tmp_path: Path) -> None:
    rows = rl.experiment({"runs": [BLOCK]}, store=store[1])
    done = regretlab("results", "export", str(tmp_path / "a.csv"), *store)
    assert done.out == f"8 runs in 16 rows are in {tmp_path / 'a.csv'}\n"
    regretlab("results", "export", str(tmp_path / "a.json"), *store)
    with (tmp_path / "a.csv").open() as file:
        read = list(csv.DictReader(file))
    assert sorted(float(row["exploitability"]) for row in read) == sorted(row["exploitability"] for row in rows)
    order = [(row["game"], row["recipe"], int(row["start"]), int(row["iteration"])) for row in read]
    assert order == sorted(order)
    loaded = json.loads((tmp_path / "a.json").read_text())
    assert sorted(map(str, loaded)) == sorted(map(str, rows))


def test_export_without_timings_is_the_same_for_equal_results(regretlab, store, tmp_path: Path) -> None:
    rl.experiment({"runs": [BLOCK | {"starts": [1, 0]}]}, store=tmp_path / "t")
    for name in ("s", "t"):
        options = ["--store", str(tmp_path / name), "--no-timings"]
        assert regretlab("results", "export", str(tmp_path / f"{name}.csv"), *options).status == 0
    assert (tmp_path / "s.csv").read_bytes() == (tmp_path / "t.csv").read_bytes()
    head = (tmp_path / "s.csv").read_text().splitlines()[0].split(",")
    assert not {"seconds", "run_seconds", "finished", "machine"} & set(head)
    assert {"game", "recipe", "iteration", "exploitability", "run", "numerics", "version"} < set(head)


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ([], 8),
        (["--game", "kuhn"], 4),
        (["--game", "kuhn(bet=1)", "--with", "cfr+(delay=0)"], 2),
        (["--with", "cfr"], 4),
        (["--suite", "half.toml"], 2),
        (["--suite", "half.toml", "--game", "kuhn(bet=2)"], 0),
        (["--old"], 0),
    ],
)
def test_runs_are_chosen_by_all_that_is_given(regretlab, store, tmp_path, monkeypatch, options, count: int) -> None:
    monkeypatch.chdir(tmp_path)
    Path("half.toml").write_text('[[runs]]\ngames = "kuhn"\nrecipes = "cfr"\niterations = [5, 50]\nstarts = 5\n')
    found = regretlab("results", "list", *store, *options, "--json").json
    assert sum(group["runs"] for group in found) == count


def test_rm_removes_what_is_chosen_and_nothing_else(regretlab, store) -> None:
    assert regretlab("results", "rm", *store, "--with", "cfr", "--dry-run").out == "4 runs would be removed\n"
    assert regretlab("results", "rm", *store, "--with", "cfr").out == "4 runs removed\n"
    found = regretlab("results", "list", *store, "--json").json
    assert [(group["recipe"], group["runs"]) for group in found] == [("cfr+", 2), ("cfr+", 2)]
    make_old(store[1], found[0]["hashes"])
    assert "old" in regretlab("results", "list", *store).out
    assert [group["old"] for group in regretlab("results", "list", *store, "--json").json] == [2, 0]
    assert regretlab("results", "rm", *store, "--old", "--json").json["removed"] == 2
    assert regretlab("results", "rm", *store, "--all").out == "2 runs removed\n"
    assert regretlab("results", "list", *store, "--json").json == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rm"], "say which runs to remove: either --all, or some of --suite, --game, --with, --old"),
        (["rm", "--all", "--old"], "say which runs to remove"),
        (["export", "a.txt"], "can't export to 'a.txt': its name should end in .csv or .json or .parquet"),
        (["export", "no/a.csv"], "can't write 'no/a.csv': there is no folder 'no'"),
        (["export", "a.csv", "--with", "hedge"], "there is nothing to export: no run in"),
        (["list", "--game", "khun"], "unknown game 'khun'; did you mean 'kuhn'?"),
        (["list", "--with", "cfrr"], "unknown recipe 'cfrr'; did you mean 'cfr'?"),
    ],
)
def test_a_mistake_is_one_line(regretlab, store, arguments: list[str], said: str) -> None:
    done = regretlab("results", *arguments, *store)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert done.err.count("\n") == 1
