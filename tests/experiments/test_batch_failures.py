"""What goes wrong in a batch is named, costs nothing else, and never takes more memory than there is."""

import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from experiments.fakes import in_process

import regretlab as rl
from regretlab.errors import UserError
from regretlab.experiments import Store, local, read_suite
from regretlab.experiments import jobs as planning
from regretlab.experiments.jobs import BYTES_A_PROCESS, Job, JobQueue, Means, plan
from regretlab.experiments.kept import strategies_folder
from regretlab.experiments.running import PLACES, Outcome, run_jobs
from regretlab.identity import number_identity

SPOT = {"board": "Kd9s4h3c", "pot": 40, "stack": 60, "oop": {"range": "AA,KQs,98s"}, "ip": {"range": "KK,QQ,T9s"}}
CARDS = ("2c", "5c", "6c", "7c", "8c", "Tc")
SUITE = {"spots": [{"spot": SPOT, "boards": [f"Kd9s4h3c{card}" for card in CARDS], "until": "2%"}]}

# Workers that do something else on some boards.
WORKER = """
import os, signal, sys, time
from regretlab.errors import UserError
from regretlab.experiments import spot_run, worker
real = spot_run.load
def odd(game):
    if "3c2c" in game: os.kill(os.getpid(), signal.SIGKILL)
    if "3c5c" in game: raise MemoryError("Unable to allocate 5.72 GiB")
    if "3c6c" in game: raise UserError("the tree has too many decisions; give fewer sizes")
    return real(game)
spot_run.load = odd
worker.main()
"""
LOGGED = """
import time
from regretlab.experiments import worker
real = worker.perform
def logged(run, file=None):
    with open({log!r}, "a") as log:
        log.write("+"); log.flush()
        time.sleep(0.1)  # another one would begin meanwhile
        found = real(run, file)
        log.write("-")
    return found
worker.perform = logged
worker.main()
"""


@pytest.fixture
def workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A way to have other workers, each of which is given one job at a time."""
    monkeypatch.setattr(planning, "LARGEST_BATCH", 1)

    def have(script: str) -> None:
        (tmp_path / "odd_worker.py").write_text(script)
        monkeypatch.setattr(local, "COMMAND", (sys.executable, str(tmp_path / "odd_worker.py")))

    return have


def reasons(outcome: Outcome) -> dict[str, str]:
    return {(job.board or ("", "?"))[1]: reason for job, reason in outcome.failures}


def test_spots_that_fail_are_named_and_the_rest_is_solved(tmp_path: Path, workers: Callable[[str], None]) -> None:
    workers(WORKER)
    jobs = plan(read_suite(SUITE))
    with Store.to_write(tmp_path / "s") as store:
        outcome = run_jobs(jobs, store, workers=2)
        assert outcome.done == len(store.hashes()) == 3
    assert reasons(outcome) == {
        "Kd9s4h3c2c": "3 times its process was ended by SIGKILL, perhaps because memory ran out",
        "Kd9s4h3c5c": "MemoryError: Unable to allocate 5.72 GiB",
        "Kd9s4h3c6c": "the tree has too many decisions; give fewer sizes",
    }


def test_no_more_spots_are_solved_at_once_than_there_is_memory_for(
    tmp_path: Path, workers: Callable[[str], None]
) -> None:
    log = tmp_path / "log"
    workers(LOGGED.format(log=str(log)))
    jobs = [job._replace(nbytes=10**9) for job in plan(read_suite(SUITE))]
    with Store.to_write(tmp_path / "s") as store:
        assert run_jobs(jobs, store, workers=2, memory=2 * BYTES_A_PROCESS + 19 * 10**8).done == len(CARDS)
    assert log.read_text() == "+-" * len(CARDS)


def test_a_queue_hands_out_what_fits_and_keeps_its_order() -> None:
    job = plan(read_suite(SUITE))[0]
    sizes = [5, 3, 8, 2]
    queue = JobQueue([job._replace(nbytes=size, seconds=1.0) for size in sizes])

    def next_size(room: int) -> list[int]:
        return [each.nbytes for each in queue.batch(1, room)]

    assert [next_size(4), next_size(1), next_size(4), next_size(9), next_size(9)] == [[3], [], [2], [5], [8]]


@pytest.mark.parametrize(("memory", "processes"), [(None, 4), (10**12, 4), (2 * BYTES_A_PROCESS + 50, 2), (60, 1)])
def test_there_are_as_many_processes_as_leave_room_for_the_largest_spot(memory: int | None, processes: int) -> None:
    job = plan(read_suite(SUITE))[0]
    jobs: list[Job] = [job._replace(nbytes=size) for size in (10, 50, 20, 5, 5)]
    assert Means(memory=memory).processes(jobs, 4) == processes


def test_a_strategy_that_the_disk_has_no_room_for_is_named_and_the_rest_is_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PLACES, "local", in_process)
    blocks = [{"spot": "turn-3bet", "keep": "all", "iterations": 10}, {"spot": "river-polar", "keep": "all"}]
    jobs = plan(read_suite({"spots": blocks}))
    rl.solve("holdem:river-polar", iterations=10)  # kernels are written to the disk, too
    rl.solve("holdem:turn-3bet", iterations=10)
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10**6, most[1]))
    try:
        with Store.to_write(tmp_path / "s") as store:
            outcome = run_jobs(jobs, store)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
    folder = strategies_folder(tmp_path / "s")
    ((board, reason),) = reasons(outcome).items()
    assert (board, outcome.done) == ("Kd9s4h3c", 1)
    assert reason.startswith(f"can't write '{folder}/Kd9s4h3c-")
    assert reason.endswith("File too large")
    assert [file.name[:10] for file in folder.iterdir()] == ["KsTd7h4c2s"], "nothing half-written is left"


def test_what_killed_workers_have_left_half_written_is_removed_when_nobody_can_be_at_it_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PLACES, "local", in_process)
    folder = strategies_folder(tmp_path / "s")
    folder.mkdir()
    old, young = folder / ".old.npz.x", folder / ".young.npz.y"
    for each, age in ((old, 4000), (young, 3000)):
        each.touch()
        os.utime(each, (time.time() - age, time.time() - age))
    rl.experiment({"spots": [{"spot": "river-polar", "keep": "all"}]}, store=tmp_path / "s")
    assert sorted(file.name[:6] for file in folder.iterdir()) == [".young", "KsTd7h"]


def test_a_folder_that_can_not_be_made_is_told_before_anything_runs(tmp_path: Path) -> None:
    strategies_folder(tmp_path / "s").write_text("in the way")
    with pytest.raises(UserError, match=r"^can't make the folder '.*s\.strategies' for strategies: File exists$"):
        rl.experiment({"spots": [{"spot": "river-polar", "keep": "all"}]}, store=tmp_path / "s")


def test_spots_of_another_version_of_the_code_run_anew_and_both_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PLACES, "local", in_process)
    suite = {"spots": [{"spot": "river-polar"}]}
    old = rl.experiment(suite, store=tmp_path / "s")
    monkeypatch.setattr("regretlab.experiments.specs.number_identity", lambda: f"not {number_identity()}")
    new = rl.experiment(suite, store=tmp_path / "s")
    assert old[0]["run"] != new[0]["run"]
    with Store.to_read(tmp_path / "s") as store:
        assert [run.is_old for run in store.runs()].count(True) == 1
