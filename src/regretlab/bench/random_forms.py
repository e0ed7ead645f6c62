"""Random sequence forms of any size, made as arrays: what grows where no game is large enough."""

from __future__ import annotations

import numpy as np

from regretlab.forms import SequenceForm, SparsePayoff, Treeplex, sparse_payoff
from regretlab.forms.kernel import Indices

ENTRIES_A_SEQUENCE = 6
"""Payoff entries for each sequence of a player; Leduc poker has 4.5, liar's dice with six sides 6."""

WINDOW = 64
"""A sequence meets only opponents' sequences near it, as in games, where both belong to the same public history."""

LEAVES = 4
"""Only the first sequences, one in so many, are followed by further decisions, so that depth grows like a logarithm."""

_ACTIONS = (("left", "right"), ("left", "middle", "right"))
_WEIGHTS = 64


def random_form(entries: int, seed: int = 0) -> SequenceForm:
    """A form with about so many payoff entries, and always the same one for the same seed.

    >>> form = random_form(1_000)
    >>> 800 < len(form.payoff.matrices[0].entry) <= 1_000
    True
    """
    generator = np.random.default_rng(seed)
    sequences = max(4, entries // ENTRIES_A_SEQUENCE)
    zero, one = (_treeplex(generator, player, sequences) for player in (0, 1))
    return SequenceForm(f"random({entries})", (zero, one), _payoff(generator, zero.sequences, one.sequences, entries))


def _treeplex(generator: np.random.Generator, player: int, sequences: int) -> Treeplex:
    """About so many sequences in information sets of two or three actions, level by level as the walk numbers them."""
    sizes = generator.integers(2, 4, size=max(1, round(sequences / 2.5)))
    first = np.concatenate([[1], 1 + np.cumsum(sizes)])
    parents = np.sort(generator.integers(0, int(first[-1]) // LEAVES + 1, size=len(sizes)))
    return Treeplex(
        parent=np.minimum(parents, first[:-1] - 1).astype(np.uint32),
        first=first.astype(np.uint32),
        labels=tuple(f"{player}: {i}" for i in range(len(sizes))),
        actions=tuple(_ACTIONS[size - 2] for size in sizes.tolist()),
    )


def _payoff(generator: np.random.Generator, rows: int, columns: int, entries: int) -> SparsePayoff:
    """Entries at random places near the diagonal; those that fall on the same pair are summed."""
    row = generator.integers(0, rows, size=entries)
    window = row * columns // rows // WINDOW * WINDOW
    column = np.minimum(window + generator.integers(0, WINDOW, size=entries), columns - 1)
    which = generator.integers(0, _WEIGHTS, size=entries)
    weights = (generator.standard_normal(_WEIGHTS) / entries).tolist()
    return sparse_payoff((rows, columns), _indices(row), _indices(column), which, weights)


def _indices(values: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Indices:
    return values.astype(np.uint32)
