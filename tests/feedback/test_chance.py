"""Chance sampling: which deals come, and that what they teach is right on average."""

from __future__ import annotations

import numpy as np
import pytest
from expectation import form_of

from regretlab.errors import UserError
from regretlab.feedback.chance import draw, new_histories
from regretlab.feedback.draws import uniform
from regretlab.forms import SequenceForm, as_form, compile
from regretlab.games import Kuhn
from regretlab.solving import Solver


def instantaneous_regrets(form: SequenceForm, feedback: str, seed: int) -> np.ndarray:
    """The regrets of one iteration from the uniform strategy."""
    solver = Solver(form, f"cfr(feedback={feedback})", seed=seed)
    solver.advance(1)
    return np.concatenate([side.regret for side in solver.sides])


def test_deals_come_with_their_probability() -> None:
    """Root values of sampled iterations: each of the six deals of Kuhn about a sixth of the time."""
    tree = as_form("kuhn").tree
    assert tree is not None
    histories = new_histories(tree)
    counts = np.zeros(7)
    for t in range(1, 6_001):
        counts[draw(histories, 0, uniform(0, t, 0))] += 1
    assert counts[0] == 0
    assert (abs(counts[1:] - 1_000) < 4 * np.sqrt(6_000 * 5 / 36)).all()


@pytest.mark.parametrize("game", ["kuhn", *range(40, 48), *range(-4, 0)], ids=str)
def test_sampled_regrets_are_unbiased(game: str | int) -> None:
    """The mean over many seeds is the full traversal's regret, within five standard errors."""
    form = form_of(game)
    exact = instantaneous_regrets(form, "full", 0)
    samples = np.array([instantaneous_regrets(form, "chance", seed) for seed in range(1_000)])
    error = samples.std(axis=0) / np.sqrt(len(samples))
    assert (abs(samples.mean(axis=0) - exact) <= 5 * error + 1e-12).all()


def test_given_deals_take_the_place_of_random_ones() -> None:
    solver = Solver("kuhn", "cfr(feedback=chance)", deals=["JQ", "QK", "JQ"])
    solver.advance(3)
    regrets = solver.solution().regrets
    assert regrets["J"] == {"check": 0.625, "bet": 0.375}
    assert regrets["Jcb"] == {"fold": 0.25, "call": -1.25}
    assert regrets["K"] == {"check": 0, "bet": 0}


def test_one_seed_one_run() -> None:
    first, again, other = (Solver("kuhn", "cfr+(feedback=chance)", seed=seed) for seed in (1, 1, 2))
    for solver in (first, again, other):
        solver.advance(50)
    assert (first.sides[0].regret == again.sides[0].regret).all()
    assert (first.sides[0].regret != other.sides[0].regret).any()


@pytest.mark.parametrize(
    ("recipe", "deals", "complaint"),
    [
        ("cfr(feedback=chance)", ["JJ"], "unknown deal 'JJ'"),
        ("cfr(feedback=chance)", ["XQ"], "unknown deal 'XQ'"),
        ("cfr", ["JQ"], "use feedback=chance"),
        ("cfr(feedback=chance)", ["JQ"], "1 deals were given, too few for 2 iterations"),
    ],
)
def test_bad_deals_are_named(recipe: str, deals: list[str], complaint: str) -> None:
    with pytest.raises(UserError, match=complaint):
        Solver("kuhn", recipe, deals=deals).advance(2)


def test_a_form_without_histories_cannot_be_sampled() -> None:
    with pytest.raises(UserError, match="without its histories"):
        Solver(compile(Kuhn(), tree=False), "cfr(feedback=chance)")
