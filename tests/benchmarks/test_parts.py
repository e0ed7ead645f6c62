"""The other parts: limits, growth, memory, start, the machine."""

import os
import subprocess
from itertools import cycle

import numpy as np
import pytest
from benchmark_fakes import TINY

from benchmarks import machine
from benchmarks.benchmark import new_clock
from benchmarks.clock import Clock
from benchmarks.machine import ONE_THREAD, freest, one_core
from benchmarks.parts import cores, growth, limits, processes
from benchmarks.parts.growth import random_form
from benchmarks.parts.limits import arrays_in, load_of, products, read, stroll, triad
from benchmarks.results import Cores
from benchmarks.spots import SMALL_RIVER, load_spot
from regretlab.feedback.cores import CoresFeedback
from regretlab.forms import BlockForm, SparsePayoff, as_form
from regretlab.machine import installed_versions, usable_cores
from regretlab.solving import Solver


@pytest.fixture(scope="module")
def clock() -> Clock:
    return new_clock(patience=0.0)


def test_random_forms_are_forms() -> None:
    form = random_form(5_000, seed=3)
    assert isinstance(form.payoff, SparsePayoff)
    matrices = form.payoff.matrices
    for treeplex, matrix, other in zip(form.treeplexes, matrices, reversed(form.treeplexes), strict=True):
        assert (treeplex.parent < treeplex.first[:-1]).all()  # parents before children
        assert set(np.diff(treeplex.first)) == {2, 3}
        assert len(treeplex.labels) == len(treeplex.actions) == treeplex.infosets
        assert len(matrix.first) == treeplex.sequences + 1
        assert matrix.column.max() < other.sequences
    assert len(matrices[0].entry) == len(matrices[1].entry)


def test_random_forms_can_be_solved() -> None:
    solver = Solver(random_form(300), "cfr+")
    solver.advance(1)
    first = solver.evaluate().exploitability
    solver.advance(500)
    assert 0 <= solver.evaluate().exploitability < 0.05 * first


def test_the_same_seed_gives_the_same_form() -> None:
    one, same, other = random_form(1_000), random_form(1_000), random_form(1_000, seed=1)
    for form, equal in ((same, True), (other, False)):
        assert np.array_equal(one.payoff.matrices[0].column, form.payoff.matrices[0].column) == equal  # type: ignore[attr-defined]


def test_the_load_of_kuhn() -> None:
    form = as_form("kuhn")
    load = load_of("kuhn", form, Solver(form, "cfr+"))
    assert load.entries == 30
    # 30 entries for two players, two operations each; 13 sequences for two players, 17 operations each
    assert load.operations == 2 * 2 * 30 + 17 * 26
    # A player's matrix: 14 first, 30 columns, 30 entries. A side: 6 parents, 7 first, 6 in the order of learning;
    # strategy, plan, regret, average and values of 13 sequences, read and written. The other's plan is read.
    payoff, indices, numbers, plan = 4 * 14 + 4 * 30 + 8 * 30, 4 * (6 + 7 + 6), 5 * 8 * 13, 8 * 13
    assert load.bytes == 2 * (payoff + indices + 2 * numbers + plan)
    assert load.footprint == 2 * (payoff + indices + numbers)


@pytest.mark.parametrize(("recipe", "remembers"), [("cfr", False), ("normalhedge", True), ("hedge", True)])
def test_what_a_rule_remembers_counts_where_it_remembers(recipe: str, remembers: bool) -> None:
    form = as_form("kuhn")
    plain, load = (load_of("kuhn", form, Solver(form, name)) for name in ("cfr+", recipe))
    assert load.footprint - plain.footprint == (2 * 6 * 8 if remembers else 0)
    assert load.bytes - plain.bytes == (2 * 2 * 6 * 8 if remembers else 0)


def test_arrays_are_found_wherever_they_are_kept() -> None:
    payoff = as_form("kuhn").payoff.sparse
    assert payoff is not None
    assert sum(array.nbytes for array in arrays_in(payoff.matrices)) == payoff.nbytes
    assert [array.tolist() for array in arrays_in([1, "text", (np.ones(2), None)])] == [[1, 1]]


def test_limits_come_from_the_quickest_batches(clock: Clock) -> None:
    found, raw = limits.measure_limits(clock, TINY.pace, cache=2**16)
    streaming, product = raw
    moved = 24 * (limits.CACHES * 2**16 // 24)
    assert limits.streaming_kernels(2**16).bytes == moved
    assert found.read == pytest.approx(moved / min(streaming.series[0].seconds))
    assert found.triad == pytest.approx(moved / min(streaming.series[1].seconds))
    assert found.bandwidth == max(found.read, found.triad)
    assert found.entries == max(found.product.values())
    assert list(found.product) == list(limits.LENGTHS)
    assert len(product.series) == len(limits.LENGTHS)


def test_the_kernels_do_what_they_say() -> None:
    out, ones = np.zeros(5), np.ones(5)
    triad(out, ones, 2 * ones, 0.5)
    assert out.tolist() == [2.0] * 5
    assert read(np.arange(5, dtype=np.uint64)) == 10
    first, column = np.array([0, 2, 3], dtype=np.uint32), np.array([0, 1, 1], dtype=np.uint32)
    products(2, first, column, np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0]), out)
    assert out.tolist() == [50.0, 60.0, 2.0, 2.0, 2.0]
    table = np.arange(8, dtype=np.uint32)
    assert stroll(100, table) == stroll(100, table) != stroll(101, table)


