"""``regretlab compare``: the table, the picture, the numbers for machines."""

import csv
from pathlib import Path

import pytest

import regretlab as rl
from regretlab.cli import compare as compare_module
from regretlab.cli.progress import ComparisonDisplay
from regretlab.experiments.comparing import strategies
from regretlab.solving import Progress

FOUR = ["cfr", "cfr+", "normalhedge", "normalhedge+"]
LONG = "cfr,cfr+(averaging=t^1.5, delay=100),normalhedge+(schedule=alternating, averaging=linear),cfr(feedback=chance)"


def test_the_four_algorithms_race_by_default_and_the_best_is_marked(regretlab) -> None:
    done = regretlab("compare", "kuhn", "--iterations", "1000")
    assert (done.status, done.err) == (0, "")
    assert done.lines[:2] == [
        "kuhn: 1,000 iterations",
        "exact value -0.0555556 chips, -55.6 mbb/g, for player 0",
    ]
    race, until = tables(done.lines, FOUR)[:2]
    assert list(race) == list(until) == FOUR
    assert [name for name, row in race.items() if row[1].endswith("★")] == ["cfr+"]
    first, best = (rl.solve("kuhn", name, iterations=1_000).exploitability for name in ("cfr", "cfr+"))
    assert race["cfr+"][1:4] == [f"{best:.2e}★", f"{1000 * best:.4f}", f"{first / best:.0f}×★"]
    assert race["cfr"][3] == "1.0×"
    assert race["cfr"][-1].rstrip("★") == "1.0×"
    assert [row[1] for row in until.values()] == ["580", "21★", "560", "–"]


def tables(lines: list[str], names: list[str]) -> list[dict[str, list[str]]]:
    """The words of the rows of each table, by the recipe that a row begins with."""
    found: list[dict[str, list[str]]] = []
    for line in lines:
        words = line.split()
        if line.startswith("recipe "):
            found.append({})
        elif found and words and words[0] in names:
            found[-1][words[0]] = words
    return found


def test_a_wide_window_has_one_table_and_a_narrow_one_two(regretlab) -> None:
    for columns, count in ((80, 2), (170, 1)):
        done = regretlab("compare", "kuhn", "--iterations", "50", columns=columns)
        assert sum(line.startswith("recipe ") for line in done.lines) == count


def test_targets_can_be_chosen_and_left_out(regretlab) -> None:
    done = regretlab("compare", "kuhn", "--iterations", "100", "--targets", "1/10,0.3")
    assert "until 0.3" in done.out
    assert "until 0.1" in done.out
    assert "until 0.01" not in done.out
    none = regretlab("compare", "kuhn", "--iterations", "100", "--targets", ",")
    assert none.status == 0
    assert "until" not in none.out


def test_the_command_and_the_function_have_the_same_defaults() -> None:
    """The command repeats them, so that its help loads nothing heavy."""
    command, function = compare_module.compare.__kwdefaults__, rl.compare.__kwdefaults__
    assert tuple(command["recipes"].split(",")) == rl.compare.__defaults__[0]
    assert function["iterations"] == compare_module.USUAL_ITERATIONS
    assert tuple(map(float, command["targets"].split(","))) == function["targets"]
    assert int(command["seeds"]) == function["seeds"]


def test_quick_is_two_thousand_iterations(regretlab) -> None:
    assert regretlab("compare", "kuhn", "--quick").lines[0] == "kuhn: 2,000 iterations"


@pytest.mark.parametrize("columns", [80, 100, 140, 200])
@pytest.mark.parametrize("recipes", [",".join(FOUR), LONG])
def test_the_table_fits_the_window_and_no_word_is_broken(regretlab, columns: int, recipes: str) -> None:
    done = regretlab("compare", "kuhn", "--with", recipes, "--iterations", "200", "--seeds", "3", columns=columns)
    assert max(map(len, done.lines)) <= columns
    words = set(done.out.replace("(", " ").replace(")", " ").replace(",", " ").replace("=", " ").split())
    wanted = set(recipes.replace("(", " ").replace(")", " ").replace(",", " ").replace("=", " ").split())
    assert {word for word in wanted if word != "t^1.5"} <= words | {"averaging"}
    assert "t^3/2" in done.out or recipes != LONG


def test_sampled_recipes_show_the_standard_error(regretlab) -> None:
    done = regretlab("compare", "kuhn", "--with", "cfr(feedback=chance)", "--iterations", "100", "--seeds", "5")
    assert "± standard error over 5 seeds" in " ".join(done.out.split())
    race = next(line for line in done.lines if line.lstrip().startswith("±"))
    assert race.count("± ") == 4  # of the exploitability in chips and mbb/g, the value, and how far it is off


