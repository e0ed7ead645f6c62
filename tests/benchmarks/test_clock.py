"""The clock, with a machine whose every second is made up."""

from collections.abc import Callable

import pytest

from benchmarks.clock import FIRST_LOOPS, MOST_RETRIES, Batch, Clock, Pace, Series, Task, interleave

LOOP = 0.001


class Machine:
    """Time that passes only when something works; ``slowdown`` says how many times as long things take now."""

    def __init__(self) -> None:
        self.now = 0.0
        self.away = 0.0  # seconds in which another process had the core
        self.slowdown: Callable[[], float] = lambda: 1.0

    def spend(self, seconds: float) -> None:
        self.now += seconds * self.slowdown()

    def clock(self, patience: float = 1e9) -> Clock:
        return Clock(
            lambda: self.spend(LOOP), timer=lambda: self.now, processor=lambda: self.now - self.away, patience=patience
        )

    def task(self, seconds: float, name: str = "task", calls: list[tuple[str, int]] | None = None) -> Task:
        def work(count: int) -> None:
            if calls is not None:
                calls.append((name, count))
            self.spend(count * seconds)

        return Task(name, work)


@pytest.fixture
def machine() -> Machine:
    return Machine()


def test_a_quiet_machine_measures_once(machine: Machine) -> None:
    calls: list[tuple[str, int]] = []
    batch = machine.clock().batch(machine.task(0.5, calls=calls), 4)
    assert batch == pytest.approx(Batch(seconds=2.0, calls=4, calibration=LOOP, share=1.0, retries=0))
    assert calls == [("task", 4)]


def test_a_batch_beside_a_slow_loop_is_measured_again_and_the_quiet_one_counts(machine: Machine) -> None:
    clock = machine.clock()
    pace = iter([1.3, 1.3, 1.3, 1.0, 1.0, 1.0])  # loop, batch, loop; and once more
    machine.slowdown = lambda: next(pace)
    batch = clock.batch(machine.task(0.5), 1)
    assert batch == pytest.approx(Batch(0.5, 1, LOOP, 1.0, retries=1))
    assert clock.retries == 1


@pytest.mark.parametrize("slow", [0, 2], ids=["before", "after"])
def test_the_loop_on_either_side_can_show_a_neighbour(machine: Machine, slow: int) -> None:
    clock = machine.clock()
    steps = iter(range(100))
    machine.slowdown = lambda: 2.0 if next(steps) == slow else 1.0
    assert clock.batch(machine.task(0.5), 1).retries == 1


def shared(machine: Machine, shares: list[float], waits: bool = False) -> Task:
    """A task that works half a second, and has only this share of the core in the first, second, … batch."""
    left = iter(shares)

    def work(_: int) -> None:
        share = next(left)
        machine.spend(0.5 / share)
        machine.away += 0.5 / share - 0.5

    return Task("task", work, waits=waits)


def test_a_batch_that_shared_the_core_is_measured_again(machine: Machine) -> None:
    batch = machine.clock().batch(shared(machine, [0.5, 0.9]), 1)
    assert batch == pytest.approx(Batch(0.5 / 0.9, 1, LOOP, share=0.9, retries=1))


def test_a_batch_that_had_most_of_the_core_is_not(machine: Machine) -> None:
    assert machine.clock().batch(shared(machine, [0.85, 1.0]), 1).retries == 0


def test_a_task_that_waits_is_not_suspected(machine: Machine) -> None:
    batch = machine.clock().batch(shared(machine, [0.1, 1.0], waits=True), 1)
    assert batch == pytest.approx(Batch(5.0, 1, LOOP, share=None, retries=0))


def test_a_loop_that_is_a_little_slower_is_no_neighbour(machine: Machine) -> None:
    clock = machine.clock()
    machine.slowdown = lambda: 1.2
    assert clock.batch(machine.task(0.5), 1).retries == 0


def test_retries_are_bounded_and_the_least_slowed_one_counts(machine: Machine) -> None:
    clock = machine.clock()
    pace = iter([3.0] * 3 + [2.0] * 3 + [4.0] * 6)
    machine.slowdown = lambda: next(pace)
    batch = clock.batch(machine.task(0.5), 1)
    assert batch == pytest.approx(Batch(1.0, 1, 2 * LOOP, 1.0, retries=MOST_RETRIES))
    assert clock.is_slowed(batch)


