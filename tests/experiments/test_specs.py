"""Suites in files: what they stand for, and what is said about mistakes in them."""

from pathlib import Path

import pytest

from regretlab.errors import UserError
from regretlab.experiments import RunSpec, Suite, read_suite
from regretlab.experiments.suite_reading import SHIPPED, shipped_suites
from regretlab.solving import RECIPES, recipe

BLOCK = {"games": "kuhn", "recipes": "cfr", "iterations": 10}
GOOD = """# A comment with recipies in it.
title = "a suite"

[[runs]]
games = ["kuhn", "leduc"]
recipes = [
    "cfr",
    "cfr+(delay=5)",
]
iterations = [10, 100]

[[runs]]
games = "kuhn(cards=3|4)"
recipes = "cfr(feedback=chance)"
iterations = 50
seeds = 3
"""


def runs(**changes: object) -> tuple[RunSpec, ...]:
    return read_suite({"runs": [BLOCK | changes]}).runs


def complaint(folder: Path, text: str) -> str:
    (folder / "my.toml").write_text(text)
    with pytest.raises(UserError) as error:
        read_suite(folder / "my.toml")
    return str(error.value).removeprefix(f"'{folder / 'my.toml'}'")


def test_a_suite_is_all_combinations_of_each_block(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(GOOD)
    suite = read_suite(str(tmp_path / "my.toml"))
    first = [RunSpec(game, name, (10, 100)) for game in ("kuhn", "leduc") for name in ("cfr", "cfr+(delay=5)")]
    second = [
        RunSpec(game, "cfr(feedback=chance)", (50,), seed) for game in ("kuhn", "kuhn(cards=4)") for seed in range(3)
    ]
    assert suite == Suite("my", "a suite", (*first, *second))
    assert hash(suite) == hash(read_suite(tmp_path / "my.toml"))
    assert read_suite(suite) is suite


def test_names_mean_the_same_however_they_are_written() -> None:
    assert runs(games="kuhn( bet = 1 )", recipes="cfr+(delay=0)") == (RunSpec("kuhn", "cfr+", (10,)),)


def test_a_run_that_stands_in_two_blocks_runs_once() -> None:
    assert len(read_suite({"runs": [BLOCK, BLOCK | {"recipes": ["cfr", "cfr+"]}]}).runs) == 2


def test_all_is_every_row_of_the_table_that_needs_no_seed() -> None:
    names = [run.recipe for run in runs(recipes=["all", "cfr+(delay=1)"])]
    assert names == [*(name for name, row in RECIPES.items() if row.feedback == "full"), "cfr+(delay=1)"]
    assert {"cfr", "hedge", "pdcfr+"} < set(names)


def test_alternatives_are_multiplied_out() -> None:
    names = [run.recipe for run in runs(recipes="cfr(schedule=simultaneous|alternating, averaging = uniform | t^3 )")]
    assert names == [
        "cfr",
        "cfr(averaging=t^3)",
        "cfr(schedule=alternating)",
        "cfr(averaging=t^3, schedule=alternating)",
    ]


def test_seeds_are_for_recipes_that_sample_and_starts_for_all() -> None:
    found = runs(recipes=["cfr", "cfr(feedback=chance)"], seeds=[3, 5], starts=2)
    places = [(run.recipe, run.start, run.seed) for run in found]
    assert places[:2] == [("cfr", 0, 0), ("cfr", 1, 0)]
    assert places[2:] == [("cfr(feedback=chance)", start, seed) for start in (0, 1) for seed in (3, 5)]


def test_a_matrix_too_large_for_a_name_stays_as_written() -> None:
    rows = "; ".join(" ".join(str((i * j) % 7) for j in range(11)) for i in range(11))
    assert [run.game for run in runs(games=f"matrix(rows={rows})")] == [f"matrix(rows={rows})"]


TYPOS = [
    ("recipes = [", "recipies = [", ", line 6: unknown key 'recipies'; did you mean 'recipes'?"),
    ('title = "a suite"', 'titel = "a suite"', ", line 2: unknown key 'titel'; did you mean 'title'?"),
    ("[[runs]]\ngames = [", "[[run]]\ngames = [", ", line 4: unknown key 'run'; did you mean 'runs'?"),
    ("seeds = 3", "seed = 3", ", line 16: unknown key 'seed'; did you mean 'seeds'?"),
    ('"leduc"', '"ledoc"', ", line 5: unknown game 'ledoc'; did you mean 'leduc'?"),
    ("cards=3|4", "crads=3|4", ", line 13: unknown argument of kuhn 'crads'; did you mean 'cards'?"),
    ("delay=5", "dleay=5", ", line 8: unknown part of cfr+ 'dleay'; did you mean 'delay'?"),
    ('    "cfr",', '    "cfrr",', ", line 7: unknown recipe 'cfrr'; did you mean 'cfr'?"),
    ("seeds = 3", "seeds = 0", ", line 16: seeds=0 must be a whole number, at least 1"),
    ("seeds = 3", "seeds = [1, -1]", ", line 16: seeds=-1 must be a whole number, at least 0"),
    ("seeds = 3", "seeds = []", ", line 16: seeds must be how many there are, or a list of numbers"),
    ("iterations = 50", "iterations = 1.5", ", line 15: iterations=1.5 must be a whole number, at least 1"),
    ("iterations = 50", "iterations = true", ", line 15: iterations=True is not a whole number"),
    ("[10, 100]", "[100, 10]", ", line 10: iterations must be a number, or a list of numbers that ascend"),
    ("[10, 100]", "[2, 5]", ", line 10: cfr+(delay=5): 5 iterations leave nothing to average; it takes at least 6"),
    ("iterations = 50\n", "", ", line 12: this block of runs has no iterations"),
    ("seeds = 3", 'measures = ["vlaue"]', ", line 16: unknown measure 'vlaue'; did you mean 'value'?"),
    ("seeds = 3", 'measures = ["average(JJ: bet)"]', ", line 16: unknown information set 'JJ'; did you mean 'J'?"),
    ("seeds = 3", 'measures = ["average(J: bett)"]', ", line 16: unknown action at 'J' 'bett'; did you mean 'bet'?"),
    ("seeds = 3", 'measures = ["average(1: bet)"]', ", line 16: unknown information set '1'"),
    ("seeds = 3", "measures = 7", ", line 16: measures must be a name in quotes, or a list of such"),
    ('"kuhn", "leduc"', "", ", line 5: games must be a name in quotes, or a list of such"),
    ('title = "a suite"', "title = 7", ", line 2: title must be text"),
    ("[10, 100]", "[10, 100", ": unclosed array (at line 12"),
]


@pytest.mark.parametrize(("right", "wrong", "said"), TYPOS, ids=[said for _, _, said in TYPOS])
def test_a_mistake_is_told_with_its_line(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    assert GOOD.count(right) == 1
    assert complaint(tmp_path, GOOD.replace(right, wrong)).startswith(said)


@pytest.mark.parametrize("text", ["", "runs = 3", "runs = []", 'title = "empty"'])
def test_a_file_without_runs_says_how_to_write_them(tmp_path: Path, text: str) -> None:
    assert "write one or several blocks that begin with [[runs]]" in complaint(tmp_path, text)


def test_blocks_may_be_written_in_a_line(tmp_path: Path) -> None:
    said = complaint(tmp_path, 'runs = [{games = "khun", recipes = "cfr", iterations = 1}]')
    assert said.startswith(", line 1: unknown game 'khun'")


def test_a_mistake_in_python_has_no_line() -> None:
    with pytest.raises(UserError, match=r"^the suite: unknown key 'game'; did you mean 'games'\?"):
        read_suite({"runs": [{"game": "kuhn"}]})


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"there is no file 'nowhere\.toml'"):
        read_suite("nowhere.toml")
    with pytest.raises(UserError, match=r"unknown suite 'qick'; did you mean 'quick'\?.*; a file of your own ends in"):
        read_suite("qick")
    (tmp_path / "a.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="it is not text"):
        read_suite(tmp_path / "a.toml")


@pytest.mark.parametrize("name", sorted(path.stem for path in SHIPPED.glob("*.toml")))
def test_every_suite_that_comes_with_the_package_can_be_read(name: str) -> None:
    suite = read_suite(name)
    assert suite.title == shipped_suites()[name]
    assert suite.title
    assert all(recipe(run.recipe).name == run.recipe for run in suite.runs)


def test_convergence_has_every_deterministic_row_from_eleven_starts_on_every_game() -> None:
    found = read_suite("convergence").runs
    games, names = {run.game for run in found}, {run.recipe for run in found}
    assert {name for name, row in RECIPES.items() if row.feedback == "full"} < names
    assert {(run.game, run.recipe, run.start) for run in found} == {
        (game, name, start) for game in games for name in names for start in range(11)
    }
    assert {run.checkpoints for run in found} == {(10, 100, 1_000, 10_000)}
    assert len(games) == 11
    assert sum("battleship" in game for game in games) == 2