def test_where_only_some_seeds_got_there_their_number_is_told(regretlab) -> None:
    command = ["compare", "kuhn", "--with", "cfr(feedback=chance)", "--iterations", "300", "--seeds", "8"]
    done = regretlab(*command, "--targets", "0.05")
    solutions = [rl.solve("kuhn", "cfr(feedback=chance)", iterations=300, seed=seed) for seed in range(8)]
    count = sum(solution.exploitability <= 0.05 for solution in solutions)
    assert 0 < count < 8
    assert f"{count} of 8" in done.out
    assert "or how many runs got there" in " ".join(done.out.split())


def test_strategies_stand_beside_the_equilibria(regretlab) -> None:
    done = regretlab("compare", "kuhn", "--iterations", "1000", "--with", "cfr,cfr+")
    chance = rl.solve("kuhn", "cfr+", iterations=1_000).strategy
    rows = {line.split()[0]: line for line in done.lines if line.split()[:1] and line.split()[0] in chance}
    assert len(rows) == 12
    bluff = 100 * chance["J"]["bet"]
    assert rows["Qcb"].endswith(f"{100 * chance['Qcb']['call']:.1f} ({bluff + 100 / 3:.1f})")
    assert rows["K"].endswith(f"{100 * chance['K']['bet']:.1f} ({3 * bluff:.1f})")
    assert "33.3–66.7 " in rows["Qcb"]
    assert rows["Kb"].split()[-4:-2] == ["call", "100.0"]
    assert "Jack, first to act" in rows["J"]
    narrow = regretlab("compare", "kuhn", "--iterations", "10", columns=80)
    assert "first to act" not in narrow.out


def test_other_games_say_that_equilibria_need_not_be_unique(regretlab) -> None:
    done = regretlab("compare", "leduc(merge_suits=true)", "--iterations", "2", "--with", "cfr")
    assert "there may be others" in done.out
    assert "equilibrium" in done.out


def test_many_recipes_are_shown_in_several_tables(regretlab) -> None:
    names = ",".join(f"cfr+(delay={delay})" for delay in range(1, 9))
    done = regretlab("compare", "kuhn", "--iterations", "20", "--with", names, columns=80)
    assert max(map(len, done.lines)) <= 80
    assert sum(line.startswith("J  ") for line in done.lines) > 1
    assert all(f"delay={delay}" in done.out for delay in range(1, 9))


def test_json_is_one_object_with_a_row_a_recipe(regretlab) -> None:
    done = regretlab("compare", "kuhn", "--with", "cfr,cfr+(delay=10)", "--iterations", "100", "--json")
    assert (done.status, done.err) == (0, "")
    found = done.json
    assert (found["game"], found["iterations"], found["complete"]) == ("kuhn", 100, True)
    assert found["exact_value"] == pytest.approx(-1 / 18)
    assert [row["recipe"] for row in found["rows"]] == ["cfr", "cfr+(delay=10)"]
    assert found["rows"][1]["exploitability"] == rl.solve("kuhn", "cfr+(delay=10)", iterations=100).exploitability
    assert found["rows"][0]["exploitability_error"] is None
    solution = rl.solve("kuhn", "cfr+(delay=10)", iterations=100)
    assert {row["iteration"] for row in found["history"]} >= {point.iteration for point in solution.history}
    assert found["strategies"][-1]["probability"] == solution.strategy["Jb"]["call"]
    assert [row["iteration"] for row in found["regrets"] if row["recipe"] == "cfr"] == list(range(1, 101))


def test_csv_goes_to_standard_output_or_into_a_file(regretlab, tmp_path: Path) -> None:
    command = ["compare", "kuhn", "--with", "cfr,cfr+", "--iterations", "50"]
    printed = regretlab(*command, "--csv")
    assert printed.err == ""
    first, second = csv.DictReader(printed.out.splitlines())
    assert (first["recipe"], second["recipe"]) == ("cfr", "cfr+")
    assert float(second["exploitability"]) == rl.solve("kuhn", "cfr+", iterations=50).exploitability
    done = regretlab(*command, "--csv", str(tmp_path / "a.csv"))
    assert done.lines[-1] == f"The table is in {tmp_path / 'a.csv'}"
    (*_, again) = csv.DictReader((tmp_path / "a.csv").read_text().splitlines())
    assert again["exploitability"] == second["exploitability"]
    both = regretlab(*command, "--json", "--csv", str(tmp_path / "b.csv"))
    assert both.json["game"] == "kuhn"
    assert (tmp_path / "b.csv").exists()


