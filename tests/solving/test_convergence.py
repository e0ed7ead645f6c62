"""What the solvers converge to, and how fast: published figures, theorems, exact values."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from published import convergence
from random_games import RandomGame, random_form, random_games

from regretlab.evaluation import evaluate, exploitability, nash
from regretlab.forms import SequenceForm, SparsePayoff, Treeplex, as_form, sparse_payoff, uniform
from regretlab.games import Kuhn
from regretlab.solving import RECIPES, Solver, solve
from regretlab.solving import recipe as recipe_of

PUBLISHED = convergence("kuhn_poker")
WITHOUT_HISTORIES = [name for name, row in RECIPES.items() if row.feedback == "full"]
"""Recipes that work on a random form, which has no histories to walk."""

IN_CHIPS = {name for name, row in RECIPES.items() if recipe_of(name).accumulate in ("smooth", "stable")}
"""Recipes with a level in chips: what they play depends on the stakes."""


@pytest.mark.parametrize("recipe", PUBLISHED)
@pytest.mark.parametrize("iterations", [10, 100, 1_000])
def test_published_exploitability_to_six_digits(recipe: str, iterations: int) -> None:
    solution = solve("kuhn", recipe, iterations=iterations)
    assert solution.exploitability == pytest.approx(PUBLISHED[recipe][iterations], rel=1e-6)


def test_published_exploitability_before_the_first_iteration() -> None:
    assert len(PUBLISHED) == 3
    for figures in PUBLISHED.values():
        assert exploitability("kuhn", uniform(as_form("kuhn"))) == pytest.approx(figures[0], rel=1e-12)


@pytest.mark.parametrize(
    ("ante", "bet", "recipe", "milli_chips"),
    [
        (1, 1, "cfr", (2.32, 0.68)),
        (1, 1, "cfr+", (0.0096, 0.0021)),
        (1, 1, "normalhedge", (2.21, 0.70)),
        (1, 1, "normalhedge+", (2.67, 0.86)),
        (1, 1, "normalhedge+(schedule=alternating, averaging=linear)", (0.045, 0.0078)),
        (2, 1, "cfr", (2.41, 0.75)),
        (2, 1, "cfr+", (0.015, 0.0040)),
        (2, 1, "normalhedge", (2.28, 0.71)),
        (2, 1, "normalhedge+", (2.46, 0.70)),
        (2, 1, "normalhedge+(schedule=alternating, averaging=linear)", (0.082, 0.012)),
    ],
)
def test_full_traversal_at_ten_and_a_hundred_thousand_iterations(
    ante: int, bet: int, recipe: str, milli_chips: tuple[float, float]
) -> None:
    """An independent replication's figures, printed with two or three digits.

    Paths of the simultaneous runs are chaotic: rounding alone moves the third digit after so many iterations.
    """
    solver = Solver(Kuhn(ante, bet), recipe)
    for iterations, expected in zip((10_000, 100_000), milli_chips, strict=True):
        solver.advance(iterations - solver.iteration)
        assert 1_000 * solver.evaluate().exploitability == pytest.approx(expected, rel=0.03)


def test_the_current_strategy_of_cfr_plus_converges_slowly() -> None:
    solver = Solver("kuhn", "cfr+")
    for iterations, current, average in ((100, 40.6, 1.19), (1_000, 19.4, 0.087), (10_000, 8.5, 0.0096)):
        solver.advance(iterations - solver.iteration)
        assert 1_000 * exploitability(solver.form, solver.current) == pytest.approx(current, rel=0.01)
        assert 1_000 * solver.evaluate().exploitability == pytest.approx(average, rel=0.01)


@pytest.mark.parametrize(
    "recipe", [name for name, row in RECIPES.items() if row.feedback != "network" and name not in IN_CHIPS]
)
def test_the_four_are_scale_free(recipe: str) -> None:
    """Twice the stakes, exactly twice the exploitability: powers of two change no bit."""
    single, double = (solve(Kuhn(stake, stake), recipe, iterations=1_000) for stake in (1, 2))
    assert double.exploitability == 2 * single.exploitability
    assert (double.strategy.arrays[0] == single.strategy.arrays[0]).all()


amounts = st.fractions(Fraction(1, 3), 3, max_denominator=6)


@settings(max_examples=20)
@given(amounts, amounts)
def test_cfr_plus_finds_the_value_of_kuhn(ante: Fraction, bet: Fraction) -> None:
    """The closed form, the linear programme, exact arithmetic and CFR+ agree."""
    solution = solve(Kuhn(ante, bet), "cfr+", iterations=3_000)
    if bet <= ante:
        value = -(bet**2) / (6 * (2 * ante + bet))
    elif bet <= 2 * ante:
        value = -bet * (2 * ante - bet) / (6 * (2 * ante + bet))
    else:
        value = Fraction(0)
    assert nash(solution.form, exact=True).value == value
    assert nash(solution.form).value == pytest.approx(float(value), abs=1e-9)
    assert abs(solution.value - value) <= 2 * solution.exploitability + 1e-12
    assert solution.exploitability < 1e-3


@settings(max_examples=30)
@given(random_games())
def test_cfr_plus_finds_the_value_of_random_games(game: RandomGame) -> None:
    solution = solve(game, "cfr+", iterations=2_000)
    assert -1e-12 <= solution.exploitability < 0.02
    assert abs(solution.value - nash(solution.form).value) <= 2 * solution.exploitability + 1e-9


@pytest.mark.parametrize(
    "recipe", ["cfr", "cfr+(schedule=simultaneous, averaging=uniform)", "normalhedge", "normalhedge+"]
)
@settings(max_examples=8)
@given(seed=st.integers(0, 10_000))
def test_the_regrets_bound_nash_conv(recipe: str, seed: int) -> None:
    """NashConv ≤ Σ max R⁺ / T for simultaneous, uniformly averaged runs, on random lopsided forms."""
    form = random_form(np.random.default_rng(seed))
    solver = Solver(form, recipe)
    for iterations in (10, 100, 1_000, 10_000):
        solver.advance(iterations - solver.iteration)
        solution = solver.solution()
        assert solution.regret_bound is not None
        assert -1e-9 <= solution.nash_conv <= solution.regret_bound + 1e-9


@pytest.mark.parametrize("name", ["cfr", "cfr+(schedule=simultaneous, averaging=uniform)"])
@settings(max_examples=8)
@given(seed=st.integers(0, 10_000))
def test_regret_matching_keeps_its_bound_at_every_information_set(name: str, seed: int) -> None:
    """max R ≤ √(Σ over t of Σ r²): the bound that makes the whole converge, at T = 10 … 10,000."""
    form = random_form(np.random.default_rng(seed), infosets=(3, 2), entries=20)
    solver = Solver(form, name)
    squares = [np.zeros(treeplex.sequences) for treeplex in form.treeplexes]
    for t in range(1, 1_001):
        before = [side.strategy.copy() for side in solver.sides]
        solver.advance(1)
        for side, old, total in zip(solver.sides, before, squares, strict=True):
            for i in range(len(side.parent)):
                low, high = side.first[i], side.first[i + 1]
                value = old[low:high] @ side.values[low:high]
                total[low:high] += (side.values[low:high] - value) ** 2
        if t in (10, 100, 1_000):
            for side, total in zip(solver.sides, squares, strict=True):
                for i in range(len(side.parent)):
                    low, high = side.first[i], side.first[i + 1]
                    assert max(side.regret[low:high]) <= np.sqrt(total[low:high].sum()) * (1 + 1e-9) + 1e-12


def transformed(form: SequenceForm, scale: float = 1.0, swap: bool = False, reverse: bool = False) -> SequenceForm:
    """The same game with other units, with the players' names exchanged, or with actions in reverse order."""
    assert isinstance(form.payoff, SparsePayoff)
    matrix = form.payoff.matrices[1 if swap else 0]
    treeplexes = form.treeplexes[::-1] if swap else form.treeplexes
    rows = np.repeat(np.arange(len(matrix.first) - 1), np.diff(matrix.first.astype(int)))
    maps = [renumbered(treeplex, reverse) for treeplex in treeplexes]
    sides = tuple(
        Treeplex(
            number[treeplex.parent],
            treeplex.first,
            treeplex.labels,
            tuple(a[::-1] if reverse else a for a in treeplex.actions),
        )
        for treeplex, number in zip(treeplexes, maps, strict=True)
    )
    payoff = sparse_payoff(
        (sides[0].sequences, sides[1].sequences),
        maps[0][rows],
        maps[1][matrix.column],
        np.arange(len(matrix.entry)),
        matrix.entry * scale,
    )
    return SequenceForm("transformed", (sides[0], sides[1]), payoff)


