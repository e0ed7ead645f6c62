"""Random sequence forms of any size, made as arrays: what grows where no game is large enough."""

from __future__ import annotations

import math

import numpy as np

from regretlab.forms import SequenceForm, SparsePayoff, Treeplex, sparse_payoff
from regretlab.forms.kernel import Indices

HANDS = 6
"""The hands that a player may hold in one public history, as in liar's dice with six sides.

So many information sets in a row have the same number of actions, and payoffs come in blocks of so many sequences of
either player, one block for each sequence. Games are regular like that. Lengths drawn one by one would cost a
mispredicted branch each: those of rows more than twice the time, those of information sets a sixth of it.
"""

WINDOW = 12
"""How many blocks away the opponent's hands may be at most: both belong to the same public history."""

LEAVES = 4
"""Only the first sequences, one in so many, are followed by further decisions, so that depth grows like a logarithm."""

_ACTIONS = (("left", "right"), ("left", "middle", "right"))
_WEIGHTS = 64


def random_form(entries: int, seed: int = 0) -> SequenceForm:
    """A form with about so many payoff entries, and always the same one for the same seed.

    >>> form = random_form(1_000)
    >>> 800 < len(form.payoff.matrices[0].entry) < 1_200
    True
    """
    generator = np.random.default_rng(seed)
    sequences = max(2 * HANDS, entries // HANDS)  # enough for a block, however few the actions are
    zero, one = (_treeplex(generator, player, sequences) for player in (0, 1))
    return SequenceForm(f"random({entries})", (zero, one), _payoff(generator, zero.sequences, one.sequences))


def _treeplex(generator: np.random.Generator, player: int, sequences: int) -> Treeplex:
    """About so many sequences in information sets of two or three actions, level by level as the walk numbers them."""
    infosets = max(1, round(sequences / 2.5))
    sizes = np.repeat(generator.integers(2, 4, size=math.ceil(infosets / HANDS)), HANDS)[:infosets]
    first = np.concatenate([[1], 1 + np.cumsum(sizes)])
    parents = np.sort(generator.integers(0, int(first[-1]) // LEAVES + 1, size=len(sizes)))
    return Treeplex(
        parent=np.minimum(parents, first[:-1] - 1).astype(np.uint32),
        first=first.astype(np.uint32),
        labels=tuple(f"{player}: {i}" for i in range(len(sizes))),
        actions=tuple(_ACTIONS[size - 2] for size in sizes.tolist()),
    )


def _payoff(generator: np.random.Generator, rows: int, columns: int) -> SparsePayoff:
    """Blocks near the diagonal, each at rows and columns that no other block has."""
    blocks = min(rows, columns) // HANDS
    place = np.arange(blocks)
    # Sorting random numbers within windows shuffles the blocks without moving any of them far.
    partner = np.lexsort((generator.random(blocks), place // WINDOW))
    hand = np.arange(HANDS)
    row = np.broadcast_to((place[:, None] * HANDS + hand)[:, :, None], (blocks, HANDS, HANDS)).ravel()
    column = np.broadcast_to((partner[:, None] * HANDS + hand)[:, None, :], (blocks, HANDS, HANDS)).ravel()
    which = generator.integers(0, _WEIGHTS, size=len(row))
    weights = (generator.standard_normal(_WEIGHTS) / len(row)).tolist()
    return sparse_payoff((rows, columns), _indices(row), _indices(column), which, weights)


def _indices(values: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Indices:
    return values.astype(np.uint32)
