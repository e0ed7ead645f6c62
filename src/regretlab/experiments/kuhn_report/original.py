"""What the founding study of four algorithms on Kuhn poker printed: figures to compare with, right or wrong."""

from __future__ import annotations

from typing import NamedTuple


class Configuration(NamedTuple):
    """Stakes that it played for, and the value of the game that it took for right."""

    name: str
    game: str
    ante: int
    bet: int
    value: float

    @property
    def printed_value(self) -> str:
        """As it was printed."""
        return f"{self.value:.4f}".replace("-", "−")

    def __str__(self) -> str:
        return f"({self.ante}, {self.bet})"


STANDARD, LARGE_BET, LARGE_ANTE, SCALED_UP = CONFIGURATIONS = (
    Configuration("standard", "kuhn", 1, 1, -0.0556),
    Configuration("large bet", "kuhn(bet=2)", 1, 2, -0.0556),
    Configuration("large ante", "kuhn(ante=2)", 2, 1, -0.1111),
    Configuration("scaled up", "kuhn(ante=2, bet=2)", 2, 2, -0.1111),
)

ALGORITHMS = {
    "CFR": "cfr(feedback=chance)",
    "CFR+": "cfr+(schedule=one-player, feedback=chance)",
    "NormalHedge": "normalhedge(feedback=chance)",
    "NormalHedge+": "normalhedge+(feedback=chance)",
}
"""The recipes that it ran: one deal an iteration; CFR+ updated one player an iteration and averaged linearly."""

SHORT, LONG = HORIZONS = (10_000, 100_000)
EARLY = 1_000
"""Before it first looked."""

_ERRORS = (
    (STANDARD, SHORT, (0.005045, 0.000273, 0.038846, 0.061523)),
    (STANDARD, LONG, (0.018536, 0.012174, 0.011220, 0.012306)),
    (LARGE_BET, SHORT, (0.052473, 0.126594, 0.044588, 0.024655)),
    (LARGE_BET, LONG, (0.047356, 0.067375, 0.052673, 0.054720)),
    (LARGE_ANTE, SHORT, (0.076406, 0.074576, 0.123291, 0.189488)),
    (LARGE_ANTE, LONG, (0.087315, 0.042258, 0.080198, 0.056600)),
    (SCALED_UP, SHORT, (0.013515, 0.101126, 0.007928, 0.089086)),
    (SCALED_UP, LONG, (0.071024, 0.029205, 0.010831, 0.044448)),
)

ERRORS = {(each, iterations): dict(zip(ALGORITHMS, row, strict=True)) for each, iterations, row in _ERRORS}
"""The distance of its final value to the value that it took for right, by configuration and iterations."""

STRATEGIES = {
    "J: bet": (0.1563, 0.2392, 0.2938, 0.2220),
    "Q: bet": (0.0001, 0.0075, 0.0001, 0.0076),
    "K: bet": (0.4580, 0.7197, 0.8548, 0.6798),
}
"""What the four had learned on the standard configuration after 100,000 iterations."""

TIMES = dict(zip(ALGORITHMS, (1.3, 1.0, 5.5, 5.8), strict=True))
"""The time of 100,000 iterations, as a multiple of that of CFR+."""
