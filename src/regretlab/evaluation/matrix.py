"""The payoff matrix for judges that need its entries, in floats and in integers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from regretlab.errors import UserError
from regretlab.forms import SequenceForm, SparseMatrix, SparsePayoff
from regretlab.forms.kernel import Indices


def sparse(form: SequenceForm) -> SparsePayoff:
    """The payoff as a matrix, or an error where the game has it in another form."""
    payoff = form.payoff.sparse
    if payoff is None:
        raise UserError(f"{form.name} has no payoff matrix; this needs one")
    return payoff


def integer_matrices(form: SequenceForm) -> tuple[tuple[SparseMatrix, SparseMatrix], int]:
    """A and −Aᵀ, as the players' gradients need them, with Python's unbounded integers as entries, and what both are
    to be divided by."""
    payoff = sparse(form)
    if payoff.exact is None:
        raise UserError(f"{form.name} has payoffs or probabilities that are floats; exactness needs int or Fraction")
    mine, theirs = payoff.matrices
    entry = payoff.exact.numerators.astype(object)
    by_column = np.argsort(mine.column, kind="stable")
    return (mine._replace(entry=entry), theirs._replace(entry=-entry[by_column])), payoff.exact.denominator


def row_numbers(first: Indices) -> NDArray[np.int64]:
    """The row of each entry of a sparse matrix by rows."""
    return np.repeat(np.arange(len(first) - 1), first[1:] - first[:-1])


def payoff_scale(form: SequenceForm) -> float:
    """The largest entry of the payoff matrix: divided by it, programmes do not depend on the unit of the chips."""
    return float(np.abs(sparse(form).matrices[0].entry).max(initial=0)) or 1.0
