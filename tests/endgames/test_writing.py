"""Spots are written as TOML that reads as the same spot, so that saved runs find theirs."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regretlab as rl
from regretlab.endgames import ready_spots, template, written

FIRST = {"board": "QsJh2h8d3c", "pot": 200, "stack": 900, "oop": "QQ+,AKs:0.5", "ip": "JJ-88,AhKd:1/3"}

SIZES = st.lists(st.sampled_from(["50%", "33.3%", "a", "100c", "e", "2e", "3e150%"]), max_size=3).map(", ".join)
RAISES = st.lists(st.sampled_from(["60%", "2.5x", "a"]), max_size=2).map(", ".join)


@pytest.mark.parametrize("name", ready_spots())
def test_a_ready_spot_is_the_same_but_for_its_name(name: str) -> None:
    spot = rl.holdem(name)
    assert rl.holdem(written(spot)) == replace(spot, title="")


@settings(max_examples=40, deadline=None)
@given(
    data=st.data(),
    keys=st.sets(
        st.sampled_from(
            ["bets", "oop_bets", "river_bets", "oop_river_bets", "raises", "ip_raises", "donk", "turn_donk"]
        )
    ),
    rest=st.fixed_dictionaries(
        {},
        optional={
            "rake": st.sampled_from(["5%", "1/30"]),
            "raise_cap": st.integers(0, 3),
            "add_all_in": st.sampled_from(["150%", 0.5]),
            "force_all_in": st.just("12.5%"),
            "merge": st.just("1/3"),
            "merge_suits": st.booleans(),
            "until": st.sampled_from(["0.5%", 2, "1/3"]),
        },
    ),
)
def test_any_spot_comes_back(data: st.DataObject, keys: set[str], rest: dict[str, object]) -> None:
    menus = {key: data.draw(RAISES if "raises" in key else SIZES, label=key) for key in sorted(keys)}
    spot = rl.holdem(**FIRST | {"bets": "50%, a"} | menus | {"ip_river_bets": "a"} | rest)  # type: ignore[arg-type]
    assert rl.holdem(written(spot)) == spot


def test_locks_and_caps_come_back() -> None:
    lock = {"root": "QQ: bet 900; *: check", "check,  bet 100": "fold 1/3, call 2/3"}
    spot = rl.holdem(**FIRST, lock=lock, rake="5%", rake_cap="1/3")
    assert rl.holdem(written(spot)) == spot


def test_a_template_is_the_same_spot_after_being_written() -> None:
    assert rl.holdem(written(rl.holdem(template()))) == rl.holdem(template())


def test_a_mistake_in_a_text_is_named_without_the_text() -> None:
    with pytest.raises(rl.UserError, match=r"^board='Qx': 'x' at character 2 is no suit; suits are c, d, h, s$"):
        rl.load('holdem:board="Qx"\npot=1\nstack=1\noop.range="AA"\nip.range="KK"')


def test_a_saved_run_finds_a_spot_that_nothing_else_holds(tmp_path: Path) -> None:
    spot = rl.holdem("river-polar", stack=50)
    solution = rl.solve(spot, iterations=5, save=tmp_path / "run.npz")
    loaded = rl.Solution.load(tmp_path / "run.npz")
    assert loaded.form.rules == spot  # type: ignore[union-attr]
    assert loaded.history == solution.history


def test_a_saved_run_finds_a_spot_whose_file_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("spot.toml").write_text(written(rl.holdem("river-polar")), encoding="utf-8")
    rl.solve("spot.toml", iterations=5, save="run.npz")
    Path("spot.toml").unlink()
    assert rl.Solution.load("run.npz").game == "holdem(KsTd7h4c2s)"


def test_a_run_of_another_spot_is_refused_in_one_short_line(tmp_path: Path) -> None:
    rl.solve(rl.holdem("river-polar", stack=50), iterations=1, save=tmp_path / "run.npz")
    with pytest.raises(
        rl.UserError, match=r"holds a run of holdem\(KsTd7h4c2s\), which is not the same game as .* now$"
    ):
        rl.Solution.load(tmp_path / "run.npz", rl.holdem("river-polar", stack=60))
