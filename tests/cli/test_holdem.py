"""``regretlab holdem``: the template, the ready spots, and what solves them where nothing is said."""

import tomllib
from pathlib import Path

import pytest

import regretlab as rl
from regretlab.endgames import ready_spots, template


def test_the_template_can_be_saved_and_read(regretlab, tmp_path) -> None:
    done = regretlab("holdem")
    assert (done.status, done.err, done.out) == (0, "", template())
    (tmp_path / "spot.toml").write_text(done.out, encoding="utf-8")
    assert rl.holdem(str(tmp_path / "spot.toml")).street == "river"


@pytest.mark.parametrize("columns", [40, 100])
def test_a_ready_spot_is_printed_as_its_file_whatever_the_width(regretlab, columns) -> None:
    assert tomllib.loads(regretlab("holdem", "turn-srp", columns=columns).out)["pot"] == 120
    assert regretlab("holdem", "holdem:turn-srp", columns=columns).out == regretlab("holdem", "turn-srp").out


def test_all_ready_spots_are_listed_with_a_line_each(regretlab) -> None:
    lines = regretlab("holdem", "--list", columns=140).lines
    for name in ready_spots():
        (line,) = [line for line in lines if line.startswith(f"holdem:{name} ")]
        assert line.endswith("."), line
    assert [each["name"] for each in regretlab("holdem", "--list", "--json").json] == [
        f"holdem:{name}" for name in ready_spots()
    ]


def test_mistakes_are_one_line(regretlab) -> None:
    done = regretlab("holdem", "river-pollar")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert "unknown spot 'river-pollar'; did you mean 'river-polar'?" in done.err
    assert "leave one out" in regretlab("holdem", "river-polar", "--list").err


def test_a_spot_is_solved_by_what_it_recommends_to_what_its_file_says(regretlab) -> None:
    found = regretlab("solve", "holdem:river-polar", "--json").json
    assert (found["recipe"], found["stopped"]) == ("dcfr", "until")
    assert found["exploitability"] <= 0.1 < found["history"][-2]["exploitability"]


def test_a_target_may_be_a_part_of_the_pot(regretlab) -> None:
    found = regretlab("solve", "holdem:river-polar", "--until", "2%", "--json").json
    assert found["exploitability"] <= 2 < found["history"][-2]["exploitability"]
    chips = rl.solve("holdem:river-polar", until=2)
    assert found["iterations"] == chips.iterations == rl.solve("holdem:river-polar", until="2%").iterations
    assert rl.solve("holdem:river-polar", iterations=3).iterations == 3


def test_half_a_percent_is_the_target_where_nobody_names_one() -> None:
    assert rl.holdem("river-polar", until="1%").target() == 1
    spot = rl.holdem(board="KsTd7h4c2s", pot=100, stack=100, oop="AA,QJs,98s", ip="KQs,KJs,KQo", bets="a", raises="")
    assert spot.target() == 0.5
    assert rl.solve(spot).exploitability <= 0.5


@pytest.mark.parametrize("command", [("solve", "kuhn"), ("solve", "rps")], ids=" ".join)
def test_other_games_have_no_pot(regretlab, command) -> None:
    done = regretlab(*command, "--until", "0.5%")
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        f"regretlab: --until=0.5% is a part of a pot, which {command[1]} does not have; give chips, such as 0.001\n"
    )


def test_a_spot_is_stopped_saved_and_resumed(regretlab, tmp_path) -> None:
    run, spot = tmp_path / "run.npz", tmp_path / "spot.toml"
    spot.write_text(regretlab("holdem", "river-polar").out, encoding="utf-8")
    assert regretlab("solve", str(spot), "--iterations", "7", "--save", str(run), "--json").json["iterations"] == 7
    done = regretlab("solve", str(spot), "--resume", str(run), "--iterations", "30", "--json")
    assert done.status == 0, done.err
    straight = rl.solve(str(spot), iterations=30)
    assert done.json["exploitability"] == straight.exploitability
    assert Path(spot).exists()
