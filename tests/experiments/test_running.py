"""Suites run to the end: nothing twice, nothing lost, whatever dies on the way."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from experiments.fakes import csv_of, in_process

import regretlab as rl
from regretlab.errors import UserError
from regretlab.experiments import Store, local, read_suite, worker
from regretlab.experiments import jobs as planning
from regretlab.experiments.jobs import (
    Answer,
    Job,
    Means,
    SuiteClock,
    SuiteProgress,
    estimated_bytes,
    estimated_seconds,
    in_order,
    plan,
)
from regretlab.experiments.kept import strategies_folder
from regretlab.experiments.rows import tidy
from regretlab.experiments.running import PLACES, run_jobs

BLOCK = {"games": "kuhn", "recipes": ["cfr", "cfr+"], "iterations": [5, 50], "starts": 3}
PATIENCE = 60.0
"""Seconds after which a test gives up waiting; nothing takes that long."""

# A game that is fine where it is looked at, and does something else where it is run.
GAME = """
import os, signal, sys
from regretlab.games import Kuhn
class Odd(Kuhn):
    name = "odd"
    def root(self):
        if sys.argv[0].endswith("worker.py"):
            {deed}
        return super().root()
"""


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in this process."""
    monkeypatch.setitem(PLACES, "local", in_process)


def odd_game(folder: Path, deed: str) -> str:
    (folder / "odd.py").write_text(GAME.format(deed=deed))
    return f"{folder / 'odd.py'}:Odd"


def wait_for(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.01)


@pytest.mark.usefixtures("here")
def test_results_are_tidy_rows_in_the_order_of_the_suite(tmp_path: Path) -> None:
    rows = rl.experiment({"runs": [BLOCK]}, store=tmp_path / "s")
    places = [(row["recipe"], row["start"], row["iteration"]) for row in rows]
    assert places == [(name, start, t) for name in ("cfr", "cfr+") for start in range(3) for t in (5, 50)]
    solution = rl.solve("kuhn", "cfr+", iterations=50)
    assert rows[7]["exploitability"] == solution.exploitability
    assert rows[7]["value"] == solution.value
    assert rows[7]["schedule"] == "alternating"
    assert len({tuple(row) for row in rows}) == 1, "all rows have the same columns"


@pytest.mark.usefixtures("here")
def test_a_recipe_has_the_name_that_the_suite_gives_it(tmp_path: Path) -> None:
    for name in ("cfr(accumulate=truncate)", "cfr+(averaging=uniform, schedule=simultaneous)"):
        suite = {"runs": [BLOCK | {"recipes": name}]}
        assert {row["recipe"] for row in rl.experiment(suite, store=tmp_path / "s")} == {name}
    with Store.to_read(tmp_path / "s") as store:
        assert len(store.hashes()) == 3


@pytest.mark.usefixtures("here")
def test_rows_have_the_same_columns_where_recipes_have_other_parts(tmp_path: Path) -> None:
    block = {"games": "kuhn", "recipes": ["cfr", "hs-dcfr", "cfr(accumulate=clip)"], "iterations": 5}
    rows = rl.experiment({"runs": [block, BLOCK | {"measures": "nash_conv"}]}, store=tmp_path / "s")
    assert len({tuple(row) for row in rows}) == 1
    assert [row["horizon"] for row in rows[:3]] == [None, 1_000, None]
    assert rows[0]["nash_conv"] is None
    assert rows[-1]["exploitability"] is None


def test_what_is_there_is_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counting(jobs: list[Job], means: Means) -> Iterator[Any]:
        asked.append(len(jobs))
        return in_process(jobs, means)

    monkeypatch.setitem(PLACES, "local", counting)
    first = rl.experiment({"runs": [BLOCK]}, store=tmp_path / "s")
    assert rl.experiment({"runs": [BLOCK]}, store=tmp_path / "s") == first
    rl.experiment({"runs": [BLOCK | {"starts": 4}]}, store=tmp_path / "s")
    rl.experiment({"runs": [BLOCK | {"iterations": [5, 51]}]}, store=tmp_path / "s")
    assert asked == [6, 0, 2, 6]


