"""``regretlab compare``: the table, the picture, the numbers for machines."""

from importlib import import_module
from pathlib import Path

import pytest

import regretlab as rl
from regretlab.solve import Progress

MODULE = import_module("regretlab.experiments.compare")  # the package has a function of this name
FOUR = ["cfr", "cfr+", "normalhedge", "normalhedge+"]
LONG = "cfr,cfr+(averaging=t^1.5, delay=100),normalhedge+(schedule=alternating, averaging=linear),cfr(feedback=chance)"


def test_the_four_algorithms_race_by_default_and_the_best_is_marked(regretlab) -> None:
    done = regretlab("compare", "kuhn", "--iterations", "1000")
    assert (done.status, done.err) == (0, "")
    assert done.lines[:2] == [
        "kuhn: 1,000 iterations",
        "exact value -0.0555556 chips, -55.6 mbb/g, for player 0",
    ]
    rows = {line.split()[0]: line.split() for line in done.lines if line.split()[:1] and line.split()[0] in FOUR}
    assert list(rows) == FOUR
    assert [name for name, row in rows.items() if row[1].endswith("★")] == ["cfr+"]
    loss = rl.solve("kuhn", "cfr+", iterations=1_000).exploitability
    assert rows["cfr+"][1:3] == [f"{loss:.2e}★", f"{1000 * loss:.4f}"]
    assert rows["cfr"][3] == rows["cfr"][-1] == "1.0×"


@pytest.mark.parametrize("columns", [80, 100, 140])
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
    assert done.out.count("± ") == 4  # exploitability in chips and mbb/g, value, and what the sign means
    assert "± standard error over 5 seeds" in done.out


def test_json_is_one_object_with_a_row_a_recipe(regretlab) -> None:
    done = regretlab("compare", "kuhn", "--with", "cfr,cfr+(delay=10)", "--iterations", "100", "--json")
    assert (done.status, done.err) == (0, "")
    found = done.json
    assert (found["game"], found["iterations"], found["complete"]) == ("kuhn", 100, True)
    assert found["exact_value"] == pytest.approx(-1 / 18)
    assert [row["recipe"] for row in found["rows"]] == ["cfr", "cfr+(delay=10)"]
    assert found["rows"][1]["exploitability"] == rl.solve("kuhn", "cfr+(delay=10)", iterations=100).exploitability
    assert found["rows"][0]["exploitability_error"] is None


@pytest.mark.parametrize(("name", "begins"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.PDF", b"%PDF")])
def test_the_plot_is_written_and_its_place_is_told(regretlab, tmp_path: Path, name: str, begins: bytes) -> None:
    done = regretlab("compare", "kuhn", "--iterations", "10", "--plot", str(tmp_path / name), columns=40)
    assert done.lines[-1] == f"The plot is in {tmp_path / name}"
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_ctrl_c_shows_what_is_finished(regretlab, monkeypatch) -> None:
    seen = []

    def stop_in_the_second_run(self: object, step) -> bool:
        seen.append(step)
        return step.run == 2

    monkeypatch.setattr("regretlab.cli.watch.Watch.comparing", stop_in_the_second_run)
    done = regretlab("compare", "kuhn", "--iterations", "1000")
    assert done.status == 130
    assert done.err == "regretlab: stopped by Ctrl-C; recipes that were not finished are left out\n"
    assert any(line.startswith("cfr ") for line in done.lines)
    assert "cfr+" not in done.out
    assert isinstance(seen[0].progress, Progress)


def test_a_game_too_large_for_the_exact_value_says_so(regretlab, monkeypatch) -> None:
    monkeypatch.setattr(MODULE, "MOST_SEQUENCES_FOR_PROOF", 10)
    monkeypatch.setattr(MODULE, "MOST_SEQUENCES_FOR_VALUE", 10)
    done = regretlab("compare", "kuhn", "--iterations", "10")
    assert done.lines[1] == "exact value unknown: the game is too large for the linear programme"
    assert regretlab("compare", "kuhn", "--iterations", "10", "--json").json["exact_value"] is None
