"""Strategies beside the equilibrium."""

import numpy as np
import pytest

import regretlab as rl
from regretlab.experiments import Comparison, compare
from regretlab.experiments.comparing.strategies import MOST_ACTIONS, shortened, side_by_side

SAMPLED = "cfr(feedback=chance)"


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return compare("kuhn", ["cfr", "cfr+", SAMPLED], iterations=200, seeds=3)


def test_probabilities_are_those_of_the_runs(comparison: Comparison) -> None:
    found = side_by_side(comparison)
    assert {(each.label, each.action) for each in found} == {
        (label, action)
        for label in comparison.form.labels
        for action in comparison.rows[0].solutions[0].strategy[label]
    }
    for each in found:
        for row, played in zip(comparison.rows, each.played, strict=True):
            chances = [solution.strategy[each.label][each.action] for solution in row.solutions]
            assert played.mean == pytest.approx(np.mean(chances), abs=1e-15)
        assert each.played[0].error is None
        assert each.played[2].error is not None


@pytest.mark.parametrize("game", ["kuhn", "kuhn(bet=1/2)", "kuhn(bet=3/2)", "kuhn(bet=2)", "kuhn(bet=3)"])
def test_the_nearest_member_is_an_equilibrium_that_bluffs_as_often(game: str) -> None:
    """In every regime: no best responder gains against it, and no other one has an α nearer to the recipe's."""
    result = compare(game, ["cfr", "normalhedge+"], iterations=50)
    found = side_by_side(result)
    for k, row in enumerate(result.rows):
        member: dict[str, dict[str, float]] = {}
        for each in found:
            member.setdefault(each.label, {})[each.action] = each.nearest[k]  # type: ignore[assignment]
        assert rl.exploitability(game, member) == pytest.approx(0, abs=1e-12)
        low, high = map(float, result.family.alpha_range)  # type: ignore[union-attr]
        bluff = row.solutions[0].strategy["J"]["bet"]
        assert member["J"]["bet"] == pytest.approx(np.clip(bluff, low, high), abs=1e-15)


def test_the_bounds_are_those_of_all_equilibria(comparison: Comparison) -> None:
    found = {(each.label, each.action): each for each in side_by_side(comparison)}
    assert (found["K", "bet"].lowest, found["K", "bet"].highest) == (0, 1)
    assert (found["J", "check"].lowest, found["J", "check"].highest) == (pytest.approx(2 / 3), 1)
    assert found["Qcb", "call"].lowest == pytest.approx(1 / 3)
    for alpha in ("0", "1/7", "1/3"):
        member = rl.kuhn_equilibria().profile(alpha)
        for (label, action), each in found.items():
            assert each.lowest - 1e-15 <= member[label][action] <= each.highest + 1e-15  # type: ignore[operator]


def test_other_games_stand_beside_what_the_linear_programme_found() -> None:
    result = compare("leduc(merge_suits=true)", ["cfr"], iterations=2)
    exact = rl.nash("leduc(merge_suits=true)").strategy
    found = side_by_side(result)
    assert {each.label for each in found} == set(result.key)
    assert all(each.equilibrium == exact[each.label][each.action] for each in found)
    assert {(each.lowest, each.highest, each.nearest) for each in found} == {(None, None, (None,))}
    assert {each.player for each in found} == {0, 1}


def test_rows_for_machines_say_the_same(comparison: Comparison) -> None:
    rows = comparison.strategies()
    assert len(rows) == 3 * 24
    (one,) = [row for row in rows if (row["recipe"], row["label"], row["action"]) == ("cfr+", "Qcb", "call")]
    assert one["probability"] == comparison.rows[1].solutions[0].strategy["Qcb"]["call"]
    assert (one["player"], one["lowest"], one["highest"]) == (0, pytest.approx(1 / 3), pytest.approx(2 / 3))
    alpha = comparison.rows[1].solutions[0].strategy["J"]["bet"]
    assert one["nearest"] == pytest.approx(alpha + 1 / 3)


def test_of_two_actions_the_second_is_enough(comparison: Comparison) -> None:
    found = shortened(side_by_side(comparison))
    assert [each.label for each in found] == list(comparison.form.labels)
    assert {each.action for each in found} == {"bet", "call"}


def test_of_many_actions_those_are_shown_that_somebody_plays() -> None:
    size = 20
    matrix = rl.Matrix([[int(row == column) for column in range(size)] for row in range(size)])
    result = compare(matrix, ["cfr"], iterations=1)
    assert len(shortened(side_by_side(result))) == 2 * MOST_ACTIONS
    trap = rl.Matrix([[5 if row == size - 1 else 0] * size for row in range(size)])
    found = shortened(side_by_side(compare(trap, ["cfr"], iterations=30)))
    assert size - 1 in [int(each.action) - 1 for each in found if each.player == 0]
    three = compare("rps", ["cfr"], iterations=1)
    assert len(shortened(side_by_side(three))) == 6
