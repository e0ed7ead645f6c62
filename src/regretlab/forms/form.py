"""The sequence form of a game: the one data structure that everything else works on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from regretlab.forms.payoff import Payoff
from regretlab.forms.tree import Tree
from regretlab.forms.treeplex import Treeplex


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """A compiled game: one treeplex for each player, the payoff between their plans, and, if kept, the histories."""

    name: str
    treeplexes: tuple[Treeplex, Treeplex]
    payoff: Payoff
    tree: Tree | None = None
    loaded_from: str | None = None  # what was given to ``load``, where the name would not find the game again
    encode: Callable[[str], Sequence[float]] | None = None  # a label in numbers, for networks, if the game has a way

    @property
    def load_name(self) -> str:
        """What ``load`` finds the game by, if it can be found at all."""
        return self.loaded_from or self.name

    @property
    def infosets(self) -> int:
        """How many information sets both players have together."""
        return sum(treeplex.infosets for treeplex in self.treeplexes)

    def owner(self, label: str) -> int | None:
        """The player whose information set has this label, if there is one."""
        return next((p for p in (0, 1) if label in self.treeplexes[p].index), None)

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels, player 0's first."""
        return self.treeplexes[0].labels + self.treeplexes[1].labels
