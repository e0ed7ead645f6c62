"""One game by its histories and on lanes: what has to be the same in both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from unittest import mock

import numpy as np
import pytest
from numpy.typing import NDArray

from regretlab.evaluation import best_response, evaluate
from regretlab.evaluation.value import gradient, read
from regretlab.forms import LaneForm, SequenceForm, compile, form_to_solve, hand_kernels
from regretlab.forms.kernel import Floats
from regretlab.games import Game
from regretlab.solving import Solution, Solver

Profile = dict[str, dict[str, float]]


@contextmanager
def kernels(kind: str) -> Iterator[None]:
    """Games that are compiled meanwhile have their hand kernels ``sorted`` wherever that is possible, or ``dense``."""
    with mock.patch.object(hand_kernels, "MOST_HANDS_IN_A_MATRIX", {"sorted": 0, "dense": 10**6}[kind]):
        yield


def both_forms(game: str | Game, kind: str = "dense") -> tuple[SequenceForm, LaneForm]:
    """By histories, and on lanes."""
    with kernels(kind):
        lanes = form_to_solve(game, "lanes")
    assert isinstance(lanes, LaneForm)
    return compile(game), lanes


def random_profile(form: SequenceForm, seed: int) -> Profile:
    """A random strategy of both players, with some actions that are never played."""
    rng, profile = np.random.default_rng(seed), Profile()
    for treeplex in form.treeplexes:
        for label, actions in zip(treeplex.labels, treeplex.actions, strict=True):
            weights = rng.random(len(actions)) * (rng.random(len(actions)) < 0.8)
            weights = weights if weights.any() else np.ones(len(actions))
            profile[label] = dict(zip(actions, (weights / weights.sum()).tolist(), strict=True))
    return profile


def assert_same_game(histories: SequenceForm, lanes: LaneForm) -> None:
    """The same information sets with the same actions, of the same players."""
    for old, new in zip(histories.treeplexes, lanes.treeplexes, strict=True):
        assert (new.infosets, new.sequences) == (old.infosets, old.sequences)
        assert dict(zip(new.labels, new.actions, strict=True)) == dict(zip(old.labels, old.actions, strict=True))
        assert len(new.labels) == len(set(new.labels)) == old.infosets
    assert lanes.infosets == histories.infosets


@lru_cache(32)
def places(histories: SequenceForm, lanes: LaneForm, player: int) -> NDArray[np.int64]:
    """Where the player's sequences, but for the empty one, stand on lanes."""
    old, new = histories.treeplexes[player], lanes.treeplexes[player]
    segments = [new.own(new.index[label]) for label in old.labels]
    everything = np.arange(new.size)
    return np.concatenate([everything[:0], *(everything[segment] for segment in segments)])


def assert_same_numbers(
    histories: SequenceForm, lanes: LaneForm, old: tuple[Floats, Floats], new: tuple[Floats, Floats], close: float
) -> None:
    """The same number for each action, up to ``close``."""
    for player in (0, 1):
        found, expected = new[player][places(histories, lanes, player)], old[player][1:]
        np.testing.assert_allclose(found, expected, rtol=0, atol=close)


def assert_same_judgement(histories: SequenceForm, lanes: LaneForm, profile: Profile) -> None:
    """Gradient, value, best responses with all that their actions earn, to the last digits."""
    close = 1e-12 * histories.payoff.size
    old, new = evaluate(histories, profile), evaluate(lanes, profile)
    assert new.value == pytest.approx(old.value, abs=close, rel=0)
    assert new.best_response_values == pytest.approx(old.best_response_values, abs=close, rel=0)
    earned = [
        (gradient(form, read(form, profile)[1], 0), gradient(form, read(form, profile)[1], 1))
        for form in (histories, lanes)
    ]
    assert_same_numbers(histories, lanes, *earned, close)
    for player in (0, 1):
        was, now = (best_response(form, profile, player) for form in (histories, lanes))
        assert now.value == pytest.approx(was.value, abs=close, rel=0)
        assert now.actions.keys() == was.actions.keys()
        for label, values in was.action_values.items():
            rounding = [abs(now.action_values[label][action] - value) for action, value in values.items()]
            assert max(rounding) <= close, label
            # Of actions that are equally good rounding may choose.
            assert abs(values[now.actions[label]] - values[was.actions[label]]) <= 2 * close, label


def run(form: SequenceForm | LaneForm, recipe: str, iterations: int, precision: str = "f64") -> Solution:
    """What so many iterations find."""
    solver = Solver(form, recipe, precision=precision)
    solver.advance(iterations)
    return solver.solution()


def assert_same_run(histories: SequenceForm, lanes: LaneForm, recipe: str, iterations: int, close: float) -> None:
    """The same average, the same last strategy and regrets, and the same figures about them.

    Single strategies, and averages where they hardly ever come, depend on rounding more than averages do as a whole.
    """
    old, new = run(histories, recipe, iterations), run(lanes, recipe, iterations)
    size, closer = max(histories.payoff.size, 1e-300), close
    close *= 100
    largest = max(abs(numbers).max(initial=0.0) for numbers in old.regrets.arrays)
    counted = max(numbers.max(initial=0.0) for numbers in old.totals.arrays)
    for name, expected, within in (
        ("exploitability", old.exploitability, closer * size),
        ("value", old.value, closer * size),
        ("current_exploitability", old.current_exploitability, close * size),
        ("zero_regrets", old.zero_regrets, 0.0),
        ("never_played", old.never_played, 0.0),
        ("regret_bound", old.regret_bound, close * (largest + size)),
    ):
        found = getattr(new, name)
        assert found == expected or abs(found - expected) <= within, (recipe, name, found, expected)
    assert_same_numbers(histories, lanes, old.strategy.arrays, new.strategy.arrays, close)
    assert_same_numbers(histories, lanes, old.totals.arrays, new.totals.arrays, closer * counted)
    assert_same_numbers(histories, lanes, old.current.arrays, new.current.arrays, close)
    assert_same_numbers(histories, lanes, old.regrets.arrays, new.regrets.arrays, close * (largest + size))