def test_growth_tells_the_cost_of_an_entry(clock: Clock) -> None:
    streaming = limits.streaming_kernels(2**16)
    points = [
        *growth.grow_kuhn(clock, TINY.pace, streaming, (3, 5)),
        *growth.grow_random(clock, TINY.pace, streaming, 2**16, 3.0),
    ]
    assert [point.load.entries for point in points[:2]] == [30, 100]
    for point in points:
        assert point.nanoseconds == pytest.approx(1e9 * point.series.median / point.load.entries)
        assert [kernel.name for kernel in point.streaming] == [limits.READ, limits.TRIAD]
        assert point.streamed == streaming.bytes
    large = growth.large_point(points, 2**16)
    assert large is not None
    assert large.load.footprint > 2.7 * 2**16
    assert growth.large_point(points[:2], 2**16) is None


@pytest.mark.parametrize(("largest", "ends"), [(3.0, [2_516_582]), (8.0, [2_516_582, 6_710_886])])
def test_sizes_grow_to_what_was_asked_for(largest: float, ends: list[int]) -> None:
    found = growth.sizes(32 * 2**20, largest)
    assert found[0] == growth.SMALLEST_FORM
    assert found == sorted(set(found))
    assert found[-len(ends) :] == ends


def test_memory_is_that_of_a_process_of_its_own() -> None:
    ballast = np.ones(40_000_000)  # 300 MiB, which the child must not be charged with
    found = processes.measure_memory("kuhn", "regretlab", "regretlab")
    assert ballast.nbytes > found.bytes >= found.solved > 20 * 2**20
    assert found.bytes > processes.measure_memory("kuhn", "openspiel", "OpenSpiel C++").bytes  # which loads no compiler
    assert processes.can_measure()
    assert processes.peak() > ballast.nbytes


def test_help_loads_nothing_heavy() -> None:
    assert processes.imports_of_help() == []


def test_one_core_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[list[int]] = []
    monkeypatch.setattr("benchmarks.machine.hold", held.append)
    monkeypatch.setattr("benchmarks.machine.usable_cores", lambda: [2, 3, 5])
    monkeypatch.setattr("benchmarks.machine.freest", lambda cores: cores[1])
    for name in ONE_THREAD:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    before = dict(os.environ)
    with one_core() as count:
        assert count == 3
        assert held == [[3]]
        assert all(os.environ[name] == value for name, value in ONE_THREAD.items())
    assert held == [[3], [2, 3, 5]]
    assert dict(os.environ) == before