def test_a_callback_sees_progress_and_stops(tmp_path: Path) -> None:
    seen: list[SuiteProgress] = []

    def stop_after_two(progress: SuiteProgress) -> bool:
        seen.append(progress)
        return progress.done == 2

    jobs = plan(read_suite({"runs": [BLOCK]}))
    with pytest.MonkeyPatch.context() as patch, Store.to_write(tmp_path / "s") as store:
        patch.setitem(PLACES, "local", in_process)
        outcome = run_jobs(jobs, store, callback=stop_after_two)
        assert (outcome.there, outcome.done, outcome.failures, outcome.stopped) == (0, 2, (), True)
        assert len(tidy(store, jobs)) == 4
        again = run_jobs(jobs, store)
        assert (again.there, again.done, again.stopped) == (2, 4, False)
    assert [progress[:2] for progress in seen] == [(1, 6), (2, 6)]
    assert all(progress.seconds_left is not None and progress.seconds_left > 0 for progress in seen)


def test_the_time_left_is_the_estimate_at_first_and_then_what_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    monkeypatch.setattr("regretlab.experiments.jobs.time.monotonic", lambda: now)
    job = plan(read_suite({"runs": [BLOCK]}))[0]._replace(seconds=10.0)
    clock = SuiteClock([job] * 100, workers=2)
    now += 30.0  # workers come up
    assert clock.progress([]) == SuiteProgress(0, 100, None, 500.0)
    now += 10.0
    assert clock.progress([]).seconds_left == 490.0
    now += 10.0  # it takes twice as long as estimated
    seen = clock.progress([Answer(job, None)] * 2)
    assert (seen.done, seen.rate) == (2, None)
    assert seen.seconds_left == pytest.approx(980 * (20 + 1) / (20 + 2))
    for _ in range(45):
        now += 20.0
        seen = clock.progress([Answer(job, None)] * 2)
    assert seen.seconds_left == pytest.approx(80, rel=0.01)
    now += 100.0
    assert clock.progress([]) == SuiteProgress(92, 100, 90 / 1_000, None)


def test_long_runs_come_first_and_those_of_a_game_together() -> None:
    blocks = [
        {"games": "kuhn", "recipes": ["cfr", "hedge"], "iterations": 1_000},
        {"games": "kuhn(cards=5)", "recipes": "cfr", "iterations": 10},
        {"games": "kuhn(cards=9)", "recipes": ["hedge", "cfr"], "iterations": 1_000},
        {"games": "kuhn", "recipes": "cfr", "iterations": 10},
    ]
    jobs = plan(read_suite({"runs": blocks}))
    ordered = [(job.run.game, job.run.recipe, job.run.checkpoints[-1]) for job in in_order(jobs)]
    assert [game for game, _, _ in ordered] == ["kuhn(cards=9)"] * 2 + ["kuhn"] * 3 + ["kuhn(cards=5)"]
    assert ordered[2:5] == [("kuhn", "hedge", 1_000), ("kuhn", "cfr", 1_000), ("kuhn", "cfr", 10)]
    total = sum(job.seconds for job in jobs)
    assert estimated_seconds(jobs, 1) == pytest.approx(total)
    assert max(job.seconds for job in jobs) <= estimated_seconds(jobs, 2) < total
    assert estimated_seconds([], 2) == 0
    assert estimated_bytes(jobs, 1) < estimated_bytes(jobs, 2)


