"""What sampled walks come to on average, by the definitions: sums over histories, with every reach multiplied out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
from random_games import GeneralSumGame, RandomGame

from regretlab.feedback.draws import new_stream
from regretlab.feedback.walker import Ground, Walker, new_ground, new_walker
from regretlab.forms import SequenceForm, Strategy, Tree, as_form, from_weights
from regretlab.games import CHANCE, TERMINAL
from regretlab.solving import Solution, Solver

BLOCKS = 16
"""Means over so many times as many samples should be nearer to the truth by the square root of that: four times."""

Walk = Callable[[Ground, Walker, Walker, np.uint64], None]
"""A walk for the first player, in which the second is counted, with the draws of a stream."""


class Position(NamedTuple):
    """A history, and how it is reached."""

    history: int
    chance: float  # the product of the chance probabilities
    reach: tuple[float, float]  # the product of each player's own probabilities
    own: tuple[int, int]  # each player's last sequence
    path: tuple[int, ...]  # the histories before it


def histories(form: SequenceForm) -> Tree:
    assert form.tree is not None
    return form.tree


def random_strategy(form: SequenceForm, seed: int) -> Strategy:
    """Random behaviour in which a third of the actions is never played, as regret matching has it, and none rarely."""
    rng = np.random.default_rng(seed)
    zero, one = (
        np.where(rng.random(treeplex.sequences) < 1 / 3, 0.0, rng.uniform(0.2, 1.0, treeplex.sequences))
        for treeplex in form.treeplexes
    )
    return from_weights(form, (zero, one))


def positions(form: SequenceForm, strategy: Strategy) -> Iterator[Position]:
    """All histories, parents before children."""
    tree = histories(form)
    pending = [Position(0, 1.0, (1.0, 1.0), (0, 0), ())]
    while pending:
        here = pending.pop()
        yield here
        player = tree.player[here.history]
        for a, child in enumerate(range(tree.children[here.history], tree.children[here.history + 1])):
            reach, own = list(here.reach), list(here.own)
            if player != CHANCE:
                own[player] = int(form.treeplexes[player].first[tree.infoset[here.history]]) + a
                reach[player] *= strategy.arrays[player][own[player]]
            chance = here.chance * tree.probability[child]
            path = (*here.path, here.history)
            pending.append(Position(child, chance, (reach[0], reach[1]), (own[0], own[1]), path))


def actions_of(form: SequenceForm, player: int, history: int) -> slice:
    """The sequences of the information set of a history."""
    first, i = form.treeplexes[player].first, histories(form).infoset[history]
    return slice(int(first[i]), int(first[i + 1]))


def payoff_to(form: SequenceForm, player: int, history: int) -> float:
    return float(histories(form).payoff_to(player)[history])


def exact_values(form: SequenceForm, strategy: Strategy, player: int) -> np.ndarray:
    """For each sequence the payoffs of the ends that it leads to, weighted with the reach of everybody else."""
    values = np.zeros(form.treeplexes[player].sequences)
    for here in positions(form, strategy):
        if histories(form).player[here.history] == TERMINAL:
            values[here.own[player]] += here.chance * here.reach[1 - player] * payoff_to(form, player, here.history)
    return values


def exact_count(form: SequenceForm, strategy: Strategy, player: int) -> np.ndarray:
    """For each sequence own reach × probability × a constant: the chance of the information set's histories, summed."""
    total = np.zeros(form.treeplexes[player].sequences)
    for here in positions(form, strategy):
        if histories(form).player[here.history] == player:
            actions = actions_of(form, player, here.history)
            total[actions] += here.chance * here.reach[player] * strategy.arrays[player][actions]
    return total


def new_walkers(form: SequenceForm, strategy: Strategy) -> tuple[Walker, Walker]:
    """Two players who have seen nothing and counted nothing."""
    zero, one = (
        new_walker(player, treeplex.first, played.copy(), np.zeros(len(played)), np.zeros(len(played)))
        for player, (treeplex, played) in enumerate(zip(form.treeplexes, strategy.arrays, strict=True))
    )
    return zero, one


def seen(mine: Walker) -> np.ndarray:
    """What the last walk noted for each sequence: nothing where it was not."""
    values = np.zeros(len(mine.values))
    values[0] = mine.values[0]
    for i in mine.touched.order[: mine.touched.size[0]]:
        actions = slice(int(mine.first[i]), int(mine.first[i + 1]))
        values[actions] = mine.values[actions]
    return values


def assert_means(runs: Iterable[tuple[np.ndarray, np.ndarray]]) -> None:
    """The means of several lots of samples are right within four standard errors, and their errors fall as 1/√n.

    The latter compares the errors of means over all samples with those over a sixteenth, in standard deviations, over
    all lots. A quarter is expected; a bias as large as the errors of the small means would leave it at 0.7 or more.
    """
    whole, blocks = 0.0, 0.0
    for samples, exact in runs:
        spread = samples.std(axis=0)
        error = samples.mean(axis=0) - exact
        assert (abs(error) <= 4 * spread / np.sqrt(len(samples)) + 1e-12).all()
        errors = samples.reshape(BLOCKS, -1, samples.shape[1]).mean(axis=1) - exact
        spread[spread < 1e-12] = np.inf  # what is the same in every walk says nothing about rates
        whole += ((error / spread) ** 2).sum()
        blocks += ((errors / spread) ** 2).sum() / BLOCKS
    assert 0.15 < np.sqrt(whole / blocks) < 0.4


def sampled(form: SequenceForm, player: int, walks: int, walk: Walk) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """What many walks for ``player`` see and count from random strategies, with what they should come to on average."""
    strategy = random_strategy(form, seed=2)
    ground, walkers = new_ground(histories(form)), new_walkers(form, strategy)
    mine, theirs = walkers[player], walkers[1 - player]
    values, totals = [], []
    for t in range(1, walks + 1):
        theirs.total[:] = 0.0
        walk(ground, mine, theirs, np.uint64(new_stream(5, t, player)))
        values.append(seen(mine))
        totals.append(theirs.total.copy())
    yield np.array(values), exact_values(form, strategy, player)
    yield np.array(totals), exact_count(form, strategy, 1 - player)


def form_of(game: str | int) -> SequenceForm:
    """A game by its name, or a random one by its seed; below 0, one that is not zero-sum."""
    if isinstance(game, int):
        return as_form(RandomGame(game) if game >= 0 else GeneralSumGame(-game))
    return as_form(game)


def walked(recipe: str, played: dict[str, tuple[float, float]], like: Callable[[Solution], bool]) -> Solution:
    """Kuhn after player 0's walk in the first iteration, with the first seed that draws what is wanted."""
    for seed in range(1_000):
        solver = Solver("kuhn", f"{recipe}(schedule=one-player)", seed=seed)
        for label, numbers in played.items():
            player = solver.form.owner(label)
            assert player is not None
            treeplex = solver.form.treeplexes[player]
            start = int(treeplex.first[treeplex.index[label]])
            solver.sides[player].strategy[start : start + len(numbers)] = numbers
        solver.advance(1)
        if like(solver.solution()):
            return solver.solution()
    raise AssertionError("no seed draws this")
