"""The race on one game: who takes part, who leaves, and what is kept."""

import json
import math
from dataclasses import replace

import pytest
from benchmark_fakes import TINY, FakePeer

from benchmarks.benchmark import Benchmark
from benchmarks.clock import Pace
from benchmarks.games import GAMES
from benchmarks.parts.race import Race
from benchmarks.peers.protocol import FULL
from benchmarks.results import FROM_DICTIONARY, OURS, Findings

FAKE = FakePeer()


def race(*peers: FakePeer, **changes: object) -> Findings:
    settings = replace(TINY, peers=tuple(peer.key for peer in peers), **changes)  # type: ignore[arg-type]
    bench = Benchmark(settings, peers={peer.key: peer for peer in peers})
    bench.run()
    return bench.findings


def test_everybody_is_measured_in_everything() -> None:
    found = race(FAKE)
    quantities = ["getting ready", "iteration, cfr+", "exploitability", "time until 0.1", "iteration, cfr"]
    assert [one.quantity for one in found.measurements] == quantities
    for one in found.measurements:
        names = [OURS, FROM_DICTIONARY, FAKE.title] if one.quantity == "exploitability" else [OURS, FAKE.title]
        assert [series.name for series in one.series] == names
        assert all(len(series.batches) == 3 for series in one.series)
    assert found.complete
    assert found.complaints == []


def test_agreement_is_checked_for_both_algorithms_after_the_same_iterations() -> None:
    found = race(FAKE)
    assert [(one.algorithm, one.peer, one.iterations) for one in found.agreements] == [
        ("cfr+", FAKE.title, 5),
        ("cfr", FAKE.title, 5),
    ]
    assert all(one.ours == one.theirs for one in found.agreements)


def test_where_ties_come_what_is_before_them_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "kuhn", replace(GAMES["kuhn"], alike_for=2))
    assert [one.iterations for one in race(FAKE).agreements] == [2, 2]
    ours = replace(FAKE, package="")
    assert [one.iterations for one in race(ours).agreements] == [5, 5], "our own textbook takes ties as ties"


def test_every_peer_is_compared_from_the_first_iteration_on() -> None:
    found = race(FAKE, FakePeer(key="second", title="a second"))
    assert [one.peer for one in found.agreements] == [FAKE.title, "a second"] * 2
    assert found.complaints == []


@pytest.mark.parametrize(
    "lie", [lambda e: 1.001 * e, lambda e: 2 * e, lambda e: math.nan], ids=["a little", "double", "nan"]
)
def test_who_disagrees_is_complained_of_and_leaves_the_race(lie) -> None:
    liar = FakePeer(key="liar", title="a liar", lie=lie)
    found = race(FAKE, liar)
    assert [one.peer for one in found.agreements if not one.agrees] == ["a liar"]
    assert "a liar" in found.complaints[0]
    later = [one for one in found.measurements if one.quantity != "getting ready"]
    assert all(one.get("a liar") is None for one in later)
    assert all(one.get(FAKE.title) is not None for one in later)


def test_a_convention_widens_what_agrees() -> None:
    found = race(FakePeer(lie=lambda e: 1.001 * e, tolerance=1e-2, convention="single precision"))
    assert found.complaints == []
    assert found.agreements[0].convention == "single precision"


def test_a_missing_peer_is_said_to_be_missing() -> None:
    found = race(FAKE, FakePeer(key="gone", title="gone", needs=("no_such_module", "math")))
    assert [(one.what, one.why) for one in found.left_out] == [("gone", "not installed: no_such_module")]
    assert all(one.get("gone") is None for one in found.measurements)


def test_a_peer_that_is_too_slow_is_said_to_be() -> None:
    found = race(FAKE, pace=Pace(rounds=3, batch=0.0, longest=0.0))
    assert any(one.what == f"kuhn, {FAKE.title}" and "one iteration takes" in one.why for one in found.left_out)
    assert found.agreements == []


def test_a_solution_that_takes_too_long_is_computed_from_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.parts.race.Race._longest", 0.0)
    found = race(FAKE)
    quantities = ("time until 0.1", "iteration, cfr+", "exploitability")
    until, iteration, judge = (found.find("kuhn", quantity) for quantity in quantities)
    series, one, judged = (each.get(FAKE.title) for each in (until, iteration, judge))
    assert series.note.startswith("computed")
    assert until.note == "5 iterations"
    assert series.median == pytest.approx(5 * one.median + 4 * judged.median)  # judged after 1, 2, 3 and 5


def test_a_goal_out_of_reach_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.parts.race.MOST_ITERATIONS", 2)
    found = race(FAKE)
    assert found.find("kuhn", "time until 0.1") is None
    assert any("more than 2 iterations" in one.why for one in found.left_out)


def test_settings_are_plain_values() -> None:
    assert json.loads(json.dumps(TINY.as_dict()))["games"] == ["kuhn"]


def sample(*peers: FakePeer) -> Findings:
    return race(*peers, parts=("sampling",))


def test_sampled_algorithms_are_compared_by_medians_and_timed() -> None:
    found = sample(FAKE, FakePeer(key="full", title="full", algorithms=FULL))
    assert [one.quantity for one in found.measurements] == [
        "iteration, external sampling",
        "iteration, outcome sampling",
    ]
    for one in found.measurements:
        assert [series.name for series in one.series] == [OURS, FAKE.title]  # the other one has no sampling
    assert [(one.peer, one.algorithm, one.iterations, one.seeds) for one in found.agreements] == [
        (FAKE.title, "external sampling", 20, 3),
        (FAKE.title, "outcome sampling", 30, 3),
    ]
    assert all(one.ours == one.theirs for one in found.agreements)
    assert found.complaints == []


@pytest.mark.parametrize(("factor", "agrees"), [(1.45, True), (1 / 1.45, True), (1.55, False), (1 / 1.55, False)])
def test_medians_may_differ_by_half(factor: float, agrees: bool) -> None:
    found = sample(FAKE, FakePeer(key="liar", title="a liar", lie=lambda e: factor * e))
    assert [one.agrees for one in found.agreements] == [True, agrees] * 2
    for one in found.measurements:
        assert (one.get("a liar") is not None) == agrees
        assert one.get(FAKE.title) is not None


class Dice:
    """Its exploitability is a matter of luck, and of iterations."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def restart(self, seed: int = 0) -> None:
        self.log.append(f"seed {seed}")
        self.luck = {1: 0.5, 2: 0.1, 3: 0.2}[seed]

    def iterate(self, count: int) -> None:
        self.log.append(f"{count}")

    def exploitability(self) -> float:
        return self.luck


def test_every_seed_begins_anew_and_the_middle_one_counts() -> None:
    dice = Dice()
    bench = Benchmark(replace(TINY, peers=()))
    found = Race(GAMES["kuhn"], [], bench.clock, TINY, bench.findings, bench.say)
    assert found.median_exploitability("dice", dice, 20, seeds=3) == 0.2  # type: ignore[arg-type]
    assert dice.log == ["seed 1", "20", "seed 2", "20", "seed 3", "20"]
