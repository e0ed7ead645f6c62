"""The feedback ``network``: with a table that forgets nothing it is external sampling; with networks it learns."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import RandomGame, random_games

from regretlab.deep import Settings, Tally, tally
from regretlab.deep.feedback import NetworkFeedback
from regretlab.errors import UserError
from regretlab.evaluation import exploitability
from regretlab.feedback import Feedback
from regretlab.forms import GameLike, SequenceForm, Strategy, as_form, from_weights, uniform
from regretlab.games import Kuhn
from regretlab.rules import PLAIN_STEP, Step
from regretlab.solving import Solution, Solver, recipe, solve
from regretlab.solving.steps import steps

SMALL = "traversals=30, width=8, layers=1, training=20"
"""Settings with which nothing is learned well, but quickly."""


@dataclass
class Remembered:
    """What a table has learned: everything."""

    table: np.ndarray
    loss: float = 0.0
    weights: Mapping[str, np.ndarray] = field(default_factory=dict)


class ExactTable:
    """In place of the networks: the sums themselves, which are the regrets and the average that a table would hold."""

    def __init__(self, form: SequenceForm, player: int, chosen: Settings) -> None:
        pass

    def advantages(self, tally: Tally, seed: int, last: Mapping[str, np.ndarray] | None) -> Remembered:
        return Remembered(tally.total)

    def strategy(self, tally: Tally, seed: int, iterations: int) -> Remembered:
        return Remembered(tally.total)

    def fits(self, weights: Mapping[str, np.ndarray]) -> bool:
        return True


class TableSolver(Solver):
    """A run of ``feedback=network`` in which a table stands in for the networks: it needs no torch."""

    def _new_feedback(self, cores: int | None) -> Feedback:
        linear = self.recipe.alpha is not None
        return NetworkFeedback(self.form, self.sides, self.seed, self.recipe.settings, linear, ExactTable)


def run_both(game: GameLike, parts: str, iterations: int, seed: int = 3) -> tuple[Solver, Solver]:
    """External sampling, and the same by memories and a table, one walk an iteration."""
    form = as_form(game)
    tabular = Solver(form, f"cfr(feedback=external, {parts})", seed=seed)
    deep = TableSolver(form, f"cfr(feedback=network, traversals=1, {parts})", seed=seed)
    for solver in (tabular, deep):
        solver.advance(iterations)
    return tabular, deep


def differences(tabular: Solver, deep: Solver) -> dict[str, float]:
    """The largest one in each table, counted in what rounding can change."""
    return {
        name: max(
            float((abs(of_table - of_memory) / np.spacing(abs(of_table))).max(initial=0))
            for mine, other in zip(tabular.sides, deep.sides, strict=True)
            for of_table, of_memory in [(getattr(mine, name)[1:], getattr(other, name)[1:])]
        )
        for name in ("regret", "strategy", "total")
    }


@pytest.mark.parametrize("schedule", ["simultaneous", "alternating", "one-player"])
@pytest.mark.parametrize("averaging", ["uniform", "linear", "t^1.5"])
def test_with_an_exact_table_it_is_external_sampling_to_the_last_bit(schedule: str, averaging: str) -> None:
    tabular, deep = run_both("leduc", f"schedule={schedule}, averaging={averaging}", 200)
    assert tabular.evaluate() == deep.evaluate()
    assert differences(tabular, deep) == {"regret": 0, "strategy": 0, "total": 0}


@settings(max_examples=25)
@given(random_games(), st.sampled_from(["schedule=alternating, averaging=quadratic, delay=7", "schedule=one-player"]))
def test_with_an_exact_table_it_is_external_sampling_on_random_games(game: RandomGame, parts: str) -> None:
    """To the last bit, but for the average where a walk meets an information set of the other player twice: w σ + w σ
    there, and 2 w σ here, are rounded differently."""
    tabular, deep = run_both(game, parts, 60)
    tabular.evaluate()
    deep.evaluate()
    found = differences(tabular, deep)
    assert (found["regret"], found["strategy"]) == (0, 0)
    assert found["total"] <= 60


@pytest.mark.parametrize(
    "parts",
    [
        "schedule=alternating, alpha=1, beta=1, averaging=linear",
        "schedule=alternating, weigh=normalhedge",
        "schedule=alternating, averaging=t^30-5t/n, horizon=100",
    ],
    ids=["linear", "normalhedge", "fading"],
)
def test_linear_weights_normalhedge_and_fading_agree_up_to_rounding(parts: str) -> None:
    """A sample that counts t, in a sum, or a sum that is multiplied by (t − 1)/t: the same but for a factor of t."""
    tabular, deep = run_both("kuhn", parts, 60)
    assert deep.average.arrays[0] == pytest.approx(tabular.average.arrays[0], abs=1e-9)
    assert deep.current.arrays[1] == pytest.approx(tabular.current.arrays[1], abs=1e-9)


def test_many_walks_have_the_advantages_of_all_deals_on_average() -> None:
    """Against full traversal of the first iteration, which plays uniformly: 20,000 walks, four standard errors."""
    walks = 20_000
    full = Solver("leduc", "cfr", form="histories")
    deep = TableSolver("leduc", f"cfr(feedback=network, traversals={walks})", seed=1)
    full.advance(1)
    deep.advance(1)
    for mine, other in zip(full.sides, deep.sides, strict=True):
        reach = np.sqrt(np.maximum(abs(mine.regret), 1 / 60))
        assert (abs(other.regret / walks - mine.regret) < 4 * 13 * reach / np.sqrt(walks)).all()
        assert np.corrcoef(other.regret, mine.regret)[0, 1] > 0.99


def test_walks_of_one_iteration_differ() -> None:
    """The first walk of iteration t has draws of its own, however many walks came before."""
    alone = TableSolver("leduc", "cfr(feedback=network, traversals=1)", seed=1)
    often = TableSolver("leduc", "cfr(feedback=network, traversals=50)", seed=1)
    for solver in (alone, often):
        solver.advance(1)
    touched = [np.count_nonzero(solver.sides[0].regret) for solver in (alone, often)]
    assert touched[0] < 30 < 150 < touched[1]


def test_no_walk_is_walked_twice() -> None:
    """Three walks in iteration 2 are the walks 4, 5 and 6 of one walk an iteration, by the same strategies."""
    form = as_form("leduc")

    def seen(count: int, *iterations: int) -> list[float]:
        feedback = TableSolver(form, "cfr(feedback=network)", seed=1).feedback
        for iteration in iterations:
            feedback._walk(0, count, PLAIN_STEP._replace(number=iteration))  # type: ignore[attr-defined]
        memories = feedback._memories["advantages"][0], feedback._memories["strategies"][1]  # type: ignore[attr-defined]
        sums = [tally(memory, treeplex) for memory, treeplex in zip(memories, form.treeplexes, strict=True)]
        return [number for summed in sums for array in summed for number in array.tolist()]

    assert seen(3, 2) == pytest.approx(seen(1, 4, 5, 6))
    assert seen(3, 1, 2) == pytest.approx(seen(1, 1, 2, 3, 4, 5, 6))
    assert seen(3, 1) != pytest.approx(seen(3, 2))


def test_an_iteration_leaves_one_sample_of_an_information_set_however_many_walks_came_by() -> None:
    """Kuhn: every walk, for whomever it is, comes by one of J, Q and K of player 0."""
    solver = TableSolver("kuhn", "deep-cfr(traversals=500)", seed=1)
    solver.advance(1)
    learned, labels = solver.feedback.learned(), solver.form.treeplexes[0].labels
    for memory in ("memory.advantages0", "memory.strategies0"):
        known = learned[f"{memory}.infoset"].tolist()
        assert len(set(known)) == len(known)
        weights = zip(known, learned[f"{memory}.weight"].tolist(), strict=True)
        assert sum(weight for i, weight in weights if labels[i] in ("J", "Q", "K")) == 500


def test_every_training_has_a_seed_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two players, two kinds of networks, three iterations, two seeds of the run."""
    given: list[int] = []

    def note(self: ExactTable, tally: Tally, seed: int, third: object) -> Remembered:
        given.append(seed)
        return Remembered(tally.total)

    for kind in ("advantages", "strategy"):
        monkeypatch.setattr(ExactTable, kind, note)
    for seed in (1, 2):
        solver = TableSolver("kuhn", "deep-cfr(traversals=5)", seed=seed)
        for _ in range(3):
            solver.advance(1)
            solver.evaluate()
    assert len(set(given)) == len(given) == 2 * 2 * 3 * 2


