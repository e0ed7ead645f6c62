"""Two compiled games that are the same up to labels."""

from __future__ import annotations

import numpy as np

from regretlab.forms import SequenceForm, SparsePayoff, Tree

TREEPLEX = ("parent", "first")
HISTORIES = ("children", "player", "infoset", "probability", "payoff")


def assert_same_form(ours: SequenceForm, theirs: SequenceForm) -> None:
    """Both were walked breadth-first with the same order of actions: then even the numbering is the same."""
    for mine, other in zip(ours.treeplexes, theirs.treeplexes, strict=True):
        assert_same_arrays(mine, other, TREEPLEX)
    assert isinstance(ours.payoff, SparsePayoff)
    assert isinstance(theirs.payoff, SparsePayoff)
    for mine_matrix, other_matrix in zip(ours.payoff.matrices, theirs.payoff.matrices, strict=True):
        assert_same_arrays(mine_matrix, other_matrix, mine_matrix._fields)
    assert_same_arrays(ours.payoff.exact, theirs.payoff.exact, ("numerators", "denominator"))


def assert_same_tree(ours: Tree | None, theirs: Tree | None) -> None:
    """The same histories in the same order."""
    assert_same_arrays(ours, theirs, HISTORIES)


def assert_same_arrays(ours: object, theirs: object, names: tuple[str, ...]) -> None:
    for name in names:
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name
