"""``regretlab games`` and ``regretlab recipes``: what there is."""

import re

import pytest

from regretlab.solving import RECIPES


def test_games_are_listed_with_their_defaults(regretlab) -> None:
    done = regretlab("games")
    assert (done.status, done.err) == (0, "")
    assert "kuhn(ante=1, bet=1, cards=3)" in done.out
    assert regretlab("games", "--json").json[0]["parameters"] == {"ante": "1", "bet": "1", "cards": 3}


def test_many_defaults_leave_room_for_the_rules(regretlab) -> None:
    done = regretlab("games", columns=80)
    assert done.lines[0].split() == ["game", "and", "defaults", "rules"]
    assert "merge_suits=False)" in done.out
    assert max(map(len, done.lines)) <= 80


@pytest.mark.parametrize("columns", [80, 100])
def test_a_game_is_shown_with_rules_endings_and_information_sets(regretlab, columns: int) -> None:
    done = regretlab("games", "kuhn(bet=2)", columns=columns)
    assert done.lines[0] == "kuhn(bet=2)"
    assert "Each player antes and gets one of the cards" in done.out
    assert "``" not in done.out
    endings = [line.split() for line in done.lines if re.match(r"(cc|bf|bc|cbf|cbc) ", line)]
    assert [(row[0], row[-1]) for row in endings] == [
        ("cc", "±1"), ("bf", "+1"), ("bc", "±3"), ("cbf", "-1"), ("cbc", "±3"),
    ]  # fmt: skip
    assert "Qcb              0       Queen, checked, facing a bet  fold, call" in done.lines
    assert "Jb               1       Jack, facing a bet            fold, call" in done.lines
    assert max(map(len, done.lines)) <= columns


def test_a_game_for_machines(regretlab) -> None:
    found = regretlab("games", "kuhn", "--json").json
    assert len(found["information_sets"]) == 12
    assert found["information_sets"][0] == {
        "label": "J",
        "player": 0,
        "meaning": "Jack, first to act",
        "actions": ["check", "bet"],
    }
    assert found["complete"] is True
    assert len(found["endings"]) == 5


def test_a_large_game_is_cut(regretlab, monkeypatch) -> None:
    done = regretlab("games", "kuhn(cards=20)")
    assert "… and 40 more information sets; --json has them all" in done.lines
    monkeypatch.setattr("regretlab.cli.games.MOST_HISTORIES", 500)
    done = regretlab("games", "kuhn(cards=20)")
    assert "… and many more information sets" in done.lines
    assert regretlab("games", "kuhn(cards=20)", "--json").json["complete"] is False


def test_a_game_of_exactly_the_limit_is_complete(regretlab, monkeypatch) -> None:
    monkeypatch.setattr("regretlab.cli.games.MOST_HISTORIES", 55)
    assert regretlab("games", "kuhn", "--json").json["complete"] is True


@pytest.mark.parametrize("columns", [80, 100])
def test_recipes_are_listed_with_all_their_parts(regretlab, columns: int) -> None:
    done = regretlab("recipes", columns=columns)
    row = next(k for k, line in enumerate(done.lines) if line.startswith("pcfr+ "))
    said = " ".join(f"{done.lines[row]} {done.lines[row + 1]}".split())
    assert said.startswith("pcfr+ accumulate=truncate, averaging=quadratic,")
    assert {"schedule=alternating,", "predict=yes", "proven"} <= set(said.split())
    assert [line.split()[0] for line in done.lines if line[:1].isalpha()][1 : 1 + len(RECIPES)] == list(RECIPES)
    assert max(map(len, done.lines)) <= columns


def test_one_recipe_is_shown_with_what_was_replaced(regretlab) -> None:
    done = regretlab("recipes", "cfr+(delay=100)")
    assert done.lines[0] == "cfr+(delay=100)"
    assert "delay       100" in done.lines
    found = regretlab("recipes", "cfr+(delay=100)", "--json").json
    assert found["name"] == "cfr+(delay=100)"
    assert found["parameters"] == {"delay": 100, "predict": "no", "alpha": "none", "beta": "none", "ties": "1e-12"}
    assert found["formulas"]["average"] == "w = max(t − 100, 0)"


def test_one_recipe_is_shown_with_formulas_and_citation(regretlab) -> None:
    lines = regretlab("recipes", "cfr+").lines
    assert "regrets   R ← max(R + r, 0)" in [line.rstrip() for line in lines]
    assert any("Tammelin (2014)" in line for line in lines)


def test_recipes_for_machines(regretlab) -> None:
    found = regretlab("recipes", "--json").json
    assert [row["name"] for row in found] == list(RECIPES)
    assert all({"accumulate", "weigh", "averaging", "schedule", "feedback", "status"} <= row.keys() for row in found)


def test_bibtex_has_every_paper_once(regretlab) -> None:
    done = regretlab("recipes", "--bibtex", columns=40)
    keys = re.findall(r"^@\w+\{(\w+),$", done.out, flags=re.MULTILINE)
    plus = ["tammelin2014solving", "tammelin2015solving", "burch2019revisiting"]
    assert keys[:5] == ["zinkevich2007regret", *plus, "chaudhuri2009parameter"]
    assert len(keys) == len(set(keys)) == len({c for row in RECIPES.values() for c in row.citations})
    assert done.out.count("{") == done.out.count("}")
