"""Any small game to watch: what is drawn of it, its frames, and what is too large."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_type_hints

import pytest

import regretlab as rl
from regretlab.errors import UserError
from regretlab.solving import Solver
from regretlab.watch.any_game import MADE, AnyNumbers, AnyRun, any_game
from regretlab.watch.offers import OWN, WATCHED

COIN = '''
from fractions import Fraction

import regretlab as rl


class Coin:
    """Player 0 sees a coin and says what it shows; player 1 believes it or not."""

    name = "hidden coin"

    def root(self):
        return ()

    def player(self, state):
        return (rl.CHANCE, 0, 1, rl.TERMINAL)[len(state)]

    def actions(self, state):
        return (["heads", "tails"], ["say heads", "say tails"], ["believe", "doubt"])[len(state)]

    def chance(self, state):
        return [Fraction(1, 2), Fraction(1, 2)]

    def child(self, state, action):
        return (*state, action)

    def label(self, state):
        return f"saw {state[0]}" if len(state) == 1 else f"heard {state[1]}"

    def payoff(self, state):
        coin, said, doubted = state
        return 1 if (coin == said) == bool(doubted) else -1
'''


@pytest.mark.parametrize("name", WATCHED)
def test_a_run_holds_what_the_engine_holds(name: str) -> None:
    game = any_game(name, None)
    run = AnyRun(game, rl.recipe("cfr+"), seed=0)
    run.frame(50, 60.0, goal=0, speed=1)
    frame = json.loads(run.frame(20, 60.0, goal=0, speed=1).encoded())
    solver = Solver(game.form, "cfr+")
    solver.advance(20)
    expected = solver.solution()
    assert set(frame) == set(get_type_hints(AnyNumbers)) | {"history"}
    assert frame["iteration"] == 20
    assert frame["exploitability"]["average"] == expected.exploitability
    for label in game.labels:
        assert frame["average"][label] == list(expected.strategy[label].values())
        assert frame["current"][label] == list(expected.current[label].values())
    assert len(frame["shares"]) == len(game.described()["nodes"])
    told = run.explained(game.labels[0])
    assert told["iteration"] == 20
    assert "player 0" not in told["html"].lower()


def test_what_is_drawn_of_leduc() -> None:
    told = any_game("leduc", None).described()
    labels = [infoset["label"] for infoset in told["infosets"]]
    assert sorted(labels) == sorted(label for node in told["nodes"] for label in node["infosets"])
    assert told["nodes"][0] == {"parent": None, "kind": "chance", "player": None, "action": "", "infosets": []}
    first = next(node for node in told["nodes"] if node["kind"] == "player")
    assert (first["player"], first["action"], first["infosets"]) == (0, "dealt", ["J", "Q", "K"])
    assert not told["one_shot"]
    assert told["key"] == []


def test_a_one_shot_game_keeps_the_way_of_its_average() -> None:
    game = any_game("rps", None)
    told = game.described()
    assert told["one_shot"]
    assert told["nash"]["row"] == pytest.approx([1 / 4, 1 / 2, 1 / 4])
    run = AnyRun(game, rl.recipe("cfr"), seed=0)
    frame = json.loads(run.frame(30, 60.0, goal=0, speed=1).encoded())
    average = [share for label in ("row", "column") for share in frame["average"][label]]
    current = [share for label in ("row", "column") for share in frame["current"][label]]
    assert frame["history"]["key"][-1] == average + current
    assert len(frame["history"]["key"]) == 30


def test_the_users_own_game_is_loaded_from_nowhere_but_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "coin.py"
    path.write_text(COIN, encoding="utf-8")
    own = f"{path}:Coin"
    assert any_game(OWN, own).title == "hidden coin"
    assert set(MADE) == set(WATCHED)
    for name in (OWN, own, "kuhn(cards=4)", "efg:somewhere"):
        with pytest.raises(UserError, match=r"unknown game .* there are: kuhn, leduc|did you mean"):
            any_game(name, None)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("liars_dice", "liars_dice has more than 20,000 histories, too many for a page; regretlab solve takes it"),
        ("holdem:river-polar", "is too large for a page; regretlab solve takes it, and regretlab show reads it"),
    ],
)
def test_a_game_that_is_too_large_is_refused_in_a_sentence(game: str, words: str) -> None:
    with pytest.raises(UserError, match=words.replace("(", r"\(")):
        any_game(OWN, game)


def test_a_game_with_too_many_information_sets_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regretlab.watch.any_game.MOST_INFOSETS", 300)
    with pytest.raises(UserError, match="384 information sets, and a page has room for 300"):
        any_game(OWN, "leduc(ranks=2)")
