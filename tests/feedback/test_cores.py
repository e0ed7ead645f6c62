"""Several cores: the same numbers to the last bit, and a cut in which nobody gets into another's way."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import RandomGame, general_sum_games, random_form, random_games

from regretlab.errors import UserError
from regretlab.feedback import Kernels, Loop, cores
from regretlab.feedback.barrier import begin, meet, new_counters
from regretlab.feedback.cores import CoresFeedback, Pace, ShareState, cores_to_use, cut
from regretlab.forms import Treeplex, as_form
from regretlab.solving import Solver, loop


class AllCores(Pace):
    """Never leaves work to one core, however long the others take."""

    def work(self, do: Callable[[bool, int, int], float], iterations: int) -> None:
        do(True, 0, iterations)


@pytest.fixture(autouse=True)
def however_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut small games, too, for more cores than there may be, and use all of them."""
    monkeypatch.setattr(cores, "FINENESS", 2)
    monkeypatch.setattr(cores, "usable_cores", lambda: list(range(7)))
    monkeypatch.setattr(cores, "Pace", AllCores)


def all_bytes(solver: Solver) -> bytes:
    names = ("regret", "total", "strategy", "plan", "memory")
    earned = b"" if solver.feedback.earned is None else solver.feedback.earned.tobytes()
    return earned + b"".join(getattr(side, name).tobytes() for side in solver.sides for name in names)


@pytest.mark.parametrize("recipe", ["cfr+", "normalhedge", "pdcfr+", "hs-dcfr", "hedge", "cfr(schedule=one-player)"])
@pytest.mark.parametrize("game", ["kuhn", "kuhn(cards=20)", "kuhn(cards=40)", "leduc", "goofspiel(cards=3)"])
def test_two_and_three_cores_change_no_bit(game: str, recipe: str) -> None:
    form = as_form(game)
    runs = [Solver(form, recipe, cores=number) for number in (1, 2, 3)]
    for run in runs:
        run.advance(20)
    assert isinstance(runs[1].feedback, CoresFeedback)
    assert not isinstance(runs[0].feedback, CoresFeedback)
    assert len({all_bytes(run) for run in runs}) == 1


@settings(max_examples=25)
@given(random_games() | general_sum_games() | st.integers(0, 1_000), st.sampled_from(["cfr", "cfr+"]))
def test_two_cores_change_no_bit_on_random_games(game: RandomGame | int, recipe: str) -> None:
    form = random_form(np.random.default_rng(game)) if isinstance(game, int) else as_form(game)
    one, two = Solver(form, recipe, cores=1), Solver(form, recipe, cores=2)
    one.advance(10)
    two.advance(10)
    assert all_bytes(one) == all_bytes(two)


def check_cut(treeplex: Treeplex, pieces: int) -> None:
    """Every information set once, children before parents, and no two groups that add to the same sequence."""
    parts = cut(treeplex.parent, treeplex.first, pieces)
    everything = [*parts.groups, parts.crown]
    assert sorted(np.concatenate(everything).tolist()) == list(range(treeplex.infosets))
    owner = np.repeat(np.arange(treeplex.infosets), np.diff(treeplex.first.astype(np.int64)))
    adders: dict[int, int] = {}
    for number, group in enumerate(parts.groups):
        assert (np.diff(group.astype(np.int64)) < 0).all()
        for i in group.tolist():
            before = int(treeplex.parent[i])
            assert before == 0 or adders.setdefault(before, number) == number
            assert before == 0 or owner[before - 1] in {*group.tolist(), *parts.crown.tolist()}
    for i in parts.crown.tolist():
        before = int(treeplex.parent[i])
        assert before not in adders
        assert before == 0 or owner[before - 1] in parts.crown


@given(random_games(), st.integers(1, 9))
def test_groups_hand_nothing_to_each_other(game: RandomGame, pieces: int) -> None:
    for treeplex in as_form(game).treeplexes:
        check_cut(treeplex, pieces)


@pytest.mark.parametrize("pieces", [1, 2, 16])
@pytest.mark.parametrize("game", ["kuhn(cards=20)", "leduc", "liars_dice(sides=4)"])
def test_games_are_cut_into_several_groups_of_about_the_same_size(game: str, pieces: int) -> None:
    for treeplex in as_form(game).treeplexes:
        check_cut(treeplex, pieces)
        sizes = [len(group) for group in cut(treeplex.parent, treeplex.first, pieces).groups]
        assert len(sizes) >= min(pieces, 2)
        assert max(sizes) <= treeplex.infosets / pieces + treeplex.infosets // (2 * pieces) + 1