def renumbered(treeplex: Treeplex, reverse: bool) -> np.ndarray:
    """The new number of each sequence when the actions of every information set change their order."""
    number = np.arange(treeplex.sequences, dtype=np.uint32)
    if reverse:
        for i in range(treeplex.infosets):
            low, high = treeplex.first[i], treeplex.first[i + 1]
            number[low:high] = number[low:high][::-1]
    return number


@pytest.mark.parametrize("recipe", [name for name in WITHOUT_HISTORIES if name not in IN_CHIPS])
@given(seed=st.integers(0, 1_000))
@settings(max_examples=15)
def test_units_do_not_matter(recipe: str, seed: int) -> None:
    form = random_form(np.random.default_rng(seed))
    plain, scaled = solve(form, recipe, iterations=50), solve(transformed(form, scale=2.0**30), recipe, iterations=50)
    assert scaled.exploitability == pytest.approx(plain.exploitability * 2**30, rel=1e-9, abs=1e-3)
    assert scaled.value == pytest.approx(plain.value * 2**30, rel=1e-9, abs=1e-3)


@pytest.mark.parametrize("recipe", WITHOUT_HISTORIES)
@given(seed=st.integers(0, 1_000))
@settings(max_examples=15)
def test_the_order_of_actions_does_not_matter(recipe: str, seed: int) -> None:
    form = random_form(np.random.default_rng(seed))
    plain, turned = solve(form, recipe, iterations=30), solve(transformed(form, reverse=True), recipe, iterations=30)
    assert turned.exploitability == pytest.approx(plain.exploitability, abs=1e-9)
    label = form.labels[0]
    assert turned.strategy[label] == pytest.approx(plain.strategy[label], abs=1e-9)


