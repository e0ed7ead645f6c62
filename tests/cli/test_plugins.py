"""Games and rules of a package that is installed beside regretlab: found, used, listed, named where broken."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from test_documents import ROOT, blocks, commands, matches

GUIDE = ROOT / "docs" / "how-to" / "publish-games-and-rules.md"
GAMES = '''
"""A package of games."""

import regretlab as rl


class Guess:
    """Player 1 guesses which of the ``numbers`` player 0 thinks of.

    More is not to be said.
    """

    def __init__(self, numbers=2):
        self.numbers, self.name = int(numbers), f"guess 1 of {numbers}"

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


class Unfair(Guess):
    """A game that fails while it is played."""

    def payoff(self, state):
        return {}[state]


pennies = rl.load("matching_pennies")
nothing = 7
'''
RULES = '''
import regretlab as rl


@rl.rule
def matching(regret, instant, strategy, t):
    """Regret matching, once more."""
    total = 0.0
    for a in range(len(regret)):
        regret[a] += instant[a]
        total += max(regret[a], 0.0)
    for a in range(len(regret)):
        strategy[a] = max(regret[a], 0.0) / total if total > 0.0 else 1.0 / len(regret)


@rl.rule
def bent(regret, instant, strategy, t):
    strategy[0] = 2.0
'''
PYPROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "guessing-games"
version = "1.2"

[project.entry-points."regretlab.games"]
guess = "guessing.games:Guess"
unfair = "guessing.games:Unfair"
pennies = "guessing.games:pennies"
nothing = "guessing.games:nothing"
lost = "guessing.nowhere:Lost"
kuhn = "guessing.games:Guess"
"two words" = "guessing.games:Guess"

[project.entry-points."regretlab.rules"]
matching = "guessing.rules:matching"
bent = "guessing.rules:bent"
absent = "guessing.rules:absent"

[tool.hatch.build.targets.wheel]
packages = ["guessing"]
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which a package was built and installed, as people install theirs."""
    folder = tmp_path_factory.mktemp("package")
    (folder / "guessing").mkdir()
    (folder / "pyproject.toml").write_text(PYPROJECT)
    for name, text in (("__init__", ""), ("games", GAMES), ("rules", RULES)):
        (folder / "guessing" / f"{name}.py").write_text(text)
    return install(folder)


def install(folder: Path) -> Path:
    """What pip makes of the package in a folder."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "--target", folder / "site", folder], check=True)
    return folder / "site"


@pytest.fixture
def beside(installed: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package is there, in this process and in those that it starts."""
    from regretlab import plugins

    monkeypatch.syspath_prepend(str(installed))
    monkeypatch.setenv("PYTHONPATH", f"{installed}:{':'.join(sys.path)}")
    plugins._installed.cache_clear()
    yield installed
    plugins._installed.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "guessing"]:
        del sys.modules[name]


@pytest.mark.usefixtures("beside")
def test_its_games_and_rules_are_used_like_all_others(regretlab) -> None:
    done = regretlab("solve", "guess(numbers=4)", "--with", "matching(schedule=alternating)", "--iterations", "500")
    assert (done.status, done.err) == (0, "")
    assert done.lines[0] == "guess 1 of 4 by matching(schedule=alternating): 500 iterations"
    exact = regretlab("nash", "guess(numbers=4)", "--exact", "--json").json
    assert exact["exact_value"] == "-1/4"
    assert regretlab("nash", "pennies", "--exact", "--json").json["exact_value"] == "0"


@pytest.mark.usefixtures("beside")
def test_runs_are_saved_and_go_on(regretlab, tmp_path: Path) -> None:
    run = str(tmp_path / "run.npz")
    assert regretlab("solve", "guess(numbers=3)", "--with", "matching", "--iterations", "20", "--save", run).status == 0
    done = regretlab("solve", "guess(numbers=3)", "--resume", run, "--iterations", "50", "--json")
    assert (done.status, done.err, done.json["iterations"], done.json["recipe"]) == (0, "", 50, "matching")