def test_an_average_that_is_a_little_below_0_counts_as_0(monkeypatch: pytest.MonkeyPatch) -> None:
    def slightly_off(self: ExactTable, tally: Tally, seed: int, iterations: int) -> Remembered:
        table = np.full_like(tally.total, 0.5)
        table[1:3] = -0.01, 0.98
        return Remembered(table)

    monkeypatch.setattr(ExactTable, "strategy", slightly_off)
    solver = TableSolver("kuhn", "deep-cfr(traversals=5)")
    solver.advance(1)
    assert solver.average["J"] == {"check": 0, "bet": 1}
    assert solver.average["Q"] == {"check": 0.5, "bet": 0.5}


def test_every_memory_has_draws_of_its_own() -> None:
    """In rock-paper-scissors each walk leaves one sample in each; which ones stay differs."""
    solver = TableSolver("rps", "deep-cfr(traversals=1, capacity=20)", seed=1)
    solver.advance(100)
    kept = {array.tobytes() for name, array in solver.feedback.learned().items() if name.endswith(".weight")}
    assert len(kept) == 4


def test_what_sd_cfr_has_counted_fades_where_the_average_says_so() -> None:
    """Plans, by the weights of each iteration: those of 30 − 5 t/n grow too fast to be kept without fading."""
    solver = TableSolver("kuhn", "sd-cfr(traversals=5, averaging=t^30-5t/n, horizon=100)", seed=1)
    totals = [np.zeros_like(side.total) for side in solver.sides]
    for t in range(5):
        step = Step(*steps(solver.recipe, t, 1)[0].tolist())
        totals = [total * step.fade + step.weight * side.plan for total, side in zip(totals, solver.sides, strict=True)]
        solver.advance(1)
    assert step.fade < 0.1
    for total, side in zip(totals, solver.sides, strict=True):
        assert side.total == pytest.approx(total)


