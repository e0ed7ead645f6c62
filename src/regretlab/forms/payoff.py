"""What two realisation plans earn against each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from regretlab.documents import numbers
from regretlab.forms.kernel import Floats, Indices
from regretlab.forms.passes import sparse_product

LARGEST_SAFE_INTEGER = 2**53
"""Up to here a float holds every integer, so the quotient of two such is correctly rounded; beyond, Python's is."""


class Payoff(Protocol):
    """All that the passes need to know about a game beyond the two treeplexes, and what it weighs."""

    def gradient(self, player: int, plan: Floats, out: Floats) -> None:
        """What each sequence of ``player`` earns, where the game ends there, against the other player's ``plan``.

        ``out`` (sequences of ``player``,) is overwritten.
        """

    def fingerprint(self) -> bytes:
        """What tells this payoff from any other over the same treeplexes: the same bytes, the same gradients."""

    @property
    def entries(self) -> int:
        """How many terms one gradient sums: what an iteration's time grows with."""

    @property
    def nbytes(self) -> int:
        """How much memory the gradients of both players read."""

    @property
    def size(self) -> float:
        """The most that a sequence can earn or lose, up to a small factor: rounding errors are relative to it."""

    @property
    def zero_sum(self) -> bool:
        """Whether one plan always earns what the other loses."""

    @property
    def sparse(self) -> SparsePayoff | None:
        """The payoff as a sparse matrix, for whoever works on its entries; None where it is kept in another form.

        Compiled loops and linear programmes need it. Without it a game is solved by the plain loop.
        """


class SparseMatrix(NamedTuple):
    """A sparse matrix by rows: row r has ``entry[k]`` in column ``column[k]`` for k in ``first[r]:first[r + 1]``."""

    first: Indices  # (rows + 1,)
    column: Indices  # (entries,) ascending within a row
    entry: Floats  # (entries,)


@dataclass(frozen=True, eq=False)
class ExactEntries:
    """The entries of the payoff matrix as fractions over one denominator."""

    numerators: NDArray[Any]  # (entries,) integers, in the order of player 0's matrix
    denominator: int
    theirs: NDArray[Any] | None = None  # (entries,) in the order of player 1's matrix, unless the game is zero-sum

    def fractions(self) -> list[Fraction]:
        """Each entry as a Fraction."""
        return [Fraction(int(numerator), self.denominator) for numerator in self.numerators]


@dataclass(frozen=True, eq=False, repr=False)
class SparsePayoff:
    """The payoff as a sparse matrix, kept once for each player.

    With A the matrix (sequences of player 0 × sequences of player 1) of chance probability × player 0's payoff,
    summed over the histories that end in a pair, ``matrices[0]`` is A and ``matrices[1]`` is −Aᵀ: each player's
    gradient is one product by rows. Where the game is not zero-sum, ``matrices[1]`` is Bᵀ, with B the same sums of
    player 1's payoffs, and may have entries elsewhere.
    """

    matrices: tuple[SparseMatrix, SparseMatrix]
    exact: ExactEntries | None  # where the game gave rational numbers
    zero_sum: bool = True

    def gradient(self, player: int, plan: Floats, out: Floats) -> None:
        """One sparse product; ``out`` is overwritten."""
        sparse_product(*self.matrices[player], plan, out)

    def fingerprint(self) -> bytes:
        """Player 0's matrix; player 1's follows from it, or is there, too."""
        told = self.matrices[:1] if self.zero_sum else self.matrices
        return b"".join(part.tobytes() for matrix in told for part in matrix)

    @property
    def entries(self) -> int:
        """How many entries of the matrix are not 0, of two the one with more."""
        return max(len(matrix.entry) for matrix in self.matrices)

    @property
    def nbytes(self) -> int:
        """The size of both matrices; the exact entries are not read by gradients."""
        return sum(part.nbytes for matrix in self.matrices for part in matrix)

    @cached_property
    def size(self) -> float:
        """The largest sum of absolute entries in a row of either matrix."""
        sums = (np.add.reduceat(np.append(abs(entry), 0.0), first[:-1]) for first, _, entry in self.matrices)
        filled = (each[np.diff(matrix.first) > 0] for each, matrix in zip(sums, self.matrices, strict=True))
        return float(max((each.max() for each in filled if len(each)), default=0.0))

    @property
    def sparse(self) -> SparsePayoff:
        """Itself."""
        return self

    def __repr__(self) -> str:
        return f"<payoff with {numbers.count(self.entries, 'entry', 'entries')}>"


