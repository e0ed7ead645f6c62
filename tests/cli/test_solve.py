"""``regretlab solve``: what it shows, what it saves, how it stops."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import regretlab as rl
from regretlab.games import Kuhn
from regretlab.solving import Checkpoint

# Where the tests run in the background of a script, Ctrl-C is ignored, and processes started from there inherit that.
WITH_CTRL_C = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from regretlab.cli import main
main()
"""
PATIENCE = 120  # seconds before a run that should have stopped is given up; no test is about time
KEYS = {"game", "recipe", "iterations", "value", "exploitability", "nash_conv", "seconds", "strategy"}


def test_json_is_one_object_with_all_that_was_found(regretlab) -> None:
    done = regretlab("solve", "kuhn(ante=1, bet=2)", "--with", "cfr", "--iterations", "1e3", "--json")
    assert (done.status, done.err) == (0, "")
    solution = rl.solve("kuhn(bet=2)", "cfr", iterations=1_000)
    found = done.json
    assert found.keys() >= KEYS
    assert (found["game"], found["recipe"], found["iterations"]) == ("kuhn(bet=2)", "cfr", 1_000)
    assert found["value"] == solution.value
    assert found["exploitability"] == solution.exploitability == found["nash_conv"] / 2
    assert found["strategy"] == {label: solution.strategy[label] for label in solution.strategy}


def test_json_has_null_where_there_is_no_number(regretlab, monkeypatch) -> None:
    as_dict = rl.Solution.as_dict
    monkeypatch.setattr(rl.Solution, "as_dict", lambda self: as_dict(self) | {"value": float("nan"), "seed": -0.0})
    done = regretlab("solve", "kuhn", "--iterations", "10", "--json")
    assert done.json["value"] is None
    assert '"seed": 0.0' in done.out


@pytest.mark.parametrize("columns", [80, 100])
def test_the_strategy_fits_the_window_with_a_line_an_action(regretlab, columns: int) -> None:
    done = regretlab("solve", "kuhn", "--iterations", "1000", columns=columns)
    assert (done.status, done.err) == (0, "")
    assert max(map(len, done.lines)) <= columns
    rows = [line for line in done.lines if line.endswith("%")]
    assert len(rows) == 24
    strategy = rl.solve("kuhn", iterations=1_000).strategy
    (queen,) = [row for row in rows if row.startswith("Qcb")]
    assert queen.split()[:6] == ["Qcb", "Queen,", "checked,", "facing", "a", "bet"]
    assert queen.split()[6] == "fold"
    assert queen.endswith(f"{100 * strategy['Qcb']['fold']:.2f} %")


def test_amounts_are_in_chips_and_in_thousandths_of_the_ante(regretlab) -> None:
    done = regretlab("solve", "kuhn(ante=2, bet=2)", "--iterations", "10000")
    value = next(line for line in done.lines if line.startswith("value"))
    assert value.split()[:5] == ["value", "-0.1111111", "chips", "-55.6", "mbb/g"]
    assert any(line.startswith("last iterate") and "mbb/g" in line for line in done.lines)
    assert done.lines[-1] == "Stopped after 10,000 iterations, as asked."


class Coin:
    """Player 0 wins 3 chips or nothing; no ante, and no labels in words."""

    name = "coin"

    def __getattr__(self, name: str):
        if name in ("root", "player", "actions", "chance", "child", "label", "payoff"):
            return getattr(Kuhn(), name)
        raise AttributeError(name)


def test_a_game_without_words_and_ante_is_shown_as_well(regretlab, monkeypatch) -> None:
    monkeypatch.setattr("regretlab.games.load", lambda name: Coin())
    done = regretlab("solve", "coin", "--iterations", "10", columns=80)
    assert (done.status, done.err) == (0, "")
    assert "meaning" not in done.out
    assert "milli-chips" in done.out
    assert max(map(len, done.lines)) <= 80


