"""The flat list of histories, for what needs histories: sampling, drawing, explaining."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from regretlab.forms.kernel import Floats, Indices


@dataclass(frozen=True, eq=False)
class Tree:
    """Every history once, breadth-first: parents before children, and the children of one next to each other.

    History 0 is the root. Both properties are relied upon: sampling walks forward to pass reach down and backward to
    pass values up.
    """

    children: Indices  # (histories + 1,) the children of history h are children[h]:children[h + 1]
    player: NDArray[np.int8]  # (histories,) 0, 1, CHANCE or TERMINAL
    infoset: Indices  # (histories,) the acting player's information set, where a player acts
    probability: Floats  # (histories,) of the chance outcome that led here; 1 where a player moved
    payoff: Floats  # (histories,) player 0's, where the game ends
    names: tuple[str, ...]  # (histories,) of the action or outcome that led here

    @property
    def histories(self) -> int:
        """How many histories there are, the root and the terminal ones included."""
        return len(self.player)
