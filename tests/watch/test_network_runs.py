"""Runs that train networks: their numbers, their arithmetic, and the process that trains them."""

import re
import subprocess
from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import regretlab as rl
from regretlab.deep import new_networks
from regretlab.errors import UserError
from regretlab.explaining.advantages import advantages_at
from regretlab.forms import Labelled
from regretlab.rules import PLAIN_STEP
from regretlab.solving import Solver
from regretlab.watch import trainer, training
from regretlab.watch.frames import drawn_walks, hands_seen, sentence
from regretlab.watch.offers import NETWORKS, recipe_shown
from regretlab.watch.watched_game import watched_game
from regretlab.watch.watched_run import NetworkRun, in_sections

SMALL = {"traversals": 20, "capacity": 30, "width": 8, "layers": 1, "training": 5}
"""What learns nothing well, but quickly."""


@pytest.fixture
def torch():
    """For tests that train."""
    return pytest.importorskip("torch")


def small(row: str = "deep-cfr") -> str:
    return recipe_shown(row, SMALL).name


def bits(table: Labelled) -> list[bytes]:
    return [array.tobytes() for array in table.arrays]


# Runs.


@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize("row", NETWORKS)
@settings(max_examples=2, deadline=None)
@given(targets=st.lists(st.integers(0, 12), min_size=2, max_size=5), seed=st.integers(0, 5))
@example(targets=[9, 3, 8, 7, 0, 1, 9], seed=1)
def test_any_way_leads_to_what_the_engine_has_there(row: str, targets: list[int], seed: int) -> None:
    run = NetworkRun(watched_game("1", "3/2"), rl.recipe(small(row)), seed)
    for target in targets:
        moment = run.go(target)
    solver = Solver("kuhn(bet=3/2)", small(row), seed=seed)
    if targets[-1]:
        solver.advance(targets[-1])
    expected, found = solver.solution(), moment.solution
    for table in ("strategy", "current", "regrets", "totals"):
        assert bits(getattr(found, table)) == bits(getattr(expected, table))
    assert (found.value, found.exploitability) == (expected.value, expected.exploitability)
    assert found.current_exploitability == expected.current_exploitability
    assert found.learned.keys() == expected.learned.keys()
    assert all((found.learned[name] == array).all() for name, array in expected.learned.items())
    if targets[-1]:
        assert moment.networks is not None
        for kind, losses in solver.feedback.losses.items():
            assert [fit["loss"] for fit in moment.networks[kind]] == losses


@pytest.mark.usefixtures("torch")
def test_little_is_done_twice_and_little_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NetworkRun, "last", 50)
    run = NetworkRun(watched_game("1", "1"), rl.recipe(small()), 0)
    run.go(50)
    assert len(run._kept) == len(run.points) < 40
    advanced = []
    advance = Solver.advance
    monkeypatch.setattr(Solver, "advance", lambda self, n: (advanced.append(n), advance(self, n)))
    for target in (49, 48, 7, 3, 45):
        advanced.clear()
        run.go(target)
        assert sum(advanced) < 6
    with pytest.raises(UserError, match="between 0 and 50"):
        run.go(51)


@pytest.mark.usefixtures("torch")
def test_a_turn_is_one_iteration_even_where_the_run_has_been() -> None:
    run = NetworkRun(watched_game("1", "1"), rl.recipe(small()), 0)
    run.go(9)
    run.go(2)
    assert [run.go(9, seconds=0.0).solution.iterations for _ in range(3)] == [3, 4, 5]


@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize("seed", [0, 2**63 - 1])
@pytest.mark.parametrize("row", NETWORKS)
def test_the_walk_in_gold_is_the_last_one_that_the_memory_has(row: str, seed: int) -> None:
    """That it is walk 7 t of the run is asked of another memory, which has this walk alone, by the same strategies."""
    shown, name = watched_game("1", "1"), f"{row}(traversals=7, width=2, layers=1, training=2)"
    solver, other = Solver("kuhn", name, seed=seed), Solver("kuhn", name, seed=seed)
    deals = set()
    for iteration in range(1, 31):
        played = solver.current
        solver.advance(1)
        walks = drawn_walks(shown, solver.recipe, solver.feedback, iteration, played, solver.current)
        assert [walk.walker for walk in walks] == [0, 1]
        walk = walks[1]
        met = [int(shown.tree.infoset[each]) for each in walk.histories if shown.tree.player[each] == 1]
        other.sides[0].strategy[:], other.sides[1].strategy[:] = solver.current.arrays[0], played.arrays[1]
        other.feedback._walk(1, 1, PLAIN_STEP._replace(number=7 * iteration))
        remembered = other.feedback.learned()["memory.advantages1.infoset"]
        assert Counter(met) == Counter(remembered[len(remembered) - len(met) :].tolist())
        deals.add(walk.deal)
        last = " and ".join(f"{each.deal[0]} against {each.deal[1]}" for each in walks)
        assert f"The last walks were on {last}." in sentence(shown, solver.recipe, iteration, walks)
    assert len(deals) > 3
    assert hands_seen(shown, solver.recipe, 30) == 30 * 2 * 7


# The arithmetic.


def of_infoset(solution, label: str, kind: str = "advantages") -> tuple[int, np.ndarray, np.ndarray]:
    """The player, and weights and samples of an information set, by plain loops."""
    player = solution.form.owner(label)
    place = solution.form.treeplexes[player].index[label]
    memory = {name: solution.learned[f"memory.{kind}{player}.{name}"] for name in ("infoset", "weight", "sample")}
    rows = [row for row, infoset in enumerate(memory["infoset"]) if infoset == place]
    return player, memory["weight"][rows], memory["sample"][rows]


