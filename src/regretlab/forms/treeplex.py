"""One player's decisions as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from regretlab.forms.kernel import Indices


@dataclass(frozen=True, eq=False)
class Treeplex:
    """A player's information sets, parents before children, the actions of one next to each other.

    The actions are the player's *sequences*; sequence 0 is the empty one, before the player has done anything.
    """

    parent: Indices  # (infosets,) the player's own last sequence before this information set
    first: Indices  # (infosets + 1,) sequences of information set i are first[i]:first[i + 1]; first[0] is 1
    labels: tuple[str, ...]  # (infosets,) for people
    actions: tuple[tuple[str, ...], ...]  # (infosets,) the names of the actions of each

    @property
    def infosets(self) -> int:
        """How many information sets the player has."""
        return len(self.parent)

    @property
    def sequences(self) -> int:
        """How many sequences the player has, the empty one included."""
        return int(self.first[-1])

    @cached_property
    def index(self) -> dict[str, int]:
        """The number of the information set with each label."""
        return {label: i for i, label in enumerate(self.labels)}
