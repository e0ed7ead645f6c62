"""How much a run with networks walks, remembers and trains."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from regretlab.spec import positive, truth, whole


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

    @property
    def parts(self) -> dict[str, object]:
        """The settings as a recipe's name has them."""
        return asdict(self) | {
            "rate": str(self.rate),
            "from_scratch": "yes" if self.from_scratch else "no",
            "strategy_network": "yes" if self.strategy_network else "no",
        }


DEFAULTS = Settings()

MOST_OF_A_SETTING = {
    "traversals": 10**9,
    "capacity": 10**8,
    "width": 10**4,
    "layers": 100,
    "training": 10**6,
    "batch": 10**6,
}
"""Beyond these a run would not fit, or never end."""

READ_SETTING: dict[str, Callable[[str], Any]] = {
    **{part: partial(whole, part, least=1, most=most) for part, most in MOST_OF_A_SETTING.items()},
    "rate": partial(positive, "rate"),
    "from_scratch": partial(truth, "from_scratch"),
    "strategy_network": partial(truth, "strategy_network"),
}
"""How each setting is read from what is written in a recipe's name."""
