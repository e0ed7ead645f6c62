"""The benchmark of batches: what it counts, and that it measures something."""

import os

import pytest
from experiments.fakes import in_process

from benchmarks import batch
from benchmarks.batch import Point, Watched
from regretlab.experiments.running import PLACES


def test_a_run_counts_from_a_tenth_of_its_rivers_on() -> None:
    points = [Point(1.0, 0, 0.0), Point(2.0, 3, 1.0), Point(3.0, 10, 4.0), Point(7.0, 50, 8.0), Point(8.0, 100, 9.0)]
    run = Watched(2, points)
    assert run.counted == Point(5.0, 90, 5.0)
    assert run.rate == 18.0


def test_a_report_says_what_a_river_costs_besides_solving() -> None:
    jobs = batch.rivers(4)
    one, two = (Watched(workers, [Point(0.0, 2, 0.0), Point(1.0, 12, 0.3)], 10**8) for workers in (1, 2))
    lines = batch.report(jobs, [one, two], 0.01).splitlines()
    assert lines[0].startswith("1 worker :  10.0 rivers/s; 30.0 ms of processor time each, 20.0 besides solving and ")
    assert lines[1].startswith("2 workers:")
    assert lines[2] == "two workers are 1.00 times as quick as one (medians)"


def test_rivers_are_drawn_always_the_same_and_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLACES, "local", in_process)
    jobs = batch.rivers(3)
    assert [job.hash for job in jobs] == [job.hash for job in batch.rivers(3)]
    assert len({job.name for job in jobs}) == 3
    seen = batch.measured(jobs, 1)
    assert [point.done for point in seen.points] == [1, 2, 3]
    assert seen.peak > 10**7
    assert 0 < batch.alone(jobs) < sum(map(batch.working, [os.getpid()]))
