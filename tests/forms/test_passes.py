"""The passes against the definitions that they implement, computed the slow way."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_games import random_form, random_treeplex

from regretlab.forms import Treeplex
from regretlab.forms.kernel import in_python
from regretlab.forms.passes import (
    LONG_ROWS,
    best_response,
    expected_value,
    normalise,
    realisation_plan,
    sparse_product,
)

seeds = st.integers(0, 10_000)


def small_treeplex(seed: int) -> tuple[np.random.Generator, Treeplex]:
    rng = np.random.default_rng(seed)
    return rng, random_treeplex(rng, 0, infosets=int(rng.integers(0, 6)), most_actions=3)


def random_strategy(rng: np.random.Generator, treeplex: Treeplex) -> np.ndarray:
    strategy = np.empty(treeplex.sequences)
    normalise(treeplex.first, rng.exponential(size=treeplex.sequences), strategy)
    return strategy


def plan_of(treeplex: Treeplex, strategy: np.ndarray) -> np.ndarray:
    plan = np.empty_like(strategy)
    realisation_plan(treeplex.parent, treeplex.first, strategy, plan)
    return plan


def random_rows(rng: np.random.Generator, rows: int, columns: int, entries: int) -> tuple[np.ndarray, np.ndarray]:
    """Where rows begin, some of them empty, and ascending columns within each."""
    places = np.sort(rng.choice(rows * columns, size=entries, replace=False))
    first = np.searchsorted(places // columns, np.arange(rows + 1))
    return first.astype(np.uint32), (places % columns).astype(np.uint32)


@pytest.mark.parametrize("an_entry", [1, LONG_ROWS - 1, LONG_ROWS, LONG_ROWS + 3])
@given(seed=seeds)
def test_the_product_is_its_definition_in_short_and_in_long_rows(an_entry: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns = int(rng.integers(1, 12))
    first, column = random_rows(rng, 2 * LONG_ROWS, columns, entries=an_entry * columns)
    entry, plan, out = rng.normal(size=len(column)), rng.random(columns), np.full(2 * LONG_ROWS, np.nan)
    sparse_product(first, column, entry, plan, out)
    terms = [[entry[k] * plan[column[k]] for k in range(low, high)] for low, high in pairwise(first)]
    assert out.tolist() == pytest.approx([math.fsum(row) for row in terms], abs=1e-14)
    part = np.full(2 * LONG_ROWS - 5, np.nan)
    sparse_product(first[3:-2], column, entry, plan, part)
    assert part.tolist() == out[3:-2].tolist()  # to the last bit
    if an_entry < LONG_ROWS:
        assert out.tolist() == [sum(row) for row in terms]


@pytest.mark.parametrize("entries", [30, LONG_ROWS * 10])
def test_the_product_stays_exact_in_fractions(entries: int) -> None:
    rng = np.random.default_rng(entries)
    first, column = random_rows(rng, 64, 10, entries)
    entry = np.array([Fraction(int(n), 7) for n in rng.integers(-9, 9, size=entries)], dtype=object)
    plan = np.array([Fraction(1, n) for n in range(1, 11)], dtype=object)
    out = np.empty(64, dtype=object)
    in_python(sparse_product)(first, column, entry, plan, out)
    for row, (low, high) in enumerate(pairwise(first)):
        assert out[row] == sum(entry[k] * plan[column[k]] for k in range(low, high))
        assert not isinstance(out[row], float)


@given(seeds)
def test_a_plan_conserves_probability_at_every_information_set(seed: int) -> None:
    rng, treeplex = small_treeplex(seed)
    plan = plan_of(treeplex, random_strategy(rng, treeplex))
    assert plan[0] == 1
    for i in range(treeplex.infosets):
        assert plan[treeplex.first[i] : treeplex.first[i + 1]].sum() == pytest.approx(plan[treeplex.parent[i]])


@given(seeds)
def test_the_value_at_the_root_is_the_gradient_times_the_plan(seed: int) -> None:
    rng, treeplex = small_treeplex(seed)
    strategy, gradient = random_strategy(rng, treeplex), rng.normal(size=treeplex.sequences)
    expected = gradient @ plan_of(treeplex, strategy)
    assert expected_value(treeplex.parent, treeplex.first, strategy, gradient.copy()) == pytest.approx(expected)


@given(seeds)
def test_no_pure_strategy_beats_the_best_response_and_the_chosen_one_earns_it(seed: int) -> None:
    rng, treeplex = small_treeplex(seed)
    gradient = rng.normal(size=treeplex.sequences)
    choice = np.empty(treeplex.infosets, dtype=np.uint32)
    best = best_response(treeplex.parent, treeplex.first, gradient.copy(), choice)
    earned = []
    for chosen in product(*(range(treeplex.first[i], treeplex.first[i + 1]) for i in range(treeplex.infosets))):
        strategy = np.zeros(treeplex.sequences)
        strategy[[0, *chosen]] = 1
        earned.append(gradient @ plan_of(treeplex, strategy))
    assert best == pytest.approx(max(earned))
    pure = np.zeros(treeplex.sequences)
    pure[[0, *choice]] = 1
    assert gradient @ plan_of(treeplex, pure) == pytest.approx(best)


def test_equal_actions_go_to_the_first() -> None:
    choice = np.empty(1, dtype=np.uint32)
    parent, first = np.array([0], dtype=np.uint32), np.array([1, 4], dtype=np.uint32)
    assert best_response(parent, first, np.array([0.0, 1.0, 2.0, 2.0]), choice) == 2
    assert choice[0] == 2


@given(seeds)
def test_the_gradient_is_the_matrix_times_the_plan(seed: int) -> None:
    rng = np.random.default_rng(seed)
    form = random_form(rng, infosets=(4, 3), entries=30)
    for player in (0, 1):
        plan = rng.normal(size=form.treeplexes[1 - player].sequences)
        out = np.full(form.treeplexes[player].sequences, np.nan)
        form.payoff.gradient(player, plan, out)
        sparse = form.payoff.matrices[player]  # type: ignore[attr-defined]
        for row in range(len(out)):
            entries = range(sparse.first[row], sparse.first[row + 1])
            assert out[row] == pytest.approx(sum(sparse.entry[k] * plan[sparse.column[k]] for k in entries))


def test_weights_of_zero_mean_uniform() -> None:
    first = np.array([1, 3, 6], dtype=np.uint32)
    strategy = np.empty(6)
    normalise(first, np.array([0, 1, 3, 0, 0, 0.0]), strategy)
    assert strategy.tolist() == [1, 0.25, 0.75, 1 / 3, 1 / 3, 1 / 3]


def test_the_same_passes_work_in_fractions() -> None:
    parent, first = np.array([0, 1], dtype=np.uint32), np.array([1, 3, 5], dtype=np.uint32)
    half = Fraction(1, 2)
    strategy = np.array([1, half, half, Fraction(1, 3), Fraction(2, 3)], dtype=object)
    values = np.array([0, 0, 1, Fraction(6, 7), -3], dtype=object)
    # After the first action: 6/7 · 1/3 − 3 · 2/3 = −12/7; at the root: ½ · (−12/7) + ½ · 1 = −5/14.
    assert in_python(expected_value)(parent, first, strategy, values.copy()) == Fraction(-5, 14)
    choice = np.empty(2, dtype=np.uint32)
    assert in_python(best_response)(parent, first, values.copy(), choice) == 1
    plan = np.empty(5, dtype=object)
    in_python(realisation_plan)(parent, first, strategy, plan)
    assert plan.tolist() == [1, half, half, Fraction(1, 6), Fraction(1, 3)]