@pytest.mark.parametrize("recipe", ["cfr", "cfr+(schedule=simultaneous)", "normalhedge", "normalhedge+"])
@given(seed=st.integers(0, 1_000))
@settings(max_examples=15)
def test_swapping_the_players_swaps_the_result(recipe: str, seed: int) -> None:
    form = random_form(np.random.default_rng(seed))
    plain, swapped = solve(form, recipe, iterations=50), solve(transformed(form, swap=True), recipe, iterations=50)
    assert swapped.value == pytest.approx(-plain.value, abs=1e-12)
    assert swapped.exploitability == pytest.approx(plain.exploitability, abs=1e-12)


def test_shifting_all_payoffs_shifts_the_value_alone() -> None:
    class Shifted(Kuhn):
        """Player 0 gets three chips more whatever happens."""

        def payoff(self, state):  # type: ignore[no-untyped-def]
            return super().payoff(state) + 3

    plain, shifted = solve(Kuhn(), "cfr+", iterations=500), solve(Shifted(), "cfr+", iterations=500)
    assert shifted.value == pytest.approx(plain.value + 3, abs=1e-9)
    assert shifted.exploitability == pytest.approx(plain.exploitability, abs=1e-9)


def test_a_hundred_cards_are_solved() -> None:
    solution = solve("kuhn(cards=100)", "cfr+", until=1e-4)
    assert solution.stopped == "until"
    assert evaluate(solution.form, solution.strategy).exploitability <= 1e-4


def test_chance_sampling_converges_too() -> None:
    """Means over 20 seeds near the replication's means over 200: milli-chips at 10,000 iterations on (1, 1)."""
    for recipe, mean in (
        ("cfr(feedback=chance)", 7.2),
        ("cfr+(schedule=one-player, feedback=chance)", 9.6),
        ("normalhedge(feedback=chance)", 7.7),
        ("normalhedge+(feedback=chance)", 9.1),
    ):
        found = [1_000 * solve("kuhn", recipe, iterations=10_000, seed=seed).exploitability for seed in range(20)]
        error = np.std(found) / np.sqrt(len(found))
        assert abs(np.mean(found) - mean) < 4 * error + 0.05
