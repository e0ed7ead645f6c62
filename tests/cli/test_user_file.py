"""A game in a file of one's own, on the command line."""

import shlex
from pathlib import Path

import pytest

import regretlab as rl
from regretlab.cli.solve import _how_to_go_on

GAME = '''
import regretlab as rl


class Guess:
    """Player 1 guesses which of the numbers player 0 thinks of."""

    def __init__(self, numbers=2):
        self.numbers = numbers
        self.name = f"guess 1 of {numbers}"

    def root(self):
        return ()

    def player(self, state):
        return (0, 1, rl.TERMINAL)[len(state)]

    def actions(self, state):
        return [str(number) for number in range(self.numbers)]

    def child(self, state, action):
        return (*state, action)

    def label(self, state):
        return ("thinks", "guesses")[len(state)]

    def payoff(self, state):
        return -1 if state[0] == state[1] else 0
'''
PLACE = "./my_game.py:Guess(numbers=4)"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_game.py").write_text(GAME)
    return tmp_path


def test_it_is_solved_under_its_own_name(regretlab) -> None:
    done = regretlab("solve", PLACE, "--iterations", "1000", columns=80)
    assert (done.status, done.err) == (0, "")
    assert done.lines[0] == "guess 1 of 4 by sapdcfr+: 1,000 iterations"
    assert sum(line.endswith("25.00 %") for line in done.lines) == 8
    assert max(map(len, done.lines)) <= 80


def test_it_is_saved_and_resumed(regretlab) -> None:
    regretlab("solve", PLACE, "--with", "cfr", "--iterations", "50", "--save", "run.npz")
    done = regretlab("solve", PLACE, "--resume", "run.npz", "--iterations", "120", "--save", "run.npz", "--json")
    assert (done.status, done.err) == (0, "")
    assert (done.json["recipe"], done.json["iterations"]) == ("cfr", 120)
    assert rl.Solution.load("run.npz", PLACE).history == rl.solve(PLACE, "cfr", iterations=120).history


def test_a_run_that_was_stopped_goes_on_with_the_command_that_is_offered(regretlab) -> None:
    solution = rl.solve(PLACE, "cfr", iterations=50)
    solution.save("run.npz")
    command = shlex.split(_how_to_go_on(PLACE, None, solution, 120, None, Path("run.npz")).removeprefix("to go on: "))
    assert command[:3] == ["regretlab", "solve", PLACE]
    assert regretlab(*command[1:], "--json").json["iterations"] == 120


def test_all_that_is_known_about_it_is_shown(regretlab) -> None:
    done = regretlab("games", PLACE)
    assert done.lines[0] == "guess 1 of 4"
    assert "Player 1 guesses which of the numbers player 0 thinks of." in done.lines
    assert "guesses          1       0, 1, 2, 3" in done.lines


def test_other_commands_take_it_as_well(regretlab) -> None:
    assert regretlab("nash", PLACE, "--exact", "--json").json["exact_value"] == "-1/4"
    assert regretlab("compare", PLACE, "--iterations", "10", "--json").json["game"] == "guess 1 of 4"


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("./nowhere.py:Guess", "there is no file './nowhere.py'"),
        ("./my_game.py:Gess", "did you mean 'Guess'?"),
        ("./my_game.py:rl", "is no game"),
        ("./broken.py:Guess", "'./broken.py', line 2: ZeroDivisionError: division by zero"),
    ],
)
def test_a_mistake_is_told_in_one_line(regretlab, folder: Path, place: str, says: str) -> None:
    (folder / "broken.py").write_text("x = 1\ny = x / 0\n")
    done = regretlab("solve", place)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert says in done.err


@pytest.mark.parametrize("columns", [80, 100])
def test_the_list_of_games_fits_the_window(regretlab, columns: int) -> None:
    done = regretlab("games", columns=columns)
    assert max(map(len, done.lines)) <= columns
    assert any(line.startswith("goofspiel(cards=4, turns=all,  ") for line in done.lines)
    assert "  prizes=random, bids=open, " in done.out
    assert "./my_game.py:MyGame" in done.out
