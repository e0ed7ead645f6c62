"""Strategies as tables and as arrays."""

from fractions import Fraction

import numpy as np
import pytest

from regretlab.errors import UserError
from regretlab.forms import as_form, from_weights, read_strategy, uniform

KUHN = as_form("kuhn")


def table() -> dict[str, dict[str, float]]:
    return {label: dict(uniform(KUHN)[label]) for label in KUHN.labels}


def test_a_table_becomes_arrays_and_a_table_again() -> None:
    given = table() | {"Qcb": {"fold": 0.25, "call": 0.75}, "Jb": {"fold": 1}}
    strategy = read_strategy(KUHN, given)
    assert strategy["Qcb"] == {"fold": 0.25, "call": 0.75}
    assert strategy["Jb"] == {"fold": 1, "call": 0}
    assert set(strategy) == set(given)
    assert len(strategy) == 12


def test_fractions_are_probabilities_too() -> None:
    given = table() | {"J": {"check": Fraction(2, 3), "bet": Fraction(1, 3)}}
    assert read_strategy(KUHN, given)["J"]["bet"] == 1 / 3


def test_what_solve_returned_is_taken_as_it_is() -> None:
    strategy = uniform(KUHN)
    assert read_strategy(KUHN, strategy) is strategy
    again = as_form("kuhn")
    assert read_strategy(again, strategy).form is again


def test_arrays_are_read_only_and_tables_are_copies() -> None:
    strategy = uniform(KUHN)
    with pytest.raises(ValueError, match="read-only"):
        strategy.arrays[0][1] = 1
    strategy["J"]["bet"] = 7
    assert strategy["J"]["bet"] == 0.5


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"Q": {"check": 0.5, "bet": 0.4}}, "the probabilities at 'Q' sum to 0.9, not 1"),
        ({"Q": {"check": -0.5, "bet": 1.5}}, "the probability -0.5 of 'check' at 'Q'"),
        ({"Q": {"check": float("nan"), "bet": 1}}, "the probability nan of 'check' at 'Q'"),
        ({"Q": {"check": float("inf"), "bet": 1}}, "at 'Q' sum to inf"),
        (
            {"Q": {"check": "half", "bet": 0.5}},
            "at 'Q' the strategy is {'check': 'half', 'bet': 0.5}, not {action: probability}",
        ),
        ({"Q": {"check": 0.5, "raise": 0.5}}, "unknown action at 'Q' 'raise'"),
        ({"Q": 0.5}, "at 'Q' the strategy is 0.5, not {action: probability}"),
        ({"Qbc": {"check": 1}}, "unknown information set 'Qbc'; did you mean 'Q"),
    ],
)
def test_a_wrong_strategy_is_an_error_that_names_the_label(change: dict[str, dict[str, float]], complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        read_strategy(KUHN, table() | change)
    assert complaint in str(caught.value)


def test_a_missing_label_is_named() -> None:
    given = table()
    del given["Kb"]
    with pytest.raises(UserError, match="nothing about information set 'Kb'"):
        read_strategy(KUHN, given)


def test_an_unknown_label_is_a_key_error_as_in_any_mapping() -> None:
    with pytest.raises(KeyError):
        uniform(KUHN)["X"]


def test_behaviour_follows_weights_and_is_uniform_without() -> None:
    weights = (np.zeros(13), np.zeros(13))
    weights[0][1:3] = [3, 1]
    strategy = from_weights(KUHN, weights)
    assert strategy["J"] == {"check": 0.75, "bet": 0.25}
    assert strategy["Q"] == {"check": 0.5, "bet": 0.5}
