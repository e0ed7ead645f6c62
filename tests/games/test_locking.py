"""Locks as people write them, and the games that they make."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_games import RandomGame, random_games
from random_locks import random_lock
from random_public_games import RandomPublicGame, random_public_games

import regretlab as rl
from regretlab.errors import UserError
from regretlab.games import Kuhn, check_game, load, lock
from regretlab.games.locked import LockedDecision, LockedGame, LockedPublicGame
from regretlab.games.locking import read_lock, write_lock

FIRST = dict.fromkeys(("J", "Q", "K"), "check")


def behaviour(game: Any, label: str) -> dict[str, Any]:
    return dict(game.locked[label].behaviour)


def test_a_text_a_dictionary_and_a_file_say_the_same(tmp_path: Path) -> None:
    file = tmp_path / "locks.toml"
    file.write_text('[lock]\nJ = "check"\n"Jb" = { fold = 0.7, call = 0.3 }\nQc = "check 1/3, bet 2/3"\n')
    text = "J: check; Jb: fold 0.7, call 0.3; Qc: bet 2/3, check 1/3;"
    table = {"J": {"check": 1}, "Jb": {"fold": 0.7, "call": Fraction(3, 10)}, "Qc": "bet 2/3, check 1/3"}
    for given_lock in (file, str(file), text, table):
        game: Any = lock("kuhn", given_lock)
        assert behaviour(game, "J") == {"check": 1, "bet": 0}
        assert behaviour(game, "Jb") == {"fold": Fraction(7, 10), "call": Fraction(3, 10)}
        assert behaviour(game, "Qc") == {"check": Fraction(1, 3), "bet": Fraction(2, 3)}
        assert game.name == "kuhn locked at J: check; Qc: check 1/3, bet 2/3; Jb: fold 0.7, call 0.3"


names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6)
parts = st.lists(st.tuples(names, st.integers(1, 9)), min_size=1, max_size=4, unique_by=lambda part: part[0])


@given(st.dictionaries(names, parts, max_size=3), st.booleans())
def test_what_is_written_reads_the_same(decisions: dict[str, list[tuple[str, int]]], floats: bool) -> None:
    locked = {}
    for label, actions in decisions.items():
        total = sum(weight for _, weight in actions)
        chances = [weight / total if floats else Fraction(weight, total) for _, weight in actions]
        locked[label] = LockedDecision(0, tuple(action for action, _ in actions), tuple(chances))
    found = read_lock(write_lock(locked))
    read = float if floats else Fraction
    expected = {label: decision.behaviour for label, decision in locked.items()}
    assert {
        label: {action: read(number) for action, number in each.items()} for label, each in found.items()
    } == expected


def test_a_name_loads_the_locked_game_again() -> None:
    game: Any = load("kuhn(bet=2) locked at Jb: fold")
    assert (game.game, behaviour(game, "Jb")) == (Kuhn(bet=Fraction(2)), {"fold": 1, "call": 0})
    long: Any = lock("leduc", {label: rl.compile("leduc").treeplexes[0].actions[0][0] for label in leduc_labels(9)})
    assert long.name.endswith(" … (9 in all)")
    assert long.locked == load(long.loaded_from).locked  # type: ignore[attr-defined]


def leduc_labels(count: int) -> list[str]:
    treeplex = rl.compile("leduc").treeplexes[0]
    same = [label for label, actions in zip(treeplex.labels, treeplex.actions, strict=True) if "check" in actions]
    return same[:count]


def test_a_second_lock_comes_on_top_of_the_first() -> None:
    twice: Any = lock(lock("kuhn", "J: check; Q: check"), {"Q": "bet", "Jc": "check"})
    assert twice.name == "kuhn locked at J: check; Q: bet; Jc: check"
    assert twice.game == Kuhn()
    assert lock("kuhn", {}) == Kuhn()


@pytest.mark.parametrize(
    ("given_lock", "complaint"),
    [
        ({"Jd": "fold"}, "unknown information set in the lock 'Jd'; did you mean 'J'? There are: J, Q, K"),
        ({"Jb": "flod"}, "unknown action at 'Jb' in the lock 'flod'; did you mean 'fold'? There are: fold, call"),
        ("Jb: fold 1", "unknown action at 'Jb' in the lock 'fold 1'; did you mean 'fold'?"),
        ({"Jb": {"fold": 0.5, "call": 0.4}}, "the lock at 'Jb': the probabilities sum to 0.9, not 1"),
        ({"Jb": {}}, "the lock at 'Jb': the probabilities sum to 0, not 1"),
        ({"Jb": {"fold": 1.5, "call": -0.5}}, "the lock at 'Jb': call=-0.5 must be 0 or more"),
        ({"Jb": {"fold": float("nan"), "call": 1}}, "the lock at 'Jb': fold=nan is not a finite number"),
        ({"Jb": {"fold": "most"}}, "the lock at 'Jb': fold=most is not a finite number"),
        ({"Jb": 1}, "the lock at 'Jb' is 1; give an action or {action: probability}"),
        (["Jb"], "['Jb'] is no lock; give {label: action} or {label: {action: probability}}"),
        ("Jb", "can't read 'Jb' as a lock; write LABEL: ACTION, or LABEL: ACTION 0.7, ACTION 0.3"),
        ("Jb: fold; Jb: call", "'Jb' is locked twice in 'Jb: fold; Jb: call'"),
        ("Jb: fold, call 0.3", "'fold' in 'fold, call 0.3' has no probability; write ACTION 0.7, ACTION 0.3"),
        ("Jb: fold 0.5, fold 0.5", "'fold' is given twice in 'fold 0.5, fold 0.5'"),
        ('"J"b: fold', 'can\'t read "J"b in a lock: a double quote is missing'),
        ("nowhere.toml", "there is no file 'nowhere.toml'"),
    ],
)
def test_a_mistake_is_named_in_one_line(given_lock: Any, complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        lock("kuhn", given_lock)
    assert str(caught.value).startswith(complaint)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("text", "complaint"), [("x = 1", "has no section [lock]"), ("[lock", "can't read")])
def test_a_file_without_a_lock_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "locks.toml"
    file.write_text(text)
    with pytest.raises(UserError, match=r"locks\.toml") as caught:
        lock("kuhn", file)
    assert complaint in str(caught.value)


def test_a_game_without_hands_names_unknown_labels_too() -> None:
    with pytest.raises(UserError, match="unknown information set in the lock 'rows'; did you mean 'row'"):
        lock("rps", {"rows": "rock"})


def test_nodes_with_all_hands_locked_stay_public_and_others_go_by_histories() -> None:
    assert isinstance(lock("kuhn", FIRST), LockedPublicGame)
    assert isinstance(lock("kuhn", {"J": "check"}), LockedGame)
    assert isinstance(lock("kuhn", FIRST | {"Jb": "fold"}), LockedGame)


def test_hands_that_can_not_be_held_need_no_lock_and_take_none() -> None:
    """After Js is turned up nobody has it."""
    form = rl.compile("leduc")
    after = [label for label in form.labels if label[2:] == " cc Js"]
    assert len(after) == 5
    assert isinstance(lock("leduc", dict.fromkeys(after, "check")), LockedPublicGame)
    with pytest.raises(UserError, match="unknown information set in the lock 'Js cc Js'"):
        lock("leduc", {"Js cc Js": "check"})


@given(random_games(), st.integers(0, 1_000))
def test_locked_games_keep_the_protocol_with_all_other_labels(game: RandomGame, seed: int) -> None:
    wanted = random_lock(game, seed)
    locked = lock(game, wanted)
    check_game(locked)
    assert {*rl.compile(locked).labels} == {*rl.compile(game).labels} - wanted.keys()


@given(random_public_games(), st.integers(0, 1_000), st.booleans())
def test_locked_games_with_hands_keep_theirs(game: RandomPublicGame, seed: int, whole: bool) -> None:
    wanted = random_lock(game, seed, whole)
    locked = lock(game, wanted)
    check_game(locked)
    assert {*rl.compile(locked).labels} == {*rl.compile(game).labels} - wanted.keys()
    assert isinstance(locked, LockedPublicGame) or not whole or not wanted


def test_what_a_game_has_for_people_the_locked_one_has_too() -> None:
    for wanted in (FIRST, {"J": "check"}):
        game: Any = lock("kuhn(ante=2)", wanted)
        assert game.meaning("Jcb") == "Jack, checked, facing a bet"
        assert (game.ante, game.counted().infosets) == (2, 12 - len(wanted))
    assert not hasattr(lock("rps", {"row": "rock"}), "meaning")
