"""How much is measured, and how long."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from benchmarks.clock import LEAST_ROUNDS, Pace
from benchmarks.games import GAMES, QUICK_GAMES
from benchmarks.peers import PEERS
from benchmarks.peers.protocol import EXTERNAL, OUTCOME
from benchmarks.spots import RIVER, SMALL_RIVER, SMALL_TURN, TURN

PARTS = ("peers", "sampling", "limits", "growth", "memory", "cores", "neighbours", "start", "holdem")
"""The parts of a run.

Races against peers, those of sampled algorithms, what the machine allows, how cost grows, memory, a second core, start,
Hold'em endgames.
"""

FLOP = "flop"
"""A part that is only run where it is asked for: a whole flop takes gigabytes, and minutes on all cores."""

SAMPLED_ITERATIONS = {EXTERNAL: 1_000, OUTCOME: 10_000}
"""After so many iterations medians over seeds are compared where an algorithm is random."""

SEEDS = {"kuhn": 51, "leduc": 11}
"""The games on which that is done, and how many seeds each takes: on Kuhn poker results spread more."""

LONG_PACE = Pace(rounds=LEAST_ROUNDS, batch=0.2, longest=60.0)
SHORT_PACE = Pace(rounds=LEAST_ROUNDS, batch=0.02, longest=2.0)


@dataclass(frozen=True)
class HoldemSettings:
    """The spots of the part about Hold'em, and how far they are solved; targets are parts of the pot."""

    river: str = RIVER
    river_target: float = 0.001
    turn: str = TURN
    turn_target: float = 0.005
    sampled: str = "holdem:turn-3bet"  # on which drawing cards is held against walking all of them
    sampled_target: float = 0.01
    compared: str = "holdem:river-srp"  # on which recipes are compared
    compared_target: float = 0.001
    recipes: tuple[str, ...] = ("dcfr", "dcfr+", "cfr+", "pcfr+", "pdcfr+", "sapdcfr+")
    second_core: bool = True
    longest: float = 120.0  # seconds after which a solution is given up
    flop: str = "holdem:flop-srp"
    flop_target: float = 0.005
    flop_longest: float = 3_600.0


@dataclass(frozen=True)
class Settings:
    """What a run of the benchmark does."""

    games: tuple[str, ...] = tuple(GAMES)
    peers: tuple[str, ...] = PEERS
    parts: tuple[str, ...] = PARTS
    pace: Pace = LONG_PACE
    process_rounds: int = 7  # of whole processes, for cold start
    first_runs: int = 7  # of the first run ever, which compiles everything
    patience: float = 600.0  # seconds that may be spent on measuring again what a neighbour disturbed
    agree_after: int = 20  # iterations after which exploitabilities are compared
    until: float = 1e-3  # the exploitability that is raced to
    sampled_iterations: Mapping[str, int] = field(default_factory=lambda: dict(SAMPLED_ITERATIONS))
    seeds: Mapping[str, int] = field(default_factory=lambda: dict(SEEDS))
    memory_game: str = "liars-dice-6"
    cards: tuple[int, ...] = (3, 10, 30, 100, 300, 1_000)  # of Kuhn poker, which grows
    holdem: HoldemSettings = HoldemSettings()
    largest_form: float = 8.0  # the largest random form, in multiples of the last-level cache

    def as_dict(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)


FULL = Settings()
QUICK = Settings(
    games=QUICK_GAMES,
    parts=tuple(part for part in PARTS if part not in ("cores", "neighbours")),
    pace=SHORT_PACE,
    process_rounds=3,
    first_runs=1,
    patience=15.0,
    seeds=SEEDS | {"leduc": 5},
    memory_game="leduc",
    cards=(3, 10, 30, 100),
    largest_form=3.0,
    holdem=HoldemSettings(
        river=SMALL_RIVER,
        turn=SMALL_TURN,
        sampled=SMALL_TURN,
        recipes=("dcfr", "cfr+", "sapdcfr+"),
        second_core=False,
        longest=3.0,
    ),
)
"""About a minute."""
