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


def changed(**parts: str) -> str:
    """The game with other methods or a name of another kind, in its file."""
    methods = "".join(f"    {name} = {text}\n" for name, text in parts.items())
    Path("my_game.py").write_text(
        f"{GAME}\n\nclass Changed(Guess):\n    def __init__(self): self.numbers = 2\n{methods}"
    )
    return "./my_game.py:Changed"


@pytest.mark.parametrize("command", ["solve", "nash", "games", "walkthrough", "compare"])
def test_what_it_raises_while_it_is_played_is_told_with_its_place(regretlab, command: str) -> None:
    place = changed(name="'guess'", payoff="lambda self, state: {}[state]")
    done = regretlab(command, place)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith("regretlab: './my_game.py', line ")
    assert "KeyError: (0, 0)" in done.err


@pytest.mark.parametrize("name", ["None", "''", "7", "'two\\nlines'"])
def test_a_name_that_nobody_could_write_is_refused(regretlab, name: str) -> None:
    done = regretlab("solve", changed(name=name))
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert "should be a text on one line, such as 'my game'" in done.err


@pytest.mark.parametrize("payoff", ["1e308", "-1e308", "10**400", "float('nan')"])
@pytest.mark.parametrize("command", ["solve", "nash", "games"])
def test_payoffs_that_no_float_could_sum_are_refused_where_they_stand(regretlab, payoff: str, command: str) -> None:
    done = regretlab(command, changed(name="'guess'", payoff=f"lambda self, state: {payoff}"))
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert "guess, at history '0 0': the payoff" in done.err
    assert "at most 1e+100" in done.err


def test_what_chance_never_does_changes_nothing(regretlab) -> None:
    """A coin that never falls on one of its sides, and pays a fortune there."""
    Path("coin.py").write_text(
        "import regretlab as rl\n"
        "class Coin:\n"
        "    name = 'coin'\n"
        "    def root(self): return ()\n"
        "    def player(self, state): return (rl.CHANCE, 0, rl.TERMINAL)[len(state)]\n"
        "    def actions(self, state): return ['left', 'right']\n"
        "    def chance(self, state): return [0, 1]\n"
        "    def child(self, state, action): return (*state, action)\n"
        "    def label(self, state): return f'after {state[0]}'\n"
        "    def payoff(self, state): return 1_000_000 if state[0] == 0 else state[1]\n"
    )
    assert regretlab("nash", "./coin.py:Coin", "--exact", "--json").json["exact_value"] == "1"
    solved = regretlab("solve", "./coin.py:Coin", "--iterations", "200", "--json").json
    assert solved["value"] == pytest.approx(1, abs=0.02)
    assert regretlab("games", "./coin.py:Coin").status == 0
    assert regretlab("walkthrough", "./coin.py:Coin", "--iterations", "1").status == 0


def test_an_import_inside_a_rule_is_told_in_one_line(regretlab) -> None:
    Path("my_rules.py").write_text(
        "import regretlab as rl\n"
        "@rl.rule\n"
        "def rule(regret, instant, strategy, t):\n"
        "    import math\n"
        "    strategy[:] = 1 / len(strategy)\n"
    )
    done = regretlab("solve", "kuhn", "--with", "./my_rules.py:rule")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert "import at the top of the file" in done.err