def test_the_lanes_are_quiet_where_machines_read_standard_output(regretlab, monkeypatch, tmp_path: Path) -> None:
    seen: list[bool] = []
    usual = ComparisonDisplay.__init__

    def noted(self: ComparisonDisplay, recipes, quiet: bool) -> None:
        seen.append(quiet)
        usual(self, recipes, quiet)

    monkeypatch.setattr(ComparisonDisplay, "__init__", noted)
    for options in ([], ["--json"], ["--csv"], ["--csv", str(tmp_path / "a.csv")]):
        assert regretlab("compare", "kuhn", "--with", "cfr", "--iterations", "5", *options).status == 0
    assert seen == [False, True, True, False]


@pytest.mark.parametrize(
    ("name", "begins"),
    [("a.PNG", b"\x89PNG"), ("a.html", b"<!DOCTYPE html>")],
)
def test_the_plot_is_written_and_its_place_is_told(regretlab, tmp_path: Path, name: str, begins: bytes) -> None:
    done = regretlab("compare", "kuhn", "--iterations", "10", "--plot", str(tmp_path / name), columns=40)
    assert done.lines[-1] == f"The plot is in {tmp_path / name}"
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_ctrl_c_shows_what_is_finished(regretlab, monkeypatch) -> None:
    seen = []

    def stop_in_the_second_run(self: object, step) -> bool:
        seen.append(step)
        return step.run == 2

    monkeypatch.setattr("regretlab.cli.progress.ComparisonDisplay.comparing", stop_in_the_second_run)
    done = regretlab("compare", "kuhn", "--iterations", "1000")
    assert done.status == 130
    assert done.err == "regretlab: stopped by Ctrl-C; recipes that were not finished are left out\n"
    assert any(line.startswith("cfr ") for line in done.lines)
    assert "cfr+" not in done.out
    assert isinstance(seen[0].progress, Progress)


def test_ctrl_c_before_anything_is_finished_draws_and_writes_nothing(regretlab, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr("regretlab.cli.progress.ComparisonDisplay.comparing", lambda self, step: True)
    done = regretlab("compare", "kuhn", "--plot", str(tmp_path / "a.png"), "--csv", str(tmp_path / "a.csv"))
    assert done.status == 130
    assert list(tmp_path.iterdir()) == []
    assert "The plot is in" not in done.out


def test_a_game_too_large_for_the_exact_value_says_so(regretlab, monkeypatch) -> None:
    monkeypatch.setattr(strategies, "MOST_SEQUENCES_FOR_PROOF", 10)
    monkeypatch.setattr(strategies, "MOST_SEQUENCES_FOR_VALUE", 10)
    done = regretlab("compare", "kuhn(cards=4)", "--iterations", "10")
    assert done.lines[1] == "exact value unknown: the game is too large for the linear programme"
    assert "no equilibrium beside them" in done.out
    assert regretlab("compare", "kuhn(cards=4)", "--iterations", "10", "--json").json["exact_value"] is None


def test_a_figure_that_the_last_digit_decides_is_pointed_out(regretlab) -> None:
    chaotic, calm = (
        " ".join(regretlab("compare", game, "--with", "dcfr", "--iterations", "500").out.split())
        for game in ("leduc", "kuhn")
    )
    assert "one draw of many" in chaotic
    assert "--starts 10 shows the spread" in chaotic
    assert "one draw of many" not in calm
    assert "exploitability of" not in calm


def test_several_starts_show_their_range(regretlab) -> None:
    command = ["compare", "leduc", "--with", "dcfr,cfr(feedback=chance)", "--iterations", "300", "--starts", "3"]
    done = regretlab(*command, columns=120)
    at = next(number for number, line in enumerate(done.lines) if line.startswith("exploitability of"))
    row, single = done.lines[at + 2 : at + 4]
    assert row.split()[:2] == ["dcfr", "3"]
    lowest, middle, highest = map(float, row.split()[2:])
    assert lowest < middle < highest
    assert single.split()[1] == "1"
    assert single.split()[2::2] == ["–", "–"]
    text = " ".join(done.out.split())
    assert "± standard error over 3 starts" in text
    assert "--starts 10" not in text
    found = regretlab(*command, "--json").json["rows"][0]
    assert found["exploitability_lowest"] < found["exploitability_median"] < found["exploitability_highest"]
    assert regretlab("compare", "kuhn", "--starts", "0").status == 2
