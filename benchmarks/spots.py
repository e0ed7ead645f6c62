"""The Hold'em endgames of the benchmark, by name."""

from __future__ import annotations

from typing import Any

from regretlab.endgames import Spot, holdem

READY = "holdem:"
"""Names that begin so are those of spots that come with the package."""

RIVER, TURN = "river, all hands", "turn, all hands"
"""What is to be reached is said about these two."""

SMALL_RIVER, SMALL_TURN, SMALL_FLOP = "small river", "small turn", "small flop"
"""For a short run, and to have kernels loaded before anything is measured."""

_ALL = {"oop": "random", "ip": "random", "pot": 200, "stack": 900, "bets": "50%,100%,a", "raises": "50%,100%,a"}
_FEW = {"oop": "QQ+,AKs", "ip": "JJ-88,AQs", "pot": 200, "stack": 300, "bets": "50%,a", "raises": "a"}

SPOTS: dict[str, dict[str, Any]] = {
    RIVER: _ALL | {"board": "QsJh2h8d3c"},
    TURN: _ALL | {"board": "QsJh2h8d"},
    SMALL_RIVER: _FEW | {"board": "QsJh2h8d3c"},
    SMALL_TURN: _FEW | {"board": "QsJh2h8d"},
    SMALL_FLOP: _FEW | {"board": "QsJh2h", "oop": "AA,KK", "ip": "TT,99,AQ", "stack": 200, "bets": "50%"},
}


def is_spot(name: str) -> bool:
    """Whether a spot has this name."""
    return name in SPOTS or name.startswith(READY)


def load_spot(name: str) -> Spot:
    """The spot of this name.

    >>> load_spot("river, all hands").counts.decisions, load_spot("holdem:river-polar").street
    (32, 'river')
    """
    return holdem(**SPOTS[name]) if name in SPOTS else holdem(name.removeprefix(READY))
