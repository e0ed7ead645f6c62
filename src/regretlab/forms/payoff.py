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

    def fractions(self) -> list[Fraction]:
        """Each entry as a Fraction."""
        return [Fraction(int(numerator), self.denominator) for numerator in self.numerators]


@dataclass(frozen=True, eq=False)
class SparsePayoff:
    """The payoff as a sparse matrix, kept once for each player.

    With A the matrix (sequences of player 0 × sequences of player 1) of chance probability × player 0's payoff,
    summed over the histories that end in a pair, ``matrices[0]`` is A and ``matrices[1]`` is −Aᵀ: each player's
    gradient is one product by rows.
    """

    matrices: tuple[SparseMatrix, SparseMatrix]
    exact: ExactEntries | None  # where the game gave rational numbers

    def gradient(self, player: int, plan: Floats, out: Floats) -> None:
        """One sparse product; ``out`` is overwritten."""
        sparse_product(*self.matrices[player], plan, out)

    def fingerprint(self) -> bytes:
        """Player 0's matrix; player 1's follows from it."""
        return b"".join(part.tobytes() for part in self.matrices[0])

    @property
    def entries(self) -> int:
        """How many entries of the matrix are not 0."""
        return len(self.matrices[0].entry)

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


def sparse_payoff(
    shape: tuple[int, int], rows: Indices, columns: Indices, which: NDArray[Any], weights: Sequence[Any] | Floats
) -> SparsePayoff:
    """Build the payoff from entries (rows[k], columns[k], weights[which[k]]).

    Games have few distinct weights and many histories, hence ``which``. Entries that fall on the same pair are
    summed, and zeros left out. Weights given as int or Fraction throughout are kept exactly beside the floats.
    """
    keys = rows.astype(np.int64) * shape[1] + columns
    if any(isinstance(weight, float) for weight in weights):
        keys, sums = _sum_by_key(keys, np.asarray(weights, dtype=np.float64)[which])
        return _assemble(shape, keys, sums, None)
    denominator = math.lcm(*(weight.denominator for weight in weights))
    numerators = [weight.numerator * (denominator // weight.denominator) for weight in weights]
    fits = max(map(abs, numerators), default=0) * len(which) < LARGEST_SAFE_INTEGER > denominator
    keys, sums = _sum_by_key(keys, np.array(numerators, dtype=np.int64 if fits else object)[which])
    return _assemble(shape, keys, (sums / denominator).astype(np.float64), ExactEntries(sums, denominator))


def _sum_by_key(keys: NDArray[np.int64], entries: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Ascending distinct keys, and the sum of the entries of each in the order given; sums of 0 are left out."""
    order = np.argsort(keys, kind="stable")
    keys, entries = keys[order], entries[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    sums = np.add.reduceat(entries, starts) if len(keys) else entries
    kept = sums != 0
    return keys[starts][kept], sums[kept]


def _assemble(
    shape: tuple[int, int], keys: NDArray[np.int64], entries: Floats, exact: ExactEntries | None
) -> SparsePayoff:
    rows, columns = np.divmod(keys, shape[1])
    by_column = np.argsort(columns, kind="stable")
    return SparsePayoff(
        (
            _by_rows(shape[0], rows, columns, entries),
            _by_rows(shape[1], columns[by_column], rows[by_column], -entries[by_column]),
        ),
        exact,
    )


def _by_rows(count: int, rows: NDArray[np.int64], columns: NDArray[np.int64], entries: Floats) -> SparseMatrix:
    """Entries already sorted by row as a sparse matrix."""
    first = np.searchsorted(rows, np.arange(count + 1)).astype(np.uint32)
    return SparseMatrix(first, columns.astype(np.uint32), entries)