def sparse_payoff(
    shape: tuple[int, int],
    rows: Indices,
    columns: Indices,
    which: NDArray[Any],
    weights: Sequence[Any] | Floats,
    theirs: Sequence[Any] | Floats | None = None,
) -> SparsePayoff:
    """Build the payoff from entries (rows[k], columns[k], weights[which[k]]).

    Games have few distinct weights and many histories, hence ``which``. Entries that fall on the same pair are
    summed, and zeros left out. Weights given as int or Fraction throughout are kept exactly beside the floats.
    ``theirs`` are player 1's weights, where they are not those of player 0 with the other sign.
    """
    keys = rows.astype(np.int64) * shape[1] + columns
    given = [weights] if theirs is None else [weights, theirs]
    scaled, denominator = _integers(given, len(which))
    sums = [_sum_by_key(keys, each[which]) for each in scaled]
    entries = [(keys, _as_floats(each, denominator)) for keys, each in sums]
    places = [np.divmod(keys, shape[1]) for keys, _ in entries]
    (rows_zero, columns_zero), (rows_one, columns_one) = places[0], places[-1]
    by_column = np.argsort(columns_one, kind="stable")
    turned = entries[-1][1][by_column]
    exact = None
    if denominator is not None:
        exact = ExactEntries(sums[0][1], denominator, None if theirs is None else sums[1][1][by_column])
    return SparsePayoff(
        (
            _by_rows(shape[0], rows_zero, columns_zero, entries[0][1]),
            _by_rows(shape[1], columns_one[by_column], rows_one[by_column], -turned if theirs is None else turned),
        ),
        exact,
        theirs is None,
    )


def _integers(given: list[Any], histories: int) -> tuple[list[NDArray[Any]], int | None]:
    """All weights over one denominator, in machine integers where their sums fit; floats as they are, over none."""
    if any(isinstance(weight, float) for weights in given for weight in weights):
        return [np.asarray(weights, dtype=np.float64) for weights in given], None
    denominator = math.lcm(*(weight.denominator for weights in given for weight in weights))
    scaled = [[weight.numerator * (denominator // weight.denominator) for weight in weights] for weights in given]
    largest = max((abs(number) for numbers in scaled for number in numbers), default=0)
    kind = np.int64 if largest * histories < LARGEST_SAFE_INTEGER > denominator else object
    return [np.array(numbers, dtype=kind) for numbers in scaled], denominator


def _as_floats(sums: NDArray[Any], denominator: int | None) -> Floats:
    """What the integers stand for."""
    return sums if denominator is None else (sums / denominator).astype(np.float64)


def _sum_by_key(keys: NDArray[np.int64], entries: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Ascending distinct keys, and the sum of the entries of each in the order given; sums of 0 are left out."""
    order = np.argsort(keys, kind="stable")
    keys, entries = keys[order], entries[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    sums = np.add.reduceat(entries, starts) if len(keys) else entries
    kept = sums != 0
    return keys[starts][kept], sums[kept]


def _by_rows(count: int, rows: NDArray[np.int64], columns: NDArray[np.int64], entries: Floats) -> SparseMatrix:
    """Entries already sorted by row as a sparse matrix."""
    first = np.searchsorted(rows, np.arange(count + 1)).astype(np.uint32)
    return SparseMatrix(first, columns.astype(np.uint32), entries)
