"""How much a run with networks walks, remembers and trains."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Settings:
    """The parts of a recipe that belong to ``feedback=network``; the defaults do for the small games here."""

    traversals: int = 20_000  # walks for a player in an iteration
    capacity: int = 4_000_000  # samples that a memory holds
    width: int = 64  # units of a hidden layer
    layers: int = 3  # hidden layers
    training: int = 100  # steps in which an advantage network is trained in an iteration
    from_scratch: bool = False  # whether each training begins with a new network, or goes on with the last one
    batch: int = 2_048  # information sets in a step
    rate: Fraction = Fraction(1, 200)  # the step size at the start; it falls to 0
    strategy_network: bool = True  # whether a network learns the average, or all advantage networks make it up


DEFAULTS = Settings()
