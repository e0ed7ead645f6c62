"""Spots as people write them: keywords, TOML and ready names mean the same."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import regretlab as rl
from regretlab.endgames import Spot, holdem, read_range, ready_spots, template
from regretlab.endgames.betting import Rake
from regretlab.endgames.reading import KEYS
from regretlab.endgames.sizes import Thresholds, read_sizes
from regretlab.errors import UserError

FIELDS: dict[str, Any] = {"board": "QsJh2h8d3c", "pot": 200, "stack": 900, "oop": "QQ+", "ip": "JJ-88"}

WHOLE = """
board = "QsJh2h8d"
pot = 200
stack = 900
until = "0.5%"
raise_cap = 2
add_all_in = "150%"
force_all_in = 0.2
merge = "1/10"
merge_suits = false
bets = "33%"
turn.raises = "3x"

[oop]
range = "66+,A8s+"
bets = "50%, 100%, a"
donk = "25%"
river.bets = "33%, 75%, a"
river.donk = ""

[ip]
range = "QQ-22,AQs-A2s"
raises = "50%, a"

[rake]
rate = "5%"
cap = 30

[lock."check"]
strategy = "check"
"""


def from_toml(folder: Path, text: str) -> Spot:
    path = folder / "spot.toml"
    path.write_text(text, encoding="utf-8")
    return holdem(str(path))


def test_toml_and_keywords_say_the_same(tmp_path: Path) -> None:
    spot = holdem(
        board="QsJh2h8d",
        pot=200,
        stack=900,
        until="0.5%",
        raise_cap=2,
        add_all_in=1.5,
        force_all_in="20%",
        merge=Fraction(1, 10),
        merge_suits="no",
        oop="66+,A8s+",
        ip=read_range("QQ-22,AQs-A2s"),
        bets="33%",
        oop_bets=["50%", "100%", "a"],
        oop_donk="25%",
        oop_river_bets="33%, 75%, a",
        oop_river_donk="",
        turn_raises="3x",
        ip_raises="50%, a",
        rake="5%",
        rake_cap=30,
        lock={"check": "check"},
    )
    assert from_toml(tmp_path, WHOLE) == spot
    assert spot.rake == Rake(Fraction(1, 20), Fraction(30))
    assert spot.thresholds == Thresholds(Fraction(3, 2), Fraction(1, 5), Fraction(1, 10))
    assert (spot.raise_cap, spot.merge_suits, spot.until) == (2, False, "0.5%")
    turn, river = (spot.menus[0][street] for street in (1, 2))
    assert (turn.bets, turn.donk) == (read_sizes("50%,100%,a", "bets"), read_sizes("25%", "donk"))
    assert (river.bets, river.donk) == (read_sizes("33%,75%,a", "bets"), ())
    assert turn.raises == spot.menus[1][1].raises == read_sizes("3x", "raises")  # a street goes before a player
    assert spot.menus[1][2].raises == read_sizes("50%, a", "raises")
    assert spot.menus[1][2].bets == read_sizes("33%", "bets")


def test_a_lock_may_stand_in_one_line(tmp_path: Path) -> None:
    in_a_line = WHOLE.replace('[lock."check"]\nstrategy = "check"', '[lock]\n"check" = "check"')
    assert from_toml(tmp_path, in_a_line) == from_toml(tmp_path, WHOLE)


def test_rake_may_stand_in_one_line(tmp_path: Path) -> None:
    start = 'board = "QsJh2h8d3c"\npot = 200\nstack = 900\nrake = "5%"\n'
    ranges = '[oop]\nrange = "QQ+"\n[ip]\nrange = "JJ-88"\n'
    assert from_toml(tmp_path, start + ranges) == holdem(**FIELDS, rake="5%")


def test_a_range_may_be_a_grid(tmp_path: Path) -> None:
    rows = [[int(row == column < 3) for column in range(13)] for row in range(13)]
    spot = from_toml(tmp_path, WHOLE.replace('"66+,A8s+"', str(rows)))
    assert spot.ranges[0] == read_range("QQ+")
    as_text = "\n".join(" ".join(map(str, row)) for row in rows)
    assert from_toml(tmp_path, WHOLE.replace('"66+,A8s+"', f'"""\n{as_text}\n"""')) == spot


def test_the_template_is_a_spot_and_so_is_what_its_comments_offer(tmp_path: Path) -> None:
    spot = from_toml(tmp_path, template())
    assert (spot.street, spot.pot, spot.stack, spot.until) == ("river", 200, 900, "0.5%")
    everything = re.sub(r"^# (?=\[|\w+ = )", "", template(), flags=re.MULTILINE)
    changed = from_toml(tmp_path, everything)
    assert changed.raise_cap == 3
    assert changed.rake == Rake(Fraction(1, 20), Fraction(30))
    assert len(changed.locks) == 1


@pytest.mark.parametrize("name", ready_spots())
def test_ready_spots_load_by_name(name: str) -> None:
    spot = rl.load(f"holdem:{name}")
    assert isinstance(spot, Spot)
    assert spot == rl.holdem(name)
    assert spot.name == f"holdem:{name}"
    assert name.startswith(spot.street)
    assert spot.target(spot.until or "") > 0
    assert spot.counts.decisions < 1_000_000


def test_there_is_a_ready_spot_for_each_street() -> None:
    assert ready_spots() == ["flop-3bet", "flop-srp", "river-polar", "river-srp", "turn-3bet", "turn-srp"]


def test_a_file_is_a_game_that_is_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spot = from_toml(tmp_path, WHOLE)
    monkeypatch.chdir(tmp_path)
    game: Any = rl.load("spot.toml")
    assert game == spot == rl.load("holdem:spot.toml")
    assert game.name == "holdem(QsJh2h8d)"
    (tmp_path / "spot.toml").unlink()
    assert rl.load(game.loaded_from) == spot


def test_keywords_override_what_is_in_a_file() -> None:
    spot = holdem("river-srp", stack=300, ip="AA")
    assert (spot.stack, spot.name, len(spot.cards(1))) == (300, "holdem(Td9d6hQc2s)", 6)


def test_sizes_that_are_not_given_are_the_usual_ones() -> None:
    assert holdem(**FIELDS) == holdem(**FIELDS, bets="50%, a", raises="50%, a")


def test_every_key_is_read() -> None:
    values: dict[str, Any] = {"rake": "5%", "rake_cap": 3, "raise_cap": 1, "merge_suits": False, "until": "1%"}
    values |= dict.fromkeys(("add_all_in", "force_all_in", "merge"), "10%")
    values |= {"lock": {"root": "check"}} | FIELDS
    flop = FIELDS | {"board": "QsJh2h", "bets": "100%", "raises": "100%"}
    for key in KEYS:
        if key in FIELDS:
            with pytest.raises(UserError, match=f"^{key} .*is missing"):
                holdem(**{name: value for name, value in FIELDS.items() if name != key})
        else:
            needed = {"rake": "5%"} if key == "rake_cap" else {}
            assert holdem(**(flop | needed | {key: values.get(key, "75%")})) != holdem(**(flop | needed)), key