def says(solution, label: str, kind: str) -> tuple[float, ...]:
    """What the saved network of this kind says of the actions."""
    player = solution.form.owner(label)
    treeplex, network = solution.form.treeplexes[player], f"network.{kind}{player}.{solution.iterations}."
    saved = {name.removeprefix(network): array for name, array in solution.learned.items() if network in name}
    first = treeplex.first[treeplex.index[label]]
    return tuple(new_networks(solution.form, player, solution.recipe.settings).predictions(saved)[first : first + 2])


@pytest.mark.usefixtures("torch")
def test_the_arithmetic_goes_from_samples_to_the_strategy() -> None:
    """Means by the definition, predictions from the saved weights, regret matching by the definition."""
    shown, solution = watched_game("1", "1"), rl.solve("kuhn", small(), iterations=9, seed=4)
    squares, total = [0.0, 0.0], [0.0, 0.0]
    for label in shown.labels:
        player, weights, samples = of_infoset(solution, label)
        means = (weights @ samples) / weights.sum()
        squares[player] += weights.sum() * (means**2).sum()
        total[player] += 2 * weights.sum()
    for label in shown.labels:
        player, weights, samples = of_infoset(solution, label)
        told = advantages_at(shown.form, solution, label)
        assert (told.held, told.samples) == (30, len(weights))
        assert told.means == pytest.approx(weights @ samples / weights.sum())
        assert told.scale == pytest.approx((squares[player] / total[player]) ** 0.5)
        assert told.predicted == says(solution, label, "advantages")
        positive = np.maximum(told.predicted, 0)
        expected = positive / positive.sum() if positive.any() else np.array([0.5, 0.5])
        assert told.strategy == pytest.approx(expected.tolist())
        told_words = re.sub("<[^>]*>", " ", in_sections(told))
        assert f"{told.samples:,} of them of {label}" in told_words
        assert f"The memory of player {player + 1} holds 30 samples" in told_words


@pytest.mark.usefixtures("torch")
def test_losses_are_the_weighted_means_of_squared_errors() -> None:
    """From the memories by the definition; the loss is taken before the last of many steps, which changes little."""
    shown = watched_game("1", "1")
    moment = NetworkRun(shown, recipe_shown("deep-cfr", {"training": "50"}), 3).go(2)
    solution, errors, total = moment.solution, Counter(), Counter()
    for label in shown.labels:
        for kind, scale in (("advantages", advantages_at(shown.form, solution, label).scale), ("strategies", 1.0)):
            player, weights, samples = of_infoset(solution, label, kind)
            if len(weights):
                means = weights @ samples / weights.sum() / scale
                errors[kind, player] += weights.sum() * np.square(means - says(solution, label, kind)).sum()
                total[kind, player] += 2 * weights.sum()
    for (kind, player), error in errors.items():
        assert moment.networks is not None
        assert moment.networks[kind][player]["loss"] == pytest.approx(error / total[kind, player], rel=0.2, abs=1e-9)


@pytest.mark.usefixtures("torch")
def test_a_network_that_is_trained_long_says_what_the_memory_says() -> None:
    name = "sd-cfr(traversals=200, width=32, layers=2, training=600, rate=1/50)"
    shown, solution = watched_game("1", "1"), rl.solve("kuhn", name, iterations=1)
    for label in shown.labels:
        told = advantages_at(shown.form, solution, label)
        if told.samples:
            assert np.divide(told.means, told.scale) == pytest.approx(told.predicted, abs=0.02)


@pytest.mark.usefixtures("torch")
def test_the_arithmetic_before_the_first_iteration_says_that_there_is_nothing() -> None:
    run = NetworkRun(watched_game("1", "1"), rl.recipe(small()), 0)
    moment = run.go(0)
    told = run.explained("Qcb")
    assert (told["iteration"], told["samples"], told["means"], told["strategy"]) == (0, 0, [], [0.5, 0.5])
    assert "holds no sample yet" in told["html"]
    assert moment.networks == {
        "capacity": 30,
        "advantages": [{"loss": None, "held": 0, "seen": 0}] * 2,
        "strategies": [{"loss": None, "held": 0, "seen": 0}] * 2,
    }


# The process that trains.


def test_the_trainer_leaves_when_nobody_can_ask_any_more() -> None:
    with subprocess.Popen(training.COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        said, _ = process.communicate('{"do": "frame", "run": 3, "target": 1, "seconds": 0, "goal": 0, "speed": 1}\n')
    assert process.returncode == 0
    assert said in ("", '{"lost": true}\n')


def test_orders_that_fail_are_answered(capsys) -> None:
    runs: dict = {}
    opened = {"do": "open", "run": 1, "ante": "1", "bet": "-1", "recipe": "deep-cfr", "seed": 0}
    assert trainer.answer(runs, opened) == {"error": "bet=-1 must be between 0.001 and 1,000,000"}
    assert trainer.answer(runs, {"do": "dance", "run": 1}) == {"fault": "KeyError where networks are trained"}
    assert "KeyError" in capsys.readouterr().err
    assert trainer.answer(runs, {"do": "explain", "run": 1, "label": "J"}) == {"lost": True}
    assert trainer.answer(runs, {"do": "close", "run": 1}) == {}
