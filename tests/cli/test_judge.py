"""``regretlab judge``: strategies out of files."""

import json

import pytest

import regretlab as rl
from regretlab.documents import numbers

HONEST = {label: {"check": 1} for label in ("J", "Q", "Jc", "Qc")} | {label: {"bet": 1} for label in ("K", "Kc")}
HONEST |= {"Jcb": {"fold": 1}, "Qcb": {"call": 1}, "Kcb": {"call": 1}}
HONEST |= {"Jb": {"fold": 1}, "Qb": {"call": 1}, "Kb": {"call": 1}}


@pytest.fixture
def honest(tmp_path) -> str:
    path = tmp_path / "honest.json"
    path.write_text(json.dumps(HONEST), encoding="utf-8")
    return str(path)


def test_a_strategy_in_a_file_is_judged(regretlab, honest) -> None:
    """Who never bluffs loses 1/6 in either seat: checked by hand in Judge a strategy."""
    done = regretlab("judge", "kuhn", honest)
    assert (done.status, done.err) == (0, "")
    rows = [line.split() for line in done.lines if line.startswith("player ")]
    assert [row[-1] for row in rows] == ["0.167", "0.167"]
    found = regretlab("judge", "kuhn", honest, "--json").json
    assert found["gains"] == pytest.approx([1 / 6, 1 / 6])
    assert found["exploitability"] == rl.exploitability("kuhn", HONEST)
    assert found["actions"] is None


def test_best_responses_are_listed(regretlab, honest) -> None:
    found = regretlab("judge", "kuhn", honest, "--responses", "--json").json
    for player in (0, 1):
        assert found["actions"][player] == rl.best_response("kuhn", HONEST, player).actions
    lines = [line.split() for line in regretlab("judge", "kuhn", honest, "--responses").lines]
    assert ["Qb", "fold"] in lines  # who bets has the King


def test_a_lock_binds_who_responds(regretlab, honest) -> None:
    found = regretlab("judge", "kuhn", honest, "--lock", "Qb: call; Qcb: call", "--json").json
    locked = rl.evaluate(rl.lock("kuhn", "Qb: call; Qcb: call"), HONEST)
    assert found["best_responses"] == pytest.approx(locked.best_response_values)
    assert sum(found["gains"]) < 1 / 3


def test_what_solve_prints_and_what_it_saves_are_judged_alike(regretlab, tmp_path) -> None:
    spot, run, listed = "holdem:river-polar", str(tmp_path / "run.npz"), tmp_path / "strategy.json"
    solved = regretlab("solve", spot, "--iterations", "50", "--save", run, "--json")
    listed.write_text(solved.out, encoding="utf-8")
    found = [regretlab("judge", spot, file, "--json").json for file in (run, str(listed))]
    assert found[0]["exploitability"] == pytest.approx(solved.json["exploitability"], abs=1e-12)
    assert found[1]["gains"] == pytest.approx(found[0]["gains"], abs=1e-12)
    done = regretlab("judge", spot, run, columns=60)
    (line,) = [line for line in done.lines if line.startswith("oop ")]
    assert line.split()[1] == numbers.value(solved.json["evs"][0])  # what oop takes out of the pot
    assert "% of the pot" in done.out
    assert max(map(len, done.lines)) <= 60


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{J", "is not JSON: "),
        ("[1]", "holds no strategy; write it like"),
        ('{"J": 3}', "holds no strategy; write it like"),
        ('{"strategy": null}', "has no strategy: it was too long to be listed; save the run"),
        ('{"J": {"check": "a"}}', "at 'J' the strategy is {'check': 'a'}"),
        ('{"J": {"check": 0.5}}', "the probabilities at 'J' sum to 0.5, not 1"),
        ('{"Jx": {"check": 1}}', "unknown information set 'Jx'"),
    ],
)
def test_what_is_no_strategy_is_told_in_one_line(regretlab, tmp_path, text, expected) -> None:
    path = tmp_path / "strategy.json"
    path.write_text(text, encoding="utf-8")
    done = regretlab("judge", "kuhn", str(path))
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert expected in done.err


def test_a_file_that_is_not_there_is_named(regretlab, tmp_path) -> None:
    for name in ("strategy.json", "run.npz"):
        assert regretlab("judge", "kuhn", str(tmp_path / name)).err == (
            f"regretlab: there is no file '{tmp_path / name}'\n"
        )
    (tmp_path / "folder.json").mkdir()
    assert "Is a directory" in regretlab("judge", "kuhn", str(tmp_path / "folder.json")).err