def test_the_machine_is_described(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    assert {"processor", "cores", "caches", "memory", "system", "python"} <= machine.describe(2).keys()
    assert {"numpy", "numba", "open_spiel"} <= installed_versions(machine.PACKAGES).keys()
    for index, (kind, level, size) in enumerate([("Data", 1, "32K"), ("Instruction", 1, "64K"), ("Unified", 3, "2M")]):
        folder = tmp_path / f"index{index}"
        folder.mkdir()
        for name, text in (("type", kind), ("level", level), ("size", size)):
            (folder / name).write_text(f"{text}\n")
    monkeypatch.setattr(machine, "CACHES", tmp_path)
    assert machine.caches() == {"L1": 32 * 2**10, "L3": 2 * 2**20}
    assert machine.last_level_cache() == 2 * 2**20
    monkeypatch.setattr(machine, "CACHES", tmp_path / "nowhere")
    assert machine.last_level_cache() == machine.USUAL_CACHE


class FakeWorker:
    """Answers with the numbers it was given, and notes who was at work at the same time."""

    entries = 30

    def __init__(self, work: str, answers: list[tuple[float, float]], log: list[str]) -> None:
        self.work, self.answers, self.log = work, cycle(answers), log

    def begin(self, cores: int) -> None:
        self.log.append(f"{self.work}{cores}")

    def answer(self) -> cores.Answer:
        self.log.append(f"/{self.work}")
        return cores.Answer(*next(self.answers))


def in_turn(log: list[str], **answers: list[tuple[float, float]]) -> Cores | None:
    return cores._in_turn([FakeWorker(name, given, log) for name, given in answers.items()], rounds=2)


def test_a_second_core_is_measured_in_turn() -> None:
    log: list[str] = []
    streams = [(10, 1), (9, 1), (12, 1), (7, 1)]
    game = [(0.5, 1), (0.3, 0.5), (0.4, 1), (0.2, 2)]
    form = [(0.7, 1), (0.6, 2), (0.9, 1), (0.8, 2)]
    found = in_turn(log, A=streams, B=[(8, 1), (7, 1)], game=game, form=form)
    turn = ["A1", "/A", "A1", "B1", "/A", "/B", "game1", "/game", "game2", "/game", "form1", "/form", "form2", "/form"]
    assert log == turn * 2
    assert found is not None
    assert (found.alone, found.together) == ((10, 12), (17, 14))
    assert [(one.form, one.entries, one.one, one.two) for one in found.speedups] == [
        ("game", 30, (0.5, 0.4), (0.3, 0.2)),
        ("form", 30, (0.7, 0.9), (0.6, 0.8)),
    ]
    assert found.tries == 2


def test_rounds_that_a_neighbour_spoils_do_not_count() -> None:
    game = [(0.9, 0.5), (0.5, 2), (0.4, 1), (0.2, 2)]
    found = in_turn([], A=[(10, 1)], B=[(8, 1)], game=game)
    assert found is not None
    (solving,) = found.speedups
    assert (solving.one, solving.two, found.tries) == ((0.4, 0.4), (0.2, 0.2), 4)


@pytest.mark.parametrize("spoilt", ["A", "B", "game", "form"])
def test_a_core_that_is_never_free_is_not_measured(spoilt: str) -> None:
    answers = {name: [(1.0, 0.6 if name == spoilt else 1.0)] for name in ("A", "B", "game", "form")}
    assert in_turn([], **answers) is None


def test_a_worker_answers_until_its_input_ends() -> None:
    worker = cores.Worker("kuhn", [str(core) for core in usable_cores()[-2:]])
    first, second = cores.ask([worker], 1), cores.ask([worker], 2)
    worker.end()
    assert (worker.work, worker.entries) == ("kuhn", 30)
    assert first[0].number > 0 < second[0].number
    assert first[0].share > 0


def test_cores_are_measured_beside_neighbours_who_end_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, command: list[str], **options: object) -> None:
            super().__init__(command, **options)
            if cores.BUSY in command:
                started.append(self)

    monkeypatch.setattr(cores, "DICE", "kuhn")
    monkeypatch.setattr(subprocess, "Popen", Noted)
    found = cores.measure_beside_neighbours(usable_cores(), rounds=2)
    assert [one.neighbours for one in found] == [0, 1, 2]
    assert all(len(one.one) == len(one.two) == 2 and one.slowdown > 0 for one in found)
    assert len(started) == 3
    assert all(neighbour.poll() is not None for neighbour in started)


def test_streaming_is_measured_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "STREAM_SECONDS", 0.01)
    monkeypatch.setattr(cores, "STREAM_WORDS", 1_000)
    words, measure = cores.stream()
    assert words == 1_000
    assert measure(1) > 0


def test_as_many_cores_solve_as_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    class Recorder(Solver):
        def advance(self, iterations: int) -> None:
            asked.append(2 if isinstance(self.feedback, CoresFeedback) else 1)

    monkeypatch.setattr("regretlab.solving.Solver", Recorder)
    entries, measure = cores.solve(cores.large_form("kuhn"))
    for count in (1, 2, 1):
        measure(count)
    assert entries == 30
    assert asked == [1, 2, 1]


def test_a_spot_is_solved_by_as_many_cores_as_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, str, str]] = []

    class Recorder(Solver):
        def __init__(self, form: BlockForm, recipe: str, *, cores: int, precision: str) -> None:
            super().__init__(form, recipe, cores=cores, precision=precision)
            self.asked = cores, recipe, precision

        def advance(self, iterations: int) -> None:
            asked.append(self.asked)

    monkeypatch.setattr("regretlab.solving.Solver", Recorder)
    numbers, measure = cores.worker_for(SMALL_RIVER)
    for count in (1, 2, 1):
        measure(count)
    assert numbers == load_spot(SMALL_RIVER).block_size().numbers
    assert asked == [(1, "dcfr", "f32"), (2, "dcfr", "f32"), (1, "dcfr", "f32")]


def test_a_random_form_stands_beside_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "RANDOM_ENTRIES", 500)
    assert cores.large_form(cores.RANDOM).name == "random(500)"


def test_the_freest_core_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    where: list[list[int]] = []
    clocks = {"wall": 0.0, "work": 0.0}
    shares = {2: 0.5, 3: 1.0, 5: 0.98, 7: 0.4}

    def wall() -> float:
        clocks["wall"] += 0.01
        clocks["work"] += 0.01 * shares[where[-1][0]]
        return clocks["wall"]

    monkeypatch.setattr("benchmarks.machine.hold", where.append)
    monkeypatch.setattr("benchmarks.machine.time.perf_counter", wall)
    monkeypatch.setattr("benchmarks.machine.time.process_time", lambda: clocks["work"])
    assert freest([2, 3, 5, 7]) == 5  # as good as 3, and later
