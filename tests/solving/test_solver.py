"""Runs: how they end, what they remember, how they are stopped, saved and resumed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import regretlab as rl
from regretlab.errors import UserError
from regretlab.games import Kuhn
from regretlab.solving import Progress, Solution, Solver, solve
from regretlab.solving.checkpoints import is_checkpoint


def test_a_run_ends_after_the_iterations_asked_for() -> None:
    solution = solve("kuhn", "cfr+", iterations=123)
    assert (solution.iterations, solution.stopped) == (123, "iterations")
    assert [point.iteration for point in solution.history] == [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 123]
    assert solution.history[-1].exploitability == solution.exploitability == solution.nash_conv / 2
    assert solution.history[-1].value == solution.value


def test_a_run_ends_at_the_first_checkpoint_that_is_good_enough() -> None:
    solution = solve("kuhn", "cfr+", until=1e-3)
    assert solution.stopped == "until"
    assert solution.exploitability <= 1e-3 < solution.history[-2].exploitability
    assert is_checkpoint(solution.iterations)


def test_until_and_iterations_together_end_with_whichever_comes_first() -> None:
    assert solve("kuhn", "cfr+", iterations=50, until=1e-9).stopped == "iterations"
    assert solve("kuhn", "cfr+", iterations=10**9, until=1e-3).stopped == "until"


def test_until_alone_gives_up_at_a_cap_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regretlab.solving.solver.MOST_ITERATIONS_UNTIL", 200)
    solution = solve("kuhn", "cfr", until=1e-9)
    assert (solution.stopped, solution.iterations) == ("cap", 200)


def test_a_callback_sees_progress_and_can_stop() -> None:
    seen: list[Progress] = []

    def callback(progress: Progress) -> bool:
        seen.append(progress)
        return progress.iteration >= 1_000

    solution = solve("kuhn", "cfr+", iterations=10**9, callback=callback)
    assert solution.stopped == "callback"
    assert solution.iterations == seen[-1].iteration >= 1_000
    assert seen[-1].goal == 10**9
    assert seen[-1].latest is not None


def test_the_history_leaves_out_what_the_delay_leaves_out() -> None:
    solution = solve("kuhn", "cfr+(delay=10)", iterations=30)
    assert [point.iteration for point in solution.history] == [15, 20, 30]


def test_solving_and_evaluating_are_timed_apart() -> None:
    solution = solve("kuhn", "cfr+", iterations=100)
    assert solution.seconds > 0
    assert solution.evaluation_seconds > 0


def test_a_solution_speaks_for_itself() -> None:
    solution = solve("kuhn(bet=2)", "cfr+(delay=5)", iterations=20, seed=3)
    assert "kuhn(bet=2) by cfr+(delay=5): 20 iterations" in repr(solution)
    assert "<table>" in solution._repr_html_()
    plain = json.loads(json.dumps(solution.as_dict(), allow_nan=False))
    assert plain["recipe"] == "cfr+(delay=5)"
    assert plain["parts"]["schedule"] == "alternating"
    assert plain["strategy"]["Qcb"] == solution.strategy["Qcb"]
    assert plain["seed"] == 3


def test_the_last_iterate_is_offered_beside_the_average() -> None:
    solution = solve("kuhn", "cfr+", iterations=1_000)
    assert rl.exploitability("kuhn", solution.current) == solution.current_exploitability > solution.exploitability


def test_looking_at_a_run_changes_nothing() -> None:
    looked, left_alone = Solver("kuhn", "cfr+"), Solver("kuhn", "cfr+")
    looked.advance(4)
    left_alone.advance(4)
    assert looked.solution().history[-1].iteration == 4
    assert looked.run(10).history == left_alone.run(10).history
    with pytest.raises(UserError, match="iterations=-3"):
        looked.advance(-3)


def test_a_solution_can_be_judged_as_it_is() -> None:
    solution = solve("kuhn", "cfr+", iterations=100)
    assert rl.exploitability("kuhn", solution) == solution.exploitability  # type: ignore[arg-type]


def test_the_public_face_finds_solve_whatever_was_imported_first() -> None:
    assert rl.solve("kuhn", iterations=5).iterations == 5
    from regretlab.solving.solver import solve as function

    assert function("kuhn", iterations=5).iterations == rl.solve("kuhn", iterations=5).iterations


def same(first: Solution, second: Solution) -> bool:
    """Equal to the last bit in everything but time."""
    tables = ("regrets", "totals", "current", "strategy")
    arrays = all(
        (getattr(first, table).arrays[player] == getattr(second, table).arrays[player]).all()
        for table in tables
        for player in (0, 1)
    )
    fields = ("history", "iterations", "value", "exploitability", "current_exploitability", "seed", "deals", "recipe")
    return arrays and all(getattr(first, field) == getattr(second, field) for field in fields)


RECIPES_TO_SAVE = [
    "cfr+",
    "normalhedge",
    "cfr+(schedule=one-player, feedback=chance)",
    "normalhedge+(gamma=1.5, delay=3)",
    "external-sampling",
    "dcfr(schedule=simultaneous, feedback=external)",
    "hs-pcfr+(schedule=one-player, feedback=outcome, epsilon=1/3)",
]


@pytest.mark.parametrize("recipe", RECIPES_TO_SAVE)
def test_a_saved_solution_is_read_back_whole(recipe: str, tmp_path: Path) -> None:
    solution = solve("kuhn(ante=1/3)", recipe, iterations=57, seed=4)
    solution.save(tmp_path / "run.npz")
    assert same(Solution.load(tmp_path / "run.npz"), solution)
    assert [path.name for path in tmp_path.iterdir()] == ["run.npz"]


@pytest.mark.parametrize("recipe", RECIPES_TO_SAVE)
@pytest.mark.parametrize("cut", [5, 57, 100])
def test_a_resumed_run_is_the_run_that_never_stopped(recipe: str, cut: int, tmp_path: Path) -> None:
    through = solve("kuhn", recipe, iterations=345, seed=9)
    solve("kuhn", recipe, iterations=cut, seed=9).save(tmp_path / "run.npz")
    resumed = solve("kuhn", recipe, iterations=345, resume=tmp_path / "run.npz")
    assert same(resumed, through)


def test_given_deals_are_saved_too(tmp_path: Path) -> None:
    deals = ["JQ", "QK", "JQ", "KJ"]
    solver = Solver("kuhn", "cfr(feedback=chance)", deals=deals)
    solver.run(2).save(tmp_path / "run.npz")
    assert same(
        solve("kuhn", "cfr(feedback=chance)", iterations=4, resume=tmp_path / "run.npz"),
        solve("kuhn", "cfr(feedback=chance)", iterations=4, deals=deals),
    )


def test_a_solution_is_frozen_against_what_the_run_does_next() -> None:
    solver = Solver("kuhn", "cfr+")
    solver.advance(10)
    before = solver.solution()
    kept = before.regrets["J"], before.current["J"], before.strategy["J"]
    solver.advance(10)
    assert (before.regrets["J"], before.current["J"], before.strategy["J"]) == kept


def test_a_game_of_the_users_own_is_given_again(tmp_path: Path) -> None:
    class Mine(Kuhn):
        name = "mine"  # type: ignore[assignment]

    solve(Mine(), iterations=10).save(tmp_path / "run.npz")
    with pytest.raises(UserError, match="unknown game 'mine'"):
        Solution.load(tmp_path / "run.npz")
    assert Solution.load(tmp_path / "run.npz", Mine()).iterations == 10


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"iterations": 0}, "iterations=0 must be a whole number, at least 1"),
        ({"iterations": -5}, "iterations=-5"),
        ({"iterations": 2.5}, "iterations=2.5"),
        ({"until": 0}, "until=0 must be above 0"),
        ({"until": float("nan")}, "until=nan"),
        ({"seed": -1}, "seed=-1"),
        ({"recipe": "cfr+(schedule=one-player)", "iterations": 1}, "it takes at least 2"),
        ({"recipe": 3}, "3 is no recipe"),
        ({"game": None}, "None is no game"),
        ({"game": Kuhn}, "is no game"),
        ({"deals": ["JQ", 3], "recipe": "cfr(feedback=chance)"}, "unknown deal '3'"),
        (
            {"recipe": "cfr+(delay=100)", "iterations": 100},
            "100 iterations with delay=100 leave nothing to average; it takes at least 101",
        ),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, object], complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        solve(**({"game": "kuhn"} | arguments))  # type: ignore[arg-type]
    assert complaint in str(caught.value)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "run.npz"
    solve("kuhn", "cfr+", iterations=10).save(path)
    return path


@pytest.mark.parametrize(
    ("game", "recipe", "iterations", "complaint"),
    [
        ("kuhn", "cfr", 20, "the saved run is kuhn by cfr+, not kuhn by cfr"),
        ("kuhn(bet=2)", "cfr+", 20, "a run of kuhn, which is not the same game as kuhn(bet=2)"),
        ("kuhn", "cfr+", 10, "iterations=10 are done already"),
    ],
)
def test_a_run_is_resumed_only_as_what_it_was(
    saved: Path, game: str, recipe: str, iterations: int, complaint: str
) -> None:
    with pytest.raises(UserError) as caught:
        solve(game, recipe, iterations=iterations, resume=saved)
    assert complaint in str(caught.value)


def test_a_resumed_run_keeps_its_seed_and_its_deals(saved: Path) -> None:
    with pytest.raises(UserError, match="has seed 0 and 0 given deals"):
        solve("kuhn", "cfr+", iterations=20, seed=1, resume=saved)
    with pytest.raises(UserError, match="has seed 0 and 0 given deals"):
        solve("kuhn", "cfr+", iterations=20, deals=["JQ"], resume=saved)
    assert solve("kuhn", "cfr+", iterations=20, seed=0, resume=saved).iterations == 20


def test_a_run_stopped_before_its_average_begins_leaves_no_trace_in_the_history() -> None:
    solver = Solver("kuhn", "cfr+(delay=100)")
    stopped = solver.run(200, callback=lambda progress: progress.iteration >= 15)
    resumed = solve("kuhn", "cfr+(delay=100)", iterations=200, resume=stopped)
    assert resumed.history == solve("kuhn", "cfr+(delay=100)", iterations=200).history


def test_resuming_what_is_good_enough_returns_it(saved: Path) -> None:
    assert solve("kuhn", "cfr+", until=0.5, resume=saved).iterations == 10


def damaged(path: Path, how: str) -> Path:
    content = path.read_bytes()
    if how == "truncated":
        path.write_bytes(content[: len(content) // 2])
    elif how == "empty":
        path.write_bytes(b"")
    elif how == "text":
        path.write_text("no run")
    elif how == "flipped":
        middle = len(content) // 2
        path.write_bytes(
            content[:middle] + bytes(byte ^ 0xFF for byte in content[middle : middle + 64]) + content[middle + 64 :]
        )
    elif how == "foreign":
        np.savez(path, a=np.zeros(3))
    elif how == "one array":
        with path.open("wb") as file:
            np.save(file, np.zeros(3))
    elif how == "folder":
        path.unlink()
        path.mkdir()
    elif how == "missing array":
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files if name != "totals1"}
        np.savez(path, **arrays)
    elif how == "wrong shape":
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files}
        np.savez(path, **(arrays | {"regrets0": np.zeros(3)}))
    elif how == "nan":
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files}
        np.savez(path, **(arrays | {"regrets0": np.full(13, np.nan)}))
    elif how == "negative":
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files}
        arrays["totals1"][3] = -0.5
        np.savez(path, **arrays)
    else:
        path.unlink()
    return path


@pytest.mark.parametrize(
    "how",
    [
        "truncated",
        "empty",
        "text",
        "flipped",
        "foreign",
        "one array",
        "folder",
        "missing array",
        "wrong shape",
        "nan",
        "negative",
        "gone",
    ],
)
def test_a_damaged_file_is_one_clear_line(saved: Path, how: str) -> None:
    path = damaged(saved, how)
    with pytest.raises(UserError) as caught:
        Solution.load(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def retold(path: Path, change: dict[str, object]) -> Path:
    """The saved run with something else said about it; None takes it away."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    about = {key: value for key, value in (json.loads(arrays["about"].tobytes()) | change).items() if value is not None}
    np.savez(path, **(arrays | {"about": np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)}))
    return path