def test_the_fullest_memory_is_told() -> None:
    solver = TableSolver("kuhn", "deep-cfr(traversals=10, capacity=100)", seed=1)
    solver.advance(1)
    sizes = {len(array) for name, array in solver.feedback.learned().items() if name.endswith(".weight")}
    assert min(sizes) < max(sizes) < 100
    assert solver.feedback.progress().endswith(f", memory {max(sizes)} % full")


def test_the_average_of_the_table_converges() -> None:
    solver = TableSolver("kuhn", "cfr(feedback=network, traversals=100, schedule=alternating)", seed=2)
    solver.advance(300)
    assert solver.evaluate().exploitability < 0.01


def test_a_small_memory_stays_small_and_fair() -> None:
    """2,000 of 10,000 samples, early and late ones: the average t that is left is the average of all.

    In rock-paper-scissors each iteration leaves one sample in each memory, which counts t for each visit; a walk for
    player 0 meets player 1 after each of its three actions.
    """
    solver = TableSolver("rps", "deep-cfr(traversals=2, capacity=2000)", seed=2)
    solver.advance(10_000)
    learned = solver.solution().learned
    for name, visits in {"advantages0": 1, "advantages1": 1, "strategies0": 1, "strategies1": 3}.items():
        iterations = learned[f"memory.{name}.weight"] / (2 * visits)
        assert len(iterations) == 2_000
        assert learned[f"memory.{name}.seen"][0] == 10_000
        assert abs(iterations.mean() - 5_000.5) < 4 * 10_000 / np.sqrt(12 * 2_000)


