"""``--lock`` on the command line."""

from pathlib import Path

import pytest

import regretlab as rl


def test_locked_rows_are_marked(regretlab) -> None:
    done = regretlab("solve", "kuhn", "--lock", "Jc: check", "--lock", "Qb: fold 0.7, call 0.3", "--iterations", "100")
    assert (done.status, done.err) == (0, "")
    assert done.lines[0].startswith("kuhn locked at Jc: check; Qb: fold 0.7, call 0.3 by ")
    rows = [line for line in done.lines if line.endswith(" locked")]
    assert len(rows) == 4
    assert rows[0].split()[0] == "Jc"
    assert rows[2].split()[-3:] == ["70.00", "%", "locked"]
    assert len([line for line in done.lines if line.endswith("%")]) == 20


def test_json_says_what_is_locked(regretlab) -> None:
    found = regretlab("solve", "kuhn", "--lock", "Jc: check; J: check", "--iterations", "10", "--json").json
    assert found["lock"] == {"J": {"check": 1, "bet": 0}, "Jc": {"check": 1, "bet": 0}}
    assert found["game"] == "kuhn locked at J: check; Jc: check"
    assert len(found["strategy"]) == 12


def test_an_exact_solution_is_that_of_the_locked_game(regretlab, tmp_path: Path) -> None:
    file = tmp_path / "locks.toml"
    file.write_text('[lock]\nJc = "check"\n')
    done = regretlab("nash", "kuhn", "--exact", "--lock", str(file))
    assert "value  1/18 = 0.0555556 chips, 55.6 mbb/g, for player 0" in done.lines
    assert "all equilibria" not in done.out
    assert any(line.split()[0] == "Jc" and line.endswith(" 1  locked") for line in done.lines if line)
    strategy = regretlab("nash", "kuhn locked at Jc: check", "--exact", "--json").json["exact_strategy"]
    assert strategy["Jc"] == {"check": "1", "bet": "0"}


def test_recipes_race_on_the_locked_game(regretlab) -> None:
    done = regretlab("compare", "kuhn", "--lock", "Jc: check", "--with", "cfr,cfr+", "--iterations", "20")
    assert done.lines[:2] == [
        "kuhn locked at Jc: check: 20 iterations",
        "exact value 0.0555556 chips, 55.6 mbb/g, for player 0",
    ]


def test_a_saved_run_says_what_to_give(regretlab, tmp_path: Path) -> None:
    file = str(tmp_path / "run.npz")
    assert regretlab("solve", "kuhn", "--lock", "Jc: check", "--iterations", "10", "--save", file).status == 0
    done = regretlab("solve", "kuhn", "--iterations", "20", "--resume", file)
    assert (done.status, done.out) == (2, "")
    assert "holds a run of kuhn locked at Jc: check, which is not the same game as kuhn" in done.err
    more = regretlab("solve", "kuhn locked at Jc: check", "--iterations", "20", "--resume", file, "--json").json
    assert more["iterations"] == 20
    assert more["history"] == rl.solve("kuhn", iterations=20, lock={"Jc": "check"}).as_dict()["history"]


@pytest.mark.parametrize("command", ["solve", "nash", "compare"])
def test_a_wrong_lock_is_one_line(regretlab, command: str) -> None:
    done = regretlab(command, "kuhn", "--lock", "Jd: fold")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("regretlab: unknown information set in the lock 'Jd'; did you mean ")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("deals", [[], ["--deals", "all"]])
def test_a_walkthrough_leaves_out_what_is_never_done(regretlab, deals: list[str]) -> None:
    done = regretlab("walkthrough", "kuhn locked at J: bet; Q: check", "--with", "cfr", "--iterations", "1", *deals)
    assert (done.status, done.err) == (0, "")
    assert "JQ › check" not in done.out
    assert "JQ › bet" in done.out


def test_a_walkthrough_says_nothing_of_information_sets_that_nobody_comes_to(regretlab) -> None:
    game = "kuhn locked at J: check; Q: check; K: check"
    done = regretlab("walkthrough", game, "--with", "cfr", "--deals", "all", "--json")
    assert done.status == 0
    assert '"Qc"' in done.out
    assert '"Qb"' not in done.out