def test_a_newer_format_is_refused(saved: Path) -> None:
    with pytest.raises(UserError, match="has format 99; this version reads 2"):
        Solution.load(retold(saved, {"format": 99}))


@pytest.mark.parametrize(
    "change",
    [
        {"history": []},
        {"history": None},
        {"history": [[1, 2]]},
        {"deals": None},
        {"fingerprint": None},
        {"iterations": -5},
        {"iterations": 7},
        {"iterations": [1]},
        {"recipe": 3},
        {"recipe": "cfrplus"},
        {"game": 3},
    ],
    ids=str,
)
def test_a_file_that_tells_nonsense_is_one_clear_line(saved: Path, change: dict[str, object]) -> None:
    with pytest.raises(UserError) as caught:
        Solution.load(retold(saved, change))
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="can't write"):
        solve("kuhn", iterations=10).save(tmp_path / "nowhere" / "run.npz")


def test_a_perturbed_start_is_another_start_and_nothing_else() -> None:
    plain, one, same, other = (Solver("kuhn", "cfr") for _ in range(4))
    one.perturb(1)
    same.perturb(1)
    other.perturb(2)
    assert all((side.regret == 0).all() and (side.total == 0).all() for side in one.sides)
    for run in (plain, one, same, other):
        for treeplex, side in zip(run.form.treeplexes, run.sides, strict=True):
            assert np.add.reduceat(side.strategy, treeplex.first[:-1]) == pytest.approx(1)
        run.advance(2_000)
    assert one.evaluate() == same.evaluate()
    assert len({run.evaluate().exploitability for run in (plain, one, other)}) == 3
    assert all(run.evaluate().exploitability < 0.01 for run in (plain, one, other))
    with pytest.raises(UserError, match="before the first iteration; the run has 2,000"):
        one.perturb(3)


def test_how_sparse_a_solution_is() -> None:
    """29 % of the regrets of CFR+ on Kuhn are zero, 39 % on Leduc; what the average has never played counts, too."""
    kuhn = solve("kuhn", "cfr+", iterations=1_000)
    zeros = [regret for label in kuhn.regrets for regret in kuhn.regrets[label].values() if regret <= 0]
    assert kuhn.zero_regrets == len(zeros) / 24 == pytest.approx(0.29, abs=0.005)
    assert kuhn.never_played == 0  # the first strategy is uniform
    assert solve("leduc", "cfr+", iterations=1_000).zero_regrets == pytest.approx(0.39, abs=0.02)
    late = solve("kuhn", "cfr+(delay=500)", iterations=1_000)
    assert late.never_played > 0
    assert late.as_dict()["never_played"] == late.never_played
