"""Outcome sampling: every walk by the definition, and what they come to on average."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest
from expectation import (
    actions_of,
    assert_means,
    exact_count,
    exact_values,
    form_of,
    histories,
    new_walkers,
    payoff_to,
    positions,
    random_strategy,
    sampled,
    seen,
    walked,
)
from scipy.stats import chi2

from regretlab.feedback.draws import new_stream
from regretlab.feedback.outcome import walk_outcome
from regretlab.feedback.walker import new_ground
from regretlab.forms import SequenceForm, Strategy
from regretlab.games import TERMINAL
from regretlab.solving import solve

EPSILON = 0.6


class Walk(NamedTuple):
    """What a walk to one end of the game does, and how likely it is."""

    probability: float
    values: np.ndarray
    total: np.ndarray


def every_walk(form: SequenceForm, strategy: Strategy, player: int) -> list[Walk]:
    """By the definition, with the probability q of own actions multiplied out along each path."""
    tree, found = histories(form), []
    reached = {here.history: here for here in positions(form, strategy)}
    for end in (here for here in reached.values() if tree.player[here.history] == TERMINAL):
        values = np.zeros(form.treeplexes[player].sequences)
        total = np.zeros(form.treeplexes[1 - player].sequences)
        explored = 1.0
        for here, following in zip(end.path, (*end.path[1:], end.history), strict=True):
            if tree.player[here] == player:
                actions = actions_of(form, player, here)
                number = actions.stop - actions.start
                played = strategy.arrays[player][actions.start + following - int(tree.children[here])]
                explored *= EPSILON / number + (1 - EPSILON) * played
            elif tree.player[here] == 1 - player:
                actions = actions_of(form, 1 - player, here)
                total[actions] += strategy.arrays[1 - player][actions] / explored
        values[end.own[player]] = payoff_to(form, player, end.history) / explored
        found.append(Walk(end.chance * end.reach[1 - player] * explored, values, total))
    return found


def key(values: np.ndarray, total: np.ndarray) -> tuple[float, ...]:
    return tuple(np.round(np.concatenate([values, total]), 9) + 0.0)


@pytest.mark.parametrize("game", ["kuhn", "rps", *range(-6, 20)], ids=str)
@pytest.mark.parametrize("player", [0, 1])
def test_walks_are_those_of_the_definition_as_often_as_they_should_be(game: str | int, player: int) -> None:
    """Their expectation is exact, and a chi-square test of 600 walks stays below the 0.9999 quantile."""
    form = form_of(game)
    strategy = random_strategy(form, seed=1)
    expected: Counter[tuple[float, ...]] = Counter()
    for walk in every_walk(form, strategy, player):
        expected[key(walk.values, walk.total)] += walk.probability * 600
    walks = every_walk(form, strategy, player)
    assert sum(walk.probability for walk in walks) == pytest.approx(1)
    assert sum(walk.probability * walk.values for walk in walks) == pytest.approx(exact_values(form, strategy, player))
    assert sum(walk.probability * walk.total for walk in walks) == pytest.approx(
        exact_count(form, strategy, 1 - player)
    )
    ground, walkers = new_ground(histories(form)), new_walkers(form, strategy)
    mine, theirs = walkers[player], walkers[1 - player]
    counts: Counter[tuple[float, ...]] = Counter()
    for t in range(1, 601):
        theirs.total[:] = 0.0
        walk_outcome(ground, mine, theirs, EPSILON, 1.0, np.uint64(new_stream(3, t, player)))
        counts[key(seen(mine), theirs.total)] += 1
    assert counts.keys() <= {walk for walk, often in expected.items() if often > 0}
    often = [walk for walk in expected if expected[walk] >= 5]
    squares = sum((counts[walk] - expected[walk]) ** 2 / expected[walk] for walk in often)
    assert squares <= chi2.ppf(0.9999, max(1, len(often)))


def test_the_means_of_many_walks_are_right() -> None:
    """3,200 walks for each player of Kuhn and of ten random games."""
    assert_means(
        run
        for game, player in itertools.product(["kuhn", *range(10)], (0, 1))
        for run in sampled(
            form_of(game),
            player,
            3_200,
            lambda ground, mine, theirs, stream: walk_outcome(ground, mine, theirs, EPSILON, 1.0, stream),
        )
    )


def test_a_walk_by_hand() -> None:
    """Player 0 checks the Jack with probability 3/4, the Queen bets, and player 0 folds.

    The check is drawn with q = 0.6/2 + 0.4 · 3/4 = 0.6, the fold with 1/2: a payoff of −1 counts as −1 / 0.3. Half of
    that, −5/3, is what Jcb earns, and the check; 3/4 of that, −5/4, is what J earns. The Queen counts 1/0.6 times.
    """
    played = {"J": (0.75, 0.25), "Qc": (0.5, 0.5)}
    folded = lambda found: found.regrets["Jcb"]["fold"] < 0 < found.totals["Qc"]["bet"]  # noqa: E731
    found = walked("outcome-sampling", played, folded)
    assert found.regrets["Jcb"] == pytest.approx({"fold": -5 / 3, "call": 5 / 3})
    assert found.regrets["J"] == pytest.approx({"check": -5 / 12, "bet": 5 / 4})
    assert found.totals["Qc"] == pytest.approx({"check": 5 / 6, "bet": 5 / 6})
    assert found.totals["Qb"] == {"fold": 0, "call": 0}


@pytest.mark.parametrize(
    "recipe",
    [
        "outcome-sampling",
        "outcome-sampling(epsilon=1)",
        "outcome-sampling(schedule=simultaneous)",
        "outcome-sampling(schedule=one-player)",
        "cfr+(feedback=outcome)",
        "normalhedge(feedback=outcome)",
    ],
)
def test_every_rule_and_schedule_converges_on_kuhn(recipe: str) -> None:
    """After 100,000 iterations all seeds are below 0.05; the uniform strategy has 0.46."""
    assert max(solve("kuhn", recipe, iterations=100_000, seed=seed).exploitability for seed in range(3)) < 0.05


def test_kuhn_after_so_many_iterations_is_as_good_as_openspiels() -> None:
    """Mean exploitability over ten seeds each, after 10,000 iterations: equal within four standard errors."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("kuhn_poker")
    theirs = []
    for seed in range(10):
        solver = pyspiel.OutcomeSamplingMCCFRSolver(game, EPSILON, seed)
        for _ in range(10_000):
            solver.run_iteration()
        theirs.append(pyspiel.exploitability(game, solver.average_policy()))
    ours = [solve("kuhn", "outcome-sampling", iterations=10_000, seed=seed).exploitability for seed in range(10)]
    error = np.sqrt((np.var(ours, ddof=1) + np.var(theirs, ddof=1)) / 10)
    assert abs(np.mean(ours) - np.mean(theirs)) < 4 * error
