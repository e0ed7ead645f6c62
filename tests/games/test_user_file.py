"""Games in a user's own file: found, made with arguments, saved and resumed; and what is said when they are not."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import pytest

import regretlab as rl
from regretlab.errors import UserError
from regretlab.games import Kuhn, load

GAME = '''
from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import regretlab as rl


@dataclass(frozen=True)
class Guess:
    """Player 1 guesses which of the numbers player 0 thinks of."""

    numbers: int = 2
    prize: Fraction = Fraction(1)
    loud: bool = False
    title: str = "guess"

    @property
    def name(self):
        return f"{self.title} 1 of {self.numbers}"

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
        return -self.prize if state[0] == state[1] else 0


def small():
    return Guess(2, title="small")


def sized(count, **rest):
    return Guess(count, **rest)


def classy():
    return Guess


made = Guess(3)
number = 7
_hidden = made


class Half:
    name = "half"

    def root(self):
        return ()


class Choosy:
    def __init__(self, cards):
        raise rl.UserError("cards must be at most 3")
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_game.py").write_text(GAME)
    return tmp_path


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("./my_game.py:Guess", "guess 1 of 2"),
        ("my_game.py:Guess", "guess 1 of 2"),
        ("./my_game.py:Guess(numbers=4)", "guess 1 of 4"),
        (" ./my_game.py : Guess( numbers = 4, title = 12:30 ) ", "12:30 1 of 4"),
        ("./my_game.py:small", "small 1 of 2"),
        ("./my_game.py:sized(count=5, title=x)", "x 1 of 5"),
        ("./my_game.py:made", "guess 1 of 3"),
        ("./my_game.py:made()", "guess 1 of 3"),
    ],
)
def test_a_class_a_function_and_a_game_are_found(folder: Path, place: str, name: str) -> None:
    game = load(place)
    assert game.name == name
    assert type(game).__name__ == "Guess"
    rl.check_game(place)


def test_the_value_is_right(folder: Path) -> None:
    """With n numbers, player 1 guesses right once in n times."""
    assert rl.nash("./my_game.py:Guess(numbers=4, prize=1/3)", exact=True).value == Fraction(-1, 12)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4", 4),
        ("0.1", Fraction(1, 10)),
        ("1/3", Fraction(1, 3)),
        ("4/2", 2),
        ("True", True),
        ("false", False),
        ("nan", "nan"),
        ("four", "four"),
    ],
)
def test_arguments_are_numbers_where_they_read_as_numbers(folder: Path, text: str, value: object) -> None:
    title = load(f"./my_game.py:Guess(title={text})").title  # type: ignore[attr-defined]
    assert (type(title), title) == (type(value), value)


def test_absolute_paths_and_folders_with_spaces(tmp_path: Path) -> None:
    place = tmp_path / "my games: new"
    place.mkdir()
    (place / "a.b.py").write_text(GAME)
    assert load(f"{place / 'a.b.py'}:Guess").name == "guess 1 of 2"


def test_an_edited_file_is_read_again_and_nothing_is_left_beside_it(folder: Path) -> None:
    load("./my_game.py:Guess")
    (folder / "my_game.py").write_text(GAME.replace("1 of", "I of"))
    assert load("./my_game.py:Guess").name == "guess I of 2"
    assert [path.name for path in folder.iterdir()] == ["my_game.py"]


def test_a_file_takes_the_place_of_no_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = sys.modules["fractions"]
    monkeypatch.chdir(tmp_path)
    Path("fractions.py").write_text(GAME)
    assert load("./fractions.py:Guess").name == "guess 1 of 2"
    assert sys.modules["fractions"] is before


def test_a_file_is_compiled_by_its_own_rules(folder: Path) -> None:
    """Annotations are texts in the module that runs the file, and must not become texts in the file."""
    (folder / "plain.py").write_text(
        "class A:\n    x: int\n\nassert A.__annotations__['x'] is int\n"
        + GAME.replace("from __future__ import annotations", "")
    )
    assert load("./plain.py:Guess").name == "guess 1 of 2"


# Saved runs.


def test_a_saved_run_goes_on_by_the_place_of_its_game(folder: Path) -> None:
    place = "./my_game.py:Guess(numbers=3)"
    rl.solve(place, "cfr", iterations=50).save("run.npz")
    resumed = rl.solve(place, "cfr", iterations=120, resume="run.npz")
    assert resumed.history == rl.solve(place, "cfr", iterations=120).history
    assert resumed.game == "guess 1 of 3"
    assert rl.Solution.load("run.npz", place).iterations == 50
    assert rl.Solution.load("run.npz", load(place)).iterations == 50


def test_a_saved_run_does_not_run_code_by_itself(folder: Path) -> None:
    rl.solve("./my_game.py:Guess", iterations=10).save("run.npz")
    (folder / "my_game.py").write_text("raise AssertionError('this ran')")
    with pytest.raises(UserError, match=r"\./my_game\.py:Guess is in a file of its own; give the game as well"):
        rl.Solution.load("run.npz")


def test_a_run_of_a_game_that_has_changed_since_is_refused(folder: Path) -> None:
    rl.solve("./my_game.py:Guess", iterations=10).save("run.npz")
    (folder / "my_game.py").write_text(GAME.replace("else 0", "else 1"))
    with pytest.raises(UserError, match="not the same game as guess 1 of 2 as it is now"):
        rl.solve("./my_game.py:Guess", iterations=20, resume="run.npz")


def test_the_compiled_game_knows_where_it_came_from(folder: Path) -> None:
    assert rl.compile("./my_game.py:Guess").load_name == "./my_game.py:Guess"
    assert rl.compile(Kuhn()).load_name == "kuhn"


def test_a_class_without_room_for_its_place_is_played_all_the_same(folder: Path) -> None:
    (folder / "slots.py").write_text(
        GAME.replace("@dataclass(frozen=True)", "@dataclass(frozen=True, slots=True)").partition("def small")[0]
    )
    form = rl.compile("./slots.py:Guess")
    assert (form.infosets, form.load_name) == (2, "guess 1 of 2")


# Mistakes.


@pytest.mark.parametrize(
    ("place", "complaint"),
    [
        ("./my_gmae.py:Guess", "there is no file './my_gmae.py'"),
        ("./folder.py:Guess", "can't read './folder.py': Is a directory"),
        ("./my_game.py", "'./my_game.py' is a file; name the game in it as well, like ./my_game.py:my_game"),
        ("./my_game.py:", "name the game in it as well"),
        ("./my_game.py:Gess", "unknown game in './my_game.py' 'Gess'; did you mean 'Guess'? There are: Guess, "),
        ("./my_game.py:My Game", "can't read 'My Game'"),
        ("./my_game.py:Guess(number=3)", "unknown argument of Guess 'number'; did you mean 'numbers'?"),
        ("./my_game.py:made(numbers=3)", "'made' in './my_game.py' is not a class or function and takes no arguments"),
        ("./my_game.py:number", "'number' in './my_game.py' is no game: it has no name, root, player"),
        ("./my_game.py:Half", "'Half' in './my_game.py' is no game: it has no player, actions, child, label, payoff"),
        ("./my_game.py:Fraction", "'Fraction' in './my_game.py' is no game: it has no name"),
        ("./my_game.py:rl", "'rl' in './my_game.py' is no game"),
        ("./my_game.py:classy", "'classy' in './my_game.py' gives a class; it should give a game made from it"),
        ("./my_game.py:Choosy(cards=4)", "'./my_game.py': cards must be at most 3"),
        ("./my_game.py:Choosy", "TypeError: Choosy.__init__() missing 1 required positional argument: 'cards'"),
    ],
)
def test_a_mistake_is_told_in_one_line(folder: Path, place: str, complaint: str) -> None:
    (folder / "folder.py").mkdir()
    with pytest.raises(UserError) as caught:
        load(place)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_only_what_may_be_a_game_is_offered(folder: Path) -> None:
    with pytest.raises(UserError, match=r": Guess, small, sized, classy, made, Half$"):
        load("./my_game.py:Nothing")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("x = 1\ny = x / 0\n", "'./bad.py', line 2: ZeroDivisionError: division by zero"),
        ("def f():\n    return g()\n\ndef g():\n    return z\n\nf()\n", "line 5: NameError: name 'z' is not defined"),
        ("x = 1\nclass Game\n", "line 2: SyntaxError: expected ':'"),
        ("import nowhere_to_be_found\n", "line 1: ModuleNotFoundError: No module named 'nowhere_to_be_found'"),
        ("import sys\nsys.exit('over\\nand out')\n", "line 2: SystemExit: over and out"),
        ("import json\njson.loads('{')\n", "line 2: JSONDecodeError: "),
        ("x = '\0'\n", "null bytes"),
        ("class Game:\n    def __init__(self):\n        {}[7]\n", "line 3: KeyError: 7"),
    ],
)
def test_a_file_that_raises_is_told_with_the_exception_and_its_line(folder: Path, text: str, complaint: str) -> None:
    (folder / "bad.py").write_text(text)
    with pytest.raises(UserError) as caught:
        load("./bad.py:Game")
    assert complaint in str(caught.value)
    assert str(caught.value).startswith("'./bad.py'")
    assert "\n" not in str(caught.value)
