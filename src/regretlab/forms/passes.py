"""The passes over a sequence form: a handful of short loops that every solver and every judge is made of.

Arrays, the same everywhere:

- ``parent`` (infosets,): the player's own last sequence before each information set;
- ``first`` (infosets + 1,): the sequences of information set i are ``first[i]:first[i + 1]``;
- ``strategy`` (sequences,): the probability of each action at its information set; entry 0 is 1;
- ``plan`` (sequences,): the realisation plan, the product of the player's own probabilities up to each sequence;
- ``values`` (sequences,): first the gradient (what each sequence earns against the opponent's plan where the game
  ends there), then, after a pass from the leaves, what it earns including everything that follows.

Information sets are numbered parents before children, so a loop upwards goes from the root to the leaves and a loop
downwards the other way.
"""

from __future__ import annotations

import numpy as np

from regretlab.forms.kernel import Floats, Indices, kernel

LONG_ROWS = 32
"""Payoff entries for each of the opponent's sequences from which on a row is summed in four parts."""

_ONE, _TWO, _THREE, _FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
"""Steps along a row, unsigned as indices are: Numba makes a float of an unsigned number plus a signed one."""


@kernel
def sparse_product(first: Indices, column: Indices, entry: Floats, plan: Floats, out: Floats) -> None:
    """``out[r] = Σ entry[k] · plan[column[k]]`` over k in ``first[r]:first[r + 1]``; ``out`` is overwritten.

    In long rows additions that wait for each other would take most of the time, so four sums grow side by side. Which
    way is taken does not depend on ``first``: a stretch of the rows gives the same numbers as all of them.
    """
    if len(entry) < LONG_ROWS * len(plan):
        for row in range(len(first) - 1):
            total = 0
            for k in range(first[row], first[row + 1]):
                total += entry[k] * plan[column[k]]
            out[row] = total
    else:
        for row in range(len(first) - 1):
            one, two, three, four = 0, 0, 0, 0
            at, end = np.uint64(first[row]), np.uint64(first[row + 1])
            while at + _FOUR <= end:
                one += entry[at] * plan[column[at]]
                two += entry[at + _ONE] * plan[column[at + _ONE]]
                three += entry[at + _TWO] * plan[column[at + _TWO]]
                four += entry[at + _THREE] * plan[column[at + _THREE]]
                at += _FOUR
            while at < end:
                one += entry[at] * plan[column[at]]
                at += _ONE
            out[row] = (one + two) + (three + four)


@kernel
def realisation_plan(parent: Indices, first: Indices, strategy: Floats, plan: Floats) -> None:
    """Reach, from the root to the leaves: ``plan[s] = plan[parent] · strategy[s]``; ``plan`` is overwritten."""
    plan[0] = strategy[0]
    for i in range(len(parent)):
        reach = plan[parent[i]]
        for s in range(first[i], first[i + 1]):
            plan[s] = reach * strategy[s]


@kernel
def expected_value(parent: Indices, first: Indices, strategy: Floats, values: Floats) -> float:
    """Counterfactual values, from the leaves to the root; ``values`` is modified in place.

    An information set is worth the expectation over its actions, and hands that to the sequence before it.
    Returns the value at the root.
    """
    for k in range(len(parent)):
        i = len(parent) - 1 - k
        value = 0
        for s in range(first[i], first[i + 1]):
            value += strategy[s] * values[s]
        values[parent[i]] += value
    return values[0]  # type: ignore[no-any-return]


@kernel
def best_response(parent: Indices, first: Indices, values: Floats, choice: Indices) -> float:
    """The best response, from the leaves to the root; ``values`` is modified in place.

    An information set is worth the best of its actions, and hands that to the sequence before it. ``choice[i]`` becomes
    the best sequence of information set i, the first one where several are equal: one action per information set,
    whatever the opponent holds. Returns the value at the root.
    """
    for k in range(len(parent)):
        i = len(parent) - 1 - k
        best = first[i]
        for s in range(first[i], first[i + 1]):
            if values[s] > values[best]:
                best = s
        choice[i] = best
        values[parent[i]] += values[best]
    return values[0]  # type: ignore[no-any-return]


@kernel
def normalise(first: Indices, weights: Floats, strategy: Floats) -> None:
    """Behaviour from non-negative weights: proportional at each information set, uniform where all are 0."""
    strategy[0] = 1
    for i in range(len(first) - 1):
        total = 0
        for s in range(first[i], first[i + 1]):
            total += weights[s]
        for s in range(first[i], first[i + 1]):
            strategy[s] = weights[s] / total if total > 0 else 1 / (first[i + 1] - first[i])