def test_a_memory_has_no_room_for_what_does_not_count() -> None:
    solver = TableSolver("kuhn", "deep-cfr(traversals=5, delay=3)")
    solver.advance(3)
    assert len(solver.feedback.learned()["memory.strategies0.weight"]) == 0
    solver.advance(1)
    weights = solver.feedback.learned()["memory.strategies0.weight"]
    assert sum(weights[:3]) == 5, "one for each walk, which comes by one of J, Q and K"


# What follows trains networks.


@pytest.fixture
def torch() -> Any:
    return pytest.importorskip("torch")


@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize(("row", "weigh"), [("deep-cfr", "regret-matching"), ("sd-cfr", "normalhedge")])
def test_networks_learn_kuhn(row: str, weigh: str) -> None:
    small = "traversals=200, width=16, layers=1, training=40, rate=1/20"
    solver = Solver("kuhn", f"{row}(weigh={weigh}, {small})", seed=1)
    solver.advance(20)
    found = solver.evaluate()
    assert found.exploitability < 0.1 < 0.45 < exploitability("kuhn", uniform(as_form("kuhn")))
    assert abs(found.value + 1 / 18) < 0.1


@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize(
    ("row", "parts", "file"),
    [
        ("deep-cfr", "schedule=alternating", "run.safetensors"),
        ("deep-cfr", "weigh=normalhedge", "run.npz"),
        ("deep-cfr", "from_scratch=yes", "run.npz"),
        ("sd-cfr", "schedule=simultaneous", "run.safetensors"),
        ("sd-cfr", "capacity=100", "run.npz"),
    ],
)
def test_a_resumed_run_is_the_run_that_never_stopped(row: str, parts: str, file: str, tmp_path: Path) -> None:
    name = f"{row}({SMALL}, {parts})"
    through = solve("leduc", name, iterations=12, seed=9)
    solve("leduc", name, iterations=11, seed=9).save(tmp_path / file)
    resumed = solve("leduc", name, iterations=12, resume=tmp_path / file)
    assert resumed.history == through.history
    assert resumed.learned.keys() == through.learned.keys()
    for key, array in through.learned.items():
        assert (resumed.learned[key] == array).all()
    for table in ("regrets", "totals", "current", "strategy"):
        for mine, other in zip(getattr(resumed, table).arrays, getattr(through, table).arrays, strict=True):
            assert (mine == other).all()


SCRIPT = f"""
import hashlib
from regretlab.solving import solve
solution = solve("kuhn", "deep-cfr({SMALL})", iterations=3, seed=5)
digest = hashlib.sha256(repr(solution.history).encode())
for name, array in sorted(solution.learned.items()):
    digest.update(name.encode() + array.tobytes())
print(digest.hexdigest())
"""