@pytest.mark.usefixtures("beside")
def test_other_processes_find_them_too(tmp_path: Path) -> None:
    block = {"games": ["guess(numbers=3)"], "recipes": ["matching", "cfr"], "iterations": [10, 20]}
    (tmp_path / "suite.toml").write_text("[[runs]]\n" + "\n".join(f"{key} = {each}" for key, each in block.items()))
    command = [sys.executable, "-m", "regretlab", "experiment", "suite.toml", "--store", "a.sqlite", "--workers", "2"]
    done = subprocess.run([*command, "--json"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert {row["recipe"] for row in json.loads(done.stdout)["rows"]} == {"matching", "cfr"}


@pytest.mark.usefixtures("beside")
def test_lists_say_where_they_come_from_and_leave_out_broken_ones(regretlab) -> None:
    done = regretlab("games")
    assert done.status == 0
    assert any(line.startswith("guess(numbers=2)") and line.endswith("guessing-games 1.2") for line in done.lines)
    assert [line.partition(" of guessing-games 1.2 ")[0] for line in done.err.splitlines()] == [
        f"regretlab: the game '{name}'" for name in ("kuhn", "lost", "two words")
    ]
    assert (
        "'lost' of guessing-games 1.2 can't be loaded: ModuleNotFoundError: No module named 'guessing.nowhere'"
        in done.err
    )
    listed = {each["name"]: each for each in regretlab("games", "--json").json}
    assert listed["guess"]["package"] == "guessing-games 1.2"
    assert listed["guess"]["summary"] == "Player 1 guesses which of the numbers player 0 thinks of."
    assert listed["kuhn"]["package"] == "regretlab"
    assert "lost" not in listed
    done = regretlab("recipes")
    assert any(line.startswith("matching  Regret matching, once more, of guessing-games 1.2") for line in done.lines)
    assert [line.split("'")[1] for line in done.err.splitlines()] == ["absent", "bent"]
    assert "matching" in {each["name"] for each in regretlab("recipes", "--json").json}


@pytest.mark.usefixtures("beside")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["solve", "lost"], "the game 'lost' of guessing-games 1.2 can't be loaded: ModuleNotFoundError"),
        (["solve", "nothing"], "is no game: it has no name, root"),
        (["solve", "guess(cards=3)"], "unknown argument of guess 'cards'; there are: numbers"),
        (["solve", "guess(numbers=x)"], "line 14: ValueError"),
        (["solve", "unfair"], "KeyError: (0, 0)"),
        (["solve", "gues"], "unknown game 'gues'; did you mean 'guess'?"),
        (["solve", "guess", "--with", "absent"], "the rule 'absent' of guessing-games 1.2 can't be loaded"),
        (["solve", "guess", "--with", "bent"], "rule 'bent' on regret [0], instant [0]: the strategy [2] sums to 2"),
        (["solve", "guess", "--with", "matchin"], "did you mean 'matching'?"),
    ],
)
def test_what_is_wrong_with_them_is_told_in_one_line(regretlab, arguments: list[str], says: str) -> None:
    done = regretlab(*arguments)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1), done.err
    assert says in done.err


def test_packages_that_contradict_each_other_or_can_not_be_read_are_named(
    regretlab, monkeypatch, tmp_path: Path
) -> None:
    from regretlab import plugins

    (tmp_path / "one.py").write_text(GAMES)
    for package, points in (
        ("first", "[regretlab.games]\nguess = one:Guess\n"),
        ("second", "[regretlab.games]\nguess = one:Guess\n"),
        ("torn", "[regretlab.games]\nno equals sign\n"),
    ):
        info = tmp_path / f"{package}-0.1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 0.1\n")
        (info / "entry_points.txt").write_text(points)
    monkeypatch.syspath_prepend(str(tmp_path))
    plugins._installed.cache_clear()
    try:
        done = regretlab("games")
        assert (done.status, done.err.count("\n")) == (0, 2)
        assert "the game 'guess' of second 0.1 can't be used: first 0.1 has a game of that name, too" in done.err
        assert "the game 'torn' of torn 0.1 can't be used: its entry_points.txt can't be read" in done.err
    finally:
        plugins._installed.cache_clear()


def test_nobody_looks_for_packages_before_a_name_is_unknown() -> None:
    program = """
import sys
from regretlab.cli import run
assert run(["solve", "kuhn", "--with", "cfr", "--iterations", "2", "--json"]) == 0
assert "regretlab.plugins" in sys.modules
from regretlab import plugins
assert plugins._installed.cache_info().misses == 0
"""
    subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL)


def test_the_package_of_the_guide_does_what_the_guide_shows(tmp_path: Path) -> None:
    shown = list(blocks(GUIDE.read_text(encoding="utf-8")))
    for block in shown:
        if block.file:
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": f"{install(tmp_path)}:{':'.join(sys.path)}", "COLUMNS": "100"}
    ran = [pair for block in shown if block.language == "text" for pair in commands(block.text)]
    for command, expected in ran:
        arguments = [sys.executable, "-m", *shlex.split(command)]
        done = subprocess.run(arguments, env=environment, capture_output=True, encoding="utf-8", check=True)
        assert matches(expected, done.stdout), done.stdout
    assert len(ran) == 4
