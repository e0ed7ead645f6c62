"""The format of Libratus' endgames: a made-up file, and the real ones where they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from endgames.libratus_files import libratus_file

from regretlab.endgames import holdem, read_libratus
from regretlab.endgames.cards import hand_name
from regretlab.endgames.libratus import _ORDER
from regretlab.errors import UserError
from regretlab.games import load
from regretlab.solving import Solution, solve

# Exploitability of uniform play in big blinds of 100 chips, computed by others with dense matrices; decisions, endings.
PUBLISHED = [(3, 28.6347, 32, 61), (4, 41.1947, 20, 37)]


def made_up(
    first: dict[int, str], second: dict[int, str], head: str = "-round 4\n-board 7s9h9cTc2d\n-pot 500\n"
) -> str:
    weights = [first.get(place, "0.0") for place in range(1326)] + [second.get(place, "0.0") for place in range(1326)]
    return f"{head}-reach {' '.join(weights)}\n"


def test_hands_are_in_the_order_of_the_files() -> None:
    assert len(set(_ORDER)) == 1326
    # Within a hand the higher number is written first, and spades have the highest.
    assert [hand_name(hand) for hand in (*_ORDER[:5], _ORDER[-1])] == ["2s2h", "2s2d", "2s2c", "3s2s", "3h2s", "AdAc"]


def test_a_file_is_a_spot(tmp_path: Path) -> None:
    path = tmp_path / "endgame.txt"
    path.write_text(made_up({0: "0.5", 3: "1E-3"}, {1325: "1.0", 1: "0.25"}))
    expected = {"board": "7s9h9cTc2d", "pot": 500, "stack": 19_750, "bets": "50%, 100%, a", "raises": "100%, a"}
    assert read_libratus(path) == holdem(**expected, oop="2s2h:0.5, 3s2s:0.001", ip="AdAc, 2s2d:0.25")


def test_a_file_is_a_game_by_name_and_a_saved_run_keeps_all_of_it(tmp_path: Path) -> None:
    path = tmp_path / "endgame.txt"
    path.write_text(made_up({0: "0.5", 3: "1E-3"}, {1325: "1.0", 1: "0.25"}))
    spot = load(f"libratus:{path}")
    assert spot == read_libratus(path)
    solve(f"libratus:{path}", iterations=2).save(tmp_path / "run.npz")
    path.unlink()
    assert Solution.load(tmp_path / "run.npz").form.rules == spot


def test_weights_above_1_are_compared_with_the_largest(tmp_path: Path) -> None:
    path = tmp_path / "endgame.txt"
    path.write_text(made_up({0: "3", 3: "1.5"}, {1325: "1"}))
    assert str(read_libratus(path).ranges[0]) == "2s2h,3s2s:0.5"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "-round is missing"),
        ("hello", "begins with 'hello'"),
        ("-round 4\n-board 7s9h9cTc2d\n-reach 1\n", "-pot is missing"),
        (made_up({}, {})[:-5], "2,651 weights"),
        (made_up({0: "x"}, {0: "1"}), "-reach=x is not a finite number"),
        (made_up({0: "nan"}, {0: "1"}), "-reach=nan is not a finite number"),
        (made_up({0: "-1"}, {0: "1"}), "below 0"),
        (made_up({0: "1"}, {1325: "1"}, "-round 3\n-board 7s9h9cTc2d\n-pot 500\n"), "-round is 3"),
        (made_up({0: "1"}, {1325: "1"}, "-round 4\n-board 7s9h9cTc2x\n-pot 500\n"), "'x' at character 10 is no suit"),
        (made_up({0: "1"}, {1325: "1"}, "-round 4\n-board 7s9h9cTc2d\n-pot 0\n"), "-pot=0 must be"),
        (made_up({}, {1325: "1"}), "oop"),
    ],
)
def test_what_is_no_endgame_is_told_in_one_line(text: str, word: str, tmp_path: Path) -> None:
    path = tmp_path / "endgame.txt"
    path.write_text(text)
    with pytest.raises(UserError) as error:
        read_libratus(path)
    assert word in str(error.value)
    assert "endgame.txt" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_file_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"can't read .*No such file"):
        read_libratus(tmp_path / "nothing.txt")


@pytest.mark.parametrize(("number", "exploitability", "decisions", "endings"), PUBLISHED)
def test_real_endgames_have_the_published_counts_and_exploitability_of_uniform_play(
    number: int, exploitability: float, decisions: int, endings: int
) -> None:
    spot = read_libratus(libratus_file(number))
    assert (spot.counts.decisions, spot.counts.endings) == (decisions, endings)
    # The first iteration plays uniformly, and so does its average.
    assert solve(spot, "cfr", iterations=1).exploitability / 100 == pytest.approx(exploitability, abs=1e-4)