def test_patience_ends(machine: Machine) -> None:
    clock = machine.clock(patience=1.0)
    machine.slowdown = lambda: 2.0
    assert clock.batch(machine.task(1.0), 1).retries == 1
    assert clock.batch(machine.task(1.0), 1).retries == 0


def test_the_best_loop_is_known_from_the_start(machine: Machine) -> None:
    pace = iter([1.0] + [2.0] * FIRST_LOOPS)
    machine.slowdown = lambda: next(pace, 2.0)
    loops = []

    def loop() -> None:
        loops.append(machine.now)
        machine.spend(LOOP)

    clock = Clock(loop, timer=lambda: machine.now)
    assert len(loops) == 1 + FIRST_LOOPS  # the first one compiles and is not timed
    assert clock.best == pytest.approx(2 * LOOP)


def test_calls_grow_until_a_batch_is_long_enough(machine: Machine) -> None:
    calls: list[tuple[str, int]] = []
    trial = machine.clock().size(machine.task(1e-4, calls=calls), Pace(rounds=7, batch=0.05, longest=10))
    assert trial.seconds >= 0.05
    assert trial.calls <= 1_000
    assert calls[0] == calls[1] == ("task", 1)  # the first one of all is thrown away


def test_a_call_that_takes_too_long_is_not_repeated(machine: Machine) -> None:
    calls: list[tuple[str, int]] = []
    (series,) = interleave(machine.clock(), [machine.task(20.0, calls=calls)], Pace(rounds=7, batch=0.05, longest=10))
    assert calls == [("task", 1)]
    assert series.seconds == [pytest.approx(20.0)]


def test_preparation_is_not_timed_and_a_batch_is_then_one_call(machine: Machine) -> None:
    prepared = []

    def prepare() -> None:
        prepared.append(machine.now)
        machine.spend(5.0)

    task = Task("solve", machine.task(0.01).work, prepare)
    (series,) = interleave(machine.clock(), [task], Pace(rounds=7, batch=0.2, longest=10))
    assert series.seconds == pytest.approx([0.01] * 7)
    assert [batch.calls for batch in series.batches] == [1] * 7
    assert len(prepared) == 7 + 2


def test_batches_are_taken_in_turn(machine: Machine) -> None:
    calls: list[tuple[str, int]] = []
    tasks = [machine.task(0.1, "ours", calls), machine.task(0.3, "peer", calls)]
    series = interleave(machine.clock(), tasks, Pace(rounds=7, batch=0.05, longest=10))
    assert [name for name, _ in calls[-14:]] == ["ours", "peer"] * 7
    assert [one.name for one in series] == ["ours", "peer"]
    assert [one.median for one in series] == pytest.approx([0.1, 0.3])


def test_a_slow_task_gets_as_many_rounds_as_there_is_time_for(machine: Machine) -> None:
    tasks = [machine.task(0.1, "ours"), machine.task(3.0, "peer")]
    ours, peer = interleave(machine.clock(), tasks, Pace(rounds=7, batch=0.05, longest=10))
    assert (len(ours.batches), len(peer.batches)) == (7, 3)


def test_the_garbage_collector_is_left_as_it_was(machine: Machine) -> None:
    import gc

    before = gc.get_freeze_count()
    with pytest.raises(RuntimeError):
        interleave(machine.clock(), [Task("bad", _fail_later())], Pace(rounds=7, batch=0.0, longest=10))
    assert gc.get_freeze_count() == before


def _fail_later() -> Callable[[int], None]:
    count = iter(range(10))

    def work(_: int) -> None:
        if next(count) > 4:
            raise RuntimeError

    return work


def test_a_series_says_its_median_and_quartiles_a_call() -> None:
    series = Series("one", tuple(Batch(2.0 * k, 2, 0.0) for k in (5, 1, 4, 2, 3)))
    assert series.seconds == [5, 1, 4, 2, 3]
    assert series.median == 3
    assert series.quartiles == (2, 4)
    assert Series("one", (Batch(3.0, 1, 0.0),)).quartiles == (3, 3)
