"""Commands say how large a game is before they begin, and refuse what will not fit."""

import pytest

from regretlab.forms import compiling
from regretlab.games import size


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "goofspiel(cards=13)"),
        ("compare", "goofspiel(cards=13)"),
        ("nash", "goofspiel(cards=13)"),
        ("chaos", "goofspiel(cards=13)"),
        ("export", "goofspiel(cards=13)", "{folder}/game.efg"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_what_will_not_fit_is_refused_in_one_line(regretlab, tmp_path, arguments) -> None:
    done = regretlab(*(word.format(folder=tmp_path) for word in arguments))
    assert (done.status, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert "goofspiel(cards=13) is too large: about 4.7e29 histories" in done.err
    assert "cards=5 would fit" in done.err or "cards=4 would fit" in done.err


def test_a_large_game_is_announced_and_a_small_one_is_not(regretlab, monkeypatch) -> None:
    assert regretlab("solve", "kuhn", "--iterations", "1").err == ""
    monkeypatch.setattr(size, "LARGE", 55)
    said = "regretlab: kuhn: 55 histories, 12 information sets, less than 1 MB\n"
    assert regretlab("nash", "kuhn").err == said
    for command in ("solve", "compare"):
        assert regretlab(command, "kuhn", "--iterations", "1").err == said, command


def test_games_are_shown_with_their_size(regretlab, monkeypatch) -> None:
    assert "Size: 55 histories, 12 information sets, less than 1 MB" in regretlab("games", "kuhn").lines
    assert (
        "On lanes: 9 public states, 3 hands; f64 less than 1 MB, f32 less than 1 MB" in regretlab("games", "kuhn").lines
    )
    found = regretlab("games", "kuhn", "--json").json["size"]
    lanes = found.pop("lanes")
    assert found == {"histories": 55, "information_sets": 12, "estimate": False, "bytes": 8500}
    assert (lanes["public_states"], lanes["hands"], lanes["estimate"]) == (9, [3, 3], False)
    assert lanes["bytes"]["f32"] < lanes["bytes"]["f64"]
    assert "Size: 13 histories, 2 information sets, less than 1 MB" in regretlab("games", "rps").lines
    monkeypatch.setattr("regretlab.cli.games.MOST_HISTORIES", 5)
    assert "Size: about 13 histories, less than 1 MB" in regretlab("games", "rps").lines
    assert regretlab("games", "rps", "--json").json["size"]["estimate"] is True


def test_a_form_without_histories_is_enough_where_nothing_is_sampled(regretlab, monkeypatch) -> None:
    asked = []
    real = compiling.compile
    monkeypatch.setattr(compiling, "compile", lambda rules, tree=True: asked.append(tree) or real(rules, tree))
    for recipe in ("cfr+", "external-sampling"):
        assert regretlab("solve", "kuhn", "--with", recipe, "--iterations", "5").status == 0
    assert asked == [False, True]


def test_memory_that_is_not_there_is_named(regretlab, monkeypatch) -> None:
    monkeypatch.setattr(size, "free_memory", lambda: 2_000)
    done = regretlab("solve", "kuhn")
    assert done.err == (
        "regretlab: kuhn is too large: 55 histories, 12 information sets, less than 1 MB; "
        "less than 1 MB are free on this machine\n"
    )


def test_a_large_public_tree_is_announced(regretlab, monkeypatch) -> None:
    monkeypatch.setattr(size, "LARGE", 400)
    done = regretlab("solve", "leduc", "--iterations", "1", "--json")
    assert done.err == "regretlab: leduc: 465 public states, 6 hands; f64 less than 1 MB, f32 less than 1 MB\n"


def test_memory_for_lanes_that_is_not_there_is_named(regretlab, monkeypatch) -> None:
    monkeypatch.setattr(size, "free_memory", lambda: 300_000)
    done = regretlab("solve", "leduc")
    assert done.status == 2
    assert done.err == (
        "regretlab: leduc is too large: 465 public states, 6 hands; f64 less than 1 MB, f32 less than 1 MB; "
        "less than 1 MB are free on this machine; ranks=2 or suits=1 or cap=1 would fit\n"
    )