def test_workers_compute_the_same_bits_and_are_retried_when_they_die(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One suite with all that can happen: good runs, a worker that is killed once, one that always is, an error."""
    once = odd_game(tmp_path, f"""open({str(tmp_path / 'log')!r}, "a").write("x")
            if os.path.getsize({str(tmp_path / 'log')!r}) == 1: os.kill(os.getpid(), signal.SIGKILL)""")  # fmt: skip
    (tmp_path / "always").mkdir()
    always = odd_game(tmp_path / "always", "print('a word'); sys.exit(7)")
    (tmp_path / "raises").mkdir()
    raises = odd_game(tmp_path / "raises", "raise ArithmeticError('too odd')")
    blocks = [BLOCK, BLOCK | {"games": [once, always, raises], "recipes": "cfr", "starts": 1}]
    monkeypatch.setattr(planning, "BATCH_SECONDS", 1e-9)
    jobs = plan(read_suite({"runs": blocks}))
    with Store.to_write(tmp_path / "s") as store:
        outcome = run_jobs(jobs, store, workers=2)
        assert (outcome.there, outcome.done, outcome.stopped) == (0, 7, False)
        reasons = {job.run.game: reason for job, reason in outcome.failures}
        assert reasons == {
            always: "3 times its process left with status 7: a word",
            raises: "ArithmeticError: too odd",
        }
        assert (tmp_path / "log").read_text() == "xx"
    monkeypatch.setitem(PLACES, "local", in_process)
    rl.experiment({"runs": [BLOCK, blocks[1] | {"games": once}]}, store=tmp_path / "t")
    assert csv_of(tmp_path / "s", tmp_path) == csv_of(tmp_path / "t", tmp_path)


@pytest.mark.usefixtures("here")
def test_a_run_that_would_not_be_what_was_asked_for_is_refused(tmp_path: Path) -> None:
    """The file of a game may change after the suite was planned, and a cluster's node may have another one."""
    jobs = plan(read_suite({"runs": [BLOCK | {"games": ["kuhn", odd_game(tmp_path, "pass")], "starts": 1}]}))
    (tmp_path / "odd.py").write_text("from regretlab.games import Leduc\nclass Odd(Leduc):\n    name = 'odd'\n")
    with Store.to_write(tmp_path / "s") as store:
        outcome = run_jobs(jobs, store)
        assert outcome.done == 2
        assert [reason[:24] for _, reason in outcome.failures] == ["where it runs, another v"] * 2
        assert {run.game for run in store.runs()} == {"kuhn"}


def test_failures_are_told_in_python_and_the_rest_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = odd_game(tmp_path, "pass").replace(":Odd", ":Odd(cards=4)")
    monkeypatch.setitem(PLACES, "local", in_process)
    real = worker.perform
    monkeypatch.setattr(worker, "perform", lambda run, file: 1 / (run.game != game) and real(run, file))

    with pytest.raises(UserError, match=r"^1 of 7 runs failed, .* kept; the first: cfr on .*odd.py:Odd.cards=4.: Zero"):
        rl.experiment({"runs": [BLOCK, {"games": game, "recipes": "cfr", "iterations": 5}]}, store=tmp_path / "s")
    with Store.to_read(tmp_path / "s") as store:
        assert len(store.hashes()) == 6


def test_workers_that_cannot_start_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "COMMAND", (sys.executable, "-c", "import sys; sys.exit('no numba here')"))
    with pytest.raises(UserError, match="the last 3 processes; the last one: its process left with status 1: no numba"):
        rl.experiment({"runs": [BLOCK]}, store=tmp_path / "s", workers=1)
    monkeypatch.setattr(local, "COMMAND", ("/no/such/python",))
    with pytest.raises(UserError, match="can't start a process for runs: No such file"):
        rl.experiment({"runs": [BLOCK]}, store=tmp_path / "s", workers=1)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"on": "loacl"}, r"unknown place to run 'loacl'; did you mean 'local'\?"),
        ({"workers": 0}, "workers=0 must be a whole number, at least 1"),
    ],
)
def test_a_bad_option_is_told_before_anything_runs(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError, match=said):
        rl.experiment({"runs": [BLOCK]}, store=tmp_path / "s", **options)


# Kill -9. The driver's workers log each run that they finish. With REGRETLAB_KILLS=20 it is 20 times during 200 runs.

