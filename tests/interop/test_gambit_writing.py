"""Gambit's .efg files out: read again, by us and by OpenSpiel, they are the same games."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import RandomGame, random_games

from regretlab.errors import UserError
from regretlab.evaluation import nash
from regretlab.forms import SequenceForm, compile
from regretlab.games import CHANCE, TERMINAL, load
from regretlab.interop import write_efg

GAMES = [
    "kuhn(ante=1/3, bet=2/7)",
    "kuhn(ante=0.1, cards=4)",
    "leduc(ranks=2)",
    "liars_dice(sides=2)",
    "goofspiel(cards=3)",
    "rps",
    "openspiel:kuhn_poker",
    "openspiel:goofspiel(num_cards=3,imp_info=True)",
    "openspiel:dark_hex(board_size=2)",
]


def parts(form: SequenceForm) -> dict[str, Any]:
    """All that a compiled game consists of, except its name: arrays as their bytes, labels with single spaces."""
    payoff: Any = form.payoff
    found: dict[str, Any] = {"exact": payoff.exact.fractions(), **vars(form.tree)}
    for player in (0, 1):
        found |= {f"{key} {player}": value for key, value in vars(form.treeplexes[player]).items()}
        found |= {f"entries {key} {player}": value for key, value in payoff.matrices[player]._asdict().items()}
        found[f"labels {player}"] = [" ".join(label.split()) for label in form.treeplexes[player].labels]
    return {key: value.tobytes() if isinstance(value, np.ndarray) else value for key, value in found.items()}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_comes_back_bit_for_bit(name: str, tmp_path: Path) -> None:
    form = compile(name)
    assert form.tree is not None
    assert write_efg(name, tmp_path / "game.efg") == form.tree.histories
    assert parts(compile(f"efg:{tmp_path / 'game.efg'}")) == parts(form)


def said_once(text: str) -> str:
    """The file without descriptions that it has given before."""
    lines, said = [], set()
    for line in text.splitlines():
        match = re.match(r'(t "" \d+|p "" [12] \d+) ', line)
        lines.append(line if match is None or match[1] not in said else match[1] + " 0" * (line[0] == "p"))
        said.add(match and match[1])
    return "\n".join(lines)


def spread_out(text: str) -> str:
    """The file with one word on each line, and payoffs without commas."""
    return "\n".join(re.findall(r'"[^"]*"|[^\s",]+', text))


@given(random_games(), st.sampled_from([str, said_once, spread_out]))
@settings(max_examples=60)
def test_random_games_come_back_bit_for_bit_however_they_are_laid_out(
    tmp_path_factory: pytest.TempPathFactory, game: RandomGame, layout: Any
) -> None:
    path = tmp_path_factory.getbasetemp() / "random.efg"
    write_efg(game, path)
    path.write_text(layout(path.read_text()))
    assert parts(compile(f"efg:{path}")) == parts(compile(game))


@given(random_games())
@settings(max_examples=25)
def test_openspiel_reads_the_same_game(tmp_path_factory: pytest.TempPathFactory, game: RandomGame) -> None:
    """Its reader shares nothing with ours."""
    path = tmp_path_factory.getbasetemp() / "for_openspiel.efg"
    write_efg(game, path)
    theirs, ours = compile(f"openspiel:efg_game(filename={path})"), compile(game)
    assert theirs.tree is not None
    assert ours.tree is not None
    assert sorted(theirs.tree.payoff) == sorted(ours.tree.payoff)
    assert [treeplex.sequences for treeplex in theirs.treeplexes] == [
        treeplex.sequences for treeplex in ours.treeplexes
    ]
    assert nash(theirs).value == pytest.approx(nash(ours).value, abs=1e-9)


def test_the_file_is_as_gambit_writes_them(tmp_path: Path) -> None:
    write_efg("kuhn(ante=1/3, bet=2/7)", tmp_path / "kuhn.efg")
    assert (tmp_path / "kuhn.efg").read_text().splitlines()[:6] == [
        'EFG 2 R "kuhn(ante=1/3, bet=2/7)" { "Player 1" "Player 2" }',
        'c "" 1 "" { "JQ" 1/6 "JK" 1/6 "QJ" 1/6 "QK" 1/6 "KJ" 1/6 "KQ" 1/6 } 0',
        'p "" 1 1 "J" { "check" "bet" } 0',
        'p "" 2 1 "Qc" { "check" "bet" } 0',
        't "" 1 "-1/3" { -1/3, 1/3 }',
        'p "" 1 4 "Jcb" { "fold" "call" } 0',
    ]


@dataclass(frozen=True)
class Lottery:
    """Chance draws, then player 0 takes what was drawn."""

    payoffs: tuple[float, ...] = (0.1, 1e-17, -1e20)
    probabilities: tuple[float, ...] = (1 / 3, 1 / 3, 1 / 3)
    take: str = "take"
    name: str = "lottery"

    def root(self) -> tuple[int, ...]:
        return ()

    def player(self, state: tuple[int, ...]) -> int:
        return (CHANCE, 0, TERMINAL)[len(state)]

    def actions(self, state: tuple[int, ...]) -> Sequence[str]:
        return [self.take] if state else [f"draw {k}" for k in range(len(self.payoffs))]

    def chance(self, state: tuple[int, ...]) -> Sequence[float]:
        return self.probabilities

    def child(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def label(self, state: tuple[int, ...]) -> str:
        return "blind"

    def payoff(self, state: tuple[int, ...]) -> float:
        return self.payoffs[state[0]]


def test_floats_come_back_as_they_print_and_their_probabilities_sum_to_1(tmp_path: Path) -> None:
    game, path = Lottery(probabilities=(0.1, 0.2, 0.7)), tmp_path / "floats.efg"
    write_efg(game, path)
    assert '"draw 0" 1/10 "draw 1" 1/5 "draw 2" 7/10' in path.read_text()
    assert "{ 0.1, -0.1 }" in path.read_text()
    assert "{ -1e20, 1e20 }" in path.read_text()  # Gambit does not read 1e+20
    tree = compile(f"efg:{path}").tree
    assert tree is not None
    assert sorted(tree.payoff[tree.player == TERMINAL]) == sorted(game.payoffs)
    write_efg(Lottery(), path)
    assert load(f"efg:{path}").chance(load(f"efg:{path}").root()) == (Fraction(1, 3),) * 3


@pytest.mark.parametrize(
    ("action", "written"),
    [
        ('say "yes"', 'say "yes"'),
        ("{ } , 0", "{ } , 0"),
        (r"a \ b", r"a \ b"),
        (r"a \\ b", r"a \\ b"),
        (" two\n lines ", "two lines"),
        ("Zug ♟", r"Zug \x265f"),
        ("bell \x07", r"bell \x7"),
        ("back\\", r"back\x5c"),
        ('a\\"b', 'a\\x5c"b'),
        ("", "0"),
    ],
)
def test_names_are_written_as_gambit_takes_them(action: str, written: str, tmp_path: Path) -> None:
    """Printable ASCII and single spaces."""
    write_efg(Lottery(take=action), tmp_path / "names.efg")
    assert compile(f"efg:{tmp_path / 'names.efg'}").treeplexes[0].actions == ((written,),)


def test_a_game_that_breaks_a_promise_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "old.efg").write_text("old")
    with pytest.raises(UserError, match=r"the chance probabilities sum to 1\.5, not 1"):
        write_efg(Lottery(probabilities=(0.5, 0.5, 0.5)), tmp_path / "old.efg")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("old.efg", "old")]


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    (tmp_path / "old.efg").write_text("old")
    monkeypatch.setattr("regretlab.interop.gambit._node", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_efg("kuhn", tmp_path / "old.efg")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("old.efg", "old")]


def test_a_place_that_can_t_be_written_to_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^can't write '.*': No such file or directory$"):
        write_efg("kuhn", tmp_path / "missing" / "kuhn.efg")