def test_a_long_strategy_is_cut_and_says_so(regretlab) -> None:
    done = regretlab("solve", "kuhn(cards=20)", "--iterations", "10")
    assert len([line for line in done.lines if line.endswith("%")]) == 2 * 40
    assert "… and 40 more information sets; --json has them all" in done.lines


def test_negative_zero_is_zero(regretlab, monkeypatch) -> None:
    monkeypatch.setattr(rl.Solution, "value", -0.0, raising=False)
    monkeypatch.setattr("regretlab.solving.solver.Solver.evaluate", lambda self: Checkpoint(1, 0.0, -0.0))
    done = regretlab("solve", "kuhn", "--iterations", "1")
    value = next(line for line in done.lines if line.startswith("value"))
    assert value.split()[1:5] == ["0", "chips", "0", "mbb/g"]


def test_until_stops_the_run_and_says_so(regretlab) -> None:
    done = regretlab("solve", "kuhn", "--until", "1e-3")
    assert done.lines[-1] == "Stopped after 20 iterations, because exploitability 0.001 was reached."


def test_missing_until_is_said_clearly(regretlab, monkeypatch) -> None:
    monkeypatch.setattr("regretlab.solving.solver.MOST_ITERATIONS_UNTIL", 200)
    done = regretlab("solve", "kuhn", "--until", "1e-11")
    assert done.status == 0
    assert "Stopped at the cap of 200 iterations without reaching exploitability 1e-11" in done.out
    done = regretlab("solve", "kuhn", "--until", "1e-11", "--json")
    assert done.json["stopped"] == "cap"
    assert "at the cap of 200 iterations without reaching exploitability 1e-11" in done.err
    assert done.err.count("\n") == 1


def test_a_run_can_be_saved_and_resumed_without_naming_its_recipe_again(regretlab, tmp_path: Path) -> None:
    saved = str(tmp_path / "run.npz")
    sampled = "cfr(feedback=chance)"
    regretlab("solve", "kuhn", "--with", sampled, "--seed", "7", "--iterations", "50", "--save", saved)
    done = regretlab("solve", "kuhn", "--resume", saved, "--iterations", "120", "--save", saved, "--json")
    whole = rl.solve("kuhn", sampled, seed=7, iterations=120)
    assert (done.json["recipe"], done.json["seed"], done.json["value"]) == (sampled, 7, whole.value)
    assert rl.Solution.load(saved).history == whole.history


def test_resuming_a_run_that_is_good_enough_is_no_interruption(regretlab, tmp_path: Path) -> None:
    saved = tmp_path / "run.npz"
    rl.solve("kuhn", "cfr+", callback=lambda progress: progress.iteration > 100).save(saved)
    done = regretlab("solve", "kuhn", "--resume", str(saved), "--until", "0.5")
    assert (done.status, done.err) == (0, "")
    assert "because exploitability 0.5 was reached" in done.out


def interrupt(folder: Path, *options: str) -> subprocess.CompletedProcess[bytes]:
    """Start an endless run with stderr on a terminal, and send Ctrl-C as soon as the bar shows that it runs."""
    command = [sys.executable, "-c", WITH_CTRL_C, "solve", "kuhn", "--iterations", "1e12", *options]
    here, there = pty.openpty()
    environment = os.environ | {"COLUMNS": "100", "TERM": "xterm"}
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=there, env=environment)
    os.close(there)
    shown = b""
    try:
        while b"exploitability" not in shown:
            assert select.select([here], [], [], PATIENCE)[0], shown
            shown += os.read(here, 4096)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
        while chunk := read_rest(here):
            shown += chunk
    finally:
        process.kill()
        os.close(here)
    return subprocess.CompletedProcess(command, process.returncode, out, shown)