KILLS = int(os.environ.get("REGRETLAB_KILLS", "2"))
RUNS = 20 + 9 * KILLS
SHORT = {"games": "kuhn", "recipes": ["cfr", "cfr+"], "iterations": [10, 20_000], "starts": RUNS // 2}
RIVERS = {
    "spot": {
        "board": "Kd9s4h3c",
        "pot": 40,
        "stack": 90,
        "oop": {"range": "QQ+,AK,98s"},
        "ip": {"range": "JJ+,AQ,T9s"},
    },
    "boards": [f"Kd9s4h3c{rank}{suit}" for rank in "25678TJQA" for suit in "cdhs"]
    + [f"Kd9s4h3c{card}" for card in ("3d", "4c", "9c", "Kc")],  # 40 in all
    "until": "0.05%",
    "keep": "street",
}
SUITES = {"tables": {"runs": [SHORT]}, "spots": {"spots": [RIVERS]}}
LONG = {"games": "kuhn", "recipes": "cfr", "iterations": 10**9}
WORKERS, BATCH = 2, 3
WORKER = """
import os, sys, zlib
from regretlab.experiments import worker
real = worker.perform
def logged(run, file=None):
    found = real(run, file)
    with open({log!r}, "a") as log:
        log.write(f"{{zlib.crc32(run.game.encode())}} {{run.recipe}} {{run.start}}\\n")
    return found
worker.perform = logged
worker.main()
"""
DRIVER = """
import sys
from regretlab.experiments import experiment, jobs, local
local.COMMAND = (sys.executable, {worker!r})
jobs.LARGEST_BATCH = {batch}
experiment({suite!r}, store={store!r}, workers={workers})
"""


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """A way to start a suite in a process group of its own."""
    worker, log = tmp_path / "logged_worker.py", tmp_path / "log"
    log.touch()
    worker.write_text(WORKER.format(log=str(log)))
    words = {"worker": str(worker), "store": str(tmp_path / "killed"), "workers": WORKERS, "batch": BATCH}
    started: list[subprocess.Popen[bytes]] = []

    def start(suite: dict[str, Any]) -> subprocess.Popen[bytes]:
        script = DRIVER.format(suite=suite, **words)
        started.append(subprocess.Popen([sys.executable, "-c", script], start_new_session=True))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


def group_is_gone(group: int) -> bool:
    """Whether a process group has no member left that is not a zombie."""
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return True
    return False


def stored(path: Path) -> set[str]:
    with Store.to_read(path) as store:
        return {f"{crc32(run.game.encode())} {run.recipe} {run.identity['start']}" for run in store.runs()}


def kill(process: subprocess.Popen[bytes]) -> None:
    """End the driver as the out-of-memory killer would; its workers have to notice by themselves."""
    process.kill()
    process.wait()
    wait_for(lambda: group_is_gone(process.pid))


@pytest.mark.parametrize("kind", SUITES)
def test_a_suite_that_is_killed_again_and_again_ends_as_if_undisturbed(tmp_path: Path, drive, kind: str) -> None:
    moments = random.Random(5)
    log, suite = tmp_path / "log", SUITES[kind]
    runs = len(read_suite(suite).runs)
    performed: list[str] = []
    resumed: list[tuple[set[str], int]] = []
    for number in range(KILLS):
        process, goal = drive(suite), min(len(performed) + moments.randint(0, 4), runs - 2 * WORKERS)
        wait_for(lambda goal=goal: len(log.read_text().splitlines()) >= goal)
        if number == KILLS - 1:
            wait_for(lambda: bool(stored(tmp_path / "killed")))  # what is logged is stored a moment later
        time.sleep(moments.uniform(0, 0.05))
        kill(process)
        performed = log.read_text().splitlines()
        kept = stored(tmp_path / "killed")
        assert len(set(performed) - kept) <= 2 * WORKERS * BATCH, "more was lost than was in flight"
        resumed.append((kept, len(performed)))
    assert drive(suite).wait() == 0
    performed = log.read_text().splitlines()
    for kept, lines in resumed:
        assert not kept & set(performed[lines:]), "what was kept was run again"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PLACES, "local", in_process)
        rl.experiment(suite, store=tmp_path / "whole")
    assert csv_of(tmp_path / "killed", tmp_path) == csv_of(tmp_path / "whole", tmp_path)
    assert decisions(tmp_path / "killed") == decisions(tmp_path / "whole")


def decisions(path: Path) -> dict[str, bytes]:
    """What is kept of strategies, in the store and beside it."""
    with Store.to_read(path) as store:
        found = {run: store.root(run) or b"" for run in store.hashes()}
    folder = strategies_folder(path)
    # What a killed worker was writing stays hidden for an hour, because nobody knows whether it is still written to.
    return found | {file.name: file.read_bytes() for file in folder.glob("[!.]*")}


def test_workers_end_in_the_middle_of_a_long_run_when_the_driver_is_killed(tmp_path: Path, drive) -> None:
    process = drive({"runs": [LONG, BLOCK]})
    wait_for(lambda: len((tmp_path / "log").read_text().splitlines()) == 6)  # one worker is at the long one
    kill(process)  # waits for the workers to be gone
