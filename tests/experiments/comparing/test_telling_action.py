"""The action whose regrets are drawn."""

import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretlab as rl
from regretlab.errors import UserError
from regretlab.experiments import compare
from regretlab.experiments.comparing.strategies import SINGLE_SWINGS, _debt_paid_back, read_action, telling_action
from regretlab.feedback.registry import FEEDBACKS

KUHN = rl.compile("kuhn")


def rows(looks: list[int], feedback: str = "full", **regrets: list[tuple[float, float]]) -> list[Any]:
    """A comparison of one recipe with one run, which had these regrets of (check, bet) after each look."""
    trace = SimpleNamespace(looks=looks, regrets={label: np.array(seen) for label, seen in regrets.items()})
    return [SimpleNamespace(recipe=SimpleNamespace(feedback_kind=FEEDBACKS[feedback]), traces=(trace,))]


def test_a_debt_that_was_paid_back_tells_more_than_a_deeper_one_that_was_not() -> None:
    found = rows([1, 2, 3], J=[(1.0, -9.0), (1.0, -50.0), (1.0, -90.0)], K=[(0.0, 1.0), (-5.0, 1.0), (2.0, 1.0)])
    assert telling_action(KUHN, ["J", "K"], found) == ("K", "check")


def test_where_no_debt_was_paid_back_the_deepest_counts() -> None:
    found = rows([1, 2], J=[(1.0, -9.0), (1.0, -50.0)], K=[(0.0, 1.0), (-5.0, 1.0)])
    assert telling_action(KUHN, ["J", "K"], found) == ("J", "bet")


def test_what_comes_after_the_part_that_is_drawn_does_not_count() -> None:
    late = SINGLE_SWINGS + 10
    found = rows([1, 2, late], J=[(1.0, -1.0), (1.0, 2.0), (1.0, 2.0)], K=[(0.0, 1.0), (-5.0, 1.0), (2.0, 1.0)])
    assert telling_action(KUHN, ["J", "K"], found) == ("J", "bet")


def test_the_noise_of_sampling_does_not_decide_unless_all_sample() -> None:
    noise = rows([1, 2], feedback="outcome", J=[(1.0, -900.0), (1.0, 2.0)], K=[(0.0, 1.0), (0.0, 1.0)])
    quiet = rows([1, 2], J=[(1.0, 1.0), (1.0, 2.0)], K=[(-3.0, 1.0), (2.0, 1.0)])
    assert telling_action(KUHN, ["J", "K"], noise) == ("J", "bet")
    assert telling_action(KUHN, ["J", "K"], [*noise, *quiet]) == ("K", "check")


def test_the_first_runs_of_a_stopped_comparison_may_be_none() -> None:
    assert telling_action(KUHN, ["J"], []) is None


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=20))
def test_a_debt_is_paid_back_by_a_later_positive_regret(regret: list[float]) -> None:
    debts = [-early for k, early in enumerate(regret) if early < 0 and any(later > 0 for later in regret[k + 1 :])]
    assert _debt_paid_back(np.array(regret)) == max(debts, default=0.0)


def test_on_kuhn_poker_it_is_a_bluff_that_only_untruncated_rules_get_into_debt_with() -> None:
    result = compare("kuhn", ["cfr", "cfr+", "normalhedge", "normalhedge+"], iterations=1_000)
    assert result.regret_of in (("J", "bet"), ("Jc", "bet"))
    lowest = dict.fromkeys(("cfr", "cfr+", "normalhedge", "normalhedge+"), 0.0)
    for row in result.regrets():
        lowest[row["recipe"]] = min(lowest[row["recipe"]], row["regret"])
    assert lowest["cfr+"] == lowest["normalhedge+"] == 0
    assert max(lowest["cfr"], lowest["normalhedge"]) < -10


def test_labels_may_contain_colons() -> None:
    form = rl.compile("goofspiel(cards=3)")
    assert read_action(form, "p0 1:1v1 2:bid 3") == ("p0 1:1v1 2", "bid 3")


def test_what_names_no_action_is_told_with_an_example() -> None:
    with pytest.raises(UserError, match=re.escape("'J' names no action; write LABEL:ACTION, such as J:bet")):
        read_action(KUHN, "J")