def read_rest(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # the other end is closed
        return b""


def test_ctrl_c_stops_saves_and_the_run_goes_on_as_if_nothing_had_happened(regretlab, tmp_path: Path) -> None:
    done = interrupt(tmp_path, "--save", "run.npz")
    assert done.returncode == 130
    assert b"Stopped by Ctrl-C after" in done.stdout
    assert b"Jack, first to act" in done.stdout
    assert b"--iterations 1000000000000 --resume run.npz --save run.npz" in done.stderr
    assert b"Traceback" not in done.stderr
    saved = rl.Solution.load(tmp_path / "run.npz")
    goal = saved.iterations + 12_345
    regretlab(
        *("solve", "kuhn", "--iterations", str(goal)),
        *("--resume", str(tmp_path / "run.npz"), "--save", str(tmp_path / "whole.npz")),
    )
    rl.solve("kuhn", iterations=goal).save(tmp_path / "uninterrupted.npz")
    assert arrays(tmp_path / "whole.npz") == arrays(tmp_path / "uninterrupted.npz")
    assert rl.Solution.load(tmp_path / "whole.npz").history == rl.Solution.load(tmp_path / "uninterrupted.npz").history


def arrays(path: Path) -> dict[str, bytes]:
    """The arrays of a saved run; what is said about it besides holds times."""
    with np.load(path) as file:
        return {name: file[name].tobytes() for name in file.files if name != "about"}


def test_ctrl_c_without_save_says_what_to_do_next_time_and_json_stays_json(tmp_path: Path) -> None:
    done = interrupt(tmp_path, "--json")
    assert done.returncode == 130
    found = json.loads(done.stdout)
    assert found["stopped"] == "callback"
    assert b"nothing was saved; with --save run.npz" in done.stderr


def test_fractions_keep_their_meaning(regretlab) -> None:
    done = regretlab("solve", "kuhn(ante=1/3, bet=0.5)", "--iterations", "10000", "--json")
    value = rl.kuhn_equilibria(Fraction(1, 3), Fraction(1, 2)).value
    assert done.json["value"] == pytest.approx(float(value), abs=1e-4)


SHAPLEY = """
class Shapley:
    name = "shapley"
    def root(self): return ()
    def player(self, state): return (0, 1, -2)[len(state)]
    def actions(self, state): return ["rock", "paper", "scissors"]
    def child(self, state, action): return (*state, action)
    def label(self, state): return ("row", "column")[len(state)]
    def payoffs(self, state):
        ahead = (state[0] - state[1]) % 3
        return int(ahead == 1), int(ahead == 2)
"""
NO_PROMISE = "shapley is not zero-sum: no theorem promises that averages approach an equilibrium. Where both players"


def test_of_a_game_that_is_not_zero_sum_both_values_are_shown_and_what_is_not_promised(
    regretlab, tmp_path: Path
) -> None:
    (tmp_path / "shapley.py").write_text(SHAPLEY)
    game = f"{tmp_path / 'shapley.py'}:Shapley"
    done = regretlab("solve", game, "--with", "cfr", "--iterations", "100", columns=100)
    assert (done.status, done.err) == (0, "")
    text = " ".join(done.out.split())
    assert NO_PROMISE in text
    assert "what player 0 wins" in text
    assert "what player 1 wins" in text
    assert "CCE gap" in text
    found = regretlab("solve", game, "--with", "cfr", "--iterations", "100", "--json").json
    assert (found["zero_sum"], found["values"]) == (False, pytest.approx([1 / 3, 1 / 3]))
    assert found["cce_gap"] == pytest.approx(0, abs=1e-12)
    done = regretlab("compare", game, "--iterations", "50", columns=100)
    assert NO_PROMISE in " ".join(done.out.split())
    assert "too large" not in done.out
    done = regretlab("nash", game)
    assert done.status == 2
    assert "shapley is not zero-sum, and an equilibrium by linear programming needs that" in done.err


def test_of_a_zero_sum_game_nothing_is_said_about_promises(regretlab) -> None:
    done = regretlab("solve", "kuhn", "--iterations", "10")
    assert "zero-sum" not in done.out
    assert "what player 1 wins" not in done.out
    found = regretlab("solve", "kuhn", "--iterations", "10", "--json").json
    assert (found["zero_sum"], found["cce_gap"], sum(found["values"])) == (True, None, 0)