def test_one_seed_one_result_in_any_process(torch: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Here, and in a process where torch's own generator has been used and more threads are allowed."""
    exec(SCRIPT)
    busy = "import torch; torch.manual_seed(3); torch.set_num_threads(2)\n" + SCRIPT
    command = [sys.executable, "-W", "error", "-c", busy]
    there = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    exec(SCRIPT.replace("seed=5", "seed=6"))
    here, other = capsys.readouterr().out.splitlines()
    assert there.strip() == here != other


def matched(form: SequenceForm, player: int, advantages: np.ndarray) -> Strategy:
    """Regret matching by the definition for one player; the other one plays uniformly."""
    weights = [np.zeros(treeplex.sequences) for treeplex in form.treeplexes]
    weights[player] = np.maximum(advantages, 0)
    return from_weights(form, (weights[0], weights[1]))


@pytest.mark.usefixtures("torch")
def test_the_average_of_sd_cfr_is_that_of_all_its_networks(tmp_path: Path) -> None:
    """From the saved networks alone: the strategy of each, in sequence form, counted t + 1 for the one trained in t."""
    from regretlab.deep import new_networks

    solve("leduc", f"sd-cfr({SMALL})", iterations=5, seed=2).save(tmp_path / "run.safetensors")
    solution = Solution.load(tmp_path / "run.safetensors")
    form, totals = solution.form, []
    for player in (0, 1):
        trainer = new_networks(form, player, solution.recipe.settings)
        total = uniform(form).plan(player)
        for t in range(1, 5):
            network = f"network.advantages{player}.{t}."
            weights = {name.removeprefix(network): array for name, array in solution.learned.items() if network in name}
            total = total + (t + 1) * matched(form, player, trainer.predictions(weights)).plan(player)
        totals.append(total)
    found = from_weights(form, (totals[0], totals[1]))
    for mine, other in zip(found.arrays, solution.strategy.arrays, strict=True):
        assert mine == pytest.approx(other, abs=1e-12)


@pytest.mark.usefixtures("torch")
def test_looking_at_the_average_changes_nothing() -> None:
    looked, straight = (Solver("kuhn", f"deep-cfr({SMALL})", seed=1) for _ in range(2))
    for _ in range(3):
        looked.advance(1)
        assert looked.evaluate() == looked.evaluate()
    straight.advance(3)
    assert looked.evaluate() == straight.evaluate()
    mine, other = looked.feedback.learned(), straight.feedback.learned()
    assert mine.keys() == other.keys()
    assert all((mine[name] == array).all() for name, array in other.items())


@pytest.mark.usefixtures("torch")
def test_progress_tells_losses_and_memory() -> None:
    told = []
    solve("kuhn", f"deep-cfr({SMALL})", iterations=3, callback=lambda progress: told.append(progress.note))
    assert len(told) == 3
    assert all(
        re.match(r"losses \d.\de[+-]\d\d, \d.\de[+-]\d\d, memory", text) and text.endswith(" % full") for text in told
    )


@pytest.mark.usefixtures("torch")
def test_a_run_without_a_number_of_iterations_ends_sooner() -> None:
    solver = Solver("kuhn", f"deep-cfr({SMALL})")
    goals = []
    solver.run(callback=lambda progress: goals.append(progress.goal) or True)
    assert goals == [100]


@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize("lost", ["memory.advantages0.sample", "memory.strategies1.seen"])
def test_a_run_without_its_memories_is_refused(lost: str, tmp_path: Path) -> None:
    solution = solve("kuhn", f"deep-cfr({SMALL})", iterations=2)
    del solution.learned[lost]
    solution.save(tmp_path / "run.npz")
    with pytest.raises(UserError, match=f"damaged: its {lost.rpartition('.')[0]} is not a memory of this game"):
        solve("kuhn", f"deep-cfr({SMALL})", iterations=4, resume=tmp_path / "run.npz")


@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize("row", ["deep-cfr", "sd-cfr"])
@pytest.mark.parametrize("change", ["leave out", "cut off", "misname"])
def test_a_run_without_its_networks_is_refused(row: str, change: str, tmp_path: Path) -> None:
    solution, lost = solve("kuhn", f"{row}({SMALL})", iterations=12), "network.advantages1.12.weight1"
    array = solution.learned.pop(lost)
    if change != "leave out":
        solution.learned[lost if change == "cut off" else "network.advantages1.weight1"] = array[1:]
    solution.save(tmp_path / "run.npz")
    with pytest.raises(UserError, match="damaged: it has no network of player 1 to go on with"):
        solve("kuhn", f"{row}({SMALL})", iterations=14, resume=tmp_path / "run.npz")


@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize("from_scratch", ["yes", "no"])
def test_networks_go_on_or_begin_anew(from_scratch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from regretlab.deep.network import Networks

    begun, done, advantages = [], [], Networks.advantages

    def note(self: Networks, tally: Tally, seed: int, last: Any) -> Any:
        begun.append(last)
        done.append(advantages(self, tally, seed, last))
        return done[-1]

    monkeypatch.setattr(Networks, "advantages", note)
    solve("kuhn", f"deep-cfr({SMALL}, from_scratch={from_scratch})", iterations=4)
    trained = [None, None, *(each.weights for each in done[:-2])]
    assert len(begun) == 8
    assert all(
        mine is other for mine, other in zip(begun, trained if from_scratch == "no" else [None] * 8, strict=True)
    )


@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize("content", [b"", b"no run", b'\x08\0\0\0\0\0\0\0{"a": 1}', b"\xff" * 64])
def test_a_file_that_is_no_run_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "run.safetensors"
    path.write_bytes(content)
    with pytest.raises(UserError, match="not a saved run, or it is damaged"):
        Solution.load(path)


@pytest.mark.usefixtures("torch")
def test_tables_can_be_saved_as_tensors_too(tmp_path: Path) -> None:
    solution = solve("kuhn", "cfr+", iterations=20)
    solution.save(tmp_path / "run.safetensors")
    again = solve("kuhn", "cfr+", iterations=30, resume=tmp_path / "run.safetensors")
    assert again.history == solve("kuhn", "cfr+", iterations=30).history


@pytest.mark.parametrize("package", ["torch", "safetensors"])
def test_without_the_packages_it_says_how_to_install_them(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UserError, match=r"sd-cfr needs .*; install it with: pip install 'regretlab\[deep\]'"):
        Solver("kuhn", "sd-cfr")
    assert Solver("kuhn", "cfr").iteration == 0


def test_a_player_without_a_choice_learns_nothing() -> None:
    class Alone(Kuhn):
        """Player 1 never moves: a bet ends the hand, and so does a check."""

        def player(self, state):  # type: ignore[no-untyped-def]
            turn = super().player(state)
            return -2 if turn == 1 else turn

        def payoff(self, state):  # type: ignore[no-untyped-def]
            return 1 if state[2] == "b" else 0

    solver = TableSolver(Alone(), "deep-cfr(traversals=5)")
    solver.advance(3)
    assert solver.average["J"] == {"check": 0, "bet": 1}  # alternating: what counts is what was just learned


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("cfr+(feedback=network)", "feedback=network keeps samples, not regrets; use accumulate=sum and predict=no"),
        ("deep-cfr(predict=yes)", "use accumulate=sum and predict=no"),
        ("deep-cfr(weigh=hedge)", "knows regrets up to their scale; use weigh=regret-matching or weigh=normalhedge"),
        ("dcfr(feedback=network)", "weighs samples by 1 or t; use alpha and beta both none, or both 1"),
        ("deep-cfr(alpha=none)", "use alpha and beta both none, or both 1"),
        ("cfr(traversals=5)", "cfr(traversals=5): traversals belongs to feedback=network"),
        ("deep-cfr(feedback=full, rate=1)", "rate belongs to feedback=network"),
        ("deep-cfr(width=0)", "width=0 must be a whole number, at least 1 and at most 10,000"),
        ("deep-cfr(rate=0)", "rate=0 must be above 0"),
        ("deep-cfr(strategy_network=maybe)", "strategy_network=maybe"),
        ("deep-cfr(from_scratch=2)", "from_scratch=2"),
        ("deep-cfr(wdth=3)", "unknown part of deep-cfr 'wdth'; did you mean 'width'?"),
    ],
)
def test_parts_that_do_not_go_together_are_named(name: str, complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        recipe(name)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("deep-cfr(strategy_network=no)", "sd-cfr"),
        ("sd-cfr(strategy_network=yes)", "deep-cfr"),
        ("sd-cfr(from_scratch=yes, traversals=7)", "sd-cfr(traversals=7, from_scratch=yes)"),
        ("deep-cfr(rate=0.5, layers=2)", "deep-cfr(layers=2, rate=1/2)"),
        ("deep-cfr(feedback=full)", "lcfr"),
    ],
)
def test_names_of_recipes_with_networks(name: str, short: str) -> None:
    assert recipe(recipe(name).name).parts == recipe(name).parts
    assert recipe(name).name == short