def test_cores_are_used_where_it_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    form = as_form("kuhn")
    assert cores_to_use(form, None) == 1
    assert cores_to_use(form, 2) == 2
    monkeypatch.setattr(cores, "ENTRIES_THAT_PAY", 10)
    assert cores_to_use(form, None) == 7
    assert cores_to_use(form, 1) == 1


def test_ctrl_c_before_the_first_share_lets_the_others_go(monkeypatch: pytest.MonkeyPatch) -> None:
    one, three = Solver("leduc", "cfr+", cores=1, form="histories"), Solver("leduc", "cfr+", cores=3, form="histories")
    compiled = loop.compiled

    def interrupted(kernels: Kernels) -> Loop:
        def begin(state: Any, *rest: Any) -> None:
            if isinstance(state, ShareState) and state.core == 0:
                raise KeyboardInterrupt
            compiled(kernels)(state, *rest)

        return begin

    with monkeypatch.context() as patch:
        patch.setattr(loop, "compiled", interrupted)
        with pytest.raises(KeyboardInterrupt):
            three.advance(10)
    for run in (one, three):
        run.advance(10)
    assert all_bytes(one) == all_bytes(three)


def test_nobody_goes_on_before_all_have_come() -> None:
    counters, numbers = new_counters(3), list[int]()
    begin(counters, 0)

    def come(thread: int) -> None:
        assert begin(counters, thread)
        meet(counters, thread)
        numbers.append(thread)

    others = [Thread(target=come, args=(thread,)) for thread in (1, 2)]
    for other in others:
        other.start()
    for other in others:
        other.join(0.2)
        assert other.is_alive()
    assert not numbers
    meet(counters, 0)
    for other in others:
        other.join()
    assert sorted(numbers) == [1, 2]


def test_a_wrong_number_of_cores_is_named() -> None:
    with pytest.raises(UserError, match="cores=0 must be a whole number, at least 1"):
        Solver("kuhn", cores=0)
    with pytest.raises(UserError, match="cores=64 are more than there are: this program may use 7 here"):
        Solver("kuhn", cores=64)


class Machine:
    """A machine on which time passes only while work is done, and on which all cores may be quick or slow."""

    def __init__(self, one: float, together: float) -> None:
        self.time = 0.0
        self.waking = 2e-4  # what it takes to wake threads up
        self.seconds = {False: one, True: together}
        self.done: list[tuple[bool, int, int]] = []

    def do(self, all_cores: bool, begin: int, end: int) -> float:
        waking = self.waking if all_cores else 0.0
        self.time += waking + self.seconds[all_cores] * (end - begin)
        self.done.append((all_cores, begin, end))
        return waking


@pytest.mark.parametrize("one", [1e-5, 1e-3, 0.05])
@pytest.mark.parametrize("ratio", [0.5, 0.9, 2.0, 20.0])
def test_the_slower_way_is_tried_so_rarely_that_it_costs_little(one: float, ratio: float) -> None:
    machine = Machine(one, one * ratio)
    pace, iterations = Pace(lambda: machine.time), round(20 / one)
    pace.work(machine.do, iterations)
    assert [begin for _, begin, _ in machine.done[1:]] == [end for _, _, end in machine.done[:-1]]
    assert (machine.done[0][1], machine.done[-1][2]) == (0, iterations)
    assert machine.time <= 1.05 * iterations * one * min(ratio, 1)


def test_a_machine_that_becomes_busy_or_free_is_noticed() -> None:
    machine = Machine(1e-3, 5e-4)
    pace = Pace(lambda: machine.time)
    pace.work(machine.do, 10_000)
    machine.seconds[True] = 1e-2
    before = machine.time
    pace.work(machine.do, 10_000)
    assert machine.time - before <= 1.1 * 10
    machine.seconds[True] = 5e-4
    before = machine.time
    pace.work(machine.do, 10_000)
    assert machine.time - before <= 1.2 * 5


def test_changing_over_in_the_middle_of_a_run_changes_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    class Restless(Pace):
        def work(self, do: Callable[[bool, int, int], float], iterations: int) -> None:
            for k in range(iterations):
                do(k % 3 == 0, k, k + 1)

    monkeypatch.setattr(cores, "Pace", Restless)
    runs = [Solver("leduc", "pdcfr+", cores=number, form="histories") for number in (1, 2)]
    for run in runs:
        run.advance(40)
    assert all_bytes(runs[0]) == all_bytes(runs[1])
