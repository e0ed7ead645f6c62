"""External sampling: what a walk sees and counts, by hand, over all draws, and on average."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from expectation import (
    assert_means,
    exact_count,
    exact_values,
    form_of,
    histories,
    new_walkers,
    random_strategy,
    sampled,
    seen,
    walked,
)

from regretlab.feedback.external import walk_external
from regretlab.feedback.walker import Ground, new_ground
from regretlab.forms import SequenceForm, Strategy
from regretlab.games import CHANCE
from regretlab.solving import Solver, solve

MOST_DRAWS = 500


def draws(form: SequenceForm, player: int) -> int:
    """In how many ways everything but ``player`` can be drawn, at most."""
    tree = histories(form)
    dealt = np.diff(tree.children)[tree.player == CHANCE]
    return int(dealt.prod(dtype=float) * np.diff(form.treeplexes[1 - player].first).prod(dtype=float))


def every_draw(form: SequenceForm, strategy: Strategy, player: int) -> Iterator[tuple[float, Ground, np.ndarray]]:
    """Each of them: its probability, a ground on which chance has no choice, and the other player's pure strategy."""
    tree, played = histories(form), strategy.arrays[1 - player]
    dealt = [range(tree.children[h], tree.children[h + 1]) for h in np.flatnonzero(tree.player == CHANCE)]
    acted = [range(low, high) for low, high in itertools.pairwise(form.treeplexes[1 - player].first)]
    for outcomes, actions in itertools.product(itertools.product(*dealt), itertools.product(*acted)):
        before, pure = np.zeros(tree.histories), np.zeros(len(played))
        for options, outcome in zip(dealt, outcomes, strict=True):
            before[outcome + 1 : options.stop] = 2.0  # beyond every number that is drawn
        pure[[0, *actions]] = 1.0
        probability = tree.probability[list(outcomes)].prod() * played[list(actions)].prod()
        yield float(probability), new_ground(tree)._replace(before=before), pure


@pytest.mark.parametrize("game", ["kuhn", "rps", *range(-12, 60)], ids=str)
def test_the_expectation_over_all_draws_is_exact(game: str | int) -> None:
    form = form_of(game)
    strategy = random_strategy(form, seed=1)
    for player in (player for player in (0, 1) if draws(form, player) <= MOST_DRAWS):
        values = np.zeros(form.treeplexes[player].sequences)
        total = np.zeros(form.treeplexes[1 - player].sequences)
        for probability, ground, pure in every_draw(form, strategy, player):
            walkers = new_walkers(form, strategy)
            mine, theirs = walkers[player], walkers[1 - player]
            theirs.strategy[:] = pure
            walk_external(ground, mine, theirs, 1.0, np.uint64(0))
            values += probability * seen(mine)
            total += probability * theirs.total
        assert values == pytest.approx(exact_values(form, strategy, player), abs=1e-12)
        assert total == pytest.approx(exact_count(form, strategy, 1 - player), abs=1e-12)


def test_the_means_of_many_walks_are_right() -> None:
    """3,200 walks for each player of Kuhn and of ten random games."""
    assert_means(
        run
        for game, player in itertools.product(["kuhn", *range(10)], (0, 1))
        for run in sampled(
            form_of(game),
            player,
            3_200,
            lambda ground, mine, theirs, stream: walk_external(ground, mine, theirs, 1.0, stream),
        )
    )


def test_a_walk_by_hand() -> None:
    """Player 0 has the Jack; the Queen bets after a check, and in this draw calls a bet.

    At Jcb a fold earns −1 and a call −2, together −3/2, which is what the check earns; the bet earns −2. So J earns
    −7/4. The Queen's strategy counts as it is, whatever was drawn from it.
    """
    played = {"Qc": (0.0, 1.0), "Qb": (0.25, 0.75)}
    called = lambda found: found.regrets["J"]["bet"] == -1 / 4 and found.totals["Qb"]["call"] > 0  # noqa: E731
    found = walked("external-sampling", played, called)
    assert found.regrets["Jcb"] == {"fold": 1 / 2, "call": -1 / 2}
    assert found.regrets["J"] == {"check": 1 / 4, "bet": -1 / 4}
    assert found.regrets["Q"] == found.regrets["K"] == {"check": 0, "bet": 0}
    assert found.totals["Qc"] == {"check": 0, "bet": 1}
    assert found.totals["Qb"] == {"fold": 0.25, "call": 0.75}
    assert not any(number for label in ("Jc", "Jb", "Kc", "Kb", "J", "Jcb") for number in found.totals[label].values())


def test_the_other_player_does_one_thing_at_an_information_set() -> None:
    """In rock, paper, scissors the three own actions meet the same answer: what they earn sums to 0, regrets do, too.

    The walk comes by the other player's information set three times and counts a third for each action each time.
    """
    answers = set()
    for seed in range(40):
        solver = Solver("rps", "external-sampling(schedule=one-player)", seed=seed)
        solver.advance(1)
        answers.add(tuple(solver.sides[0].regret[1:]))
        assert solver.sides[1].total[1:] == pytest.approx(1.0)
    assert answers == set(itertools.permutations((-1, 0, 1))) - {(-1, 1, 0), (0, -1, 1), (1, 0, -1)}


def test_leduc_after_so_many_iterations_is_as_good_as_openspiels() -> None:
    """Mean exploitability over ten seeds each, after 2,000 iterations: equal within four standard errors."""
    pyspiel = pytest.importorskip("pyspiel")
    game, form = pyspiel.load_game("leduc_poker"), form_of("leduc")
    theirs = []
    for seed in range(10):
        solver = pyspiel.ExternalSamplingMCCFRSolver(game, seed)
        for _ in range(2_000):
            solver.run_iteration()
        theirs.append(pyspiel.exploitability(game, solver.average_policy()))
    ours = [solve(form, "external-sampling", iterations=2_000, seed=seed).exploitability for seed in range(10)]
    error = np.sqrt((np.var(ours, ddof=1) + np.var(theirs, ddof=1)) / 10)
    assert abs(np.mean(ours) - np.mean(theirs)) < 4 * error
    assert error < 0.05 * np.mean(theirs)


@pytest.mark.parametrize(
    "recipe",
    [
        "external-sampling",
        "external-sampling(schedule=simultaneous)",
        "external-sampling(schedule=one-player)",
        "cfr+(feedback=external)",
        "dcfr(feedback=external)",
        "normalhedge(feedback=external)",
    ],
)
def test_every_rule_and_schedule_converges_on_kuhn(recipe: str) -> None:
    """After 40,000 iterations all seeds are below 0.02; the uniform strategy has 0.46."""
    assert max(solve("kuhn", recipe, iterations=40_000, seed=seed).exploitability for seed in range(3)) < 0.02
