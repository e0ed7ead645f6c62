"""Information sets in numbers: what a network sees of them, and which of its outputs belongs to which action."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from regretlab.errors import GameError
from regretlab.forms import SequenceForm, Treeplex

Whole = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Encoding:
    """One player's information sets as inputs, and the player's actions as outputs."""

    features: NDArray[np.float32] | None  # (rows, inputs) the distinct inputs; None is one-hot, every row its own input
    infoset: Whole  # (actions,) the information set that each action belongs to, in the order of the sequences
    row: Whole  # (actions,) the row of that information set
    output: Whole  # (actions,) the output that the action belongs to
    rows: int
    outputs: int

    @property
    def inputs(self) -> int:
        """How many numbers a network takes."""
        return self.rows if self.features is None else self.features.shape[1]


def encode(form: SequenceForm, player: int) -> Encoding:
    """The game's own encoding of its labels, or one-hot where it has none.

    Information sets that the game encodes alike share a row. Actions of the same name share an output, wherever they
    are possible: a call is a call.
    """
    treeplex = form.treeplexes[player]
    numbers: dict[str, int] = {}
    output = [numbers.setdefault(name, len(numbers)) for actions in treeplex.actions for name in actions]
    features, row = None, np.arange(treeplex.infosets)
    if form.encode is not None and treeplex.infosets:
        features, row = np.unique(own_features(form, treeplex), axis=0, return_inverse=True)
    rows = treeplex.infosets if features is None else len(features)
    infoset = np.repeat(np.arange(treeplex.infosets), [len(actions) for actions in treeplex.actions])
    return Encoding(features, infoset, row[infoset], np.array(output, dtype=np.int64), rows, len(numbers))


def own_features(form: SequenceForm, treeplex: Treeplex) -> NDArray[np.float32]:
    """A row for each information set, as the game encodes its label."""
    assert form.encode is not None
    encoded = [np.asarray(form.encode(label)) for label in treeplex.labels]
    width = len(encoded[0]) if encoded and encoded[0].ndim == 1 else 0
    for label, row in zip(treeplex.labels, encoded, strict=True):
        if row.ndim != 1 or row.dtype.kind not in "biuf" or not np.isfinite(row).all():
            raise GameError(f"{form.name} encodes '{label}' as {row.tolist()!r:.60}, not as a list of finite numbers")
        if len(row) != width:
            raise GameError(f"{form.name} encodes '{label}' by {len(row)} numbers and other labels by {width}")
    return np.array(encoded, dtype=np.float32).reshape(len(encoded), width)
